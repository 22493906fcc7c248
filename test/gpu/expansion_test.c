/* Expansions on a card against those in lanes and against the plain evaluation
   of the net: every bit of every result that is wanted, and nothing besides. */
#include "gpu/expansion.h"

#include <glob.h>

#include "support/cards.h"
#include "support/games.h"
#include "twin.h"

enum { RESULTS = 4, ALL = (1 << RESULTS) - 1, GUARD = 16 };

/* ---- tasks ---- */

/* Pairs of a net, and the arrays that have room for their results; all bytes
   are 0xa5 before they are written, and GUARD bytes after the last are never
   written. */
typedef struct Desk {
  const Net *net;
  uint32_t count;
  uint64_t *states;
  uint32_t *joints;
  ExpandTask task;
  size_t sizes[RESULTS]; /* bytes of a result */
  char *arrays[RESULTS];
} Desk;

static void measure(Desk *desk) {
  const Net *net = desk->net;
  desk->sizes[0] = bits_words(net->fluents.count) * sizeof(uint64_t);
  desk->sizes[1] = bits_words(net->moves.count) * sizeof(uint64_t);
  desk->sizes[2] = sizeof(bool);
  desk->sizes[3] = net->role_count * sizeof(int);
}

/* Wants the results of the mask. */
static void want(Desk *desk, uint32_t mask, bool moves) {
  for (uint32_t i = 0; i < RESULTS; i++) {
    size_t size = desk->count * desk->sizes[i] + GUARD;
    memory_delete(desk->arrays[i]);
    desk->arrays[i] = memory_new(size);
    memset(desk->arrays[i], 0xa5, size);
  }
  desk->task =
      (ExpandTask){.count = desk->count,
                   .states = desk->states,
                   .joints = moves ? desk->joints : NULL,
                   .successors = mask & 1 ? (void *)desk->arrays[0] : NULL,
                   .legal = mask & 2 ? (void *)desk->arrays[1] : NULL,
                   .terminal = mask & 4 ? (void *)desk->arrays[2] : NULL,
                   .goals = mask & 8 ? (void *)desk->arrays[3] : NULL};
}

/* Any bits are a state for a net, also those past its last fluent. */
static void open_desk(Desk *desk, const Net *net, Random *random,
                      uint32_t count) {
  size_t words = bits_words(net->fluents.count);
  *desk = (Desk){.net = net, .count = count};
  measure(desk);
  desk->states = memory_new(count * words * sizeof *desk->states);
  desk->joints = memory_new(count * net->role_count * sizeof *desk->joints);
  for (uint32_t i = 0; i < count * words; i++)
    desk->states[i] = random_next(random);
  for (uint32_t i = 0; i < count * net->role_count; i++) {
    const uint32_t *first = net->role_first.data + i % net->role_count;
    desk->joints[i] = first[0] + random_below(random, first[1] - first[0]);
  }
}

static void close_desk(Desk *desk) {
  memory_delete(desk->states);
  memory_delete(desk->joints);
  for (uint32_t i = 0; i < RESULTS; i++) memory_delete(desk->arrays[i]);
}

/* ---- comparison ---- */

/* The same in lanes must leave the same bytes. */
static void compare_lanes(Desk *desk, const Cones *cones, const char *what) {
  char *found[RESULTS];
  uint32_t mask = (desk->task.successors ? 1u : 0) |
                  (desk->task.legal ? 2u : 0) | (desk->task.terminal ? 4u : 0) |
                  (desk->task.goals ? 8u : 0);
  bool moves = desk->task.joints;
  Expand expand;
  for (uint32_t i = 0; i < RESULTS; i++) {
    found[i] = desk->arrays[i];
    desk->arrays[i] = NULL;
  }
  want(desk, mask, moves);
  expand_init(&expand, cones);
  expand_run(&expand, &desk->task);
  expand_free(&expand);
  for (uint32_t i = 0; i < RESULTS; i++) {
    size_t size = desk->count * desk->sizes[i] + GUARD;
    if (memcmp(found[i], desk->arrays[i], size) != 0)
      fail_msg("%s: result %u of %u pairs differs%s", what, i, desk->count,
               moves ? "" : " where no move is made");
    memory_delete(found[i]);
  }
}

