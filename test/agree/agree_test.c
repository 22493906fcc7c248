/* Every engine says the same about whole games, of the library and of some
   public ones if they are there, and wide playouts have the same statistics as
   random games in the scalar engine. With files as arguments these are compared
   instead, with larger budgets and one line of TAP each.

   Statistics are compared by the difference of two means in standard errors,
   the variance taken from both samples together; seeds are fixed. */
#include "support/agree.h"
#include "support/games.h"

#include <glob.h>
#include <math.h>

#include "base/hash.h"
#include "base/sanitized.h"
#include "engine/playout.h"
#include "scalar/scalar.h"
#include "support/netgame.h"
#include "support/unit.h"
#include "wide/tune.h"
#include "wide/wide.h"

static const AgreeBudget small = {
    .load = {.ground = {.seconds = 60, .memory = (size_t)2 << 30},
             .reduce_seconds = 0.2,
             .rules = {.memory = (size_t)1 << 30, .seconds = 20}},
    .seed = 1,
    .games = 2,
    .steps = 20,
    .seconds = 0.3,
    .gates = 10000};

static const AgreeBudget large = {
    .load = {.ground = {.seconds = 30, .memory = (size_t)4 << 30},
             .reduce_seconds = 2,
             .rules = {.memory = (size_t)2 << 30, .seconds = 30}},
    .seed = 2,
    .games = 3,
    .steps = 60,
    .seconds = 15,
    .gates = 300000};

/* ---- one game ---- */

/* Which modes come first depends on the game, so that all get their turn. */
static AgreeResult check_file(const char *path, AgreeBudget budget,
                              uint32_t *states, Text *why) {
  Description description;
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  budget.first_mode = (uint32_t)(hash_bytes(name, strlen(name)) % AGREE_MODES);
  *states = 0;
  if (!description_read(&description, path, 8 << 20, why))
    return AGREE_DIFFERENT;
  AgreeResult result = AGREE_DIFFERENT;
  if (description_valid(&description))
    result = agree_check(&description, &budget, states, why);
  else
    report_write(&description.report, true, why);
  description_free(&description);
  return result;
}

/* Checks all files, then fails once with all differences. */
static void check_files(char *const *paths, size_t count) {
  Text wrong = {0};
  for (size_t i = 0; i < count; i++) {
    uint32_t states;
    Text why = {0};
    if (check_file(paths[i], small, &states, &why) != AGREE_SAME || !states)
      text_format(&wrong, "\n%s: %s", paths[i], text_string(&why));
    text_free(&why);
  }
  if (wrong.length) fail_msg("%s", wrong.bytes);
}

static void test_library(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob("games/*.kif", 0, NULL, &files), 0);
  check_files(files.gl_pathv, files.gl_pathc);
  globfree(&files);
}

/* Chosen for many roles, recursion, function terms, simultaneous moves, several
   goals, endless games, nets of every size. */
static void test_public(void **state) {
  static const char *const names[] = {
      "3pConnectFour",   "asteroidsParallel",
      "beatMania",       "biddingTicTacToe",
      "cubicup_3player", "futoshiki4",
      "ghostMaze2p",     "knightmove",
      "majorities",      "nineBoardTicTacToePie",
      "ruleDepthLinear", "tictactoe_3d_6player",
      "wargame01"};
  (void)state;
  const char *shared = getenv("SHARED");
  glob_t files = {0};
  int flags = 0;
  for (size_t i = 0; shared && i < LENGTH(names); i++) {
    Text path = {0};
    text_format(&path, "%s/%s.kif", shared, names[i]);
    if (glob(path.bytes, flags, NULL, &files) == 0) flags = GLOB_APPEND;
    text_free(&path);
  }
  if (flags) check_files(files.gl_pathv, files.gl_pathc);
  globfree(&files);
}

/* ---- a difference is found ---- */

typedef struct Loaded {
  Description description;
  Net net;
} Loaded;

static void load(Loaded *loaded, const char *path, double reduce_seconds) {
  Text error = {0};
  BookLimits limits = small.load;
  limits.reduce_seconds = reduce_seconds;
  assert_true(description_read(&loaded->description, path, 1 << 20, &error));
  if (!games_net(&loaded->description, &limits, &loaded->net, &error))
    fail_msg("%s: %s", path, text_string(&error));
}

