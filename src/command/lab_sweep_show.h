/* The results of a sweep: as text, Markdown, CSV or JSON, and as a picture. */
#ifndef TAFL_COMMAND_LAB_SWEEP_SHOW_H
#define TAFL_COMMAND_LAB_SWEEP_SHOW_H

#include "lab/sweep.h"

/* What a score is: "win rate in %", or "mean goal" if all games have one role.
 */
const char *lab_sweep_measure(const Sweep *sweep);
/* Appends them as --format asks; a verdict stands below tables. */
void lab_sweep_write(const Sweep *sweep, const SweepResult *result,
                     const char *format, Text *text);
/* One setting of numbers is a chart of lines, one for each game and their mean;
   one of words a forest plot; two settings are a heat map of means. */
void lab_sweep_draw(const Sweep *sweep, const SweepResult *result, Text *svg);

#endif
