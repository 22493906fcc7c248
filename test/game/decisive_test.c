/* The twin of decisive moves makes every move and every reply: in random games
   the net must prefer the same moves. */
#include "game/decisive.h"

#include "base/bits.h"
#include "base/random.h"
#include "game/book.h"
#include "support/games.h"
#include "support/net_evaluate.h"

typedef struct Twin {
  Description description;
  Book book;
  Game *game;
  const Analysis *analysis;
  uint32_t roles, moves;
  Move joint[RULE_ROLES];
  bool *win, *loss; /* by move, in the current state */
  Random random;
} Twin;

static void open_book(Twin *twin) {
  BookLimits limits = games_limits();
  book_init(&twin->book, &twin->description, &limits, true);
  assert_true(twin->book.has_net);
  twin->game = book_game(&twin->book);
  twin->analysis = book_analysis(&twin->book);
  assert_non_null(twin->analysis);
  twin->roles = twin->game->role_count;
  twin->moves = twin->book.net.moves.count;
  twin->win = memory_new(twin->moves * sizeof(bool));
  twin->loss = memory_new(twin->moves * sizeof(bool));
  random_seed(&twin->random, 1);
}

static void open_file(Twin *twin, const char *path) {
  Text error = {0};
  *twin = (Twin){0};
  if (!description_read(&twin->description, path, 1 << 20, &error))
    fail_msg("%s: %s", path, text_string(&error));
  open_book(twin);
}

static void close_twin(Twin *twin) {
  memory_delete(twin->win);
  memory_delete(twin->loss);
  game_delete(twin->game);
  book_free(&twin->book);
  description_free(&twin->description);
}

/* ---- the slow way ---- */

static uint32_t list_moves(Twin *twin, uint32_t role, MoveVector *list) {
  const Move *legal;
  uint32_t count = game_legal(twin->game, role, &legal);
  vector_clear(list);
  for (uint32_t i = 0; i < count; i++) vector_push(list, legal[i]);
  return count;
}

/* Makes the role's move; the others do the first of theirs. */
static void make(Twin *twin, uint32_t role, Move move) {
  for (uint32_t r = 0; r < twin->roles; r++) {
    const Move *legal;
    assert_true(game_legal(twin->game, r, &legal) > 0);
    twin->joint[r] = r == role ? move : legal[0];
  }
  game_make(twin->game, twin->joint);
}

static bool ended(Twin *twin, uint32_t role, bool best) {
  const RoleGoals *goals = &twin->analysis->goals[role];
  return game_terminal(twin->game) &&
         game_goal(twin->game, role) == (best ? goals->most : goals->least);
}

static bool wins(Twin *twin, uint32_t role, Move move) {
  if (twin->analysis->turns.waiting[move]) return false;
  make(twin, role, move);
  bool won = ended(twin, role, true);
  game_retract(twin->game);
  return won;
}

static bool can_win(Twin *twin, uint32_t role) {
  MoveVector list = {0};
  bool can = false;
  uint32_t count = list_moves(twin, role, &list);
  for (uint32_t i = 0; i < count && !can; i++)
    can = wins(twin, role, list.data[i]);
  vector_free(&list);
  return can;
}

static bool loses(Twin *twin, uint32_t role, Move move) {
  if (twin->analysis->turns.waiting[move]) return false;
  make(twin, role, move);
  bool lost = ended(twin, role, false);
  for (uint32_t r = 0; r < twin->roles && !game_terminal(twin->game); r++)
    lost |= r != role && can_win(twin, r);
  game_retract(twin->game);
  return lost;
}

static void judge(Twin *twin, uint32_t role, const MoveVector *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Move move = list->data[i];
    twin->win[move] = wins(twin, role, move);
    twin->loss[move] = loses(twin, role, move);
  }
}

/* ---- comparison ---- */

static bool is_preferred(const Twin *twin, const MoveVector *list, Move move,
                         Decisive kind) {
  bool won = false, safe = false;
  for (uint32_t i = 0; i < list->count; i++) {
    won |= twin->win[list->data[i]];
    safe |= !twin->loss[list->data[i]];
  }
  if (kind != DECISIVE_DEFEND && won) return twin->win[move];
  return kind == DECISIVE_WIN || !safe || !twin->loss[move];
}

static void evaluate(Twin *twin, const Net *net, bool *values) {
  const uint64_t *words;
  bool *fluents = memory_new(net->fluents.count);
  bool *moves = memory_new(net->moves.count);
  game_state(twin->game, &words);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    fluents[i] = bits_has(words, i);
  net_evaluate(net, fluents, moves, values);
  memory_delete(fluents);
  memory_delete(moves);
}

/* Returns how many legal moves are not preferred. */
static uint32_t compare_role(Twin *twin, const Net *net, const bool *values,
                             uint32_t role, Decisive kind,
                             const MoveVector *list) {
  uint32_t preferred = 0, legal = 0;
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++) {
    Signal signal = net->moves.data[i].legal;
    legal += values[signal_gate(signal)] != signal_negated(signal);
  }
  for (uint32_t i = 0; i < list->count; i++) {
    Signal signal = net->moves.data[list->data[i]].legal;
    bool got = values[signal_gate(signal)] != signal_negated(signal);
    assert_int_equal(got, is_preferred(twin, list, list->data[i], kind));
    preferred += got;
  }
  assert_int_equal(legal, preferred);
  return list->count - preferred;
}

