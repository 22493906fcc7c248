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
int command_think(const Options *options);
int command_solve(const Options *options);
int command_match(const Options *options);
int command_tour(const Options *options);
int command_train(const Options *options);
int command_lab(const Options *options);
int command_replay(const Options *options);
int command_serve(const Options *options);
int command_worker(const Options *options);
int command_ping(const Options *options);
int command_agents(const Options *options);
int command_games(const Options *options);
int command_help(const Options *options);

/* ---- what they share (open.c) ---- */

/* Reads and checks a game. Returns false, after printing why to stderr, if the
   file cannot be read. Names of games among the arguments are files by now:
   command/find.h. */
bool open_read(const Options *options, const char *path,
               Description *description);
/* Reads a game for a verb that plays it. Returns false, after printing what is
   wrong to stderr, if it cannot be read or is not valid, or the directory of
   --knowledge cannot be used: exit with EXIT_INPUT. */
bool open_description(const Options *options, const char *path,
                      Description *description);

/* Begins the time of --limit for one game, `standard` seconds if the option is
   not given (0: no limit). Books that are made after this keep to it. */
void open_begin(const Options *options, double standard);
/* Has the handler called with SIGALRM when the limit is reached. */
void open_alarm(void (*handler)(int));
/* Returns true, after printing the task that used it up, if the time of
   open_begin is over: exit with EXIT_LIMIT. */
bool open_late(const Book *book);

/* The directory of --knowledge, or NULL if there is none; the same string at
   every call. */
const char *open_knowledge(const Options *options);
/* Returns false, after printing why to stderr, if that directory cannot be
   used; open_description asks it too. */
bool open_knowledge_check(const Options *options);

BookLimits open_limits(const Options *options);
/* Makes the book for the engine that the options ask for. Returns false, after
   printing why to stderr, if that is not possible: exit with EXIT_LIMIT. */
bool open_book(const Options *options, Description *description, Book *book);
/* The same for a verb that needs the net, whatever the engine. */
bool open_net(const Options *options, Description *description, Book *book);
/* Sets `role` to the one that --role names, if it does. Returns false, after
   printing all roles, if there is no such role: exit with EXIT_USAGE. */
bool open_role(const Options *options, const Game *game, uint32_t *role);
/* Returns whether --tune says what a kernel can be; if not, says why: exit with
   EXIT_USAGE. */
bool open_tune(const Options *options);
/* The options with --seconds, or `standard` if there are none. */
Options open_seconds(const Options *options, double standard);
/* For each move of an agent: what the options say, or else a second. */
Budget open_budget(const Options *options);
/* Before the first move. */
Budget open_start_budget(const Options *options);
/* Deletes the game. Returns EXIT_LIMIT, after printing the error, if it has
   failed, and else EXIT_FINE. */
int open_finish(const Options *options, Game *game);
/* The same for a verb that has called open_begin. */
int open_end(const Options *options, const Book *book, Game *game);

/* A JSON string of any bytes; those that are not UTF-8 become '?'. */
json_t *open_json_text(const char *text);

#endif