/* ---- the card ---- */

static Expansion *new_expansion(const Gpu *gpu, uint32_t batches,
                                uint32_t pairs) {
  Text why = {0};
  Expansion *expansion =
      expansion_new(gpu, &(ExpansionOptions){batches, pairs}, &why);
  if (!expansion) fail_msg("%s", text_string(&why));
  text_free(&why);
  return expansion;
}

static void check(Expansion *expansion, bool fine, const char *what) {
  if (!fine) fail_msg("%s: %s", what, expansion_error(expansion));
  assert_null(expansion_error(expansion));
}

static const uint32_t counts[] = {1, 31, 32, 33, 100, 257};

enum { MOST = 300, BATCHES = 3 };

static uint32_t draw_count(Random *random) {
  return random_below(random, 2) ? 1 + random_below(random, MOST)
                                 : counts[random_below(random, LENGTH(counts))];
}

static void invert_inputs(Desk *desk) {
  for (size_t i = 0; i < desk->count * desk->sizes[0] / 8; i++)
    desk->states[i] = ~desk->states[i];
  for (size_t i = 0; i < desk->count * desk->net->role_count; i++)
    desk->joints[i] = ~desk->joints[i];
}

/* Several under way, with any results, whose inputs are not needed any more.
   They are taken in another order, and begun again. */
static void check_several(const Cones *cones, Expansion *expansion,
                          Random *random, const char *what) {
  Desk desks[BATCHES];
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < BATCHES; i++) {
      open_desk(&desks[i], cones->net, random, draw_count(random));
      want(&desks[i], random_below(random, ALL + 1), random_below(random, 4));
      check(expansion, expansion_begin(expansion, i, &desks[i].task), what);
      invert_inputs(&desks[i]);
    }
    for (uint32_t i = BATCHES; i-- > 0;) {
      check(expansion, expansion_wait(expansion, i), what);
      assert_true(expansion_done(expansion, i));
      check(expansion, expansion_take(expansion, i), what);
      invert_inputs(&desks[i]);
      compare_lanes(&desks[i], cones, what);
      close_desk(&desks[i]);
    }
  }
}

/* A task, to its end; compared with lanes and, where all is wanted, with plain
   evaluation. */
static void check_task(const Cones *cones, Expansion *expansion, Desk *desk,
                       uint32_t mask, bool moves, const char *what) {
  want(desk, mask, moves);
  check(expansion,
        expansion_begin(expansion, 0, &desk->task) &&
            expansion_wait(expansion, 0) && expansion_take(expansion, 0),
        what);
  compare_lanes(desk, cones, what);
}

static void check_items(const Desk *desk) {
  Replay replay;
  replay_init(&replay, desk->net);
  for (uint32_t i = 0; i < desk->count; i++)
    replay_check_expansion(&replay, &desk->task, i);
  replay_free(&replay);
}

/* ---- random nets ---- */

static void check_net(const Net *net, Random *random, const char *name) {
  char what[96];
  RosterShape shape = twin_shape(random);
  Cones *cones = make_cones(net, ISA_PLAIN, false, 1);
  Gpu *gpu = cards_new(cones, &(GpuOptions){.step_limit = 1,
                                            .batches = 1,
                                            .starts = 1,
                                            .shape = shape,
                                            .kernels = GPU_TEAM});
  Expansion *expansion = new_expansion(gpu, BATCHES, MOST);
  Desk desk;
  snprintf(what, sizeof what, "%s, shape %u %u %u %u", name, shape.words,
           shape.warps, shape.bunch, shape.entries);
  assert_true(expansion_width(expansion) >= 32 * shape.words);
  open_desk(&desk, net, random, draw_count(random));
  for (uint32_t moves = 0; moves < 2; moves++) {
    check_task(cones, expansion, &desk, ALL, moves, what);
    check_items(&desk);
    check_task(cones, expansion, &desk, random_below(random, ALL + 1), moves,
               what);
  }
  check_several(cones, expansion, random, what);
  close_desk(&desk);
  expansion_delete(expansion);
  gpu_delete(gpu);
  cones_delete(cones);
}

