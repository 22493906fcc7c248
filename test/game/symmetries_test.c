/* Symmetries of small games: which are found and which are refused, which moves
   stand for others, and that these have the same value by exhaustive search. */
#include "game/symmetries.h"

#include "base/bits.h"
#include "base/random.h"
#include "engine/moves.h"
#include "game/book.h"
#include "support/games.h"

enum { MOVES_MOST = 64, ROLES_MOST = 3 };

/* Two roles mark squares in turn until `end`, or until the board is full. */
#define MARK \
  "(role x) (role o) (n 1) (n 2) (n 3) (init (control x))" \
  "(<= (init (cell ?a ?b e)) (n ?a) (n ?b))" \
  "(<= (legal ?r (mark ?a ?b)) (true (control ?r)) (true (cell ?a ?b e)))" \
  "(<= (legal x wait) (true (control o)))" \
  "(<= (legal o wait) (true (control x)))" \
  "(<= (next (cell ?a ?b ?r)) (does ?r (mark ?a ?b)))" \
  "(<= (next (cell ?a ?b ?c)) (true (cell ?a ?b ?c)) (distinct ?c e))" \
  "(<= (next (cell ?a ?b e)) (true (cell ?a ?b e)) (not (marked ?a ?b)))" \
  "(<= (marked ?a ?b) (does ?r (mark ?a ?b)))" \
  "(<= (next (control x)) (true (control o)))" \
  "(<= (next (control o)) (true (control x)))" \
  "(<= open (true (cell ?a ?b e))) (<= terminal (not open))" \
  "(<= (row ?r) (true (cell ?a 1 ?r)) (true (cell ?a 2 ?r))" \
  "  (true (cell ?a 3 ?r)))" \
  "(<= (column ?r) (true (cell 1 ?a ?r)) (true (cell 2 ?a ?r))" \
  "  (true (cell 3 ?a ?r)))" \
  "(<= (across ?r) (true (cell 1 1 ?r)) (true (cell 2 2 ?r))" \
  "  (true (cell 3 3 ?r)))" \
  "(<= (across ?r) (true (cell 1 3 ?r)) (true (cell 2 2 ?r))" \
  "  (true (cell 3 1 ?r)))" \
  "(<= (won ?r) (role ?r) (across ?r)) (<= terminal end)"
#define GOALS \
  "(<= end (won ?r)) (<= (goal ?r 100) (role ?r) (won ?r))" \
  "(<= (goal ?r 0) (role ?r) (won ?s) (distinct ?r ?s) (role ?s))" \
  "(<= (goal ?r 50) (role ?r) (not (won x)) (not (won o)))"
/* Rows and columns count for both roles, or each role has its own kind. */
#define LINES \
  MARK GOALS \
      "(<= (won ?r) (role ?r) (row ?r)) (<= (won ?r) (role ?r) (column ?r))"
#define CROSSED MARK GOALS "(<= (won x) (row x)) (<= (won o) (column o))"
/* Looks the same, but one line of three squares counts double; or only when
   the board is full, and with a pattern that random games hardly come to. */
#define ODD \
  LINES "(<= end (true (cell 1 1 x)) (true (cell 2 2 x)) (true (cell 3 2 x)))"
#define RARE \
  LINES \
  "(<= end (true (cell 1 1 x)) (true (cell 1 2 o)) (true (cell 1 3 x))" \
  "  (true (cell 2 1 o)) (true (cell 2 2 e)) (true (cell 2 3 o))" \
  "  (true (cell 3 1 o)) (true (cell 3 2 x)) (true (cell 3 3 x)))"

/* Both show a coin at once; x wins if they are the same. Exchanging the sides
   of both coins changes nothing. */
#define PENNIES \
  "(role x) (role o) (init start) (side 1) (side 2)" \
  "(<= (legal ?r (show ?s)) (role ?r) (side ?s))" \
  "(<= (next (shown ?r ?s)) (does ?r (show ?s)))" \
  "(<= terminal (not (true start)))" \
  "(<= same (true (shown x ?s)) (true (shown o ?s)))" \
  "(<= (goal x 100) same) (<= (goal o 0) same)" \
  "(<= (goal x 0) (not same)) (<= (goal o 100) (not same))"
