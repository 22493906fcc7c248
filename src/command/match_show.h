/* What tafl match prints: games as they finish, progress, the summary. */
#ifndef TAFL_COMMAND_MATCH_SHOW_H
#define TAFL_COMMAND_MATCH_SHOW_H

#include "contest/contest.h"
#include "options.h"

typedef struct MatchShow {
  const Options *options;
  double start; /* when the contest began, by clock_now */
} MatchShow;

/* Prints a finished game, if wanted, and the progress. */
void match_show_game(const MatchShow *show, const Contest *contest,
                     const Fixture *game);
void match_show_summary(const MatchShow *show, const Contest *contest);

#endif
