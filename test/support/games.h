/* Small games for matches, and shorthand to read them. */
#ifndef TAFL_TEST_SUPPORT_GAMES_H
#define TAFL_TEST_SUPPORT_GAMES_H

#include "agent/spec.h"
#include "support/front.h"

/* Both choose at once; a beats b and c, which are equal: the legal agent, which
   always takes a, never loses. */
#define GAME_DUEL \
  "(role x) (role y) (init start) (legal x c) (legal x b) (legal x a)" \
  "(legal y b) (legal y a) (legal y c)" \
  "(<= (next (chose ?r a)) (does ?r a))" \
  "(<= (next (chose ?r other)) (does ?r ?m) (distinct ?m a))" \
  "(<= terminal (not (true start)))" \
  "(<= (goal ?r 50) (role ?r) (true (chose x ?m)) (true (chose y ?m)))" \
  "(<= (goal ?r 100) (true (chose ?r a)) (true (chose ?o other)))" \
  "(<= (goal ?r 0) (true (chose ?r other)) (true (chose ?o a)))"

/* One player; the last move counts. */
#define GAME_PUZZLE \
  "(role solver) (init (step 0)) (succ 0 1) (succ 1 2) (legal solver left)" \
  "(legal solver right) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (next (last ?m)) (does solver ?m)) (<= terminal (true (step 2)))" \
  "(<= (goal solver 100) (true (last left)))" \
  "(<= (goal solver 10) (not (true (last left))))"

/* Three players at once; a role that says yes gets what its name is worth. */
#define GAME_THREE \
  "(role p) (role q) (role r) (init start) (worth p 30) (worth q 60)" \
  "(worth r 90) (<= (legal ?r no) (role ?r)) (<= (legal ?r yes) (role ?r))" \
  "(<= (next (said ?r ?m)) (does ?r ?m)) (<= terminal (not (true start)))" \
  "(<= (goal ?r ?n) (true (said ?r yes)) (worth ?r ?n))" \
  "(<= (goal ?r 0) (true (said ?r no)))"

/* Three players with equal goals. */
#define GAME_EQUAL \
  "(role p) (role q) (role r) (init start) (<= (legal ?r go) (role ?r))" \
  "(<= (next over) (true start)) (<= terminal (true over))" \
  "(<= (goal ?r 50) (role ?r))"

/* Never ends; x is ahead all the time. */
#define GAME_ENDLESS \
  "(role x) (role y) (init on) (legal x go) (legal x come) (legal y go)" \
  "(<= (next on) (true on)) (<= terminal (not (true on)))" \
  "(goal x 80) (<= (goal y 20) (not (true on)))"

/* y cannot move in the second state. */
#define GAME_STUCK \
  "(role x) (role y) (init a) (legal x go) (<= (legal y go) (true a))" \
  "(<= (next b) (true a)) (<= terminal (true c)) (goal x 0) (goal y 0)"

/* Terms double with each step. */
#define GAME_DOUBLING \
  "(role x) (init (tree a)) (<= (next (tree (f ?t ?t))) (true (tree ?t)))" \
  "(legal x grow) (legal x wait) (<= terminal (true (tree b))) (goal x 0)"

/* Limits that suffice for these games. */
BookLimits games_limits(void);

/* Makes the reduced net, which the caller frees. Returns false and sets `error`
   if a limit is reached. */
bool games_net(Description *description, const BookLimits *limits, Net *net,
               Text *error);

/* These two fail the test if the text is wrong. */
void games_read(Description *description, const char *text);
void games_specs(AgentSpecs *specs, const char *text);

#endif