static void test_nets(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < cards_number(40, 300, 60); seed++) {
    Terms terms;
    Net net;
    Random random;
    char name[32];
    terms_init(&terms);
    random_seed(&random, 5000 + seed);
    random_net(&net, &terms, &random, seed % 3 == 0);
    snprintf(name, sizeof name, "net %u", seed);
    check_net(&net, &random, name);
    net_free(&net);
    terms_free(&terms);
  }
}

/* Next values that are other fluents' values, or moves: chains, cycles, many
   copies of one. Numbers of fluents and moves that just fill words. */
static void test_permutations(void **state) {
  static const uint32_t fluents[] = {1, 31, 32, 33, 63, 64, 65, 96, 97};
  static const uint32_t moves[] = {1, 32, 33, 64, 65};
  (void)state;
  for (uint32_t seed = 0; seed < 2 * LENGTH(fluents); seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, 6000 + seed);
    net_init(&net, 1);
    uint32_t count = fluents[seed / 2];
    for (uint32_t i = 0; i < count; i++)
      net_add_fluent(&net, random_net_term(&terms, "f", i), false);
    for (uint32_t i = 0; i < moves[seed % LENGTH(moves)]; i++) {
      net_add_move(&net, 0, random_net_term(&terms, "m", i));
      net.moves.data[i].legal =
          i % 3 == 0   ? SIGNAL_TRUE
          : i % 3 == 1 ? gate_signal(net.fluents.data[i % count].gate)
                       : SIGNAL_FALSE;
    }
    for (uint32_t i = 0; i < count; i++) {
      uint32_t from =
          seed % 2 ? (i * 7 + 1) % count : random_below(&random, count);
      net.fluents.data[i].next =
          i % 5 == 4 && seed % 3 == 0
              ? gate_signal(net.moves.data[i % net.moves.count].gate)
              : gate_signal(net.fluents.data[from].gate);
    }
    check_net(&net, &random, "permutation");
    net_free(&net);
    terms_free(&terms);
  }
}

/* All combinations of results, with and without moves, and no pairs at all. */
static void test_wanted(void **state) {
  (void)state;
  Loaded loaded;
  Random random;
  Desk desk, none;
  load(&loaded, "games/ticTacToe.kif");
  random_seed(&random, 1);
  Cones *cones = make_cones(&loaded.net, ISA_PLAIN, false, 1);
  Gpu *gpu = cards_new(cones, &(GpuOptions){.step_limit = 1,
                                            .batches = 1,
                                            .starts = 1,
                                            .kernels = GPU_TEAM});
  Expansion *expansion = new_expansion(gpu, 1, MOST);
  open_desk(&desk, &loaded.net, &random, 45);
  open_desk(&none, &loaded.net, &random, 0);
  for (uint32_t i = 0; i < 2 * (ALL + 1); i++) {
    check_task(cones, expansion, &desk, i / 2, i % 2, "ticTacToe");
    check_task(cones, expansion, &none, i / 2, i % 2, "nothing");
  }
  close_desk(&none);
  close_desk(&desk);
  expansion_delete(expansion);
  /* The Gpu plays as before. */
  cards_play(gpu, NULL, 1, 10);
  gpu_delete(gpu);
  cones_delete(cones);
  unload(&loaded);
}

/* ---- games ---- */

/* Leads every state of the desk some random legal moves on, and chooses a joint
   move for it; where a game is over, it begins anew. */
