#include "support/drawing.h"

#include "engine/moves.h"
#include "support/games.h"

static void copy_facts(Game *game, TermVector *copy) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  vector_clear(copy);
  for (uint32_t i = 0; i < count; i++) vector_push(copy, facts[i]);
}

bool drawn_open(Drawn *drawn, const char *path, bool net, uint64_t seed) {
  Text error = {0};
  BookLimits limits = games_limits();
  *drawn = (Drawn){.moved = false};
  bool fine =
      description_read(&drawn->description, path, (size_t)1 << 24, &error);
  text_free(&error);
  if (!fine) return false;
  if (!description_valid(&drawn->description)) {
    description_free(&drawn->description);
    return false;
  }
  book_init(&drawn->book, &drawn->description, &limits, net);
  drawn->boards = boards_new(&drawn->description, book_analysis(&drawn->book));
  drawn->game = book_game(&drawn->book);
  random_seed(&drawn->random, seed);
  copy_facts(drawn->game, &drawn->facts);
  return true;
}

void drawn_close(Drawn *drawn) {
  vector_free(&drawn->facts);
  vector_free(&drawn->before);
  game_delete(drawn->game);
  boards_delete(drawn->boards);
  book_free(&drawn->book);
  description_free(&drawn->description);
}

void drawn_take(Drawn *drawn, const Move *joint) {
  copy_facts(drawn->game, &drawn->before);
  game_make(drawn->game, joint);
  copy_facts(drawn->game, &drawn->facts);
  drawn->moved = true;
}

bool drawn_step(Drawn *drawn) {
  Move joint[RULE_ROLES];
  Game *game = drawn->game;
  const Move *moves;
  if (game_failed(game) || game_terminal(game)) return false;
  for (uint32_t role = 0; role < game->role_count; role++) {
    if (!game_legal(game, role, &moves)) return false;
    joint[role] = moves_random(game, role, &drawn->random);
  }
  drawn_take(drawn, joint);
  return !game_failed(game);
}

void drawn_write(Drawn *drawn, const BoardsStyle *style, Text *text) {
  boards_draw(drawn->boards, style, drawn->facts.data, drawn->facts.count,
              drawn->moved ? drawn->before.data : NULL, drawn->before.count,
              text);
}
