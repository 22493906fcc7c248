/* The parts of tafl lab: what its first word asks for. Each returns the exit
   code. */
#ifndef TAFL_COMMAND_LAB_H
#define TAFL_COMMAND_LAB_H

#include "lab/table.h"
#include "options.h"

int lab_list(const Options *options);
int lab_export(const Options *options);
int lab_import(const Options *options);
int lab_sweep(const Options *options);

/* Reads a table by its name, and changes it as the options ask: budget and seed
   (lab_changes). Returns false, after printing why, if there is none. */
bool lab_read(const Options *options, const char *name, Table *table);
/* Appends what the options change, as JSON: {} for the table as it is. It is
   the specification of the experiment. */
void lab_changes(const Options *options, Text *text);
/* The same for people: "20 states a move, seed 7"; nothing if nothing is. */
void lab_describe_changes(const Options *options, Text *text);

#endif
