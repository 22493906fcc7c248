/* The distribution of a million choices in each case, uniform and Gibbs, and of
   two roles at once, by a chi-square test. Seeds and so the results are fixed;
   one correct sample in 30,000 exceeds the bound, and a distribution that is
   off by one per cent does too. The tests use the best instruction set of the
   machine; the others make the same choices. */
#include "wide/choose.h"

#include <math.h>

#include "support/chance.h"
#include "support/random_net.h"
#include "wide/lanes.h"

enum { CHOICES = 1000000, MOST = 128, MANY = 1500 };

/* Roles with `moves` moves each; a move is legal if its fluent is true. */
static void make_net(Net *net, Terms *terms, uint32_t roles, uint32_t moves) {
  net_init(net, roles);
  for (uint32_t i = 0; i < roles * moves; i++)
    net_add_fluent(net, random_net_term(terms, "f", i), true);
  for (uint32_t i = 0; i < roles * moves; i++) {
    net_add_move(net, i / moves, random_net_term(terms, "m", i));
    net->fluents.data[i].next = gate_signal(net->fluents.data[i].gate);
    net->moves.data[i].legal = gate_signal(net->fluents.data[i].gate);
  }
}

typedef struct Bench {
  Terms terms;
  Net net;
  Cones *cones;
  Choose choose;
  uint64_t *memory, *lanes, *stuck;
  uint32_t words;
} Bench;

static Isa best_isa(void) {
  Isa best = ISA_PLAIN;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    if (isa_available(isa)) best = isa;
  return best;
}

static void bench_init_isa(Bench *bench, uint32_t roles, uint32_t moves,
                           uint32_t words, Isa isa) {
  terms_init(&bench->terms);
  make_net(&bench->net, &bench->terms, roles, moves);
  bench->words = words;
  bench->cones = cones_new(&bench->net, &(ProgramMode){isa, false, words});
  choose_init(&bench->choose, bench->cones, 11);
  bench->memory = cones_memory_new(bench->cones);
  bench->lanes = cones_vectors_new(bench->cones, 1);
  bench->stuck = cones_vectors_new(bench->cones, 1);
  memset(bench->lanes, 255, words * sizeof *bench->lanes);
}

static void bench_init(Bench *bench, uint32_t roles, uint32_t moves,
                       uint32_t words) {
  bench_init_isa(bench, roles, moves, words, best_isa());
}

static void bench_free(Bench *bench) {
  memory_delete(bench->memory);
  memory_delete(bench->lanes);
  memory_delete(bench->stuck);
  choose_free(&bench->choose);
  cones_delete(bench->cones);
  net_free(&bench->net);
  terms_free(&bench->terms);
}

static void set_legal(Bench *bench, uint32_t move, uint32_t lane, bool legal) {
  uint64_t *word = bench->memory + (size_t)move * bench->words + lane / 64;
  uint64_t bit = UINT64_C(1) << (lane % 64);
  *word = legal ? *word | bit : *word & ~bit;
}

static bool chosen(const Bench *bench, uint32_t move, uint32_t lane) {
  return bits_has(bench->memory +
                      (size_t)(bench->net.fluents.count + move) * bench->words,
                  lane);
}

static void bench_run(Bench *bench) {
  cones_run_look(bench->cones, bench->memory);
  choose_run(&bench->choose, &bench->cones->whole, bench->memory, bench->lanes,
             bench->stuck);
}

/* ---- one role ---- */

/* In lane l, `legal` moves from l % kinds on are legal. Counts the choices of
   lanes with l % kinds = 0 and checks that each lane has one legal move. */