static uint32_t compare_state(Twin *twin, const Net *nets) {
  MoveVector list = {0};
  uint32_t avoided = 0;
  for (uint32_t role = 0; role < twin->roles; role++) {
    list_moves(twin, role, &list);
    judge(twin, role, &list);
    for (int kind = DECISIVE_WIN; kind < DECISIVE_KINDS; kind++) {
      bool *values = memory_new(nets[kind].gates.count);
      evaluate(twin, &nets[kind], values);
      avoided +=
          compare_role(twin, &nets[kind], values, role, (Decisive)kind, &list);
      memory_delete(values);
    }
  }
  vector_free(&list);
  return avoided;
}

static void make_random(Twin *twin) {
  for (uint32_t role = 0; role < twin->roles; role++) {
    const Move *legal;
    uint32_t count = game_legal(twin->game, role, &legal);
    twin->joint[role] = legal[random_below(&twin->random, count)];
  }
  game_make(twin->game, twin->joint);
}

/* Compares `games` random games from every `every`-th state on. */
static uint32_t compare_games(Twin *twin, const Net *nets, uint32_t games,
                              uint32_t every) {
  uint32_t avoided = 0, step = 0;
  for (uint32_t i = 0; i < games; i++) {
    game_reset(twin->game);
    for (; !game_terminal(twin->game); step++) {
      if (step % every == 0) avoided += compare_state(twin, nets);
      make_random(twin);
    }
  }
  return avoided;
}

static void check(Twin *twin, uint32_t games, uint32_t every) {
  ReduceOptions options = {.seconds = 1, .legal = true};
  Net nets[DECISIVE_KINDS];
  for (int kind = DECISIVE_WIN; kind < DECISIVE_KINDS; kind++) {
    Net made;
    assert_true(decisive_moves(twin->analysis, (Decisive)kind, &made));
    reduce_net(&made, &nets[kind], &options, NULL);
    net_free(&made);
  }
  assert_true(compare_games(twin, nets, games, every) > 0);
  for (int kind = DECISIVE_WIN; kind < DECISIVE_KINDS; kind++)
    net_free(&nets[kind]);
}

static void test_games(void **state) {
  (void)state;
  static const struct {
    const char *path;
    uint32_t games, every;
  } list[] = {
      {"games/ticTacToe.kif", 20, 1},   {"games/connectFour.kif", 10, 1},
      {"games/breakthrough.kif", 4, 5}, {"games/connect5.kif", 2, 5},
      {"games/pentago.kif", 2, 5},      {"games/nineBoardTicTacToe.kif", 2, 3},
      {"games/nim.kif", 10, 1},
  };
  uint32_t factor = unit_long() ? 10 : 1;
  for (uint32_t i = 0; i < LENGTH(list); i++) {
    Twin twin;
    open_file(&twin, list[i].path);
    check(&twin, list[i].games * factor, list[i].every);
    close_twin(&twin);
  }
}

/* ---- games without decisive moves, and the book ---- */

static void expect_none(Twin *twin) {
  Net net;
  for (int kind = DECISIVE_NONE; kind < DECISIVE_KINDS; kind++)
    assert_false(decisive_moves(twin->analysis, (Decisive)kind, &net));
  const Cones *plain = book_cones(&twin->book, 1);
  assert_non_null(plain);
  assert_ptr_equal(book_deciding(&twin->book, 1, DECISIVE_BOTH), plain);
  assert_ptr_equal(book_deciding_captures(&twin->book, 1, DECISIVE_BOTH),
                   plain);
  close_twin(twin);
}

/* Roles that move at once, and three of them. */
static void test_none(void **state) {
  (void)state;
  Twin twin = {0};
  games_read(&twin.description, GAME_DUEL);
  open_book(&twin);
  expect_none(&twin);
  twin = (Twin){0};
  games_read(&twin.description, GAME_THREE);
  open_book(&twin);
  expect_none(&twin);
}

/* One role avoids what ends the game with its least goal. */
static void test_alone(void **state) {
  (void)state;
  Twin twin = {0};
  games_read(&twin.description, GAME_PUZZLE);
  open_book(&twin);
  check(&twin, 10, 1);
  close_twin(&twin);
}

/* The book makes each variant once; captures come on top where there are
   some. */
static void test_book(void **state) {
  (void)state;
  Twin twin;
  open_file(&twin, "games/ticTacToe.kif");
  Book *book = &twin.book;
  const Cones *plain = book_cones(book, 1);
  const Cones *both = book_deciding(book, 1, DECISIVE_BOTH);
  assert_ptr_not_equal(both, plain);
  assert_ptr_equal(book_deciding(book, 1, DECISIVE_BOTH), both);
  assert_ptr_equal(book_deciding(book, 1, DECISIVE_NONE), plain);
  assert_ptr_equal(book_deciding_captures(book, 1, DECISIVE_BOTH), both);
  close_twin(&twin);
  open_file(&twin, "games/ttcc4.kif");
  plain = book_cones(book, 1);
  const Cones *win = book_deciding(book, 1, DECISIVE_WIN);
  const Cones *captures = book_deciding_captures(book, 1, DECISIVE_WIN);
  assert_ptr_not_equal(win, plain);
  assert_ptr_not_equal(captures, win);
  assert_ptr_not_equal(captures, book_capturing(book, 1));
  assert_ptr_equal(book_deciding_captures(book, 1, DECISIVE_WIN), captures);
  close_twin(&twin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_book),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
