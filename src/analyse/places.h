/* Boards: functors whose facts say what is on a place, (cell x y piece), with
   the values of each argument in order; and moves that name places of a board,
   (move x y x y) or (mark x y). For features over squares and pieces, and for
   drawing. */
#ifndef TAFL_ANALYSE_PLACES_H
#define TAFL_ANALYSE_PLACES_H

#include "analyse/onehot.h"
#include "gdl/description.h"

enum { PLACES_ARGUMENTS = 8 };

typedef enum {
  PLACES_UNORDERED,
  PLACES_NUMBERS,
  PLACES_RULES,  /* a chain of facts such as (succ a b) */
  PLACES_LETTERS /* single letters, by the alphabet */
} PlacesOrder;

const char *places_order_name(PlacesOrder order);
/* Sorts the values; returns by what. */
PlacesOrder places_order(const Rules *rules, TermVector *values);

typedef struct Board {
  Symbol functor;
  uint32_t arity, fluents;
  uint32_t place;       /* arguments that name the place, as bits */
  uint32_t place_count; /* places that occur */
  uint32_t piece;       /* arguments that name the contents, as bits; 0: the
                           fact says only that something is there */
  Evidence single;      /* at most one fact about a place is true */
  TermVector values[PLACES_ARGUMENTS]; /* by argument, in order */
  PlacesOrder order[PLACES_ARGUMENTS];
} Board;

static const uint32_t no_argument = UINT32_MAX;

/* Moves of one role with one functor. */
typedef struct MoveShape {
  uint32_t role;
  Symbol functor;
  uint32_t arity, count;
  uint32_t board;    /* in Places.boards, if it names places */
  uint32_t from, to; /* argument at which the place begins, or no_argument */
  uint64_t made;     /* moves sampled, */
  uint64_t from_changed, to_changed; /* and those that changed the place */
} MoveShape;

typedef struct Places {
  VECTOR(Board) boards;
  VECTOR(MoveShape) shapes;
  uint32_t *shape_of;    /* by move */
  uint32_t *place_of[2]; /* by move, from and to: place + 1; 0: none */
  NumberVector fluents;  /* by place */
  NumberVector first;    /* by place: index in `fluents`; one more at the end */
} Places;

void places_init(Places *places, const Description *description, const Net *net,
                 const OneHot *onehot);
void places_free(Places *places);
/* Counts what the sampled moves change. */
void places_look(Places *places, const Sample *sample);
/* Updates `single` after the groups have been proved. */
void places_take_evidence(Places *places, const OneHot *onehot, const Net *net,
                          const Terms *terms);
/* Drops `from` and `to` where moves mostly change nothing. */
void places_conclude(Places *places);

#endif
