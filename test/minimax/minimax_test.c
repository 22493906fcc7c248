/* The second mind against its twin, a plain minimax without pruning that makes
   every value anew; and what it must do in a match. */
#include "minimax/minimax.h"

#include "base/random.h"
#include "engine/moves.h"
#include "minimax/alphabeta.h"
#include "minimax/parts.h"
#include "support/front.h"
#include "support/minds.h"
#include "value/linear.h"

/* ---- shorthand ---- */

static Minimax *open_mind(TestGame *book, uint32_t role, const char *agent,
                          uint64_t seed) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error))
    fail_msg("%s", text_string(&error));
  if (settings.memory > 16) settings.memory = 16;
  assert_true(minimax_plays(&book->rules));
  return minimax_new(&book->rules, role, &settings, seed);
}

/* ---- the twin ---- */

typedef struct Twin {
  Game *game;
  const Scale *scale;
  const Evaluation *evaluation;
} Twin;

static Score twin_end(const Twin *twin, uint32_t ply) {
  float goals[RULE_ROLES];
  for (uint32_t role = 0; role < twin->game->role_count; role++)
    goals[role] = (float)game_goal(twin->game, role);
  return scale_end(twin->scale, goals, ply);
}

static Score twin_value(const Twin *twin) {
  int32_t sums[4096];
  float values[RULE_ROLES];
  const uint64_t *words;
  game_state(twin->game, &words);
  assert_true(twin->evaluation->sum_count <= LENGTH(sums));
  evaluation_begin(twin->evaluation, words, sums);
  evaluation_values(twin->evaluation, words, sums, NULL, values);
  return scale_values(twin->scale, values);
}

static Score twin_search(const Twin *twin, uint32_t ply, uint32_t depth) {
  Move joint[RULE_ROLES], list[512];
  const Move *moves;
  if (game_terminal(twin->game)) return twin_end(twin, ply);
  if (!depth) return twin_value(twin);
  Turn turn = turn_of(twin->game);
  uint32_t mover = turn.movers ? turn.role : 0;
  for (uint32_t role = 0; role < twin->game->role_count; role++) {
    game_legal(twin->game, role, &moves);
    joint[role] = moves[0];
  }
  uint32_t count = game_legal(twin->game, mover, &moves);
  bool own = mover == twin->scale->role || !turn.movers;
  Score best = own ? -SCORE_INFINITE : SCORE_INFINITE;
  assert_true(count <= LENGTH(list));
  memcpy(list, moves, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    joint[mover] = list[i];
    game_make(twin->game, joint);
    Score score = twin_search(twin, ply + 1, depth - 1);
    game_retract(twin->game);
    if (own ? score > best : score < best) best = score;
  }
  return best;
}

/* Everybody for himself: scores by role. Of equal moves any may be chosen, so
   the twin says what is the least and the most that the role that thinks can
   get; with random weights both are nearly always the same. */
static void twin_maxn(const Twin *twin, const Minimax *minimax, uint32_t ply,
                      uint32_t depth, Score *best) {
  Move joint[RULE_ROLES], list[512];
  const Move *moves;
  uint32_t roles = twin->game->role_count;
  bool ends = game_terminal(twin->game);
  for (uint32_t role = 0; (ends || !depth) && role < roles; role++) {
    Twin own = {twin->game, &minimax->scales[role], twin->evaluation};
    best[role] = ends ? twin_end(&own, ply) : twin_value(&own);
  }
  if (ends || !depth) return;
  Turn turn = turn_of(twin->game);
  uint32_t mover = turn.movers ? turn.role : 0;
  for (uint32_t role = 0; role < roles; role++) {
    game_legal(twin->game, role, &moves);
    joint[role] = moves[0];
  }
  uint32_t count = game_legal(twin->game, mover, &moves);
  memcpy(list, moves, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    Score scores[8];
    joint[mover] = list[i];
    game_make(twin->game, joint);
    twin_maxn(twin, minimax, ply + 1, depth - 1, scores);
    game_retract(twin->game);
    if (!i || scores[mover] > best[mover])
      memcpy(best, scores, roles * sizeof *best);
  }
}

static void test_twin_maxn(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "chineseCheckers4", true);
  for (uint32_t i = 0; i < 4; i++) {
    Minimax *minimax = open_mind(&book, i, "minimax:others=maxn", i);
    Linear *linear = minds_random_linear(&book, i + 1);
    Twin twin = {book_game(&book.rules), &minimax->scale, &linear->evaluation};
    minimax_set_evaluation(minimax, &linear->evaluation);
    assert_true(minimax->maxn);
    minds_play_random(minimax, 3 * i, i + 7);
    for (uint32_t d = 1; d <= 3; d++) {
      Score scores[8];
      minimax_limit_depth(minimax, d);
      minimax_think(minimax, &(Budget){0});
      game_enter(twin.game, minimax->root_state.data, minimax->words);
      twin_maxn(&twin, minimax, 0, d, scores);
      assert_int_equal(minimax->score, scores[i]);
    }
    minimax_delete(minimax);
    game_delete(twin.game);
    evaluation_delete(&linear->evaluation);
  }
  test_game_close(&book);
}

