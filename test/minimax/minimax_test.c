/* The second mind against a plain minimax without pruning, and in matches. */
#include "minimax/minimax.h"

#include "support/library.h"
#include "value/linear.h"

static void test_wins_tictactoe(void **state) {
  (void)state;
  TestGame book;
  Settings settings;
  Text error = {0};
  test_game_open(&book, "ticTacToe", true);
  assert_true(settings_parse(&settings, "minimax:memory=16", &error));
  assert_true(minimax_plays(&book.rules));
  Minimax *minimax = minimax_new(&book.rules, 0, &settings, 1);
  minimax_think(minimax, &(Budget){.seconds = 5});
  const MinimaxReport *report = minimax_report(minimax);
  assert_true(report->proven);
  assert_true(report->value == 50);
  minimax_delete(minimax);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wins_tictactoe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