static void walk(Desk *desk, const Cones *cones, Random *random) {
  enum { STEPS = 24 };
  const Net *net = desk->net;
  size_t words = bits_words(net->fluents.count);
  size_t legal_words = bits_words(net->moves.count);
  Expand expand;
  expand_init(&expand, cones);
  for (uint32_t i = 0; i < desk->count; i++) {
    memset(desk->states + i * words, 0, words * sizeof *desk->states);
    for (uint32_t k = 0; k < net->fluents.count; k++)
      if (net->fluents.data[k].initial) bits_add(desk->states + i * words, k);
  }
  for (uint32_t step = 0; step < STEPS; step++) {
    want(desk, ALL, false);
    expand_run(&expand, &desk->task);
    for (uint32_t i = 0; i < desk->count; i++)
      for (uint32_t role = 0; role < net->role_count; role++) {
        const uint64_t *legal = desk->task.legal + i * legal_words;
        const uint32_t *first = net->role_first.data + role;
        uint32_t seen = 0;
        for (uint32_t k = first[0]; k < first[1]; k++)
          if (bits_has(legal, k) && !random_below(random, ++seen))
            desk->joints[i * net->role_count + role] = k;
      }
    if (step + 1 == STEPS) break;
    bool *terminal = memory_new(desk->count);
    memcpy(terminal, desk->task.terminal, desk->count);
    want(desk, ALL, true);
    expand_run(&expand, &desk->task);
    for (uint32_t i = 0; i < desk->count; i++) /* some stay behind */
      if (!terminal[i] && random_below(random, 4))
        memcpy(desk->states + i * words, desk->task.successors + i * words,
               words * sizeof *desk->states);
    memory_delete(terminal);
  }
  expand_free(&expand);
}

/* Returns false if the game has no net of so many gates at most, or the card
   does not take it. */
static bool check_game(const char *path, uint32_t gates) {
  Description description;
  Text error = {0};
  BookLimits limits = {.ground = {.seconds = 20, .memory = (size_t)1 << 30},
                       .reduce_seconds = 1};
  Net net;
  Random random;
  Gpu *gpu = NULL;
  assert_true(description_read(&description, path, 1 << 22, &error));
  random_seed(&random, 7);
  bool has = games_net(&description, &limits, &net, &error);
  if (has && net.gates.count <= gates) {
    Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
    gpu = gpu_new(
        cards_card(), cones,
        &(GpuOptions){
            .step_limit = 1, .batches = 1, .starts = 1, .kernels = GPU_TEAM},
        &error);
    if (gpu) {
      uint32_t count = cards_number(70, 150, 5000);
      Expansion *expansion = new_expansion(gpu, 1, count);
      Desk desk;
      open_desk(&desk, &net, &random, count);
      walk(&desk, cones, &random);
      check_task(cones, expansion, &desk, ALL, false, path);
      check_task(cones, expansion, &desk, ALL, true, path);
      desk.count = 3;
      check_task(cones, expansion, &desk, ALL, true, path);
      if (!net.loops.count) check_items(&desk);
      close_desk(&desk);
      expansion_delete(expansion);
      gpu_delete(gpu);
    }
    cones_delete(cones);
  }
  if (has) net_free(&net);
  description_free(&description);
  text_free(&error);
  return gpu;
}

/* A handful; all of the library on a real card; the public ones, too, in the
   long run. */
static void test_games(void **state) {
  static const char *const few[] = {
      "games/ticTacToe.kif", "games/buttons.kif",     "games/lightsOut.kif",
      "games/ticTicToe.kif", "games/connectFour.kif", "games/breakthrough.kif",
      "games/hex.kif",       "games/checkers.kif"};
  (void)state;
  if (!unit_long() && !cards_real()) {
    for (size_t i = 0; i < LENGTH(few); i++)
      assert_true(check_game(few[i], UINT32_MAX));
    return;
  }
  const char *shared = getenv("SHARED");
  uint32_t done = 0;
  for (uint32_t i = 0; i < 2; i++) {
    char pattern[4096];
    glob_t found;
    if (i && (!unit_long() || !shared)) break;
    snprintf(pattern, sizeof pattern, "%s/*.kif", i ? shared : "games");
    if (glob(pattern, 0, NULL, &found)) continue;
    for (size_t k = 0; k < found.gl_pathc; k++)
      done += check_game(found.gl_pathv[k], i ? 50000 : 200000);
    globfree(&found);
  }
  assert_true(done > 10);
  print_message("# %u games\n", done);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nets), cmocka_unit_test(test_permutations),
      cmocka_unit_test(test_wanted), cmocka_unit_test(test_games)};
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
