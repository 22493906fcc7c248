/* Somebody's plan, checked (tafl solve --plan). */
#ifndef TAFL_COMMAND_SOLVE_PLAN_H
#define TAFL_COMMAND_SOLVE_PLAN_H

#include "game/book.h"
#include "options.h"

/* Plays the plan from the game's state, and again by the rules engine, and
   prints its score, or the place of the first move that is wrong. Returns an
   exit code. */
int solve_plan_check(const Options *options, Book *book, Game *game);

#endif
