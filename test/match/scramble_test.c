/* Which names are replaced and which stay, that it remains the same game, and
   that terms can be translated back. */
#include "match/scramble.h"

#include "engine/perft.h"
#include "game/book.h"
#include "support/front.h"

#define RULES \
  "; a comment (\n(role White) (ROLE (the black)) (init (at 1 -7 +3 4x))\n" \
  "(<= (legal ?r (move ?x)) (Role ?r) (not (or (true (at ?x))\n" \
  "  (distinct ?x Terminal))))"

static void tell(const Scramble *scramble, const char *term, Text *text) {
  text_clear(text);
  scramble_tell(scramble, term, text);
}

static void test_plain(void **state) {
  (void)state;
  Scramble scramble;
  Text text = {0};
  scramble_init(&scramble, RULES, strlen(RULES), false, 1);
  assert_string_equal(
      text_string(&scramble.rules),
      "(role White) (ROLE (the black)) (init (at 1 -7 +3 4x)) "
      "(<= (legal ?r (move ?x)) (Role ?r) (not (or (true (at ?x)) "
      "(distinct ?x Terminal))))");
  tell(&scramble, " ( move\n White )", &text);
  assert_string_equal(text_string(&text), "(move White)");
  text_clear(&text);
  assert_true(scramble_read(&scramble, "(move White)", &text));
  text_clear(&text);
  assert_false(scramble_read(&scramble, "(move Red)", &text));
  assert_string_equal(text_string(&text), "(move Red)");
  text_free(&text);
  scramble_free(&scramble);
}

static void expect_stays(const Scramble *scramble, const char *word,
                         bool stays) {
  Text told = {0}, back = {0};
  scramble_tell(scramble, word, &told);
  if (stays)
    assert_string_equal(text_string(&told), word);
  else
    assert_string_not_equal(text_string(&told), word);
  assert_true(scramble_read(scramble, text_string(&told), &back));
  assert_string_equal(text_string(&back), word);
  assert_int_equal(*word == '?', *text_string(&told) == '?');
  text_free(&told);
  text_free(&back);
}

static void test_words(void **state) {
  (void)state;
  static const char *const stay[] = {"role", "ROLE", "Role",     "init",
                                     "<=",   "1",    "-7",       "+3",
                                     "or",   "true", "Terminal", "distinct"};
  static const char *const go[] = {"White", "the", "black", "at",
                                   "4x",    "?r",  "?x",    "move"};
  for (uint64_t seed = 0; seed < 50; seed++) {
    Scramble scramble;
    Text text = {0};
    scramble_init(&scramble, RULES, strlen(RULES), true, seed);
    for (size_t i = 0; i < LENGTH(stay); i++)
      expect_stays(&scramble, stay[i], true);
    for (size_t i = 0; i < LENGTH(go); i++)
      expect_stays(&scramble, go[i], false);
    assert_false(scramble_read(&scramble, "(move White)", &text));
    text_free(&text);
    scramble_free(&scramble);
  }
}

static void test_seeds(void **state) {
  (void)state;
  Scramble scrambles[3];
  for (uint32_t i = 0; i < 3; i++)
    scramble_init(&scrambles[i], RULES, strlen(RULES), true, i ? 5 : 6);
  assert_string_equal(scrambles[1].rules.bytes, scrambles[2].rules.bytes);
  assert_string_not_equal(scrambles[0].rules.bytes, scrambles[1].rules.bytes);
  for (uint32_t i = 0; i < 3; i++) scramble_free(&scrambles[i]);
}

/* With more words than there are names of two syllables, no name is given
   twice, and none is a word of the rules. */
static void test_many(void **state) {
  (void)state;
  Text rules = {0};
  Scramble scramble;
  Symbols seen;
  for (uint32_t i = 0; i < 20000; i++)
    text_format(&rules, "(fact word%u) (fact %c%c%c%c)", i, "bcdfghjkl"[i % 9],
                "aeiou"[i / 9 % 5], "mnprstvwz"[i / 45 % 9],
                "AEIOU"[i / 405 % 5]);
  scramble_init(&scramble, rules.bytes, rules.length, true, 3);
  symbols_init(&seen);
  uint32_t names = 0;
  for (Symbol i = 1; i < scramble.names.count; i++) {
    const char *name = scramble.names.data[i];
    if (!name) continue;
    names++;
    symbol_intern(&seen, name, strlen(name));
    assert_null(strstr(name, "word"));
  }
  /* `fact` is another name; basE is a keyword. */
  assert_int_equal(names, 20000 + 9 * 5 * 9 * 5 + 1 - 1);
  assert_int_equal(seen.names.count - SYMBOL_FIRST_FREE, names);
  symbols_free(&seen);
  scramble_free(&scramble);
  text_free(&rules);
}

static uint64_t leaves(const char *text, size_t length, uint32_t depth) {
  Description description;
  BookLimits limits = {.ground = {.seconds = 10, .memory = (size_t)64 << 20},
                       .rules = {.memory = (size_t)64 << 20}};
  Book book;
  description_init(&description, "rules", text, length);
  assert_true(description_valid(&description));
  book_init(&book, &description, &limits, true);
  Game *game = book_game(&book);
  uint64_t count = perft_count(game, depth);
  game_delete(game);
  book_free(&book);
  description_free(&description);
  return count;
}

static void test_same_game(void **state) {
  (void)state;
  static const char *const games[] = {
      "games/ticTacToe.kif", "games/breakthrough.kif", "games/blocksWorld.kif"};
  for (size_t i = 0; i < LENGTH(games); i++) {
    Text text = {0}, error = {0};
    Scramble scramble;
    assert_true(text_read_file(&text, games[i], 1 << 20, &error));
    scramble_init(&scramble, text.bytes, text.length, true, i);
    assert_true(leaves(text.bytes, text.length, 3) ==
                leaves(scramble.rules.bytes, scramble.rules.length, 3));
    scramble_free(&scramble);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain), cmocka_unit_test(test_words),
      cmocka_unit_test(test_seeds), cmocka_unit_test(test_many),
      cmocka_unit_test(test_same_game)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
