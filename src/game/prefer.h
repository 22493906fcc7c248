/* Wide playouts that capture where they can: FAST's rule for piece types
   (Finnsson and Björnsson 2010, section 3.4: captures get their score, other
   moves -100) as a net in which other moves are legal only where the role has
   no capture. */
#ifndef TAFL_GAME_PREFER_H
#define TAFL_GAME_PREFER_H

#include "game/features.h"

/* Makes `preferring`. Returns false, and makes nothing, if the game has no
   pieces of several types that moves could capture. */
bool prefer_captures(const Net *net, const Features *features, Net *preferring);

#endif
