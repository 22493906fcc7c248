/* Playouts on a card beside those of the processor: lengths, goals and returns
   of games of the library and of random nets, uniformly and with scores, and
   the sums of moves. Then a soak: batches of random states, as long as SOAK
   says in seconds. */
#include <math.h>

#include "base/clock.h"
#include "engine/playout.h"
#include "support/cards.h"
#include "support/games.h"

static const double discount = 0.98;

static uint64_t *initial_row(const Net *net) {
  uint64_t *row = memory_new(bits_words(net->fluents.count) * sizeof *row);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (net->fluents.data[i].initial) bits_add(row, i);
  return row;
}

/* Mean goals differ by moves. */
static double *make_scores(const Net *net) {
  double *scores = memory_new((net->moves.count + 1) * sizeof *scores);
  for (uint32_t i = 0; i < net->moves.count; i++)
    scores[i] = i * 7919u % 101 * 0.03;
  return scores;
}

/* ---- the processor ---- */

typedef struct Plan {
  uint32_t starts, repeat, limit;
  const uint64_t *rows;
  const double *scores; /* or NULL */
  CreditSum *credit;    /* or NULL: not wanted */
} Plan;

static CardSums play_host(const Cones *cones, const Plan *plan,
                          uint32_t times) {
  const Net *net = cones->net;
  CardSums sums = {.roles = net->role_count, .gamma = discount};
  WideOptions options = {.seed = 23,
                         .step_limit = plan->limit,
                         .credit = plan->credit,
                         .rivals = true,
                         .listener = cards_listen,
                         .context = &sums};
  Wide *wide = wide_new(cones, &options);
  wide_set_scores(wide, plan->scores);
  wide_set_starts(wide, plan->rows, plan->starts, plan->repeat * times);
  wide_play(wide, plan->starts);
  if (plan->credit)
    memcpy(plan->credit, wide_credit(wide),
           net->moves.count * sizeof *plan->credit);
  wide_delete(wide);
  return sums;
}

/* With such a kernel, if there is one. */
static CardSums play_card(const Cones *cones, const Plan *plan,
                          RosterShape shape, GpuKernels kernels) {
  CardSums sums = {.roles = cones->net->role_count, .gamma = discount};
  GpuOptions options = {.seed = 29,
                        .step_limit = plan->limit,
                        .batches = 1,
                        .starts = plan->starts,
                        .credit = plan->credit,
                        .gamma = discount,
                        .shape = shape,
                        .kernels = kernels};
  Gpu *gpu = cards_new(cones, &options);
  cards_second(gpu);
  gpu_set_scores(gpu, 0, plan->scores);
  cards_play(gpu, plan->rows, plan->starts, plan->repeat);
  cards_add(&sums, gpu, plan->starts);
  if (plan->credit) gpu_credit(gpu, 0, plan->credit);
  gpu_delete(gpu);
  return sums;
}

/* ---- sums of moves ---- */

static void expect_near(const char *what, const char *of, uint32_t move,
                        double one, double other, double error) {
  if (fabs(one - other) > 5 * error + 1e-9)
    fail_msg("%s: %s of move %u is %.4f, expected %.4f +- %.4f", what, of, move,
             one, other, error);
}

/* How often a move was made, of all playouts that ended, and what its playouts
   were worth; goals are between 0 and 100, which bounds their variance. Moves
   of a role that ended without a goal are left out: the card counts its
   playouts, and the processor does not. */
static void compare_credit(const char *what, const Net *net,
                           const CreditSum *card, const CardSums *card_sums,
                           const CreditSum *host, const CardSums *host_sums) {
  double ended = (double)card_sums->ended;
  double host_ended = (double)host_sums->ended;
  for (uint32_t i = 0; ended > 0 && i < net->moves.count; i++) {
    uint32_t role = net->moves.data[i].role;
    if (card_sums->scored[role] < card_sums->ended ||
        host_sums->scored[role] < host_sums->ended)
      continue;
    double n = (double)card[i].playouts, m = (double)host[i].playouts;
    double share = (n + m) / (ended + host_ended);
    expect_near(what, "the share", i, n / ended, m / host_ended,
                sqrt(share * (1 - share) * (1 / ended + 1 / host_ended)));
    if (n == 0 || m == 0) continue;
    const double sums[2][2] = {
        {(double)card[i].goals, (double)host[i].goals},
        {(double)card[i].rival_goals, (double)host[i].rival_goals}};
    for (uint32_t k = 0; k < (net->role_count == 2 ? 2 : 1); k++) {
      double mean = (sums[k][0] + sums[k][1]) / (n + m);
      expect_near(what, k ? "the rival's goal" : "the goal", i, sums[k][0] / n,
                  sums[k][1] / m, sqrt(mean * (100 - mean) * (1 / n + 1 / m)));
    }
  }
}

