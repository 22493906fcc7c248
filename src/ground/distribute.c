/* A body such as

     (true (mark ?r 1 ?a)) … (true (mark ?r 9 ?i))
     (once 1 ?a … ?i) (once 2 ?a … ?i)

   with a static predicate `once` of many arguments has one instance for each
   choice of all values together. If each fact holds for at most one value at a
   time, every call sees the same values, so

     EXISTS a … i (facts AND once 1 AND once 2) =
     EXISTS a … i (facts AND once 1) AND EXISTS a … i (facts AND once 2)

   Each call gets a predicate of its own, over the variables that are not
   values, with one rule for each rule of the static predicate, inlined in place
   of the call: splitting can then treat value by value. That each fact holds
   for at most one value is a claim, which ground/claim.c proves once all facts
   are known; if it cannot, the rules are ground again without distribution. */
#include "ground/distribute.h"

#include "ground/flatten.h"
#include "ground/unfold.h"

enum { FEWEST_VALUES = 5, MOST_RULES = 1000 };

typedef struct Distribution {
  Ground *ground;
  LiteralVector *body;
  bool *wide;        /* by literal: a static call to be distributed */
  bool *fact;        /* by literal: a fact that gives one of its values */
  TermVector values; /* the variables of wide calls */
  uint32_t wide_count, rule_count; /* of calls, of rules for them */
} Distribution;

static const Predicate *predicate_of(const Ground *ground, Term atom) {
  return ground_predicate(
      ground,
      dependencies_of(&ground->description->dependencies, ground->terms, atom));
}

static bool is_static(const Ground *ground, const Literal *literal) {
  if (literal->sign == UNEQUAL) return false;
  uint32_t p = dependencies_of(&ground->description->dependencies,
                               ground->terms, literal->atom);
  uint32_t relation = ground->of_predicate[p];
  return relation && ground_relation(ground, relation)->kind == HOLDS_ALWAYS;
}

static bool is_wide(const Ground *ground, const Literal *literal) {
  if (literal->sign != POSITIVE || !is_static(ground, literal)) return false;
  const Predicate *predicate = predicate_of(ground, literal->atom);
  const Rules *rules = &ground->description->rules;
  if (predicate->recursive || predicate->rules.count < 2) return false;
  for (uint32_t i = 0; i < predicate->rules.count; i++)
    if (!rules->list.data[predicate->rules.data[i]].count) return false;
  TermVector variables = {0};
  term_collect_variables(ground->terms, literal->atom, &variables);
  bool wide = variables.count >= FEWEST_VALUES;
  vector_free(&variables);
  return wide;
}

/* The column of the fact that is this variable, if the variable is its only
   value; else its arity. */
static uint32_t value_column(const Distribution *distribution,
                             const Literal *literal, Term variable) {
  const Ground *ground = distribution->ground;
  const Terms *terms = ground->terms;
  Term fluent = term_argument(terms, literal->atom, 0);
  uint32_t arity = term_arity(terms, fluent), column = arity;
  if (term_is_variable(terms, fluent) ||
      ground->constant_functor[term_symbol(terms, fluent)])
    return arity;
  for (uint32_t i = 0; i < arity; i++) {
    Term argument = term_argument(terms, fluent, i);
    if (argument == variable && column == arity) {
      column = i;
      continue;
    }
    for (uint32_t v = 0; v < distribution->values.count; v++)
      if (term_contains(terms, argument, distribution->values.data[v]))
        return arity;
  }
  return column;
}

static bool gives_value(const Distribution *distribution,
                        const Literal *literal, Term variable) {
  const Terms *terms = distribution->ground->terms;
  return literal->sign == POSITIVE &&
         term_symbol(terms, literal->atom) == SYMBOL_TRUE &&
         value_column(distribution, literal, variable) <
             term_arity(terms, term_argument(terms, literal->atom, 0));
}

/* Is each value given by one fact and read by wide calls only? */
static bool values_fit(Distribution *distribution, Term head) {
  const Terms *terms = distribution->ground->terms;
  for (uint32_t v = 0; v < distribution->values.count; v++) {
    Term variable = distribution->values.data[v];
    uint32_t givers = 0;
    if (term_contains(terms, head, variable)) return false;
    for (uint32_t i = 0; i < distribution->body->count; i++) {
      const Literal *literal = &distribution->body->data[i];
      if (distribution->wide[i] ||
          !term_contains(terms, literal->atom, variable))
        continue;
      if (!gives_value(distribution, literal, variable)) return false;
      distribution->fact[i] = true;
      givers++;
    }
    if (givers != 1) return false;
  }
  return true;
}

static void add_claim(Distribution *distribution, const Literal *literal,
                      Term variable) {
  Ground *ground = distribution->ground;
  Term fluent = term_argument(ground->terms, literal->atom, 0);
  GroundClaim claim = {ground_fluent_class(ground, fluent),
                       value_column(distribution, literal, variable)};
  for (uint32_t i = 0; i < ground->claims.count; i++)
    if (ground->claims.data[i].relation == claim.relation &&
        ground->claims.data[i].column == claim.column)
      return;
  vector_push(&ground->claims, claim);
}

