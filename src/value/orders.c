#include "value/orders.h"

#include <string.h>

#include "base/hash.h"
#include "base/trial.h"

/* Chains longer than this are taken for something else. */
enum { LONGEST_CHAIN = 4096 };

/* ---- chains ---- */

/* The facts of one predicate: who follows whom. */
typedef struct Links {
  Term *after, *before; /* by term; 0: nobody */
  TermVector heads;     /* that somebody follows, */
  TermVector tails;     /* and the followers */
  bool broken;          /* somebody has two followers or two predecessors */
} Links;

static void link_facts(const Rules *rules, Symbol name, Links *links) {
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    if (rule->count || term_symbol(&rules->terms, rule->head) != name ||
        term_arity(&rules->terms, rule->head) != 2)
      continue;
    Term from = term_argument(&rules->terms, rule->head, 0);
    Term to = term_argument(&rules->terms, rule->head, 1);
    if (links->after[from] == to) continue; /* written twice */
    links->broken |= links->after[from] || links->before[to] || from == to;
    links->after[from] = to;
    links->before[to] = from;
    vector_push(&links->heads, from);
    vector_push(&links->tails, to);
  }
}

static void unlink_facts(Links *links) {
  for (uint32_t i = 0; i < links->heads.count; i++) {
    links->after[links->heads.data[i]] = 0;
    links->before[links->tails.data[i]] = 0;
  }
  vector_clear(&links->heads);
  vector_clear(&links->tails);
  links->broken = false;
}

/* Adds the chains of a relation that has no cycle: every link is reached from
   somebody without a predecessor. */
static void add_chains(Orders *orders, Symbol name, const Links *links) {
  uint32_t reached = 0, before = orders->chains.count;
  for (uint32_t i = 0; i < links->heads.count; i++) {
    Term head = links->heads.data[i];
    if (links->before[head]) continue;
    OrdersChain chain = {.name = name};
    for (Term at = head; at; at = links->after[at])
      vector_push(&chain.values, at);
    reached += chain.values.count - 1;
    vector_push(&orders->chains, chain);
  }
  if (reached == links->heads.count) return;
  for (uint32_t c = before; c < orders->chains.count; c++)
    vector_free(&orders->chains.data[c].values);
  orders->chains.count = before;
}

static void find_chains(Orders *orders, const Rules *rules) {
  Links links = {0};
  size_t terms = rules->terms.nodes.count;
  TermVector tried = {0}; /* names, as numbers */
  links.after = memory_new(2 * terms * sizeof *links.after);
  links.before = links.after + terms;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    Symbol name = term_symbol(&rules->terms, rule->head);
    if (rule->count || term_arity(&rules->terms, rule->head) != 2 ||
        name < SYMBOL_FIRST_FREE || term_vector_contains(&tried, name))
      continue;
    trial_check();
    vector_push(&tried, name);
    link_facts(rules, name, &links);
    if (!links.broken && links.heads.count < LONGEST_CHAIN)
      add_chains(orders, name, &links);
    unlink_facts(&links);
  }
  vector_free(&tried);
  vector_free(&links.heads);
  vector_free(&links.tails);
  memory_delete(links.after);
}

/* ---- kinds ---- */

static void find_kinds(Orders *orders) {
  const Terms *terms = orders->terms;
  Map by_functor = {0};
  for (uint32_t f = 0; f < orders->net->fluents.count; f++) {
    Term term = orders->net->fluents.data[f].term;
    Symbol functor = term_symbol(terms, term);
    uint32_t arity = term_arity(terms, term);
    MapCursor at;
    uint32_t found = map_first(&by_functor, hash_pair(functor, arity), &at);
    while (found && (orders->kinds.data[found - 1].functor != functor ||
                     orders->kinds.data[found - 1].arity != arity))
      found = map_next(&by_functor, &at);
    if (!found) {
      OrdersKind kind = {.functor = functor, .arity = arity};
      vector_push(&orders->kinds, kind);
      found = orders->kinds.count;
      map_insert(&by_functor, &at, found);
    }
    orders->kind_of[f] = found - 1;
    vector_push(&orders->kinds.data[found - 1].fluents, f);
    orders->first[f] = orders->ranks.count;
    for (uint32_t a = 0; a < arity; a++) vector_push(&orders->ranks, -1);
  }
  map_free(&by_functor);
}

/* Sets the ranks of an argument by `place`, which has the place + 1 of a value
   in a chain, by term. Returns false, and sets none, if a value has none. */
static bool rank(Orders *orders, OrdersKind *kind, uint32_t argument,
                 const uint32_t *place) {
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t i = 0; i < kind->fluents.count; i++) {
    Term term = orders->net->fluents.data[kind->fluents.data[i]].term;
    uint32_t own = place[term_argument(orders->terms, term, argument)];
    if (!own) return false;
    if (own < least) least = own;
    if (own > most) most = own;
  }
  if (least >= most) return false;
  for (uint32_t i = 0; i < kind->fluents.count; i++) {
    uint32_t fluent = kind->fluents.data[i];
    Term term = orders->net->fluents.data[fluent].term;
    orders->ranks.data[orders->first[fluent] + argument] =
        (int32_t)(place[term_argument(orders->terms, term, argument)] - least);
  }
  kind->ordered |= (uint32_t)1 << argument;
  kind->span[argument] = most - least;
  return true;
}

