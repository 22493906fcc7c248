/* A table of a paper beside what was measured. */
#ifndef TAFL_COMMAND_LAB_SHOW_H
#define TAFL_COMMAND_LAB_SHOW_H

#include "lab/figure.h"
#include "options.h"

/* Prints it as --format asks. */
void lab_show_table(const Options *options, Results *results,
                    int64_t experiment, const Table *table);

#endif
