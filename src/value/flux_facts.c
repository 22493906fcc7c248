#include "value/flux_facts.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/sample.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/trial.h"

enum {
  SAMPLE_WORK = 20000000, /* gates evaluated, in 64 games at once */
  SAMPLE_MOST = 400,      /* steps */
  SAMPLE_FEWEST = 16,
  SAMPLE_LENGTH = 200, /* steps after which a game begins anew */
  MOST_NEAR = 1 << 20, /* entries of the table */
  MOST_TOKENS = 256    /* of a class that are looked at */
};

/* ---- classes ---- */

static bool same_class(const Orders *orders, uint32_t a, uint32_t b) {
  const OrdersKind *kind = orders_kind(orders, a);
  Term left = orders->net->fluents.data[a].term;
  Term right = orders->net->fluents.data[b].term;
  if (orders->kind_of[a] != orders->kind_of[b]) return false;
  for (uint32_t i = 0; i < kind->arity; i++)
    if (orders_rank(orders, a, i) < 0 &&
        term_argument(orders->terms, left, i) !=
            term_argument(orders->terms, right, i))
      return false;
  return true;
}

static uint64_t class_key(const Orders *orders, uint32_t fluent) {
  uint64_t key = orders->kind_of[fluent];
  Term term = orders->net->fluents.data[fluent].term;
  for (uint32_t i = 0; i < orders_kind(orders, fluent)->arity; i++)
    if (orders_rank(orders, fluent, i) < 0)
      key = hash_pair(key, term_argument(orders->terms, term, i));
  return key;
}

static void find_classes(FluxFacts *facts) {
  const Orders *orders = facts->orders;
  Map by_key = {0};
  for (uint32_t f = 0; f < orders->net->fluents.count; f++) {
    MapCursor at;
    if (!orders_kind(orders, f)->ordered || orders->counts[f]) continue;
    uint32_t found = map_first(&by_key, class_key(orders, f), &at);
    while (
        found &&
        !same_class(orders, facts->classes.data[found - 1].fluents.data[0], f))
      found = map_next(&by_key, &at);
    if (!found) {
      vector_push(&facts->classes, (FluxClass){0});
      found = facts->classes.count;
      map_insert(&by_key, &at, found);
    }
    facts->class_of[f] = found;
    vector_push(&facts->classes.data[found - 1].fluents, f);
  }
  map_free(&by_key);
}

/* ---- what moves ---- */

static void look(FluxFacts *facts, const Sample *sample) {
  const Net *net = sample->net;
  for (uint32_t c = 0; c < facts->classes.count; c++) {
    FluxClass *class = &facts->classes.data[c];
    uint64_t rose = 0, fell = 0;
    for (uint32_t i = 0; i < class->fluents.count; i++) {
      uint32_t fluent = class->fluents.data[i];
      uint64_t next = sample_value(sample, net->fluents.data[fluent].next);
      rose |= next & ~sample->state[fluent];
      fell |= sample->state[fluent] & ~next;
    }
    rose &= sample->moving;
    class->rises += (uint64_t)__builtin_popcountll(rose);
    class->moves += (uint64_t)__builtin_popcountll(rose & fell);
  }
}

static void find_movers(FluxFacts *facts, uint64_t seed) {
  const Net *net = facts->orders->net;
  Sample sample;
  uint32_t steps = SAMPLE_WORK / (net->gates.count + 1);
  if (steps > SAMPLE_MOST) steps = SAMPLE_MOST;
  if (steps < SAMPLE_FEWEST) steps = SAMPLE_FEWEST;
  sample_init(&sample, net, seed, SAMPLE_LENGTH);
  for (uint32_t i = 0; i < steps; i++) {
    sample_step(&sample);
    look(facts, &sample);
  }
  sample_free(&sample);
}

/* ---- nearness ---- */

static void choose_classes(FluxFacts *facts) {
  for (uint32_t i = 0; i < facts->list.count; i++) {
    uint32_t class = facts->class_of[facts->list.data[i].fluent];
    if (class && facts->list.data[i].wanted)
      facts->classes.data[class - 1].targets++;
  }
  for (uint32_t c = 0; c < facts->classes.count; c++) {
    FluxClass *class = &facts->classes.data[c];
    class->near = class->moves * 2 > class->rises && class->targets &&
                  class->targets * 2 <= class->fluents.count;
  }
}

static uint32_t steps_between(const Orders *orders, uint32_t a, uint32_t b,
                              uint32_t *most) {
  const OrdersKind *kind = orders_kind(orders, a);
  uint32_t steps = 0;
  *most = 0;
  for (uint32_t i = 0; i < kind->arity && i < 32; i++) {
    if (!(kind->ordered >> i & 1)) continue;
    steps +=
        (uint32_t)abs(orders_rank(orders, a, i) - orders_rank(orders, b, i));
    *most += kind->span[i];
  }
  return steps;
}

static void measure(FluxFacts *facts, FluxFact *fact) {
  uint32_t number = facts->class_of[fact->fluent], most;
  if (!number || !fact->wanted || !facts->classes.data[number - 1].near) return;
  const FluxClass *class = &facts->classes.data[number - 1];
  if (facts->near.count + class->fluents.count > MOST_NEAR) return;
  trial_check();
  fact->class = number;
  fact->first_near = facts->near.count;
  for (uint32_t i = 0; i < class->fluents.count; i++) {
    uint32_t steps = steps_between(facts->orders, fact->fluent,
                                   class->fluents.data[i], &most);
    double nearness = 1 - (double)steps / (double)most;
    double degree = (1 - fuzzy_p) + (fuzzy_p - fuzzy_t) * nearness;
    vector_push(&facts->near, fuzzy_power(1 - degree));
  }
}

