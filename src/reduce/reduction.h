/* The reductions, each in a file of its own name. A reduction makes a new net
   with the same inputs and outputs in the same order; `out` is initialised by
   it.

   Some know more than the circuit alone: that each role does exactly one move,
   that play begins in the initial state, that only legal moves are made and
   none in a terminal state. The new net agrees with the old one wherever that
   is so. */
#ifndef TAFL_REDUCE_REDUCTION_H
#define TAFL_REDUCE_REDUCTION_H

#include "net/net.h"

typedef struct ReduceOptions {
  double seconds; /* no further pass begins after that; nominal, counted in
                     work; 0: no limit */
  bool legal;     /* only legal moves are made, in states that are not
                     terminal */
} ReduceOptions;

typedef void Reduction(const Net *in, Net *out, const ReduceOptions *options);

/* Drops inputs that the other inputs of their AND imply or decide, and clauses
   that others imply; a AND b OR a AND NOT b = a. If `legal`, a move that is
   done was legal in a state that was not terminal. */
Reduction reduce_absorb;
/* Replaces gates that have one value in every state that moves, legal or not,
   can reach from the initial one. */
Reduction reduce_constant;
/* Leaves out gates that no output depends on. */
Reduction reduce_dead;
/* ab OR ac = a(b OR c), where ab and ac are read nowhere else. */
Reduction reduce_distribute;
/* Reads one fluent for all that are always equal to it, or always different. */
Reduction reduce_equal;
/* Two moves of a role, all of them, all but a few; if `legal`, also of all
   roles that take turns. */
Reduction reduce_exclusive;
/* Makes an AND of inputs that many ANDs have in common. */
Reduction reduce_factor;
/* Where a role does a move in exactly the states in which some signal is true,
   reads the signal instead of the move. Holds for legal moves only. */
Reduction reduce_forced;
/* Makes a legal move that needs what another one needs, and one thing more,
   from that one. Not among those of reduce_net: it is for nets in which the
   other uses of its inputs are gone. */
Reduction reduce_lines;
/* Lets ORs of products of a move and a condition share selections. */
Reduction reduce_select;
/* Makes an AND that is read once, by an AND, part of it. */
Reduction reduce_single_use;

#endif
