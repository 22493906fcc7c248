/* What was measured of a table without the games themselves: the project's own
   figures, which come with the program as tables/figures/ID.json beside
   tables/ID.json. `tafl lab report` writes them:

     {
       "versions": {"0.1.0 (74208ef)": 60, …}   who played how many of the games
       "last":     "2026-11-16"                 when the last one ended
       "rows":     ["Othello", …], "columns": [ … ]   names, as in the table
       "figures":  [[{"value": 86.7, "interval": 17.1, "deviation": 34.6,
                      "games": 30}, …], …]      by row and column; null: not
                   played
     }

   `value` and `interval`, half of it, are our estimate; `deviation` is that of
   the games. The latter two are missing where they are not known, as with one
   game. `errors` and `cut` are games that failed or reached the step limit, if
   there are any. Unknown keys are errors, and so are names that are not those
   of the table: then it has changed since. */
#ifndef TAFL_LAB_DIGEST_H
#define TAFL_LAB_DIGEST_H

#include "lab/comparison.h"

enum { DIGEST_VERSIONS = 256, DIGEST_GAMES = 1000000000 }; /* at most */

/* Appends the path of the figures that belong to the table of this path. */
void digest_path(const char *table, Text *path);

/* Returns false and sets `error`, which begins with the path and has the place,
   if the file has no figures of the table; nothing to free then. The table is
   borrowed until comparison_free. The survey gets no series. */
bool digest_read(Comparison *comparison, Survey *survey, const Table *table,
                 const char *path, Text *error);
/* The same of a text; the path is for errors. */
bool digest_parse(Comparison *comparison, Survey *survey, const Table *table,
                  const char *path, const char *text, size_t length,
                  Text *error);
/* Appends the text of a file. Something was played. */
void digest_write(const Comparison *comparison, const Survey *survey,
                  Text *text);

#endif