static bool rank_by_chain(Orders *orders, OrdersKind *kind, uint32_t argument,
                          uint32_t chain, uint32_t *place) {
  const TermVector *values = &orders->chains.data[chain].values;
  for (uint32_t i = 0; i < values->count; i++) place[values->data[i]] = i + 1;
  bool fine = rank(orders, kind, argument, place);
  for (uint32_t i = 0; i < values->count; i++) place[values->data[i]] = 0;
  kind->chain[argument] = chain;
  return fine;
}

/* Makes a chain of the numbers that the argument takes, if it takes only
   small ones. */
static bool rank_by_number(Orders *orders, OrdersKind *kind, uint32_t argument,
                           uint32_t *place) {
  OrdersChain chain = {0};
  bool fine = true;
  for (uint32_t i = 0; i < kind->fluents.count && fine; i++) {
    Term term = orders->net->fluents.data[kind->fluents.data[i]].term;
    Term value = term_argument(orders->terms, term, argument);
    int64_t number = term_number(orders->terms, value);
    fine = number >= 0 && number < LONGEST_CHAIN;
    if (!fine || place[value]) continue;
    place[value] = (uint32_t)number + 1;
    vector_push(&chain.values, value);
  }
  fine = fine && rank(orders, kind, argument, place);
  for (uint32_t i = 0; i < chain.values.count; i++)
    place[chain.values.data[i]] = 0;
  if (!fine) {
    vector_free(&chain.values);
    return false;
  }
  term_sort(orders->terms, chain.values.data, chain.values.count);
  kind->chain[argument] = orders->chains.count;
  vector_push(&orders->chains, chain);
  return true;
}

static void find_ranks(Orders *orders) {
  uint32_t *place = memory_new(orders->terms->nodes.count * sizeof *place);
  uint32_t chains = orders->chains.count; /* of the rules */
  for (uint32_t k = 0; k < orders->kinds.count; k++) {
    OrdersKind *kind = &orders->kinds.data[k];
    for (uint32_t a = 0; a < kind->arity && a < 32; a++) {
      bool found = false;
      trial_check();
      for (uint32_t c = 0; c < chains && !found; c++)
        found = rank_by_chain(orders, kind, a, c, place);
      if (!found) rank_by_number(orders, kind, a, place);
    }
  }
  memory_delete(place);
}

/* ---- counters ---- */

/* Clocks that go round are no step counters: they say whose turn it is. */
static void find_counters(Orders *orders, const Analysis *analysis) {
  for (uint32_t c = 0; c < analysis->changes.counters.count; c++) {
    const Counter *counter = &analysis->changes.counters.data[c];
    for (uint32_t i = 0; i < counter->count && !counter->cyclic; i++)
      orders->counts[analysis->changes.order.data[counter->first + i]] = true;
  }
}

void orders_init(Orders *orders, const Analysis *analysis) {
  uint32_t fluents = analysis->net->fluents.count;
  *orders = (Orders){.net = analysis->net,
                     .terms = &analysis->description->rules.terms};
  orders->kind_of = memory_new((fluents + 1) * sizeof *orders->kind_of);
  orders->first = memory_new((fluents + 1) * sizeof *orders->first);
  orders->counts = memory_new((fluents + 1) * sizeof *orders->counts);
  find_chains(orders, &analysis->description->rules);
  find_kinds(orders);
  find_ranks(orders);
  find_counters(orders, analysis);
}

void orders_free(Orders *orders) {
  for (uint32_t i = 0; i < orders->chains.count; i++)
    vector_free(&orders->chains.data[i].values);
  for (uint32_t i = 0; i < orders->kinds.count; i++)
    vector_free(&orders->kinds.data[i].fluents);
  vector_free(&orders->chains);
  vector_free(&orders->kinds);
  vector_free(&orders->ranks);
  memory_delete(orders->kind_of);
  memory_delete(orders->first);
  memory_delete(orders->counts);
}

/* ---- text ---- */

static void write_kind(const Orders *orders, const OrdersKind *kind,
                       Text *text) {
  const Symbols *symbols = &orders->terms->symbols;
  for (uint32_t a = 0; a < kind->arity && a < 32; a++) {
    if (!(kind->ordered >> a & 1)) continue;
    const OrdersChain *chain = &orders->chains.data[kind->chain[a]];
    text_format(text, "order: argument %u of %s, %u steps by %s\n", a + 1,
                symbol_text(symbols, kind->functor), kind->span[a],
                chain->name ? symbol_text(symbols, chain->name) : "number");
  }
}

void orders_write(const Orders *orders, Text *text) {
  for (uint32_t k = 0; k < orders->kinds.count; k++) {
    const OrdersKind *kind = &orders->kinds.data[k];
    uint32_t counting = 0;
    for (uint32_t i = 0; i < kind->fluents.count; i++)
      counting += orders->counts[kind->fluents.data[i]];
    if (counting)
      text_format(text, "step counter: %s, %u values\n",
                  symbol_text(&orders->terms->symbols, kind->functor),
                  counting);
    else
      write_kind(orders, kind, text);
  }
}
