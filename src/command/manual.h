/* The manual page, with the macros of man(7). */
#ifndef TAFL_COMMAND_MANUAL_H
#define TAFL_COMMAND_MANUAL_H

void manual_print(void);

#endif
