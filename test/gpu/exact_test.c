/* Playouts on a card that leave nothing to chance: random nets, with and
   without recursion, in which each role has one legal move or none. Every
   kernel, in whatever shape or plan, must have exactly the sums that plain
   evaluation finds. */
#include "base/bits.h"
#include "gpu/phases.h"
#include "gpu/solo.h"
#include "gpu/team.h"
#include "support/cards.h"
#include "support/games.h"
#include "twin.h"

#include <glob.h>
#include <math.h>

enum {
  STEPS = 12,
  STARTS = 70,
  FLOW = 28 /* steps: two playouts of every lane, and some of the third */
};

static const double discount = 0.9;

typedef struct Desk {
  Terms terms;
  Net net;
  Random random;
  Cones *cones;
  char what[128];
} Desk;

static void open_desk(Desk *desk, uint64_t seed) {
  terms_init(&desk->terms);
  random_seed(&desk->random, seed);
  random_net(&desk->net, &desk->terms, &desk->random, seed % 2);
  twin_single(&desk->net, &desk->random);
  desk->cones = cones_new(&desk->net, &(ProgramMode){ISA_PLAIN, false, 1});
  assert_non_null(desk->cones);
  snprintf(desk->what, sizeof desk->what, "net %u", (unsigned)seed);
}

static void close_desk(Desk *desk) {
  cones_delete(desk->cones);
  net_free(&desk->net);
  terms_free(&desk->terms);
}

static uint32_t draw_repeat(Random *random) {
  static const uint32_t repeats[] = {1, 5, 32, 33, 70};
  return repeats[random_below(random, LENGTH(repeats))];
}

/* Whether there is a state of the leg: a game may be over before it. */
static bool occurs(const Desk *desk, const uint64_t *may) {
  uint32_t fluents = desk->net.fluents.count;
  const uint64_t *not = may + bits_words(fluents);
  for (uint32_t i = 0; i < fluents; i++)
    if (!bits_has(may, i) && !bits_has(not, i)) return false;
  return true;
}

/* Makes the rows states of random stages of a course, if there is one. */
static void admit_to(const Desk *desk, const Course *course, Random *random,
                     uint64_t *rows, uint32_t count) {
  size_t words = bits_words(desk->net.fluents.count);
  for (uint32_t i = 0; course && i < count; i++) {
    const uint64_t *may =
        course_rows(course, random_below(random, course->stages));
    if (!occurs(desk, may)) may = course_rows(course, 0);
    for (size_t k = 0; k < words; k++)
      rows[i * words + k] =
          (rows[i * words + k] | (may[k] & ~may[words + k])) & may[k];
  }
}

/* The same with random legs of a round. */
static void admit(const Desk *desk, Random *random, uint64_t *rows,
                  uint32_t count) {
  const Legs *rounds = desk->cones->rounds;
  admit_to(desk, rounds ? &rounds->course : NULL, random, rows, count);
}

/* ---- both kernels, as the program uses them ---- */

static void check_jobs(Desk *desk, Gpu *gpu, uint32_t batch) {
  uint32_t count = 1 + random_below(&desk->random, STARTS);
  uint32_t repeat = draw_repeat(&desk->random);
  uint64_t *rows = twin_rows(&desk->net, &desk->random, count);
  size_t words = bits_words(desk->net.fluents.count);
  if (random_below(&desk->random, 4)) admit(desk, &desk->random, rows, count);
  if (!gpu_begin(gpu, batch, rows, count, repeat) || !gpu_wait(gpu, batch))
    fail_msg("%s: %s", desk->what, gpu_error(gpu));
  for (uint32_t i = 0; i < count; i++) {
    TwinSums one = twin_playout(&desk->net, rows + i * words, STEPS, discount);
    twin_check(&desk->net, &one, repeat, gpu_sums(gpu, batch, i),
               gpu_role_sums(gpu, batch, i, 0), desk->what);
  }
  memory_delete(rows);
}

