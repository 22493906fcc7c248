/* A recorded match on the screen, step by step, moved by keys. */
#ifndef TAFL_COMMAND_REPLAY_SCREEN_H
#define TAFL_COMMAND_REPLAY_SCREEN_H

#include "command/replay_show.h"

/* Returns true if both ends are a terminal. */
bool replay_screen_possible(void);
/* Shows the match until the person quits. */
void replay_screen_run(Replay *replay);

#endif
