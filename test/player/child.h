/* A match in its own process, driven as the server drives it; the rules engine
   is the referee and plays for the other roles. */
#ifndef TAFL_TEST_PLAYER_CHILD_H
#define TAFL_TEST_PLAYER_CHILD_H

#include "base/clock.h"
#include "engine/moves.h"
#include "io/process.h"
#include "match/spelling.h"
#include "player/flow.h"
#include "player/link.h"
#include "rules/rules.h"
#include "support/games.h"
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Child {
  const char *rules, *role, *agent;
  StartLevel level;
  BookLimits limits;
  double start, play; /* seconds */

  pid_t pid;
  int link;
  uint32_t number; /* of the last request */
  TextVector history;
  Text notes, report, answer; /* answer: to the last request */
  bool ready, final;
  Text outlook;       /* the last one */
  uint32_t outlooks;  /* received */
  uint32_t reports;   /* received, */
  uint32_t reported;  /* and the request of the last one */
  double first, last; /* seconds from the request to the first and final move */

  Description description;
  Game *referee; /* NULL if the rules cannot be played */
  uint32_t own;
  Random random;
} Child;

enum { CHILD_PATIENCE = 60 }; /* seconds; nothing may take longer */

/* Starts the process, or restarts it after the history. */
void child_start(Child *child);

/* Fills in defaults, reads the rules for the referee and starts the process. */
void child_open(Child *child);

int child_wait(Child *child);
void child_kill(Child *child);
void child_free(Child *child);

/* Waits a little for frames and handles them; returns false if the process has
   ended. */
bool child_listen(Child *child);

/* Listens until the condition holds; fails after CHILD_PATIENCE. */
#define CHILD_UNTIL(child, condition) \
  do { \
    double until_ = clock_now() + CHILD_PATIENCE; \
    while (!(condition)) { \
      if (!child_listen(child) && !(condition)) \
        fail_msg("the process exited before " #condition); \
      if (clock_now() > until_) fail_msg("not in time: " #condition); \
    } \
  } while (0)

void child_ask(Child *child, LinkKind kind, const char *lines, double seconds);

/* Makes a joint move: the child's answer, random moves for the others. */
void child_step(Child *child, Text *lines);

/* Sends STOP and expects the process to exit with 0. */
void child_stop(Child *child, const char *lines);

#endif
