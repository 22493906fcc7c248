/* Compares the wide step with a record: all its states, then all its pairs of
   state and joint move, at once, for several instruction sets and widths. */
#ifndef TAFL_TEST_SUPPORT_AGREE_WIDE_H
#define TAFL_TEST_SUPPORT_AGREE_WIDE_H

#include "support/agree_record.h"
#include "wide/expand.h"
#include "wide/lanes.h"

enum { AGREE_MODES = 15 }; /* instruction sets and widths */

/* Compares as many modes as the budget has gates for, `least` at least; modes
   that this machine lacks are skipped. */
bool agree_wide(AgreeCheck *check, const char *name, uint32_t least,
                const AgreeBudget *budget);

#endif
