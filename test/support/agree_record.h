/* Random games of the rules engine, with everything it says about each state,
   as the measure for other engines.

   A record is a list of states. Each has sections of terms, in order: its
   facts, the goals of each role, the legal moves of each role; section s of
   state i is terms[first[i * sections + s] …), sorted. Legal moves of
   terminal states are left out: reduced nets need not know them. */
#ifndef TAFL_TEST_SUPPORT_AGREE_RECORD_H
#define TAFL_TEST_SUPPORT_AGREE_RECORD_H

#include "base/clock.h"
#include "base/random.h"
#include "game/book.h"
#include "support/compare.h"

typedef struct AgreeBudget {
  BookLimits load;
  uint64_t seed;
  uint32_t games, steps;
  double seconds;      /* for the games of the rules engine; 0: no limit */
  uint64_t gates;      /* for wide programs of each net; the reduced net
                          gets at least two modes */
  uint32_t first_mode; /* of the wide modes; the others follow in order */
} AgreeBudget;

typedef struct AgreeState {
  bool terminal;
  bool begins; /* a game's first state */
  bool moves;  /* the next state is its successor by the joint move */
} AgreeState;

typedef struct AgreeRecord {
  const Terms *terms_of;
  uint32_t roles, sections;
  VECTOR(AgreeState) states;
  NumberVector first; /* of each section, and the end */
  TermVector terms;
  TermVector joints; /* by state and role */
} AgreeRecord;

/* What is being checked. */
typedef struct AgreeCheck {
  const AgreeRecord *record;
  const char *engine; /* name of the engine under test */
  const Net *net;
  Text *why; /* the first difference, or empty */
} AgreeCheck;

/* Replaces `answer` by what the engine says of the section. */
void agree_ask(Game *game, uint32_t section, TermVector *answer);
const Term *agree_section(const AgreeRecord *record, uint32_t state,
                          uint32_t section, uint32_t *count);

/* Begins a message: "step 3, scalar: legal of role 1: missing (mark 1 1), too
 * much noop" */
void agree_write_place(const AgreeCheck *check, uint32_t state,
                       uint32_t section);

/* Returns false and says why if the sorted terms are not those of the record.
 */
bool agree_compare(const AgreeCheck *check, uint32_t state, uint32_t section,
                   const TermVector *got);

void agree_record_init(AgreeRecord *record, Description *description,
                       const AgreeBudget *budget);
void agree_record_free(AgreeRecord *record);

#endif
