/* Tarjan's algorithm (1972) with an explicit stack, so that a chain of a
   million nodes does not overflow the call stack. */
#include "base/graph.h"

#include "base/trial.h"

#include <stdbool.h>

void graph_begin_node(Graph *graph) {
  vector_push(&graph->first, graph->targets.count);
}

void graph_add_edge(Graph *graph, uint32_t target) {
  vector_push(&graph->targets, target);
}

void graph_end(Graph *graph) {
  vector_push(&graph->first, graph->targets.count);
}

void graph_free(Graph *graph) {
  vector_free(&graph->first);
  vector_free(&graph->targets);
}

/* One frame of the recursion: a node and its next edge. */
typedef struct Frame {
  uint32_t node, next;
} Frame;

typedef struct Tarjan {
  const Graph *graph;
  uint32_t *component, count;
  uint32_t *index, *low; /* 0: not seen */
  bool *open;
  uint32_t counter;
  VECTOR(uint32_t) stack;
  VECTOR(Frame) frames;
} Tarjan;

static void enter(Tarjan *tarjan, uint32_t node) {
  tarjan->index[node] = tarjan->low[node] = ++tarjan->counter;
  tarjan->open[node] = true;
  vector_push(&tarjan->stack, node);
  Frame frame = {node, tarjan->graph->first.data[node]};
  vector_push(&tarjan->frames, frame);
}

static void finish_component(Tarjan *tarjan, uint32_t root) {
  uint32_t member;
  do {
    member = tarjan->stack.data[--tarjan->stack.count];
    tarjan->open[member] = false;
    tarjan->component[member] = tarjan->count;
  } while (member != root);
  tarjan->count++;
}

static void search_from(Tarjan *tarjan, uint32_t root) {
  trial_check();
  enter(tarjan, root);
  while (tarjan->frames.count) {
    Frame *frame = &vector_last(&tarjan->frames);
    uint32_t node = frame->node;
    if (frame->next < tarjan->graph->first.data[node + 1]) {
      uint32_t target = tarjan->graph->targets.data[frame->next++];
      if (!tarjan->index[target])
        enter(tarjan, target);
      else if (tarjan->open[target] &&
               tarjan->index[target] < tarjan->low[node])
        tarjan->low[node] = tarjan->index[target];
      continue;
    }
    if (tarjan->low[node] == tarjan->index[node])
      finish_component(tarjan, node);
    tarjan->frames.count--;
    if (tarjan->frames.count) {
      uint32_t caller = vector_last(&tarjan->frames).node;
      if (tarjan->low[node] < tarjan->low[caller])
        tarjan->low[caller] = tarjan->low[node];
    }
  }
}

uint32_t graph_components(const Graph *graph, uint32_t *component) {
  uint32_t nodes = graph->first.count - 1;
  Tarjan tarjan = {.graph = graph,
                   .component = component,
                   .index = memory_new(nodes * sizeof(uint32_t)),
                   .low = memory_new(nodes * sizeof(uint32_t)),
                   .open = memory_new(nodes * sizeof(bool))};
  for (uint32_t node = 0; node < nodes; node++)
    if (!tarjan.index[node]) search_from(&tarjan, node);
  memory_delete(tarjan.index);
  memory_delete(tarjan.low);
  memory_delete(tarjan.open);
  vector_free(&tarjan.stack);
  vector_free(&tarjan.frames);
  return tarjan.count;
}
