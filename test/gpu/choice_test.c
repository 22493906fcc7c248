/* The distribution of the card's choices, uniform and Gibbs, by a chi-square
   test: games of one step whose moves are counted by their credit. Seeds are
   fixed; on a real card other words may take other games, so that each run is
   another sample, of which one correct one in 30,000 exceeds the bound. */
#include <math.h>

#include "gpu/squad.h"
#include "support/cards.h"
#include "support/chance.h"

enum { MOVES = 110, KINDS = 3, SECOND_MOST = 16 };

/* Moves of some roles are legal if their fluents are true; a fluent of each
   tells whether it was made, and the last one that the game is over. */
typedef struct Table {
  Terms terms;
  Net net;
  Cones *cones;
  Gpu *gpu;
  uint64_t *row;         /* a start */
  const uint64_t *legal; /* moves there; NULL: as the fluents of the row */
  uint64_t *seen;
  double *expected; /* by move, as often as it should have been made */
} Table;

static void add_goal(Table *table, uint32_t role, int value, Signal signal) {
  vector_push(&table->net.goals,
              ((NetGoal){role, value, front_term(&table->terms, "1"), signal}));
}

static Signal made(const Table *table, uint32_t move) {
  const Net *net = &table->net;
  return gate_signal(net->fluents.data[net->moves.count + move].gate);
}

static void make_net(Table *table, uint32_t roles, uint32_t moves) {
  Net *net = &table->net;
  uint32_t all = roles * moves;
  terms_init(&table->terms);
  net_init(net, roles);
  for (uint32_t i = 0; i < 2 * all + 1; i++)
    net_add_fluent(net, random_net_term(&table->terms, "f", i), i < all);
  for (uint32_t i = 0; i < all; i++) {
    Signal does =
        net_add_move(net, i / moves, random_net_term(&table->terms, "m", i));
    Signal may = gate_signal(net->fluents.data[i].gate);
    net->moves.data[i].legal = net->fluents.data[i].next = may;
    net->fluents.data[all + i].next = does;
  }
  net->fluents.data[2 * all].next = SIGNAL_TRUE;
  net->terminal = gate_signal(net->fluents.data[2 * all].gate);
}

/* A shape of this many words stands for a squad. */
enum { SQUAD = 1000 };

static void finish(Table *table, RosterShape shape, double blind) {
  const Net *net = &table->net;
  bool squad = shape.words == SQUAD;
  if (squad) shape.words = 0;
  table->cones = make_cones(net, ISA_PLAIN, false, 1);
  GpuOptions options = {.seed = 17,
                        .step_limit = 5,
                        .batches = 1,
                        .starts = 1,
                        .credit = true,
                        .blind = blind,
                        .gamma = 1,
                        .shape = shape,
                        .kernels = squad ? GPU_SQUAD : GPU_TEAM};
  table->gpu = cards_new(table->cones, &options);
  assert_int_equal(cards_second(table->gpu), squad);
  table->row = memory_new(bits_words(net->fluents.count) * sizeof(uint64_t));
  table->seen = memory_new(net->moves.count * sizeof *table->seen);
  table->expected = memory_new(net->moves.count * sizeof *table->expected);
}

static void clear(Table *table) {
  gpu_delete(table->gpu);
  memory_delete(table->row);
  memory_delete(table->seen);
  memory_delete(table->expected);
  cones_delete(table->cones);
  net_free(&table->net);
  terms_free(&table->terms);
}

/* Plays, and adds the choices to what was seen and expected. */
static void count(Table *table, const double *weights, uint32_t playouts) {
  const Net *net = &table->net;
  CreditSum *sums = memory_new(net->moves.count * sizeof *sums);
  const uint64_t *may = table->legal ? table->legal : table->row;
  cards_play(table->gpu, table->row, 1, playouts);
  gpu_credit(table->gpu, 0, sums);
  assert_int_equal(gpu_sums(table->gpu, 0, 0)->ended, playouts);
  for (uint32_t role = 0; role < net->role_count; role++) {
    double all = 0;
    uint64_t total = 0;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++) {
      bool legal = bits_has(may, i);
      if (legal) all += weights[i];
      if (!legal) assert_int_equal(sums[i].playouts, 0);
      total += sums[i].playouts;
      table->seen[i] += sums[i].playouts;
    }
    assert_true(total > 0 && total <= playouts);
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (bits_has(may, i))
        table->expected[i] += weights[i] / all * (double)total;
  }
  memory_delete(sums);
}

