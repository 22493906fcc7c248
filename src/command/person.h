/* People at the terminal as agents: each is shown the state and a numbered menu
   of moves, and types a choice. The Terminal is what the people of one match
   share; what they say beside moves goes there. */
#ifndef TAFL_COMMAND_PERSON_H
#define TAFL_COMMAND_PERSON_H

#include <stdatomic.h>

#include "agent/spec.h"
#include "base/random.h"
#include "game/board.h"

typedef struct Terminal {
  atomic_bool *stop; /* set when somebody quits; ends the asking if set */
  bool undo;         /* somebody wants to take back a move */
  uint32_t turns;    /* that can be taken back */
  const char *final; /* says why nothing can be; NULL: see `turns` */

  Boards *boards;
  Random random; /* of hints */
  Text why;      /* what agents thought last */
  Text learned;  /* what they have learned */
  uint32_t people;
  bool human[RULE_ROLES]; /* by role */
  bool begun;             /* a joint move was made */
  bool drawn;             /* the state is on the screen, its moves are not */
  bool stale;             /* `why` is about an earlier state */
} Terminal;

/* For one match. */
void terminal_open(Terminal *terminal, Description *description, uint64_t seed,
                   atomic_bool *stop);
void terminal_close(Terminal *terminal);
/* Draws the state unless it is on the screen already. */
void terminal_draw(Terminal *terminal, Game *game);

/* For PartyOptions, with the terminal as context: makes a person, and shows
   people what others did. */
Agent *person_new(void *terminal, Book *book, uint32_t role);
void person_saw_start(void *terminal, Agent *agent, const AgentSpec *spec);
void person_saw_answer(void *terminal, Agent *agent, const AgentSpec *spec);

#endif
