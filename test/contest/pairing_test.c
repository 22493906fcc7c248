/* Tournament systems on simulated results: the counts that each system must
   have, for all sizes, and pairings against exhaustive search. */
#include "contest/pairing.h"

#include "base/hash.h"
#include "base/random.h"
#include "contest/bracket.h"
#include "contest/matching.h"
#include "support/unit.h"

enum { SIZES = 33, MAXIMUM = 64 };

/* ---- results ---- */

typedef double Result(uint64_t seed, const Meeting *meeting);

/* The player with the lower number wins. */
static double by_number(uint64_t seed, const Meeting *meeting) {
  (void)seed;
  return meeting->first < meeting->second ? 1 : 0;
}

static double by_chance(uint64_t seed, const Meeting *meeting) {
  uint64_t hash = hash_pair(hash_pair(seed, meeting->round), meeting->first);
  return (double)(hash % 5) / 4;
}

static double all_draws(uint64_t seed, const Meeting *meeting) {
  (void)seed;
  (void)meeting;
  return 0.5;
}

/* Plays a tournament to its end; checks what holds of every round. */
static void play(const Pairing *pairing, Result *result, Meetings *played) {
  Meetings next = {0};
  for (uint32_t round = 0; pairing_next(pairing, played, &next); round++) {
    assert_true(round < 200);
    for (uint32_t i = 0; i < next.count; i++) {
      Meeting meeting = next.data[i];
      assert_int_equal(meeting.round, round);
      assert_true(meeting.first < pairing->players);
      assert_true(meeting.second < pairing->players ||
                  meeting.second == MEETING_BYE);
      assert_true(meeting.first != meeting.second);
      meeting.points = result(pairing->seed, &meeting);
      vector_push(played, meeting);
    }
  }
  assert_int_equal(next.count, 0);
  vector_free(&next);
}

static uint32_t times_met(const Meetings *played, uint32_t a, uint32_t b) {
  uint32_t times = 0;
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *m = &played->data[i];
    times +=
        (m->first == a && m->second == b) || (m->first == b && m->second == a);
  }
  return times;
}

/* ---- everybody against everybody, and one against all ---- */

static void test_round_robin(void **state) {
  (void)state;
  for (uint32_t n = 0; n <= 12; n++) {
    Pairing pairing = {.system = PAIRING_ROUND_ROBIN, .players = n};
    Meetings played = {0};
    play(&pairing, by_number, &played);
    assert_int_equal(played.count, n * (n - (n > 0)) / 2);
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < a; b++)
        assert_int_equal(times_met(&played, a, b), 1);
    PairingStanding standings[12];
    pairing_rank(&pairing, &played, standings);
    for (uint32_t p = 0; p < n; p++) {
      assert_int_equal(standings[p].place, p + 1);
      assert_int_equal(standings[p].points, n - 1 - p);
    }
    vector_free(&played);
  }
}

static void test_gauntlet(void **state) {
  (void)state;
  Pairing pairing = {.system = PAIRING_GAUNTLET, .players = 7};
  Meetings played = {0};
  play(&pairing, by_number, &played);
  assert_int_equal(played.count, 6);
  for (uint32_t b = 1; b < 7; b++)
    assert_int_equal(times_met(&played, 0, b), 1);
  PairingStanding standings[7];
  pairing_rank(&pairing, &played, standings);
  assert_int_equal(standings[0].place, 1);
  for (uint32_t p = 1; p < 7; p++) assert_int_equal(standings[p].place, 2);
  vector_free(&played);
}

static void test_shared_places(void **state) {
  (void)state;
  Pairing pairing = {.system = PAIRING_ROUND_ROBIN, .players = 4};
  /* 0 beats 1, 1 beats 2, 2 beats 0, everybody beats 3. */
  Meeting list[] = {{.first = 0, .second = 1, .points = 1},
                    {.first = 1, .second = 2, .points = 1},
                    {.first = 2, .second = 0, .points = 1},
                    {.first = 0, .second = 3, .points = 1},
                    {.first = 1, .second = 3, .points = 1},
                    {.first = 3, .second = 2, .points = 0}};
  Meetings played = {.data = list, .count = LENGTH(list)};
  PairingStanding standings[4];
  pairing_rank(&pairing, &played, standings);
  for (uint32_t p = 0; p < 3; p++) assert_int_equal(standings[p].place, 1);
  assert_int_equal(standings[3].place, 4);
}