/* Leaves out moves that were never legal. Returns how many are left. */
static uint32_t gather(Table *table) {
  uint32_t cells = 0;
  for (uint32_t i = 0; i < table->net.moves.count; i++)
    if (table->expected[i] > 0) {
      table->seen[cells] = table->seen[i];
      table->expected[cells++] = table->expected[i];
    }
  return cells;
}

static void check(Table *table) {
  uint32_t cells = gather(table);
  chance_check_cells(table->seen, table->expected, cells);
}

/* ---- one role ---- */

static uint32_t playouts(void) {
  return cards_number(4096, 12288, 30000);
}

/* `legal` moves from k on are legal, for some k. */
static void count_choices(Table *table, uint32_t legal, const double *weights) {
  for (uint32_t k = 0; k < KINDS; k++) {
    memset(table->row, 0,
           bits_words(table->net.fluents.count) * sizeof(uint64_t));
    for (uint32_t i = 0; i < legal; i++)
      bits_add(table->row, (i + 7 * k) % table->net.moves.count);
    for (uint32_t i = cards_number(1, 2, 20); i-- > 0;)
      count(table, weights, playouts());
  }
}

static void begin(Table *table, RosterShape shape) {
  *table = (Table){0};
  make_net(table, 1, MOVES);
  add_goal(table, 0, 100, SIGNAL_TRUE);
  finish(table, shape, 0);
}

/* Teams with one warp for a word, and several; squads. */
static const RosterShape shapes[] = {{0},          {SQUAD, 0, 0, 0},
                                     {1, 4, 1, 1}, {SQUAD, 0, 0, 0},
                                     {4, 8, 2, 2}, {8, 8, 4, 3}};
enum { FIRST_TEAM, FIRST_SQUAD, SMALL_TEAM };

static void test_uniform(void **state) {
  static const uint32_t sizes[] = {1, 2, 3, 7, 31, 33, 64, 110};
  double even[MOVES];
  (void)state;
  for (uint32_t i = 0; i < MOVES; i++) even[i] = 1;
  for (size_t i = 0; i < 2 * LENGTH(sizes); i++) {
    Table table;
    begin(&table, shapes[(i + i / LENGTH(sizes)) % LENGTH(shapes)]);
    count_choices(&table, sizes[i % LENGTH(sizes)], even);
    check(&table);
    clear(&table);
  }
}

/* A bias exceeds the bound. */
static void test_bias_is_detected(void **state) {
  double even[MOVES];
  (void)state;
  for (uint32_t i = 0; i < MOVES; i++) even[i] = 1;
  Table table;
  begin(&table, shapes[SMALL_TEAM]);
  count_choices(&table, 8, even);
  double bias = cards_number(8, 4, 2) * 0.01;
  uint32_t cells = gather(&table);
  for (uint32_t i = 0; i < cells; i++)
    table.expected[i] *= i % 2 ? 1 - bias : 1 + bias;
  assert_true(chance_square(table.seen, table.expected, cells) >
              chance_square_bound(cells));
  clear(&table);
}

static void test_gibbs(void **state) {
  static const struct {
    uint32_t legal;
    double range;
  } cases[] = {{2, 3}, {3, 1}, {8, 0}, {20, 5}, {40, 3}, {110, 4}, {110, 60}};
  (void)state;
  for (size_t k = 0; k < 2 * LENGTH(cases); k++) {
    size_t i = k % LENGTH(cases);
    double scores[MOVES], weights[MOVES];
    Table table;
    begin(&table, shapes[k % LENGTH(shapes)]);
    for (uint32_t j = 0; j < MOVES; j++) {
      scores[j] = cases[i].range * sin(j * 1.7) / 2 + 40;
      weights[j] = exp(scores[j]);
    }
    gpu_set_scores(table.gpu, 0, scores);
    count_choices(&table, cases[i].legal, weights);
    check(&table);
    clear(&table);
  }
}

