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
#ifndef TAFL_GGP_CHRONICLE_H
#define TAFL_GGP_CHRONICLE_H

#include <jansson.h>

#include "agent/match.h"
#include "ggp/remote.h"

typedef struct ChronicleStart {
  const char *id;
  const char *game; /* its name */
  const Description *description;
  const AgentSpec *const *players; /* by role */
  RemoteClocks clocks;
  MatchOptions match;
  bool scramble;
  uint64_t seed;
} ChronicleStart;

typedef struct ChronicleTurn { /* one role's part of a step */
  Text move;
  Text error;     /* see Remote */
  double seconds; /* till the reply */
  bool searched;
  AgentWork work;
  double value, depth;
  uint32_t nodes;
  bool proven;
} ChronicleTurn;

typedef struct Chronicle {
  json_t *root;
  Text path, xml; /* files; empty: none is written */
  Text error;     /* why the last writing failed; empty: it did not */
} Chronicle;

void chronicle_init(Chronicle *record, const ChronicleStart *start);
/* False, with the reason in `error` and nothing to free, if the file cannot be
   read or is no record that a match can go on from. */
bool chronicle_read(Chronicle *record, const char *path, size_t limit,
                    Text *error);
void chronicle_free(Chronicle *record);

/* What is known of the match. */
const char *chronicle_id(const Chronicle *record);
const char *chronicle_game(const Chronicle *record);
const char *chronicle_rules(const Chronicle *record);
uint64_t chronicle_seed(const Chronicle *record);
uint32_t chronicle_roles(const Chronicle *record);
const char *chronicle_player(const Chronicle *record, uint32_t role);
void chronicle_options(const Chronicle *record, RemoteClocks *clocks,
                       MatchOptions *match, bool *scramble);
uint32_t chronicle_steps(const Chronicle *record);
bool chronicle_started(const Chronicle *record);   /* START is over */
bool chronicle_completed(const Chronicle *record); /* with goals */
void chronicle_move(const Chronicle *record, uint32_t step, uint32_t role,
                    Text *text);
/* Is the state the last one of the record? */
bool chronicle_has_state(const Chronicle *record, Game *game);

/* What happens. */
void chronicle_add_state(Chronicle *record, Game *game);
void chronicle_add_names(Chronicle *record, const Scramble *scramble);
void chronicle_add_start(Chronicle *record, const ChronicleTurn *turns);
void chronicle_add_step(Chronicle *record, const ChronicleTurn *turns,
                        Game *game);
void chronicle_end(Chronicle *record, const MatchResult *result);

/* Both files, as far as they are wanted; false, with the reason in `error`, and
   the old ones stay. */
bool chronicle_write(Chronicle *record);

#endif
