/* Moves as people write them. */
#include "about/spell.h"

#include "support/unit.h"

static void test_fit(void **state) {
  static const struct {
    const char *typed, *move;
    SpellFit fit;
  } cases[] = {
      {"(drop 4)", "(drop 4)", SPELL_EXACT},
      {"  DROP   4 ", "(drop 4)", SPELL_EXACT},
      {"4", "(drop 4)", SPELL_EXACT},
      {"drop4", "(drop 4)", SPELL_SPLIT},
      {"d4", "(drop 4)", SPELL_SHORT},
      {"d 4", "(drop 4)", SPELL_SHORT},
      {"d", "(drop 4)", SPELL_BEGIN},
      {"4", "(drop 14)", SPELL_NONE},
      {"1", "(drop 14)", SPELL_NONE},
      {"e2e4", "(move e 2 e 4)", SPELL_SPLIT},
      {"e2-e4", "(move e 2 e 4)", SPELL_SPLIT},
      {"E2 e4", "(move e 2 e 4)", SPELL_SPLIT},
      {"e 2 e 4", "(move e 2 e 4)", SPELL_EXACT},
      {"e2", "(move e 2 e 4)", SPELL_BEGIN},
      {"e4", "(move e 2 e 4)", SPELL_END},
      {"e2e4", "(move wp e 2 e 4)", SPELL_END},
      {"e2", "(move wp e 2 e 4)", SPELL_INSIDE},
      {"e2e4", "(move e 2 e 14)", SPELL_NONE},
      {"e7e8q", "(promote e 7 e 8 queen)", SPELL_BEGIN},
      {"e7e8=Q", "(promote e 7 e 8 queen)", SPELL_BEGIN},
      {"e7q", "(promote e 7 e 8 queen)", SPELL_LOOSE},
      {"22", "(mark 2 2)", SPELL_SQUEEZED},
      {"2 2", "(mark 2 2)", SPELL_EXACT},
      {"2,2", "(mark 2 2)", SPELL_SPLIT},
      {"22", "(mark 2 21)", SPELL_NONE},
      {"kf3", "(move knight g 1 f 3)", SPELL_LOOSE},
      {"kingside", "(castle king-side)", SPELL_SQUEEZED},
      {"1 2", "(move (at 1 2) up)", SPELL_INSIDE},
      {"noop", "noop", SPELL_EXACT},
      {"n", "noop", SPELL_BEGIN},
      {"+", "+", SPELL_EXACT},
      {"+", "-", SPELL_NONE},
      {"", "noop", SPELL_NONE},
      {"", "-", SPELL_NONE},
      {"()", "(f a)", SPELL_NONE},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SpellFit fit = spell_fit(cases[i].typed, cases[i].move);
    if (fit != cases[i].fit)
      fail_msg("'%s' for %s: %d, not %d", cases[i].typed, cases[i].move,
               (int)fit, (int)cases[i].fit);
  }
}

static void test_find(void **state) {
  static const char *const texts[] = {
      "(promote e 7 e 8 knight)", "(promote e 7 e 8 queen)", "(move e 4 d 5)",
      "(move a 2 a 4)",           "(move 1 2 1 3)",          "(move 1 2 12 3)"};
  enum { COUNT = sizeof texts / sizeof *texts };
  Text moves[COUNT] = {0};
  SpellFound found;
  (void)state;
  for (size_t i = 0; i < COUNT; i++) text_add(&moves[i], texts[i]);
  spell_find("e7e8", moves, COUNT, &found);
  assert_int_equal(found.moves.count, 2);
  vector_free(&found.moves);
  spell_find("e4xd5", moves, COUNT, &found);
  assert_int_equal(found.moves.count, 1);
  assert_int_equal(found.moves.data[0], 2);
  vector_free(&found.moves);
  spell_find("A2-a3", moves, COUNT, &found);
  assert_int_equal(found.moves.count, 1);
  assert_int_equal(found.moves.data[0], 4);
  vector_free(&found.moves);
  spell_find("l3", moves, COUNT, &found);
  assert_int_equal(found.moves.count, 0);
  vector_free(&found.moves);
  spell_find("h4", moves, COUNT, &found);
  assert_int_equal(found.moves.count, 0);
  assert_int_equal(found.fit, SPELL_NONE);
  vector_free(&found.moves);
  for (size_t i = 0; i < COUNT; i++) text_free(&moves[i]);
}

static void expect_said(const char *move, const char *said) {
  Text text = {0};
  spell_say(move, &text);
  assert_string_equal(text_string(&text), said);
  text_free(&text);
}

static void test_say(void **state) {
  (void)state;
  expect_said("(move e 2 e 4)", "e2 e4");
  expect_said("(Move wp e 2 e 14)", "wp e2 e14");
  expect_said("(promote e 7 e 8 queen)", "promote e7 e8 queen");
  expect_said("(drop 4)", "drop 4");
  expect_said("(mark 2 2)", "mark 2 2");
  expect_said("(move north)", "move north");
  expect_said("(move (at 1 2) up)", "move at 1 2 up");
  expect_said("noop", "noop");
}

static void test_number(void **state) {
  (void)state;
  assert_int_equal(spell_number("(drop 4)"), 4);
  assert_int_equal(spell_number("(mark 1 2)"), 12);
  assert_int_equal(spell_number("7"), 7);
  assert_int_equal(spell_number("(move e 4)"), 0);
  assert_int_equal(spell_number("(take 99999999999)"), 0);
  assert_int_equal(spell_number("noop"), 0);
}

static void test_begins(void **state) {
  (void)state;
  assert_true(spell_begins("e2 e4", "E2e"));
  assert_true(spell_begins("e2 e4", ""));
  assert_true(spell_begins("drop 4", "dr"));
  assert_false(spell_begins("e2", "e2e"));
  assert_false(spell_begins("drop 4", "4"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fit), cmocka_unit_test(test_find),
      cmocka_unit_test(test_say), cmocka_unit_test(test_number),
      cmocka_unit_test(test_begins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
