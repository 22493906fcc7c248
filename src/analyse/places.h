/* Boards: functors whose facts say what stands on a place, (cell x y piece),
   with the values of each argument in their order; and moves that name places
   of a board, (move x y x y) or (mark x y). For features over squares and
   pieces, and for drawing. */
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

typedef struct Board {
  Symbol functor;
  uint32_t arity, fluents;
  uint32_t place;       /* arguments that name the place, as bits */
  uint32_t place_count; /* places that occur */
  uint32_t piece;       /* arguments that say what stands there, as bits; 0: the
                           fact is that something does */
  Evidence single;      /* at most one fact holds of a place */
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
  uint32_t from, to; /* the arguments where a place begins; no_argument */
  uint64_t made;     /* moves seen */
  uint64_t from_changed, to_changed; /* what stands there changed */
} MoveShape;

typedef struct Places {
  VECTOR(Board) boards;
  VECTOR(MoveShape) shapes;
  uint32_t *shape_of;    /* by move */
  uint32_t *place_of[2]; /* by move, from and to: place + 1; 0: none */
  NumberVector fluents;  /* by place */
  NumberVector first;    /* by place and one more: where its fluents begin */
} Places;

void places_init(Places *places, const Description *description, const Net *net,
                 const OneHot *onehot);
void places_free(Places *places);
/* Count what moves change. */
void places_look(Places *places, const Sample *sample);
/* The groups may have been proved since. */
void places_take_evidence(Places *places, const OneHot *onehot, const Net *net,
                          const Terms *terms);
/* Drop places that moves leave alone. */
void places_conclude(Places *places);

#endif
