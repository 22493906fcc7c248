/* Tokens: made, compared, allowed. */
#include "web/token.h"

#include "support/unit.h"

static void made_at_random(void **state) {
  (void)state;
  Text one = {0}, other = {0};
  token_make(&one);
  token_make(&other);
  assert_int_equal(one.length, 32);
  assert_string_not_equal(text_string(&one), text_string(&other));
  assert_true(token_is_plain(text_string(&one)));
  text_free(&one);
  text_free(&other);
}

static void only_the_token_matches(void **state) {
  (void)state;
  static const struct {
    const char *token, *header;
    bool right;
  } cases[] = {{"abc", "Bearer abc", true},
               {"abc", "bearer abc", true},
               {"abc", "Bearer ab", false},
               {"abc", "Bearer abcd", false},
               {"abc", "Bearer abcabc", false},
               {"abc", "Bearer ABC", false},
               {"abc", "Bearer  abc", false},
               {"abc", "Bearer ", false},
               {"abc", "Bearer", false},
               {"abc", "Basic abc", false},
               {"abc", "abc", false},
               {"abc", "", false},
               {"abc", NULL, false},
               {"", "Bearer ", false}};
  for (size_t i = 0; i < LENGTH(cases); i++)
    assert_int_equal(token_matches(cases[i].token, cases[i].header),
                     cases[i].right);
}

static void some_words_are_no_tokens(void **state) {
  (void)state;
  static const char *const wrong[] = {"", "a b", "a#b", "ä", "a\n", "a%20"};
  char text[300] = "";
  for (size_t i = 0; i < LENGTH(wrong); i++)
    assert_false(token_is_plain(wrong[i]));
  assert_true(token_is_plain("Az09-._~"));
  memset(text, 'a', sizeof text - 1);
  assert_false(token_is_plain(text));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(made_at_random),
      cmocka_unit_test(only_the_token_matches),
      cmocka_unit_test(some_words_are_no_tokens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
