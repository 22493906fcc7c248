/* How fluents change: latches, which never go back, and counters, groups of
   fluents that go on from one to the next whatever is played. */
#ifndef TAFL_ANALYSE_CHANGES_H
#define TAFL_ANALYSE_CHANGES_H

#include "analyse/onehot.h"

typedef struct Counter {
  uint32_t group;        /* in OneHot.groups; its members, in order: */
  uint32_t first, count; /* fluents, in Changes.order */
  bool cyclic;           /* the first follows the last: a clock, not a step */
  Evidence advances;     /* each member is followed by the next */
  Evidence ends;         /* of a counter not cyclic: the last is terminal, so
                            that every game ends */
} Counter;

typedef struct Changes {
  Evidence *stays_true, *stays_false; /* by fluent: once so, always so; of
                                         fluents that were seen to change */
  VECTOR(Counter) counters;
  NumberVector order;
  uint32_t *follower;    /* by fluent in a group, while sampling: fluent + 1; 0:
                            not seen */
  bool *irregular;       /* by fluent: it was followed by different ones */
  uint64_t *rose, *fell; /* by fluent: lanes */
} Changes;

void changes_init(Changes *changes, const Net *net);
void changes_free(Changes *changes);
void changes_look(Changes *changes, const OneHot *onehot, const Sample *sample);
void changes_conclude(Changes *changes, const OneHot *onehot, const Net *net);
void changes_prove(Changes *changes, const Net *net, Prover *prover);

#endif
