/* How fluents change: latches, which never change back, and counters, groups
   of fluents that advance from one to the next whatever is played. */
#ifndef TAFL_ANALYSE_CHANGES_H
#define TAFL_ANALYSE_CHANGES_H

#include "analyse/onehot.h"

typedef struct Counter {
  uint32_t group;        /* in OneHot.groups */
  uint32_t first, count; /* its members in order, in Changes.order */
  bool cyclic;           /* the first follows the last: a clock, not a step */
  Evidence advances;     /* each member is followed by the next */
  Evidence ends;         /* not cyclic, and its last member is terminal: every
                            game ends */
} Counter;

typedef struct Changes {
  Evidence *stays_true, *stays_false; /* by fluent that was seen to change:
                                         once so, always so */
  VECTOR(Counter) counters;
  NumberVector order;
  /* scratch of sampling, by fluent: */
  uint32_t *follower;    /* the member that followed it, + 1; 0: none yet */
  bool *irregular;       /* different members followed it */
  uint64_t *rose, *fell; /* lanes */
} Changes;

void changes_init(Changes *changes, const Net *net);
void changes_free(Changes *changes);
void changes_look(Changes *changes, const OneHot *onehot, const Sample *sample);
void changes_conclude(Changes *changes, const OneHot *onehot, const Net *net);
void changes_prove(Changes *changes, const Net *net, Prover *prover);

#endif
