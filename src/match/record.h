/* The record of a match: JSON in the public match format of the field (matchId,
   startTime, states, moves, errors, goalValues …); what is ours has keys that
   begin with x-.

   It is written as the match goes: a whole new file each time, which then takes
   the old one's name, so that there is always a valid one. On disk there is one
   state more than there are joint moves, and as many lists of errors as states,
   the first being those of START; without that one START was not over.

     x-game        name and rules          x-seed        of random choices
     x-roles       names, in order         x-players     who they are, by role
     x-options     budgets and limits      x-scrambled   names as they were told
     x-start       by role, what x-statistics has of moves
     x-statistics  by step and role: seconds, and what a search did
     x-end         how it ended, if not in a terminal state */
#ifndef TAFL_MATCH_RECORD_H
#define TAFL_MATCH_RECORD_H

#include <jansson.h>

#include "match/match.h"
#include "match/remote.h"

typedef struct RecordStart {
  const char *id;
  const char *game; /* its name */
  const Description *description;
  const AgentSpec *const *players; /* by role */
  RemoteClocks clocks;
  MatchOptions match;
  bool scramble;
  uint64_t seed;
} RecordStart;

typedef struct RecordTurn { /* one role's part of a step */
  Text move;
  Text error;     /* Agent's fault */
  double seconds; /* until the answer */
  AgentWork work;
  AgentReport report;
} RecordTurn;

typedef struct Record {
  json_t *root;
  Text path, xml; /* files; empty: none is written */
  Text error;     /* why the last writing failed; empty: it did not */
} Record;

void record_init(Record *record, const RecordStart *start);
/* False, with the reason in `error` and nothing to free, if the file cannot be
   read or is no record that a match can go on from. */
bool record_read(Record *record, const char *path, size_t limit, Text *error);
void record_free(Record *record);

/* What is known of the match. */
const char *record_id(const Record *record);
const char *record_game(const Record *record);
const char *record_rules(const Record *record);
uint64_t record_seed(const Record *record);
uint32_t record_roles(const Record *record);
const char *record_player(const Record *record, uint32_t role);
void record_options(const Record *record, RemoteClocks *clocks,
                    MatchOptions *match, bool *scramble);
uint32_t record_steps(const Record *record);
bool record_started(const Record *record);   /* START is over */
bool record_completed(const Record *record); /* with goals */
void record_move(const Record *record, uint32_t step, uint32_t role,
                 Text *text);
/* Is the state the last one of the record? */
bool record_has_state(const Record *record, Game *game);

/* What happens. */
void record_add_state(Record *record, Game *game);
void record_add_names(Record *record, const Scramble *scramble);
void record_add_start(Record *record, const RecordTurn *turns);
void record_add_step(Record *record, const RecordTurn *turns, Game *game);
void record_end(Record *record, const MatchResult *result);

/* Both files, as far as they are wanted; false, with the reason in `error`, and
   the old ones stay. */
bool record_write(Record *record);

#endif
