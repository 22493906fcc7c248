/* A puzzle, and everything that can be known of it: all reachable states by
   breadth-first search on the scalar engine or the rules, one at a time. The
   slow, sure twin of the methods in solve/. */
#ifndef TAFL_TEST_SUPPORT_EXHAUST_H
#define TAFL_TEST_SUPPORT_EXHAUST_H

#include "solve/method.h"

/* Walks on a line of five places; the game goes on at the far end, which has to
   be left again for one point less, or ended by the move `stop`: a goal that is
   reached and falls again. */
#define PUZZLE_LINE \
  "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(<= (legal r up) (true (at ?x)) (succ ?x ?y) (not (true over)))" \
  "(<= (legal r down) (true (at ?x)) (succ ?y ?x) (not (true over)))" \
  "(legal r stop)" \
  "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r up))" \
  "(<= (next (at ?y)) (true (at ?x)) (succ ?y ?x) (does r down))" \
  "(<= (next (at ?x)) (true (at ?x)) (does r stop))" \
  "(<= (next over) (does r stop)) (<= terminal (true over))" \
  "(<= (goal r 100) (true (at 4))) (<= (goal r 30) (true (at 2)))" \
  "(<= (goal r 0) (not (true (at 4))) (not (true (at 2))))"

/* Ends after three steps, in which nothing can be won; the rules speak of 100
   for a fact that never becomes true. */
#define PUZZLE_HOPELESS \
  "(role r) (init (step 0)) (init red) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(legal r a) (legal r b)" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(<= (next red) (true blue)) (<= (next blue) (true red))" \
  "(<= (next both) (true red) (true blue) (does r a))" \
  "(<= terminal (true (step 3)))" \
  "(<= (goal r 100) (true both)) (<= (goal r 0) (not (true both)))"

/* No state is terminal. */
#define PUZZLE_ENDLESS \
  "(role r) (init (at 0)) (legal r a) (legal r b)" \
  "(<= (next (at 1)) (true (at 0)) (does r a)) (<= (next (at 0)) (does r b))" \
  "(<= (next (at 1)) (true (at 1)) (does r a))" \
  "(<= terminal (true (at 0)) (true (at 1))) (goal r 50)"

/* Is over before it begins. */
#define PUZZLE_OVER \
  "(role r) (init (at 0)) (legal r a) (<= (next (at 0)) (does r a))" \
  "(<= terminal (true (at 0))) (goal r 40)"

/* A book and a puzzle of a text, or of a file if the text begins with no
   parenthesis. */
typedef struct ExhaustPuzzle {
  Description description;
  Book book;
  Puzzle *puzzle;
} ExhaustPuzzle;

void exhaust_open(ExhaustPuzzle *opened, const char *text, bool ground);
void exhaust_close(ExhaustPuzzle *opened);

static const uint32_t EXHAUST_NEVER = UINT32_MAX;

typedef struct Exhaust {
  uint32_t count;                 /* states, in the order of their distance */
  VECTOR(uint64_t) words;         /* of all states */
  NumberVector first;             /* by state, and one more: in `words` */
  NumberVector depth;             /* by state: from the start */
  NumberVector parent, move;      /* by state: where it was first met */
  VECTOR(int) goal;               /* by state: -1 if it is not terminal */
  NumberVector link_first, links; /* successors of each state */
} Exhaust;

/* Fails the test if there are more than `limit` states. */
void exhaust_init(Exhaust *exhaust, Puzzle *puzzle, uint32_t limit);
void exhaust_free(Exhaust *exhaust);

/* The best score, and the length of a shortest plan with that score. -1: there
   is no plan. */
int exhaust_best(const Exhaust *exhaust, uint32_t *length);
/* By state: steps to the nearest end with at least this score, or
   EXHAUST_NEVER. The caller frees. */
uint32_t *exhaust_distances(const Exhaust *exhaust, int score);

/* Runs the method alone until it is done or has expanded `states` states, in
   slices of `slice` states; returns whether it is done. */
bool exhaust_run(Puzzle *puzzle, const MethodKind *kind, uint64_t seed,
                 uint64_t slice, uint64_t states);

#endif
