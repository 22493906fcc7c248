/* Proofs about a net: that some signals are never true together, in a state
   that is not terminal, with one legal move for each role, given that certain
   groups of fluents have at most one, or at least one, true member. What holds
   at the beginning and is proved to be kept by every step holds always
   (induction). */
#ifndef TAFL_ANALYSE_PROVER_H
#define TAFL_ANALYSE_PROVER_H

#include "net/net.h"

typedef struct Prover Prover;

/* A question takes at most so many propagations; none is answered after the
   deadline (base/clock.h). */
Prover *prover_new(const Net *net, uint64_t propagations, double deadline);
void prover_delete(Prover *prover);
void prover_set_deadline(Prover *prover, double deadline);

/* What may be assumed of the state at hand: at most one of the fluents is true,
   or at least one. The number to switch it on and off by; it begins off. */
uint32_t prover_add_assumption(Prover *prover, const uint32_t *fluents,
                               uint32_t count, bool at_least);
void prover_switch(Prover *prover, uint32_t assumption, bool on);

/* Prepare for questions about these signals and what they depend on; it looks
   at the switches. */
void prover_focus(Prover *prover, const Signal *list, uint32_t count);
/* The same, but the state may be terminal. */
void prover_focus_anywhere(Prover *prover, const Signal *list, uint32_t count);
/* A signal that can only be true if one of the list is; until the next focus.
 */
Signal prover_any(Prover *prover, const Signal *list, uint32_t count);
/* Never all true. False: they may be, or it could not be decided. */
bool prover_refutes(Prover *prover, const Signal *list, uint32_t count);
/* Never two of the list true. */
bool prover_refutes_two(Prover *prover, const Signal *list, uint32_t count);

/* Focus and ask at once: is `a` never true together with `b`? */
bool prover_excludes(Prover *prover, Signal a, Signal b);

#endif