static void count_choices(Bench *bench, uint32_t legal, uint32_t kinds,
                          uint64_t *seen) {
  uint32_t moves = bench->net.moves.count, lanes = 64 * bench->words;
  uint64_t total = 0;
  for (uint32_t lane = 0; lane < lanes; lane++)
    for (uint32_t i = 0; i < moves; i++)
      set_legal(bench, i, lane, (i + moves - lane % kinds) % moves < legal);
  while (total < CHOICES) {
    bench_run(bench);
    for (uint32_t lane = 0; lane < lanes; lane += kinds)
      for (uint32_t i = 0; i < legal; i++) {
        bool this = chosen(bench, i, lane);
        seen[i] += this;
        total += this;
      }
    for (uint32_t i = 0; i < bench->words; i++)
      assert_int_equal(bench->stuck[i], 0);
  }
}

static void test_uniform(void **state) {
  (void)state;
  static const uint32_t sizes[] = {2, 3, 5, 7, 8, 9, 12, 13, 17, 31, 64, 100};
  double even[MOST];
  for (uint32_t i = 0; i < MOST; i++) even[i] = 1;
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    uint64_t seen[MOST] = {0};
    Bench bench;
    bench_init(&bench, 1, 110, 8);
    count_choices(&bench, sizes[i], 3, seen);
    chance_check_cells(seen, even, sizes[i]);
    bench_free(&bench);
  }
}

/* A bias of one per cent exceeds the bound. */
static void test_bias_is_detected(void **state) {
  (void)state;
  double off[MOST];
  uint64_t seen[MOST] = {0};
  Bench bench;
  bench_init(&bench, 1, 110, 8);
  count_choices(&bench, 8, 3, seen);
  for (uint32_t i = 0; i < 8; i++) off[i] = i % 2 ? 0.99 : 1.01;
  assert_true(chance_square(seen, off, 8) > chance_square_bound(8));
  bench_free(&bench);
}

static void test_gibbs(void **state) {
  (void)state;
  static const struct {
    uint32_t legal, words;
    double range;
  } cases[] = {{2, 8, 0.5},  {2, 8, 3},   {3, 1, 1},    {8, 8, 0},
               {8, 8, 2},    {8, 16, 6},  {9, 2, 4},    {20, 8, 5},
               {40, 8, 3},   {100, 8, 4}, {100, 4, 10}, {5, 8, 10},
               {12, 8, 0.1}, {30, 8, 16}, {50, 8, 60},  {2, 8, 1.1}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    uint64_t seen[MOST] = {0};
    double scores[MOST], weights[MOST];
    Bench bench;
    bench_init(&bench, 1, 110, cases[i].words);
    for (uint32_t j = 0; j < 110; j++) {
      scores[j] = cases[i].range * sin(j * 1.7) / 2 + 40;
      weights[j] = exp(scores[j]);
    }
    choose_set_scores(&bench.choose, scores);
    count_choices(&bench, cases[i].legal, 2, seen);
    chance_check_cells(seen, weights, cases[i].legal);
    bench_free(&bench);
  }
}

/* Moves that are never legal have scores far above the rest. */
static void test_gibbs_far_below(void **state) {
  (void)state;
  for (uint32_t range = 1; range <= 5; range += 2) {
    uint64_t seen[MOST] = {0};
    double scores[MOST], weights[MOST];
    Bench bench;
    bench_init(&bench, 1, 110, 8);
    for (uint32_t j = 0; j < 110; j++) {
      scores[j] = j < 60 ? range * sin(j * 2.3) / 2 - 45 : 10 + 20 * sin(j);
      weights[j] = exp(scores[j]);
    }
    choose_set_scores(&bench.choose, scores);
    count_choices(&bench, 40, 20, seen);
    chance_check_cells(seen, weights, 40);
    bench_free(&bench);
  }
}

static void count_vectors(Bench *bench, uint64_t *seen) {
  uint32_t moves = bench->net.moves.count;
  for (uint64_t total = 0; total < CHOICES; total += 64 * bench->words) {
    bench_run(bench);
    for (uint32_t i = 0; i < moves; i++)
      for (uint32_t word = 0; word < bench->words; word++)
        seen[i] += (uint64_t)__builtin_popcountll(
            bench
                ->memory[(size_t)(bench->net.fluents.count + i) * bench->words +
                         word]);
  }
}

