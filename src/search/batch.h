/* The data of one thread's stream of simulations. */
#ifndef TAFL_SEARCH_BATCH_H
#define TAFL_SEARCH_BATCH_H

#include "base/trial.h"
#include "search/parts.h"
#include "wide/expand.h"
#include "wide/wide.h"

typedef enum {
  LEAF_FREE,
  LEAF_STEP,  /* ends with a joint move not yet tried in its last node */
  LEAF_KNOWN, /* ends in a node whose goals are known */
  LEAF_PLAY   /* ends in a node to play out */
} LeafKind;

/* A descent, from its beginning to its backup. Its index in the stream is the
   number of its start in the lanes. */
typedef struct Leaf {
  LeafKind kind;
  NodeId node; /* that it ends in, once known; 0: there was no room for it */
  Path path;
  VECTOR(const void *) hints; /* where its nodes, actions and bounds were */
  uint32_t playouts;          /* to make */
  uint32_t heard;             /* of those: finished */
  NumberVector tail;          /* moves of its first playout (RAVE) */
} Leaf;

/* Items of survey.c: actions whose successors are evaluated together, as many
   as there are lanes. */
typedef struct Survey {
  Expand expand;
  uint32_t count;
  NodeId *nodes;     /* NULL: surveys are not wanted */
  uint32_t *actions; /* of the node's main role */
  uint64_t *states, *successors, *legal;
  uint32_t *joints;
  bool *terminal;
  int *goals;
} Survey;

/* Belongs to one thread; the search's tree and tables are shared. */
typedef struct Batch {
  Search *search;
  TrialHelper helper; /* of the thread */
  bool locked;        /* this thread holds the lock of the workers */
  double since;       /* when it got the lock */
  Expand expand;
  Wide *wide;
  uint32_t lanes;
  uint32_t leaves, repeat; /* at most at once, once the tree has grown */
  bool rivals;             /* credit also sums the other role's goals */
  uint64_t rounds, cut_off;
  uint64_t states_before, room_before; /* of the lanes' totals: reported */

  Leaf *list; /* of `leaves`, by number */
  NumberVector free;
  NumberVector fresh;   /* leaves of this round */
  NumberVector walks;   /* the queue of those still descending */
  NumberVector waiting; /* of those: until their nodes are surveyed */
  NumberVector asked;   /* nodes to survey */
  Survey survey;
  Judge judge;
  double *returns;  /* scratch, by role */
  uint32_t at_play; /* leaves whose playouts are under way */
  uint32_t done;    /* of those: finished by the last wide_play */

  /* the wide step, item by item */
  NumberVector stepping; /* leaves */
  VECTOR(uint64_t) states, successors, legal, keys;
  NumberVector joints;
  NumberVector moves, firsts; /* legal moves after it, and where they begin */
  NumberVector counts;        /* of those, by role */
  bool *terminal;
  int *goals;

  /* the playouts, leaf by leaf */
  VECTOR(uint64_t) starts;
  VECTOR(double) sums;    /* returns, by role */
  VECTOR(double) highest; /* of the returns, by role; empty unless needed */
  VECTOR(double) judged;  /* returns that the evaluation expects, by role */
  double *discount;       /* γ^steps */
  double *scores;         /* Q(a)/τ by move */
} Batch;

/* `cones` are for the wide step, `playing` for the playouts; both are borrowed.
   The listener hears of each playout, with the batch as its context. */
Batch *batch_new(Search *search, const Cones *cones, const Cones *playing,
                 WideListener *listener);
void batch_delete(Batch *batch);

#endif
