/* Directed graphs in flat arrays, and their strongly connected components. */
#ifndef TAFL_BASE_GRAPH_H
#define TAFL_BASE_GRAPH_H

#include "base/vector.h"

/* The edges of node n lead to targets[first[n] … first[n + 1]). A graph is
   built node by node: graph_begin_node, then graph_add_edge for each edge;
   finally graph_end. */
typedef struct Graph {
  VECTOR(uint32_t) first, targets;
} Graph;

void graph_begin_node(Graph *graph);
void graph_add_edge(Graph *graph, uint32_t target);
void graph_end(Graph *graph);
void graph_free(Graph *graph);

/* Numbers the components so that no edge leads to a higher number. Writes each
   node's number and returns how many components there are. */
uint32_t graph_components(const Graph *graph, uint32_t *component);

#endif