/* More moves than rotations of a few entries of noise. */
static void test_gibbs_many(void **state) {
  (void)state;
  static const uint32_t widths[] = {8, 16, 1};
  for (size_t i = 0; i < LENGTH(widths); i++) {
    uint64_t seen[MANY] = {0};
    double scores[MANY], weights[MANY];
    Bench bench;
    bench_init(&bench, 1, MANY, widths[i]);
    for (uint32_t j = 0; j < MANY; j++) {
      scores[j] = (double)i * sin(j * 1.7);
      weights[j] = exp(scores[j]);
    }
    memset(bench.memory, 255, (size_t)MANY * bench.words * sizeof(uint64_t));
    choose_set_scores(&bench.choose, scores);
    count_vectors(&bench, seen);
    chance_check_cells(seen, weights, MANY);
    bench_free(&bench);
  }
}

/* A quarter of the steps is uniform although the score of one move of four is
   far above the others: five standard deviations of the steps that show it. */
static void test_blind_share(void **state) {
  (void)state;
  enum { STEPS = 4000 };
  static const double scores[4] = {0, 0, 50, 0};
  static const double shares[] = {0, 0.25, 1};
  for (size_t i = 0; i < LENGTH(shares); i++) {
    Bench bench;
    uint32_t blind = 0;
    bench_init(&bench, 1, 4, 8);
    memset(bench.memory, 255, 4 * bench.words * sizeof(uint64_t));
    choose_set_scores(&bench.choose, scores);
    bench.choose.blind = shares[i];
    for (uint32_t step = 0; step < STEPS; step++) {
      uint32_t best = 0;
      bench_run(&bench);
      for (uint32_t lane = 0; lane < 512; lane++)
        best += chosen(&bench, 2, lane);
      assert_true(best == 512 || (best > 64 && best < 192));
      blind += best < 512;
    }
    double p = shares[i];
    assert_true(fabs(blind - STEPS * p) <= 5 * sqrt(STEPS * p * (1 - p)));
    bench_free(&bench);
  }
}

/* ---- two roles ---- */

/* Both choose in every lane, or take turns: pairs have the right frequencies.
 */
static void test_two_roles(void **state) {
  (void)state;
  for (uint32_t kind = 0; kind < 3; kind++) {
    uint64_t seen[25] = {0}, total = 0;
    double even[25];
    Bench bench;
    bench_init(&bench, 2, 5, 8);
    for (uint32_t i = 0; i < 25; i++) even[i] = kind < 2 || i < 5;
    for (uint32_t lane = 0; lane < 512; lane++)
      for (uint32_t i = 0; i < 10; i++)
        set_legal(&bench, i, lane,
                  kind < 2 || (lane % 2 ? i < 6 : i == 0 || i >= 5));
    double scores[10] = {0};
    if (kind == 1) choose_set_scores(&bench.choose, scores);
    while (total < CHOICES) {
      bench_run(&bench);
      for (uint32_t lane = 0; lane < 512; lane++)
        for (uint32_t i = 0; i < 25; i++)
          if (chosen(&bench, i % 5, lane) && chosen(&bench, 5 + i / 5, lane))
            seen[kind < 2 || lane % 2 ? i : i / 5]++, total++;
    }
    chance_check_cells(seen, even, kind < 2 ? 25 : 5);
    bench_free(&bench);
  }
}

/* Is the move legal in a lane that chooses? */
static bool is_live(const Bench *bench, uint32_t role, uint32_t move) {
  const SlicedLive *live = &bench->choose.roles[role].live;
  for (uint32_t i = 0; i < live->count; i++)
    if (live->vectors[i] == bench->net.fluents.count + move) return true;
  return false;
}

/* Exactly one legal move is chosen in the given lanes that have one, no live
   move in others; lanes without a legal move are stuck. */
