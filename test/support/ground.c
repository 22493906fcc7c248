#include "support/ground.h"

bool ground_try(GroundGame *game, const char *text,
                const GroundLimits *limits) {
  game->error = (Text){0};
  front_read(&game->description, text);
  Text wrong = {0};
  report_write(&game->description.report, true, &wrong);
  if (game->description.report.errors) fail_msg("%s", wrong.bytes);
  text_free(&wrong);
  return ground_init(&game->ground, &game->description, limits, &game->error);
}

void ground_open(GroundGame *game, const char *text) {
  GroundLimits limits = {.seconds = 60, .memory = (size_t)256 << 20};
  bool fine = ground_try(game, text, &limits);
  assert_string_equal(text_string(&game->error), "");
  assert_true(fine);
}

void ground_close(GroundGame *game) {
  ground_free(&game->ground);
  description_free(&game->description);
  text_free(&game->error);
}

static void ground_expect(GroundGame *game, TermVector *terms,
                          const char *expected) {
  Text text = {0};
  if (terms->count) term_sort(game->ground.terms, terms->data, terms->count);
  for (uint32_t i = 0; i < terms->count; i++) {
    if (i) text_add_byte(&text, ' ');
    term_write(game->ground.terms, terms->data[i], &text);
  }
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
  vector_free(terms);
}

void expect_fluents(GroundGame *game, const char *expected) {
  TermVector terms = {0};
  for (uint32_t i = 0; i < game->ground.fluents.count; i++)
    vector_push(&terms, game->ground.fluents.data[i].term);
  ground_expect(game, &terms, expected);
}

void expect_moves(GroundGame *game, uint32_t role, const char *expected) {
  TermVector terms = {0};
  for (uint32_t i = 0; i < game->ground.moves.count; i++)
    if (game->ground.moves.data[i].role == role)
      vector_push(&terms, game->ground.moves.data[i].term);
  ground_expect(game, &terms, expected);
}

GroundRelation *ground_named(GroundGame *game, const char *name,
                             uint32_t arity) {
  Symbol symbol =
      symbol_intern(&game->ground.terms->symbols, name, strlen(name));
  uint32_t p =
      dependencies_find(&game->description.dependencies, symbol, arity);
  assert_int_not_equal(p, 0);
  assert_int_not_equal(game->ground.of_predicate[p], 0);
  return ground_relation(&game->ground, game->ground.of_predicate[p]);
}

void expect_rows(GroundGame *game, const char *name, uint32_t arity,
                 uint32_t count) {
  assert_int_equal(ground_named(game, name, arity)->rows.count, count);
}