static void unload(Loaded *loaded) {
  net_free(&loaded->net);
  description_free(&loaded->description);
}

/* Every engine must see that the net is wrong. */
static void expect_different(Loaded *loaded, const AgreeRecord *record,
                             const char *what) {
  Description *description = &loaded->description;
  const Net *net = &loaded->net;
  Text why = {0};
  AgreeCheck check = {record, "wrong", net, &why};
  Game *games[] = {netgame_new(description, net),
                   scalar_engine_new(description, net)};
  for (size_t i = 0; i < LENGTH(games); i++) {
    assert_false(agree_walk(&check, games[i]));
    game_delete(games[i]);
  }
  text_clear(&why);
  assert_false(agree_wide(&check, "wrong net", 2, &small));
  assert_non_null(strstr(text_string(&why), what));
  text_free(&why);
}

static void test_liars(void **state) {
  (void)state;
  Loaded loaded;
  AgreeRecord record;
  load(&loaded, "games/ticTacToe.kif", 1);
  agree_record_init(&record, &loaded.description, &small);
  Net *net = &loaded.net;
  struct {
    Signal *signal;
    const char *what;
  } outputs[] = {{&net->fluents.data[5].next, "facts"},
                 {&net->moves.data[3].legal, "legal of role 0"},
                 {&vector_last(&net->moves).legal, "legal of role 1"},
                 {&net->goals.data[0].signal, "goal of role"},
                 {&net->terminal, "terminal"}};
  for (size_t i = 0; i < LENGTH(outputs); i++) {
    Signal right = *outputs[i].signal;
    *outputs[i].signal = i < 4 ? signal_not(right) : SIGNAL_FALSE;
    expect_different(&loaded, &record, outputs[i].what);
    *outputs[i].signal = right;
  }
  agree_record_free(&record);
  unload(&loaded);
}

/* ---- statistics ---- */

/* The plain program is the one to judge statistics: the sanitized one, which
   has all games in test_library, takes every fourth. */
#ifdef SANITIZED
enum { SCALAR_STATES = 1500, EVERY = 4 };
#else
enum { SCALAR_STATES = 6000, EVERY = 1 };
#endif
enum { STEP_LIMIT = 250, PLAYOUTS = 2048 };

typedef struct Moments {
  double count, sum, squares;
} Moments;

enum { ENDED, CUT_OFF, STEPS, GOALS, MOST_SAMPLES = GOALS + RULE_ROLES };

typedef struct Samples {
  Moments list[MOST_SAMPLES];
  uint32_t roles;
} Samples;

static void add(Moments *sample, double value) {
  sample->count++;
  sample->sum += value;
  sample->squares += value * value;
}

static void add_playout(Samples *samples, bool ended, bool cut_off,
                        uint32_t steps, const int *goals) {
  add(&samples->list[ENDED], ended);
  add(&samples->list[CUT_OFF], cut_off);
  if (!ended) return;
  add(&samples->list[STEPS], steps);
  for (uint32_t role = 0; role < samples->roles; role++)
    add(&samples->list[GOALS + role], goals[role]);
}

static void listen(void *context, const WidePlayout *playout) {
  add_playout(context, playout->outcome == WIDE_ENDED,
              playout->outcome == WIDE_CUT_OFF, playout->steps, playout->goals);
}

static Isa best_isa(void) {
  Isa best = ISA_PLAIN;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    if (isa_available(isa)) best = isa;
  return best;
}

/* Plays a fixed number of playouts from the initial state to their end, so that
   short ones do not count for more. */
