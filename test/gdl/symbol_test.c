/* Symbols: one number for one name, whatever the number of names; keywords have
   their fixed numbers and are known in any case. */
#include "gdl/symbol.h"

#include "support/unit.h"

static Symbol intern(Symbols *symbols, const char *text) {
  return symbol_intern(symbols, text, strlen(text));
}

static void test_keywords_are_fixed(void **state) {
  (void)state;
  Symbols symbols;
  symbols_init(&symbols);
  assert_int_equal(intern(&symbols, "<="), SYMBOL_IMPLIES);
  assert_int_equal(intern(&symbols, "distinct"), SYMBOL_DISTINCT);
  assert_int_equal(intern(&symbols, "terminal"), SYMBOL_TERMINAL);
  assert_int_equal(intern(&symbols, "input"), SYMBOL_INPUT);
  assert_int_equal(intern(&symbols, "cell"), SYMBOL_FIRST_FREE);
  for (Symbol s = 1; s < SYMBOL_FIRST_FREE; s++)
    assert_int_equal(intern(&symbols, symbol_text(&symbols, s)), s);
  symbols_free(&symbols);
}

static void test_keywords_in_any_case(void **state) {
  (void)state;
  Symbols symbols;
  symbols_init(&symbols);
  Symbol upper = intern(&symbols, "DOES"), mixed = intern(&symbols, "Does");
  assert_true(upper != mixed && upper != SYMBOL_DOES);
  assert_int_equal(symbol_keyword(&symbols, upper), SYMBOL_DOES);
  assert_int_equal(symbol_keyword(&symbols, mixed), SYMBOL_DOES);
  assert_int_equal(symbol_keyword(&symbols, SYMBOL_NOT), SYMBOL_NOT);
  assert_int_equal(symbol_keyword(&symbols, intern(&symbols, "doe")), 0);
  assert_int_equal(symbol_keyword(&symbols, intern(&symbols, "doess")), 0);
  assert_string_equal(symbol_text(&symbols, upper), "DOES");
  symbols_free(&symbols);
}

static void test_many_names(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  Symbols symbols;
  symbols_init(&symbols);
  char name[16];
  for (uint32_t i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "n%u", i);
    assert_int_equal(intern(&symbols, name), SYMBOL_FIRST_FREE + i);
  }
  for (uint32_t i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "n%u", i);
    assert_int_equal(intern(&symbols, name), SYMBOL_FIRST_FREE + i);
    assert_string_equal(symbol_text(&symbols, SYMBOL_FIRST_FREE + i), name);
  }
  assert_int_equal(symbols.names.count, SYMBOL_FIRST_FREE + COUNT);
  symbols_free(&symbols);
}

/* The text of a symbol is the given bytes alone; a prefix is another name, and
   so is a name with a NUL byte. */
static void test_names_are_bytes(void **state) {
  (void)state;
  Symbols symbols;
  symbols_init(&symbols);
  const char *text = "cell cells";
  Symbol cell = symbol_intern(&symbols, text, 4);
  Symbol cells = symbol_intern(&symbols, text + 5, 5);
  assert_true(cell != cells);
  assert_string_equal(symbol_text(&symbols, cell), "cell");
  assert_int_equal(intern(&symbols, "cells"), cells);
  assert_true(symbol_intern(&symbols, "cell\0", 5) != cell);
  assert_true(intern(&symbols, "Cell") != cell);
  symbols_free(&symbols);
}

static void test_hash_is_of_the_text(void **state) {
  (void)state;
  Symbols one, two;
  symbols_init(&one);
  symbols_init(&two);
  intern(&two, "something");
  Symbol a = intern(&one, "robot"), b = intern(&two, "robot");
  assert_true(a != b);
  assert_true(symbol_hash(&one, a) == symbol_hash(&two, b));
  assert_true(symbol_hash(&one, a) != symbol_hash(&one, intern(&one, "robos")));
  symbols_free(&one);
  symbols_free(&two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keywords_are_fixed),
      cmocka_unit_test(test_keywords_in_any_case),
      cmocka_unit_test(test_many_names),
      cmocka_unit_test(test_names_are_bytes),
      cmocka_unit_test(test_hash_is_of_the_text),
  };
  return cmocka_run_group_tests_name("symbol", tests, NULL, NULL);
}
