/* Dependencies: the predicates of the rules, their strongly connected
   components numbered callees first, and what they depend on; on written
   examples, and on random graphs against reachability computed the slow way. */
#include "gdl/dependencies.h"

#include "base/random.h"
#include "support/front.h"

static Description description;

static const Predicate *find(const char *name, uint32_t arity) {
  Symbol symbol =
      symbol_intern(&description.rules.terms.symbols, name, strlen(name));
  uint32_t p = dependencies_find(&description.dependencies, symbol, arity);
  return p ? &description.dependencies.list.data[p] : NULL;
}

static uint32_t component(const char *name, uint32_t arity) {
  assert_non_null(find(name, arity));
  return find(name, arity)->component;
}

static void test_predicates(void **state) {
  (void)state;
  front_read(&description, "(role x) (p a) (p b) (<= (p ?x) (q ?x) (not r)) "
                           "(<= (p ?x ?y) (distinct ?x ?y) (q ?x) (q ?y))");
  assert_int_equal(find("p", 1)->rules.count, 3);
  assert_int_equal(find("p", 1)->rules.data[0], 1);
  assert_int_equal(find("p", 1)->rules.data[2], 3);
  assert_int_equal(find("p", 2)->rules.count, 1);
  assert_int_equal(find("q", 1)->rules.count, 0);
  assert_true(find("q", 1)->used && find("r", 0)->used);
  assert_false(find("p", 1)->used || find("role", 1)->used);
  assert_null(find("distinct", 2));
  assert_null(find("p", 3));
  assert_null(find("x", 0));
  Term atom = front_term(&description.rules.terms, "(p c)");
  uint32_t p = dependencies_of(&description.dependencies,
                               &description.rules.terms, atom);
  assert_ptr_equal(&description.dependencies.list.data[p], find("p", 1));
  description_free(&description);
}

static void test_components(void **state) {
  (void)state;
  front_read(&description,
             "(<= a b) (<= b c) (<= c a) (<= c d) (<= d e) (<= e d) "
             "(<= f (not f)) (<= g a d) h (<= i h)");
  assert_int_equal(component("a", 0), component("b", 0));
  assert_int_equal(component("a", 0), component("c", 0));
  assert_int_equal(component("d", 0), component("e", 0));
  assert_true(component("d", 0) < component("a", 0));
  assert_true(component("a", 0) < component("g", 0));
  assert_true(component("h", 0) < component("i", 0));
  assert_true(component("i", 0) < description.dependencies.component_count);
  assert_true(find("a", 0)->recursive && find("e", 0)->recursive);
  assert_true(find("f", 0)->recursive);
  assert_false(find("g", 0)->recursive || find("i", 0)->recursive);
  description_free(&description);
}

static void test_dependence(void **state) {
  (void)state;
  front_read(&description,
             "(<= s (true x)) (<= m s (does r y)) (<= n t) t "
             "(<= one two) (<= two one) (<= two three) (<= three (not m)) "
             "(<= four (distinct a b) (legal ?r ?m)) (<= (legal r z) s)");
  assert_int_equal(find("t", 0)->depends, ON_NOTHING);
  assert_int_equal(find("n", 0)->depends, ON_NOTHING);
  assert_int_equal(find("s", 0)->depends, ON_STATE);
  assert_int_equal(find("true", 1)->depends, ON_STATE);
  assert_int_equal(find("m", 0)->depends, ON_MOVES);
  assert_int_equal(find("one", 0)->depends, ON_MOVES);
  assert_int_equal(find("two", 0)->depends, ON_MOVES);
  assert_int_equal(find("three", 0)->depends, ON_MOVES);
  assert_int_equal(find("four", 0)->depends, ON_STATE);
  description_free(&description);
}

