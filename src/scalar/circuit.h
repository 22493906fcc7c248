/* A net for one state at a time, driven by events: an AND counts its inputs
   that are false, and only gates whose value changes tell their readers.

   A slot is a gate in the order of evaluation, and a bit. The first slots are
   the outputs: next, legal, terminal, goal, definitions of loop variables.
   Their bits are the outputs' values, kept up to date by the gates; an AND that
   is read by nobody and is one output is that output's slot. Then come fluents,
   loop variables and moves, then the other ANDs by region. Their bits are
   pending changes. A region is settled when it is asked for; until then its
   gates only count:


     base    what legal moves and the end depend on
     shared  what both goals and successor depend on, but not the base
     next    the rest of the successor; the only region that reads moves
     goal    the rest of the goals

   An AND may have one input as its guard, which it does not count. A guard
   knows which of its ANDs have all other inputs true, and when it changes it
   tells only them. So a change of the turn does not visit every move of the
   game. Guards, and outputs that are slots, took a state of breakthrough from
   1,800 to 740 ns and one of skirmish from 10,900 to 5,600. */
#ifndef TAFL_SCALAR_CIRCUIT_H
#define TAFL_SCALAR_CIRCUIT_H

#include "net/net.h"

typedef enum {
  REGION_BASE,
  REGION_SHARED,
  REGION_NEXT,
  REGION_GOAL,
  REGION_COUNT
} Region;

/* Who is told when the slot changes, in Circuit.readers:
   [first, negated)   ANDs that read it plainly
   [negated, outputs) ANDs that read it negated
   [outputs, guards)  output bits to toggle
   [guards, marks)    words of Circuit.ready it guards: word << 1 | negated
   [marks, end)       loops to mark: loop << 1 | the value that may shrink it;
                      `end` is the next slot's `first` */
typedef struct CircuitSlot {
  uint32_t first, negated, outputs, guards, marks;
} CircuitSlot;

/* The variables and ANDs of one recursive component. */
typedef struct CircuitLoop {
  uint32_t first, count; /* slots of its variables */
  bool touched;          /* something it reads changed */
  bool shrinks;          /* in a way that may take something away */
} CircuitLoop;

/* A run of words of slots; `loop` is brought to its fixpoint after them. */
typedef struct CircuitSegment {
  uint32_t first, end;
  uint32_t loop; /* from 1; 0: none */
} CircuitSegment;

typedef struct Circuit {
  uint32_t slot_count;
  CircuitSlot *slots; /* and one more for the end */
  uint32_t *readers;
  uint32_t *counts;  /* false inputs; of a fluent, variable, move: 0 true, 1
                        false */
  uint64_t *bits;    /* by slot */
  uint32_t *guarded; /* by slot: its bit in `ready`; 0: it has no guard */
  uint64_t *ready;   /* ANDs whose count is 0, by guard; word 0 is unused */
  bool *open;        /* by word of `ready`: the guard is true; [0] is */
  uint32_t *members; /* by bit of `ready`: the slot */
  uint32_t ready_words;
  uint32_t first_fluent, first_loop, first_move; /* slots */
  uint32_t terminal_bit, goal_bit, definition_bit;
  uint32_t *legal_word; /* by role and one more: words of legal moves */
  VECTOR(CircuitSegment) segments;
  uint32_t region_first[REGION_COUNT + 1]; /* segments */
  bool settled[REGION_COUNT]; /* nothing it depends on was flipped since */
  VECTOR(CircuitLoop) loops;
} Circuit;

/* All fluents and moves are false and everything is settled. The first bits are
   `next`, one for each fluent. */
void circuit_init(Circuit *circuit, const Net *net);
void circuit_free(Circuit *circuit);

/* Changes the value of a fluent or move. */
void circuit_flip_fluent(Circuit *circuit, uint32_t fluent);
void circuit_flip_move(Circuit *circuit, uint32_t move);
/* Brings the outputs of the region, and of what it depends on, up to date. */
void circuit_settle(Circuit *circuit, Region region);

static inline bool circuit_output(const Circuit *circuit, uint32_t bit) {
  return circuit->bits[bit >> 6] >> (bit & 63) & 1;
}

#endif
