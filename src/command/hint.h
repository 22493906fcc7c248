/* A suggestion for a person, by random games. */
#ifndef TAFL_COMMAND_HINT_H
#define TAFL_COMMAND_HINT_H

#include "base/random.h"
#include "command/menu.h"

/* Prints the move of the menu after which random games score best for the role.
 */
void hint_give(Game *game, uint32_t role, const Menu *menu, Random *random);

#endif
