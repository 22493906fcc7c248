/* A game master in a process of its own, driven over its link as the server
   does it: what it says is kept, and can be waited for. */
#ifndef TAFL_TEST_WEB_DESK_H
#define TAFL_TEST_WEB_DESK_H

#include <sys/types.h>

#include "io/json.h"
#include "web/master.h"
#include "web/wire.h"

typedef struct Desk {
  /* to be set before desk_open */
  const char *rules;   /* text, or */
  const char *game;    /* a file of games/ */
  const char *players; /* list */
  const char *role;    /* the match is played elsewhere */
  double start, play;
  json_t *moves; /* owned */
  const char *db;
  uint64_t seed;

  pid_t pid;
  Wire wire;
  json_t *head, *turn, *brief;
  json_t *steps; /* list */
  json_t *live;  /* the last thought */
  uint32_t lives, backs, heads;
  char activity;
  Text notes;
  double begun, arrived; /* when the last step came */
} Desk;

/* Seconds that a test waits for anything. */
enum { DESK_PATIENCE = 60 };

void desk_open(Desk *desk);
/* Closes the link; returns what waitpid gives. */
int desk_close(Desk *desk);
/* Takes what has arrived, after waiting a little. */
void desk_listen(Desk *desk);
void desk_send(Desk *desk, char kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

const char *desk_phase(const Desk *desk);
uint32_t desk_step(const Desk *desk); /* of TURN */
bool desk_is(const Desk *desk, const char *list, uint32_t role);
bool desk_settled(const Desk *desk); /* waits for a person, or is over */

/* Waits for a condition, which reads `desk`. */
#define DESK_UNTIL(desk, condition) \
  do { \
    double desk_end = clock_now() + DESK_PATIENCE; \
    while (!(condition)) { \
      if (clock_now() > desk_end) \
        fail_msg("waited in vain for %s: %s", #condition, \
                 text_string(&(desk)->notes)); \
      desk_listen(desk); \
    } \
  } while (0)

/* Chooses the first legal move of the role that is asked. */
void desk_choose_first(Desk *desk, uint32_t role);
void desk_choose(Desk *desk, uint32_t role, const char *move);

#endif
