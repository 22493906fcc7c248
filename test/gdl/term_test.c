/* Terms: equal ones have one number, hashes do not depend on the store, and the
   walks over terms (contains, substitute, collect, write, compare) agree with
   what is written. */
#include "gdl/term.h"

#include "base/random.h"
#include "base/trial.h"
#include "support/front.h"

static Terms terms;

static int set_up(void **state) {
  (void)state;
  terms_init(&terms);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  terms_free(&terms);
  return 0;
}

static Term read(const char *text) {
  return front_term(&terms, text);
}

static void check_written(Term term, const char *expected) {
  Text text = {0};
  term_write(&terms, term, &text);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_node(void **state) {
  (void)state;
  Term term = read("(cell 1 (f ?x))");
  assert_int_equal(term_arity(&terms, term), 2);
  assert_string_equal(symbol_text(&terms.symbols, term_symbol(&terms, term)),
                      "cell");
  assert_int_equal(term_argument(&terms, term, 0), read("1"));
  assert_int_equal(term_argument(&terms, term, 1), read("(f ?x)"));
  assert_int_equal(term_depth(&terms, term), 2);
  assert_int_equal(term_depth(&terms, read("a")), 0);
  assert_false(term_is_ground(&terms, term));
  assert_true(term_is_ground(&terms, read("(cell 1 (f x))")));
  assert_true(term_is_variable(&terms, read("?x")));
  assert_false(term_is_variable(&terms, read("x")));
  assert_false(term_is_ground(&terms, read("?x")));
  assert_int_equal(read("(f)"), read("f"));
}

/* Many different terms, each made twice, numbered once. */
static void test_hash_consing(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static Term made[COUNT];
  Symbol f = symbol_intern(&terms.symbols, "f", 1);
  made[0] = read("a");
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 1; i < COUNT; i++) {
      Term arguments[3] = {made[i / 2], made[i % 7 % i], made[i - 1]};
      Term term = term_compound(&terms, f, arguments, i % 3 + 1);
      if (round) assert_int_equal(term, made[i]);
      made[i] = term;
      assert_int_equal(term_find(&terms, f, arguments, i % 3 + 1), term);
    }
}

static void test_find_makes_nothing(void **state) {
  (void)state;
  Term a = read("a"), b = read("b"), pair[2] = {a, b}, other[2] = {b, a};
  Term term = read("(f a b)");
  Symbol f = term_symbol(&terms, term);
  uint32_t count = terms.nodes.count;
  assert_int_equal(term_find(&terms, f, pair, 2), term);
  assert_int_equal(term_find(&terms, f, other, 2), 0);
  assert_int_equal(term_find(&terms, f, pair, 1), 0);
  assert_int_equal(terms.nodes.count, count);
}

/* Arguments may be those of a term of the same store, even if its memory moves.
 */
static void test_arguments_from_the_store(void **state) {
  (void)state;
  char text[64];
  for (int i = 0; i < 300; i++) {
    snprintf(text, sizeof text, "(f %d b%d c%d)", i, i, i);
    Term one = read(text);
    snprintf(text, sizeof text, "(g %d b%d c%d)", i, i, i);
    Symbol g = symbol_intern(&terms.symbols, "g", 1);
    Term two = term_compound(&terms, g, term_arguments(&terms, one), 3);
    check_written(two, text);
  }
}

static void test_hash_is_of_the_structure(void **state) {
  (void)state;
  Terms other;
  terms_init(&other);
  front_term(&other, "(z (y x) w)");
  static const char *const texts[] = {
      "a",         "?a",           "(f a b)",      "(f b a)",
      "(f (a b))", "(f (f a) b)",  "(f a (f b))",  "(f a)",
      "(f a a)",   "(cell 1 2 x)", "(cell 2 1 x)", "f",
      "(g a b)"};
  for (size_t i = 0; i < LENGTH(texts); i++) {
    Term one = read(texts[i]), two = front_term(&other, texts[i]);
    assert_true(term_hash(&terms, one) == term_hash(&other, two));
    for (size_t j = 0; j < i; j++)
      assert_true(term_hash(&terms, one) != term_hash(&terms, read(texts[j])));
  }
  terms_free(&other);
}