/* ---- games of the library ---- */

/* Teams and squads. A batch of at most 1024 words has credit in all of them. */
static void compare_scored(const char *path, const Cones *cones,
                           const Plan *both) {
  const Net *net = cones->net;
  double *scores = make_scores(net);
  CreditSum *card_credit = memory_new(net->moves.count * sizeof *card_credit);
  CreditSum *host_credit = memory_new(net->moves.count * sizeof *host_credit);
  for (uint32_t i = 0; i < 4; i++) {
    Plan plan = *both;
    plan.scores = i % 2 ? scores : NULL;
    plan.credit = host_credit;
    CardSums host = play_host(cones, &plan, 4);
    plan.credit = card_credit;
    CardSums card =
        play_card(cones, &plan, (RosterShape){0}, i / 2 ? GPU_SQUAD : GPU_TEAM);
    assert_int_equal(card.ended + card.cut_off + card.stuck, plan.repeat);
    cards_compare(path, &card, &host);
    compare_credit(path, net, card_credit, &card, host_credit, &host);
  }
  memory_delete(card_credit);
  memory_delete(host_credit);
  memory_delete(scores);
}

/* The solo kernel chooses uniformly, and gives no credit. */
static void compare_second(const char *path, const Cones *cones,
                           const Plan *plan) {
  CardSums host = play_host(cones, plan, 4);
  CardSums card = play_card(cones, plan, (RosterShape){0}, GPU_SOLO);
  assert_int_equal(card.ended + card.cut_off + card.stuck,
                   plan->starts * plan->repeat);
  cards_compare(path, &card, &host);
}

static void compare_by_legs(const char *path, const Net *net,
                            const Plan *plan) {
  Cones *cones = make_cones(net, ISA_PLAIN, false, 4);
  cones_add_rounds(cones, 2);
  if (cones->rounds) compare_second(path, cones, plan);
  cones_delete(cones);
}

static void compare_game(const char *path, uint32_t limit, uint32_t repeat) {
  Loaded loaded;
  load(&loaded, path);
  const Net *net = &loaded.net;
  Cones *cones = make_cones(net, best_isa(), false, 4);
  uint64_t *row = initial_row(net);
  Plan plan = {1, repeat, limit, row, NULL, NULL};
  compare_scored(path, cones, &plan);
  compare_second(path, cones, &plan);
  compare_by_legs(path, net, &plan);
  memory_delete(row);
  cones_delete(cones);
  unload(&loaded);
}

typedef struct LibraryGame {
  const char *path;
  uint32_t limit;
  uint32_t software, longer; /* playouts; 0: none */
} LibraryGame;

static const LibraryGame library[] = {
    {"games/ticTacToe.kif", 100, 4096, 16384},
    {"games/ticTicToe.kif", 100, 2048, 8192},
    {"games/connectFour.kif", 100, 1024, 4096},
    {"games/lightsOut.kif", 25, 1024, 4096},
    {"games/bomberman.kif", 60, 512, 2048},
    {"games/breakthrough.kif", 10, 0, 512}, /* too short to win: all cut off */
    {"games/breakthrough.kif", 400, 0, 512},
    {"games/chineseCheckers4.kif", 50, 0, 512},
    {"games/pentago.kif", 100, 0, 512},
    {"games/othello.kif", 200, 0, 0},
    {"games/hex.kif", 200, 0, 0},
    {"games/checkers.kif", 200, 0, 0},
    {"games/skirmish.kif", 200, 256, 512},
    {"games/chess.kif", 100, 0, 0}};

static void test_library(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(library); i++) {
    uint32_t count =
        cards_number(library[i].software, library[i].longer, 1024 * 32);
    if (count) compare_game(library[i].path, library[i].limit, count);
  }
}

/* ---- steps ---- */

/* Two roles write in turn, one of 30 letters at each of 24 steps. Who writes
   the letter of the step before ends the game. What was written is kept: 720
   fluents, so that the state is in local memory. */
