/* Every reduction on random nets against the plain evaluation of the net that
   went in: with random states and moves, one move for each role; with legal
   moves in states that are not terminal; or in play from the initial state,
   whatever the reduction may rely on. */
#include "base/random.h"
#include "reduce/rebuild.h"
#include "reduce/reduce.h"
#include "support/net_evaluate.h"
#include "support/unit.h"

enum {
  NETS = 600,
  SAMPLES = 40,
  MOST_SIGNALS = 400,
  MOST_INPUTS = 200 /* fluents or moves */
};

/* ---- random nets ---- */

typedef struct Maker {
  Net *net;
  Random random;
  Signal pool[MOST_SIGNALS]; /* to build on */
  uint32_t count;
  Signal sums[9]; /* of make_selections */
  uint32_t sum_count;
} Maker;

static uint32_t below(Maker *maker, uint32_t limit) {
  return random_below(&maker->random, limit);
}

static void offer(Maker *maker, Signal signal) {
  if (maker->count < MOST_SIGNALS) maker->pool[maker->count++] = signal;
}

static Signal pick(Maker *maker, uint32_t count) {
  /* Late ones are more likely, so that nets are deep. */
  uint32_t i = below(maker, count);
  if (below(maker, 2) && count > 8) i = count - 1 - below(maker, count / 2);
  return maker->pool[i] ^ below(maker, 2);
}

static Signal make_and(Maker *maker, uint32_t count) {
  Signal list[8];
  uint32_t width = 2 + below(maker, 4);
  for (uint32_t i = 0; i < width; i++) list[i] = pick(maker, count);
  return net_and(maker->net, list, width);
}

static Signal does_signal(const Net *net, uint32_t move) {
  return gate_signal(net->moves.data[move].gate);
}

/* An OR of ANDs with common inputs, as rules have. */
static Signal make_sum(Maker *maker, uint32_t count) {
  Signal terms[6], shared = pick(maker, count);
  uint32_t width = 2 + below(maker, 4);
  for (uint32_t i = 0; i < width; i++) {
    Signal list[4] = {shared, pick(maker, count), pick(maker, count),
                      pick(maker, count)};
    uint32_t first = below(maker, 3) == 0;
    terms[i] = net_and(maker->net, list + first, 1 + below(maker, 3));
  }
  return net_or(maker->net, terms, width);
}

/* An OR of most moves of a role, or of all roles without the first of each, as
   frame rules have. */
static Signal make_frame(Maker *maker) {
  Net *net = maker->net;
  bool all = below(maker, 3) == 0;
  uint32_t role = below(maker, net->role_count), count = 0;
  Signal list[MOST_INPUTS];
  for (uint32_t m = 0; m < net->moves.count; m++) {
    uint32_t own = net->moves.data[m].role;
    bool wanted = all ? m != net->role_first.data[own] : own == role;
    if (wanted && below(maker, 8)) list[count++] = does_signal(net, m);
  }
  return net_or(net, list, count);
}

/* Pieces of three kinds on two cells, moves to three cells: an OR for each kind
   and cell of the moves there, each with the condition that such a piece stands
   where it comes from. Now and then there is a move that does not fit. */
static void make_selections(Maker *maker) {
  enum { KINDS = 3, CELLS = 3 };
  Net *net = maker->net;
  uint32_t role = below(maker, net->role_count);
  uint32_t first = net->role_first.data[role];
  uint32_t moves = net->role_first.data[role + 1] - first;
  for (uint32_t n = 0; n < KINDS * CELLS; n++) {
    Signal terms[MOST_INPUTS];
    uint32_t count = 0, kind = n / CELLS, cell = n % CELLS;
    for (uint32_t m = 0; m < moves; m++) {
      bool strange = below(maker, 60) == 0;
      if (m % CELLS != cell && !strange) continue;
      Signal from = maker->pool[kind + ((m / CELLS + strange) & 1)];
      Signal list[2] = {does_signal(net, first + m), from};
      terms[count++] = net_and(net, list, 2);
      list[1] = maker->pool[kind + (~(m / CELLS) & 1)];
      list[0] = does_signal(net, first + m);
      if (below(maker, 30) == 0) terms[count++] = net_and(net, list, 2);
    }
    if (below(maker, 2)) terms[count++] = pick(maker, maker->count);
    maker->sums[maker->sum_count++] = net_or(net, terms, count);
  }
}

