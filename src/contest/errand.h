/* A game that one rank has another one play, and what came of it, as messages
   in JSON. Rules and moves are UTF-8, as GDL wants it. Seeds are strings of
   digits, since JSON has no such large numbers.

     begin   to a rank, once: limits of books, how many games at once
     ready   its answer: how many games at once it plays
     rules   to a rank, before the first game that has them: number, name, text
     game    to a rank: a game to play
     steps   from a rank: what has happened in a game so far
     result  from a rank: the rest, and how it ended
     stop    to a rank: breaks off the games that it has got
     end     to a rank: there is nothing more to do */
#ifndef TAFL_CONTEST_ERRAND_H
#define TAFL_CONTEST_ERRAND_H

#include "match/referee.h"

typedef enum {
  ERRAND_BEGIN,
  ERRAND_READY,
  ERRAND_RULES,
  ERRAND_GAME,
  ERRAND_STEPS,
  ERRAND_RESULT,
  ERRAND_STOP,
  ERRAND_END
} ErrandTag;

/* ---- begin, ready, rules ---- */

typedef struct ErrandBegin {
  BookLimits limits; /* without `offer` and `knowledge` */
  uint32_t threads;  /* games at once; 0: the rank decides, */
  uint32_t agent;    /* when agents have so many threads */
} ErrandBegin;

typedef struct ErrandReady {
  uint32_t threads;
  Text version; /* of the program */
} ErrandReady;

typedef struct ErrandRules {
  uint32_t number;
  Text name, text;
} ErrandRules;

/* Writing appends to `text`. Reading returns false, with nothing to free, if
   the text is no such message. */
void errand_write_begin(const ErrandBegin *begin, Text *text);
bool errand_read_begin(ErrandBegin *begin, const Text *text);
void errand_write_ready(uint32_t threads, const char *version, Text *text);
bool errand_read_ready(ErrandReady *ready, const Text *text);
void errand_write_rules(uint32_t number, const Description *description,
                        Text *text);
bool errand_read_rules(ErrandRules *rules, const Text *text);

/* ---- games ---- */

typedef struct Errand {
  uint32_t id;    /* that its answers have, too */
  uint32_t rules; /* number */
  bool ground, need_net;
  uint64_t seed;
  MatchOptions match;
  bool turns;   /* steps and results have the turns, */
  double every; /* at least so many seconds after each other; 0: all with the
                   result */
  bool recorded;
  Record record;      /* if it is recorded; without files */
  TextVector players; /* by role */
} Errand;

/* The record is borrowed; its rules are left out. */
void errand_write(const Errand *errand, Text *text);
bool errand_read(Errand *errand, const Text *text);
void errand_free(Errand *errand); /* and the record, if it was read */

/* ---- steps and results ---- */

typedef struct ErrandTurns { /* one step */
  uint32_t step;
  RecordTurn *turns; /* by role */
} ErrandTurns;

typedef VECTOR(ErrandTurns) ErrandSteps;

/* Copies the turns of a step. */
void errand_add_step(ErrandSteps *steps, uint32_t step, uint32_t roles,
                     const RecordTurn *turns);
void errand_free_steps(ErrandSteps *steps, uint32_t roles);

typedef struct ErrandNews {
  uint32_t id, roles;
  ErrandSteps steps;
  json_t *record; /* what is new in it; NULL: nothing */
  bool over;      /* it is a result: */
  double seconds;
  Text refused; /* why no game was played; empty: `result` is there */
  MatchResult result;
} ErrandNews;

void errand_write_news(const ErrandNews *news, Text *text);
/* Words that results point to are added to `words`. */
bool errand_read_news(ErrandNews *news, const Text *text, TextVector *words);
void errand_free_news(ErrandNews *news);

#endif
