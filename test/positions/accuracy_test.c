/* The solvers that made test/positions/accuracy, against each other and the
   exhaustive one, and the files: every position can be entered, and some of
   each game are proved again. */
#include <dirent.h>
#include <stdlib.h>

#include "command/solved.h"
#include "engine/moves.h"
#include "engine/turn.h"
#include "support/ask.h"
#include "support/fours.h"
#include "support/judge.h"
#include "support/pawns.h"
#include "support/proof.h"
#include "support/unit.h"

static const char directory[] = "test/positions/accuracy";

/* ---- Connect Four ---- */

/* What four discs in a line look like to somebody who does not shift bits. */
static bool slow_wins(char cells[7][6], uint32_t column, char player) {
  int row = 0;
  while (cells[column][row]) row++;
  for (int dx = 0; dx <= 1; dx++)
    for (int dy = -1; dy <= 1; dy++) {
      if (!dx && dy != 1) continue;
      int length = 1;
      for (int way = -1; way <= 1; way += 2)
        for (int x = (int)column + way * dx, y = row + way * dy;
             x >= 0 && x < 7 && y >= 0 && y < 6 && cells[x][y] == player;
             x += way * dx, y += way * dy)
          length++;
      if (length >= 4) return true;
    }
  return false;
}

/* The goal of the player to move, without bounds, table and order. */
static int slow_value(char cells[7][6], uint32_t discs) {
  char player = discs % 2 ? 'b' : 'a';
  int best = discs == 42 ? 50 : 0;
  for (uint32_t column = 0; column < 7 && best < 100; column++) {
    if (cells[column][5]) continue;
    if (slow_wins(cells, column, player)) return 100;
    int row = 0;
    while (cells[column][row]) row++;
    cells[column][row] = player;
    int value = 100 - slow_value(cells, discs + 1);
    cells[column][row] = '\0';
    if (value > best) best = value;
  }
  return best;
}

static void fours_are_solved(void **state) {
  (void)state;
  FoursSolver *solver = fours_new();
  Random random;
  uint32_t seen[3] = {0};
  random_seed(&random, 1);
  for (uint32_t games = 0; games < 100;) {
    char cells[7][6] = {{0}};
    Fours board = {0};
    while (board.discs < 29) {
      uint32_t column = random_below(&random, 7);
      if (!fours_free(&board, column)) continue;
      assert_int_equal(fours_wins(&board, column),
                       slow_wins(cells, column, board.discs % 2 ? 'b' : 'a'));
      if (fours_wins(&board, column)) break;
      uint32_t row = 0;
      while (cells[column][row]) row++;
      cells[column][row] = board.discs % 2 ? 'b' : 'a';
      fours_drop(&board, column);
    }
    if (board.discs < 29) continue;
    int value = fours_solve(solver, &board);
    assert_int_equal(value, slow_value(cells, board.discs));
    seen[value / 50]++;
    games++;
  }
  assert_true(seen[0] && seen[1] && seen[2]);
  fours_delete(solver);
}

/* ---- the exhaustive solvers ---- */

static void make_random_move(Game *game, Random *random) {
  Move joint[SOLVE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++)
    joint[role] = moves_random(game, role, random);
  game_make(game, joint);
}

/* In tic-tac-toe, for each role and goal in each state of random games. */
static void proofs_are_right(void **state) {
  (void)state;
  Asking asking = {0};
  Solver solver;
  Proof proof;
  Random random;
  asking_open(&asking, "games/ticTacToe.kif");
  random_seed(&random, 3);
  solver_init(&solver, asking.game, UINT64_MAX);
  proof_init(&proof, asking.game, UINT64_MAX);
  for (uint32_t i = 0; i < 30; i++) {
    game_reset(asking.game);
    for (; !game_terminal(asking.game); make_random_move(asking.game, &random))
      for (uint32_t role = 0; role < 2; role++)
        for (int goal = 50; goal <= 100; goal += 50) {
          solver_begin(&solver, role);
          proof_begin(&proof);
          assert_int_equal(solve_reaches(&solver, goal, SOLVE_TO_THE_END),
                           proof_reaches(&proof, role, goal));
          assert_false(proof.beyond);
          assert_true(proof.constant_sum);
        }
  }
  proof.limit = 3;
  game_reset(asking.game);
  proof_begin(&proof);
  memset(proof.table, 0, PROOF_TABLE * sizeof *proof.table);
  proof_reaches(&proof, 0, 100);
  assert_true(proof.beyond);
  proof_free(&proof);
  solver_free(&solver);
  asking_close(&asking);
}

