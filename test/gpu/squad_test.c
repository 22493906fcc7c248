/* Squads whose legs share memory: one leg has many moves, which are computed in
   parts, and keeps candidates from one part to the next; the other has few, at
   the same places. The software card knows who touches a word between two
   barriers, and plain evaluation what the sums must be. */
#include "base/bits.h"
#include "gpu/squad.h"
#include "support/cards.h"
#include "twin.h"

enum {
  HIGH_BITS = 4,
  LOW_BITS = 5,
  BITS = HIGH_BITS + LOW_BITS,
  MOVES = 1 << BITS,
  CLOCK = 24,   /* bits */
  PATTERN = 10, /* and of those that end the game */
  STEPS = 12,
  STARTS = 40,
  NEAR = 435 /* slots: too few for all legal moves of a leg at once */
};

static const double discount = 0.9;

/* ---- the net ---- */

/* Two numbers are counted on, `chosen` by moves and `clock` by itself. At the
   first of two legs, when `turn` holds, role 0 has one move for each value of
   `chosen`; at the other it keeps or inverts it. Role 1 has one move. */
typedef struct Plan {
  Net net;
  Terms terms;
  Signal turn, chosen[BITS], clock[CLOCK];
  Signal move[MOVES], keep, invert;
} Plan;

static Signal literal(Signal signal, bool positive) {
  return positive ? signal : signal_not(signal);
}

static Signal both(Net *net, Signal a, Signal b) {
  return net_and(net, (Signal[]){a, b}, 2);
}

static Signal either(Net *net, Signal a, Signal b) {
  return net_or(net, (Signal[]){a, b}, 2);
}

static void add_inputs(Plan *plan) {
  Net *net = &plan->net;
  net_init(net, 2);
  terms_init(&plan->terms);
  plan->turn = net_add_fluent(net, front_term(&plan->terms, "turn"), true);
  for (uint32_t i = 0; i < BITS; i++)
    plan->chosen[i] =
        net_add_fluent(net, random_net_term(&plan->terms, "chosen", i), i % 2);
  for (uint32_t i = 0; i < CLOCK; i++)
    plan->clock[i] =
        net_add_fluent(net, random_net_term(&plan->terms, "clock", i), i % 3);
  for (uint32_t i = 0; i < MOVES; i++)
    plan->move[i] =
        net_add_move(net, 0, random_net_term(&plan->terms, "move", i));
  plan->keep = net_add_move(net, 0, front_term(&plan->terms, "keep"));
  plan->invert = net_add_move(net, 0, front_term(&plan->terms, "invert"));
  net_add_move(net, 1, front_term(&plan->terms, "noop"));
}

/* Fills `values` with the signals of all numbers that the bits may be. */
static void decode(Net *net, const Signal *bits, uint32_t count,
                   Signal *values) {
  for (uint32_t value = 0; value < 1u << count; value++) {
    Signal list[BITS];
    for (uint32_t i = 0; i < count; i++)
      list[i] = literal(bits[i], value >> i & 1);
    values[value] = net_and(net, list, count);
  }
}

static void add_legal(Plan *plan) {
  Net *net = &plan->net;
  Signal low[1 << LOW_BITS], high[1 << HIGH_BITS];
  NetMove *moves = net->moves.data;
  decode(net, plan->chosen, LOW_BITS, low);
  decode(net, plan->chosen + LOW_BITS, HIGH_BITS, high);
  for (uint32_t i = 0; i < 1 << HIGH_BITS; i++)
    high[i] = both(net, high[i], plan->turn);
  for (uint32_t i = 0; i < MOVES; i++)
    moves[i].legal = both(net, high[i >> LOW_BITS], low[i % (1 << LOW_BITS)]);
  Signal other = signal_not(plan->turn);
  moves[MOVES].legal = both(net, other, plan->chosen[0]);
  moves[MOVES + 1].legal = both(net, other, signal_not(plan->chosen[0]));
  moves[MOVES + 2].legal = SIGNAL_TRUE;
}

/* The game is over when one of `count` patterns of some bits of the clock is
   seen. */
static void add_end(Plan *plan, uint32_t count) {
  Net *net = &plan->net;
  Random random;
  VECTOR(Signal) ends = {0};
  random_seed(&random, 3);
  for (uint32_t i = 0; i < count; i++) {
    Signal list[PATTERN];
    for (uint32_t k = 0; k < PATTERN; k++)
      list[k] = literal(plan->clock[random_below(&random, CLOCK)],
                        random_below(&random, 2));
    vector_push(&ends, net_and(net, list, PATTERN));
  }
  net->terminal = net_or(net, ends.data, count);
  vector_free(&ends);
  for (uint32_t role = 0; role < 2; role++)
    for (int value = 0; value <= 100; value += 100) {
      char text[16];
      snprintf(text, sizeof text, "%d", value);
      NetGoal goal = {role, value, front_term(&plan->terms, text),
                      literal(plan->chosen[3], (value > 0) == role)};
      vector_push(&net->goals, goal);
    }
}

