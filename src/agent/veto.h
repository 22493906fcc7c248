/* What one mind has proved about the moves of a state, to overrule the other:
   a win is played, a lost move is not. The thread that thinks writes it, any
   thread may ask. */
#ifndef TAFL_AGENT_VETO_H
#define TAFL_AGENT_VETO_H

#include <stdatomic.h>

#include "agent/agent.h"

enum { VETO_MOVES = 256 }; /* lost ones, at most */

typedef struct Veto {
  atomic_uint count;
  atomic_uint lost[VETO_MOVES];
  atomic_bool won;
  atomic_uint better; /* to be played instead, or the winning move */
} Veto;

/* Before the state changes. */
void veto_clear(Veto *veto);
/* Takes the proofs of a report; goals of the role are from `least` to `most`.
 */
void veto_look(Veto *veto, const AgentReport *report, int least, int most);
/* Returns the move, or another one if that is proved to be better. */
Move veto_apply(const Veto *veto, Move move);

#endif