/* ---- matchings against exhaustive search ---- */

static bool can_pair(const Matching *graph, uint32_t taken) {
  uint32_t a = 0;
  while (a < graph->count && taken >> a & 1) a++;
  if (a == graph->count) return true;
  for (uint32_t b = a + 1; b < graph->count; b++)
    if (!(taken >> b & 1) && graph->edges[a * graph->count + b] &&
        can_pair(graph, taken | 1u << a | 1u << b))
      return true;
  return false;
}

static void fill_randomly(Matching *graph, Random *random, uint32_t percent) {
  for (uint32_t a = 0; a < graph->count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (random_below(random, 100) < percent) matching_allow(graph, a, b);
}

static void check_mates(const Matching *graph) {
  for (uint32_t a = 0; a < graph->count; a++) {
    uint32_t mate = graph->mate[a];
    assert_true(mate < graph->count && graph->mate[mate] == a);
    assert_true(graph->edges[a * graph->count + mate]);
  }
}

/* Asks for every pair in turn; each must be granted exactly if the rest can
   still be paired. */
static void check_fixing(Matching *graph) {
  uint32_t taken = 0;
  for (uint32_t a = 0; a < graph->count; a++)
    for (uint32_t b = graph->count; b-- > 0;) {
      uint32_t both = 1u << a | 1u << b;
      if (a == b || taken & both) continue;
      bool possible =
          graph->edges[a * graph->count + b] && can_pair(graph, taken | both);
      assert_int_equal(matching_fix(graph, a, b), possible);
      check_mates(graph);
      if (possible) taken |= both;
    }
  assert_int_equal(taken, (1u << graph->count) - 1);
}

static void test_matching(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  uint32_t perfect = 0, all = 3000;
  for (uint32_t i = 0; i < all; i++) {
    Matching graph;
    matching_init(&graph, random_below(&random, 13));
    fill_randomly(&graph, &random, 10 + random_below(&random, 50));
    bool possible = can_pair(&graph, 0);
    assert_int_equal(matching_complete(&graph), possible);
    if (possible) check_fixing(&graph);
    perfect += possible;
    matching_free(&graph);
  }
  assert_true(perfect > all / 5 && perfect < all * 4 / 5);
}

/* ---- Swiss ---- */

static uint32_t repeats(const Meetings *played) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *m = &played->data[i];
    Meetings before = {.data = played->data, .count = i};
    count += times_met(&before, m->first, m->second) > 0;
  }
  return count;
}

/* Everybody has one meeting or bye in each round. */
static void check_rounds(const Pairing *pairing, const Meetings *played,
                         uint32_t rounds) {
  uint32_t seen[MAXIMUM][MAXIMUM] = {{0}};
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *m = &played->data[i];
    assert_true(m->round < rounds);
    seen[m->round][m->first]++;
    if (m->second != MEETING_BYE) seen[m->round][m->second]++;
  }
  for (uint32_t r = 0; r < rounds; r++)
    for (uint32_t p = 0; p < pairing->players; p++)
      assert_int_equal(seen[r][p], 1);
  assert_int_equal(played->count, rounds * ((pairing->players + 1) / 2));
}

static void test_swiss_never_repeats(void **state) {
  (void)state;
  Result *const results[] = {by_number, by_chance, all_draws};
  for (uint32_t n = 2; n <= SIZES; n++)
    for (uint32_t rounds = 1; rounds <= (n + 1) / 2; rounds++)
      for (uint32_t k = 0; k < LENGTH(results); k++) {
        Pairing pairing = {.system = PAIRING_SWISS,
                           .players = n,
                           .rounds = rounds,
                           .seed = n + rounds};
        Meetings played = {0};
        play(&pairing, results[k], &played);
        check_rounds(&pairing, &played, rounds);
        assert_int_equal(repeats(&played), 0); /* byes included */
        vector_free(&played);
      }
}

/* In more rounds than that, a pair or a bye is repeated only in a round in
   which every complete pairing would repeat one. */
static void check_avoidable(const Meetings *played, uint32_t players) {
  uint32_t count = players + players % 2;
  for (uint32_t start = 0; start < played->count; start += count / 2) {
    Meetings before = {.data = played->data, .count = start};
    Meetings all = {.data = played->data, .count = start + count / 2};
    Matching graph;
    matching_init(&graph, count);
    for (uint32_t a = 0; a < count; a++)
      for (uint32_t b = 0; b < a; b++)
        if (!times_met(&before, b, a == players ? MEETING_BYE : a))
          matching_allow(&graph, a, b);
    if (can_pair(&graph, 0))
      assert_int_equal(repeats(&all), repeats(&before));
    else
      assert_true(repeats(&all) > repeats(&before));
    matching_free(&graph);
  }
}