/* The sides of each coin are alike, and o says whether x wins. */
#define ALIKE \
  "(role x) (role o) (init start) (side 1) (side 2)" \
  "(<= (legal x (show ?s)) (side ?s)) (legal o yes) (legal o no)" \
  "(<= (next (shown ?s)) (does x (show ?s))) (<= (next good) (does o yes))" \
  "(<= terminal (not (true start)))" \
  "(<= (goal x 100) (true good)) (<= (goal o 0) (true good))" \
  "(<= (goal x 0) (not (true good))) (<= (goal o 100) (not (true good)))"

typedef struct Opened {
  Description description;
  Book book;
  Game *game;
  const Symmetries *symmetries;
} Opened;

static void open(Opened *opened, const char *text) {
  BookLimits limits = games_limits();
  limits.prove_seconds = 1;
  if (text[0] == '(') {
    games_read(&opened->description, text);
  } else {
    Text error = {0};
    assert_true(description_read(&opened->description, text, 1 << 20, &error));
  }
  book_init(&opened->book, &opened->description, &limits, true);
  opened->symmetries = book_symmetries(&opened->book);
  opened->game = book_game(&opened->book);
  assert_non_null(opened->symmetries);
}

static void close(Opened *opened) {
  game_delete(opened->game);
  book_free(&opened->book);
  description_free(&opened->description);
}

/* Lists the legal moves of all roles; returns how many there are. */
static uint32_t list(Game *game, uint32_t *moves, uint32_t *counts) {
  uint32_t all = 0;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *legal;
    counts[role] = game_legal(game, role, &legal);
    for (uint32_t i = 0; i < counts[role]; i++) moves[all++] = legal[i];
  }
  assert_true(all <= MOVES_MOST);
  return all;
}

/* Returns how many moves of the role are left in the game's state. */
static uint32_t left(Opened *opened, uint32_t role) {
  uint32_t moves[MOVES_MOST], counts[ROLES_MOST], sum = 0;
  const uint64_t *state;
  list(opened->game, moves, counts);
  game_state(opened->game, &state);
  uint32_t all = symmetries_reduce(opened->symmetries, state, moves, counts);
  for (uint32_t r = 0; r < opened->game->role_count; r++) sum += counts[r];
  assert_int_equal(all, sum);
  return counts[role];
}

static void make(Opened *opened, const char *name) {
  Move joint[ROLES_MOST];
  for (uint32_t role = 0; role < opened->game->role_count; role++) {
    const Move *legal;
    uint32_t count = game_legal(opened->game, role, &legal);
    joint[role] = legal[0];
    for (uint32_t i = 0; i < count; i++) {
      Text text = {0};
      term_write(game_terms(opened->game),
                 game_move_term(opened->game, role, legal[i]), &text);
      if (!strcmp(text_string(&text), name)) joint[role] = legal[i];
      text_free(&text);
    }
  }
  game_make(opened->game, joint);
}

/* ---- what is found ---- */

static void expect(const char *text, uint32_t count, uint32_t first_moves) {
  Opened opened;
  open(&opened, text);
  if (opened.symmetries->count != count)
    fail_msg("%.40s: %u symmetries", text, opened.symmetries->count);
  assert_int_equal(left(&opened, 0), first_moves);
  close(&opened);
}

static void test_found(void **state) {
  (void)state;
  expect("games/ticTacToe.kif", 7, 3);
  expect("games/connectFour.kif", 1, 4);
  expect("games/breakthrough.kif", 1, 11);
  expect(LINES, 7, 3);
  expect(CROSSED, 3, 4);
}

static void test_refused(void **state) {
  (void)state;
  Opened opened;
  expect(ODD, 0, 9);
  open(&opened, RARE);
  assert_int_equal(opened.symmetries->count, 0);
  close(&opened);
}

/* ---- states ---- */

static void test_later_states(void **state) {
  (void)state;
  static const struct {
    const char *moves[3];
    uint32_t left;
  } cases[] = {{{"(mark 2 2)"}, 2},
               {{"(mark 1 1)"}, 5},
               {{"(mark 1 2)"}, 5},
               {{"(mark 1 2)", "(mark 3 2)"}, 4},
               {{"(mark 1 2)", "(mark 3 3)"}, 7},
               {{"(mark 1 1)", "(mark 3 3)", "(mark 2 2)"}, 3}};
  Opened opened;
  open(&opened, LINES);
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t steps = 0;
    game_reset(opened.game);
    while (steps < 3 && cases[i].moves[steps])
      make(&opened, cases[i].moves[steps++]);
    assert_int_equal(left(&opened, steps % 2), cases[i].left);
  }
  close(&opened);
}