/* Compares the values of states at several depths. Random weights are not
   symmetric, so symmetric moves may not be left out. */
static void compare(const char *name, uint32_t depth, uint32_t positions) {
  TestGame book;
  test_game_open(&book, name, true);
  for (uint32_t i = 0; i < positions; i++) {
    uint32_t role = i % book.rules.net.role_count;
    Minimax *minimax =
        open_mind(&book, role, "minimax:quiet=0,reduce=0,symmetry=0", i);
    Linear *linear = minds_random_linear(&book, i + 1);
    Twin twin = {book_game(&book.rules), &minimax->scale, &linear->evaluation};
    minimax_set_evaluation(minimax, &linear->evaluation);
    minds_play_random(minimax, 3 * i % 13, i + 7);
    for (uint32_t d = 1; d <= depth; d++) {
      minimax_limit_depth(minimax, d);
      minimax_think(minimax, &(Budget){0});
      game_enter(twin.game, minimax->root_state.data, minimax->words);
      assert_int_equal(minimax->score, twin_search(&twin, 0, d));
      const MinimaxReport *report = minimax_report(minimax);
      assert_true(report->proven || report->depth == d);
      if (report->proven) break;
    }
    minimax_delete(minimax);
    game_delete(twin.game);
    evaluation_delete(&linear->evaluation);
  }
  test_game_close(&book);
}

static void test_twin_small(void **state) {
  (void)state;
  compare("ticTacToe", 6, 8);
  compare("connectFour", 5, 3);
}

static void test_twin_breakthrough(void **state) {
  (void)state;
  compare("breakthrough", 3, 4);
}

static void test_twin_checkers(void **state) {
  (void)state;
  compare("checkers", 4, 4);
}

/* All others against one. */
static void test_twin_paranoid(void **state) {
  (void)state;
  compare("chineseCheckers4", 3, 2);
}

/* ---- values ---- */

static void test_tictactoe_is_drawn(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Minimax *minimax = open_mind(&book, 0, "minimax", 1);
  minimax_think(minimax, &(Budget){0});
  const MinimaxReport *report = minimax_report(minimax);
  assert_true(report->proven);
  assert_true(report->value == 50);
  assert_int_equal(report->moves.data[0].line_steps, 9);
  minimax_delete(minimax);
  test_game_close(&book);
}

/* Whatever is on, a win in three steps is found, with its length. */
static void test_wins_are_the_shortest(void **state) {
  (void)state;
  TestGame book;
  uint32_t won = 0;
  test_game_open(&book, "connectFour", true);
  for (uint32_t i = 0; i < 40; i++) {
    Minimax *minimax = open_mind(&book, i % 2, "minimax", i);
    Linear *linear = minds_random_linear(&book, i + 1);
    Twin twin = {book_game(&book.rules), &minimax->scale, &linear->evaluation};
    minimax_set_evaluation(minimax, &linear->evaluation);
    minds_play_random(minimax, 12 + i % 13, i);
    minimax_limit_depth(minimax, 5);
    minimax_think(minimax, &(Budget){0});
    game_enter(twin.game, minimax->root_state.data, minimax->words);
    Score score = twin_search(&twin, 0, 5);
    if (scale_decided(&minimax->scale, score)) {
      const MinimaxReport *report = minimax_report(minimax);
      won++;
      assert_true(report->proven);
      assert_int_equal(minimax->score, score);
      assert_int_equal(report->distance, report->moves.data[0].line_steps);
    }
    minimax_delete(minimax);
    game_delete(twin.game);
    evaluation_delete(&linear->evaluation);
  }
  assert_true(won > 10);
  test_game_close(&book);
}

