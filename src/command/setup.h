/* The position that a verb is asked about: --state, then --moves. */
#ifndef TAFL_COMMAND_SETUP_H
#define TAFL_COMMAND_SETUP_H

#include "engine/game.h"
#include "options.h"

/* Reads the terms of a text such as "(mark 1 1) noop noop (mark 2 2)", one move
   for each role in turn. Returns false, after printing what is wrong, if it is
   not a list of ground terms of that length. */
bool setup_read_moves(Description *description, const char *moves,
                      TermVector *script);

/* Brings a game in its initial state to the position. Returns false, after
   printing what is wrong with its place, if there is no such position; if the
   engine has failed, it prints nothing. */
bool setup_enter(const Options *options, Game *game);

#endif
