/* The driver of a card made of software: the functions of src/gpu/driver.h on
   top of machine.h. It is built as a library, libcuda.so.1 in the folder of the
   test programs: a program that finds it by LD_LIBRARY_PATH runs on it
   unchanged. Test programs may also be linked with it and fill their table by
   machine_card_driver.

   The card is a small one of compute capability 9.0: 2 multiprocessors, 227 KB
   of shared memory for a block that asked for it. What goes wrong in a kernel
   is said on stderr, and the context is of no use from then on, as on a card.
   Calls of a thread without a context, before cuInit and so on fail as they do
   there. Work is done at once, unless the environment says otherwise:

     TAFL_CARD_COUNT=N     cards, up to 4; 0: cuInit finds none
     TAFL_CARD_LATE=1      streams work in threads of their own: calls return
                           before the work is done
     TAFL_CARD_MEMORY=N    bytes of memory; more cannot be allocated
     TAFL_CARD_FAIL=N      the N-th launch fails while it runs (719)
     TAFL_CARD_REFUSE=N    the N-th launch is refused (701)
     TAFL_CARD_HANG=N      the N-th launch never ends, and so does its stream
     TAFL_CARD_GONE=N      from the N-th call on all calls fail (999)
     TAFL_CARD_STUCK=N     the N-th call never returns; others do
     TAFL_CARD_COMPILE=N   compiling takes N milliseconds longer
     TAFL_CARD_RACES=0     races in shared memory are not looked for
     TAFL_CARD_STEPS=N     a launch fails (702) after N steps of its warps
     TAFL_CARD_QUIET=1     nothing is said on stderr */
#ifndef TAFL_TEST_GPU_MACHINE_CARD_H
#define TAFL_TEST_GPU_MACHINE_CARD_H

#include "gpu/driver.h"

/* Fills the table with functions that are linked into this program. They must
   not be called inside of trials (base/trial.h). */
void machine_card_driver(Driver *driver);

/* The library has these three, too. */
#define MACHINE_CARD_SHOWN __attribute__((visibility("default")))
/* Forgets everything and reads the environment again. No stream may be at
   work. */
MACHINE_CARD_SHOWN void machine_card_reset(void);
/* What went wrong last; "" if nothing did. Valid until the next call. */
MACHINE_CARD_SHOWN const char *machine_card_message(void);
/* Instructions of single threads that the present contexts executed. */
MACHINE_CARD_SHOWN uint64_t machine_card_instructions(void);

/* ---- what driver.h does not have ---- */

#define CARD_FUNCTION(name, symbol, parameters) \
  __attribute__((visibility("default"))) \
  CUresult name parameters __asm__(symbol);
DRIVER_FUNCTIONS(CARD_FUNCTION)
CARD_FUNCTION(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context))
CARD_FUNCTION(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))
CARD_FUNCTION(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))
CARD_FUNCTION(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream))
CARD_FUNCTION(cuEventQuery, "cuEventQuery", (CUevent event))
CARD_FUNCTION(cuEventSynchronize, "cuEventSynchronize", (CUevent event))
CARD_FUNCTION(cuEventElapsedTime, "cuEventElapsedTime",
              (float *milliseconds, CUevent start, CUevent end))
CARD_FUNCTION(cuStreamWaitEvent, "cuStreamWaitEvent",
              (CUstream stream, CUevent event, unsigned flags))

#endif
