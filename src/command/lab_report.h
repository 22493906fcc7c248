/* tafl lab report: docs/experiments.md, its charts and tables/figures, from the
   tables and what was played of them. */
#ifndef TAFL_COMMAND_LAB_REPORT_H
#define TAFL_COMMAND_LAB_REPORT_H

#include "options.h"

/* Writes the page to --out with the rest beside it, or prints it as JSON with
   --format json. Returns the exit code, after printing what went wrong. */
int lab_report_run(const Options *options);

#endif
