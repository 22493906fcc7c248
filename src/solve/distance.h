/* How far states of a puzzle are from an end with a high score: a guess that is
   read off the rules. The goals and `terminal` of the net are AND/OR trees over
   fluents. What it takes to make a signal true is the sum over the inputs of an
   AND, the least over those of an OR; what it takes to change a fluent is
   measured in several ways. What is proved never to change back is far off.
   Zero is exact: it takes nothing if and only if it is true.

   Many states are rated at once, given as packed keys. */
#ifndef TAFL_SOLVE_DISTANCE_H
#define TAFL_SOLVE_DISTANCE_H

#include "solve/packing.h"

typedef struct Distance Distance;

typedef struct Rating {
  bool terminal;
  int8_t score;  /* the goal if it ended here; -1: there is none */
  uint16_t goal; /* what it takes to have the goal that is aimed at */
  uint16_t end;  /* what it takes to be terminal */
} Rating;

enum { DISTANCE_FAR = 16000 }; /* the highest distance */

/* What it takes to change a fluent. */
typedef enum {
  MEASURE_ONE,   /* one */
  MEASURE_STEPS, /* the steps that its one-hot group needs from its value to the
                    wanted one, in the transitions that were seen */
  MEASURE_DEEP   /* one, and what it takes (in ones) to make it change */
} Measure;

/* The packing is borrowed; the analysis may be NULL. Returns NULL if the goals
   take too large a net. */
Distance *distance_new(Packing *packing, const Analysis *analysis);
void distance_delete(Distance *distance);

/* Aims at goals of at least this value; at first, at the highest. */
void distance_aim(Distance *distance, int value);
/* Measures so from now on; at first, by ones. Steps are those that were seen
   until now. */
void distance_measure(Distance *distance, Measure measure);
/* Notes the transitions of groups from a state to its successor. */
void distance_see(Distance *distance, const uint64_t *from, const uint64_t *to);

/* Rates `count` states, keys one after the other; `stride` words from one key
   to the next. */
void distance_rate(Distance *distance, const uint64_t *keys, uint32_t stride,
                   const uint16_t *depths, uint32_t count, Rating *ratings);

/* ---- one number for a rating ---- */

typedef enum {
  GUIDE_GOAL,  /* what the goal takes, and one if that is not the end */
  GUIDE_END,   /* what the goal and the end take */
  GUIDE_SCORE, /* the higher the score the better, then as GUIDE_GOAL */
  GUIDE_KINDS
} Guide;

enum { GUIDE_MOST = 8191 };

/* Lower is better. */
static inline uint32_t distance_guide(const Rating *rating, Guide guide) {
  uint32_t goal = rating->goal + (rating->end ? 1u : 0);
  if (guide == GUIDE_END) goal = rating->goal + (uint32_t)rating->end;
  if (guide == GUIDE_SCORE)
    goal = (uint32_t)(100 - rating->score) * 80 + (goal < 80 ? goal : 79);
  return goal < GUIDE_MOST ? goal : GUIDE_MOST;
}

#endif
