/* A predicate is needed if legal, next, goal, terminal or init call it,
   directly or not; static if it reads nothing of the state that can change. */
#include "ground/classify.h"

/* With `base` and `input` if rules are narrowed by them. */

bool *classify_needed(const Ground *ground) {
  static const Symbol roots[] = {SYMBOL_INIT, SYMBOL_LEGAL,    SYMBOL_NEXT,
                                 SYMBOL_GOAL, SYMBOL_TERMINAL, SYMBOL_BASE,
                                 SYMBOL_INPUT};
  const Rules *rules = &ground->description->rules;
  const Dependencies *dependencies = &ground->description->dependencies;
  bool *needed = memory_new(dependencies->list.count * sizeof *needed);
  NumberVector agenda = {0};
  size_t count = sizeof roots / sizeof *roots;
  for (size_t i = 0; i < count - (ground->narrow ? 0 : 2); i++) {
    uint32_t p = dependencies_find(dependencies, roots[i],
                                   (uint32_t)rule_keyword_arity(roots[i]));
    if (!p) continue;
    needed[p] = true;
    vector_push(&agenda, p);
  }
  while (agenda.count) {
    const Predicate *p = ground_predicate(ground, agenda.data[--agenda.count]);
    for (uint32_t i = 0; i < p->rules.count; i++) {
      const Rule *rule = &rules->list.data[p->rules.data[i]];
      for (uint32_t j = 0; j < rule->count; j++) {
        const Literal *literal = &rule_body(rules, rule)[j];
        if (literal->sign == UNEQUAL) continue;
        uint32_t callee =
            dependencies_of(dependencies, ground->terms, literal->atom);
        if (needed[callee]) continue;
        needed[callee] = true;
        vector_push(&agenda, callee);
      }
    }
  }
  vector_free(&agenda);
  return needed;
}

/* A functor is constant if its facts come from init and persist
   unconditionally, such as walls: they are as good as static. */
void classify_constants(Ground *ground) {
  const Rules *rules = &ground->description->rules;
  const Dependencies *dependencies = &ground->description->dependencies;
  uint32_t symbols = ground->terms->symbols.names.count;
  bool *changes = memory_new(symbols), *persists = memory_new(symbols);
  uint32_t next = dependencies_find(dependencies, SYMBOL_NEXT, 1);
  const Predicate *predicate = ground_predicate(ground, next);
  bool any_change = false;
  for (uint32_t i = 0; next && i < predicate->rules.count; i++) {
    const Rule *rule = &rules->list.data[predicate->rules.data[i]];
    Term fluent = term_argument(ground->terms, rule->head, 0);
    const Literal *body = rule_body(rules, rule);
    bool persistence =
        rule->count == 1 && body[0].sign == POSITIVE &&
        term_symbol(ground->terms, body[0].atom) == SYMBOL_TRUE &&
        term_argument(ground->terms, body[0].atom, 0) == fluent;
    if (term_is_variable(ground->terms, fluent)) {
      any_change |= !persistence;
      continue;
    }
    Symbol functor = term_symbol(ground->terms, fluent);
    if (!persistence)
      changes[functor] = true;
    else
      for (uint32_t a = 0; a < term_arity(ground->terms, fluent); a++)
        changes[functor] |= !term_is_variable(
            ground->terms, term_argument(ground->terms, fluent, a));
    persists[functor] = true;
  }
  for (uint32_t s = 0; s < symbols && !any_change; s++)
    ground->constant_functor[s] = persists[s] && !changes[s];
  memory_delete(changes);
  memory_delete(persists);
}

static bool literal_static(const Ground *ground, const Literal *literal,
                           const bool *fixed) {
  if (literal->sign == UNEQUAL) return true;
  if (term_symbol(ground->terms, literal->atom) == SYMBOL_TRUE) {
    Term fluent = term_argument(ground->terms, literal->atom, 0);
    return !term_is_variable(ground->terms, fluent) &&
           ground->constant_functor[term_symbol(ground->terms, fluent)];
  }
  return fixed[dependencies_of(&ground->description->dependencies,
                               ground->terms, literal->atom)];
}

/* Finds the static predicates. A component counts as static until one of its
   rules says otherwise. */
static bool *find_fixed(const Ground *ground) {
  const Rules *rules = &ground->description->rules;
  const Dependencies *dependencies = &ground->description->dependencies;
  uint32_t count = dependencies->list.count - 1;
  bool *fixed = memory_new((count + 1) * sizeof *fixed);
  uint32_t *order = dependencies_order(dependencies);
  for (uint32_t n = 0; n < count;) {
    uint32_t first = n,
             component = ground_predicate(ground, order[n])->component;
    bool all = true;
    for (; n < count &&
           ground_predicate(ground, order[n])->component == component;
         n++) {
      Symbol name = ground_predicate(ground, order[n])->name;
      fixed[order[n]] = name >= SYMBOL_FIRST_FREE || name == SYMBOL_ROLE ||
                        name == SYMBOL_BASE || name == SYMBOL_INPUT;
    }
    for (uint32_t m = first; m < n; m++) {
      const Predicate *predicate = ground_predicate(ground, order[m]);
      all &= fixed[order[m]];
      for (uint32_t i = 0; i < predicate->rules.count && all; i++) {
        const Rule *rule = &rules->list.data[predicate->rules.data[i]];
        for (uint32_t j = 0; j < rule->count && all; j++)
          all = literal_static(ground, &rule_body(rules, rule)[j], fixed);
      }
    }
    for (uint32_t m = first; m < n; m++) fixed[order[m]] = all;
  }
  memory_delete(order);
  return fixed;
}

static bool columns_fit(Ground *ground, const bool *needed) {
  const Dependencies *dependencies = &ground->description->dependencies;
  for (uint32_t p = 1; p < dependencies->list.count; p++)
    if (needed[p] && ground_predicate(ground, p)->arity > RELATION_KEYS)
      return ground_fail(ground, "a predicate has more than 64 arguments");
  for (Term t = 1; t < ground->terms->nodes.count; t++)
    if (term_arity(ground->terms, t) >= RELATION_KEYS)
      return ground_fail(ground, "a term has more than 63 arguments");
  return true;
}

bool classify_relations(Ground *ground, const bool *needed) {
  if (!columns_fit(ground, needed)) return false;
  bool *fixed = find_fixed(ground);
  const Dependencies *dependencies = &ground->description->dependencies;
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    const Predicate *predicate = ground_predicate(ground, p);
    if (!needed[p] || predicate->name == SYMBOL_TRUE ||
        predicate->name == SYMBOL_DOES || predicate->name == SYMBOL_LEGAL ||
        predicate->name == SYMBOL_NEXT || predicate->name == SYMBOL_INIT)
      continue;
    bool always = fixed[p] || predicate->depends == ON_NOTHING;
    uint32_t number = ground_add_relation(
        ground, always ? HOLDS_ALWAYS : HOLDS_DERIVED, predicate->arity);
    ground_relation(ground, number)->late =
        always && predicate->depends != ON_NOTHING;
    ground_relation(ground, number)->predicate = p;
    ground_relation(ground, number)->component = predicate->component;
    ground->of_predicate[p] = number;
    if (predicate->name == SYMBOL_BASE && always) ground->base = number;
    if (predicate->name == SYMBOL_INPUT && always) ground->input = number;
  }
  memory_delete(fixed);
  return true;
}