/* a wins if it picks 6 6, and b if it picks 1 1. */
static const char *const hidden_win =
    "(role a) (role b) (init (at 0))\n"
    "(after 0 1) (after 1 2) (after 2 3)\n"
    "(digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6)\n"
    "(<= (legal a (pick ?x ?y)) (true (at 1)) (digit ?x) (digit ?y))\n"
    "(<= (legal a noop) (true (at 0))) (<= (legal a noop) (true (at 2)))\n"
    "(<= (legal b left) (true (at 0))) (<= (legal b right) (true (at 0)))\n"
    "(<= (legal b left) (true (at 2))) (<= (legal b right) (true (at 2)))\n"
    "(<= (legal b noop) (true (at 1)))\n"
    "(<= (next (at ?n)) (true (at ?m)) (after ?m ?n))\n"
    "(<= (next (picked ?x ?y)) (does a (pick ?x ?y)))\n"
    "(<= (next (picked ?x ?y)) (true (picked ?x ?y)))\n"
    "(<= terminal (true (at 3)))\n"
    "(<= (goal a 100) (true (picked 6 6)))\n"
    "(<= (goal b 0) (true (picked 6 6)))\n"
    "(<= (goal a 0) (true (picked 1 1)))\n"
    "(<= (goal b 100) (true (picked 1 1)))\n"
    "(<= (goal ?r 50) (role ?r) (not (true (picked 1 1)))\n"
    "    (not (true (picked 6 6))))\n";

/* Thinks with an evaluation that hates one feature, so that a move which leads
   to it looks hopeless. Returns how many states it made to prove that a wins.
 */
static uint64_t prove(TestGame *book, const char *agent, uint32_t hated) {
  Minimax *minimax = open_mind(book, 0, agent, 1);
  Linear *linear = linear_new(&book->rules);
  linear_row(linear, 0)[hated] = -2;
  linear_freeze(linear);
  minimax_set_evaluation(minimax, &linear->evaluation);
  minimax_think(minimax, &(Budget){0});
  const MinimaxReport *report = minimax_report(minimax);
  uint64_t states = report->states;
  assert_true(report->proven);
  assert_true(report->value == 100);
  minimax_delete(minimax);
  evaluation_delete(&linear->evaluation);
  return states;
}

/* What looked hopeless and was passed over has no part in a proof. */
static void test_hopeless_moves(void **state) {
  (void)state;
  TestGame book;
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30},
                       .rules = {.memory = (size_t)64 << 20}};
  uint32_t differ = 0;
  front_read(&book.description, hidden_win);
  book_init(&book.rules, &book.description, &limits, true);
  Linear *linear = linear_new(&book.rules);
  uint32_t features = linear->features.count;
  evaluation_delete(&linear->evaluation);
  for (uint32_t i = 0; i < features; i++)
    differ += prove(&book, "minimax:symmetry=0", i) !=
              prove(&book, "minimax:symmetry=0,reduce=1", i);
  assert_true(differ > 0);
  test_game_close(&book);
}

/* ---- thinking ---- */

typedef struct Trace {
  uint64_t states[12];
  Move moves[12];
} Trace;

static Trace trace_of(TestGame *book, const char *agent) {
  Trace trace = {0};
  Minimax *minimax = open_mind(book, 0, agent, 5);
  Linear *linear = minds_random_linear(book, 3);
  minimax_set_evaluation(minimax, &linear->evaluation);
  for (uint32_t i = 0; i < LENGTH(trace.moves); i++) {
    Game *game = minimax_game(minimax);
    Move joint[2];
    minimax_think(minimax, &(Budget){.states = 3000});
    trace.states[i] = minimax_report(minimax)->states;
    trace.moves[i] = minimax_best(minimax);
    assert_true(moves_contain(game, 0, trace.moves[i]));
    joint[0] = trace.moves[i];
    joint[1] = moves_first(game, 1);
    minimax_advance(minimax, joint);
    if (game_terminal(game)) minimax_reset(minimax);
  }
  minimax_delete(minimax);
  evaluation_delete(&linear->evaluation);
  return trace;
}

/* A counted budget gives the same moves every time, and is kept. */
static void test_counted_budgets_repeat(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "breakthrough", true);
  Trace first = trace_of(&book, "minimax"), again = trace_of(&book, "minimax");
  for (uint32_t i = 0; i < LENGTH(first.moves); i++) {
    assert_int_equal(first.moves[i], again.moves[i]);
    assert_int_equal(first.states[i], again.states[i]);
    assert_true(first.states[i] < 3200);
  }
  test_game_close(&book);
}

/* Broken off at any time there is a legal move, and a line of legal ones. */
static void test_broken_off(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "checkers", true);
  Minimax *minimax = open_mind(&book, 0, "minimax", 5);
  Linear *linear = minds_random_linear(&book, 3);
  minimax_set_evaluation(minimax, &linear->evaluation);
  for (uint64_t states = 1; states < 6000; states += 1 + states / 4) {
    minds_play_random(minimax, (uint32_t)states % 20, states);
    minimax_think(minimax, &(Budget){.states = states});
    const MinimaxReport *report = minimax_report(minimax);
    Move best = minimax_best(minimax);
    assert_true(moves_contain(minimax_game(minimax), 0, best));
    assert_true(report->moves.data[0].move == best);
    assert_true(report->depth == 0 || report->moves.data[0].line_steps > 0);
  }
  minimax_delete(minimax);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

