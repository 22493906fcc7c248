/* The players of one match that are asked over HTTP, all of them at once, as a
   game master of the field does it: what they are told, how long they have, and
   what their replies are worth. */
#ifndef TAFL_MATCH_REMOTE_H
#define TAFL_MATCH_REMOTE_H

#include <stdatomic.h>

#include "base/random.h"
#include "engine/game.h"
#include "match/scramble.h"

typedef struct RemoteClocks {
  double preview; /* 0: no PREVIEW is sent */
  double start, play;
  double grace; /* beyond the play clock before a reply is late */
} RemoteClocks;

typedef struct Remote {
  uint32_t role;
  const char *url;
  Text id; /* of the match; another one for each role at the same address */
  /* of the last message */
  Text reply;
  Text error; /* as match records have it: "" none, "TO" late, "IL text" no
                 legal move, "CE why" no connection */
  double seconds;
} Remote;

typedef struct Remotes {
  Game *game;
  RemoteClocks clocks;
  const atomic_bool *stop;
  Text id;
  Scramble scramble;
  VECTOR(Remote) list;
} Remotes;

/* Nobody yet. The game, in whose state moves are judged, is borrowed; `stop`,
   which ends all waiting, may be NULL. */
void remotes_init(Remotes *remotes, Game *game, const char *id,
                  const RemoteClocks *clocks, const atomic_bool *stop,
                  bool scramble, uint64_t seed);
void remotes_add(Remotes *remotes, uint32_t role, const char *url);
void remotes_free(Remotes *remotes);

void remotes_preview(Remotes *remotes);
void remotes_start(Remotes *remotes);
/* What was moved last, by role, in the game's own words; NULL: nothing yet. */
void remotes_play(Remotes *remotes, const Text *moves);
void remotes_stop(Remotes *remotes, const Text *moves);
void remotes_abort(Remotes *remotes);

/* After remotes_play: the move that the reply is, or else, with the error
   noted, one of the legal moves, of which there must be some, at random. */
Move remote_move(Remotes *remotes, Remote *remote, Random *random);
/* Any legal move of a role, each as likely. */
Move remote_random_move(Game *game, uint32_t role, Random *random);
/* The legal move of that text; false if there is none. */
bool remote_find_move(Game *game, uint32_t role, const char *text, Move *move);

#endif
