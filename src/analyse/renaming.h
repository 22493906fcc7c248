/* Renamings of the constants in a game's fluents, as candidates for its
   symmetries: (cell 2 3 b) becomes (cell 4 3 b) if the values of an argument
   are reversed, (cell 3 2 b) if two arguments are exchanged; or two values of
   an argument are exchanged. They come from the terms alone and say nothing
   about the rules. */
#ifndef TAFL_ANALYSE_RENAMING_H
#define TAFL_ANALYSE_RENAMING_H

#include "base/map.h"
#include "net/net.h"

/* Values are ranks: their places in the order of an argument's constants.
   Arguments with equally many constants are axes of the same size; the first
   such argument of a fluent is its axis 0. */
typedef struct Renaming {
  uint32_t size;    /* of the axes */
  uint32_t axes[2]; /* that are exchanged or reversed; or one axis twice */
  bool swap, flip[2];
  uint32_t lone; /* of fluents with one such axis: 0: it stays; 1, 2: it is
                    reversed if axes[lone - 1] is */
  bool exchange; /* not the above: ranks `rank` and `rank` + 1 of axes[0], */
  bool all;      /* or of all axes */
  uint32_t rank;
  uint32_t only; /* 0, or a family of fluents + 1: others stay */
} Renaming;

typedef struct RenamingFamily {
  Symbol functor;
  uint32_t arity, first; /* places */
} RenamingFamily;

typedef struct RenamingPlace {
  VECTOR(Term) values; /* in order */
} RenamingPlace;

typedef struct Renamings {
  const Net *net;                  /* borrowed, like the terms */
  VECTOR(RenamingFamily) families; /* of fluents with the same functor */
  VECTOR(RenamingPlace) places;    /* their arguments */
  NumberVector family;             /* by fluent, */
  NumberVector first;              /* and its arguments, in `ranks` */
  NumberVector ranks;
  Map map; /* of fluents + 1, by family and ranks */
  VECTOR(Renaming) list;
} Renamings;

void renaming_init(Renamings *renamings, const Net *net, const Terms *terms);
void renaming_free(Renamings *renamings);

/* Fills in what each fluent becomes. Returns false unless this is a permutation
   that leaves the state as it is (NULL: any state), and is not the identity. */
bool renaming_apply(const Renamings *renamings, uint32_t which,
                    const uint64_t *state, uint32_t *fluents);

#endif
