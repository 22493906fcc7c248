/* Whose turn it is in a match on the page: the TURN of docs/api.md, and what
   persons want. Two threads share it: one plays the match, the other reads the
   server's messages as they come (turn_listen), so that a person may choose
   while agents think, and thinking can be broken off.

   Everything is under the lock, except the flags. Whoever has the lock may
   send. */
#ifndef TAFL_WEB_TURN_H
#define TAFL_WEB_TURN_H

#include <pthread.h>
#include <stdatomic.h>

#include "about/scene.h"

typedef enum {
  TURN_LOADING,
  TURN_STARTING,
  TURN_PLAYING,
  TURN_OVER,
  TURN_FAILED
} TurnPhase;

/* What a person wants, beside making a move. */
typedef enum {
  TURN_GO_ON, /* nothing else */
  TURN_HINT,
  TURN_UNDO,
  TURN_RESIGN,
  TURN_END /* the server has closed the link */
} TurnWish;

typedef struct TurnMove { /* that a person may choose */
  Move move;
  Text name; /* as the rules spell it */
  Text json; /* MOVE */
} TurnMove;

static const uint32_t TURN_NOTHING = UINT32_MAX; /* chosen */

typedef struct TurnRole {
  bool person, thinking;
  VECTOR(TurnMove) moves; /* of a person who has a choice; else none */
  uint32_t chosen;        /* one of them, or TURN_NOTHING */
} TurnRole;

typedef struct Turn {
  int link;
  pthread_t reader;
  bool listening;
  pthread_mutex_t lock;
  pthread_cond_t changed;

  TurnPhase phase;
  uint32_t step, role_count;
  TurnRole *roles;
  bool final;    /* nothing can be taken back, */
  bool undo;     /* else something can, beside choices of this step */
  double until;  /* when the clock ends, by clock_now; 0: there is none */
  Text message;  /* for people */
  Text goals;    /* as JSON; empty: null */
  bool decided;  /* choices can no longer be changed */
  bool hinting;  /* a hint is being thought about */
  char activity; /* last sent; see web/kinds.h */

  bool shown;  /* the match is played elsewhere, */
  json_t *fed; /* and this has happened: a list of MASTER_FEED, or NULL */

  TurnWish wish;
  uint32_t wish_role; /* of a hint or a resignation */
  double wish_seconds;
  atomic_bool stop;    /* thinking is to be broken off */
  atomic_uint threads; /* that a search may use; 0: all */
} Turn;

void turn_init(Turn *turn, int link, uint32_t threads);
void turn_free(Turn *turn); /* waits for the thread that listens */
/* Starts the thread that listens, until the link is closed. */
void turn_listen(Turn *turn);
/* The roles are known. */
void turn_seat(Turn *turn, uint32_t role_count);

void turn_lock(Turn *turn);
void turn_unlock(Turn *turn);
/* Sends TURN; under the lock. */
void turn_send(Turn *turn);
/* Sends a message; takes the lock. */
void turn_say(Turn *turn, char kind, const json_t *value);
void turn_say_thought(Turn *turn, uint32_t role, const json_t *thought);
void turn_note(Turn *turn, const char *format, ...) PRINTF_LIKE(2, 3);

/* Forgets legal moves, choices and who thinks; under the lock. */
void turn_clear(Turn *turn);
/* Returns true if a person has to choose; has chosen in this step. Under the
   lock. */
bool turn_asks(const Turn *turn);
bool turn_chose(const Turn *turn);

/* Waits until all persons have chosen, which ends choosing, or want something
   else. A hint is taken, and its role and seconds are set; other wishes stay
   until turn_take. */
TurnWish turn_wait(Turn *turn, uint32_t *role, double *seconds);
/* A hint of so many seconds begins; it has ended. */
void turn_begin_hint(Turn *turn, uint32_t role, double seconds);
void turn_end_hint(Turn *turn, uint32_t role);
/* Waits until somebody wants something, after the end. */
void turn_rest(Turn *turn);
/* Takes the wish, and allows thinking again. */
TurnWish turn_take(Turn *turn, uint32_t *role);
/* Waits for what happens elsewhere; returns a new value, or NULL if the server
   has closed the link. */
json_t *turn_take_fed(Turn *turn);
/* Returns true if thinking was to be broken off. */
bool turn_stopped(const Turn *turn);

#endif