/* ---- the files ---- */

static void open_rules(Asking *asking, const SolvedFile *file) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s.kif", directory, file->game.bytes);
  FILE *beside = fopen(path, "r");
  if (beside)
    fclose(beside);
  else
    snprintf(path, sizeof path, "games/%s.kif", file->game.bytes);
  asking_open(asking, path);
}

/* Returns whether the position was proved within the limit; its values must be
   those of the file then. */
static bool prove(const SolvedFile *file, uint32_t number, Proof *proof,
                  uint32_t role) {
  Game *game = proof->game;
  MoveVector moves = {0};
  NumberVector goals = {0};
  Move joint[SOLVE_ROLES];
  const uint32_t *values = solved_values(file, number);
  judge_goals(game, &goals);
  moves_sorted(game, role, &moves);
  for (uint32_t other = 0; other < game->role_count; other++)
    joint[other] = moves_first(game, other);
  proof_begin(proof);
  for (uint32_t i = 0; i < moves.count; i++) {
    joint[role] = moves.data[i];
    game_make(game, joint);
    for (uint32_t k = 0; k + 1 < goals.count && !proof->beyond; k++) {
      bool reached = proof_reaches(proof, role, (int)goals.data[k]);
      if (!proof->beyond && reached != (values[i] >= goals.data[k]))
        fail_msg("%s:%u: move %u", file->path,
                 file->positions.data[number].line, i);
    }
    game_retract(game);
  }
  vector_free(&goals);
  vector_free(&moves);
  return !proof->beyond && proof->constant_sum;
}

/* All positions can be entered and have moves of several values; three of the
   latest that are not too hard are proved. */
static void check_file(const char *path) {
  enum { STATES = 20000, PROVED = 3 };
  SolvedFile file;
  Asking asking = {0};
  Proof proof;
  Text error = {0};
  uint32_t proved = 0;
  if (!solved_read(&file, path, &error)) fail_msg("%s", text_string(&error));
  open_rules(&asking, &file);
  proof_init(&proof, asking.game, STATES);
  for (uint32_t i = 0; i < file.positions.count; i++) {
    uint32_t role, least = 100;
    if (!solved_enter(&file, i, asking.game, &role, &error))
      fail_msg("%s", text_string(&error));
    for (uint32_t k = 0; k < file.positions.data[i].value_count; k++)
      if (solved_values(&file, i)[k] < least)
        least = solved_values(&file, i)[k];
    assert_true(solved_best(&file, i) > least);
    assert_int_equal(turn_of(asking.game).movers, 1);
    if (proved < PROVED) proved += prove(&file, i, &proof, role);
  }
  if (proved < PROVED) fail_msg("%s: too few are proved", path);
  proof_free(&proof);
  asking_close(&asking);
  solved_free(&file);
  text_free(&error);
}

static void files_are_right(void **state) {
  (void)state;
  struct dirent **entries;
  int count = scandir(directory, &entries, NULL, alphasort);
  uint32_t files = 0;
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
    if (strstr(path, ".txt")) {
      check_file(path);
      files++;
    }
    free(entries[i]);
  }
  free(entries);
  assert_true(files >= 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fours_are_solved),
      cmocka_unit_test(proofs_are_right),
      cmocka_unit_test(files_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
