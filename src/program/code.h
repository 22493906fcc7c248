/* Machine code for lane vectors of eight words, for processors with AVX-512. */
#ifndef TAFL_PROGRAM_CODE_H
#define TAFL_PROGRAM_CODE_H

#include "program/order.h"

typedef struct Code {
  void *bytes;       /* NULL: not made */
  ScopePages *pages; /* that they are in */
} Code;

/* slots[value] belongs to the value from the step that computes it to its last
   use. Values in slots below `fixed` are there after a run. If `targets` is not
   NULL, a value with a target has the slot of that input, and is written there
   except in lanes that are held. Returns false if the system provides no
   executable memory. */
bool code_make(const Order *order, const uint32_t *slots, uint32_t fixed,
               uint32_t slot_count, const uint32_t *targets, Code *code);
/* `held` is a vector of eight words, for code with targets. */
void code_run(const Code *code, uint64_t *memory, const uint64_t *held);
void code_free(Code *code);

#endif
