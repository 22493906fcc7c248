/* Small puzzles of pieces that change places, for tests of methods that take
   puzzles apart into units. */
#ifndef TAFL_TEST_SUPPORT_UNITS_H
#define TAFL_TEST_SUPPORT_UNITS_H

#include "support/exhaust.h"

/* Six beads on two rings of four that share two places; each move turns a ring
   one way only. */
#define UNITS_RINGS_TURN \
  "(turns a 1 2) (turns a 2 3) (turns a 3 4) (turns a 4 1) (turns a 5 5)" \
  "(turns a 6 6) (turns b 3 4) (turns b 4 5) (turns b 5 6) (turns b 6 3)" \
  "(turns b 1 1) (turns b 2 2)" \
  "(<= (next (at ?b ?y)) (true (at ?b ?x)) (does r ?m) (turns ?m ?x ?y))" \
  "(legal r a) (legal r b)" \
  "(<= away (true (at ?b ?x)) (distinct ?b ?x))"
#define UNITS_RINGS_START \
  "(init (at 1 6)) (init (at 2 5)) (init (at 3 2)) (init (at 4 1))" \
  "(init (at 5 4)) (init (at 6 3))"
#define UNITS_RINGS \
  "(role r) " UNITS_RINGS_START UNITS_RINGS_TURN \
  "(<= terminal (not away)) (<= (goal r 100) (not away))" \
  "(<= (goal r 0) away)"

/* The same with a clock: the beads must be in place when it stops, and it is
   possible to wait. */
#define UNITS_TIMED \
  "(role r) (init (at 1 2)) (init (at 2 5)) (init (at 3 6)) (init (at 4 1))" \
  "(init (at 5 3)) (init (at 6 4))" UNITS_RINGS_TURN \
  "(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)" \
  "(succ 5 6) (succ 6 7) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(legal r wait) (<= (next (at ?b ?x)) (true (at ?b ?x)) (does r wait))" \
  "(<= terminal (true (step 7)))" \
  "(<= (goal r 100) (true (step 7)) (not away))" \
  "(<= (goal r 10) away) (<= (goal r 0) (not away) (not (true (step 7))))"

/* Five tiles on a board of two by three. */
#define UNITS_SLIDE_RULES \
  "(beside 1 2) (beside 2 3) (beside 4 5) (beside 5 6) (beside 1 4)" \
  "(beside 2 5) (beside 3 6) (<= (near ?x ?y) (beside ?x ?y))" \
  "(<= (near ?x ?y) (beside ?y ?x)) (tile 1) (tile 2) (tile 3) (tile 4)" \
  "(tile 5)" \
  "(<= (legal r (slide ?x)) (true (cell ?y hole)) (near ?x ?y))" \
  "(<= (next (cell ?x hole)) (does r (slide ?x)))" \
  "(<= (next (cell ?y ?t)) (does r (slide ?x)) (true (cell ?y hole))" \
  "  (true (cell ?x ?t)) (distinct ?t hole))" \
  "(<= (next (cell ?z ?t)) (does r (slide ?x)) (true (cell ?z ?t)) (tile ?t)" \
  "  (distinct ?z ?x))" \
  "(<= away (tile ?t) (not (true (cell ?t ?t))))" \
  "(<= terminal (not away)) (<= (goal r 100) (not away))" \
  "(<= (goal r 0) away)"
#define UNITS_SLIDE \
  "(role r) (init (cell 1 5)) (init (cell 2 4)) (init (cell 3 hole))" \
  "(init (cell 4 2)) (init (cell 5 1)) (init (cell 6 3))" UNITS_SLIDE_RULES
/* Two tiles are the wrong way round, which cannot be mended. */
#define UNITS_STUCK \
  "(role r) (init (cell 1 2)) (init (cell 2 1)) (init (cell 3 3))" \
  "(init (cell 4 4)) (init (cell 5 5)) (init (cell 6 hole))" UNITS_SLIDE_RULES

/* Twelve switches, of which all must be on, or only the first. */
#define UNITS_SWITCHES \
  "(role r) (s 1) (s 2) (s 3) (s 4) (s 5) (s 6) (s 7) (s 8) (s 9) (s 10)" \
  "(s 11) (s 12) (<= (legal r (press ?x)) (s ?x))" \
  "(<= (next (on ?x)) (does r (press ?x)) (s ?x) (not (true (on ?x))))" \
  "(<= (next (on ?x)) (true (on ?x)) (does r (press ?y)) (distinct ?x ?y))"
/* One move turns all of them off: nobody can tell what was before. */
#define UNITS_RESET \
  UNITS_SWITCHES \
  "(legal r reset) (<= off (s ?x) (not (true (on ?x))))" \
  "(<= terminal (not off)) (<= (goal r 100) (not off)) (<= (goal r 0) off)"
#define UNITS_MANY_ENDS \
  UNITS_SWITCHES \
  "(<= terminal (true (on 1)))" \
  "(<= (goal r 100) (true (on 1))) (<= (goal r 0) (not (true (on 1))))"

/* Opens a puzzle with its analysis. */
void units_open(ExhaustPuzzle *opened, const char *text);

#endif
