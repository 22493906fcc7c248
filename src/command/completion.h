/* Scripts that complete command lines in a shell. */
#ifndef TAFL_COMMAND_COMPLETION_H
#define TAFL_COMMAND_COMPLETION_H

#include <stdbool.h>

/* Prints the script for bash, zsh or fish. Returns false, after printing an
   error, if the shell is none of them. */
bool completion_print(const char *shell);

#endif
