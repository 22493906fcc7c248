/* A match in a process of its own, spoken to as the server does; a referee's
   engine says what is legal and plays for the others. */
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
  FlowLevel level;
  BookLimits limits;
  double start, play; /* seconds */

  pid_t pid;
  int link;
  uint32_t number; /* of the last request */
  TextVector history;
  Text notes, report, answer; /* answer: to the last request */
  bool ready, final;
  double first, last; /* seconds from the request to a move, to the final one */

  Description description;
  Game *referee; /* NULL: the rules cannot be played */
  uint32_t own;
  Random random;
} Child;

enum { CHILD_PATIENCE = 60 }; /* seconds that nothing may take longer than */

/* Start, or start again after the history. */
void child_start(Child *child);

/* Fill in what was not chosen; the rules are read for the referee too. */
void child_open(Child *child);

int child_wait(Child *child);
void child_kill(Child *child);
void child_free(Child *child);

/* All that has come, waiting for it; false if the process is gone. */
bool child_listen(Child *child);

/* Listen until it holds; if it never does, the process is hanging. */
#define CHILD_UNTIL(child, condition) \
  do { \
    double until_ = clock_now() + CHILD_PATIENCE; \
    while (!(condition)) { \
      if (!child_listen(child) && !(condition)) \
        fail_msg("the process ended before " #condition); \
      if (clock_now() > until_) fail_msg("never: " #condition); \
    } \
  } while (0)

void child_ask(Child *child, LinkKind kind, const char *lines, double seconds);

/* A joint move of the child's answer and chance; made by the referee. */
void child_step(Child *child, Text *lines);

/* Say STOP and see the process end well. */
void child_stop(Child *child, const char *lines);

#endif