/* A chain too long for a recursive search. */
static void test_long_chain(void **state) {
  (void)state;
  enum { LINKS = 100000 };
  Text text = {0};
  for (int i = 0; i < LINKS; i++)
    text_format(&text, "(<= p%d p%d)\n", i, i + 1);
  text_format(&text, "(<= p%d (true x))", LINKS);
  Source source;
  Report report;
  Rules rules;
  Dependencies dependencies;
  source_init(&source, "chain", text.bytes, text.length);
  report_init(&report, &source);
  rules_read(&rules, &source, &report);
  dependencies_init(&dependencies, &rules);
  assert_true(dependencies.component_count >= LINKS + 2);
  Symbol first = symbol_intern(&rules.terms.symbols, "p0", 2);
  Symbol second = symbol_intern(&rules.terms.symbols, "p1", 2);
  const Predicate *list = dependencies.list.data;
  const Predicate *p0 = &list[dependencies_find(&dependencies, first, 0)];
  const Predicate *p1 = &list[dependencies_find(&dependencies, second, 0)];
  assert_int_equal(p0->component, p1->component + 1);
  assert_int_equal(p0->depends, ON_STATE);
  dependencies_free(&dependencies);
  rules_free(&rules);
  report_free(&report);
  source_free(&source);
  text_free(&text);
}

/* Callees come before their callers. */
static void test_order(void **state) {
  (void)state;
  front_read(&description, "(<= a b c) (<= b d) (<= c d (not e)) (<= d (q 1)) "
                           "(<= e (q ?x)) (q 1) (<= f g) (<= g f)");
  const Dependencies *dependencies = &description.dependencies;
  uint32_t *order = dependencies_order(dependencies);
  uint32_t place[16] = {0}, count = dependencies->list.count;
  for (uint32_t i = 0; i + 1 < count; i++) {
    assert_true(order[i] > 0 && order[i] < count);
    assert_int_equal(place[order[i]], 0);
    place[order[i]] = i + 1;
  }
  for (uint32_t p = 1; p < count; p++)
    for (uint32_t q = 1; q < count; q++)
      if (dependencies->list.data[p].component <
          dependencies->list.data[q].component)
        assert_true(place[p] < place[q]);
  memory_delete(order);
  description_free(&description);
}

/* ---- random graphs ---- */

enum { NODES = 12 };

static void make_graph(Random *random, bool edges[NODES][NODES], Text *text) {
  uint32_t density = random_below(random, 25) + 2;
  for (uint32_t i = 0; i < NODES; i++) {
    text_format(text, "(<= p%u start) ", i);
    for (uint32_t j = 0; j < NODES; j++) {
      edges[i][j] = random_below(random, 100) < density;
      if (edges[i][j]) text_format(text, "(<= p%u p%u) ", i, j);
    }
  }
}

static void close_graph(bool reach[NODES][NODES]) {
  for (uint32_t k = 0; k < NODES; k++)
    for (uint32_t i = 0; i < NODES; i++)
      for (uint32_t j = 0; j < NODES; j++)
        reach[i][j] |= reach[i][k] && reach[k][j];
}

static void test_random_graphs(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 23);
  for (int n = 0; n < 300; n++) {
    bool reach[NODES][NODES];
    Text text = {0};
    make_graph(&random, reach, &text);
    close_graph(reach);
    front_read(&description, text.bytes);
    const Predicate *list[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
      char name[16];
      snprintf(name, sizeof name, "p%u", i);
      list[i] = find(name, 0);
      assert_int_equal(list[i]->recursive, reach[i][i]);
    }
    for (uint32_t i = 0; i < NODES; i++)
      for (uint32_t j = 0; j < NODES; j++) {
        bool together = i == j || (reach[i][j] && reach[j][i]);
        assert_int_equal(list[i]->component == list[j]->component, together);
        if (reach[i][j] && !together)
          assert_true(list[i]->component > list[j]->component);
      }
    description_free(&description);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_predicates), cmocka_unit_test(test_components),
      cmocka_unit_test(test_dependence), cmocka_unit_test(test_long_chain),
      cmocka_unit_test(test_order),      cmocka_unit_test(test_random_graphs),
  };
  return cmocka_run_group_tests_name("dependencies", tests, NULL, NULL);
}
