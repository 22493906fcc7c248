/* The first SIGINT or SIGTERM ends the work, so that what was found is not
   lost; a second one ends the program. */
#ifndef TAFL_COMMAND_INTERRUPT_H
#define TAFL_COMMAND_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Between these two signals are caught. */
void interrupt_catch(void);
void interrupt_release(void);
/* Set once a signal came; for Budget.stop. */
const atomic_bool *interrupt_flag(void);
bool interrupt_came(void);

#endif
