/* Looking ahead from many states at once against a plain twin that takes one
   state after the other, with the scalar engine. */
#include "minimax/foresight.h"

#include "engine/moves.h"
#include "minimax/brood.h"
#include "support/front.h"
#include "support/minds.h"

enum { LEVELS = 5, QUIET = 2, MOVES = 512 };

static const uint32_t followed_quiet[LEVELS] = {4, 2, 2, 1, 0};
static const uint32_t followed_open[LEVELS] = {8};

/* ---- the twin ---- */

typedef struct Twin {
  TestGame *book;
  Minimax *mind;
  const Evaluation *evaluation;
  Game *game;
  Scale scales[RULE_ROLES];
} Twin;

/* What a state is worth to each role, and in how many steps that is certain. */
typedef struct Seen {
  float values[RULE_ROLES];
  uint32_t end;
} Seen;

typedef struct TwinMove {
  uint64_t *state;
  Seen seen;
  bool capture, followed, dropped;
} TwinMove;

static Score worth(const Twin *twin, uint32_t role, const Seen *seen) {
  const Scale *scale = &twin->scales[role];
  return seen->end ? scale_end(scale, seen->values, seen->end)
                   : scale_values(scale, seen->values);
}

static void see_end(const Twin *twin, uint32_t steps, Seen *seen) {
  for (uint32_t role = 0; role < twin->game->role_count; role++) {
    int goal = game_goal(twin->game, role);
    seen->values[role] = (float)(goal < 0 ? twin->scales[role].aim.cut : goal);
  }
  seen->end = steps;
}

static void see_itself(const Twin *twin, const uint64_t *state, Seen *seen) {
  int32_t sums[4096];
  assert_true(twin->evaluation->sum_count <= LENGTH(sums));
  evaluation_begin(twin->evaluation, state, sums);
  evaluation_values(twin->evaluation, state, sums, NULL, seen->values);
  seen->end = 0;
}

static uint32_t best_of(const Twin *twin, const TwinMove *moves, uint32_t count,
                        uint32_t mover, bool left) {
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++) {
    const TwinMove *move = &moves[i];
    if (move->dropped || (left && (move->followed || move->seen.end))) continue;
    if (best == count ||
        worth(twin, mover, &move->seen) > worth(twin, mover, &moves[best].seen))
      best = i;
  }
  return best;
}

/* Looks from a state that is `level` steps away; `seen` is what it is worth
   itself, and then what comes of it. Returns the best move's place. */
static uint32_t twin_look(const Twin *twin, const uint64_t *state,
                          uint32_t level, Seen *seen) {
  const Minimax *mind = twin->mind;
  uint32_t roles = twin->game->role_count, words = twin->book->rules.words;
  const uint32_t *most = mind->quiet ? followed_quiet : followed_open;
  Move joint[RULE_ROLES], list[MOVES];
  const Move *legal;
  game_enter(twin->game, state, words);
  if (game_terminal(twin->game)) {
    see_end(twin, level, seen);
    return 0;
  }
  Turn turn = turn_of(twin->game);
  bool forced = !turn.movers, quiet = mind->quiet && level >= QUIET && !forced;
  uint32_t mover = forced ? 0 : turn.role;
  for (uint32_t role = 0; role < roles; role++) {
    game_legal(twin->game, role, &legal);
    joint[role] = legal[0];
  }
  uint32_t all = game_legal(twin->game, mover, &legal), count = 0;
  assert_true(all <= MOVES);
  for (uint32_t i = 0; i < all; i++)
    if (!quiet || !mind->features ||
        brood_attacks(mind->features, mover, legal[i], state))
      list[count++] = legal[i];
  TwinMove *moves = memory_new((count + 1) * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t *successor;
    game_enter(twin->game, state, words);
    joint[mover] = list[i];
    game_make(twin->game, joint);
    game_state(twin->game, &successor);
    moves[i].state = memory_new(words * sizeof *successor);
    memcpy(moves[i].state, successor, words * sizeof *successor);
    moves[i].capture = mind->quiet && !forced &&
                       brood_captures(mind, mover, state, moves[i].state);
    moves[i].dropped = quiet && !moves[i].capture;
    see_itself(twin, moves[i].state, &moves[i].seen);
    if (mind->ends.program && game_terminal(twin->game))
      see_end(twin, level + 1, &moves[i].seen);
  }
  for (uint32_t k = 0; k < most[level] && (level || !forced); k++) {
    uint32_t next = best_of(twin, moves, count, mover, true);
    if (next == count) break;
    moves[next].followed = true;
  }
  for (uint32_t i = 0; i < count; i++)
    if (moves[i].followed)
      twin_look(twin, moves[i].state, level + 1, &moves[i].seen);
  for (uint32_t i = 0; i < count; i++)
    moves[i].dropped |= (moves[i].capture ? most[level] : !level && !forced) &&
                        !moves[i].followed && !moves[i].seen.end;
  uint32_t best = best_of(twin, moves, count, mover, false);
  if (best < count && (!quiet || worth(twin, mover, &moves[best].seen) >
                                     worth(twin, mover, seen)))
    *seen = moves[best].seen;
  for (uint32_t i = 0; i < count; i++) memory_delete(moves[i].state);
  memory_delete(moves);
  return best;
}

/* ---- both ---- */

typedef struct Rig {
  TestGame book;
  Twin twin;
  Foresight *foresight;
} Rig;

