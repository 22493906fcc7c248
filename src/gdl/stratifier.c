/* The specification requires stratified predicates. Real games have rules such
   as (<= (goal robot 50) (not (goal robot 0))), where the predicate depends on
   its own negation but no rule does: an atom of a body calls only the rules
   whose heads it can equal. So rules are judged instead: those that call each
   other in cycles are the components of the call graph, and a negated atom must
   not call a rule of its own rule's component. */
#include "gdl/stratifier.h"

#include "base/graph.h"

enum { MOST_WORK = 5000000 }; /* comparisons of an atom with a head */

/* Can the two be equal for some values of their variables? May wrongly say yes
   when a variable occurs twice. */
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

static const Predicate *predicate_of(const Stratifier *stratifier, Term atom) {
  const Dependencies *dependencies = stratifier->dependencies;
  uint32_t p = dependencies_of(dependencies, &stratifier->rules->terms, atom);
  return &dependencies->list.data[p];
}

/* Are the rule's and the literal's predicates in one component? */
static bool recurs(const Stratifier *stratifier, const Rule *rule,
                   const Literal *literal) {
  return literal->sign != UNEQUAL &&
         predicate_of(stratifier, literal->atom)->component ==
             predicate_of(stratifier, rule->head)->component;
}

/* Marks the components of predicates with a negation inside; returns false if
   there is none. */
static bool find_doubtful(const Stratifier *stratifier, bool *doubtful) {
  const Rules *rules = stratifier->rules;
  bool any = false;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(rules, rule)[i];
      if (literal->sign != NEGATIVE || !recurs(stratifier, rule, literal))
        continue;
      doubtful[predicate_of(stratifier, rule->head)->component] = true;
      any = true;
    }
  }
  return any;
}

static void add_calls(Stratifier *stratifier, Term atom, Graph *graph) {
  const Predicate *predicate = predicate_of(stratifier, atom);
  for (uint32_t i = 0;
       i < predicate->rules.count && stratifier->work < MOST_WORK; i++) {
    uint32_t called = predicate->rules.data[i];
    stratifier->work++;
    if (may_equal(&stratifier->rules->terms,
                  stratifier->rules->list.data[called].head, atom))
      graph_add_edge(graph, called);
  }
}

void stratifier_init(Stratifier *stratifier, const Rules *rules,
                     const Dependencies *dependencies) {
  *stratifier = (Stratifier){.rules = rules, .dependencies = dependencies};
  stratifier->component =
      memory_new(rules->list.count * sizeof *stratifier->component);
  bool *doubtful = memory_new(dependencies->component_count * sizeof(bool));
  if (find_doubtful(stratifier, doubtful)) {
    Graph graph = {0};
    for (uint32_t r = 0; r < rules->list.count; r++) {
      const Rule *rule = &rules->list.data[r];
      graph_begin_node(&graph);
      if (!doubtful[predicate_of(stratifier, rule->head)->component]) continue;
      for (uint32_t i = 0; i < rule->count; i++) {
        const Literal *literal = &rule_body(rules, rule)[i];
        if (recurs(stratifier, rule, literal))
          add_calls(stratifier, literal->atom, &graph);
      }
    }
    graph_end(&graph);
    graph_components(&graph, stratifier->component);
    graph_free(&graph);
  }
  memory_delete(doubtful);
}

void stratifier_free(Stratifier *stratifier) {
  memory_delete(stratifier->component);
}

Stratification stratifier_judge(Stratifier *stratifier, uint32_t number,
                                const Literal *literal) {
  const Rule *rule = &stratifier->rules->list.data[number];
  if (!recurs(stratifier, rule, literal)) return STRATIFIED;
  const Predicate *callee = predicate_of(stratifier, literal->atom);
  for (uint32_t i = 0; i < callee->rules.count; i++) {
    uint32_t called = callee->rules.data[i];
    if (stratifier->work++ >= MOST_WORK) return NOT_STRATIFIED;
    if (stratifier->component[called] == stratifier->component[number] &&
        may_equal(&stratifier->rules->terms,
                  stratifier->rules->list.data[called].head, literal->atom))
      return NOT_STRATIFIED;
  }
  return STRATIFIED_BY_RULE;
}