/* A block of variables with monotone definitions: ORs of ANDs of plain
   variables and of any signals from before. */
static void make_block(Maker *maker, uint32_t block, uint32_t before) {
  Net *net = maker->net;
  uint32_t size = 1 + below(maker, 3), first = net->loops.count;
  Signal variables[3];
  for (uint32_t i = 0; i < size; i++) variables[i] = net_add_loop(net, block);
  for (uint32_t i = 0; i < size; i++) {
    Signal terms[4];
    uint32_t width = 1 + below(maker, 3);
    for (uint32_t j = 0; j < width; j++) {
      Signal list[3] = {variables[below(maker, size)], pick(maker, before),
                        pick(maker, before)};
      terms[j] = net_and(net, list + (below(maker, 3) == 0), 2);
    }
    Signal definition = net_or(net, terms, width);
    net->loops.data[first + i].definition = definition;
  }
  for (uint32_t i = 0; i < size; i++) offer(maker, variables[i]);
}

static void make_inputs(Maker *maker) {
  uint32_t fluents = 4 + below(maker, 12);
  for (uint32_t i = 0; i < fluents; i++)
    offer(maker, net_add_fluent(maker->net, i + 1, below(maker, 3) == 0));
}

static void make_moves(Maker *maker) {
  for (uint32_t role = 0; role < maker->net->role_count; role++) {
    uint32_t moves = 1 + below(maker, 20);
    for (uint32_t i = 0; i < moves; i++)
      offer(maker, net_add_move(maker->net, role, i + 1));
  }
}

static void make_gates(Maker *maker, uint32_t count, bool moves) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t kind = below(maker, 4);
    if (kind == 0 && moves)
      offer(maker, make_frame(maker));
    else if (kind == 1)
      offer(maker, make_sum(maker, maker->count));
    else
      offer(maker, make_and(maker, maker->count));
  }
}

/* Signals that say whose turn it is: one for two roles, else a circle of
   fluents that pass a token around; now and then two tokens, when two roles
   move. */
static void make_turns(Maker *maker, uint32_t count, Signal *turns) {
  Net *net = maker->net;
  uint32_t roles = net->role_count;
  bool two = below(maker, 3) == 0;
  turns[0] = pick(maker, count);
  turns[1] = signal_not(turns[0]);
  for (uint32_t role = 0; roles > 2 && role < roles; role++) {
    Gate after = net->fluents.data[(role + 1) % roles].gate;
    net->fluents.data[role].initial = role == 1 || (two && role == 2);
    net->fluents.data[role].next = gate_signal(after);
    turns[role] = gate_signal(net->fluents.data[role].gate);
  }
}

/* Legality as games have it: half the time, roles take turns. */
static void make_legal(Maker *maker, uint32_t count) {
  Net *net = maker->net;
  Signal turns[3];
  bool wanted = below(maker, 2);
  if (wanted) make_turns(maker, count, turns);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    uint32_t role = net->moves.data[i].role;
    bool noop = net->role_first.data[role] == i;
    Signal list[3] = {pick(maker, count), pick(maker, count)};
    if (wanted) list[2] = turns[role] ^ noop;
    if (wanted && noop)
      net->moves.data[i].legal = list[2];
    else
      net->moves.data[i].legal = net_and(net, list, wanted ? 3 : 2);
  }
}

