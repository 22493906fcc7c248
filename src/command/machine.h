/* The machine that the program runs on: processors, memory, graphics card. */
#ifndef TAFL_COMMAND_MACHINE_H
#define TAFL_COMMAND_MACHINE_H

#include <stdbool.h>

/* Prints a few lines, or JSON. */
void machine_print(bool json);

#endif