static void add_next(Plan *plan) {
  Net *net = &plan->net;
  Signal list[MOVES + 2];
  net->fluents.data[0].next = signal_not(plan->turn);
  for (uint32_t i = 0; i < BITS; i++) {
    uint32_t count = 0;
    for (uint32_t move = 0; move < MOVES; move++)
      if ((move * 5 + 3) >> i & 1) list[count++] = plan->move[move];
    list[count++] = both(net, plan->keep, plan->chosen[i]);
    list[count++] = both(net, plan->invert, signal_not(plan->chosen[i]));
    net->fluents.data[1 + i].next = net_or(net, list, count);
  }
  /* A shift register: the last bit, inverted where that before it holds. */
  Signal last = plan->clock[CLOCK - 1], before = plan->clock[CLOCK - 2];
  for (uint32_t i = 1; i < CLOCK; i++)
    net->fluents.data[1 + BITS + i].next = plan->clock[i - 1];
  net->fluents.data[1 + BITS].next =
      either(net, both(net, last, signal_not(before)),
             both(net, signal_not(last), before));
}

static void open_plan(Plan *plan, uint32_t ends) {
  add_inputs(plan);
  add_legal(plan);
  add_end(plan, ends);
  add_next(plan);
}

static void close_plan(Plan *plan) {
  net_free(&plan->net);
  terms_free(&plan->terms);
}

/* ---- the squad ---- */

/* Returns whether the last moves of role 0 at the first leg, some of them far,
   are counted before its last part. */
static bool counts_early(const Squad *squad) {
  const SquadLeg *leg = &squad->leg[0];
  for (uint32_t part = 0; part + 1 < leg->parts; part++) {
    const SquadRound *round = &leg->rounds[part * squad->roles];
    if (round->from == round->to || round->to < squad->groups[0].end) continue;
    for (uint32_t i = round->from * 32; i < round->to * 32; i++)
      if (squad->legal[i] & SQUAD_FAR) return true;
  }
  return false;
}

/* Returns whether a move of the second leg, whose numbers come next, has its
   home where the first leg keeps the candidates of role 0. */
static bool shares_memory(const Squad *squad) {
  enum { KEPT = 16 * 32 * SQUAD_WARPS / (4 * SQUAD_WARPS) }; /* slots */
  const SquadGroup *group = &squad->groups[1];
  for (uint32_t i = 0; i < group->count; i++)
    if (squad->legal[group->block * 32 + i] - squad->near < KEPT) return true;
  return false;
}

/* Returns whether both is so: what follows the moves of the first leg must not
   be read with them, then. */
static bool overlaps(const Cones *cones) {
  Squad squad;
  Text why = {0}, text = {0};
  assert_true(squad_init(&squad, cones, cards_card()->shared, NEAR, &why));
  squad_write(&squad, &text);
  assert_int_equal(squad.legs, 2);
  assert_int_equal(squad.groups[0].count, MOVES);
  assert_int_equal(squad.groups[0].end, squad.groups[1].block);
  bool both_hold = counts_early(&squad) && shares_memory(&squad);
  squad_free(&squad);
  text_free(&text);
  text_free(&why);
  return both_hold;
}

static void check_playouts(const Plan *plan, const Cones *cones,
                           uint32_t repeat) {
  const Net *net = &plan->net;
  size_t words = bits_words(net->fluents.count);
  Random random;
  random_seed(&random, 8);
  Gpu *gpu = cards_new(cones, &(GpuOptions){.seed = 1,
                                            .step_limit = STEPS,
                                            .batches = 1,
                                            .starts = STARTS,
                                            .gamma = discount,
                                            .near = NEAR,
                                            .kernels = GPU_SQUAD});
  uint64_t *rows = twin_rows(net, &random, STARTS);
  assert_true(cards_second(gpu));
  cards_play(gpu, rows, STARTS, repeat);
  for (uint32_t i = 0; i < STARTS; i++) {
    TwinSums one = twin_playout(net, rows + i * words, STEPS, discount);
    twin_check(net, &one, repeat, gpu_sums(gpu, 0, i),
               gpu_role_sums(gpu, 0, i, 0), "two legs");
  }
  memory_delete(rows);
  gpu_delete(gpu);
}

static void test_legs(void **state) {
  static const uint32_t counts[] = {120, 160, 200, 240};
  (void)state;
  uint32_t overlapping = 0;
  for (size_t i = 0; i < LENGTH(counts); i++) {
    Plan plan = {0};
    open_plan(&plan, counts[i]);
    Cones *cones = cones_new(&plan.net, &(ProgramMode){ISA_PLAIN, false, 1});
    cones_add_rounds(cones, 2);
    overlapping += overlaps(cones);
    check_playouts(&plan, cones, 33);
    cones_delete(cones);
    close_plan(&plan);
  }
  assert_true(overlapping > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_legs)};
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
