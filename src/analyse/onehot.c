/* A split is a set of arguments of a functor; its classes are the facts that
   agree in all other arguments. Random games show for each class whether two of
   its facts were ever true at once, and whether none was. Each functor takes
   the split whose groups cover most fluents (see `better`).

   Proof: assume the claims about all groups of a stage and what was proved
   before, drop the claims that a step may break, and repeat until none breaks
   (Houdini, Flanagan and Leino 2001). Stages are functors, small ones first,
   since proofs about squares need to know whose turn it is and not the other
   way round. */
#include "analyse/onehot.h"

#include "base/bits.h"

#include <stdlib.h>

#include "base/hash.h"

enum { MOST_ARGUMENTS = 5, FEWEST_STEPS = 5, MOST_STEPS = 400 };

typedef struct Class {
  uint64_t key; /* hash of split and agreeing arguments */
  uint64_t one, two;
  uint32_t count;
  bool had_none, had_two;
} Class;

typedef struct Split {
  uint32_t functor; /* number of the run of fluents */
  uint32_t varying;
  uint32_t first, count; /* classes */
  uint32_t *class_of;    /* by fluent of the functor */
} Split;

/* Fluents of one functor, in Finder.sorted. */
typedef struct Run {
  uint32_t first, count, arity;
} Run;

typedef struct Finder {
  const Net *net;
  const Terms *terms;
  uint32_t *sorted;
  VECTOR(Run) runs;
  VECTOR(Split) splits;
  VECTOR(Class) classes;
} Finder;

/* ---- candidates ---- */

typedef struct Place {
  uint64_t key;
  uint32_t fluent;
} Place;

static int by_key(const void *left, const void *right) {
  const Place *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->fluent > b->fluent) - (a->fluent < b->fluent);
}

static uint64_t functor_key(const Terms *terms, Term term) {
  return (uint64_t)term_symbol(terms, term) << 8 | term_arity(terms, term);
}

static void find_runs(Finder *finder) {
  const Net *net = finder->net;
  uint32_t count = net->fluents.count;
  Place *places = memory_new(count * sizeof *places);
  finder->sorted = memory_new(count * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; i++)
    places[i] =
        (Place){functor_key(finder->terms, net->fluents.data[i].term), i};
  qsort(places, count, sizeof *places, by_key);
  for (uint32_t i = 0; i < count; i++) {
    finder->sorted[i] = places[i].fluent;
    if (i == 0 || places[i].key != places[i - 1].key) {
      Run run = {i, 0, (uint32_t)(places[i].key & 255)};
      vector_push(&finder->runs, run);
    }
    vector_last(&finder->runs).count++;
  }
  memory_delete(places);
}

static uint64_t class_key(const Finder *finder, uint32_t fluent,
                          uint32_t varying) {
  Term term = finder->net->fluents.data[fluent].term;
  uint64_t key = varying;
  for (uint32_t i = 0; i < term_arity(finder->terms, term); i++)
    if (!(varying >> i & 1))
      key = hash_pair(key, term_argument(finder->terms, term, i));
  return key;
}

static void add_split(Finder *finder, uint32_t functor, uint32_t varying) {
  Run run = finder->runs.data[functor];
  Split split = {functor, varying, finder->classes.count, 0,
                 memory_new(run.count * sizeof(uint32_t))};
  Place *places = memory_new(run.count * sizeof *places);
  for (uint32_t i = 0; i < run.count; i++)
    places[i] =
        (Place){class_key(finder, finder->sorted[run.first + i], varying), i};
  qsort(places, run.count, sizeof *places, by_key);
  for (uint32_t i = 0; i < run.count; i++) {
    if (i == 0 || places[i].key != places[i - 1].key)
      vector_push(&finder->classes, ((Class){.key = places[i].key}));
    vector_last(&finder->classes).count++;
    split.class_of[places[i].fluent] = finder->classes.count - 1;
  }
  split.count = finder->classes.count - split.first;
  vector_push(&finder->splits, split);
  memory_delete(places);
}

static void find_splits(Finder *finder) {
  for (uint32_t f = 0; f < finder->runs.count; f++) {
    uint32_t arity = finder->runs.data[f].arity;
    if (finder->runs.data[f].count < 2) continue;
    for (uint32_t varying = 1; varying < (uint32_t)1 << arity && arity < 32;
         varying++)
      if (arity <= MOST_ARGUMENTS || (varying & (varying - 1)) == 0)
        add_split(finder, f, varying);
  }
}

/* ---- sampling ---- */

