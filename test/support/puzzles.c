#include "support/puzzles.h"

#include "support/games.h"

static void open_book(Puzzles *puzzles) {
  BookLimits limits = games_limits();
  limits.prove_seconds = 1;
  assert_true(description_valid(&puzzles->description));
  book_init(&puzzles->book, &puzzles->description, &limits, true);
  puzzles->game = book_game(&puzzles->book);
}

static bool open_file(Puzzles *puzzles, const char *folder, const char *name) {
  Text path = {0}, error = {0};
  text_format(&path, "%s/%s.kif", folder, name);
  bool there =
      description_read(&puzzles->description, path.bytes, 1 << 20, &error);
  text_free(&path);
  text_free(&error);
  if (there) open_book(puzzles);
  return there;
}

void puzzles_open_own(Puzzles *puzzles, const char *name) {
  assert_true(open_file(puzzles, "games", name));
}

void puzzles_open_text(Puzzles *puzzles, const char *text) {
  front_read(&puzzles->description, text);
  open_book(puzzles);
}

bool puzzles_open_public(Puzzles *puzzles, const char *name) {
  const char *shared = getenv("SHARED");
  return open_file(puzzles, shared ? shared : "../shared/games", name);
}

void puzzles_close(Puzzles *puzzles) {
  game_delete(puzzles->game);
  book_free(&puzzles->book);
  description_free(&puzzles->description);
}

void puzzles_make(Puzzles *puzzles, const char *move) {
  Term term = front_term(&puzzles->description.rules.terms, move);
  const Move *moves;
  uint32_t count = game_legal(puzzles->game, 0, &moves);
  for (uint32_t i = 0; i < count; i++) {
    Move number = moves[i];
    if (game_move_term(puzzles->game, 0, number) != term) continue;
    game_make(puzzles->game, &number);
    return;
  }
  fail_msg("%s is not legal", move);
}
