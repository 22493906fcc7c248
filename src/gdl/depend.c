/* Predicates are numbered in a table keyed by name and arity. Components come
   from Tarjan's algorithm with an explicit stack, so that a chain of a million
   predicates does not overflow ours; it finishes components callees first. */
#include "gdl/depend.h"

#include "base/hash.h"

static uint32_t slot_of(const Dependencies *dependencies, Symbol name,
                        uint32_t arity) {
  uint32_t mask = dependencies->slot_count - 1;
  uint32_t at = (uint32_t)hash_pair(name, arity) & mask;
  for (; dependencies->slots[at]; at = (at + 1) & mask) {
    const Predicate *p = &dependencies->list.data[dependencies->slots[at]];
    if (p->name == name && p->arity == arity) break;
  }
  return at;
}

uint32_t dependencies_find(const Dependencies *dependencies, Symbol name,
                           uint32_t arity) {
  return dependencies->slots[slot_of(dependencies, name, arity)];
}

uint32_t dependencies_of(const Dependencies *dependencies, const Terms *terms,
                         Term atom) {
  return dependencies_find(dependencies, term_symbol(terms, atom),
                           term_arity(terms, atom));
}

static uint32_t add(Dependencies *dependencies, const Terms *terms, Term atom) {
  Symbol name = term_symbol(terms, atom);
  uint32_t arity = term_arity(terms, atom);
  uint32_t at = slot_of(dependencies, name, arity);
  if (!dependencies->slots[at]) {
    dependencies->slots[at] = dependencies->list.count;
    vector_push(&dependencies->list,
                ((Predicate){.name = name, .arity = arity}));
  }
  return dependencies->slots[at];
}

/* callees[first[p] … first[p + 1]) are the predicates that p's bodies name. */
typedef struct Graph {
  VECTOR(uint32_t) first, callees;
} Graph;

static void build_graph(Graph *graph, const Dependencies *dependencies,
                        const Rules *rules) {
  for (uint32_t p = 0; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    vector_push(&graph->first, graph->callees.count);
    for (uint32_t i = 0; i < predicate->rules.count; i++) {
      const Rule *rule = &rules->list.data[predicate->rules.data[i]];
      for (uint32_t j = 0; j < rule->count; j++) {
        const Literal *literal = &rule_body(rules, rule)[j];
        if (literal->sign == UNEQUAL) continue;
        uint32_t callee =
            dependencies_of(dependencies, &rules->terms, literal->atom);
        vector_push(&graph->callees, callee);
      }
    }
  }
  vector_push(&graph->first, graph->callees.count);
}

/* One frame of Tarjan's recursion: the predicate and its next callee. */
typedef struct Frame {
  uint32_t predicate, next;
} Frame;

typedef struct Tarjan {
  Dependencies *dependencies;
  const Graph *graph;
  uint32_t *index, *low; /* 0: not seen */
  bool *open;
  uint32_t counter;
  VECTOR(uint32_t) stack;
  VECTOR(Frame) frames;
} Tarjan;

static void enter(Tarjan *tarjan, uint32_t p) {
  tarjan->index[p] = tarjan->low[p] = ++tarjan->counter;
  tarjan->open[p] = true;
  vector_push(&tarjan->stack, p);
  Frame frame = {p, tarjan->graph->first.data[p]};
  vector_push(&tarjan->frames, frame);
}

/* The strongest dependence among p's callees; those outside its component are
   finished. */
static Dependence dependence_of(const Tarjan *tarjan, uint32_t p) {
  const Predicate *list = tarjan->dependencies->list.data;
  const uint32_t *first = tarjan->graph->first.data;
  Dependence depends = list[p].name == SYMBOL_TRUE   ? ON_STATE
                       : list[p].name == SYMBOL_DOES ? ON_MOVES
                                                     : ON_NOTHING;
  for (uint32_t i = first[p]; i < first[p + 1]; i++) {
    Dependence callee = list[tarjan->graph->callees.data[i]].depends;
    if (callee > depends) depends = callee;
  }
  return depends;
}

static void finish_component(Tarjan *tarjan, uint32_t root) {
  Dependencies *dependencies = tarjan->dependencies;
  uint32_t top = tarjan->stack.count, first = top;
  do first--;
  while (tarjan->stack.data[first] != root);
  Dependence depends = ON_NOTHING;
  for (uint32_t i = first; i < top; i++) {
    Dependence own = dependence_of(tarjan, tarjan->stack.data[i]);
    if (own > depends) depends = own;
  }
  for (uint32_t i = first; i < top; i++) {
    uint32_t member = tarjan->stack.data[i];
    Predicate *predicate = &dependencies->list.data[member];
    tarjan->open[member] = false;
    predicate->component = dependencies->component_count;
    predicate->recursive |= top - first > 1;
    predicate->depends = depends;
  }
  tarjan->stack.count = first;
  dependencies->component_count++;
}

static void search_from(Tarjan *tarjan, uint32_t root) {
  enter(tarjan, root);
  while (tarjan->frames.count) {
    Frame *frame = &vector_last(&tarjan->frames);
    uint32_t p = frame->predicate;
    if (frame->next < tarjan->graph->first.data[p + 1]) {
      uint32_t callee = tarjan->graph->callees.data[frame->next++];
      if (callee == p) tarjan->dependencies->list.data[p].recursive = true;
      if (!tarjan->index[callee])
        enter(tarjan, callee);
      else if (tarjan->open[callee] && tarjan->index[callee] < tarjan->low[p])
        tarjan->low[p] = tarjan->index[callee];
      continue;
    }
    if (tarjan->low[p] == tarjan->index[p]) finish_component(tarjan, p);
    tarjan->frames.count--;
    if (tarjan->frames.count) {
      uint32_t caller = vector_last(&tarjan->frames).predicate;
      if (tarjan->low[p] < tarjan->low[caller])
        tarjan->low[caller] = tarjan->low[p];
    }
  }
}

static void find_components(Dependencies *dependencies, const Graph *graph) {
  uint32_t count = dependencies->list.count;
  Tarjan tarjan = {.dependencies = dependencies,
                   .graph = graph,
                   .index = memory_new(count * sizeof(uint32_t)),
                   .low = memory_new(count * sizeof(uint32_t)),
                   .open = memory_new(count * sizeof(bool))};
  for (uint32_t p = 1; p < count; p++)
    if (!tarjan.index[p]) search_from(&tarjan, p);
  memory_delete(tarjan.index);
  memory_delete(tarjan.low);
  memory_delete(tarjan.open);
  vector_free(&tarjan.stack);
  vector_free(&tarjan.frames);
}

void dependencies_init(Dependencies *dependencies, const Rules *rules) {
  *dependencies = (Dependencies){.slot_count = 256};
  while (dependencies->slot_count <
         2 * (rules->list.count + rules->literals.count))
    dependencies->slot_count *= 2;
  dependencies->slots =
      memory_new(dependencies->slot_count * sizeof *dependencies->slots);
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
  vector_free(&graph.first);
  vector_free(&graph.callees);
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
  memory_delete(dependencies->slots);
}
