/* One-hot groups across functors, such as (placeControl red) and (rotateControl
   red). Candidates are functors at most one fact of which is true; those that
   were never true together in random games are united if exactly one of their
   facts was true in every state. The united group becomes the main group of its
   fluents. */
#include "analyse/onehot.h"

enum { MOST_CANDIDATES = 32, MOST_MEMBERS = 64, STEPS = 60 };

typedef struct Candidate {
  uint32_t group;  /* + 1; 0: a single fluent */
  uint32_t fluent; /* the single one, or the group's first member */
  uint64_t seen[STEPS];
} Candidate;

typedef struct Union {
  Candidate list[MOST_CANDIDATES];
  uint32_t count;
} Union;

static bool is_whole_functor(const OneHotGroup *group, const Net *net,
                             const Terms *terms, uint32_t first) {
  uint32_t arity = term_arity(terms, net->fluents.data[first].term);
  return arity < 32 && group->varying == ((uint32_t)1 << arity) - 1;
}

/* Lists groups that sometimes have no true member, and facts without
   arguments. */
static void find_candidates(Union *all, const OneHot *onehot, const Net *net,
                            const Terms *terms) {
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    uint32_t first = onehot_members(onehot, group)[0];
    if (!group->main || group->at_least || group->count > MOST_MEMBERS ||
        !is_whole_functor(group, net, terms, first) ||
        all->count == MOST_CANDIDATES)
      continue;
    all->list[all->count++] = (Candidate){.group = g + 1, .fluent = first};
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (term_arity(terms, net->fluents.data[i].term) == 0 &&
        all->count < MOST_CANDIDATES)
      all->list[all->count++] = (Candidate){.fluent = i};
}

static void look(Union *all, const OneHot *onehot, Sample *sample) {
  for (uint32_t step = 0; step < STEPS; step++) {
    sample_step(sample);
    for (uint32_t c = 0; c < all->count; c++) {
      Candidate *candidate = &all->list[c];
      uint64_t *seen = &candidate->seen[step];
      *seen = sample->state[candidate->fluent];
      if (!candidate->group) continue;
      const OneHotGroup *group = &onehot->groups.data[candidate->group - 1];
      for (uint32_t i = 0; i < group->count; i++)
        *seen |= sample->state[onehot_members(onehot, group)[i]];
    }
  }
}

/* Adds `more` to `sum`, step by step, unless both are ever true at once. */
static bool add_apart(uint64_t *sum, const uint64_t *more) {
  for (uint32_t step = 0; step < STEPS; step++)
    if (sum[step] & more[step]) return false;
  for (uint32_t step = 0; step < STEPS; step++) sum[step] |= more[step];
  return true;
}

static bool always(const uint64_t *sum) {
  for (uint32_t step = 0; step < STEPS; step++)
    if (~sum[step]) return false;
  return true;
}

static void add_member(OneHot *onehot, OneHotGroup *group, uint32_t fluent) {
  vector_push(&onehot->members, fluent);
  onehot->group_of[fluent] = onehot->groups.count + 1;
  group->count++;
}

static void make_group(OneHot *onehot, const Union *all, const bool *chosen) {
  OneHotGroup united = {onehot->members.count,
                        0,
                        EVIDENCE_SAMPLED,
                        EVIDENCE_SAMPLED,
                        1,
                        UINT32_MAX,
                        true};
  for (uint32_t c = 0; c < all->count; c++) {
    const Candidate *candidate = &all->list[c];
    if (!chosen[c]) continue;
    if (!candidate->group) {
      add_member(onehot, &united, candidate->fluent);
      continue;
    }
    OneHotGroup *group = &onehot->groups.data[candidate->group - 1];
    group->main = false;
    for (uint32_t i = 0; i < group->count; i++)
      add_member(onehot, &united, onehot->members.data[group->first + i]);
  }
  vector_push(&onehot->groups, united);
}

void onehot_unite(OneHot *onehot, const Net *net, const Terms *terms,
                  Sample *sample) {
  Union *all = memory_new(sizeof *all);
  bool used[MOST_CANDIDATES] = {false};
  find_candidates(all, onehot, net, terms);
  if (all->count > 1) look(all, onehot, sample);
  for (uint32_t first = 0; first + 1 < all->count; first++) {
    uint64_t sum[STEPS] = {0};
    bool chosen[MOST_CANDIDATES] = {false};
    uint32_t count = 0;
    for (uint32_t c = first; c < all->count; c++) {
      chosen[c] = !used[c] && add_apart(sum, all->list[c].seen);
      count += chosen[c];
    }
    if (count < 2 || !chosen[first] || !always(sum)) continue;
    make_group(onehot, all, chosen);
    for (uint32_t c = 0; c < all->count; c++) used[c] |= chosen[c];
  }
  memory_delete(all);
}
