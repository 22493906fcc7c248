/* Rules with errors: the rest of them can be played. */
#include "player/mend.h"

#include "rules/rules.h"
#include "support/games.h"

#define FINE \
  "(role x) (init a) (legal x go) (legal x stay) (<= (next a) (true a))" \
  "(<= terminal (not (true a))) (goal x 50)"

static void mend(Description *description, const char *text, Text *notes) {
  mend_read(description, "rules", text, strlen(text), notes);
}

static void valid_rules_are_unchanged(void **state) {
  (void)state;
  Description description;
  Text notes = {0};
  mend(&description, FINE, &notes);
  assert_true(description_valid(&description));
  assert_string_equal(text_string(&notes), "");
  assert_string_equal(description.text.bytes, FINE);
  description_free(&description);
}

/* Each text is put before and after valid rules, with an open parenthesis in a
   comment at the end; what is left is valid and has two legal moves. */
static void errors_are_removed(void **state) {
  (void)state;
  static const char *const cases[] = {
      "(<= (next ?y) (true a))",
      "(goal x 101)",
      "(<= (p ?x) (not (q ?x)))",
      "(<= p (not p))",
      "(true b)",
      "(<= (legal x ?m) (does x ?m))",
      "(init)",
      "(init a b)",
      "()",
      "((a) b)",
      ")",
      "?x",
      "\x01",
      "(p \x01 q)",
      "\xff",
      "(<= (q (f ?x)) (q ?x))",
  };
  for (size_t i = 0; i < LENGTH(cases); i++)
    for (int order = 0; order < 2; order++) {
      Description description;
      Text text = {0}, notes = {0};
      text_format(&text, "%s\n%s ; (\n", order ? FINE : cases[i],
                  order ? cases[i] : FINE);
      mend(&description, text.bytes, &notes);
      if (!description_valid(&description)) fail_msg("%s", cases[i]);
      BookLimits limits = games_limits();
      Game *game = rules_engine_new(&description, &limits.rules);
      const Move *moves;
      assert_int_equal(game_legal(game, 0, &moves), 2);
      assert_false(game_terminal(game));
      if (!notes.length) fail_msg("no error: %s", cases[i]);
      game_delete(game);
      description_free(&description);
      text_free(&text);
      text_free(&notes);
    }
}

/* An unclosed list includes everything after it. */
static void missing_rules_are_added(void **state) {
  (void)state;
  static const char *const cases[] = {
      "(role x) (init a)", "(role x) (init a) (legal x go",
      "(role x) (init a) (legal x go) (goal x 1000) (<= terminal (not ?x))"};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Description description;
    Text notes = {0};
    BookLimits limits = games_limits();
    mend(&description, cases[i], &notes);
    assert_true(description_valid(&description));
    Game *game = rules_engine_new(&description, &limits.rules);
    const Move *moves;
    assert_int_equal(game_legal(game, 0, &moves), 1);
    assert_false(game_terminal(game));
    assert_int_equal(game_goal(game, 0), 50);
    game_delete(game);
    description_free(&description);
    text_free(&notes);
  }
}

static void no_roles_are_invented(void **state) {
  (void)state;
  static const char *const cases[] = {"", " ", "(", "(init a)", ")))", "x"};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Description description;
    Text notes = {0};
    mend(&description, cases[i], &notes);
    assert_false(description_valid(&description));
    assert_int_equal(description.rules.roles.count, 0);
    description_free(&description);
    text_free(&notes);
  }
}

/* More errors than a report keeps, and more than all rounds can remove. */
static void many_errors(void **state) {
  (void)state;
  Text text = {0}, notes = {0};
  Description description;
  text_add(&text, FINE);
  for (int i = 0; i < 350; i++) text_format(&text, "(<= (p%d ?x) q)", i);
  mend(&description, text.bytes, &notes);
  assert_true(description_valid(&description));
  description_free(&description);
  for (int i = 0; i < 2000; i++) text_format(&text, "(<= (p%d ?x) q)", i);
  mend(&description, text.bytes, &notes);
  assert_false(description_valid(&description));
  description_free(&description);
  text_free(&text);
  text_free(&notes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valid_rules_are_unchanged),
      cmocka_unit_test(errors_are_removed),
      cmocka_unit_test(missing_rules_are_added),
      cmocka_unit_test(no_roles_are_invented),
      cmocka_unit_test(many_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