/* ---- what is lost ---- */

static void find_rivals(FluxFacts *facts, FluxFact *fact,
                        const Analysis *analysis) {
  uint32_t group = analysis->onehot.group_of[fact->fluent];
  const Changes *changes = &analysis->changes;
  fact->lost = changes->stays_false[fact->fluent] != EVIDENCE_NONE;
  fact->first_rival = facts->rivals.count;
  if (!group) return;
  const OneHotGroup *own = &analysis->onehot.groups.data[group - 1];
  const uint32_t *members = onehot_members(&analysis->onehot, own);
  for (uint32_t i = 0; i < own->count; i++) {
    uint32_t other = members[i];
    if (other == fact->fluent || changes->stays_true[other] == EVIDENCE_NONE)
      continue;
    uint32_t at = fact->first_rival;
    while (at < facts->rivals.count &&
           facts->rivals.data[at].word != other / 64)
      at++;
    if (at == facts->rivals.count)
      vector_push(&facts->rivals, ((FluxRivals){.word = other / 64}));
    facts->rivals.data[at].mask |= bits_of(other);
  }
  fact->rivals = facts->rivals.count - fact->first_rival;
}

static bool lost(const FluxFacts *facts, const FluxFact *fact,
                 const uint64_t *state) {
  if (fact->lost) return true;
  for (uint32_t i = 0; i < fact->rivals; i++) {
    const FluxRivals *part = &facts->rivals.data[fact->first_rival + i];
    if (state[part->word] & part->mask) return true;
  }
  return false;
}

/* ---- all facts ---- */

static void list_facts(FluxFacts *facts, const Cone *cone, uint32_t goals) {
  bool *seen = memory_new((2 * (size_t)cone->gates.count + 1) * sizeof *seen);
  cone_depend(cone, goals, seen);
  for (uint32_t g = 0; g < cone->gates.count; g++) {
    FluxFact fact = {
        .fluent = cone->gates.data[g].first, .gate = g, .wanted = seen[2 * g]};
    if (cone->gates.data[g].kind == GATE_FLUENT)
      vector_push(&facts->list, fact);
  }
  memory_delete(seen);
}

void flux_facts_init(FluxFacts *facts, const Analysis *analysis,
                     const Orders *orders, const Cone *cone, uint32_t goals,
                     uint64_t seed) {
  *facts = (FluxFacts){.orders = orders};
  facts->class_of =
      memory_new((orders->net->fluents.count + 1) * sizeof *facts->class_of);
  list_facts(facts, cone, goals);
  find_classes(facts);
  find_movers(facts, seed);
  choose_classes(facts);
  for (uint32_t i = 0; i < facts->list.count; i++) {
    measure(facts, &facts->list.data[i]);
    find_rivals(facts, &facts->list.data[i], analysis);
  }
  facts->yes[0] = facts->no[1] = fuzzy_power(fuzzy_p);
  facts->yes[1] = facts->no[0] = fuzzy_power(1 - fuzzy_p);
  facts->never[0] = 1;
  facts->near_most = fuzzy_power(fuzzy_t);
}

void flux_facts_free(FluxFacts *facts) {
  for (uint32_t c = 0; c < facts->classes.count; c++)
    vector_free(&facts->classes.data[c].fluents);
  vector_free(&facts->classes);
  vector_free(&facts->list);
  vector_free(&facts->rivals);
  vector_free(&facts->near);
  memory_delete(facts->class_of);
}

/* ---- states ---- */

/* Lists the true fluents of the class, by their places in it. */
static uint32_t list_tokens(const FluxClass *class, const uint64_t *state,
                            uint32_t *tokens) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < class->fluents.count && count < MOST_TOKENS; i++)
    if (bits_has(state, class->fluents.data[i])) tokens[count++] = i;
  return count;
}

void flux_facts_set(const FluxFacts *facts, const Fuzzy *fuzzy,
                    const uint64_t *state, float *power) {
  uint32_t tokens[MOST_TOKENS], count = 0, class = 0;
  for (uint32_t i = 0; i < facts->list.count; i++) {
    const FluxFact *fact = &facts->list.data[i];
    float *own = power + 2 * (size_t)fact->gate;
    const float *plain = facts->no;
    if (bits_has(state, fact->fluent))
      plain = facts->yes;
    else if (lost(facts, fact, state))
      plain = facts->never;
    own[0] = plain[0];
    own[1] = plain[1];
    if (!fact->class || plain != facts->no) continue;
    if (class != fact->class)
      count = list_tokens(&facts->classes.data[fact->class - 1], state, tokens);
    class = fact->class;
    float sum = 0;
    for (uint32_t t = 0; t < count; t++)
      sum += facts->near.data[fact->first_near + tokens[t]];
    if (sum > facts->near_most) sum = facts->near_most;
    own[1] = sum;
    own[0] = fuzzy_negation(fuzzy, sum);
  }
}

void flux_facts_write(const FluxFacts *facts, Text *text) {
  const Orders *orders = facts->orders;
  for (uint32_t c = 0; c < facts->classes.count; c++) {
    const FluxClass *class = &facts->classes.data[c];
    if (!class->near) continue;
    text_add(text, "distance: of facts like ");
    term_write(orders->terms,
               orders->net->fluents.data[class->fluents.data[0]].term, text);
    text_format(text, ", to %u of %u places\n", class->targets,
                class->fluents.count);
  }
}
