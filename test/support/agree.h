/* All engines on one game: the rules engine plays random games and everything
   it says is kept as a record; the others must say the same. On the net as it
   was built and on the reduced one, the slow evaluation and the scalar engine
   walk the recorded games, forth and back, and the wide step takes all of them
   at once. */
#ifndef TAFL_TEST_SUPPORT_AGREE_H
#define TAFL_TEST_SUPPORT_AGREE_H

#include "support/agree_record.h"
#include "support/agree_wide.h"

typedef enum { AGREE_SAME, AGREE_DIFFERENT, AGREE_NOT_GROUND } AgreeResult;

bool agree_walk(const AgreeCheck *check, Game *game);

/* Do all engines agree on a valid description? `why` gets the first difference
   or why the rules cannot be ground; `states` how many were compared. */
AgreeResult agree_check(Description *description, const AgreeBudget *budget,
                        uint32_t *states, Text *why);

#endif