static void write_ledger(Text *text) {
  enum { LETTERS = 30, STEPS = 24 };
  text_add(text,
           "(role x) (role y) (init (control x)) (init (step 0))"
           "(<= (legal ?r (write ?l)) (true (control ?r)) (letter ?l))"
           "(<= (legal x wait) (true (control y)))"
           "(<= (legal y wait) (true (control x)))"
           "(<= (next (control x)) (true (control y)))"
           "(<= (next (control y)) (true (control x)))"
           "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
           "(<= (next (line ?n ?l)) (does ?r (write ?l)) (true (step ?n)))"
           "(<= (next (line ?n ?l)) (true (line ?n ?l)))"
           "(<= bad (true (line ?m ?l)) (succ ?m ?n) (true (line ?n ?l)))"
           "(<= terminal (true (step 24))) (<= terminal bad)"
           "(<= (goal x 100) bad (true (control x)))"
           "(<= (goal x 0) bad (true (control y)))"
           "(<= (goal x 50) (not bad))"
           "(<= (goal y 100) bad (true (control y)))"
           "(<= (goal y 0) bad (true (control x)))"
           "(<= (goal y 50) (not bad))");
  for (uint32_t i = 0; i < LETTERS; i++) text_format(text, "(letter l%u)", i);
  for (uint32_t i = 0; i < STEPS; i++)
    text_format(text, "(succ %u %u)", i, i + 1);
}

/* Plays to some step of random games; the rows are the states there. */
static uint64_t *make_stages(const Cones *cones, uint32_t count) {
  const Net *net = cones->net;
  size_t words = bits_words(net->fluents.count);
  uint64_t *rows = memory_new(count * words * sizeof *rows);
  uint64_t *row = initial_row(net);
  Wide *wide = wide_new(cones, &(WideOptions){.seed = 7, .step_limit = 100});
  uint64_t **lanes = memory_new((size_t)64 * cones->mode.words * sizeof *lanes);
  uint64_t *which = memory_new(cones->mode.words * sizeof *which);
  memcpy(rows, row, words * sizeof *rows);
  which[0] = 1;
  for (uint32_t i = 1; i < count; i++) {
    wide_run(wide, 1);
    lanes[0] = rows + i * words;
    wide_states(wide, which, lanes);
  }
  wide_delete(wide);
  memory_delete(lanes);
  memory_delete(which);
  memory_delete(row);
  return rows;
}

/* A game that counts its steps is played by legs of steps: from the initial
   state, from states of many stages at once, and cut off; while playouts flow,
   they are as long as others. */
static void test_steps(void **state) {
  enum { STAGES = 9 };
  Description description;
  BookLimits limits = games_limits();
  Text text = {0}, error = {0};
  Net net;
  (void)state;
  write_ledger(&text);
  games_read(&description, text_string(&text));
  assert_true(games_net(&description, &limits, &net, &error));
  Cones *cones = make_cones(&net, best_isa(), false, 4);
  Course course;
  cones_add_rounds(cones, 2);
  assert_true(course_find_steps(&net, 2, 1 << 30, &course));
  cones_add_steps(cones, course, 1e9, 10);
  assert_non_null(cones->steps);
  assert_true(cones_set_mode(cones, &cones->mode));
  uint64_t *rows = make_stages(cones, STAGES);
  uint32_t count = cards_number(1024, 4096, 1 << 16);
  compare_second("ledger", cones, &(Plan){1, count, 100, rows, NULL, NULL});
  compare_second("ledger, cut off", cones,
                 &(Plan){1, count, 7, rows, NULL, NULL});
  compare_second("ledger, stages", cones,
                 &(Plan){STAGES, count / 8, 100, rows, NULL, NULL});
  Gpu *gpu = cards_new(cones, &(GpuOptions){.seed = 3,
                                            .step_limit = 100,
                                            .batches = 1,
                                            .starts = 1,
                                            .gamma = 1,
                                            .kernels = GPU_SOLO});
  assert_true(cards_second(gpu));
  assert_true(gpu_setup(gpu, false).by_steps);
  cards_play(gpu, NULL, 1, count);
  GpuSums whole = *gpu_sums(gpu, 0, 0);
  assert_true(gpu_flow(gpu, 0, NULL, 1, 40) && gpu_wait(gpu, 0));
  GpuSums flow = *gpu_sums(gpu, 0, 0);
  assert_int_equal(whole.ended, count);
  assert_int_equal(flow.states, flow.steps);
  /* Lengths are at most 24: their deviation is at most 12. */
  expect_near("ledger", "the length", 0,
              (double)flow.steps / (double)flow.ended,
              (double)whole.steps / (double)whole.ended,
              12 * sqrt(1.0 / (double)flow.ended + 1.0 / count));
  gpu_delete(gpu);
  memory_delete(rows);
  cones_delete(cones);
  net_free(&net);
  text_free(&text);
  text_free(&error);
  description_free(&description);
}

