/* Help on the command line. */
#ifndef TAFL_COMMAND_HELP_H
#define TAFL_COMMAND_HELP_H

#include "options.h"

void help_print(void); /* of the program */
void help_print_verb(int verb);
/* Prints that there is no such verb, and returns the exit code. */
int help_refuse(const char *word);

#endif
