#include "support/play.h"

Game *play_open(Description *description, const char *text) {
  front_read(description, text);
  Text wrong = {0};
  report_write(&description->report, true, &wrong);
  if (wrong.length) fail_msg("%s", wrong.bytes);
  text_free(&wrong);
  RulesLimits limits = {.memory = (size_t)64 << 20};
  return rules_engine_new(description, &limits);
}

void play_close(Game *game) {
  Description *description = game->description;
  game_delete(game);
  description_free(description);
}

void play_write_sorted(const Game *game, const Term *list, uint32_t count,
                       Text *text) {
  TermVector sorted = {0};
  vector_resize(&sorted, count);
  for (uint32_t i = 0; i < count; i++) sorted.data[i] = list[i];
  term_sort(game_terms(game), sorted.data, count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add_byte(text, ' ');
    term_write(game_terms(game), sorted.data[i], text);
  }
  vector_free(&sorted);
}

static void play_expect(Game *game, const Term *list, uint32_t count,
                        const char *expected) {
  Text text = {0};
  play_write_sorted(game, list, count, &text);
  assert_string_equal(text_string(&game->error), "");
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

void expect_legal(Game *game, uint32_t role, const char *expected) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  TermVector terms = {0};
  for (uint32_t i = 0; i < count; i++)
    vector_push(&terms, game_move_term(game, role, moves[i]));
  play_expect(game, terms.data, count, expected);
  vector_free(&terms);
}

void expect_goals(Game *game, uint32_t role, const char *expected) {
  const Term *values;
  uint32_t count = game_goals(game, role, &values);
  play_expect(game, values, count, expected);
}

void expect_facts(Game *game, const char *expected) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  play_expect(game, facts, count, expected);
}

void play_move(Game *game, const char *const *names) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    Term wanted = front_term((Terms *)game_terms(game), names[role]);
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves), i = 0;
    while (i < count && game_move_term(game, role, moves[i]) != wanted) i++;
    if (i == count) fail_msg("%s is not legal", names[role]);
    joint[role] = moves[i];
  }
  game_make(game, joint);
}
