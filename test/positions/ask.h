/* Asks agents about positions: a game's rules, made ready once for all
   positions of the game, and what an agent answers after so many simulations.
 */
#ifndef TAFL_TEST_POSITIONS_ASK_H
#define TAFL_TEST_POSITIONS_ASK_H

#include "position.h"
#include "search/search.h"

typedef struct Asking {
  char *path; /* of the game that is open; NULL: none */
  Description description;
  Book book;
  Game *game;
  Position position;
  uint32_t role;
  TermVector facts; /* of the position */
} Asking;

static inline void asking_close(Asking *asking) {
  if (!asking->path) return;
  game_delete(asking->game);
  book_free(&asking->book);
  description_free(&asking->description);
  free(asking->path);
  vector_free(&asking->facts);
  asking->path = NULL;
}

static inline void asking_open(Asking *asking, const char *path) {
  static const LoadLimits limits = {
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

/* The game's state at hand is what will be asked about. */
static inline void asking_take_facts(Asking *asking) {
  const Term *facts;
  uint32_t count = game_facts(asking->game, &facts);
  vector_clear(&asking->facts);
  for (uint32_t i = 0; i < count; i++) vector_push(&asking->facts, facts[i]);
}

/* Read the file and stand at its position; position_free afterwards. */
static inline void asking_enter(Asking *asking, const char *path) {
  Terms words;
  terms_init(&words);
  position_read(&asking->position, path, &words);
  asking_open(asking, asking->position.game);
  position_free(&asking->position);
  terms_free(&words);
  position_read(&asking->position, path, &asking->description.rules.terms);
  asking->role = position_role(asking->game, asking->position.role);
  position_enter(&asking->position, asking->game);
  asking_take_facts(asking);
}

/* The move that the agent chooses there; SEED numbers its randomness. */
static inline Term asking_answer(Asking *asking, const char *agent,
                                 uint64_t simulations, uint64_t seed) {
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

#endif
