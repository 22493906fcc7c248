/* The inside of the second mind. */
#ifndef TAFL_MINIMAX_PARTS_H
#define TAFL_MINIMAX_PARTS_H

#include <stdatomic.h>

#include "base/random.h"
#include "base/trial.h"
#include "engine/turn.h"
#include "minimax/breeder.h"
#include "minimax/busy.h"
#include "minimax/ends.h"
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

/* A window or score from the view of the role in turn. */
typedef struct Window {
  Score low, high;
  bool other; /* the role in turn is not the one that thinks: negated */
} Window;

/* Moves from a node on, by ply: those of the roles in turn. */
typedef struct Line {
  Move moves[PLY_MOST];
  uint32_t count;
} Line;

/* A move of the role in turn, and the state that it leads to. */
typedef struct Child {
  uint64_t *state;           /* in the pool of states */
  int32_t *sums;             /* in the pool of sums */
  const HatchChild *hatched; /* how the state differs; NULL: ask the engine */
  NestPlace place;           /* in the nest, if it is from there */
  Move move;
  Score score;   /* static, from the view of the role that chose the move */
  int32_t order; /* high ones are searched first */
  bool made;     /* the sums are there, */
  bool stated;   /* the state is; that of a child from the nest not before it is
                    needed, */
  bool valued;   /* and the score is */
  bool capture;
  bool ends; /* the state is an end, and the score exact */
  bool late; /* another thread searches it; the others come first */
} Child;

/* A node's moves, see minimax/brood.h. */
typedef struct Brood {
  uint32_t ply, first, count; /* in worker->children */
  uint32_t mover;             /* whose moves they are */
  bool other;                 /* it is not the role that thinks */
  bool hatched; /* from the nest: the engine need not stand at the node */
} Brood;

typedef struct Ply {
  const uint64_t *state;
  const int32_t *sums;
  uint64_t key;
  NestPlace place; /* of the child that leads to it, in the nest */
  Move killers[2];
  Move joint[RULE_ROLES];
  Line line;
} Ply;

typedef struct RootMove {
  Move move;
  Score score; /* from the view of the role in turn */
  Score own;   /* from that of the role that thinks */
  Bound bound;
  bool exact;
  bool late; /* as that of a Child */
  Line line; /* after it */
} RootMove;
typedef VECTOR(RootMove) RootMoves;

/* One thread. */
typedef struct Worker {
  Minimax *minimax;
  uint32_t number; /* 0: of the thread that asked */
  TrialHelper helper;
  RootMoves moves; /* of the role in turn at the root, the best first */
  Brood root;      /* while it thinks; no children: not listed yet */
  Game *game; /* stands at any state: its user enters the one it asks about */
  EndsMemory *ends;
  Ply *plies; /* PLY_MOST + 1 */
  /* Children of the nodes on the way, a stack of fixed size, with their states
     and sums. */
  Child *children;
  uint32_t child_count, child_room;
  HatchChild *hatchlings; /* what is known of children from the nest */
  uint64_t *words;
  int32_t *sums;
  int32_t *history; /* by move */
  Move *listed;     /* scratch, by move */
  uint64_t states, evaluated, hits, hatched, listings;
  uint64_t next_look; /* at the clock */
  uint64_t told;      /* of its states, those in minimax->others */
  uint32_t depth_most;
  double spread; /* by how much children of a node differ from their mean,
                    lately; 0: not known */
  /* Seconds of the last depth and of the one before; 0: there was none. */
  double lasted, before;
  bool asks; /* for broods of the next depth, which will be begun */
  bool stopped;
} Worker;

struct Minimax {
  Book *book;
  const Analysis *analysis;
  Settings settings;
  uint32_t role, role_count, words;
  Game *game; /* stands at the root */
  Scale scale;
  Ends ends;
  uint64_t *pieces; /* by role and word: fluents that are pieces of the role */
  bool captures;    /* there are pieces, and they are captured */
  bool quiet;       /* captures are searched until the state is quiet */
  const Features *features; /* set if nearly every capture goes to the place of
                               what it captures and no other move ends a game
                               early, as far as sampled: others are not made in
                               quiet search then */
  const Symmetries *symmetries; /* NULL: none, or not wanted */
  const Evaluation *evaluation;
  bool breeds;      /* the card may be looked for */
  Breeder *breeder; /* NULL: none, or not yet */
  const Nest *nest; /* while it thinks; NULL: none */
  MinimaxListener *listener;
  void *context;
  Transpositions table;
  Busy busy;
  Random random;
  VECTOR(uint64_t) root_state;
  Turn turn;      /* at the root */
  uint32_t mover; /* the role in turn; 0 if there is none */
  bool maxn;      /* everybody for himself */
  Scale *scales;  /* by role, for max^n */
  atomic_bool sound;
  atomic_bool halt;            /* helpers stop */
  atomic_bool failed;          /* a thread ran out of memory */
  atomic_uint_fast64_t others; /* states of the helpers */
  uint32_t depth;              /* completed */
  uint32_t depth_limit;
  bool proven;
  Score score;
  Limit limit;
  uint64_t depth_states; /* of the last depth */
  double branching;
  _Atomic Move best;
  MinimaxReport report;
  SearchReport spent; /* for the limit */
  Worker **workers;   /* the first is that of the thread that asks */
  uint32_t worker_count;
};

#endif
