/* The atoms are put in the order of the components of their graph, callees
   first. Those that depend on themselves become loop variables, one block for
   each cycle; others are gates. */
#include "net/loops.h"

#include "base/graph.h"

void loops_add(Loops *loops, uint32_t head, Signal signal,
               const uint32_t *atoms, uint32_t count) {
  LoopInstance instance = {head, signal, loops->atoms.count, count};
  for (uint32_t i = 0; i < count; i++) vector_push(&loops->atoms, atoms[i]);
  vector_push(&loops->instances, instance);
}

void loops_clear(Loops *loops) {
  vector_clear(&loops->instances);
  vector_clear(&loops->atoms);
}

void loops_free(Loops *loops) {
  vector_free(&loops->instances);
  vector_free(&loops->atoms);
  vector_free(&loops->list);
  vector_free(&loops->any);
}

/* The AND of an instance whose atoms all have signals. */
static Signal instance_signal(Loops *loops, const LoopInstance *instance,
                              const Signal *signals) {
  if (!instance->count) return instance->signal;
  vector_clear(&loops->list);
  for (uint32_t i = 0; i < instance->count; i++) {
    uint32_t atom = loops->atoms.data[instance->first + i];
    vector_push(&loops->list, signals[atom >> 1] ^ (atom & 1));
  }
  vector_push(&loops->list, instance->signal);
  return net_and(loops->net, loops->list.data, loops->list.count);
}

/* Instances by head: those of atom a are order[first[a] … first[a + 1]). */
typedef struct ByHead {
  uint32_t *first, *order;
} ByHead;

static ByHead sort_instances(const Loops *loops) {
  uint32_t atoms = loops->count, count = loops->instances.count;
  ByHead by = {memory_new((atoms + 2) * sizeof(uint32_t)),
               memory_new((count + 1) * sizeof(uint32_t))};
  for (uint32_t i = 0; i < count; i++)
    by.first[loops->instances.data[i].head + 2]++;
  for (uint32_t a = 0; a < atoms; a++) by.first[a + 2] += by.first[a + 1];
  for (uint32_t i = 0; i < count; i++)
    by.order[by.first[loops->instances.data[i].head + 1]++] = i;
  return by;
}

static Signal define_atom(Loops *loops, const ByHead *by, uint32_t atom,
                          const Signal *signals) {
  vector_clear(&loops->any);
  for (uint32_t i = by->first[atom]; i < by->first[atom + 1]; i++) {
    Signal one =
        instance_signal(loops, &loops->instances.data[by->order[i]], signals);
    vector_push(&loops->any, one);
  }
  return net_or(loops->net, loops->any.data, loops->any.count);
}

static void build_atom_graph(const Loops *loops, const ByHead *by,
                             Graph *graph) {
  for (uint32_t atom = 0; atom < loops->count; atom++) {
    graph_begin_node(graph);
    for (uint32_t i = by->first[atom]; i < by->first[atom + 1]; i++) {
      const LoopInstance *instance = &loops->instances.data[by->order[i]];
      for (uint32_t j = 0; j < instance->count; j++)
        graph_add_edge(graph, loops->atoms.data[instance->first + j] >> 1);
    }
  }
  graph_end(graph);
}

static bool calls_itself(const Graph *graph, uint32_t atom) {
  for (uint32_t i = graph->first.data[atom]; i < graph->first.data[atom + 1];
       i++)
    if (graph->targets.data[i] == atom) return true;
  return false;
}

/* Negation inside a cycle of ground atoms cannot be evaluated. */
static bool check_negation(const Loops *loops, const uint32_t *component) {
  for (uint32_t i = 0; i < loops->instances.count; i++) {
    const LoopInstance *instance = &loops->instances.data[i];
    for (uint32_t j = 0; j < instance->count; j++) {
      uint32_t atom = loops->atoms.data[instance->first + j];
      if ((atom & 1) && component[atom >> 1] == component[instance->head])
        return false;
    }
  }
  return true;
}

/* Gives the atoms of one component of the atom graph their signals. */
static void define_component(Loops *loops, const ByHead *by,
                             const uint32_t *members, uint32_t count, bool loop,
                             Signal *signals) {
  if (!loop) {
    signals[members[0]] = define_atom(loops, by, members[0], signals);
    return;
  }
  uint32_t first = loops->net->loops.count;
  for (uint32_t i = 0; i < count; i++)
    signals[members[i]] = net_add_loop(loops->net, loops->block_count);
  for (uint32_t i = 0; i < count; i++) {
    Signal definition = define_atom(loops, by, members[i], signals);
    loops->net->loops.data[first + i].definition = definition;
  }
  loops->block_count++;
}

bool loops_define(Loops *loops, Net *net, Signal *signals) {
  loops->net = net;
  uint32_t atoms = loops->count;
  ByHead by = sort_instances(loops);
  Graph graph = {0};
  build_atom_graph(loops, &by, &graph);
  uint32_t *component = memory_new((atoms + 1) * sizeof *component);
  uint32_t components = graph_components(&graph, component);
  bool fine = check_negation(loops, component);
  uint32_t *first = memory_new((components + 2) * sizeof *first);
  uint32_t *members = memory_new((atoms + 1) * sizeof *members);
  for (uint32_t a = 0; a < atoms; a++) first[component[a] + 2]++;
  for (uint32_t c = 0; c < components; c++) first[c + 2] += first[c + 1];
  for (uint32_t a = 0; a < atoms; a++) members[first[component[a] + 1]++] = a;
  for (uint32_t c = 0; c < components && fine; c++) {
    uint32_t count = first[c + 1] - first[c];
    bool loop = count > 1 || calls_itself(&graph, members[first[c]]);
    define_component(loops, &by, members + first[c], count, loop, signals);
  }
  memory_delete(members);
  memory_delete(first);
  memory_delete(component);
  memory_delete(by.first);
  memory_delete(by.order);
  graph_free(&graph);
  return fine;
}
