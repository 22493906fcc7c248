/* Many states at once on a graphics card: what wide/expand.h does in lanes,
   with the same results. An expansion is begun, runs beside whatever the caller
   does, and is taken when it is done; several can be under way at once. Threads
   may use different batches at the same time.

   If the card fails, functions return false and expansion_error says what
   happened. The Gpu has errors of its own. */
#ifndef TAFL_GPU_EXPANSION_H
#define TAFL_GPU_EXPANSION_H

#include "gpu/gpu.h"
#include "wide/expand.h"

typedef struct Expansion Expansion;

typedef struct ExpansionOptions {
  uint32_t batches; /* under way at most */
  uint32_t pairs;   /* of a batch, at most */
} ExpansionOptions;

/* The Gpu is borrowed. Compiles a kernel, which takes about as long as the
   Gpu's first. Returns NULL and says why if there is none. */
Expansion *expansion_new(const Gpu *gpu, const ExpansionOptions *options,
                         Text *why);
/* Waits for what is under way. */
void expansion_delete(Expansion *expansion);

/* Returns what went wrong, or NULL. */
const char *expansion_error(Expansion *expansion);
/* Returns how many pairs are expanded at once. */
uint32_t expansion_width(const Expansion *expansion);

/* Begins the task, which has no owners. States and joint moves are copied; the
   arrays of results, which decide what is computed, are filled by
   expansion_take. */
bool expansion_begin(Expansion *expansion, uint32_t batch,
                     const ExpandTask *task);
/* Returns whether the batch is done, or has failed. */
bool expansion_done(Expansion *expansion, uint32_t batch);
/* Waits for it. */
bool expansion_wait(Expansion *expansion, uint32_t batch);
/* After it is done: fills the results. Writes nothing if the card has failed.
 */
bool expansion_take(Expansion *expansion, uint32_t batch);

/* Where a batch has its arrays on the card: states and joint moves, and what is
   computed of them. If only some of the pairs are to be expanded, `picked` has
   their numbers, and `limit` is where it says how many these are. */
typedef struct ExpansionPlaces {
  CUdeviceptr states, joints, successors, legal, terminal, goals;
  CUdeviceptr picked, limit;
} ExpansionPlaces;

ExpansionPlaces expansion_places(const Expansion *expansion, uint32_t batch);
/* Expands what is there already, after what the stream has to do; all results
   stay there. Without `moves` the states themselves are looked at. */
bool expansion_run(Expansion *expansion, uint32_t batch, CUstream stream,
                   uint32_t count, bool moves);
/* The same with arrays of the caller's. Results at 0 are not wanted; without
   joint moves, the states themselves are looked at. There are at most `count`
   pairs. */
bool expansion_run_at(Expansion *expansion, const ExpansionPlaces *places,
                      CUstream stream, uint32_t count);

#endif
