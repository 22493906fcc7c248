/* What the terminal can show. */
#ifndef TAFL_COMMAND_STYLE_H
#define TAFL_COMMAND_STYLE_H

#include "game/boards.h"

/* What the terminal at stdout can show: size (80x24 if unknown), colour (a
   terminal, TERM is not dumb, NO_COLOR is not set or empty), UTF-8 by the
   locale (LC_ALL, LC_CTYPE, LANG). */
BoardsStyle style_of_terminal(void);

#endif
