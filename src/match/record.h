/* The record of a match: JSON in the public format of GGP matches (matchId,
   startTime, states, moves, errors, goalValues …); our own keys begin with x-.

   It is written after every step, as a whole new file that then takes the old
   one's name, so that there is always a valid one. On disk there is one state
   more than joint moves, and as many lists of errors as states. The first list
   is that of START; if it is missing, START was not finished. Players go by the
   names that they gave in reply to INFO, or by x-players. If isAborted is true,
   HTTP players had ABORT.

     x-game        name and rules          x-seed        of random choices
     x-roles       names, in order         x-players     agents, by role
     x-options     budgets and limits      x-scrambled   the names players got
     x-start       by role: as in x-statistics
     x-statistics  by step and role: seconds, and the work of a search
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
  Text error;     /* the agent's fault */
  double seconds; /* until the answer */
  AgentWork work;
  AgentReport report;
} RecordTurn;

typedef struct Record {
  json_t *root;
  Text path, xml; /* files to write; empty: none */
  Text error;     /* why the last record_write failed; empty: it did not */
} Record;

void record_init(Record *record, const RecordStart *start);
/* Returns false and sets `error` if the file cannot be read or is not a record
   that a match can resume from; nothing to free then. */
bool record_read(Record *record, const char *path, size_t limit, Text *error);
/* The same for a record to look at, which others may have written: only the
   moves have to be there, and strings, numbers and rules may be missing. */
bool record_read_moves(Record *record, const char *path, size_t limit,
                       Text *error);
void record_free(Record *record);

/* What the record says about the match. Texts that are missing are "", and so
   are all texts of other types. */
const char *record_id(const Record *record);
const char *record_game(const Record *record);
const char *record_rules(const Record *record);
uint64_t record_seed(const Record *record);
uint32_t record_roles(const Record *record);
const char *record_player(const Record *record, uint32_t role);
void record_options(const Record *record, RemoteClocks *clocks,
                    MatchOptions *match, bool *scramble);
uint32_t record_steps(const Record *record);
bool record_started(const Record *record);   /* START was finished */
bool record_completed(const Record *record); /* with goals */
void record_move(const Record *record, uint32_t step, uint32_t role,
                 Text *text);
/* Fills in one role's part of a step, but not its move; of START before the
   first step (-1). Unknown seconds are -1. The caller frees the error. */
void record_turn(const Record *record, int64_t step, uint32_t role,
                 RecordTurn *turn);
double record_time(const Record *record); /* seconds since 1970; 0: unknown */
const char *record_how_ended(const Record *record); /* if not in a terminal */
bool record_aborted(const Record *record);          /* players had ABORT */
/* The name that an HTTP player gave itself; "" if there is none. */
const char *record_name(const Record *record, uint32_t role);
/* Returns true if the last state of the record is that of the game. */
bool record_has_state(const Record *record, Game *game);

/* What happens, as it happens. */
void record_set_name(Record *record, uint32_t role, const char *name);
void record_go_on(Record *record); /* it is no longer broken off */
void record_add_state(Record *record, Game *game);
void record_add_names(Record *record, const Scramble *scramble);
void record_add_start(Record *record, const RecordTurn *turns);
void record_add_step(Record *record, const RecordTurn *turns, Game *game);
void record_end(Record *record, const MatchResult *result);

/* A copy of a record elsewhere: `seen` is what it has. */
enum { RECORD_LISTS = 5 };

typedef struct RecordSeen {
  size_t counts[RECORD_LISTS]; /* of what grows: states, moves and so on */
  json_t *others;              /* everything else */
} RecordSeen;

void record_seen_init(RecordSeen *seen, const Record *record);
void record_seen_free(RecordSeen *seen);
/* Returns what the copy does not have yet, and takes it as seen. */
json_t *record_news(const Record *record, RecordSeen *seen);
void record_learn(Record *record, const json_t *news); /* on the other side */

/* Writes the files that are wanted. Returns false and sets `error` if that
   fails; the old files stay. */
bool record_write(Record *record);

#endif
