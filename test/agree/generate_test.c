/* Random games in all engines; also that the games are valid, that an engine
   that lies is found, and that the game that shows it is shrunk. */
#include "agree/generate.h"

#include "agree/widegame.h"
#include "base/clock.h"
#include "base/sanitized.h"
#include "net/build.h"
#include "reduce/reduce.h"
#include "rules/rules.h"
#include "scalar/scalar.h"
#include "support/compare.h"
#include "support/front.h"
#include "support/netgame.h"

/* In the short run the sanitized program plays every fourth game. The long run
   takes other games than the short one, and a fixed time: the sanitized program
   plays a few thousand, the plain one tens of thousands. */
enum { GAMES = 700, SECONDS_IF_LONG = 150, PLAYED = 3, STEPS = 12 };
#ifdef SANITIZED
enum { EVERY = 4 };
#else
enum { EVERY = 1 };
#endif

/* ---- the engines ---- */

static Game *open_rules(Description *description, void **context, Text *error) {
  RulesLimits limits = {.memory = (size_t)64 << 20};
  (void)context, (void)error;
  return rules_engine_new(description, &limits);
}

static void close_rules(Game *game, void *context) {
  (void)context;
  game_delete(game);
}

static bool build(Description *description, Net *net, Text *error) {
  GroundLimits limits = {
      .seconds = 10, .ticks = UINT64_MAX, .memory = (size_t)256 << 20};
  Ground ground;
  bool fine = ground_init(&ground, description, &limits, error);
  if (fine && !build_net(net, &ground, error)) {
    net_free(net);
    fine = false;
  }
  ground_free(&ground);
  return fine;
}

/* Returns a net on the heap, or NULL if the rules cannot be ground. */
static Net *new_net(Description *description, bool reduce, Text *error) {
  ReduceOptions options = {.legal = true};
  Net *net = memory_new(sizeof *net), reduced;
  if (!build(description, net, error)) {
    memory_delete(net);
    return NULL;
  }
  if (reduce) {
    reduce_net(net, &reduced, &options, NULL);
    net_free(net);
    *net = reduced;
  }
  return net;
}

static void close_net(Game *game, void *context) {
  game_delete(game);
  net_free(context);
  memory_delete(context);
}

static Game *open_net(Description *description, void **context, Text *error) {
  *context = new_net(description, false, error);
  return *context ? netgame_new(description, *context) : NULL;
}

static Game *open_reduced(Description *description, void **context,
                          Text *error) {
  *context = new_net(description, true, error);
  return *context ? netgame_new(description, *context) : NULL;
}

static Game *open_scalar(Description *description, void **context,
                         Text *error) {
  *context = new_net(description, false, error);
  return *context ? scalar_engine_new(description, *context) : NULL;
}

static Game *open_scalar_reduced(Description *description, void **context,
                                 Text *error) {
  *context = new_net(description, true, error);
  return *context ? scalar_engine_new(description, *context) : NULL;
}

/* Opens the wide step in one mode, or in plain C where the machine lacks it. */
static Game *open_wide(Description *description, void **context, Text *error,
                       const ProgramMode *mode) {
  ProgramMode plain = {.isa = ISA_PLAIN, .words = mode->words};
  Net *net = new_net(description, true, error);
  *context = net;
  if (!net) return NULL;
  Game *game = widegame_new(description, net, mode);
  return game ? game : widegame_new(description, net, &plain);
}

#define OPEN_WIDE(name, isa_, words_, jit_) \
  static Game *name(Description *description, void **context, Text *error) { \
    ProgramMode mode = {.isa = isa_, .words = words_, .jit = jit_}; \
    return open_wide(description, context, error, &mode); \
  }

OPEN_WIDE(open_plain_64, ISA_PLAIN, 1, false)
OPEN_WIDE(open_avx2_256, ISA_AVX2, 4, false)
OPEN_WIDE(open_avx512_512, ISA_AVX512, 8, false)
OPEN_WIDE(open_code_512, ISA_AVX512, 8, true)

static const CompareEngine engines[] = {
    {"rules", open_rules, close_rules},
    {"net", open_net, close_net},
    {"reduced net", open_reduced, close_net},
    {"scalar", open_scalar, close_net},
    {"scalar, reduced net", open_scalar_reduced, close_net},
    {"wide, 64 lanes, plain", open_plain_64, close_net},
    {"wide, 256 lanes, AVX2", open_avx2_256, close_net},
    {"wide, 512 lanes, AVX-512", open_avx512_512, close_net},
    {"wide, 512 lanes, machine code", open_code_512, close_net},
};