/* Moves that are never legal have scores far above the rest. */
static void test_gibbs_far_below(void **state) {
  (void)state;
  for (uint32_t k = FIRST_TEAM; k <= FIRST_SQUAD; k++) {
    double scores[MOVES], weights[MOVES];
    Table table;
    begin(&table, shapes[k]);
    for (uint32_t j = 0; j < MOVES; j++) {
      scores[j] = j < 60 ? 3 * sin(j * 2.3) - 45 : 10 + 20 * sin(j);
      weights[j] = exp(scores[j]);
    }
    gpu_set_scores(table.gpu, 0, scores);
    count_choices(&table, 40, weights);
    check(&table);
    clear(&table);
  }
}

/* Scores are forgotten. */
static void test_uniform_again(void **state) {
  (void)state;
  for (uint32_t k = FIRST_TEAM; k <= FIRST_SQUAD; k++) {
    double scores[MOVES], even[MOVES];
    Table table;
    begin(&table, shapes[k]);
    for (uint32_t j = 0; j < MOVES; j++) scores[j] = j, even[j] = 1;
    gpu_set_scores(table.gpu, 0, scores);
    cards_play(table.gpu, NULL, 1, 64);
    gpu_set_scores(table.gpu, 0, NULL);
    count_choices(&table, 12, even);
    check(&table);
    clear(&table);
  }
}

/* Some steps are uniform although the score of one move of four is far above
   the others: all games of a block at once, here of one word, or the 32 of a
   squad. */
static void test_blind_share(void **state) {
  static const double scores[4] = {0, 0, 50, 0}, shares[] = {0, 0.25, 1};
  (void)state;
  for (size_t k = 0; k < 2 * LENGTH(shares); k++) {
    size_t i = k % LENGTH(shares);
    bool squad = k >= LENGTH(shares);
    Table table = {0};
    CreditSum sums[4];
    make_net(&table, 1, 4);
    add_goal(&table, 0, 100, SIGNAL_TRUE);
    finish(&table, squad ? shapes[FIRST_SQUAD] : (RosterShape){1, 1, 1, 1},
           shares[i]);
    gpu_set_scores(table.gpu, 0, scores);
    uint32_t number = cards_number(300, 1000, 1000) * 32;
    cards_play(table.gpu, NULL, 1, number);
    gpu_credit(table.gpu, 0, sums);
    double p = shares[i], blocks = number / (squad ? 1024.0 : 32.0), total = 0;
    for (uint32_t j = 0; j < 4; j++) total += (double)sums[j].playouts;
    double best = (double)sums[2].playouts / total;
    double error =
        sqrt(0.75 * 0.75 * p * (1 - p) / blocks + p * 0.25 * 0.75 / total);
    assert_true(fabs(best - (1 - 0.75 * p)) <= 5 * error);
    clear(&table);
  }
}

/* ---- the second kernel ---- */

/* It gives no credit: instead there are bystanders, each of whom wins if one of
   some moves is made. */