/* While playouts flow, all of them are the same. */
static void check_flowed(const Desk *desk, const uint64_t *row, GpuSums sums,
                         const GpuRoleSums *roles) {
  TwinSums one = twin_playout(&desk->net, row, STEPS, discount);
  uint64_t playouts = sums.ended + sums.cut_off + sums.stuck;
  assert_true(playouts > 0);
  assert_int_equal(sums.ended, playouts * one.sums.ended);
  assert_int_equal(sums.stuck, playouts * one.sums.stuck);
  assert_int_equal(sums.cut_off, playouts * one.sums.cut_off);
  for (uint32_t role = 0; role < desk->net.role_count; role++) {
    assert_int_equal(roles[role].scored, sums.ended * one.roles[role].scored);
    assert_int_equal(roles[role].goals, sums.ended * one.roles[role].goals);
    assert_int_equal(roles[role].goal_squares,
                     sums.ended * one.roles[role].goal_squares);
  }
  /* The second kernel counts steps of stuck playouts, too, where they flow. */
  if (one.sums.cut_off || one.sums.stuck) return;
  assert_int_equal(sums.steps, sums.ended * one.sums.steps);
  assert_true(sums.states >= playouts * one.sums.states);
}

static void check_flow(const Desk *desk, Gpu *gpu, const uint64_t *row) {
  if (!gpu_flow(gpu, 0, row, 1, FLOW) || !gpu_wait(gpu, 0))
    fail_msg("%s: %s", desk->what, gpu_error(gpu));
  check_flowed(desk, row, *gpu_sums(gpu, 0, 0), gpu_role_sums(gpu, 0, 0, 0));
}

static void check_flows(Desk *desk, Gpu *gpu) {
  uint64_t *rows = twin_rows(&desk->net, &desk->random, 2);
  uint64_t *second = rows + bits_words(desk->net.fluents.count);
  admit(desk, &desk->random, second, 1);
  check_flow(desk, gpu, NULL);
  check_flow(desk, gpu, second);
  memory_delete(rows);
}

static void test_team(void **state) {
  (void)state;
  uint32_t nets = cards_number(30, 300, 60);
  for (uint32_t seed = 0; seed < nets; seed++) {
    Desk desk;
    open_desk(&desk, seed);
    RosterShape shape = twin_shape(&desk.random);
    snprintf(desk.what, sizeof desk.what, "net %u, shape %u %u %u %u", seed,
             shape.words, shape.warps, shape.bunch, shape.entries);
    Gpu *gpu = cards_new(desk.cones, &(GpuOptions){.seed = seed,
                                                   .step_limit = STEPS,
                                                   .batches = 2,
                                                   .starts = STARTS,
                                                   .gamma = discount,
                                                   .shape = shape,
                                                   .kernels = GPU_TEAM});
    for (uint32_t batch = 0; batch < 2; batch++) check_jobs(&desk, gpu, batch);
    check_flows(&desk, gpu);
    gpu_delete(gpu);
    close_desk(&desk);
  }
}

/* A squad plays nets without recursion. Both kernels play by rounds, where
   these make something known; starts that no leg admits are played by the team.
   Some squads have so little shared memory that they need far memory. */
static void test_second(void **state) {
  (void)state;
  uint32_t nets = cards_number(30, 300, 20), played = 0;
  for (uint32_t i = 0; i < 2 * nets; i++) {
    Desk desk;
    bool squad = i >= nets;
    uint32_t seed = 1000 + i * (1 + squad);
    open_desk(&desk, seed);
    if (i % 3) cones_add_rounds(desk.cones, 1 + i % 3);
    Gpu *gpu = cards_new(
        desk.cones, &(GpuOptions){.seed = seed,
                                  .step_limit = STEPS,
                                  .batches = 1,
                                  .starts = STARTS,
                                  .gamma = discount,
                                  .near = i % 4 < 2 ? 0 : 28 + i,
                                  .kernels = squad ? GPU_SQUAD : GPU_SOLO});
    if (cards_second(gpu))
      played++;
    else if (!squad || i % 4 < 2)
      fail_msg("net %u: %s", seed, gpu_setup(gpu, false).why);
    check_jobs(&desk, gpu, 0);
    check_flows(&desk, gpu);
    gpu_delete(gpu);
    close_desk(&desk);
  }
  assert_true(played > nets + nets * 3 / 4);
}

/* ---- every plan of the second kernel ---- */

static void fine(const Desk *desk, CUresult result) {
  if (result)
    fail_msg("%s: %s", desk->what, driver_error(&cards_card()->driver, result));
}

static void launch(const Desk *desk, CUfunction play, const SoloPlan *plan,
                   const SoloSize *size, SoloLaunch *values) {
  const Driver *driver = &cards_card()->driver;
  uint32_t threads = plan->frame.threads;
  void *parameters[] = {
#define PARAMETER(name) &values->name,
      SOLO_PARAMETERS(PARAMETER, PARAMETER, PARAMETER)
#undef PARAMETER
  };
  fine(desk, driver->cuLaunchKernel(
                 play, (values->jobs + threads - 1) / threads, 1, 1, threads, 1,
                 1, size->shared, NULL, parameters, NULL));
}

