#include "value/candidates.h"

#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/trial.h"

enum {
  FEW_VALUES = 16,     /* of an argument that is replaced by constants */
  MOST_TRIED = 8192,   /* expressions */
  MOST_PARTIAL = 4096, /* gates: larger formulas take too long */
  MOST_ARGUMENTS = 32  /* of facts that are looked at */
};

/* ---- facts that match ---- */

static bool matches(const Orders *orders, uint32_t fluent,
                    const Term *constants) {
  Term term = orders->net->fluents.data[fluent].term;
  for (uint32_t a = 0; a < term_arity(orders->terms, term); a++)
    if (constants[a] && constants[a] != term_argument(orders->terms, term, a))
      return false;
  return true;
}

static int32_t weight_of(const Candidates *candidates,
                         const Candidate *candidate, uint32_t fluent) {
  const Term *constants = candidates->constants.data + candidate->constants;
  if (!matches(&candidates->orders, fluent, constants)) return 0;
  return candidate->class == CANDIDATE_NUMBER
             ? 1
             : orders_rank(&candidates->orders, fluent, candidate->argument);
}

/* Returns true if the expression has not been tried before. */
static bool untried(Candidates *candidates, CandidateClass class, uint32_t kind,
                    const Term *constants, uint32_t argument) {
  uint64_t hash = hash_pair(hash_pair(class, kind), argument);
  MapCursor at;
  for (uint32_t a = 0; a < candidates->orders.kinds.data[kind].arity; a++)
    hash = hash_pair(hash, constants[a]);
  uint32_t found = map_first(&candidates->tried, hash, &at);
  while (found && candidates->tried_hashes.data[found - 1] != hash)
    found = map_next(&candidates->tried, &at);
  if (found || candidates->tried_hashes.count >= MOST_TRIED) return false;
  vector_push(&candidates->tried_hashes, hash);
  map_insert(&candidates->tried, &at, candidates->tried_hashes.count);
  return true;
}

/* Adds a candidate unless it is empty or is there. Returns false if it cannot
   be used or there is no more room. */
static bool add(Candidates *candidates, CandidateClass class, uint32_t kind,
                const Term *constants, uint32_t argument) {
  const OrdersKind *own = &candidates->orders.kinds.data[kind];
  Candidate candidate = {.class = class,
                         .kind = kind,
                         .constants = candidates->constants.count,
                         .argument = argument};
  if (candidates->list.count >= CANDIDATES_MOST ||
      !untried(candidates, class, kind, constants, argument))
    return false;
  trial_check();
  for (uint32_t a = 0; a < own->arity; a++)
    vector_push(&candidates->constants, constants[a]);
  for (uint32_t i = 0; i < own->fluents.count; i++) {
    int32_t weight = weight_of(candidates, &candidate, own->fluents.data[i]);
    if (weight > 0)
      candidate.identity += hash_pair(own->fluents.data[i], (uint64_t)weight);
  }
  bool fresh = candidate.identity != 0;
  for (uint32_t i = 0; i < candidates->list.count; i++)
    fresh &= candidates->list.data[i].identity != candidate.identity;
  if (fresh)
    vector_push(&candidates->list, candidate);
  else
    candidates->constants.count = candidate.constants;
  return fresh;
}

/* The number of an expression, and its distances along ordered arguments that
   are left open. */
static void add_expression(Candidates *candidates, uint32_t kind,
                           const Term *constants) {
  const OrdersKind *own = &candidates->orders.kinds.data[kind];
  if (!add(candidates, CANDIDATE_NUMBER, kind, constants, 0)) return;
  for (uint32_t a = 0; a < own->arity; a++)
    if (own->ordered >> a & 1 && !constants[a])
      add(candidates, CANDIDATE_DISTANCE, kind, constants, a);
}

/* ---- expressions ---- */

static uint32_t count_values(const Orders *orders, const OrdersKind *kind,
                             uint32_t argument) {
  Term values[FEW_VALUES + 1];
  uint32_t count = 0;
  for (uint32_t i = 0; i < kind->fluents.count && count <= FEW_VALUES; i++) {
    Term term = orders->net->fluents.data[kind->fluents.data[i]].term;
    Term own = term_argument(orders->terms, term, argument);
    uint32_t at = 0;
    while (at < count && values[at] != own) at++;
    if (at == count) values[count++] = own;
  }
  return count;
}

/* Adds the expression with the fact's constants for the arguments in `bits`. */
static void add_special(Candidates *candidates, uint32_t kind,
                        const Term *constants, uint32_t fluent, uint32_t bits) {
  Term special[MOST_ARGUMENTS];
  const OrdersKind *own = &candidates->orders.kinds.data[kind];
  Term term = candidates->orders.net->fluents.data[fluent].term;
  memcpy(special, constants, own->arity * sizeof *special);
  for (uint32_t a = 0; a < own->arity; a++)
    if (bits >> a & 1)
      special[a] = term_argument(candidates->orders.terms, term, a);
  add_expression(candidates, kind, special);
}