/* Without an evaluation, with a table that is far too small, both in turn and
   not: drawn all the same. */
static void test_small_table(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  for (uint32_t role = 0; role < 2; role++) {
    Minimax *minimax = open_mind(&book, role, "minimax:memory=1", 1);
    minimax->table.buckets = minimax->table.most = 16;
    minimax_think(minimax, &(Budget){0});
    const MinimaxReport *report = minimax_report(minimax);
    assert_true(report->proven && report->value == 50);
    minimax_delete(minimax);
  }
  test_game_close(&book);
}

/* Threads change the order of the work, not what is proved. */
static void test_threads(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Minimax *minimax = open_mind(&book, 0, "minimax:threads=3", 1);
  Linear *linear = minds_random_linear(&book, 3);
  minimax_set_evaluation(minimax, &linear->evaluation);
  for (uint32_t i = 0; i < 3; i++) {
    minimax_reset(minimax);
    minimax_think(minimax, &(Budget){.seconds = 60});
    const MinimaxReport *report = minimax_report(minimax);
    assert_true(report->proven && report->value == 50);
  }
  minimax_delete(minimax);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

/* Marks all moves of the node that a move of the root leads to. */
static void mark_replies(Minimax *minimax, Move move, uint32_t depth) {
  Game *game = minimax->workers[0]->game;
  Move joint[RULE_ROLES];
  const Move *moves;
  game_enter(game, minimax->root_state.data, minimax->root_state.count);
  for (uint32_t role = 0; role < game->role_count; role++) {
    game_legal(game, role, &moves);
    joint[role] = role == minimax->mover ? move : moves[0];
  }
  game_make(game, joint);
  uint32_t mover = turn_of(game).role;
  uint32_t count = game_legal(game, mover, &moves);
  for (uint32_t i = 0; i < count; i++)
    busy_add(&minimax->busy, busy_mark(game_key(game), moves[i], depth));
}

/* Moves that somebody else seems to search come later, and none is lost. */
static void test_put_off(void **state) {
  (void)state;
  enum { DEPTH = 6 };
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Minimax *minimax =
      open_mind(&book, 0, "minimax:threads=2,reduce=0,symmetry=0", 1);
  Linear *linear = minds_random_linear(&book, 3);
  Worker *worker = minimax->workers[0];
  uint32_t different = 0;
  minimax_set_evaluation(minimax, &linear->evaluation);
  alphabeta_stand(worker);
  for (uint32_t i = 0; i < worker->moves.count; i++) {
    Move move = worker->moves.data[i].move;
    Result results[2];
    uint64_t states[2];
    for (uint32_t marked = 0; marked < 2; marked++) {
      transpositions_forget(&minimax->table);
      busy_clear(&minimax->busy);
      if (marked) mark_replies(minimax, move, DEPTH - 1);
      worker->states = 0;
      results[marked] = alphabeta_search_move(worker, move, DEPTH,
                                              -SCORE_INFINITE, SCORE_INFINITE);
      states[marked] = worker->states;
    }
    assert_int_equal(results[0].score, results[1].score);
    different += states[0] != states[1];
  }
  assert_true(different > 0);
  minimax_delete(minimax);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

typedef struct Heard {
  Minimax *minimax;
  uint32_t nodes, exact;
} Heard;

static void hear(void *context, const MinimaxNode *node) {
  Heard *heard = context;
  assert_true(node->depth > 0);
  assert_true(node->value >= 0 && node->value <= 100);
  heard->nodes++;
  if (node->bound) return;
  heard->exact++;
}

static void test_listener(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Minimax *minimax = open_mind(&book, 1, "minimax", 1);
  Heard heard = {.minimax = minimax};
  minimax_listen(minimax, hear, &heard);
  minimax_think(minimax, &(Budget){.states = 20000});
  assert_true(heard.nodes > 100 && heard.exact > 0);
  minimax_delete(minimax);
  test_game_close(&book);
}

/* Games in which roles choose at once are left to others. */
static void test_simultaneous(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "chinook", true);
  assert_false(minimax_plays(&book.rules));
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twin_small),
      cmocka_unit_test(test_twin_breakthrough),
      cmocka_unit_test(test_twin_checkers),
      cmocka_unit_test(test_twin_paranoid),
      cmocka_unit_test(test_twin_maxn),
      cmocka_unit_test(test_tictactoe_is_drawn),
      cmocka_unit_test(test_wins_are_the_shortest),
      cmocka_unit_test(test_hopeless_moves),
      cmocka_unit_test(test_counted_budgets_repeat),
      cmocka_unit_test(test_broken_off),
      cmocka_unit_test(test_small_table),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_put_off),
      cmocka_unit_test(test_listener),
      cmocka_unit_test(test_simultaneous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
