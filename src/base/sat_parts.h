/* The inside of a SAT solver, for the files that make it up:

     sat_heap    which variable is decided next
     sat_learn   a clause from a conflict
     sat_reduce  learnt clauses that are deleted
     sat         clauses, propagation, and the search itself

   Clauses are in one array, each as its mark, its size and its literals; a
   clause is the index of its first literal, 0 means none. Invariants: a clause
   is in the watch lists of the negations of its first two literals; a clause of
   two literals is never looked at while propagating, since its watches say all.
   Literals of level 0 have no reason. */
#ifndef TAFL_BASE_SAT_PARTS_H
#define TAFL_BASE_SAT_PARTS_H

#include "base/sat.h"
#include "base/vector.h"

enum {
  SAT_HEADER = 2, /* words before the literals of a clause */
  SAT_LEARNT = 1, /* in the mark of a clause; above these two its levels */
  SAT_USED = 2,   /* since learnt clauses were last deleted */
  SAT_BLOCKS = 2  /* clauses of no more levels are kept for good */
};

typedef struct SatWatch {
  uint32_t clause;  /* with a flag if it has two literals (sat.c) */
  SatLiteral other; /* of the clause: if it is true, there is nothing to do */
} SatWatch;

typedef VECTOR(SatWatch) SatWatchVector;

typedef struct SatVariable {
  double activity;
  uint32_t level, reason;
  uint32_t place; /* in the heap, from 1; 0: not in it */
  int8_t phase;   /* last value */
  int8_t target;  /* value in the largest consistent assignment; 0: none */
  uint8_t seen;   /* scratch */
  bool wanted;    /* to be branched on */
} SatVariable;

struct Sat {
  VECTOR(uint32_t) clauses;
  VECTOR(SatWatchVector) watches; /* by literal */
  VECTOR(int8_t) values;          /* by literal: 1, -1, 0 */
  VECTOR(SatVariable) variables;
  NumberVector heap; /* of variables to decide, most active first; [0] unused */
  VECTOR(SatLiteral) trail;
  NumberVector levels; /* where each begins in the trail */
  uint32_t head;       /* of the trail: propagated up to here */
  VECTOR(SatLiteral) learnt;
  VECTOR(SatLiteral) scratch;
  NumberVector stack, touched; /* of minimising */
  NumberVector stamps;         /* by level, of counting them */
  uint32_t stamp;
  VECTOR(SatLiteral) assumptions;
  bool decide_all, decide_none;
  double bump;
  bool contradiction;
  /* when to restart, and when to delete clauses */
  double fast, slow; /* moving averages of the levels in learnt clauses */
  uint64_t restart_at, reduce_at, mode_at;
  uint64_t terms, reductions, modes;
  uint32_t longest; /* trail without conflict in this mode */
  bool steady;      /* few restarts */
  uint32_t
      fixed_before; /* literals of level 0 when clauses were last deleted */
  SatStatistics counts;
};

/* The level of what is assigned now: decisions that hold. */
static inline uint32_t sat_level(const Sat *sat) {
  return sat->levels.count;
}

static inline uint32_t *sat_mark(Sat *sat, uint32_t clause) {
  return &sat->clauses.data[clause - 2];
}

static inline uint32_t sat_size(const Sat *sat, uint32_t clause) {
  return sat->clauses.data[clause - 1];
}

/* ---- sat.c ---- */

void sat_assign(Sat *sat, SatLiteral literal, uint32_t reason);
/* Takes back what was assigned above a level. Variables that may be branched on
   return to the heap. */
void sat_go_back(Sat *sat, uint32_t level);
/* Adds a clause of two or more literals and returns it. */
uint32_t sat_store(Sat *sat, const SatLiteral *literals, uint32_t count,
                   uint32_t mark);
/* Puts a clause into the watch lists of its first two literals. */
void sat_attach(Sat *sat, uint32_t clause);

/* ---- the others ---- */

/* A variable whose activity at this place has grown rises. */
void sat_heap_rise(Sat *sat, uint32_t place);
void sat_heap_add(Sat *sat, uint32_t variable); /* unless it is in it */
uint32_t sat_heap_take(Sat *sat);               /* the most active */
void sat_heap_clear(Sat *sat);

/* Learns a clause from a conflict, goes back to where it asserts a literal, and
   assigns that. */
void sat_learn(Sat *sat, uint32_t conflict);
/* Deletes what level 0 satisfies and the worse half of the learnt clauses; at
   level 0, where no reason is lost. */
void sat_reduce(Sat *sat);

#endif