static void look_at(Finder *finder, const Split *split, const Sample *sample) {
  const Run *run = &finder->runs.data[split->functor];
  Class *classes = finder->classes.data;
  for (uint32_t c = split->first; c < split->first + split->count; c++)
    classes[c].one = classes[c].two = 0;
  for (uint32_t i = 0; i < run->count; i++) {
    uint64_t value = sample->state[finder->sorted[run->first + i]];
    Class *class = &classes[split->class_of[i]];
    class->two |= class->one & value;
    class->one |= value;
  }
  for (uint32_t c = split->first; c < split->first + split->count; c++) {
    classes[c].had_two |= classes[c].two != 0;
    classes[c].had_none |= ~classes[c].one != 0;
  }
}

/* ---- choice ---- */

static uint32_t bits(uint32_t number) {
  return (uint32_t)__builtin_popcount(number);
}

static bool is_group(const Class *class, bool exact) {
  return class->count > 1 && !class->had_two && !(exact && class->had_none);
}

static uint32_t coverage(const Finder *finder, const Split *split, bool exact) {
  uint32_t covered = 0;
  for (uint32_t c = split->first; c < split->first + split->count; c++)
    if (is_group(&finder->classes.data[c], exact))
      covered += finder->classes.data[c].count;
  return covered;
}

static uint32_t count_groups(const Finder *finder, const Split *split) {
  uint32_t count = 0;
  for (uint32_t c = split->first; c < split->first + split->count; c++)
    count += is_group(&finder->classes.data[c], false);
  return count;
}

/* Prefers more fluents in groups of at most one, then of exactly one, then
   fewer groups, fewer varying arguments, later ones: (cell x y piece). */
static bool better(const Finder *finder, const Split *a, const Split *b) {
  uint32_t most[2] = {coverage(finder, a, false), coverage(finder, b, false)};
  uint32_t exact[2] = {coverage(finder, a, true), coverage(finder, b, true)};
  if (most[0] != most[1]) return most[0] > most[1];
  if (exact[0] != exact[1]) return exact[0] > exact[1];
  uint32_t groups[2] = {count_groups(finder, a), count_groups(finder, b)};
  if (groups[0] != groups[1]) return groups[0] < groups[1];
  if (bits(a->varying) != bits(b->varying))
    return bits(a->varying) < bits(b->varying);
  return a->varying > b->varying;
}

/* Returns the functor's best split that does not vary the arguments `without`,
   or NULL. */
static const Split *best_split(const Finder *finder, uint32_t functor,
                               uint32_t without) {
  const Split *best = NULL;
  for (uint32_t i = 0; i < finder->splits.count; i++) {
    const Split *split = &finder->splits.data[i];
    if (split->functor == functor && !(split->varying & without) &&
        coverage(finder, split, false) &&
        (!best || better(finder, split, best)))
      best = split;
  }
  return best;
}

static void add_groups(OneHot *onehot, const Finder *finder, const Split *split,
                       bool main) {
  const Run *run = &finder->runs.data[split->functor];
  for (uint32_t c = split->first; c < split->first + split->count; c++) {
    const Class *class = &finder->classes.data[c];
    if (!is_group(class, !main)) continue;
    OneHotGroup group = {onehot->members.count,
                         class->count,
                         EVIDENCE_SAMPLED,
                         class->had_none ? EVIDENCE_NONE : EVIDENCE_SAMPLED,
                         split->varying,
                         split->functor,
                         main};
    for (uint32_t i = 0; i < run->count; i++) {
      if (split->class_of[i] != c) continue;
      uint32_t fluent = finder->sorted[run->first + i];
      if (main) onehot->group_of[fluent] = onehot->groups.count + 1;
      vector_push(&onehot->members, fluent);
    }
    vector_push(&onehot->groups, group);
  }
}

