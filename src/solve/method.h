/* A way to solve puzzles. Each kind of method is a table of functions; a method
   is one of them at work on a puzzle, from the puzzle's state when it was made.
   A method belongs to one thread at a time. It works in slices that are counted
   in states, not in seconds, so that what it finds depends on the seed alone.

   Everything that a method allocates is in a scope of its own. If that is more
   than its share of memory, the method is given up and everything that it
   allocated is released (base/trial.h): a method need not count bytes, but one
   that can do with what it has should ask scope_left() and see to it. Pages of
   memory_pages_new are not counted and must be within `memory`, too. */
#ifndef TAFL_SOLVE_METHOD_H
#define TAFL_SOLVE_METHOD_H

#include "search/settings.h"
#include "solve/puzzle.h"

typedef struct Method Method;

/* A slice of work. */
typedef struct Slice {
  uint64_t states;         /* to expand, about; a batch more does not matter */
  double until;            /* clock_now to stop at; 0: none */
  const atomic_bool *stop; /* set by another thread; or NULL */
} Slice;

typedef enum {
  METHOD_WORKING, /* the slice is over */
  METHOD_DONE     /* there is nothing more that it could find */
} MethodStatus;

/* What a method is made for. */
typedef struct MethodTask {
  Puzzle *puzzle;
  uint64_t seed;
  size_t memory;            /* bytes that it may use */
  const Settings *settings; /* of the agent, for methods that search */
} MethodTask;

typedef struct MethodKind {
  const char *name, *origin, *help;
  /* States that take about 10 ms in a small puzzle: the length of a slice
     beside others. In larger puzzles the portfolio makes slices of fewer
     states, unless `steady`: what the method counts as a state always takes the
     same time. */
  uint64_t pace;
  bool steady;
  uint32_t weight; /* slices to one of others; 0: one */
  /* It makes stages of the book: it runs in the thread that thinks, outside a
     scope of its own. */
  bool home;
  bool usual; /* a member of every portfolio that is not told otherwise */
  /* Returns NULL if the method is not for this puzzle, which it should find out
     quickly. */
  Method *(*new)(const MethodTask *task);
  MethodStatus (*run)(Method *method, const Slice *slice);
  /* The best move of the puzzle's state where there is no plan; returns false
     if it has no opinion. May be NULL. */
  bool (*best)(Method *method, Move *move);
  /* Appends one line of text about its work: sizes, depths. May be NULL. */
  void (*explain)(Method *method, Text *text);
  void (*delete)(Method *method);
} MethodKind;

/* The first member of every method. */
struct Method {
  const MethodKind *kind;
  Puzzle *puzzle;
  uint64_t expanded;    /* states, for reports */
  uint64_t simulations; /* playouts, for reports */
};

/* Returns true if the slice is over. Reads the clock: call it every few hundred
   states. */
bool method_slice_over(const Slice *slice, uint64_t states);

/* Counts states that were expanded, and their successors. */
static inline void method_count(Method *method, uint64_t expanded,
                                uint64_t generated) {
  method->expanded += expanded;
  atomic_fetch_add_explicit(&method->puzzle->expanded, expanded,
                            memory_order_relaxed);
  atomic_fetch_add_explicit(&method->puzzle->generated, generated,
                            memory_order_relaxed);
}

#endif
