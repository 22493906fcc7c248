/* The verbs of the command line. Each gets the parsed options and returns the
   program's exit code. */
#ifndef TAFL_COMMAND_COMMAND_H
#define TAFL_COMMAND_COMMAND_H

#include <jansson.h>

#include "agent/spec.h"
#include "options.h"

int command_check(const Options *options);
int command_info(const Options *options);
int command_dump(const Options *options);
int command_perft(const Options *options);
int command_trace(const Options *options);
int command_bench(const Options *options);
int command_play(const Options *options);
int command_match(const Options *options);
int command_serve(const Options *options);
int command_ping(const Options *options);
int command_agents(const Options *options);

/* ---- what they share (open.c) ---- */

/* Read a game for a verb that plays it. False, after showing what is wrong on
   stderr, if it cannot be read or is not valid: exit with EXIT_INPUT. */
bool open_description(const Options *options, const char *path,
                      Description *description);
/* The engine that the options ask for; NULL, after saying why on stderr, if it
   cannot be had: exit with EXIT_LIMIT. `why`, unless NULL, gets the reason why
   another engine had to be taken. */
Game *open_engine(const Options *options, Description *description, Text *why);
BookLimits open_limits(const Options *options);
/* What agents share, for the engine that the options ask for. False, after
   saying why on stderr, if it cannot be had: exit with EXIT_LIMIT. */
bool open_book(const Options *options, Description *description, Book *book);
/* For each move of an agent: what the options say, else a second. */
Budget open_budget(const Options *options);
/* Before the first move. */
Budget open_start_budget(const Options *options);
/* After the work: tell of a failed game and return EXIT_LIMIT, or EXIT_FINE. */
int close_engine(const Options *options, Game *game);

/* A JSON string of any bytes: those that are no UTF-8 become '?'. */
json_t *open_json_text(const char *text);

#endif