static void test_swiss_repeats_only_if_it_must(void **state) {
  (void)state;
  uint32_t repeated = 0;
  for (uint32_t n = 2; n <= 9; n++)
    for (uint64_t seed = 0; seed < 30; seed++) {
      Pairing pairing = {
          .system = PAIRING_SWISS, .players = n, .rounds = 2 * n, .seed = seed};
      Meetings played = {0};
      play(&pairing, by_chance, &played);
      check_rounds(&pairing, &played, 2 * n);
      check_avoidable(&played, n);
      repeated += repeats(&played) > 0;
      vector_free(&played);
    }
  assert_int_equal(repeated, 8 * 30);
}

/* With results by strength the best one is first, alone. */
static void test_swiss_finds_the_best(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= SIZES; n++) {
    Pairing pairing = {.system = PAIRING_SWISS, .players = n, .seed = n};
    Meetings played = {0};
    PairingStanding standings[SIZES];
    play(&pairing, by_number, &played);
    pairing_rank(&pairing, &played, standings);
    assert_int_equal(standings[0].place, 1);
    assert_int_equal(standings[0].meetings + times_met(&played, 0, MEETING_BYE),
                     pairing_rounds(n));
    for (uint32_t p = 1; p < n; p++) assert_true(standings[p].place > 1);
    vector_free(&played);
  }
}

static void test_swiss_pairs_near_scores(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    Pairing pairing = {.system = PAIRING_SWISS, .players = 16, .seed = seed};
    Meetings played = {0};
    play(&pairing, by_number, &played);
    for (uint32_t i = 0; i < played.count; i++) {
      const Meeting *m = &played.data[i];
      Meetings before = {.data = played.data, .count = 8 * m->round};
      PairingStanding standings[16];
      pairing_rank(&pairing, &before, standings);
      double gap = standings[m->first].points - standings[m->second].points;
      assert_true(gap >= -1 && gap <= 1);
      if (m->round < 3) assert_true(gap == 0); /* groups of 16, 8, 4, … */
    }
    vector_free(&played);
  }
}

static void test_seed_decides(void **state) {
  (void)state;
  Pairing pairing = {.system = PAIRING_SWISS, .players = 20, .seed = 7};
  Meetings a = {0}, b = {0}, c = {0};
  play(&pairing, by_chance, &a);
  play(&pairing, by_chance, &b);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.data, b.data, a.count * sizeof *a.data);
  pairing.seed = 8;
  play(&pairing, by_chance, &c);
  assert_memory_not_equal(a.data, c.data, a.count * sizeof *a.data);
  vector_free(&a);
  vector_free(&b);
  vector_free(&c);
}

/* ---- double elimination ---- */

/* Counts the meetings that each player has lost; fails if somebody plays on
   after two. */
static void count_losses(const Meetings *played, uint32_t *lost) {
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *m = &played->data[i];
    assert_true(m->second != MEETING_BYE);
    assert_true(lost[m->first] < 2 && lost[m->second] < 2);
    lost[m->points > 0.5 ? m->second : m->first]++;
  }
}

static void check_elimination(uint32_t n, uint64_t seed, Result *result) {
  Pairing pairing = {.system = PAIRING_ELIMINATION, .players = n, .seed = seed};
  Meetings played = {0};
  uint32_t lost[SIZES] = {0}, winners = 0;
  PairingStanding standings[SIZES];
  play(&pairing, result, &played);
  count_losses(&played, lost);
  pairing_rank(&pairing, &played, standings);
  for (uint32_t p = 0; p < n; p++) {
    if (lost[p] < 2) assert_int_equal(standings[p].place, 1);
    winners += standings[p].place == 1;
  }
  assert_int_equal(winners, 1);
  uint32_t first = 0;
  while (standings[first].place != 1) first++;
  assert_int_equal(played.count, 2 * n - 2 + lost[first]);
  vector_free(&played);
}

/* No draws here: those are decided by lot, tested below. */
static double by_coin(uint64_t seed, const Meeting *meeting) {
  return by_chance(seed, meeting) > 0.5 ? 1 : 0.25;
}

