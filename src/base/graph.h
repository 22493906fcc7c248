/* Directed graphs in flat arrays, and their strongly connected components. */
#ifndef TAFL_BASE_GRAPH_H
#define TAFL_BASE_GRAPH_H

#include "base/vector.h"

/* Node n has its edges at targets[first[n] … first[n + 1]). Build it node by
   node: graph_begin_node, then graph_add_edge for each edge; at last
   graph_end. */
typedef struct Graph {
  VECTOR(uint32_t) first, targets;
} Graph;

void graph_begin_node(Graph *graph);
void graph_add_edge(Graph *graph, uint32_t target);
void graph_end(Graph *graph);
void graph_free(Graph *graph);

/* Number the components so that an edge never leads to a higher number; write
   each node's number and return how many there are. */
uint32_t graph_components(const Graph *graph, uint32_t *component);

#endif