static void sample_wide(const Net *net, Samples *samples) {
  Cones *cones = cones_new(net, &(ProgramMode){best_isa(), false, 8});
  TuneOptions tune = {.words = 8, .isa = best_isa()};
  assert_true(tune_cones(cones, &tune));
  WideOptions options = {.seed = 5,
                         .step_limit = STEP_LIMIT,
                         .listener = listen,
                         .context = samples};
  Wide *wide = wide_new(cones, &options);
  uint32_t words = (uint32_t)bits_words(net->fluents.count);
  uint64_t *row = memory_new(words * sizeof *row);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    row[i / 64] |= (uint64_t)net->fluents.data[i].initial << (i % 64);
  wide_set_starts(wide, row, 1, PLAYOUTS);
  while (wide_run(wide, 100)) {
  }
  wide_delete(wide);
  cones_delete(cones);
  memory_delete(row);
}

static void sample_scalar(Game *game, uint64_t states, Samples *samples) {
  Random random;
  random_seed(&random, 9);
  uint32_t played = 0;
  while (played < PLAYOUTS &&
         (played < 30 || game->statistics.states < states)) {
    uint32_t steps, stuck;
    int goals[RULE_ROLES];
    game_reset(game);
    PlayoutResult result =
        playout_run(game, &random, STEP_LIMIT, &steps, &stuck);
    for (uint32_t role = 0; role < samples->roles; role++)
      goals[role] = game_goal(game, role);
    add_playout(samples, result == PLAYOUT_ENDED, result == PLAYOUT_CUT_OFF,
                steps, goals);
    played++;
  }
}

/* Returns the difference of the means in standard errors. */
static double distance(const Moments *a, const Moments *b) {
  if (a->count == 0 || b->count == 0) return 0;
  double count = a->count + b->count;
  double mean = (a->sum + b->sum) / count;
  double variance = (a->squares + b->squares) / count - mean * mean;
  double difference = fabs(a->sum / a->count - b->sum / b->count);
  if (difference < 1e-9) return 0;
  return difference / sqrt(variance * (1 / a->count + 1 / b->count));
}

static void compare_playouts(const char *path, Text *wrong) {
  Loaded loaded;
  load(&loaded, path, 0.2);
  Game *game = scalar_engine_new(&loaded.description, &loaded.net);
  Samples wide = {.roles = game->role_count};
  Samples scalar = {.roles = game->role_count};
  sample_wide(&loaded.net, &wide);
  sample_scalar(game, SCALAR_STATES, &scalar);
  if (wide.list[ENDED].count != PLAYOUTS)
    text_format(wrong, "\n%s: %.0f playouts", path, wide.list[ENDED].count);
  for (uint32_t i = 0; i < GOALS + wide.roles; i++) {
    const Moments *a = &wide.list[i], *b = &scalar.list[i];
    if (distance(a, b) < 4.5) continue;
    text_format(wrong,
                "\n%s: mean %u is %.3f of %.0f wide, %.3f of %.0f scalar", path,
                i, a->sum / a->count, a->count, b->sum / b->count, b->count);
  }
  game_delete(game);
  unload(&loaded);
}

static void test_playouts(void **state) {
  (void)state;
  glob_t files;
  Text wrong = {0};
  assert_int_equal(glob("games/*.kif", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i += unit_long() ? 1 : EVERY)
    compare_playouts(files.gl_pathv[i], &wrong);
  globfree(&files);
  if (wrong.length) fail_msg("%s", wrong.bytes);
}

/* ---- files ---- */

static int check_arguments(int count, char **paths) {
  int bad = 0;
  for (int i = 0; i < count; i++) {
    Text why = {0};
    uint32_t states;
    AgreeResult result = check_file(paths[i], large, &states, &why);
    const char *name = strrchr(paths[i], '/');
    name = name ? name + 1 : paths[i];
    bool fine = result == AGREE_NOT_GROUND || (result == AGREE_SAME && states);
    bad += !fine;
    printf("%s - %s", fine ? "ok" : "not ok", name);
    if (result == AGREE_NOT_GROUND)
      printf(" # SKIP not ground: %s\n", text_string(&why));
    else
      printf(", engines agree on %u states\n", states);
    if (!fine) printf("  %s\n", text_string(&why));
    text_free(&why);
  }
  return bad != 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return check_arguments(argc - 1, argv + 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_liars),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_public),
      cmocka_unit_test(test_playouts),
  };
  return cmocka_run_group_tests_name("agree", tests, NULL, NULL);
}