/* ---- parts ---- */

/* Are the variables of the atom all in the set? */
static bool within(const Ground *ground, Term atom, const TermVector *set) {
  TermVector own = {0};
  bool all = true;
  term_collect_variables(ground->terms, atom, &own);
  for (uint32_t i = 0; i < own.count; i++)
    all &= term_vector_contains(set, own.data[i]);
  vector_free(&own);
  return all;
}

/* Collects the facts that give the call's values, and the variables of these
   facts that are not values. */
static void collect_facts(Distribution *distribution, Term call,
                          LiteralVector *facts, TermVector *shared) {
  const Terms *terms = distribution->ground->terms;
  TermVector variables = {0};
  for (uint32_t i = 0; i < distribution->body->count; i++) {
    const Literal *literal = &distribution->body->data[i];
    bool read = false;
    for (uint32_t v = 0; v < distribution->values.count; v++) {
      Term value = distribution->values.data[v];
      if (!distribution->fact[i] ||
          !term_contains(terms, literal->atom, value) ||
          !term_contains(terms, call, value))
        continue;
      read = true;
      if (distribution->wide_count > 1) add_claim(distribution, literal, value);
    }
    if (!read) continue;
    vector_push(facts, *literal);
    term_collect_variables(terms, literal->atom, &variables);
  }
  for (uint32_t i = 0; i < variables.count; i++)
    if (!term_vector_contains(&distribution->values, variables.data[i]))
      vector_push(shared, variables.data[i]);
  vector_free(&variables);
}

/* Static literals over the shared variables keep the part's rows few. */
static void add_static(const Distribution *distribution,
                       const TermVector *shared, LiteralVector *literals) {
  for (uint32_t i = 0; i < distribution->body->count; i++) {
    const Literal *literal = &distribution->body->data[i];
    if (!distribution->wide[i] && literal->sign == POSITIVE &&
        is_static(distribution->ground, literal) &&
        !term_is_ground(distribution->ground->terms, literal->atom) &&
        within(distribution->ground, literal->atom, shared))
      vector_push(literals, *literal);
  }
}

static GroundLiteral make_part(Distribution *distribution, Literal call,
                               RuleVector *parts) {
  Ground *ground = distribution->ground;
  const Rules *rules = &ground->description->rules;
  const Predicate *predicate = predicate_of(ground, call.atom);
  LiteralVector literals = {0};
  TermVector shared = {0};
  collect_facts(distribution, call.atom, &literals, &shared);
  add_static(distribution, &shared, &literals);
  vector_push(&literals, call);
  uint32_t relation = ground_add_relation(ground, HOLDS_DERIVED, shared.count);
  Term *columns = ground_copy_terms(ground, shared.data, shared.count);
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    const Rule *rule = &rules->list.data[predicate->rules.data[i]];
    LiteralVector body = {0};
    GroundLiteralVector none = {0};
    Term *head = ground_copy_terms(ground, columns, shared.count);
    if (unfold_last(ground, &literals, rule, 1, head, shared.count, &body))
      vector_push(parts, flatten_rule(ground, HEAD_ROW, relation, head,
                                      shared.count, &body, &none));
    vector_free(&body);
  }
  vector_free(&literals);
  vector_free(&shared);
  return (GroundLiteral){
      .sign = POSITIVE, .relation = relation, .columns = columns};
}

static void find_wide(Distribution *distribution) {
  for (uint32_t i = 0; i < distribution->body->count; i++) {
    const Literal *literal = &distribution->body->data[i];
    if (!is_wide(distribution->ground, literal)) continue;
    distribution->wide[i] = true;
    distribution->wide_count++;
    distribution->rule_count +=
        predicate_of(distribution->ground, literal->atom)->rules.count;
    term_collect_variables(distribution->ground->terms, literal->atom,
                           &distribution->values);
  }
}

void distribute_body(Ground *ground, Term head, LiteralVector *body,
                     GroundLiteralVector *calls, RuleVector *parts) {
  if (!ground->distributes) return;
  Distribution distribution = {.ground = ground, .body = body};
  distribution.wide = memory_new((body->count + 1) * sizeof(bool));
  distribution.fact = memory_new((body->count + 1) * sizeof(bool));
  find_wide(&distribution);
  if (distribution.wide_count && distribution.rule_count <= MOST_RULES &&
      values_fit(&distribution, head)) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < body->count; i++)
      if (distribution.wide[i])
        vector_push(calls, make_part(&distribution, body->data[i], parts));
    for (uint32_t i = 0; i < body->count; i++)
      if (!distribution.wide[i] && !distribution.fact[i])
        body->data[kept++] = body->data[i];
    body->count = kept;
  }
  memory_delete(distribution.wide);
  memory_delete(distribution.fact);
  vector_free(&distribution.values);
}