/* Groups are proved for states of matches; others may not have them. */
static void test_other_states(void **state) {
  (void)state;
  Opened opened;
  open(&opened, LINES);
  const Net *net = &opened.book.net;
  uint64_t words[2] = {0};
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (net->fluents.data[f].initial) bits_add(words, f);
  assert_true(symmetries_hold(opened.symmetries, words));
  for (uint32_t f = 0; f < net->fluents.count; f++) bits_add(words, f);
  assert_false(symmetries_hold(opened.symmetries, words));
  game_enter(opened.game, words, opened.book.words);
  assert_null(book_symmetries_from(&opened.book, opened.game));
  game_reset(opened.game);
  assert_non_null(book_symmetries_from(&opened.book, opened.game));
  close(&opened);
}

static void test_at_once(void **state) {
  (void)state;
  Opened opened;
  open(&opened, PENNIES);
  assert_int_equal(opened.symmetries->count, 1);
  assert_int_equal(left(&opened, 0), 2);
  assert_int_equal(left(&opened, 1), 2);
  close(&opened);
  open(&opened, ALIKE);
  assert_int_equal(opened.symmetries->count, 1);
  assert_int_equal(left(&opened, 0), 1);
  assert_int_equal(left(&opened, 1), 2);
  close(&opened);
}

/* ---- values ---- */

/* Role 0's goal if both play their best; roles take turns and goals add up. */
static int value_of(Game *game) {
  Move joint[ROLES_MOST];
  uint32_t mover = 0;
  if (game_terminal(game)) return game_goal(game, 0);
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *legal;
    if (game_legal(game, role, &legal) > 1) mover = role;
    joint[role] = legal[0];
  }
  const Move *legal;
  uint32_t count = game_legal(game, mover, &legal);
  Move own[MOVES_MOST];
  memcpy(own, legal, count * sizeof *own);
  int best = mover ? 101 : -1;
  for (uint32_t i = 0; i < count; i++) {
    joint[mover] = own[i];
    game_make(game, joint);
    int value = value_of(game);
    game_retract(game);
    if (mover ? value < best : value > best) best = value;
  }
  return best;
}

/* Checks the moves of the role in turn, which has as many squares as steps are
   left; returns how many are left out. */
static uint32_t check_twins(Opened *opened) {
  Game *game = opened->game;
  uint32_t moves[MOVES_MOST], counts[ROLES_MOST], twins[MOVES_MOST], out = 0;
  const uint64_t *state;
  uint32_t all = list(game, moves, counts);
  game_state(game, &state);
  if (!symmetries_twins(opened->symmetries, state, moves, counts, twins))
    return 0;
  uint32_t mover = counts[0] > 1 ? 0 : 1;
  for (uint32_t i = 0; i < all; i++) {
    if (twins[i] == moves[i]) continue;
    Move joint[ROLES_MOST] = {moves[0], moves[counts[0]]};
    int values[2];
    for (uint32_t k = 0; k < 2; k++) {
      joint[mover] = k ? twins[i] : moves[i];
      game_make(game, joint);
      values[k] = value_of(game);
      game_retract(game);
    }
    assert_int_equal(values[0], values[1]);
    out++;
  }
  return out;
}

static void test_values(void **state) {
  (void)state;
  static const char *const texts[] = {LINES, CROSSED, "games/ticTacToe.kif"};
  enum { GAMES = 12, FIRST = 3 };
  Random random;
  random_seed(&random, 5);
  for (uint32_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    Opened opened;
    uint32_t out = 0;
    open(&opened, texts[t]);
    for (uint32_t i = 0; i < GAMES; i++) {
      game_reset(opened.game);
      for (uint32_t step = 0; !game_terminal(opened.game); step++) {
        Move joint[ROLES_MOST];
        if (step >= FIRST) out += check_twins(&opened);
        for (uint32_t role = 0; role < opened.game->role_count; role++)
          joint[role] = moves_random(opened.game, role, &random);
        game_make(opened.game, joint);
      }
    }
    assert_true(out > 0);
    close(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found),        cmocka_unit_test(test_refused),
      cmocka_unit_test(test_later_states), cmocka_unit_test(test_other_states),
      cmocka_unit_test(test_at_once),      cmocka_unit_test(test_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
