/* Proofs that some signals of a net are never true together, in a state that is
   not terminal, with one legal move for each role, given that certain groups of
   fluents have at most one, or at least one, true member. What is true
   initially and preserved by every step is always true (induction). */
#ifndef TAFL_ANALYSE_PROVER_H
#define TAFL_ANALYSE_PROVER_H

#include "net/net.h"

typedef struct Prover Prover;

/* `propagations` limits the work of one query, `seconds` that of all: later
   ones fail. They are nominal, counted in work, so that the same is proved on
   every machine, however busy. */
Prover *prover_new(const Net *net, uint64_t propagations, double seconds);
void prover_delete(Prover *prover);
/* Gives more time, in addition to what is left. */
void prover_add_seconds(Prover *prover, double seconds);

/* Adds an assumption about the current state: at most one of the fluents is
   true, or at least one is. Returns its number for prover_switch; it is off at
   first. */
uint32_t prover_add_assumption(Prover *prover, const uint32_t *fluents,
                               uint32_t count, bool at_least);
void prover_switch(Prover *prover, uint32_t assumption, bool on);

/* Prepares for queries about these signals, with the assumptions that are
   switched on now. */
void prover_focus(Prover *prover, const Signal *list, uint32_t count);
/* The same, but the state may be terminal. */
void prover_focus_anywhere(Prover *prover, const Signal *list, uint32_t count);
/* Returns a signal that can be true only if one of the list is; valid until the
   next focus. */
Signal prover_any(Prover *prover, const Signal *list, uint32_t count);
/* Returns true if the signals are proved never to be all true; false if they
   can be, or if that was not decided. */
bool prover_refutes(Prover *prover, const Signal *list, uint32_t count);
/* The same for any two of the list. */
bool prover_refutes_two(Prover *prover, const Signal *list, uint32_t count);

/* Focuses on both signals and returns whether they are proved never to be true
   together. */
bool prover_excludes(Prover *prover, Signal a, Signal b);

#endif