static void test_any_states(void **state) {
  (void)state;
  static const uint32_t widths[] = {1, 2, 4, 8, 16};
  for (uint32_t round = 0; round < 400; round++) {
    Random random;
    random_seed(&random, round);
    uint32_t moves = 1 + random_below(&random, 60);
    uint32_t thin = 1 + random_below(&random, 20);
    double scores[180] = {0};
    Bench bench;
    bench_init(&bench, 3, moves, widths[round % LENGTH(widths)]);
    if (round % 2) choose_set_scores(&bench.choose, scores);
    uint32_t lanes = 64 * bench.words;
    for (uint32_t i = 0; i < 3 * moves; i++)
      for (uint32_t lane = 0; lane < lanes; lane++)
        set_legal(&bench, i, lane, random_below(&random, thin) == 0);
    for (uint32_t i = 0; i < bench.words; i++)
      bench.lanes[i] = random_next(&random) | random_next(&random);
    bench_run(&bench);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      bool asked = bits_has(bench.lanes, lane), stuck = false;
      for (uint32_t role = 0; role < 3; role++) {
        uint32_t legal = 0, made = 0;
        for (uint32_t i = role * moves; i < (role + 1) * moves; i++) {
          bool may = bits_has(bench.memory + i * bench.words, lane);
          legal += may;
          if (!chosen(&bench, i, lane)) continue;
          made += asked || is_live(&bench, role, i);
          assert_true(may);
        }
        assert_int_equal(made, asked && legal);
        stuck |= asked && !legal;
      }
      assert_int_equal(bits_has(bench.stuck, lane), stuck);
    }
    bench_free(&bench);
  }
}

/* ---- instruction sets ---- */

/* Compares ten choices in random states with those of the plain instructions.
 */
static void compare_choices(Bench *plain, Bench *other, Random *random) {
  uint32_t fluents = plain->net.fluents.count;
  size_t words = plain->words, size = words * sizeof(uint64_t);
  for (uint32_t step = 0; step < 10; step++) {
    uint32_t thin = 1 + random_below(random, 20);
    for (uint32_t i = 0; i < fluents; i++)
      for (uint32_t lane = 0; lane < 64 * words; lane++)
        set_legal(plain, i, lane, random_below(random, thin) == 0);
    memcpy(other->memory, plain->memory, fluents * size);
    bench_run(plain);
    bench_run(other);
    assert_memory_equal(plain->memory + fluents * words,
                        other->memory + fluents * words,
                        plain->net.moves.count * size);
    assert_memory_equal(plain->stuck, other->stuck, size);
  }
}

static void test_instruction_sets_agree(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 60; round++) {
    Isa isa = (Isa)(ISA_PLAIN + 1 + round % (ISA_COUNT - 1 - ISA_PLAIN));
    if (!isa_available(isa)) continue;
    Random random;
    random_seed(&random, round);
    uint32_t moves = 1 + random_below(&random, round % 3 ? 60 : 300);
    double scores[600];
    Bench plain, other;
    bench_init_isa(&plain, 2, moves, 1u << round / 2 % 5, ISA_PLAIN);
    bench_init_isa(&other, 2, moves, 1u << round / 2 % 5, isa);
    for (uint32_t i = 0; i < 2 * moves; i++)
      scores[i] = random_below(&random, 1000) / 200.0;
    choose_set_scores(&plain.choose, round % 5 ? scores : NULL);
    choose_set_scores(&other.choose, round % 5 ? scores : NULL);
    compare_choices(&plain, &other, &random);
    bench_free(&plain);
    bench_free(&other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_bias_is_detected),
      cmocka_unit_test(test_gibbs),
      cmocka_unit_test(test_gibbs_far_below),
      cmocka_unit_test(test_gibbs_many),
      cmocka_unit_test(test_blind_share),
      cmocka_unit_test(test_two_roles),
      cmocka_unit_test(test_any_states),
      cmocka_unit_test(test_instruction_sets_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