static void begin_second(Table *table, uint32_t moves, uint32_t cells) {
  Net *net = &table->net;
  *table = (Table){0};
  make_net(table, 1 + cells, 0);
  uint32_t first = net->fluents.count;
  for (uint32_t i = 0; i < 2 * moves; i++)
    net_add_fluent(net, random_net_term(&table->terms, "g", i), i < moves);
  for (uint32_t i = 0; i < moves + cells; i++) {
    uint32_t role = i < moves ? 0 : 1 + i - moves;
    Signal does =
        net_add_move(net, role, random_net_term(&table->terms, "m", i));
    Signal may = SIGNAL_TRUE;
    if (i < moves) {
      may = gate_signal(net->fluents.data[first + i].gate);
      net->fluents.data[first + i].next = may;
      net->fluents.data[first + moves + i].next = does;
    }
    net->moves.data[i].legal = may;
  }
  add_goal(table, 0, 100, SIGNAL_TRUE);
  for (uint32_t cell = 0; cell < cells; cell++) {
    Signal list[SECOND_MOST];
    assert_true((moves + cells - 1) / cells <= SECOND_MOST);
    uint32_t count = 0;
    for (uint32_t i = cell; i < moves; i += cells)
      list[count++] = gate_signal(net->fluents.data[first + moves + i].gate);
    Signal hit = net_or(net, list, count);
    add_goal(table, 1 + cell, 100, hit);
    add_goal(table, 1 + cell, 0, signal_not(hit));
  }
  table->cones = make_cones(net, ISA_PLAIN, false, 1);
  GpuOptions options = {
      .seed = 19, .step_limit = 5, .batches = 1, .starts = 1, .gamma = 1};
  table->gpu = cards_new(table->cones, &options);
  assert_true(cards_second(table->gpu));
  table->row = memory_new(bits_words(net->fluents.count) * sizeof(uint64_t));
  table->seen = memory_new(net->moves.count * sizeof *table->seen);
  table->expected = memory_new(net->moves.count * sizeof *table->expected);
}

/* Moves whose number has a bit of the mask, modulo 8, are legal. */
static void count_second(Table *table, uint32_t moves, uint32_t cells,
                         uint32_t mask, uint32_t playouts) {
  size_t words = bits_words(table->net.fluents.count);
  uint32_t legal = 0;
  memset(table->row, 0, words * sizeof *table->row);
  for (uint32_t i = 0; i < moves; i++)
    if (mask >> i % 8 & 1) bits_add(table->row, 1 + i), legal++;
  cards_play(table->gpu, table->row, 1, playouts);
  assert_int_equal(gpu_sums(table->gpu, 0, 0)->ended, playouts);
  for (uint32_t i = 0; i < moves; i++)
    if (mask >> i % 8 & 1)
      table->expected[i % cells] += playouts / (double)legal;
  uint64_t total = 0;
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint64_t hits = gpu_role_sums(table->gpu, 0, 0, 1 + cell)->goals / 100;
    table->seen[cell] += hits;
    total += hits;
  }
  assert_int_equal(total, playouts);
}

/* In registers, in shared memory, in local memory, and there by loops. */
static void test_second_uniform(void **state) {
  static const struct {
    uint32_t moves, cells;
  } cases[] = {{1, 1},   {2, 2},    {3, 3},    {7, 7},   {16, 16},
               {21, 21}, {110, 20}, {250, 25}, {450, 45}};
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    uint32_t moves = cases[i].moves, cells = cases[i].cells;
    Table table;
    begin_second(&table, moves, cells);
    static const uint32_t masks[] = {255, 1, 0x37, 0x95};
    for (size_t k = 0; k < LENGTH(masks); k++)
      count_second(&table, moves, cells, masks[k],
                   cards_number(1 << 14, 1 << 17, 1 << 20));
    if (cells > 1) check(&table);
    clear(&table);
  }
}

/* ---- two roles ---- */

/* Both choose at once: the first has won where both made the same move, the
   second where the numbers of their moves add up to a multiple of five. */
static void test_two_roles(void **state) {
  enum { EACH = 5 };
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    bool gibbs = k % 2;
    Table table = {0};
    Signal same[EACH], sum[EACH];
    double weights[2 * EACH];
    make_net(&table, 2, EACH);
    for (uint32_t i = 0; i < EACH; i++) {
      Signal one[] = {made(&table, i), made(&table, EACH + i)};
      Signal two[] = {made(&table, i), made(&table, EACH + (EACH - i) % EACH)};
      same[i] = net_and(&table.net, one, 2);
      sum[i] = net_and(&table.net, two, 2);
    }
    Signal wins = net_or(&table.net, same, EACH);
    Signal adds = net_or(&table.net, sum, EACH);
    add_goal(&table, 0, 100, wins);
    add_goal(&table, 0, 0, signal_not(wins));
    add_goal(&table, 1, 100, adds);
    add_goal(&table, 1, 0, signal_not(adds));
    finish(&table, shapes[k < 2 ? FIRST_TEAM : FIRST_SQUAD], 0);
    for (uint32_t i = 0; i < 2 * EACH; i++)
      weights[i] = 1, bits_add(table.row, i);
    double scores[2 * EACH] = {0};
    if (gibbs) gpu_set_scores(table.gpu, 0, scores);
    count(&table, weights, playouts());
    check(&table);
    for (uint32_t role = 0; role < 2; role++)
      chance_expect("pairs of moves",
                    gpu_role_sums(table.gpu, 0, 0, role)->goals / 100,
                    playouts(), 0.2, 0.2);
    clear(&table);
  }
}

