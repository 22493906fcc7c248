/* The specification wants predicates stratified. Real games write rules such as
   (<= (goal robot 50) (not (goal robot 0))), where the predicate depends on its
   own negation but no rule does: an atom of the body calls only the rules whose
   heads it can equal. So the question is asked of rules, by a search from those
   that the negated atom calls; if it comes back to the rule, it is refused. */
#include "gdl/stratify.h"

enum { LARGEST_COMPONENT = 500 }; /* rules; beyond it predicates decide */

/* Could the two be equal if their variables were chosen well? Says yes too
   often when a variable occurs twice. */
static bool may_equal(const Terms *terms, Term a, Term b) {
  if (a == b || term_is_variable(terms, a) || term_is_variable(terms, b))
    return true;
  uint32_t arity = term_arity(terms, a);
  if (term_symbol(terms, a) != term_symbol(terms, b) ||
      arity != term_arity(terms, b))
    return false;
  for (uint32_t i = 0; i < arity; i++)
    if (!may_equal(terms, term_argument(terms, a, i),
                   term_argument(terms, b, i)))
      return false;
  return true;
}

typedef struct Search {
  const Rules *rules;
  const Dependencies *dependencies;
  uint32_t component;
  VECTOR(uint32_t) seen; /* rules; those from `done` on are still to do */
} Search;

/* Rules of the component that the atom calls. */
static void call(Search *search, Term atom) {
  const Terms *terms = &search->rules->terms;
  const Predicate *predicate =
      &search->dependencies->list
           .data[dependencies_of(search->dependencies, terms, atom)];
  if (predicate->component != search->component) return;
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    uint32_t rule = predicate->rules.data[i];
    if (!may_equal(terms, search->rules->list.data[rule].head, atom)) continue;
    uint32_t j = 0;
    while (j < search->seen.count && search->seen.data[j] != rule) j++;
    if (j == search->seen.count) vector_push(&search->seen, rule);
  }
}

static uint32_t count_rules(const Search *search) {
  uint32_t count = 0;
  for (uint32_t p = 1; p < search->dependencies->list.count; p++)
    if (search->dependencies->list.data[p].component == search->component)
      count += search->dependencies->list.data[p].rules.count;
  return count;
}

Stratification stratify_literal(const Rules *rules,
                                const Dependencies *dependencies,
                                uint32_t number, const Literal *literal) {
  const Rule *rule = &rules->list.data[number];
  uint32_t head = dependencies_of(dependencies, &rules->terms, rule->head);
  uint32_t callee = dependencies_of(dependencies, &rules->terms, literal->atom);
  Search search = {rules, dependencies,
                   dependencies->list.data[head].component, {0}};
  if (dependencies->list.data[callee].component != search.component)
    return STRATIFIED;
  if (count_rules(&search) > LARGEST_COMPONENT) return NOT_STRATIFIED;
  call(&search, literal->atom);
  bool back = false;
  for (uint32_t done = 0; done < search.seen.count && !back; done++) {
    const Rule *next = &rules->list.data[search.seen.data[done]];
    back = search.seen.data[done] == number;
    for (uint32_t i = 0; i < next->count; i++) {
      const Literal *own = &rule_body(rules, next)[i];
      if (own->sign != UNEQUAL) call(&search, own->atom);
    }
  }
  vector_free(&search.seen);
  return back ? NOT_STRATIFIED : STRATIFIED_BY_RULE;
}