/* The hash of a term in golden files must never change. */
static void test_hash_is_fixed(void **state) {
  (void)state;
  assert_true(term_hash(&terms, read("(cell 1 2 x)")) == 0x759a8bf4209a47f6u);
}

static void test_contains(void **state) {
  (void)state;
  Term x = read("?x"), term = read("(f a (g ?y (h ?x)) b)");
  assert_true(term_contains(&terms, x, x));
  assert_true(term_contains(&terms, term, x));
  assert_false(term_contains(&terms, term, read("?z")));
  assert_false(term_contains(&terms, read("(f a)"), x));
}

/* All variables at once: variables in values are not replaced again. */
static void test_substitute(void **state) {
  (void)state;
  Term variables[] = {read("?x"), read("?y"), read("?z")};
  Term values[] = {read("(g ?y)"), read("b"), read("?x")};
  static const char *const cases[][2] = {
      {"(f ?x (h ?y ?w) c)", "(f (g ?y) (h b ?w) c)"},
      {"?z", "?x"},
      {"(f ?z ?x)", "(f ?x (g ?y))"},
      {"(a b)", "(a b)"}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Term term = read(cases[i][0]);
    check_written(term_substitute(&terms, term, variables, values, 3),
                  cases[i][1]);
    assert_int_equal(term_substituted_size(&terms, term, variables, values, 3),
                     term_size(&terms, read(cases[i][1])));
    check_written(term_substitute(&terms, term, variables, values, 0),
                  cases[i][0]);
  }
}

/* Sizes count symbols; a term that keeps doubling soon reaches the largest. */
static void test_size(void **state) {
  (void)state;
  assert_int_equal(term_size(&terms, read("a")), 1);
  assert_int_equal(term_size(&terms, read("(f a (g ?x b))")), 5);
  Symbol f = symbol_intern(&terms.symbols, "f", 1);
  Term pair[2] = {read("a"), read("a")};
  for (uint32_t i = 1; i < 100; i++) {
    Term term = term_compound(&terms, f, pair, 2);
    uint64_t size = i < 40 ? ((uint64_t)2 << i) - 1 : UINT64_MAX;
    if (size > TERM_LARGEST_SIZE) size = TERM_LARGEST_SIZE;
    assert_int_equal(term_size(&terms, term), size);
    assert_int_equal(term_depth(&terms, term), i);
    pair[0] = pair[1] = term;
  }
}

static void test_collect_variables(void **state) {
  (void)state;
  TermVector set = {0};
  vector_push(&set, read("?b"));
  term_collect_variables(&terms, read("(f ?a (g ?b ?a) ?c c)"), &set);
  assert_int_equal(set.count, 3);
  assert_int_equal(set.data[0], read("?b"));
  assert_int_equal(set.data[1], read("?a"));
  assert_int_equal(set.data[2], read("?c"));
  assert_true(term_vector_contains(&set, read("?c")));
  assert_false(term_vector_contains(&set, read("?d")));
  vector_free(&set);
}

static void test_write(void **state) {
  (void)state;
  static const char *const texts[] = {"a", "?x", "(f a)", "(f (g ?x 1) (h 2))"};
  for (size_t i = 0; i < LENGTH(texts); i++)
    check_written(read(texts[i]), texts[i]);
}

static void test_number(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {
      {"0", 0},           {"100", 100}, {"007", 7},    {"999999999", 999999999},
      {"1000000000", -1}, {"-1", -1},   {"1.5", -1},   {"12x", -1},
      {"a", -1},          {"?1", -1},   {"(1 2)", -1}, {"+5", -1}};
  for (size_t i = 0; i < LENGTH(cases); i++)
    assert_int_equal(term_number(&terms, read(cases[i].text)), cases[i].value);
}

