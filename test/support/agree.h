/* All engines on one game: the rules engine plays random games, everything it
   says is recorded, and the others must say the same. On the net as built and
   on the reduced net, plain evaluation and the scalar engine walk the recorded
   games forth and back, and the wide step takes all their states at once. */
#ifndef TAFL_TEST_SUPPORT_AGREE_H
#define TAFL_TEST_SUPPORT_AGREE_H

#include "support/agree_record.h"
#include "support/agree_wide.h"

typedef enum { AGREE_SAME, AGREE_DIFFERENT, AGREE_NOT_GROUND } AgreeResult;

/* Walks the recorded games; returns false and writes the first difference. */
bool agree_walk(const AgreeCheck *check, Game *game);

/* Checks whether all engines agree on a valid description. `why` gets the first
   difference, or why the rules cannot be ground, `states` the number compared.
 */
AgreeResult agree_check(Description *description, const AgreeBudget *budget,
                        uint32_t *states, Text *why);

#endif
