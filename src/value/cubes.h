/* The conjunctions of fluents that make a signal of a net true, as far as they
   are short and few: the signal is written as a disjunction of them. */
#ifndef TAFL_VALUE_CUBES_H
#define TAFL_VALUE_CUBES_H

#include "net/net.h"

enum {
  CUBES_LONGEST = 16, /* literals */
  CUBES_LOCAL = 64,   /* that one conjunction of the net may expand to */
  CUBES_DEEPEST = 24, /* nesting of gates in one conjunction */
  CUBES_WORK = 500000
};

typedef struct Cube {
  uint32_t count;
  Signal literals[CUBES_LONGEST]; /* of fluents, sorted */
} Cube;
typedef VECTOR(Cube) Cubes;

typedef struct CubesFinder {
  const Net *net;
  Cubes found;    /* no two are equal */
  uint32_t limit; /* of `found`: then the search ends */
  uint64_t work;
  bool *visited; /* by signal */
  Map by_hash;   /* of `found` */
} CubesFinder;

void cubes_init(CubesFinder *finder, const Net *net, uint32_t limit);
void cubes_free(CubesFinder *finder);
/* Adds the conjunctions of two literals or more. A part of a conjunction that
   cannot be written so, because it is too large or recursive, is left out of
   it, and searched on its own. */
void cubes_find(CubesFinder *finder, Signal signal);

/* Returns false if the search ended before all were found. */
static inline bool cubes_complete(const CubesFinder *finder) {
  return finder->work < CUBES_WORK && finder->found.count < finder->limit;
}

#endif