/* Plays all rows, as gpu_begin does, or lets them flow for so many steps. */
static char *play_plan(const Desk *desk, CUfunction play, const SoloPlan *plan,
                       const SoloSize *size, const uint64_t *rows,
                       const uint32_t *phases, uint32_t count, uint32_t repeat,
                       uint32_t flow) {
  const Driver *driver = &cards_card()->driver;
  uint32_t fluents = desk->net.fluents.count;
  size_t row = bits_words(fluents) * sizeof *rows;
  size_t bytes =
      count * (sizeof(GpuSums) + desk->net.role_count * sizeof(GpuRoleSums));
  char *results = memory_new(bytes);
  uint32_t last = repeat % 32;
  SoloLaunch values = {.row_words = 2 * (uint32_t)bits_words(fluents),
                       .rounds = (repeat + 31) / 32,
                       .lanes = UINT32_MAX,
                       .last_lanes = last ? (1u << last) - 1 : UINT32_MAX,
                       .flow = flow,
                       .limit = STEPS,
                       .every = 1,
                       .aged = STEPS,
                       .first = phases[0],
                       .seed = 5,
                       .gamma = (float)log2(discount)};
  values.jobs = count * values.rounds;
  for (uint32_t i = 1; i < count; i++)
    if (phases[i] < values.first) values.first = phases[i];
  fine(desk, driver->cuMemAlloc(&values.starts, count * row));
  fine(desk, driver->cuMemAlloc(&values.phases, count * sizeof *phases));
  fine(desk, driver->cuMemAlloc(&values.results, bytes));
  fine(desk, driver->cuMemcpyHtoDAsync(values.phases, phases,
                                       count * sizeof *phases, NULL));
  fine(desk, driver->cuMemcpyHtoDAsync(values.starts, rows, count * row, NULL));
  fine(desk, driver->cuMemsetD8Async(values.results, 0, bytes, NULL));
  launch(desk, play, plan, size, &values);
  fine(desk, driver->cuMemcpyDtoHAsync(results, values.results, bytes, NULL));
  fine(desk, driver->cuStreamSynchronize(NULL));
  fine(desk, driver->cuMemFree(values.starts));
  fine(desk, driver->cuMemFree(values.phases));
  fine(desk, driver->cuMemFree(values.results));
  return results;
}

/* By steps, playouts also flow; others do so in check_flows. A playout takes at
   most STEPS + 1 steps, so each lane of the block plays several. */
static void check_plan_flow(const Desk *desk, CUfunction play,
                            const SoloPlan *plan, const SoloSize *size,
                            const uint64_t *row, uint32_t stage) {
  enum { LONGER = 3 * (STEPS + 1) };
  char *results = play_plan(desk, play, plan, size, row, &stage, 1, 32, LONGER);
  const GpuSums *sums = (const GpuSums *)results;
  check_flowed(desk, row, *sums, (const GpuRoleSums *)(sums + 1));
  assert_true(sums->ended + sums->cut_off + sums->stuck >=
              (uint64_t)LONGER / (STEPS + 1) * 32 * plan->frame.threads);
  memory_delete(results);
}

