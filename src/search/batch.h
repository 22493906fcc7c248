/* One worker's stream of simulations, for batch.c, descend.c and leaves.c. */
#ifndef TAFL_SEARCH_BATCH_H
#define TAFL_SEARCH_BATCH_H

#include "base/trial.h"
#include "search/parts.h"
#include "wide/expand.h"
#include "wide/wide.h"

typedef enum {
  LEAF_FREE,
  LEAF_STEP,  /* a joint move not yet tried in its last node */
  LEAF_KNOWN, /* a node whose goals are known */
  LEAF_PLAY   /* a node to play out */
} LeafKind;

/* A descent from its beginning to its backup. Its number among all of the
   stream's is that of its start in the lanes. */
typedef struct Leaf {
  LeafKind kind;
  NodeId node; /* that it ends in, once known; 0: there was no room for it */
  Path path;
  VECTOR(const void *) hints; /* where its nodes and actions were, two a step */
  uint32_t playouts;          /* that it gets */
  uint32_t heard;             /* of them */
  NumberVector tail;          /* moves of its first playout (RAVE) */
} Leaf;

/* Everything of one thread but the search's lock, tree and tables. */
struct Batch {
  Search *search;
  TrialHelper helper; /* of its thread */
  Expand expand;
  Wide *wide;
  uint32_t lanes;
  uint32_t leaves, repeat; /* at most at once, once the tree has grown */
  bool rivals;             /* both roles' goals are summed for moves */
  uint64_t rounds, cut_off;
  uint64_t states_before, room_before; /* of the lanes' totals: reported */

  Leaf *list; /* `leaves` of them, by number */
  NumberVector free;
  NumberVector fresh; /* of this round */
  NumberVector walks; /* of them: the queue of those on their way down */
  uint32_t at_play;
  uint32_t done; /* of them, by the last playing */

  /* of the wide step, item by item */
  NumberVector stepping; /* leaves */
  VECTOR(uint64_t) states, successors, legal, keys;
  NumberVector joints;
  bool *terminal;
  int *goals;

  /* of the playouts, leaf by leaf */
  VECTOR(uint64_t) starts;
  VECTOR(double) sums; /* returns, by role */
  double *discount;    /* γ^steps */
  double *scores;      /* Q(a)/τ by move */
};

/* ---- descend.c ---- */

/* The search's lock is held. As many descents as there is room for, but no more
   than make the wanted simulations; 0: no such limit. */
void leaves_descend(Batch *batch, uint64_t simulations);
/* A descent is not pending any more, nor will it be backed up. */
void leaves_forget(Search *search, const Path *path);

/* ---- leaves.c: the other steps of a round in order; those marked so hold the
   search's lock ---- */

void leaves_collect_steps(Batch *batch); /* locked */
void leaves_expand(Batch *batch);
void leaves_place(Batch *batch); /* locked */
void leaves_play(Batch *batch);
void leaves_back_up(Batch *batch); /* locked */
/* What playouts told of moves goes into MAST, and MAST into the playouts. */
void leaves_exchange_scores(Batch *batch); /* locked */
/* Give up what is at play. */
void leaves_drop(Batch *batch); /* locked */
/* Hears of each playout. */
WideListener leaves_hear;

#endif
