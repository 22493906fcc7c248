/* How often agents keep the value of positions that are solved. */
#ifndef TAFL_COMMAND_ACCURACY_H
#define TAFL_COMMAND_ACCURACY_H

#include "command/command.h"

/* Sums over the questions of one game, or of all. */
typedef struct AccuracyCount {
  uint64_t asked, right;
  uint64_t valued;    /* questions after which the agent reported a value */
  double error, bias; /* sums of |reported - exact|, and of the difference */
} AccuracyCount;

/* Of the same questions: what only one of two agents got right. */
typedef struct AccuracyPair {
  uint64_t first, second;
} AccuracyPair;

typedef struct AccuracyGame {
  const char *name;
  uint32_t positions;
  AccuracyCount *counts; /* by agent */
  AccuracyPair *pairs;   /* by pair of agents: 0-1, 0-2, …, 1-2, … */
} AccuracyGame;

/* tafl bench --accuracy [FILE...] */
int accuracy_run(const Options *options);

/* Print what is the same for all games, one game, and the end (accuracy_show).
 */
void accuracy_show_head(const Options *options, const AgentSpecs *agents);
void accuracy_show_game(const Options *options, const AgentSpecs *agents,
                        const AccuracyGame *game);
void accuracy_show_pairs(const Options *options, const AgentSpecs *agents,
                         const AccuracyGame *games, uint32_t count);

#endif