/* ---- the engine ---- */

/* The engine that plays one state at a time has nothing in common with the card
   but the net. */
static void test_engine(void **state) {
  static const char *const paths[] = {"games/ticTacToe.kif",
                                      "games/connectFour.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(paths); i++) {
    Description description;
    Text error = {0};
    Book book;
    PlayoutSummary summary;
    assert_true(description_read(&description, paths[i], 1 << 20, &error));
    BookLimits limits = {.ground = {.seconds = 20, .memory = (size_t)1 << 30},
                         .reduce_seconds = 1,
                         .rules = {.memory = (size_t)1 << 30, .seconds = 20}};
    book_init(&book, &description, &limits, true);
    Game *game = book_game(&book);
    playout_summary_init(&summary, game->role_count);
    uint32_t count = cards_number(2048, 8192, 1 << 20);
    playout_many(game, 3, 600, count < 30000 ? 4 * count : 1 << 17, 100,
                 &summary);
    CardSums host = {.roles = game->role_count,
                     .ended = summary.ended,
                     .cut_off = summary.cut_off,
                     .stuck = summary.stuck,
                     .steps = summary.length_sum,
                     .step_squares = summary.length_square_sum};
    for (uint32_t role = 0; role < game->role_count; role++) {
      host.goals[role] = summary.goal_sum[role];
      host.goal_squares[role] = summary.goal_square_sum[role];
      host.scored[role] = summary.ended;
    }
    Cones *cones = make_cones(&book.net, ISA_PLAIN, false, 1);
    uint64_t *row = initial_row(&book.net);
    Plan plan = {1, count, 100, row, NULL, NULL};
    CardSums card = play_card(cones, &plan, (RosterShape){0},
                              (GpuKernels)(GPU_TEAM + i % 3));
    memset(card.returns, 0, sizeof card.returns); /* the engine has none */
    cards_compare(paths[i], &card, &host);
    memory_delete(row);
    cones_delete(cones);
    playout_summary_free(&summary);
    game_delete(game);
    book_free(&book);
    description_free(&description);
    text_free(&error);
  }
}

/* ---- random nets ---- */

/* Random states of nets with one to three roles, some of them recursive, in
   which playouts end, are stuck and are cut off. */
static void compare_net(uint64_t seed) {
  static const RosterShape shapes[] = {{0},           {1, 1, 1, 1},
                                       {1, 8, 1, 3},  {4, 4, 2, 2},
                                       {8, 16, 4, 1}, {32, 32, 4, 3}};
  enum { ROWS = 20, REPEAT = 40 };
  Terms terms;
  Net net;
  Random random;
  char name[32];
  snprintf(name, sizeof name, "net %llu", (unsigned long long)seed);
  terms_init(&terms);
  random_seed(&random, seed);
  random_net(&net, &terms, &random, seed % 3 == 0);
  size_t words = bits_words(net.fluents.count);
  uint64_t *rows = memory_new(ROWS * words * sizeof *rows);
  for (uint32_t i = 0; i < ROWS * words; i++) rows[i] = random_next(&random);
  CreditSum *card_credit = memory_new(net.moves.count * sizeof *card_credit);
  CreditSum *host_credit = memory_new(net.moves.count * sizeof *host_credit);
  double *scores = make_scores(&net);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 4);
  Plan plan = {ROWS,       REPEAT, LIMIT, rows, seed % 2 ? scores : NULL,
               host_credit};
  CardSums host = play_host(cones, &plan, 10);
  plan.credit = card_credit;
  CardSums card =
      play_card(cones, &plan, shapes[seed % LENGTH(shapes)], GPU_TEAM);
  assert_int_equal(card.ended + card.cut_off + card.stuck, ROWS * REPEAT);
  cards_compare(name, &card, &host);
  compare_credit(name, &net, card_credit, &card, host_credit, &host);
  plan.scores = NULL;
  plan.credit = NULL;
  compare_second(name, cones, &plan);
  memory_delete(card_credit);
  memory_delete(host_credit);
  memory_delete(scores);
  memory_delete(rows);
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