static void check_plan(Desk *desk, const SoloPlan *plan) {
  const Driver *driver = &cards_card()->driver;
  Text ptx = {0}, why = {0};
  SoloSize size;
  CUfunction play;
  solo_write(desk->cones, plan, &ptx, &size);
  CUmodule module = card_compile(cards_card(), text_string(&ptx), 1, &why);
  if (!module) fail_msg("%s: %s", desk->what, text_string(&why));
  fine(desk, driver->cuModuleGetFunction(&play, module, "play"));
  if (size.shared)
    fine(desk, driver->cuFuncSetAttribute(play, DRIVER_FUNCTION_SHARED,
                                          (int)size.shared));
  uint32_t count = 1 + random_below(&desk->random, STARTS);
  uint32_t repeat = draw_repeat(&desk->random);
  uint64_t *rows = twin_rows(&desk->net, &desk->random, count);
  uint32_t *legs = memory_new(count * sizeof *legs);
  Phases phases;
  const Course *course = solo_course(desk->cones, plan->course);
  admit_to(desk, course, &desk->random, rows, count);
  phases_init(&phases, &desk->net, course);
  assert_true(phases_find(&phases, rows, count, legs));
  phases_free(&phases);
  char *results =
      play_plan(desk, play, plan, &size, rows, legs, count, repeat, 0);
  size_t words = bits_words(desk->net.fluents.count);
  if (plan->course == SOLO_STEPS)
    check_plan_flow(desk, play, plan, &size, rows + (count - 1) * words,
                    legs[count - 1]);
  size_t each = sizeof(GpuSums) + desk->net.role_count * sizeof(GpuRoleSums);
  for (uint32_t i = 0; i < count; i++) {
    TwinSums one = twin_playout(&desk->net, rows + i * words, STEPS, discount);
    const void *sums = results + i * each;
    twin_check(&desk->net, &one, repeat, sums,
               (const GpuRoleSums *)((const GpuSums *)sums + 1), desk->what);
  }
  fine(desk, driver->cuModuleUnload(module));
  memory_delete(rows);
  memory_delete(legs);
  memory_delete(results);
  text_free(&ptx);
}

/* Adds legs of steps where there are rounds. */
static void add_steps(Cones *cones) {
  Course course;
  if (!cones->rounds ||
      !course_find_steps(cones->net, cones->rounds->count, 1 << 20, &course))
    return;
  cones_add_steps(cones, course, 1e9, 10);
}

static void test_plans(void **state) {
  static const char *const homes[] = {"registers", "shared memory",
                                      "local memory"};
  (void)state;
  static const char *const courses[] = {"all states", "rounds", "steps"};
  uint32_t nets = cards_number(72, 450, 54), by[3] = {0}, later = 0;
  for (uint32_t seed = 2000; seed < 2000 + nets; seed++) {
    Desk desk;
    open_desk(&desk, seed);
    Random *random = &desk.random;
    cones_add_rounds(desk.cones, seed % 4);
    if (seed % 3) add_steps(desk.cones);
    const Legs *legs =
        desk.cones->steps ? desk.cones->steps : desk.cones->rounds;
    SoloPlan plan = {.frame = {.home = (FrameHome)(seed / 2 % 3),
                               .threads = 32u << random_below(random, 3),
                               .window = random_below(random, 60),
                               .ahead = random_below(random, 10),
                               .held = 8 + random_below(random, 40)},
                     .course = desk.cones->steps    ? SOLO_STEPS
                               : desk.cones->rounds ? SOLO_ROUNDS
                                                    : SOLO_WHOLE,
                     .legs = legs ? legs->count : 1,
                     .settle = 1u << random_below(random, 4),
                     .barrier = random_below(random, 2)};
    plan.frame.rows =
        plan.frame.home != HOME_REGISTERS && random_below(random, 2);
    if (plan.frame.home == HOME_LOCAL) {
      plan.frame.near = 4 * random_below(random, 4);
      plan.frame.prefetch = random_below(random, 20);
    }
    snprintf(desk.what, sizeof desk.what,
             "net %u in %s%s, %u legs of %s, %u threads, window %u, ahead %u, "
             "held %u, near %u, prefetch %u",
             seed, homes[plan.frame.home], plan.frame.rows ? " by rows" : "",
             plan.legs, courses[plan.course], plan.frame.threads,
             plan.frame.window, plan.frame.ahead, plan.frame.held,
             plan.frame.near, plan.frame.prefetch);
    by[plan.course]++;
    later += plan.course == SOLO_STEPS && plan.legs > desk.cones->rounds->count;
    check_plan(&desk, &plan);
    close_desk(&desk);
  }
  assert_true(by[SOLO_ROUNDS] > nets / 9);
  assert_true(by[SOLO_STEPS] > nets / 6);
  assert_true(later > nets / 9);
}

