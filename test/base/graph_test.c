/* Strongly connected components against reachability computed the slow way, on
   random graphs; and graphs too deep for a recursive search. */
#include "base/graph.h"

#include "base/random.h"
#include "support/unit.h"

enum { NODES = 14 };

static void make_graph(Random *random, bool edges[NODES][NODES], Graph *graph) {
  uint32_t density = random_below(random, 30) + 1;
  for (uint32_t i = 0; i < NODES; i++) {
    graph_begin_node(graph);
    for (uint32_t j = 0; j < NODES; j++) {
      edges[i][j] = random_below(random, 100) < density;
      for (uint32_t n = 0; edges[i][j] && n <= random_below(random, 2); n++)
        graph_add_edge(graph, j);
    }
  }
  graph_end(graph);
}

static void test_random_graphs(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (int n = 0; n < 2000; n++) {
    bool reach[NODES][NODES];
    Graph graph = {0};
    uint32_t component[NODES], highest = 0;
    make_graph(&random, reach, &graph);
    for (uint32_t k = 0; k < NODES; k++)
      for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 0; j < NODES; j++)
          reach[i][j] |= reach[i][k] && reach[k][j];
    uint32_t count = graph_components(&graph, component);
    for (uint32_t i = 0; i < NODES; i++) {
      if (component[i] > highest) highest = component[i];
      for (uint32_t j = 0; j < NODES; j++) {
        bool together = i == j || (reach[i][j] && reach[j][i]);
        assert_int_equal(component[i] == component[j], together);
        if (reach[i][j]) assert_true(component[i] >= component[j]);
      }
    }
    assert_int_equal(count, highest + 1);
    graph_free(&graph);
  }
}

static void test_edges_are_kept(void **state) {
  (void)state;
  Graph graph = {0};
  graph_begin_node(&graph);
  graph_add_edge(&graph, 2);
  graph_begin_node(&graph);
  graph_begin_node(&graph);
  graph_add_edge(&graph, 1);
  graph_add_edge(&graph, 0);
  graph_end(&graph);
  static const uint32_t first[] = {0, 1, 1, 3}, targets[] = {2, 1, 0};
  assert_memory_equal(graph.first.data, first, sizeof first);
  assert_memory_equal(graph.targets.data, targets, sizeof targets);
  graph_free(&graph);
}

/* A path of a million nodes, open and closed into a ring. */
static void test_long_path(void **state) {
  (void)state;
  enum { LENGTH_OF_PATH = 1000000 };
  uint32_t *component = malloc(LENGTH_OF_PATH * sizeof *component);
  for (int ring = 0; ring < 2; ring++) {
    Graph graph = {0};
    for (uint32_t i = 0; i < LENGTH_OF_PATH; i++) {
      graph_begin_node(&graph);
      if (i + 1 < LENGTH_OF_PATH || ring)
        graph_add_edge(&graph, (i + 1) % LENGTH_OF_PATH);
    }
    graph_end(&graph);
    assert_int_equal(graph_components(&graph, component),
                     ring ? 1 : LENGTH_OF_PATH);
    assert_int_equal(component[0], ring ? 0 : LENGTH_OF_PATH - 1);
    graph_free(&graph);
  }
  free(component);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_edges_are_kept),
      cmocka_unit_test(test_long_path),
  };
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