static int by_size(const void *left, const void *right) {
  const Run *a = left, *b = right;
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static void free_finder(Finder *finder) {
  for (uint32_t i = 0; i < finder->splits.count; i++)
    memory_delete(finder->splits.data[i].class_of);
  memory_delete(finder->sorted);
  vector_free(&finder->runs);
  vector_free(&finder->splits);
  vector_free(&finder->classes);
}

void onehot_init(OneHot *onehot, const Net *net, const Terms *terms,
                 Sample *sample, double seconds) {
  Finder finder = {.net = net, .terms = terms};
  *onehot = (OneHot){0};
  onehot->group_of = memory_new(net->fluents.count * sizeof(uint32_t));
  find_runs(&finder);
  if (finder.runs.count)
    qsort(finder.runs.data, finder.runs.count, sizeof(Run), by_size);
  find_splits(&finder);
  uint64_t words = 0;
  for (uint32_t i = 0; i < finder.splits.count; i++)
    words += finder.runs.data[finder.splits.data[i].functor].count;
  for (uint32_t step = 0;
       step < FEWEST_STEPS || (step < MOST_STEPS && sample->seconds < seconds);
       step++) {
    sample_step(sample);
    for (uint32_t i = 0; i < finder.splits.count; i++)
      look_at(&finder, &finder.splits.data[i], sample);
    sample_looked(sample, words);
  }
  for (uint32_t f = 0; f < finder.runs.count; f++) {
    const Split *split = best_split(&finder, f, 0);
    if (!split) continue;
    add_groups(onehot, &finder, split, true);
    split = best_split(&finder, f, split->varying);
    if (split) add_groups(onehot, &finder, split, false);
  }
  free_finder(&finder);
}

void onehot_free(OneHot *onehot) {
  vector_free(&onehot->members);
  vector_free(&onehot->groups);
  memory_delete(onehot->group_of);
}

/* ---- proof ---- */

/* Claims about a group: [0] at most one is true, [1] at least one is. */
typedef struct Claims {
  uint32_t assumption[2]; /* of the prover */
  bool tried[2];
} Claims;

static Evidence *evidence_of(OneHotGroup *group, int at_least) {
  return at_least ? &group->at_least : &group->at_most;
}

static Claims *make_claims(const OneHot *onehot, Prover *prover) {
  Claims *claims = memory_new(onehot->groups.count * sizeof *claims);
  for (uint32_t g = 0; g < onehot->groups.count; g++)
    for (int least = 0; least < 2; least++) {
      const OneHotGroup *group = &onehot->groups.data[g];
      claims[g].assumption[least] = prover_add_assumption(
          prover, onehot_members(onehot, group), group->count, least);
    }
  return claims;
}

/* Returns whether a step preserves the claim. The focus is on the members'
   next values. */
static bool is_kept(Prover *prover, NumberVector *next, int at_least) {
  if (!at_least) return prover_refutes_two(prover, next->data, next->count);
  for (uint32_t i = 0; i < next->count; i++) next->data[i] ^= 1;
  return prover_refutes(prover, next->data, next->count);
}

/* Drops claims about the group that a step may break; returns true if any. */
static bool drop_claims(const OneHot *onehot, const Net *net, Prover *prover,
                        const OneHotGroup *group, Claims *claims) {
  NumberVector next = {0};
  bool dropped = false;
  if (!claims->tried[0] && !claims->tried[1]) return false;
  for (uint32_t i = 0; i < group->count; i++)
    vector_push(&next,
                net->fluents.data[onehot_members(onehot, group)[i]].next);
  prover_focus(prover, next.data, next.count);
  for (int least = 0; least < 2; least++) {
    if (!claims->tried[least] || is_kept(prover, &next, least)) continue;
    claims->tried[least] = false;
    prover_switch(prover, claims->assumption[least], false);
    dropped = true;
  }
  vector_free(&next);
  return dropped;
}

/* Proves groups first … end - 1, given what was proved before. */
static void prove_stage(OneHot *onehot, const Net *net, Prover *prover,
                        Claims *claims, uint32_t first, uint32_t end) {
  for (uint32_t g = first; g < end; g++)
    for (int least = 0; least < 2; least++) {
      OneHotGroup *group = &onehot->groups.data[g];
      bool tried = *evidence_of(group, least) == EVIDENCE_SAMPLED;
      claims[g].tried[least] = tried;
      if (tried) prover_switch(prover, claims[g].assumption[least], true);
    }
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (uint32_t g = first; g < end; g++)
      dropped |=
          drop_claims(onehot, net, prover, &onehot->groups.data[g], &claims[g]);
  }
  for (uint32_t g = first; g < end; g++)
    for (int least = 0; least < 2; least++)
      if (claims[g].tried[least])
        *evidence_of(&onehot->groups.data[g], least) = EVIDENCE_PROVED;
}

/* Proves each functor by itself, then everything that is left together. */
void onehot_prove(OneHot *onehot, const Net *net, Prover *prover) {
  uint32_t count = onehot->groups.count;
  Claims *claims = make_claims(onehot, prover);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && onehot->groups.data[end].functor ==
                                             onehot->groups.data[first].functor;
         end++)
      continue;
    prove_stage(onehot, net, prover, claims, first, end);
  }
  prove_stage(onehot, net, prover, claims, 0, count);
  memory_delete(claims);
}

/* ---- what is proved ---- */

bool onehot_holds(const OneHot *onehot, const uint64_t *state) {
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    uint32_t count = 0;
    for (uint32_t j = 0; j < group->count; j++)
      count += bits_has(state, onehot_members(onehot, group)[j]);
    if ((group->at_most == EVIDENCE_PROVED && count > 1) ||
        (group->at_least == EVIDENCE_PROVED && count < 1))
      return false;
  }
  return true;
}

void onehot_assume(const OneHot *onehot, Prover *prover) {
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    const uint32_t *members = onehot_members(onehot, group);
    if (group->at_most == EVIDENCE_PROVED)
      prover_switch(prover,
                    prover_add_assumption(prover, members, group->count, false),
                    true);
    if (group->at_least == EVIDENCE_PROVED)
      prover_switch(prover,
                    prover_add_assumption(prover, members, group->count, true),
                    true);
  }
}