/* Blocks become as small as memory wants it, but have a warp. */
static void test_fit(void **state) {
  static const struct {
    uint32_t room, threads; /* threads that there is memory for; that fit */
  } cases[] = {{300, 256}, {256, 256}, {255, 224}, {33, 32}, {31, 32}};
  (void)state;
  Desk desk;
  open_desk(&desk, 1);
  for (size_t i = 0; i < LENGTH(cases); i++) {
    SoloPlan plan = {.frame = {.home = HOME_SHARED, .threads = 256},
                     .legs = 1,
                     .settle = 1,
                     .barrier = true};
    SoloSize size;
    Text ptx = {0};
    solo_write(desk.cones, &plan, &ptx, &size);
    uint32_t each = size.shared / 256, shared = cases[i].room * each;
    assert_true(each);
    assert_int_equal(solo_fit(&plan, &size, shared), cases[i].room >= 256);
    assert_int_equal(plan.frame.threads, cases[i].threads);
    text_clear(&ptx);
    solo_write(desk.cones, &plan, &ptx, &size);
    assert_int_equal(size.shared, each * cases[i].threads);
    assert_int_equal(solo_fit(&plan, &size, shared), cases[i].room >= 32);
    text_free(&ptx);
  }
  close_desk(&desk);
}

/* Where values need many places in local memory, words of shared memory take
   some of them. */
static void test_near(void **state) {
  enum { SHARED = 1000 };
  (void)state;
  SoloPlan plan = {.frame = {.home = HOME_LOCAL, .threads = 32}};
  SoloSize few = {.places = 100}, many = {.places = 1000};
  assert_true(solo_fit(&plan, &few, SHARED));
  assert_int_equal(plan.frame.near, 0);
  assert_false(solo_fit(&plan, &many, SHARED));
  assert_int_equal(plan.frame.near, SHARED / 4 / 32);
  many.shared = 4 * 32 * plan.frame.near;
  assert_true(solo_fit(&plan, &many, SHARED));
}

/* ---- credit ---- */

/* The moves of a start's one playout, as often as it was played. */
static void compare_credits(uint32_t seed, bool squad) {
  enum { ROWS = 20, TIMES = 7 };
  Desk desk;
  open_desk(&desk, seed);
  if (squad) cones_add_rounds(desk.cones, 2);
  Wide *wide = wide_new(desk.cones, &(WideOptions){.seed = seed,
                                                   .step_limit = STEPS,
                                                   .credit = true,
                                                   .rivals = true});
  Gpu *gpu = cards_new(desk.cones,
                       &(GpuOptions){.seed = seed,
                                     .step_limit = STEPS,
                                     .batches = 1,
                                     .starts = ROWS,
                                     .credit = true,
                                     .shape = twin_shape(&desk.random),
                                     .kernels = squad ? GPU_SQUAD : GPU_TEAM});
  assert_int_equal(cards_second(gpu), squad);
  uint64_t *rows = twin_rows(&desk.net, &desk.random, ROWS);
  CreditSum *credit = memory_new(desk.net.moves.count * sizeof *credit);
  wide_set_starts(wide, rows, ROWS, TIMES);
  wide_play(wide, ROWS);
  cards_play(gpu, rows, ROWS, TIMES);
  gpu_credit(gpu, 0, credit);
  const CreditSum *wanted = wide_credit(wide);
  for (uint32_t i = 0; i < desk.net.moves.count; i++) {
    /* Playouts in which the role had no goal count here, not there. */
    assert_true(credit[i].playouts >= wanted[i].playouts);
    assert_int_equal(credit[i].goals, wanted[i].goals);
    if (desk.net.role_count == 2)
      assert_int_equal(credit[i].rival_goals, wanted[i].rival_goals);
  }
  memory_delete(credit);
  memory_delete(rows);
  gpu_delete(gpu);
  wide_delete(wide);
  close_desk(&desk);
}

static void test_credit(void **state) {
  (void)state;
  for (uint32_t seed = 3000; seed < 3000 + cards_number(12, 100, 20); seed++) {
    compare_credits(seed, false);
    if (seed % 2 == 0) compare_credits(seed, true);
  }
}

/* ---- games ---- */

/* Plain evaluation takes a round for each loop at worst. */
static bool suits(const Net *net, uint32_t gates) {
  uint64_t ands = net_count_ands(net);
  return ands <= gates &&
         ands * (1 + net->loops.count) <= UINT64_C(20) * gates &&
         net->role_count <= TWIN_ROLES;
}

enum { GAME_STEPS = 100, GAME_STARTS = 12 };

/* Some states of the game's one playout, which the caller frees. */
static uint32_t list_starts(const Net *net, uint64_t **rows) {
  uint64_t *path;
  size_t words = bits_words(net->fluents.count);
  uint32_t states = twin_path(net, GAME_STEPS, &path);
  uint32_t starts = states < GAME_STARTS ? states : GAME_STARTS;
  *rows = memory_new(starts * words * sizeof **rows);
  for (uint32_t i = 0; i < starts; i++)
    memcpy(*rows + i * words, path + i * states / starts * words,
           words * sizeof **rows);
  memory_delete(path);
  return starts;
}

