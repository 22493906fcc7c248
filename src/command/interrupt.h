/* The first SIGINT or SIGTERM ends the work, so that what was found is not
   lost; a second one ends the program. So does the end of --limit, if that is
   asked for. */
#ifndef TAFL_COMMAND_INTERRUPT_H
#define TAFL_COMMAND_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Between these two signals are caught. */
void interrupt_catch(void);
void interrupt_release(void);
/* The limit of the game in work, if it has one, ends it, too. */
void interrupt_at_limit(void);
/* Set once a signal came, for Budget.stop; a person at the terminal who ends
   the work may set it, too. */
atomic_bool *interrupt_flag(void);
bool interrupt_came(void);
/* Returns true if the limit was reached. */
bool interrupt_late(void);

#endif