/* The rules engine, but one action is never legal. */
static uint32_t (*true_legal)(Game *, uint32_t, const Move **);
static GameOperations lies;

static uint32_t false_legal(Game *game, uint32_t role, const Move **moves) {
  static Move kept[1000];
  uint32_t count = true_legal(game, role, moves), left = 0;
  for (uint32_t i = 0; i < count && left < LENGTH(kept); i++) {
    Term term = game_move_term(game, role, (*moves)[i]);
    Symbol name = term_symbol(game_terms(game), term);
    if (strcmp(symbol_text(&game_terms(game)->symbols, name), "a1") != 0)
      kept[left++] = (*moves)[i];
  }
  *moves = kept;
  return left;
}

static Game *open_liar(Description *description, void **context, Text *error) {
  Game *game = open_rules(description, context, error);
  lies = *game->operations;
  true_legal = lies.legal;
  lies.legal = false_legal;
  game->operations = &lies;
  return game;
}

static const CompareEngine with_liar[] = {
    {"rules", open_rules, close_rules},
    {"liar", open_liar, close_rules},
};

/* ---- one game in some engines ---- */

typedef struct Trial {
  const CompareEngine *engines;
  uint32_t count;
  uint64_t seed;
  Text difference;
} Trial;

/* Returns whether the engines differ; never on an invalid game. */
static bool differs(void *context, const char *text) {
  Trial *trial = context;
  Description description;
  text_clear(&trial->difference);
  front_read(&description, text);
  if (description_valid(&description))
    compare_engines(&description, trial->engines, trial->count, trial->seed,
                    PLAYED, STEPS, &trial->difference);
  description_free(&description);
  return trial->difference.length > 0;
}

static bool game_differs(Trial *trial, const RandomGame *game) {
  Text text = {0};
  random_game_write(game, &text);
  bool answer = differs(trial, text_string(&text));
  text_free(&text);
  return answer;
}

/* ---- tests ---- */

static void test_valid(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 500; seed++) {
    RandomGame game;
    Description description;
    Text text = {0}, wrong = {0};
    random_game_make(&game, seed);
    random_game_write(&game, &text);
    front_read(&description, text_string(&text));
    if (!description_valid(&description)) {
      report_write(&description.report, true, &wrong);
      fail_msg("game %u\n%s", (unsigned)seed, text_string(&wrong));
    }
    description_free(&description);
    text_free(&text);
    random_game_free(&game);
  }
}

static void test_engines(void **state) {
  (void)state;
  double end = clock_now() + SECONDS_IF_LONG;
  uint64_t first = unit_long() ? GAMES : 0;
  for (uint64_t seed = first; first ? clock_now() < end : seed < GAMES;
       seed += first ? 1 : EVERY) {
    RandomGame game;
    Trial trial = {engines, LENGTH(engines), seed, {0}};
    random_game_make(&game, seed);
    if (game_differs(&trial, &game)) {
      Text text = {0};
      random_game_shrink(&game, differs, &trial);
      game_differs(&trial, &game);
      random_game_write(&game, &text);
      fail_msg("game %u: %s\n%s", (unsigned)seed,
               text_string(&trial.difference), text_string(&text));
    }
    text_free(&trial.difference);
    random_game_free(&game);
  }
}

static void test_liar(void **state) {
  (void)state;
  uint32_t found = 0, rules = 0;
  for (uint64_t seed = 0; seed < 60; seed += EVERY) {
    RandomGame game;
    Trial trial = {with_liar, LENGTH(with_liar), seed, {0}};
    random_game_make(&game, seed);
    if (game_differs(&trial, &game)) {
      random_game_shrink(&game, differs, &trial);
      assert_true(game_differs(&trial, &game));
      found++;
      rules += game.rules.count;
    }
    text_free(&trial.difference);
    random_game_free(&game);
  }
  assert_true(found > 10 / EVERY);
  assert_true(rules < 12 * found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_valid),
      cmocka_unit_test(test_engines),
      cmocka_unit_test(test_liar),
  };
  return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
