#include "support/ask.h"

void asking_close(Asking *asking) {
  if (!asking->path) return;
  game_delete(asking->game);
  book_free(&asking->book);
  description_free(&asking->description);
  free(asking->path);
  vector_free(&asking->facts);
  asking->path = NULL;
}

void asking_open(Asking *asking, const char *path) {
  static const BookLimits limits = {
      .ground = {.seconds = 120, .memory = (size_t)1 << 30},
      .reduce_seconds = 60,
      .rules = {.memory = (size_t)1 << 28}};
  if (asking->path && strcmp(asking->path, path) == 0) return;
  asking_close(asking);
  Text error = {0};
  if (!description_read(&asking->description, path, 1 << 20, &error))
    fail_msg("%s: %s", path, text_string(&error));
  assert_true(description_valid(&asking->description));
  book_init(&asking->book, &asking->description, &limits, true);
  asking->game = book_game(&asking->book);
  asking->path = strdup(path);
}

void asking_take_facts(Asking *asking) {
  const Term *facts;
  uint32_t count = game_facts(asking->game, &facts);
  vector_clear(&asking->facts);
  for (uint32_t i = 0; i < count; i++) vector_push(&asking->facts, facts[i]);
}

void asking_enter(Asking *asking, const char *path) {
  Terms words;
  terms_init(&words);
  problem_read(&asking->position, path, &words);
  asking_open(asking, asking->position.game);
  problem_free(&asking->position);
  terms_free(&words);
  problem_read(&asking->position, path, &asking->description.rules.terms);
  asking->role = problem_role(asking->game, asking->position.role);
  problem_enter(&asking->position, asking->game);
  asking_take_facts(asking);
}

Term asking_answer(Asking *asking, const char *agent, uint64_t simulations,
                   uint64_t seed) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error))
    fail_msg("%s: %s", agent, text_string(&error));
  Search *search = search_new(&asking->book, asking->role, &settings, seed);
  assert_true(search_enter(search, asking->facts.data, asking->facts.count));
  search_think(search, &(Budget){.simulations = simulations});
  Term answer = game_move_term(asking->game, asking->role, search_best(search));
  search_delete(search);
  return answer;
}
