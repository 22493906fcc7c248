/* The inside of the second mind. */
#ifndef TAFL_MINIMAX_PARTS_H
#define TAFL_MINIMAX_PARTS_H

#include "base/random.h"
#include "engine/turn.h"
#include "minimax/minimax.h"
#include "minimax/transpositions.h"
#include "search/limit.h"

enum { PLY_MOST = 200 }; /* steps below the root */

static const Move no_move = TABLE_MOVES - 1;

/* What a search returns: a score from the view of the role that thinks, and
   whether no evaluation had a part in it. */
typedef struct Result {
  Score score;
  bool exact;
} Result;

/* Moves from a node on, by ply: the mover's. */
typedef struct Line {
  Move moves[PLY_MOST];
  uint32_t count;
} Line;

typedef struct Ply {
  uint64_t *state; /* words */
  int32_t *sums;   /* of the evaluation */
  Move killers[2];
  Move joint[RULE_ROLES];
  Line line;
} Ply;

typedef struct RootMove {
  Move move;
  Score score, last; /* in this and the last depth */
  Bound bound;
  bool exact;
  uint64_t states; /* below it, in this depth */
  Line line;
} RootMove;
typedef VECTOR(RootMove) RootMoves;

/* One thread. */
typedef struct Worker {
  Minimax *minimax;
  Game *game;
  Ply *plies; /* PLY_MOST + 1 */
  uint64_t *words;
  int32_t *sums;
  MoveVector pool;  /* moves of the nodes on the way, a stack */
  int32_t *history; /* by move */
  uint64_t states, evaluated, hits;
  uint64_t next_look; /* at the clock */
  uint32_t depth_most;
  bool stopped;
} Worker;

struct Minimax {
  Book *book;
  const Analysis *analysis;
  Settings settings;
  uint32_t role, role_count, words;
  Game *game; /* stands at the root */
  Scale scale;
  const Evaluation *evaluation;
  MinimaxListener *listener;
  void *context;
  Transpositions table;
  Random random;
  VECTOR(uint64_t) root_state;
  Turn turn;       /* at the root */
  RootMoves moves; /* of the role in turn; one if there is none */
  bool sound;
  uint32_t depth; /* completed */
  bool proven;
  Score score;
  Limit limit;
  uint64_t depth_states; /* of the last depth */
  double branching;
  _Atomic Move best;
  MinimaxReport report;
  SearchReport spent; /* for the limit */
  Worker *worker;
};

#endif
