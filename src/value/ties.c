/* Kinds that are not blank, and numbers: one-hot groups that vary in one
   argument whose values are ordered by number or by facts of the rules, such as
   (score white 12).

   How far a kind has come along each coordinate, and how far it is from the
   ends, were tried as well: with them, the log-loss of 300,000 states of random
   games on games of strong players was greater in connectFour (0.661 to 0.668),
   breakthrough (0.650 to 0.654), reversi (0.666 to 0.669) and skirmish (0.308
   to 0.310), and less only in checkers-mustjump (0.6454 to 0.6446). */
#include "value/ties.h"

#include <stdlib.h>

#include "base/trial.h"

/* A tie with its fluent, before they are sorted by fluent. */
typedef struct Loose {
  uint32_t fluent;
  Tie tie;
} Loose;
typedef VECTOR(Loose) LooseTies;

static int by_fluent(const void *left, const void *right) {
  const Loose *a = left, *b = right;
  if (a->fluent != b->fluent) return a->fluent < b->fluent ? -1 : 1;
  return (a->tie.feature > b->tie.feature) - (a->tie.feature < b->tie.feature);
}

static void tie_kind(Ties *ties, const Kinds *kinds, uint32_t k,
                     LooseTies *loose) {
  const Kind *kind = &kinds->list.data[k];
  uint32_t feature = ties->features.count;
  trial_check();
  if (kind->blank || kind->fluents < 2) return;
  vector_push(&ties->features, ((LinearFeature){FEATURE_KIND, k, 0}));
  for (uint32_t f = 0; f < kinds->analysis->net->fluents.count; f++)
    if (kinds->of_fluent[f] == k + 1)
      vector_push(loose, ((Loose){f, {feature, 1}}));
}

/* ---- numbers ---- */

static uint32_t find(const TermVector *values, Term term) {
  uint32_t at = 0;
  while (values->data[at] != term) at++;
  return at;
}

static void tie_number(Ties *ties, const Kinds *kinds, const uint32_t *members,
                       uint32_t count, uint32_t argument, LooseTies *loose) {
  const Net *net = kinds->analysis->net;
  const Rules *rules = &kinds->analysis->description->rules;
  TermVector values = {0};
  uint32_t feature = ties->features.count;
  for (uint32_t i = 0; i < count; i++)
    vector_push(&values,
                term_argument(&rules->terms, net->fluents.data[members[i]].term,
                              argument));
  PlacesOrder order = places_order(rules, &values);
  if (order == PLACES_NUMBERS || order == PLACES_RULES) {
    vector_push(&ties->features,
                ((LinearFeature){FEATURE_NUMBER, members[0], argument}));
    for (uint32_t i = 0; i < count; i++) {
      Term value = term_argument(&rules->terms,
                                 net->fluents.data[members[i]].term, argument);
      float rank = (float)find(&values, value) / (float)(count - 1);
      vector_push(loose, ((Loose){members[i], {feature, rank}}));
    }
  }
  vector_free(&values);
}

static void tie_numbers(Ties *ties, const Kinds *kinds, const bool *counts,
                        LooseTies *loose) {
  const OneHot *onehot = &kinds->analysis->onehot;
  uint32_t found = 0;
  for (uint32_t g = 0; g < onehot->groups.count && found < TIES_NUMBERS; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    const uint32_t *members = onehot_members(onehot, group);
    trial_check();
    /* Groups across functors vary in no argument that all of them have. */
    if (!group->main || __builtin_popcount(group->varying) != 1 ||
        group->count < 3 || group->count > TIES_NUMBERS || counts[members[0]])
      continue;
    uint32_t argument = (uint32_t)__builtin_ctz(group->varying),
             before = ties->features.count;
    tie_number(ties, kinds, members, group->count, argument, loose);
    found += ties->features.count - before;
  }
}

/* ---- all ---- */

void ties_init(Ties *ties, const Kinds *kinds, const bool *counts) {
  uint32_t fluents = kinds->analysis->net->fluents.count;
  LooseTies loose = {0};
  *ties = (Ties){0};
  ties->first = memory_new((fluents + 1) * sizeof *ties->first);
  for (uint32_t k = 0; k < kinds->list.count; k++)
    tie_kind(ties, kinds, k, &loose);
  tie_numbers(ties, kinds, counts, &loose);
  if (loose.count)
    qsort(loose.data, loose.count, sizeof *loose.data, by_fluent);
  for (uint32_t f = 0, i = 0; f < fluents; f++) {
    for (; i < loose.count && loose.data[i].fluent == f; i++)
      vector_push(&ties->list, loose.data[i].tie);
    ties->first[f + 1] = i;
  }
  vector_free(&loose);
}

void ties_free(Ties *ties) {
  vector_free(&ties->features);
  vector_free(&ties->list);
  memory_delete(ties->first);
}