static void test_elimination(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= SIZES; n++) {
    check_elimination(n, n, by_number);
    for (uint64_t seed = 0; seed < 40; seed++)
      check_elimination(n, seed, by_coin);
  }
}

/* The one who beats everybody is first; the second loses to nobody else and so
   is second. */
static void test_elimination_finds_the_best(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= SIZES; n++) {
    Pairing pairing = {.system = PAIRING_ELIMINATION, .players = n};
    Meetings played = {0};
    PairingStanding standings[SIZES];
    play(&pairing, by_number, &played);
    pairing_rank(&pairing, &played, standings);
    assert_int_equal(played.count, 2 * n - 2);
    assert_int_equal(standings[0].place, 1);
    assert_int_equal(standings[1].place, 2);
    if (n > 2) assert_int_equal(standings[2].place, 3);
    vector_free(&played);
  }
}

/* Seven players: one bye, for the first seed, and the second round of winners
   is 0 - 3 or 4, 1 - 2 if seeds win. */
static void test_elimination_seeds(void **state) {
  (void)state;
  Meetings none = {0}, next = {0};
  bracket_next(&none, 7, 0, 0, &next);
  assert_int_equal(next.count, 3);
  assert_int_equal(times_met(&next, 3, 4), 1);
  assert_int_equal(times_met(&next, 1, 6), 1);
  assert_int_equal(times_met(&next, 2, 5), 1);
  for (uint32_t i = 0; i < next.count; i++)
    next.data[i].points = by_number(0, &next.data[i]);
  Meetings second = {0};
  bracket_next(&next, 7, 0, 1, &second);
  assert_int_equal(times_met(&second, 0, 3), 1);
  assert_int_equal(times_met(&second, 1, 2), 1);
  assert_int_equal(times_met(&second, 5, 6), 1); /* 4 has a bye */
  assert_int_equal(second.count, 3);
  vector_free(&next);
  vector_free(&second);
}

/* Equal points are decided by goals, and equal goals by lot. */
static void test_elimination_draws(void **state) {
  (void)state;
  Pairing pairing = {.system = PAIRING_ELIMINATION, .players = 2};
  uint32_t first = 0, finals[4] = {0};
  for (pairing.seed = 0; pairing.seed < 400; pairing.seed++) {
    Meetings played = {0};
    PairingStanding standings[2];
    play(&pairing, all_draws, &played);
    pairing_rank(&pairing, &played, standings);
    first += standings[0].place == 1;
    assert_int_equal(standings[0].place + standings[1].place, 3);
    finals[played.count]++;
    vector_free(&played);
  }
  assert_true(first > 160 && first < 240);
  assert_int_equal(finals[2] + finals[3], 400);
  assert_true(finals[3] > 160 && finals[3] < 240);
  Meeting list[] = {
      {.first = 0, .second = 1, .points = 0.5, .margin = -1},
      {.slot = 1, .first = 1, .second = 0, .points = 0.5, .margin = 2}};
  Meetings played = {.data = list, .count = 2};
  PairingStanding standings[2];
  pairing_rank(&pairing, &played, standings);
  assert_int_equal(standings[1].place, 1);
}

static void test_names(void **state) {
  (void)state;
  for (uint32_t i = 0; i < PAIRING_SYSTEMS; i++) {
    PairingSystem system = (PairingSystem)(i + 1);
    assert_true(pairing_find(pairing_name((PairingSystem)i), &system));
    assert_int_equal(system, i);
  }
  PairingSystem system;
  assert_false(pairing_find("knockout", &system));
  assert_int_equal(pairing_rounds(1), 0);
  assert_int_equal(pairing_rounds(8), 3);
  assert_int_equal(pairing_rounds(9), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_robin),
      cmocka_unit_test(test_gauntlet),
      cmocka_unit_test(test_shared_places),
      cmocka_unit_test(test_matching),
      cmocka_unit_test(test_swiss_never_repeats),
      cmocka_unit_test(test_swiss_repeats_only_if_it_must),
      cmocka_unit_test(test_swiss_finds_the_best),
      cmocka_unit_test(test_swiss_pairs_near_scores),
      cmocka_unit_test(test_seed_decides),
      cmocka_unit_test(test_elimination),
      cmocka_unit_test(test_elimination_finds_the_best),
      cmocka_unit_test(test_elimination_seeds),
      cmocka_unit_test(test_elimination_draws),
      cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
