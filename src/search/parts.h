/* What a search is made of, for the files that make it up: search.c (positions,
   budgets), select.c (moves in the tree), sequential.c and batch.c
   (simulations), backup.c (what is learned of one), summary.c. */
#ifndef TAFL_SEARCH_PARTS_H
#define TAFL_SEARCH_PARTS_H

#include <math.h>

#include "base/random.h"
#include "search/fast.h"
#include "search/mast.h"
#include "search/numbering.h"
#include "search/search.h"

/* One simulation. Step i goes from state i by the joint move moves[i *
   role_count …]; in the tree nodes[i] is its node and choices[i * role_count …]
   each role's action there. */
typedef struct Path {
  VECTOR(NodeId) nodes; /* of the steps in the tree */
  NumberVector choices, moves;
  uint32_t steps;
  bool pending; /* it counts as such in its nodes and actions */
} Path;

static inline void path_free(Path *path) {
  vector_free(&path->nodes);
  vector_free(&path->choices);
  vector_free(&path->moves);
}

typedef struct Batch Batch;
typedef struct Workers Workers;

enum { SEARCH_THREADS = 256 };

struct Search {
  Book *book;
  Settings settings;
  uint32_t role, role_count;
  Game *game; /* stands at the root's state, except in simulations */
  Numbering moves;
  Mast mast;
  Fast *fast; /* NULL: not wanted or nothing found */
  Tree *tree;
  NodeId root;
  uint32_t depth; /* of the root: steps made since search_reset */
  VECTOR(uint64_t) root_state;
  Random random;
  bool full;   /* a node could not be added: prune before the next simulation */
  bool quick;  /* actions keep the terms of their bounds (select_note) */
  float *logs; /* C sqrt(ln n) of small n, for that */

  Path path;          /* of the sequential simulation */
  uint64_t at_play;   /* playouts under way in all threads' lanes */
  uint32_t number;    /* of the simulation: stamps nodes and moves it passed */
  NumberVector stamp; /* by move: the last simulation it occurred in (RAVE) */
  double *values;     /* by role: returns at the end of a simulation */
  NumberVector joint, candidates, indices;
  VECTOR(double) weights;

  Workers *workers; /* of batch mode; NULL: sequential */
  _Atomic Move best;
  uint64_t depth_sum;
  SearchReport report;
};

/* ---- search.c ---- */

/* Whether the thinking has to end; `deadline` is the budget's as a time. */
bool search_spent(const Search *search, const Budget *budget, double deadline);
/* Recycle nodes of little use if the tree is full. */
void search_make_room(Search *search);
/* Publish the best move so far. */
void search_answer(Search *search);

/* ---- select.c ---- */

/* A role's action in a node of the tree: its index. */
uint32_t select_action(Search *search, Node *node, uint32_t role);
/* An action's visits or pending descents have changed: bring the terms of its
   bound up to date. */
static inline void select_note(const Search *search, Action *action) {
  float visits = (float)action->visits +
                 (float)search->settings.loss * (float)action->pending;
  if (!search->quick) return;
  action->width = visits > 0 ? 1 / sqrtf(visits) : 0;
  action->mean = (float)action->total * action->width * action->width;
}
void select_init(Search *search);
/* Among the candidates (numbers of moves of a role, legal in the state), by the
   Gibbs distribution over MAST and FAST values: an index. */
uint32_t select_gibbs(Search *search, uint32_t role, const uint32_t *numbers,
                      uint32_t count, const uint64_t *state);

/* ---- grow.c ---- */

/* The node of the game's current state at a depth, added if it is new; 0 if
   there is no room for it. */
NodeId grow_node(Search *search, Game *game, uint32_t depth, bool *added);
uint64_t grow_key(const Search *search, uint64_t key, uint32_t depth);

/* ---- backup.c ---- */

/* Own goal; or, with two roles, own less the other's (thesis 3.4.2). */
static inline double backup_return(const Search *search, int own, int other) {
  if (search->role_count != 2 || search->settings.returns == RETURNS_OWN)
    return own;
  double difference = own - other;
  return search->settings.returns == RETURNS_SCALED ? (difference + 100) / 2
                                                    : difference;
}
/* Goals of a terminal or proven state as returns, by role. */
void backup_returns(const Search *search, const int *goals, double *values);
/* Those of a node, into search->values. */
void backup_known(Search *search, const int8_t *goals);
/* Teach tree, RAVE and MAST a path with search->values at its end. */
void backup_path(Search *search, const Path *path);
/* These moves come after the path's (RAVE). */
void backup_stamp(Search *search, const uint32_t *moves, uint32_t count);
/* Prove what can be proved along a path, from the bottom. */
void backup_proofs(Search *search, const Path *path);

/* ---- sequential.c ---- */

void sequential_simulate(Search *search);

/* ---- batch.c ---- */

/* NULL if the game has no net. */
Workers *workers_new(Search *search);
void workers_delete(Workers *workers);
void batch_run(Search *search, const Budget *budget, double deadline);

/* ---- summary.c ---- */

/* The root's best action of the search's role by the final rule: its index. */
uint32_t summary_best(Search *search);
void summary_fill(Search *search);
void summary_free(SearchReport *report);

#endif