static void set_up(Rig *rig, const char *name, uint64_t seed) {
  Settings settings;
  Text error = {0};
  test_game_open(&rig->book, name, true);
  assert_true(settings_parse(&settings, "minimax:memory=1", &error));
  const Cones *cones = book_cones(&rig->book.rules, 1);
  rig->twin = (Twin){.book = &rig->book,
                     .mind = minimax_new(&rig->book.rules, 0, &settings, seed),
                     .game = book_game(&rig->book.rules)};
  rig->twin.evaluation = &minds_random_linear(&rig->book, seed)->evaluation;
  for (uint32_t role = 0; role < rig->book.rules.net.role_count; role++)
    scale_init(&rig->twin.scales[role], &rig->book.rules, role, &settings);
  assert_true(foresight_prepare(rig->twin.mind, cones));
  rig->foresight = foresight_new(rig->twin.mind, cones);
  foresight_take_evaluation(rig->foresight, rig->twin.evaluation);
}

static void tear_down(Rig *rig) {
  foresight_delete(rig->foresight);
  for (uint32_t role = 0; role < rig->book.rules.net.role_count; role++)
    scale_free(&rig->twin.scales[role]);
  evaluation_delete((Evaluation *)rig->twin.evaluation);
  game_delete(rig->twin.game);
  minimax_delete(rig->twin.mind);
  test_game_close(&rig->book);
}

static bool never(void *context) {
  (void)context;
  return false;
}

static bool always(void *context) {
  (void)context;
  return true;
}

/* Fills rows with states of random games, ends among them. */
static void fill(Rig *rig, uint64_t *rows, uint32_t count, uint64_t seed) {
  Game *game = rig->twin.game;
  uint32_t words = rig->book.rules.words;
  Random random;
  const uint64_t *state;
  random_seed(&random, seed);
  game_reset(game);
  for (uint32_t i = 0; i < count; i++) {
    game_state(game, &state);
    memcpy(rows + (size_t)i * words, state, words * sizeof *state);
    Move joint[RULE_ROLES];
    uint32_t steps = 1 + random_below(&random, 3);
    if (game_terminal(game)) game_reset(game);
    for (uint32_t step = 0; step < steps && !game_terminal(game); step++) {
      for (uint32_t role = 0; role < game->role_count; role++)
        joint[role] = moves_random(game, role, &random);
      game_make(game, joint);
    }
  }
}

static void check_outlook(const Rig *rig, const uint64_t *row,
                          const Outlook *outlook) {
  const Twin *twin = &rig->twin;
  uint32_t roles = twin->game->role_count, words = rig->book.rules.words;
  Seen seen = {.end = 0};
  game_enter(twin->game, row, words);
  assert_int_equal(outlook->over, game_terminal(twin->game));
  for (uint32_t role = 0; outlook->over && role < roles; role++)
    assert_int_equal(outlook->goals[role], game_goal(twin->game, role));
  if (outlook->over) return;
  Turn turn = turn_of(twin->game);
  const Move *moves;
  Move joint[RULE_ROLES];
  assert_true(outlook->sound && outlook->forced == !turn.movers);
  assert_int_equal(outlook->mover, turn.movers ? turn.role : 0);
  assert_int_equal(outlook->count,
                   game_legal(twin->game, outlook->mover, &moves));
  uint32_t best = twin_look(twin, row, 0, &seen);
  assert_int_equal(outlook->best - outlook->first, best);
  assert_memory_equal(outlook->values, seen.values,
                      roles * sizeof *seen.values);
  game_enter(twin->game, row, words);
  for (uint32_t role = 0; role < roles; role++) {
    game_legal(twin->game, role, &moves);
    joint[role] = moves[role == outlook->mover ? best : 0];
  }
  game_make(twin->game, joint);
  game_state(twin->game, &row);
  assert_memory_equal(foresight_state(rig->foresight, outlook->best), row,
                      words * sizeof *row);
}

static void check(const char *name, uint32_t count, bool quiet) {
  Rig rig;
  set_up(&rig, name, 3);
  assert_int_equal(rig.twin.mind->quiet, quiet);
  uint32_t words = rig.book.rules.words, over = 0;
  uint64_t *rows = memory_new((size_t)count * words * sizeof *rows);
  Outlook *outlooks = memory_new(count * sizeof *outlooks);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    fill(&rig, rows, count, seed);
    assert_true(
        foresight_look(rig.foresight, rows, count, outlooks, never, NULL));
    for (uint32_t i = 0; i < count; i++) {
      check_outlook(&rig, rows + (size_t)i * words, &outlooks[i]);
      over += outlooks[i].over;
    }
  }
  print_message("# %s: %u of %u are ends, %llu states\n", name, over, 2 * count,
                (unsigned long long)foresight_states(rig.foresight));
  assert_false(
      foresight_look(rig.foresight, rows, count, outlooks, always, NULL));
  memory_delete(rows);
  memory_delete(outlooks);
  tear_down(&rig);
}

static void test_quiet(void **state) {
  (void)state;
  check("breakthrough", 120, true);
  check("checkers", 60, true);
  check("skirmish", 20, true); /* goals of two rows */
}

/* Ends are too much work to look for: they are met. */
static void test_blind(void **state) {
  (void)state;
  check("chess", 6, true);
}

static void test_open(void **state) {
  (void)state;
  check("connectFour", 150, false); /* lines */
  check("othello", 40, false);      /* forced steps */
  check("chineseCheckers4", 20, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_quiet),
                                     cmocka_unit_test(test_blind),
                                     cmocka_unit_test(test_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
