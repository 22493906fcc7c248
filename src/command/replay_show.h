/* A recorded match as text. */
#ifndef TAFL_COMMAND_REPLAY_SHOW_H
#define TAFL_COMMAND_REPLAY_SHOW_H

#include "engine/moves.h"
#include "game/boards.h"
#include "match/record.h"

typedef struct Replay {
  Record record;
  Game *game; /* at the state after `at` steps */
  Boards *boards;
  BoardsStyle style;
  MoveVector joints; /* by step and role; all are legal */
  uint32_t steps, at;
} Replay;

void replay_show_go(Replay *replay, uint32_t step);

/* Append lines of text: what the match is; the state with the step that led to
   it, and at the end the result. The board gets `height` lines, 0: any. */
void replay_show_match(const Replay *replay, Text *text);
void replay_show_step(Replay *replay, uint32_t height, Text *text);

#endif
