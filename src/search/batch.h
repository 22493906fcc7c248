/* The data of one thread's stream of simulations. */
#ifndef TAFL_SEARCH_BATCH_H
#define TAFL_SEARCH_BATCH_H

#include "base/trial.h"
#include "search/parts.h"
#include "wide/expand.h"
#include "wide/wide.h"

enum {
  BATCH_ALLY_LEAVES = 8192, /* that an ally may have at once */
  /* All threads together: Action.pending must be able to count their leaves
     and an ally's. */
  BATCH_PENDING_MOST = UINT16_MAX - BATCH_ALLY_LEAVES
};

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
  uint32_t playouts; /* to make */
  uint32_t heard;    /* of those: finished, */
  uint32_t steps;    /* and their lengths together */
  NumberVector tail; /* moves of its first playout (RAVE) */
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

/* What a round adds to the report. */
typedef struct BatchTally {
  uint64_t simulations, states, descents, depths, cut_off;
  uint64_t over; /* playouts that are no longer under way */
  uint32_t depth_most;
  double phases[PHASE_COUNT], waited;
} BatchTally;

typedef struct Locks Locks;     /* locks.h */
typedef struct Courier Courier; /* courier.h */
typedef struct Feeder Feeder;   /* feeder.h */

/* Belongs to one thread; the search's tree and tables are shared. */
typedef struct Batch {
  Search *search;
  bool first;      /* of the threads */
  uint32_t number; /* of the thread, from 0 on; 0 for an ally's, too */
  Locks *locks;
  Courier *courier;   /* an ally plays its leaves out; NULL: its lanes do, */
  Feeder *feeder;     /* or the card does, if this is not NULL */
  struct Batch *card; /* of the same thread, for its leaves on the card; NULL:
                         there are none */
  Scratch *own;
  TreeStore *store;      /* NULL: no other thread uses the tree */
  uint32_t sharers;      /* threads that use it */
  TrialHelper helper;    /* of the thread */
  bool in_tree, at_desk; /* it holds these locks of the workers */
  BatchTally tally;      /* not reported yet */
  Mast mast, gain;       /* of its scratch, if there are several threads */
  Scratch scratch;       /* unless it has the search's own */
  Expand expand;
  Wide *wide; /* NULL with a courier or feeder */
  uint32_t lanes;
  uint32_t leaves, repeat; /* at most at once, once the tree has grown */
  bool rivals;             /* credit also sums the other role's goals */
  uint64_t rounds;
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

typedef struct BatchPlan {
  const Cones *growing;   /* for the wide step; borrowed, as all of these */
  const Cones *playing;   /* for playouts; NULL: others make them */
  WideListener *listener; /* hears of each playout; its context is the batch */
  Locks *locks;
  bool first;
  uint32_t leaves;      /* at most at once; 0: what the lanes need */
  const Batch *partner; /* of the same thread, whose scratch it uses; or NULL */
} BatchPlan;

/* Returns how much memory so many leaves take, about. */
size_t batch_bytes(const Search *search, uint32_t leaves);
Batch *batch_new(Search *search, const BatchPlan *plan);
void batch_delete(Batch *batch);

#endif