static void make_net(Net *net, uint64_t seed) {
  Maker maker = {.net = net};
  random_seed(&maker.random, seed);
  net_init(net, 1 + below(&maker, 3));
  make_inputs(&maker);
  make_gates(&maker, 5 + below(&maker, 20), false);
  uint32_t blocks = below(&maker, 3) ? 0 : 1 + below(&maker, 2);
  for (uint32_t b = 0; b < blocks; b++) make_block(&maker, b, maker.count);
  make_gates(&maker, below(&maker, 20), false);
  uint32_t state = maker.count;
  make_moves(&maker);
  if (below(&maker, 2)) make_selections(&maker);
  make_gates(&maker, 5 + below(&maker, 30), true);
  if (below(&maker, 4) == 0) make_block(&maker, blocks, maker.count);
  make_gates(&maker, below(&maker, 10), true);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net->fluents.data[i].next = below(&maker, 6)
                                    ? pick(&maker, maker.count)
                                    : pick(&maker, net->fluents.count);
  for (uint32_t i = 0; i < maker.sum_count && i < net->fluents.count; i++)
    net->fluents.data[i].next = maker.sums[i];
  for (uint32_t i = 0; i + 1 < net->fluents.count && below(&maker, 3) == 0; i++)
    net->fluents.data[i].next =
        net->fluents.data[i + 1].next ^ below(&maker, 2);
  make_legal(&maker, state);
  for (uint32_t i = 0; i < net->role_count; i++) {
    NetGoal goal = {i, 50, 1, pick(&maker, state)};
    vector_push(&net->goals, goal);
  }
  net->terminal = pick(&maker, state);
}

/* ---- comparing ---- */

typedef enum { ANY_STATE, LEGAL_MOVES, FROM_INITIAL, LEGAL_PLAY } Trust;

typedef struct Pair {
  const Net *a, *b;
  bool *values_a, *values_b;
  bool fluents[MOST_INPUTS], moves[MOST_INPUTS];
} Pair;

static bool value_of(const bool *values, Signal signal) {
  return values[signal_gate(signal)] != signal_negated(signal);
}

static void evaluate(Pair *pair) {
  net_evaluate(pair->a, pair->fluents, pair->moves, pair->values_a);
  net_evaluate(pair->b, pair->fluents, pair->moves, pair->values_b);
}

static bool same(const Pair *pair, Signal a, Signal b) {
  return value_of(pair->values_a, a) == value_of(pair->values_b, b);
}

static bool same_now(const Pair *pair) {
  const Net *a = pair->a, *b = pair->b;
  bool good = same(pair, a->terminal, b->terminal);
  for (uint32_t i = 0; i < a->moves.count; i++)
    good &= same(pair, a->moves.data[i].legal, b->moves.data[i].legal);
  for (uint32_t i = 0; i < a->goals.count; i++)
    good &= same(pair, a->goals.data[i].signal, b->goals.data[i].signal);
  return good;
}

static bool same_next(const Pair *pair) {
  bool good = true;
  for (uint32_t i = 0; i < pair->a->fluents.count; i++)
    good &= same(pair, pair->a->fluents.data[i].next,
                 pair->b->fluents.data[i].next);
  return good;
}

/* Chooses one move for each role, a legal one if wanted; returns false if there
   is none. */
static bool choose_moves(Pair *pair, Random *random, bool legal) {
  const Net *net = pair->a;
  memset(pair->moves, 0, sizeof pair->moves);
  evaluate(pair);
  bool values[MOST_INPUTS];
  for (uint32_t i = 0; i < net->moves.count; i++)
    values[i] = value_of(pair->values_a, net->moves.data[i].legal);
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role], choices = 0, move = 0;
    for (uint32_t m = first; m < net->role_first.data[role + 1]; m++)
      if ((!legal || values[m]) && random_below(random, ++choices) == 0)
        move = m;
    if (!choices) return false;
    pair->moves[move] = true;
  }
  return true;
}

static void randomise_state(Pair *pair, Random *random) {
  for (uint32_t i = 0; i < pair->a->fluents.count; i++)
    pair->fluents[i] = random_below(random, 2);
}

static void step(Pair *pair) {
  for (uint32_t i = 0; i < pair->a->fluents.count; i++)
    pair->fluents[i] = value_of(pair->values_a, pair->a->fluents.data[i].next);
}

static void reset(Pair *pair) {
  for (uint32_t i = 0; i < pair->a->fluents.count; i++)
    pair->fluents[i] = pair->a->fluents.data[i].initial;
}

/* Tries one sample; returns false if the nets differ. */
static bool try_state(Pair *pair, Random *random, Trust trust) {
  bool legal = trust == LEGAL_MOVES || trust == LEGAL_PLAY;
  bool play = trust == FROM_INITIAL || trust == LEGAL_PLAY;
  if (!play) randomise_state(pair, random);
  bool possible = choose_moves(pair, random, legal);
  if (possible) evaluate(pair);
  if (!same_now(pair)) return false;
  if (!possible || (legal && value_of(pair->values_a, pair->a->terminal))) {
    if (play) reset(pair);
    return true;
  }
  bool good = same_next(pair);
  if (play) step(pair);
  return good;
}

