/* What methods that play games to the end share: a way from the puzzle's state,
   playouts from where it stands, and playouts of many states in lanes. Every
   sequence that is better than the puzzle's plan is offered. */
#ifndef TAFL_SOLVE_ROLLOUT_H
#define TAFL_SOLVE_ROLLOUT_H

#include "base/random.h"
#include "solve/method.h"
#include "solve/sequence.h"
#include "wide/wide.h"

typedef struct Rollout {
  Method *method;
  Game *game;      /* after the moves of the way */
  Sequence way;    /* its score is that of its end */
  Sequence result; /* of the last playouts */
  Random random;
  /* Lanes; `wide` is NULL without them. */
  Wide *wide;
  uint32_t lanes;
  VECTOR(uint64_t) rows; /* states to be played */
  MoveVector firsts;     /* by row: the move that leads there from the way */
  Sequence best;         /* beyond the first move, of the lanes */
  uint32_t best_row;
} Rollout;

enum { ROLLOUT_STEPS = 1000 }; /* of a playout; it is cut off then */

/* A state in lanes takes about a fiftieth of the time of a single one
   (rubiksCube 22 M states/s against 0.2 M, peg 52 M against 1.4 M). */
enum { ROLLOUT_GAIN = 50 };

/* Lanes are used if they are wanted and the book has its programs. */
void rollout_init(Rollout *rollout, Method *method, uint64_t seed, bool lanes);
void rollout_free(Rollout *rollout);

/* The states of a slice: more in lanes, unless it is a short one because the
   budget ends. */
uint64_t rollout_budget(const Rollout *rollout, const Slice *slice);

void rollout_make(Rollout *rollout, Move move);
void rollout_go_back(Rollout *rollout, uint32_t length); /* of the way */
/* The game is over; the way becomes the result, or none if it has no goal. */
void rollout_end(Rollout *rollout);

/* Plays a random game to the end and goes back. */
void rollout_play(Rollout *rollout);
/* Plays random games after each of the moves, in all lanes; the result is the
   best of them. */
void rollout_play_moves(Rollout *rollout, const Move *moves, uint32_t count);
/* Scores of the moves of the net for Gibbs choice, one row for each step, or
   one row for all steps. */
typedef struct RolloutScores {
  const double *rows;
  uint32_t count;  /* rows; beyond the last, choice is uniform */
  bool every_step; /* the first row is for all steps */
} RolloutScores;

/* Plays games from the puzzle's state in all lanes; the result is the best of
   them. */
void rollout_play_scores(Rollout *rollout, const RolloutScores *scores);

#endif
