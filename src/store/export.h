/* The database as text, for other programs and other databases.

   JSON: one object a line, with a "type".

     tafl        first: version of this format; the columns of moves
     game        name, hash and rules; before matches of the game
     experiment  kind, name, specification, when it was made, and its series
     match       game and hash, series (agents and budgets: lab/series.h),
   number in it, seed, version of the program, when, how it ended; "sides", one
   for each role, with all settings of the agent; "moves", lists of step, role,
   move and what was thought

   The order depends on what there is, not on when it came: two databases with
   the same content give the same text.

   CSV: one line for each side of a match. */
#ifndef TAFL_STORE_EXPORT_H
#define TAFL_STORE_EXPORT_H

#include <stdio.h>

#include "store/results.h"

enum { EXPORT_VERSION = 1 };

/* Names of experiments, all of their kinds; none: everything that there is.
   Returns false and sets `error` if there is no such experiment, or the store
   or the file fails. */
bool export_json(Results *results, const TextVector *experiments, FILE *file,
                 Text *error);
bool export_csv(Results *results, const TextVector *experiments, FILE *file,
                Text *error);

#endif