/* Adds the expression with one more constant, for each argument of few
   values. */
static void add_with_one(Candidates *candidates, uint32_t kind,
                         const Term *constants) {
  const OrdersKind *own = &candidates->orders.kinds.data[kind];
  for (uint32_t a = 0; a < own->arity; a++) {
    if (constants[a] || count_values(&candidates->orders, own, a) > FEW_VALUES)
      continue;
    for (uint32_t i = 0; i < own->fluents.count; i++)
      if (matches(&candidates->orders, own->fluents.data[i], constants))
        add_special(candidates, kind, constants, own->fluents.data[i],
                    (uint32_t)1 << a);
  }
}

/* Adds the expression with constants for all arguments without an order, and
   all these with one more. */
static void add_with_constants(Candidates *candidates, uint32_t kind,
                               const Term *constants) {
  const OrdersKind *own = &candidates->orders.kinds.data[kind];
  uint32_t before = candidates->list.count;
  add_expression(candidates, kind, constants);
  for (uint32_t i = 0; i < own->fluents.count; i++)
    if (matches(&candidates->orders, own->fluents.data[i], constants))
      add_special(candidates, kind, constants, own->fluents.data[i],
                  ~own->ordered);
  for (uint32_t i = before, end = candidates->list.count; i < end; i++) {
    Term special[MOST_ARGUMENTS];
    if (candidates->list.data[i].class != CANDIDATE_NUMBER) continue;
    const Term *from =
        candidates->constants.data + candidates->list.data[i].constants;
    for (uint32_t j = 0; j < own->arity; j++) special[j] = from[j];
    add_with_one(candidates, kind, special);
  }
}

static void add_fact(Candidates *candidates, Term fact) {
  const Orders *orders = &candidates->orders;
  Term constants[MOST_ARGUMENTS];
  uint32_t arity = term_arity(orders->terms, fact), kind = 0;
  while (
      kind < orders->kinds.count &&
      (orders->kinds.data[kind].functor != term_symbol(orders->terms, fact) ||
       orders->kinds.data[kind].arity != arity))
    kind++;
  if (kind == orders->kinds.count || arity > MOST_ARGUMENTS) return;
  for (uint32_t a = 0; a < arity; a++) {
    Term own = term_argument(orders->terms, fact, a);
    constants[a] = term_is_ground(orders->terms, own) ? own : 0;
  }
  add_with_constants(candidates, kind, constants);
}

static void add_atom(Candidates *candidates, Term atom) {
  const Terms *terms = candidates->orders.terms;
  Symbol name = term_symbol(terms, atom);
  if ((name == SYMBOL_TRUE || name == SYMBOL_NEXT) &&
      term_arity(terms, atom) == 1 &&
      !term_is_variable(terms, term_argument(terms, atom, 0)))
    add_fact(candidates, term_argument(terms, atom, 0));
}

/* Conditions of goals and of `terminal` come first, should there be too
   many. */
static void find_expressions(Candidates *candidates, bool ends) {
  const Rules *rules = &candidates->analysis->description->rules;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    Symbol head = term_symbol(&rules->terms, rule->head);
    if ((head == SYMBOL_GOAL || head == SYMBOL_TERMINAL) != ends) continue;
    if (candidates->list.count >= CANDIDATES_MOST) return;
    add_atom(candidates, rule->head);
    for (uint32_t i = 0; i < rule->count; i++)
      add_atom(candidates, rule_body(rules, rule)[i].atom);
  }
}

/* Sorts what facts add by fact. */
static void list_terms(Candidates *candidates) {
  const Orders *orders = &candidates->orders;
  for (uint32_t f = 0; f < orders->net->fluents.count; f++) {
    vector_push(&candidates->first, candidates->terms.count);
    for (uint32_t i = 0; i < candidates->list.count; i++) {
      const Candidate *candidate = &candidates->list.data[i];
      if (candidate->class == CANDIDATE_PARTIAL ||
          candidate->kind != orders->kind_of[f])
        continue;
      int32_t weight = weight_of(candidates, candidate, f);
      if (weight > 0)
        vector_push(&candidates->terms, ((CandidateTerm){i, weight}));
    }
  }
  vector_push(&candidates->first, candidates->terms.count);
}

/* ---- partial solutions ---- */

