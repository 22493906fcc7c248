/* Games by name: NAME is the file NAME.kif in one of the directories of games.
   Tables of the papers are found in the same way: NAME.json in ./tables, in the
   user's data directory, and in what belongs to the program. */
#ifndef TAFL_COMMAND_FIND_H
#define TAFL_COMMAND_FIND_H

#include "base/text.h"
#include "options.h"

/* Directories of games, in the order in which names are looked for: those of
   --games-path (or $TAFL_GAMES), ./games, the user's data directory, and what
   belongs to the program: the installed share, or games/ of the source tree
   that it was built in. Some may not exist; none is listed twice. */
void find_directories(const Options *options, TextVector *list);
/* Names of the games in a directory, sorted. */
void find_names(const char *directory, TextVector *names);

/* Sets `path` to the file that an argument means. What is a file, and what
   contains a slash, is taken as it is. A name is looked for as it is written,
   then without regard to case, hyphens and underscores. Returns false if there
   is no such game. */
bool find_game(const Options *options, const char *name, Text *path);
/* Replaces names of games among the arguments by their files, which are kept in
   `paths`. Names that are not found stay. */
void find_arguments(Options *options, int verb, TextVector *paths);
/* Sets `text` to the message for a name that was not found: where it was looked
   for, and what may have been meant. Returns false if it cannot be a name. */
bool find_explain(const Options *options, const char *name, Text *text);

/* The same for tables. Returns false and sets `error` if there is none. */
bool find_table(const char *name, Text *path, Text *error);
/* The files of all tables; of those with one name the one that find_table would
   take. */
void find_tables(TextVector *paths);

#endif