static void test_random_nets(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < cards_number(24, 150, 40); seed++)
    compare_net(seed);
}

/* ---- soak ---- */

enum { UNDER_WAY = 3, STARTS = 256, TIMES = 24 };

/* Fills the rows with states that random games reach. */
static void find_states(Wide *wide, const Net *net, uint64_t *rows) {
  size_t words = bits_words(net->fluents.count);
  uint64_t *each[STARTS], which[STARTS / 64];
  for (uint32_t i = 0; i < STARTS; i++) each[i] = rows + i * words;
  memset(which, 255, sizeof which);
  wide_run(wide, 7);
  wide_states(wide, which, each);
}

/* Keeps some batches under way for a while; all of their playouts must come
   back. */
static uint64_t soak_game(const char *path, double seconds, bool credit) {
  Loaded loaded;
  load(&loaded, path);
  const Net *net = &loaded.net;
  Cones *cones = make_cones(net, best_isa(), false, STARTS / 64);
  WideOptions wide_options = {.seed = 3, .step_limit = 150};
  Wide *wide = wide_new(cones, &wide_options);
  double *scores = make_scores(net);
  uint64_t *rows =
      memory_new(STARTS * bits_words(net->fluents.count) * sizeof *rows);
  GpuOptions options = {.seed = 7,
                        .step_limit = 100,
                        .batches = UNDER_WAY,
                        .starts = STARTS,
                        .credit = credit,
                        .gamma = discount};
  Gpu *gpu = cards_new(cones, &options);
  double start = clock_now();
  uint64_t rounds = 0;
  bool begun[UNDER_WAY] = {false};
  do {
    uint32_t batch = (uint32_t)(rounds % UNDER_WAY);
    if (begun[batch]) assert_true(gpu_wait(gpu, batch));
    for (uint32_t i = 0; begun[batch] && i < STARTS; i++) {
      const GpuSums *sums = gpu_sums(gpu, batch, i);
      assert_int_equal(sums->ended + sums->cut_off + sums->stuck, TIMES);
    }
    find_states(wide, net, rows);
    gpu_set_scores(gpu, batch, rounds % 5 ? scores : NULL);
    begun[batch] = true;
    if (!gpu_begin(gpu, batch, rows, STARTS, TIMES))
      fail_msg("%s after %llu rounds: %s", path, (unsigned long long)rounds,
               gpu_error(gpu));
    rounds++;
  } while (clock_now() - start < seconds || rounds < UNDER_WAY + 1);
  cards_second(gpu); /* nothing is compiled when the card is closed */
  gpu_delete(gpu);
  memory_delete(rows);
  memory_delete(scores);
  wide_delete(wide);
  cones_delete(cones);
  unload(&loaded);
  return rounds;
}

static size_t free_memory(void) {
  size_t left = 0, all = 0;
  assert_int_equal(cards_card()->driver.cuMemGetInfo(&left, &all), 0);
  return left;
}

/* The card's memory is free again after each game. */
static void test_soak(void **state) {
  static const char *const paths[] = {
      "games/ticTacToe.kif", "games/connectFour.kif", "games/breakthrough.kif",
      "games/othello.kif", "games/checkers.kif"};
  const char *wish = getenv("SOAK");
  double seconds = wish ? atof(wish) : cards_real() ? 10 : 0;
  size_t games = cards_real() ? LENGTH(paths) : 1, before = 0;
  uint64_t rounds = 0;
  double start = clock_now(), each = fmin(seconds / (double)games, 30);
  (void)state;
  for (uint32_t i = 0; i < games || clock_now() - start < seconds; i++) {
    rounds += soak_game(paths[i % games], each, i % 2);
    if (i == 0) before = free_memory();
    assert_true(free_memory() >= before);
  }
  print_message("# soak: %llu batches in %.0f s\n", (unsigned long long)rounds,
                clock_now() - start);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_library), cmocka_unit_test(test_steps),
      cmocka_unit_test(test_engine),  cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_soak),
  };
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
