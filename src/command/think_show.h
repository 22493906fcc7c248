/* How tafl think shows what an agent found: a table, rewritten in place while
   it thinks if stdout is a terminal, or JSON. */
#ifndef TAFL_COMMAND_THINK_SHOW_H
#define TAFL_COMMAND_THINK_SHOW_H

#include "agent/agent.h"
#include "cluster/crew.h"
#include "game/boards.h"
#include "options.h"

typedef struct ThinkShow {
  const Options *options;
  const char *agent; /* as it was written */
  bool live;         /* a terminal */
  BoardsStyle style; /* of the terminal */
  uint32_t drawn;    /* lines of the table that are on the screen */
  Crew *crew;        /* that helps; NULL: nobody does */
} ThinkShow;

/* Begins with the board, if there is a terminal large enough; `boards` may be
   NULL. The game is at the position. */
void think_show_init(ThinkShow *show, const Options *options, Game *game,
                     Boards *boards);
AgentWatch think_show_progress; /* its context is the ThinkShow */
void think_show_result(ThinkShow *show, Agent *agent);
/* Shows the goals of a terminal position. */
void think_show_over(const Options *options, Game *game);

#endif
