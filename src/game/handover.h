/* A net on its way to another thread. Whoever makes the net of a large game
   offers it as it was built; the other thread copies it, into terms of its own,
   and plays while the net is reduced and compiled. After that the two share
   nothing.

   Both sides close the handover when they are done with it, even if nothing was
   handed over; the second close frees it. */
#ifndef TAFL_GAME_HANDOVER_H
#define TAFL_GAME_HANDOVER_H

#include "net/net.h"

typedef struct Handover Handover;

Handover *handover_new(void);
/* Returns when the net has been copied, or at once if the other side has closed
   or something was offered before. */
void handover_offer(Handover *handover, const Net *net, const Terms *terms);
/* Waits for an offer and copies it. Returns false if the other side closed
   without one. */
bool handover_take(Handover *handover, Net *net, Terms *terms);
void handover_close(Handover *handover);

#endif