/* ---- a squad that counts in parts ---- */

/* Two roles with so many moves that what is legal is not in shared memory all
   at once: move x, y of a role is legal if its fluents for x and y are true. */
enum { SIDE = 40, MANY = SIDE * SIDE };

static void begin_parts(Table *table) {
  Net *net = &table->net;
  *table = (Table){0};
  terms_init(&table->terms);
  net_init(net, 2);
  for (uint32_t i = 0; i < 4 * SIDE + 1; i++) {
    Signal same =
        net_add_fluent(net, random_net_term(&table->terms, "f", i), false);
    net->fluents.data[i].next = same;
  }
  for (uint32_t i = 0; i < 2 * MANY; i++) {
    uint32_t role = i / MANY, x = i % SIDE, y = i / SIDE % SIDE;
    Signal may[2];
    net_add_move(net, role, random_net_term(&table->terms, "m", i));
    for (uint32_t k = 0; k < 2; k++)
      may[k] = gate_signal(
          net->fluents.data[(2 * role + k) * SIDE + (k ? y : x)].gate);
    net->moves.data[i].legal = net_and(net, may, 2);
  }
  net->fluents.data[4 * SIDE].next = SIGNAL_TRUE;
  net->terminal = gate_signal(net->fluents.data[4 * SIDE].gate);
  for (uint32_t role = 0; role < 2; role++)
    add_goal(table, role, 100, SIGNAL_TRUE);
  finish(table, shapes[FIRST_SQUAD], 0);
}

static void expect_parts(const Table *table) {
  Squad squad;
  Text text = {0};
  assert_true(squad_init(&squad, table->cones, cards_card()->shared, 0, &text));
  squad_write(&squad, &text);
  assert_true(squad.leg[0].parts > 1);
  squad_free(&squad);
  text_free(&text);
}

static void test_parts(void **state) {
  (void)state;
  for (uint32_t gibbs = 0; gibbs < 2; gibbs++) {
    Table table;
    static double scores[2 * MANY], weights[2 * MANY];
    uint64_t legal[2 * MANY / 64] = {0};
    begin_parts(&table);
    expect_parts(&table);
    table.legal = legal;
    for (uint32_t i = 0; i < 4 * SIDE; i++)
      if (i % 5 == 1 || i % 17 == 0) bits_add(table.row, i);
    for (uint32_t i = 0; i < 2 * MANY; i++) {
      uint32_t first = i / MANY * 2 * SIDE;
      if (bits_has(table.row, first + i % SIDE) &&
          bits_has(table.row, first + SIDE + i / SIDE % SIDE))
        bits_add(legal, i);
      scores[i] = gibbs ? 1.5 * sin(i * 1.7) + 3 : 0;
      weights[i] = exp(scores[i]);
    }
    if (gibbs) gpu_set_scores(table.gpu, 0, scores);
    for (uint32_t i = 0; i < 3; i++) count(&table, weights, playouts());
    check(&table);
    clear(&table);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_bias_is_detected),
      cmocka_unit_test(test_gibbs),
      cmocka_unit_test(test_gibbs_far_below),
      cmocka_unit_test(test_uniform_again),
      cmocka_unit_test(test_blind_share),
      cmocka_unit_test(test_second_uniform),
      cmocka_unit_test(test_two_roles),
      cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