/* Sorting any permutation must give back the sorted list. */
static void test_sort(void **state) {
  (void)state;
  static const char *const sorted[] = {"0",
                                       "01",
                                       "1",
                                       "2",
                                       "10",
                                       "100",
                                       "B",
                                       "a",
                                       "ab",
                                       "b",
                                       "(cell 1 1)",
                                       "(cell 1 2 x)",
                                       "(cell 1 10)",
                                       "(cell 2 1)",
                                       "(cell 10 1)",
                                       "(cell a 1)",
                                       "(cell (f 1) 1)"};
  enum { COUNT = sizeof sorted / sizeof *sorted };
  Term list[COUNT];
  Random random;
  random_seed(&random, 1);
  for (int round = 0; round < 50; round++) {
    for (uint32_t i = 0; i < COUNT; i++) list[i] = read(sorted[i]);
    for (uint32_t i = COUNT - 1; i > 0; i--) {
      uint32_t j = random_below(&random, i + 1);
      Term swap = list[i];
      list[i] = list[j], list[j] = swap;
    }
    term_sort(&terms, list, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) check_written(list[i], sorted[i]);
  }
}

/* A total order: exactly one of less, equal, greater; and transitive. */
static void test_compare_is_an_order(void **state) {
  (void)state;
  static const char *const texts[] = {"1",       "01",    "10",        "a",
                                      "(a)",     "(a 1)", "(a 01)",    "(a b)",
                                      "(a 1 1)", "?a",    "(a (a 1))", "-1"};
  for (size_t i = 0; i < LENGTH(texts); i++)
    for (size_t j = 0; j < LENGTH(texts); j++) {
      Term a = read(texts[i]), b = read(texts[j]);
      int order = term_compare(&terms, a, b);
      assert_int_equal(order == 0, a == b);
      assert_int_equal(order<0, term_compare(&terms, b, a)> 0);
      for (size_t k = 0; order < 0 && k < LENGTH(texts); k++) {
        Term c = read(texts[k]);
        if (term_compare(&terms, b, c) < 0)
          assert_true(term_compare(&terms, a, c) < 0);
      }
    }
}

static void make_many(void *context) {
  Term before = *(Term *)context;
  for (uint32_t i = 0;; i++) {
    Text name = {0};
    text_format(&name, "n%u", i);
    Symbol symbol = symbol_intern(&terms.symbols, name.bytes, name.length);
    text_free(&name);
    before = term_compound(&terms, symbol, &before, 1);
  }
}

/* After a failed trial the store is as it was and can grow again. */
static void test_restore(void **state) {
  (void)state;
  Term old = read("(f (g a) b)");
  uint32_t count = terms.nodes.count;
  TermsMark mark = terms_mark(&terms);
  assert_false(trial_run(4 << 20, make_many, &old));
  assert_true(terms.nodes.count > count + 10000);
  terms_restore(&terms, &mark);
  assert_int_equal(terms.nodes.count, count);
  assert_int_equal(read("(f (g a) b)"), old);
  check_written(old, "(f (g a) b)");
  Term new = read("(n5 n6)");
  check_written(new, "(n5 n6)");
  assert_int_equal(read("(n5 n6)"), new);
  assert_int_equal(terms.nodes.count, count + 2);
}

int main(void) {
#define TEST(function) \
  cmocka_unit_test_setup_teardown(function, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_node),
      TEST(test_hash_consing),
      TEST(test_find_makes_nothing),
      TEST(test_arguments_from_the_store),
      TEST(test_hash_is_of_the_structure),
      TEST(test_hash_is_fixed),
      TEST(test_contains),
      TEST(test_substitute),
      TEST(test_size),
      TEST(test_collect_variables),
      TEST(test_write),
      TEST(test_number),
      TEST(test_sort),
      TEST(test_compare_is_an_order),
      TEST(test_restore),
  };
  return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