static void find_partial(Candidates *candidates) {
  const Net *net = candidates->analysis->net;
  VECTOR(Signal) formulas = {0};
  NumberVector goals = {0};
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    const RoleGoals *goals_of = &candidates->analysis->goals[goal->role];
    if (goal->value < goals_of->most || goal->value == goals_of->least ||
        signal_gate(goal->signal) == 0)
      continue;
    vector_push(&formulas, goal->signal);
    vector_push(&goals, i);
  }
  vector_push(&formulas, net->terminal);
  vector_push(&goals, UINT32_MAX);
  candidates->has_cone = cone_init(&candidates->cone, net, formulas.data,
                                   formulas.count, candidates->orders.counts);
  if (candidates->has_cone && candidates->cone.gates.count > MOST_PARTIAL) {
    cone_free(&candidates->cone);
    candidates->has_cone = false;
  }
  if (candidates->has_cone) degree_init(&candidates->degree, &candidates->cone);
  for (uint32_t i = 0; i < goals.count && candidates->has_cone; i++) {
    Candidate partial = {
        .class = CANDIDATE_PARTIAL, .output = i, .goal = goals.data[i]};
    if (candidates->cone.outputs.data[i] != reading_none)
      vector_push(&candidates->list, partial);
  }
  vector_free(&formulas);
  vector_free(&goals);
}

/* ---- candidates ---- */

void candidates_init(Candidates *candidates, const Analysis *analysis) {
  *candidates = (Candidates){.analysis = analysis};
  orders_init(&candidates->orders, analysis);
  find_expressions(candidates, true);
  find_expressions(candidates, false);
  list_terms(candidates);
  find_partial(candidates);
}

void candidates_free(Candidates *candidates) {
  orders_free(&candidates->orders);
  vector_free(&candidates->list);
  vector_free(&candidates->constants);
  map_free(&candidates->tried);
  vector_free(&candidates->tried_hashes);
  vector_free(&candidates->first);
  vector_free(&candidates->terms);
  if (!candidates->has_cone) return;
  cone_free(&candidates->cone);
  degree_free(&candidates->degree);
}

static void set_partial(const Candidates *candidates, const uint64_t *state,
                        float *values) {
  float degrees[2 * CONE_LARGEST + 2];
  degree_run(&candidates->degree, state, degrees);
  for (uint32_t i = candidates->list.count; i-- > 0;) {
    const Candidate *candidate = &candidates->list.data[i];
    if (candidate->class != CANDIDATE_PARTIAL) return; /* they are the last */
    values[i] = degrees[candidates->cone.outputs.data[candidate->output]];
  }
}

void candidates_values(const Candidates *candidates, const uint64_t *state,
                       bool partial, float *values) {
  uint32_t fluents = candidates->orders.net->fluents.count;
  for (uint32_t i = 0; i < candidates->list.count; i++)
    if (candidates->list.data[i].class != CANDIDATE_PARTIAL) values[i] = 0;
  for (uint32_t w = 0; w < bits_words(fluents); w++)
    for (uint64_t set = state[w]; set;) {
      uint32_t fluent = w * 64 + bits_take(&set);
      for (uint32_t i = candidates->first.data[fluent];
           i < candidates->first.data[fluent + 1]; i++)
        values[candidates->terms.data[i].candidate] +=
            (float)candidates->terms.data[i].weight;
    }
  if (partial && candidates->has_cone) set_partial(candidates, state, values);
}

/* ---- text ---- */

static void write_expression(const Candidates *candidates,
                             const Candidate *candidate, Text *text) {
  const Orders *orders = &candidates->orders;
  const OrdersKind *kind = &orders->kinds.data[candidate->kind];
  text_format(text, "(%s", symbol_text(&orders->terms->symbols, kind->functor));
  for (uint32_t a = 0; a < kind->arity; a++) {
    Term constant = candidates->constants.data[candidate->constants + a];
    text_add(text, " ");
    if (constant)
      term_write(orders->terms, constant, text);
    else
      text_add(text, "?");
  }
  text_add(text, ")");
  if (candidate->class == CANDIDATE_DISTANCE)
    text_format(text, " along argument %u", candidate->argument + 1);
}

void candidates_write(const Candidates *candidates, uint32_t candidate,
                      Text *text) {
  const Candidate *own = &candidates->list.data[candidate];
  const Analysis *analysis = candidates->analysis;
  if (own->class != CANDIDATE_PARTIAL) {
    write_expression(candidates, own, text);
    return;
  }
  text_add(text, "part of ");
  if (own->goal == UINT32_MAX) {
    text_add(text, "terminal");
    return;
  }
  const NetGoal *goal = &analysis->net->goals.data[own->goal];
  text_add(text, "(goal ");
  term_write(candidates->orders.terms,
             analysis->description->rules.roles.data[goal->role], text);
  text_format(text, " %d)", goal->value);
}