static bool same_inputs(const Net *a, const Net *b) {
  bool good =
      a->role_count == b->role_count && a->fluents.count == b->fluents.count &&
      a->moves.count == b->moves.count && a->goals.count == b->goals.count;
  for (uint32_t i = 0; good && i < a->fluents.count; i++)
    good = a->fluents.data[i].term == b->fluents.data[i].term &&
           a->fluents.data[i].initial == b->fluents.data[i].initial;
  for (uint32_t i = 0; good && i < a->moves.count; i++)
    good = a->moves.data[i].term == b->moves.data[i].term &&
           a->moves.data[i].role == b->moves.data[i].role;
  return good;
}

static bool agree(const Net *a, const Net *b, Trust trust, uint64_t seed) {
  Pair pair = {.a = a, .b = b};
  Random random;
  bool good = same_inputs(a, b);
  random_seed(&random, seed);
  pair.values_a = memory_new(a->gates.count);
  pair.values_b = memory_new(b->gates.count);
  reset(&pair);
  for (uint32_t i = 0; i < SAMPLES && good; i++)
    good = try_state(&pair, &random, trust);
  memory_delete(pair.values_a);
  memory_delete(pair.values_b);
  return good;
}

/* ---- invariants ---- */

static void check_gate(const Net *net, Gate gate) {
  const NetGate *g = &net->gates.data[gate];
  if (g->kind != GATE_AND) return;
  const Signal *inputs = net_inputs(net, gate);
  assert_true(g->count >= 2);
  for (uint32_t i = 0; i < g->count; i++) {
    assert_true(signal_gate(inputs[i]) < gate && signal_gate(inputs[i]) > 0);
    if (i) assert_true(signal_gate(inputs[i - 1]) < signal_gate(inputs[i]));
  }
}

static void check_invariants(const Net *net) {
  for (Gate gate = 0; gate < net->gates.count; gate++) check_gate(net, gate);
  for (uint32_t i = 1; i < net->loops.count; i++) {
    uint32_t step_up = net->loops.data[i].block - net->loops.data[i - 1].block;
    assert_true(step_up <= 1);
  }
}

/* ---- each reduction on random nets ---- */

static const ReduceOptions ANY_MOVES = {0}, ONLY_LEGAL = {.legal = true};

/* With three roles, turns go around only in play. */
static Trust trust_for(const Net *net, Trust trust) {
  return trust == LEGAL_MOVES && net->role_count > 2 ? LEGAL_PLAY : trust;
}

static void check_reduction(Reduction *reduction, const ReduceOptions *options,
                            Trust needed) {
  uint64_t before = 0, after = 0;
  for (uint32_t seed = 0; seed < NETS; seed++) {
    Net net, reduced, clean;
    make_net(&net, seed);
    Trust trust = trust_for(&net, needed);
    reduction(&net, &reduced, options);
    reduce_dead(&reduced, &clean, options);
    check_invariants(&reduced);
    check_invariants(&clean);
    if (!agree(&net, &reduced, trust, seed)) fail_msg("net %u differs", seed);
    if (!agree(&net, &clean, trust, seed))
      fail_msg("net %u differs without its dead gates", seed);
    before += net_count_edges(&net) - net_count_ands(&net);
    after += net_count_edges(&clean) - net_count_ands(&clean);
    net_free(&net);
    net_free(&reduced);
    net_free(&clean);
  }
  print_message("# %llu to %llu two-input gates\n", (unsigned long long)before,
                (unsigned long long)after);
  assert_true(after <= before);
}

static void all(const Net *in, Net *out, const ReduceOptions *options) {
  reduce_net(in, out, options, NULL);
}

static void test_dead(void **state) {
  (void)state;
  check_reduction(reduce_dead, &ANY_MOVES, ANY_STATE);
}

static void test_single_use(void **state) {
  (void)state;
  check_reduction(reduce_single_use, &ANY_MOVES, ANY_STATE);
}

