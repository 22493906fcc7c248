/* Tic-tac-toe, whole: from every position that can be reached and is not lost
   for the one to move, agents play a move after which it is still not lost.
   Whether it is lost is known by exhaustive search. Positions that are turned
   or mirrored images of another are left out unless LONG is set. */
#include "support/ask.h"
#include "support/judge.h"

enum {
  CELLS = 9,
  CODES = 19683, /* 3 to the power of CELLS */
  IMAGES = 8,
  POSITIONS = 4520,      /* 5478 in all, 958 of them ends */
  POSITIONS_ALIKE = 627, /* 765 and 138 */
};

/* The simulations that are enough. As measured, some position goes wrong with
   500, 1000 and 6000; none of all with 1000, 4000 and 20,000. */
typedef struct Player {
  const char *agent;
  uint64_t simulations;
} Player;

static const Player players[] = {
    {"cadia2007:memory=4", 3000},
    {"cadia2010:memory=4", 4000},
    {"tafl:memory=4", 30000},
};

typedef struct Walk {
  Asking asking;
  Solver solver;
  const Player *player;
  bool all; /* not up to symmetry */
  bool seen[CODES];
  uint32_t positions, asked;
} Walk;

/* ---- positions as numbers ---- */

/* What is in each cell: 0 blank, 1 and 2 the roles. */
static void read_board(Game *game, uint32_t *board) {
  const Terms *terms = game_terms(game);
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  memset(board, 0, CELLS * sizeof *board);
  for (uint32_t i = 0; i < count; i++) {
    if (term_arity(terms, facts[i]) != 3) continue;
    uint32_t x = (uint32_t)term_number(terms,
                                       term_argument(terms, facts[i], 0)),
             y = (uint32_t)term_number(terms,
                                       term_argument(terms, facts[i], 1));
    for (uint32_t role = 0; role < 2; role++)
      if (term_argument(terms, facts[i], 2) == game_role(game, role))
        board[3 * (y - 1) + x - 1] = role + 1;
  }
}

/* The number of the board's image: bit 0 of `image` swaps x and y, bits 1 and 2
   mirror them. */
static uint32_t board_code(const uint32_t *board, uint32_t image) {
  uint32_t code = 0;
  for (uint32_t y = 0; y < 3; y++)
    for (uint32_t x = 0; x < 3; x++) {
      uint32_t u = image & 1 ? y : x, v = image & 1 ? x : y;
      if (image & 2) u = 2 - u;
      if (image & 4) v = 2 - v;
      code = 3 * code + board[3 * v + u];
    }
  return code;
}

static bool is_new(Walk *walk) {
  uint32_t board[CELLS], least = CODES;
  read_board(walk->asking.game, board);
  for (uint32_t image = 0; image < (walk->all ? 1 : IMAGES); image++) {
    uint32_t code = board_code(board, image);
    if (code < least) least = code;
  }
  bool fresh = !walk->seen[least];
  walk->seen[least] = true;
  return fresh;
}

/* ---- the walk ---- */

static void check_position(Walk *walk) {
  Asking *asking = &walk->asking;
  const Move *moves;
  asking->role = game_legal(asking->game, 0, &moves) > 1 ? 0 : 1;
  if (game_legal(asking->game, asking->role, &moves) < 2) return;
  solver_begin(&walk->solver, asking->role);
  if (!solve_reaches(&walk->solver, 50, SOLVE_TO_THE_END)) return;
  asking_take_facts(asking);
  walk->asked++;
  Term answer = asking_answer(asking, walk->player->agent,
                              walk->player->simulations, walk->asked);
  uint32_t count = game_legal(asking->game, asking->role, &moves), i = 0;
  while (i < count &&
         game_move_term(asking->game, asking->role, moves[i]) != answer)
    i++;
  assert_true(i < count);
  if (!solve_move_reaches(&walk->solver, moves[i], 50, SOLVE_TO_THE_END)) {
    Text text = {0};
    for (uint32_t k = 0; k < asking->facts.count; k++) {
      term_write(game_terms(asking->game), asking->facts.data[k], &text);
      text_add_byte(&text, ' ');
    }
    term_write(game_terms(asking->game), answer, &text);
    fail_msg("%s loses: %s", walk->player->agent, text.bytes);
  }
}

static void walk_from_here(Walk *walk) {
  Game *game = walk->asking.game;
  if (game_terminal(game) || !is_new(walk)) return;
  walk->positions++;
  check_position(walk);
  Move joint[2], moves[CELLS];
  const Move *legal;
  uint32_t mover = game_legal(game, 0, &legal) > 1 ? 0 : 1;
  game_legal(game, 1 - mover, &legal);
  joint[1 - mover] = legal[0];
  uint32_t count = game_legal(game, mover, &legal);
  memcpy(moves, legal, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    joint[mover] = moves[i];
    game_make(game, joint);
    walk_from_here(walk);
    game_retract(game);
  }
}

static void never_loses(void **state) {
  static Walk walk;
  memset(walk.seen, 0, sizeof walk.seen);
  walk.player = *state;
  walk.all = unit_long();
  walk.positions = walk.asked = 0;
  asking_open(&walk.asking, "games/ticTacToe.kif");
  game_reset(walk.asking.game);
  solver_init(&walk.solver, walk.asking.game, UINT64_MAX);
  walk_from_here(&walk);
  solver_free(&walk.solver);
  asking_close(&walk.asking);
  assert_int_equal(walk.positions, walk.all ? POSITIONS : POSITIONS_ALIKE);
}

int main(void) {
  struct CMUnitTest tests[LENGTH(players)];
  for (size_t i = 0; i < LENGTH(players); i++)
    tests[i] = (struct CMUnitTest){.name = players[i].agent,
                                   .test_func = never_loses,
                                   .initial_state = (void *)&players[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
