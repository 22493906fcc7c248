/* tafl lab report: docs/experiments.md and its charts, from the tables and what
   was played of them. */
#ifndef TAFL_COMMAND_LAB_REPORT_H
#define TAFL_COMMAND_LAB_REPORT_H

#include "options.h"

/* Writes the page to --out, or prints it as JSON with --format json. Returns
   the exit code, after printing what went wrong. */
int lab_report_run(const Options *options);

#endif
