/* What is known about a game before it is played: counts of its rules, a survey
   of random games, and the findings of the analysis. `tafl info` and the page
   show it. */
#ifndef TAFL_ABOUT_PROFILE_H
#define TAFL_ABOUT_PROFILE_H

#include "game/book.h"
#include "io/json.h"

typedef struct Profile {
  /* the rules */
  uint32_t rules, facts;             /* with a body, without one */
  uint32_t unchanging, state, moves; /* predicates that depend on this */
  uint32_t recursive;
  /* statistics of a few random games */
  uint32_t games, ended, cut_off;
  uint32_t unfinished; /* for want of time */
  double length;       /* mean of the ended games */
  double *choices;     /* by role: mean legal moves per state */
  double *deciding;    /* by role: share of states with a choice */
  double *goals;       /* by role: mean of the ended games */
  uint32_t states;     /* visited */
  bool turn_taking;    /* never two roles with a choice in one state */
} Profile;

/* Plays random games of at most `steps` steps for some seconds at most. */
void profile_init(Profile *profile, Game *game, uint64_t seed, uint32_t steps);
void profile_free(Profile *profile);

/* "puzzle", "turn-taking" or "simultaneous". */
const char *profile_structure(const Profile *profile, Book *book);
/* The highest goal of a role in the rules, whether it can be reached or not. */
int profile_highest(const Book *book, uint32_t role);
/* The object that `tafl info --json` prints; the game is in its initial
   state. */
json_t *profile_json(const Profile *profile, Book *book, Game *game);

#endif