static void play_game(const Desk *desk, Gpu *gpu, const uint64_t *rows,
                      uint32_t starts) {
  size_t words = bits_words(desk->net.fluents.count);
  cards_play(gpu, rows, starts, 3);
  for (uint32_t i = 0; i < starts; i++) {
    TwinSums one =
        twin_playout(&desk->net, rows + i * words, GAME_STEPS, discount);
    twin_check(&desk->net, &one, 3, gpu_sums(gpu, 0, i),
               gpu_role_sums(gpu, 0, i, 0), desk->what);
  }
}

/* Plays from some states, with the team and the second kernel, or with a squad
   alone. Returns false if the card does not take the game. */
static bool check_kernels(const Desk *desk, GpuKernels kernels) {
  Text why = {0};
  uint64_t *rows;
  Gpu *gpu = gpu_new(cards_card(), desk->cones,
                     &(GpuOptions){.seed = 1,
                                   .step_limit = GAME_STEPS,
                                   .batches = 1,
                                   .starts = GAME_STARTS,
                                   .gamma = discount,
                                   .kernels = kernels},
                     &why);
  text_free(&why);
  if (!gpu) return false;
  uint32_t starts = list_starts(&desk->net, &rows);
  if (kernels != GPU_SQUAD) play_game(desk, gpu, rows, starts);
  if (cards_second(gpu)) play_game(desk, gpu, rows, starts);
  memory_delete(rows);
  gpu_delete(gpu);
  return true;
}

/* Plays a game if its net has that many gates at most, and with a squad if it
   has `squads` at most. Returns how often it was played. */
static uint32_t check_game(const char *path, uint32_t gates, uint32_t squads) {
  Desk desk = {0};
  Description description;
  Text error = {0};
  BookLimits limits = {.ground = {.seconds = 20, .memory = (size_t)1 << 30},
                       .reduce_seconds = 1};
  uint32_t played = 0;
  assert_true(description_read(&description, path, 1 << 22, &error));
  random_seed(&desk.random, 4);
  bool has = games_net(&description, &limits, &desk.net, &error);
  bool solo = has && suits(&desk.net, gates);
  bool squad = has && suits(&desk.net, squads);
  if (solo || squad) {
    snprintf(desk.what, sizeof desk.what, "%s", path);
    twin_single(&desk.net, &desk.random);
    desk.cones = cones_new(&desk.net, &(ProgramMode){ISA_PLAIN, false, 1});
    if (desk.net.role_count == 2) cones_add_rounds(desk.cones, 2);
    played += solo && check_kernels(&desk, GPU_SOLO);
    played += squad && check_kernels(&desk, GPU_SQUAD);
    cones_delete(desk.cones);
  }
  if (has) net_free(&desk.net);
  description_free(&description);
  text_free(&error);
  return played;
}

/* Of the folder's games, each `every`-th; `squads`: the most gates of those
   that squads play. */
static uint32_t check_folder(const char *folder, uint32_t every, uint32_t gates,
                             uint32_t squads) {
  char pattern[4096];
  glob_t found;
  uint32_t played = 0;
  snprintf(pattern, sizeof pattern, "%s/*.kif", folder);
  if (glob(pattern, 0, NULL, &found)) return 0;
  for (size_t i = 0; i < found.gl_pathc; i += every)
    played += check_game(found.gl_pathv[i], gates, squads);
  globfree(&found);
  return played;
}

/* Those of the library, every third in the short run, since reading them takes
   longer than playing; and the public ones in the long run. */
static void test_games(void **state) {
  (void)state;
  uint32_t every = cards_number(3, 1, 1);
  uint32_t played =
      check_folder("games", every, cards_number(4000, 200000, 20000),
                   cards_number(1500, 200000, 5000));
  assert_true(played > 20 / every);
  const char *shared = getenv("SHARED");
  if (!unit_long() || !shared) return;
  uint32_t more = check_folder(shared, 1, 50000, 50000);
  print_message("# %u public games, %u of the library\n", more, played);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_team),  cmocka_unit_test(test_second),
      cmocka_unit_test(test_plans), cmocka_unit_test(test_fit),
      cmocka_unit_test(test_near),  cmocka_unit_test(test_credit),
      cmocka_unit_test(test_games)};
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
