#include "agree/rulelist.h"

char *text_taken(Text *text) {
  char *copy = memory_new(text->length + 1);
  memcpy(copy, text_string(text), text->length);
  text_free(text);
  return copy;
}

GameRule *game_add_rule(RandomGame *game, Text *head) {
  GameRule rule = {.head = text_taken(head)};
  vector_push(&game->rules, rule);
  return &vector_last(&game->rules);
}

void game_add_literal(GameRule *rule, Text *literal) {
  char *text = text_taken(literal);
  vector_push(&rule->body, text);
}

static void rule_free(GameRule *rule) {
  memory_delete(rule->head);
  for (uint32_t i = 0; i < rule->body.count; i++)
    memory_delete(rule->body.data[i]);
  vector_free(&rule->body);
}

void random_game_free(RandomGame *game) {
  for (uint32_t i = 0; i < game->rules.count; i++)
    rule_free(&game->rules.data[i]);
  vector_free(&game->rules);
}

void random_game_write(const RandomGame *game, Text *text) {
  for (uint32_t r = 0; r < game->rules.count; r++) {
    const GameRule *rule = &game->rules.data[r];
    if (rule->body.count) text_add(text, "(<= ");
    text_add(text, rule->head);
    for (uint32_t i = 0; i < rule->body.count; i++)
      text_format(text, " %s", rule->body.data[i]);
    text_add(text, rule->body.count ? ")\n" : "\n");
  }
}

/* ---- shrinking ---- */

static bool still_fails(const RandomGame *game, GameFails *fails,
                        void *context) {
  Text text = {0};
  random_game_write(game, &text);
  bool answer = fails(context, text_string(&text));
  text_free(&text);
  return answer;
}

static bool drop_rule(RandomGame *game, uint32_t r, GameFails *fails,
                      void *context) {
  GameRule rule = game->rules.data[r];
  uint32_t after = game->rules.count - r - 1;
  GameRule *place = game->rules.data + r;
  memmove(place, place + 1, after * sizeof *place);
  game->rules.count--;
  if (still_fails(game, fails, context)) {
    rule_free(&rule);
    return true;
  }
  memmove(place + 1, place, after * sizeof *place);
  *place = rule;
  game->rules.count++;
  return false;
}

static bool drop_literal(RandomGame *game, GameRule *rule, uint32_t i,
                         GameFails *fails, void *context) {
  char *literal = rule->body.data[i];
  uint32_t after = rule->body.count - i - 1;
  char **place = rule->body.data + i;
  memmove(place, place + 1, after * sizeof *place);
  rule->body.count--;
  if (still_fails(game, fails, context)) {
    memory_delete(literal);
    return true;
  }
  memmove(place + 1, place, after * sizeof *place);
  *place = literal;
  rule->body.count++;
  return false;
}

void random_game_shrink(RandomGame *game, GameFails *fails, void *context) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = game->rules.count; r-- > 0;)
      changed |= drop_rule(game, r, fails, context);
    for (uint32_t r = 0; r < game->rules.count; r++)
      for (uint32_t i = game->rules.data[r].body.count; i-- > 0;)
        changed |= drop_literal(game, &game->rules.data[r], i, fails, context);
  }
}
