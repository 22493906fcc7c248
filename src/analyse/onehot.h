/* Groups of fluents at most one, or exactly one, of which is true: the contents
   of a square, whose turn it is, the step counter. Candidates are facts of one
   functor that differ only in certain arguments; those that random games do not
   contradict are proved by induction if possible. */
#ifndef TAFL_ANALYSE_ONEHOT_H
#define TAFL_ANALYSE_ONEHOT_H

#include "analyse/evidence.h"
#include "analyse/prover.h"
#include "analyse/sample.h"

typedef struct OneHotGroup {
  uint32_t first, count;      /* fluents, in OneHot.members */
  Evidence at_most, at_least; /* one is true */
  uint32_t varying;           /* arguments in which they differ, as bits */
  uint32_t functor;           /* a number shared by groups of one functor */
  bool main;                  /* if not, its fluents also are in a main group */
} OneHotGroup;

typedef struct OneHot {
  NumberVector members;
  VECTOR(OneHotGroup) groups; /* by functor, functors with few fluents first */
  uint32_t *group_of;         /* by fluent: main group + 1; 0: none */
} OneHot;

void onehot_init(OneHot *onehot, const Net *net, const Terms *terms,
                 Sample *sample, double seconds);
/* Adds groups across functors; to be called between the other two. */
void onehot_unite(OneHot *onehot, const Net *net, const Terms *terms,
                  Sample *sample);
void onehot_free(OneHot *onehot);
void onehot_prove(OneHot *onehot, const Net *net, Prover *prover);

/* Returns true if the state has all groups that are proved. They are proved of
   the states after the initial one, and hold after any state that has them. */
bool onehot_holds(const OneHot *onehot, const uint64_t *state);
/* Lets the prover assume them. */
void onehot_assume(const OneHot *onehot, Prover *prover);

static inline const uint32_t *onehot_members(const OneHot *onehot,
                                             const OneHotGroup *group) {
  return onehot->members.data + group->first;
}

#endif
