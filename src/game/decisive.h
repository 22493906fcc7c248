/* Wide playouts that win where they can and do not let the next role win at
   once: decisive and anti-decisive moves (Teytaud and Teytaud 2010) as a net in
   which other moves are legal only where there are none of these. */
#ifndef TAFL_GAME_DECISIVE_H
#define TAFL_GAME_DECISIVE_H

#include "analyse/analysis.h"

typedef enum {
  DECISIVE_NONE,
  DECISIVE_WIN,    /* a role that can win at once does */
  DECISIVE_DEFEND, /* no role lets the next one win, if it can help it */
  DECISIVE_BOTH,
  DECISIVE_KINDS
} Decisive;

/* Makes `deciding`, for one role, or two that take turns and whose goals add up
   to a constant. Returns false, and makes nothing, in other games, or if no
   move is decisive, the rules of winning are recursive, or the net would be far
   too large. */
bool decisive_moves(const Analysis *analysis, Decisive kind, Net *deciding);

#endif
