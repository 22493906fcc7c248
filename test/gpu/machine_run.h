/* The inside of a launch, for machine_run.c and machine_access.c. */
#ifndef TAFL_TEST_GPU_MACHINE_RUN_H
#define TAFL_TEST_GPU_MACHINE_RUN_H

#include "machine.h"

enum { LANES = 32, CALLS_MOST = 8, WARPS_MOST = 32, BARRIERS = 16 };

/* A register of a warp: its value in each lane. */
typedef struct Narrow {
  uint32_t lane[LANES];
} Narrow;

typedef struct Wide {
  uint64_t lane[LANES];
} Wide;

/* Threads of a warp that are at the same place. */
typedef struct Group {
  uint32_t at, mask;
  uint32_t parked; /* barrier + 1 that it waits at; 0: none */
  uint32_t depth;
  uint32_t calls[CALLS_MOST]; /* where they return to */
} Group;

typedef struct Warp {
  uint32_t number;
  uint32_t alive; /* threads that have not ended */
  uint32_t group_count;
  Group groups[LANES];
  /* Constants are in front of the first one: see machine_module.h. The masks
     have the lanes in which a register has been written. */
  Narrow *narrow;
  Wide *wide;
  uint32_t *predicates;
  uint32_t *narrow_known, *wide_known, *predicate_known;
  Narrow *local; /* words of local memory */
  void *blocks[7];
} Warp;

typedef struct Barrier {
  uint32_t arrived; /* threads */
  uint32_t wanted;  /* 0: all that have not ended */
  uint32_t set;     /* of them with the predicate */
} Barrier;

typedef struct Block { /* of global memory */
  uint64_t address;
  size_t size;
  uint8_t *bytes;
} Block;

struct Machine {
  VECTOR(Block) blocks; /* by address */
  uint64_t next;        /* address */
  size_t used;
  uint64_t instructions;
};

typedef struct Run {
  Machine *machine;
  const Launch *launch;
  const Module *module;
  const Step *steps;
  uint32_t block; /* that runs */
  uint32_t warp_count;
  Warp warps[WARPS_MOST];
  Barrier barriers[BARRIERS];
  uint8_t *shared;                      /* from SHARED_START */
  uint32_t shared_declared, shared_end; /* addresses */
  /* For each word of shared memory who touched it last: 64 * epoch + warp,
     where an epoch ends at a barrier. */
  uint32_t *readers, *writers, *updaters;
  uint32_t epoch, block_epoch;
  uint64_t clock; /* steps of warps */
  Block last;     /* block of global memory that was used last */
  int result;
  Text *error;
} Run;

/* Ends the launch with a result and a sentence; returns false. */
bool run_fail(Run *run, const Warp *warp, const Step *step, uint32_t lane,
              int result, const char *format, ...) PRINTF_LIKE(6, 7);
/* Fails if a register has not been written in all lanes of the mask. */
bool run_need(Run *run, const Warp *warp, const Step *step, char file,
              int32_t number, uint32_t mask);

/* ---- machine_access.c ---- */
bool access_load(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool access_store(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool access_update(Run *run, Warp *warp, const Step *step, uint32_t mask);
/* What a word becomes by an update. */
uint64_t access_updated(Update update, uint64_t old, uint64_t value,
                        uint64_t other, uint8_t bytes);

/* ---- machine_warp.c ---- */
bool warp_shuffle(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool warp_vote(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool warp_redux(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool warp_match(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool warp_sync(Run *run, Warp *warp, const Step *step, uint32_t mask);
bool warp_setp(Run *run, Warp *warp, const Step *step, uint32_t mask);

#endif
