/* The data of a search, for the files that make it up. From the bottom:

     limit       when to stop
     settle      what to do where values are exact
     select      moves inside the tree
     strategy    moves in playouts, as MiNI-Player has them
     grow        new nodes
     judge       what the evaluation says of states
     survey      first values of all actions of a node
     backup      what the tree and the tables learn from a simulation
     merge       and from many at once
     plan        the best way of a puzzle that was found
     effective   moves two steps ahead
     agree       moves that several roles gain by together
     others      what allies found at the root
     summary     the answer and the report
     sequential  one simulation at a time
     batch       the data of one thread's stream of simulations
     locks       who may be where while several threads think
     descend, leaves, workers   many simulations at once
     courier     simulations that an ally plays out
     offload, feeder   simulations that a graphics card plays out
     search      the match: positions, thinking, answers

   None of them uses a global variable. */
#ifndef TAFL_SEARCH_PARTS_H
#define TAFL_SEARCH_PARTS_H

#include <stdatomic.h>

#include "base/random.h"
#include "game/book.h"
#include "search/aim.h"
#include "search/ally.h"
#include "search/fast.h"
#include "search/mast.h"
#include "search/ngram.h"
#include "search/numbering.h"
#include "search/path.h"
#include "search/report.h"
#include "search/resolution.h"
#include "search/settings.h"
#include "search/strategy.h"
#include "search/tree.h"
#include "value/evaluation.h"

typedef struct Search Search;
typedef struct Workers Workers;

/* The best way from the root that a simulation of a puzzle has found. */
typedef struct SearchPlan {
  NumberVector moves; /* by number; empty: not known */
  double value;       /* 0: none */
  const char *found;  /* what found a way of this value; see SearchReport */
} SearchPlan;

/* Scratch of one thread for the evaluation (judge.h). */
typedef struct Judge {
  int32_t *sums, *more; /* of a state, and of another */
  float *goals;         /* by role */
} Judge;

enum { MERGE_PATHS = 256, MERGE_SLOTS = 2 * MERGE_PATHS };

/* What paths have in common at a step (merge.c). */
typedef struct MergeLesson {
  NodeId node, child; /* child: 0 if no path goes on in the tree */
  uint32_t count, pending;
  const Path *path; /* one of them, */
  uint32_t at;      /* and where the choices of the step are there */
  uint32_t slot;    /* of the table */
  bool lifted;      /* the paths have another value now */
} MergeLesson;

/* Paths that wait to be backed up together, at most MERGE_PATHS (merge.h). */
typedef struct Merge {
  VECTOR(const Path *) paths; /* borrowed */
  VECTOR(double) values;      /* by path: returns by role, the highest ones */
  VECTOR(MergeLesson) lessons;
  VECTOR(double) sums;             /* by lesson, as `values` */
  uint32_t lesson_of[MERGE_PATHS]; /* by path */
  uint32_t table[MERGE_SLOTS];     /* of lessons: number + 1, or 0 */
} Merge;

/* What one thread of a search has for itself. */
typedef struct Scratch {
  Random random;
  uint32_t number;    /* of the simulation: stamps nodes and moves on its way */
  NumberVector stamp; /* by move: the last simulation it occurred in (RAVE) */
  double *values;     /* by role: returns at the end of a simulation, */
  double *highest;    /* and the highest return of its playouts: the same array
                         unless final=maximum needs them apart */
  Mast *mast;         /* that it reads and adds to, */
  Mast *gain;         /* and what it has added since it last told the others;
                         NULL: there are none */
  Merge merge;
  Judge judge;
  double *judged; /* returns by role */
  NumberVector candidates, indices;
  VECTOR(double) weights;
} Scratch;

struct Search {
  Book *book;
  Settings settings;
  uint32_t role, role_count;
  Aim aim;
  Game *game; /* stands at the root's state, except during simulations */
  Numbering moves;
  Mast mast;
  Ngrams ngrams;          /* of playout=nst */
  Fast *fast;             /* NULL: not wanted, or the game has no features */
  Strategies *strategies; /* NULL: not wanted */
  Resolution resolution;  /* only with transpose=resolution */
  const Symmetries *symmetries; /* NULL: none, or not wanted */
  SearchPlan plan;              /* only if the setting `path` wants one */
  Tree *tree;
  NodeId root;
  uint32_t depth; /* of the root: steps since search_reset */
  uint64_t way;   /* hash of the moves to the root since then */
  VECTOR(uint64_t) root_state;
  uint64_t chance; /* decides between equal moves at this root */
  bool full;    /* a node could not be added: prune before the next simulation;
                   atomic */
  bool quick;   /* actions keep the terms of their bounds (select_note) */
  bool surveys; /* an evaluation gives actions their first values, */
  bool minimax; /* which are backed up by minimax, */
  double returns; /* and have this sum over both roles */
  float *logs;    /* C sqrt(ln n) for small n; only if `quick` */

  Path path;                    /* of the sequential simulation */
  uint64_t at_play;             /* playouts under way of all threads */
  const Evaluation *evaluation; /* borrowed; NULL: none */
  NumberVector joint;           /* scratch */
  Scratch own;                  /* of the first thread */

  VECTOR(RootSum) others; /* by action of the root (others.h); may be empty */
  bool joined;            /* they are in the tree, too */
  uint64_t allied;        /* simulations that others made at this root */
  Workers *workers;       /* in batch mode; NULL: sequential */
  _Atomic Move best;
  uint64_t depth_sum;
  SearchReport report;
};

/* For those who hold no lock. */
static inline bool search_is_full(const Search *search) {
  return __atomic_load_n(&search->full, __ATOMIC_RELAXED);
}

static inline void search_set_full(Search *search, bool full) {
  __atomic_store_n(&search->full, full, __ATOMIC_RELAXED);
}

#endif
