/* Predicates are numbered by name and arity; what they depend on is found
   component by component, callees first. */
#include "gdl/dependencies.h"

#include "base/graph.h"
#include "base/hash.h"

uint32_t dependencies_find(const Dependencies *dependencies, Symbol name,
                           uint32_t arity) {
  MapCursor at;
  uint32_t p = map_first(&dependencies->map, hash_pair(name, arity), &at);
  for (; p; p = map_next(&dependencies->map, &at)) {
    const Predicate *predicate = &dependencies->list.data[p];
    if (predicate->name == name && predicate->arity == arity) break;
  }
  return p;
}

uint32_t dependencies_of(const Dependencies *dependencies, const Terms *terms,
                         Term atom) {
  return dependencies_find(dependencies, term_symbol(terms, atom),
                           term_arity(terms, atom));
}

static uint32_t add(Dependencies *dependencies, const Terms *terms, Term atom) {
  Symbol name = term_symbol(terms, atom);
  uint32_t arity = term_arity(terms, atom);
  uint32_t p = dependencies_find(dependencies, name, arity);
  if (p) return p;
  p = dependencies->list.count;
  vector_push(&dependencies->list, ((Predicate){.name = name, .arity = arity}));
  map_add(&dependencies->map, hash_pair(name, arity), p);
  return p;
}

/* Node p's edges are the predicates that p's bodies name. */
static void build_graph(Graph *graph, const Dependencies *dependencies,
                        const Rules *rules) {
  for (uint32_t p = 0; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    graph_begin_node(graph);
    for (uint32_t i = 0; i < predicate->rules.count; i++) {
      const Rule *rule = &rules->list.data[predicate->rules.data[i]];
      for (uint32_t j = 0; j < rule->count; j++) {
        const Literal *literal = &rule_body(rules, rule)[j];
        if (literal->sign != UNEQUAL)
          graph_add_edge(graph, dependencies_of(dependencies, &rules->terms,
                                                literal->atom));
      }
    }
  }
  graph_end(graph);
}

static void find_components(Dependencies *dependencies, const Graph *graph) {
  uint32_t count = dependencies->list.count;
  uint32_t *component = memory_new(count * sizeof *component);
  dependencies->component_count = graph_components(graph, component);
  for (uint32_t p = 0; p < count; p++)
    dependencies->list.data[p].component = component[p];
  memory_delete(component);
}

/* A predicate is recursive if it calls into its own component. */
static void find_recursion(Dependencies *dependencies, const Graph *graph) {
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    Predicate *predicate = &dependencies->list.data[p];
    for (uint32_t i = graph->first.data[p]; i < graph->first.data[p + 1]; i++)
      predicate->recursive |=
          dependencies->list.data[graph->targets.data[i]].component ==
          predicate->component;
  }
}

/* Callees first, so one pass is enough; the members of a component share what
   any of them depends on. */
static void find_dependence(Dependencies *dependencies, const Graph *graph) {
  uint32_t *order = dependencies_order(dependencies);
  Dependence *of_component =
      memory_new(dependencies->component_count * sizeof *of_component);
  for (uint32_t n = 0; n + 1 < dependencies->list.count; n++) {
    const Predicate *predicate = &dependencies->list.data[order[n]];
    Dependence *depends = &of_component[predicate->component];
    if (predicate->name == SYMBOL_TRUE && *depends < ON_STATE)
      *depends = ON_STATE;
    if (predicate->name == SYMBOL_DOES) *depends = ON_MOVES;
    for (uint32_t i = graph->first.data[order[n]];
         i < graph->first.data[order[n] + 1]; i++) {
      uint32_t callee = graph->targets.data[i];
      Dependence own = of_component[dependencies->list.data[callee].component];
      if (own > *depends) *depends = own;
    }
  }
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    Predicate *predicate = &dependencies->list.data[p];
    predicate->depends = of_component[predicate->component];
  }
  memory_delete(of_component);
  memory_delete(order);
}

void dependencies_init(Dependencies *dependencies, const Rules *rules) {
  *dependencies = (Dependencies){0};
  vector_push(&dependencies->list, (Predicate){0});
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    uint32_t p = add(dependencies, &rules->terms, rule->head);
    vector_push(&dependencies->list.data[p].rules, r);
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(rules, rule)[i];
      if (literal->sign == UNEQUAL) continue;
      p = add(dependencies, &rules->terms, literal->atom);
      dependencies->list.data[p].used = true;
    }
  }
  Graph graph = {0};
  build_graph(&graph, dependencies, rules);
  find_components(dependencies, &graph);
  find_recursion(dependencies, &graph);
  find_dependence(dependencies, &graph);
  graph_free(&graph);
}

/* Counting sort by component. */
uint32_t *dependencies_order(const Dependencies *dependencies) {
  uint32_t count = dependencies->list.count;
  uint32_t *order = memory_new(count * sizeof *order);
  uint32_t *first =
      memory_new((dependencies->component_count + 1) * sizeof *first);
  for (uint32_t p = 1; p < count; p++)
    first[dependencies->list.data[p].component + 1]++;
  for (uint32_t c = 0; c < dependencies->component_count; c++)
    first[c + 1] += first[c];
  for (uint32_t p = 1; p < count; p++)
    order[first[dependencies->list.data[p].component]++] = p;
  memory_delete(first);
  return order;
}

void dependencies_free(Dependencies *dependencies) {
  for (uint32_t p = 0; p < dependencies->list.count; p++)
    vector_free(&dependencies->list.data[p].rules);
  vector_free(&dependencies->list);
  map_free(&dependencies->map);
}