static void test_absorb(void **state) {
  (void)state;
  check_reduction(reduce_absorb, &ANY_MOVES, ANY_STATE);
}

static void test_absorb_legal(void **state) {
  (void)state;
  check_reduction(reduce_absorb, &ONLY_LEGAL, LEGAL_MOVES);
}

static void test_exclusive(void **state) {
  (void)state;
  check_reduction(reduce_exclusive, &ANY_MOVES, ANY_STATE);
}

static void test_exclusive_legal(void **state) {
  (void)state;
  check_reduction(reduce_exclusive, &ONLY_LEGAL, LEGAL_MOVES);
}

static void test_forced(void **state) {
  (void)state;
  check_reduction(reduce_forced, &ONLY_LEGAL, LEGAL_MOVES);
}

static void test_select(void **state) {
  (void)state;
  check_reduction(reduce_select, &ANY_MOVES, ANY_STATE);
}

static void test_select_legal(void **state) {
  (void)state;
  check_reduction(reduce_select, &ONLY_LEGAL, LEGAL_MOVES);
}

static void test_distribute(void **state) {
  (void)state;
  check_reduction(reduce_distribute, &ANY_MOVES, ANY_STATE);
}

static void test_factor(void **state) {
  (void)state;
  check_reduction(reduce_factor, &ANY_MOVES, ANY_STATE);
}

static void test_lines(void **state) {
  (void)state;
  check_reduction(reduce_lines, &ANY_MOVES, ANY_STATE);
}

static void test_constant(void **state) {
  (void)state;
  check_reduction(reduce_constant, &ANY_MOVES, FROM_INITIAL);
}

static void test_equal(void **state) {
  (void)state;
  check_reduction(reduce_equal, &ANY_MOVES, FROM_INITIAL);
}

static void test_all(void **state) {
  (void)state;
  check_reduction(all, &ANY_MOVES, FROM_INITIAL);
}

static void test_all_legal(void **state) {
  (void)state;
  check_reduction(all, &ONLY_LEGAL, LEGAL_PLAY);
}

static void test_report(void **state) {
  (void)state;
  ReduceReport report = {0};
  Net net, reduced;
  make_net(&net, 3);
  reduce_net(&net, &reduced, &(ReduceOptions){0}, &report);
  const ReduceStep *first = &report.steps.data[0];
  const ReduceStep *last = &vector_last(&report.steps);
  assert_int_equal(first->ands, net_count_ands(&net));
  assert_int_equal(first->edges, net_count_edges(&net));
  assert_int_equal(last->ands, net_count_ands(&reduced));
  assert_int_equal(last->edges, net_count_edges(&reduced));
  reduce_report_free(&report);
  net_free(&net);
  net_free(&reduced);
}

/* Time is counted in work: a budget stops at the same pass every time. */
static void test_budget(void **state) {
  (void)state;
  uint32_t steps[2], before = 0;
  Net net, reduced;
  make_net(&net, 3);
  for (double seconds = 1e-9; seconds < 1e-2; seconds *= 10) {
    for (int i = 0; i < 2; i++) {
      ReduceReport report = {0};
      reduce_net(&net, &reduced, &(ReduceOptions){.seconds = seconds}, &report);
      steps[i] = report.steps.count;
      reduce_report_free(&report);
      net_free(&reduced);
    }
    assert_int_equal(steps[0], steps[1]);
    if (seconds == 1e-9) assert_int_equal(steps[0], 4); /* before … dead */
    assert_true(steps[0] >= before);
    before = steps[0];
  }
  assert_true(before > 6);
  net_free(&net);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dead),
      cmocka_unit_test(test_single_use),
      cmocka_unit_test(test_absorb),
      cmocka_unit_test(test_absorb_legal),
      cmocka_unit_test(test_exclusive),
      cmocka_unit_test(test_exclusive_legal),
      cmocka_unit_test(test_forced),
      cmocka_unit_test(test_select),
      cmocka_unit_test(test_select_legal),
      cmocka_unit_test(test_distribute),
      cmocka_unit_test(test_factor),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_constant),
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_all_legal),
      cmocka_unit_test(test_report),
      cmocka_unit_test(test_budget),
  };
  return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
