/* Contests: figures compared with numbers found by hand or by other means,
   rotating roles, scores, where the sequential test stops, and that threads
   change nothing. */
#include "contest/contest.h"

#include <math.h>

#include "base/hash.h"
#include "support/games.h"

static void expect_near(double value, double expected, double tolerance) {
  if (!(value >= expected - tolerance && value <= expected + tolerance))
    fail_msg("%.9f, expected %.9f", value, expected);
}

/* ---- intervals ---- */

/* Breakthrough in tables I and II of Finnsson and Björnsson 2009: 250 games
   without draws. */
static void test_papers_intervals(void **state) {
  (void)state;
  static const struct {
    uint64_t wins;
    double rate, interval;
  } cells[] = {{95, 38.0, 6.03}, {24, 9.6, 3.66}, {222, 88.8, 3.92}};
  for (size_t i = 0; i < LENGTH(cells); i++) {
    Tally tally = {.wins = cells[i].wins, .losses = 250 - cells[i].wins};
    expect_near(tally_win_rate(&tally), cells[i].rate, 1e-9);
    expect_near(tally_interval(&tally), cells[i].interval, 0.005);
  }
}

static void test_interval_with_draws(void **state) {
  (void)state;
  Tally tally = {.wins = 1, .draws = 1, .losses = 1}; /* s = 50 */
  expect_near(tally_win_rate(&tally), 50, 1e-9);
  expect_near(tally_interval(&tally), 1.96 * 50 / 1.7320508, 1e-4);
  tally = (Tally){.wins = 2, .draws = 2}; /* mean 75, s = sqrt(2500 / 3) */
  expect_near(tally_win_rate(&tally), 75, 1e-9);
  expect_near(tally_interval(&tally), 1.96 * 28.867513 / 2, 1e-4);
  tally = (Tally){.draws = 5};
  expect_near(tally_interval(&tally), 0, 1e-9);
}

/* Values of other programs: R's prop.test without correction, for whole wins.
 */
static void test_wilson(void **state) {
  (void)state;
  static const struct {
    Tally tally;
    double low, high;
  } cases[] = {{{.wins = 3}, 43.850, 100},
               {{.losses = 3}, 0, 56.150},
               {{.wins = 1}, 20.655, 100},
               {{.wins = 20, .losses = 10}, 48.780, 80.770},
               {{.wins = 95, .losses = 155}, 32.208, 44.155},
               {{.wins = 8, .draws = 4, .losses = 8}, 29.930, 70.070},
               {{.draws = 20}, 29.930, 70.070}};
  double low, high;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    tally_wilson(&cases[i].tally, &low, &high);
    expect_near(low, cases[i].low, 0.001);
    expect_near(high, cases[i].high, 0.001);
    double rate = tally_win_rate(&cases[i].tally);
    double n = (double)(cases[i].tally.wins + cases[i].tally.draws +
                        cases[i].tally.losses);
    if (rate < 100)
      expect_near(high - rate, 1.959964 * sqrt(high * (100 - high) / n), 1e-6);
    if (rate > 0)
      expect_near(rate - low, 1.959964 * sqrt(low * (100 - low) / n), 1e-6);
  }
  tally_wilson(&(Tally){0}, &low, &high);
  assert_true(low != low && high != high);
}

static void test_unknown_figures(void **state) {
  (void)state;
  Tally tally = {0};
  assert_true(tally_win_rate(&tally) != tally_win_rate(&tally));
  assert_true(tally_mean_goal(&tally) != tally_mean_goal(&tally));
  tally_add(&tally, SCORE_WIN, 80);
  assert_true(tally_interval(&tally) != tally_interval(&tally));
  expect_near(tally_mean_goal(&tally), 80, 1e-9);
  tally_add(&tally, SCORE_NONE, 20);
  assert_int_equal(tally.games, 2);
  expect_near(tally_win_rate(&tally), 100, 1e-9);
  expect_near(tally_mean_goal(&tally), 50, 1e-9);
}

/* ---- contests ---- */

typedef struct Run {
  Description description;
  AgentSpecs players;
  ContestOptions options;
  Contest contest;
  Text log; /* all games with their moves */
} Run;

static void write_game(void *context, const Contest *contest,
                       const Fixture *game) {
  Text *log = context;
  text_format(log, "%u %s %u:", game->number, match_end_name(game->result.end),
              game->result.steps);
  for (uint32_t role = 0; role < contest->role_count; role++)
    text_format(log, " %u=%d", game->players[role],
                game->result.sides[role].goal);
  for (uint32_t player = 0; player < contest->players->count; player++)
    text_format(log, " %u", game->scores[player]);
  text_format(log, "\n%s%s", text_string(&game->result.error),
              text_string(&game->result.moves));
}

static void begin(Run *run, const char *text, const char *players,
                  uint32_t games) {
  *run = (Run){.options = {.games = games,
                           .threads = 1,
                           .seed = 1,
                           .match = {.play = {.simulations = 8},
                                     .step_limit = 60,
                                     .keep_moves = true},
                           .limits = games_limits(),
                           .ground = true,
                           .elo1 = 50,
                           .alpha = 0.05,
                           .beta = 0.05,
                           .finished = write_game}};
  run->options.context = &run->log;
  games_read(&run->description, text);
  games_specs(&run->players, players);
  contest_init(&run->contest, &run->description, &run->players, &run->options);
}

static void end(Run *run) {
  contest_free(&run->contest);
  spec_free_list(&run->players);
  description_free(&run->description);
  text_free(&run->log);
}

static void expect_players(const Run *run, uint32_t game,
                           const uint32_t *expected) {
  for (uint32_t role = 0; role < run->contest.role_count; role++)
    assert_int_equal(fixture_player(&run->contest.seating, game, role),
                     expected[role]);
}

#define EXPECT_PLAYERS(run, game, ...) \
  expect_players(run, game, (const uint32_t[]){__VA_ARGS__})

static void test_rotation(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_DUEL, "random,legal", 1);
  EXPECT_PLAYERS(&run, 0, 0, 1);
  EXPECT_PLAYERS(&run, 1, 1, 0);
  EXPECT_PLAYERS(&run, 2, 0, 1);
  end(&run);
  begin(&run, GAME_THREE, "random,legal,random", 1);
  EXPECT_PLAYERS(&run, 0, 0, 1, 2);
  EXPECT_PLAYERS(&run, 1, 2, 0, 1); /* player p has role (p + 1) mod 3 */
  EXPECT_PLAYERS(&run, 2, 1, 2, 0);
  EXPECT_PLAYERS(&run, 3, 0, 1, 2);
  end(&run);
  begin(&run, GAME_PUZZLE, "random,legal", 1);
  EXPECT_PLAYERS(&run, 0, 0);
  EXPECT_PLAYERS(&run, 1, 1);
  end(&run);
  begin(&run, GAME_THREE, "random,legal", 1);
  EXPECT_PLAYERS(&run, 0, 0, 1, 0);
  EXPECT_PLAYERS(&run, 1, 0, 0, 1);
  EXPECT_PLAYERS(&run, 2, 1, 0, 0);
  end(&run);
  begin(&run, GAME_DUEL, "random,legal,random", 1);
  EXPECT_PLAYERS(&run, 0, 0, 1);
  EXPECT_PLAYERS(&run, 1, 2, 0);
  EXPECT_PLAYERS(&run, 2, 1, 2);
  end(&run);
}

/* A round has every seating once: within it the seed stays, and no game of the
   same seed has the same players in the same roles. */
static void test_rounds(void **state) {
  (void)state;
  for (uint32_t players = 1; players <= 6; players++)
    for (uint32_t roles = 1; roles <= 6; roles++) {
      Seating seating = fixture_seating(players, roles);
      uint32_t round = fixture_round(&seating);
      for (uint32_t game = 0; game < 2 * round; game++)
        for (uint32_t other = 0; other < game; other++) {
          bool same = true;
          for (uint32_t role = 0; role < roles; role++)
            same &= fixture_player(&seating, game, role) ==
                    fixture_player(&seating, other, role);
          assert_int_equal(fixture_seed(&seating, 1, game) ==
                               fixture_seed(&seating, 1, other),
                           game / round == other / round);
          assert_int_equal(same, game == other + round);
        }
    }
}

/* The legal player never loses the duel and wins about two games of three. */
static void test_two_players(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_DUEL, "legal,random", 200);
  assert_true(contest_run(&run.contest));
  const Tally *legal = &run.contest.tallies[0];
  const Tally *random = &run.contest.tallies[1];
  assert_int_equal(run.contest.games, 200);
  assert_int_equal(run.contest.errors, 0);
  assert_int_equal(legal->wins + legal->draws, 200);
  assert_int_equal(legal->wins, random->losses);
  assert_int_equal(legal->draws, random->draws);
  expect_near((double)legal->wins, 133, 30);
  expect_near(tally_mean_goal(legal), tally_win_rate(legal), 1e-9);
  end(&run);
}

/* A player that says yes is first alone; if nobody does, all share it. */
static void test_three_players(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_THREE, "legal,legal,random", 60);
  assert_true(contest_run(&run.contest));
  const Tally *tallies = run.contest.tallies;
  assert_true(tallies[2].wins > 0 && tallies[2].draws > 0);
  assert_int_equal(tallies[2].wins + tallies[2].draws, 60);
  assert_int_equal(tallies[0].draws, tallies[2].draws);
  assert_int_equal(tallies[0].losses, tallies[2].wins);
  assert_int_equal(tallies[1].losses, tallies[2].wins);
  expect_near(tally_mean_goal(&tallies[0]), 0, 1e-9);
  end(&run);
}

static void test_one_role(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_PUZZLE, "legal,random", 40);
  assert_true(contest_run(&run.contest));
  const Tally *tallies = run.contest.tallies;
  assert_int_equal(tallies[0].games, 20);
  assert_int_equal(tallies[1].games, 20);
  assert_int_equal(tallies[0].wins + tallies[0].draws + tallies[0].losses, 0);
  expect_near(tally_mean_goal(&tallies[0]), 100, 1e-9);
  assert_true(tally_mean_goal(&tallies[1]) < 100);
  end(&run);
}

/* One player has two of the three roles, which gives it no advantage. */
static void test_fewer_players(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_EQUAL, "legal,random", 6);
  assert_true(contest_run(&run.contest));
  assert_int_equal(run.contest.tallies[0].draws, 6);
  assert_int_equal(run.contest.tallies[1].draws, 6);
  expect_near(tally_mean_goal(&run.contest.tallies[0]), 50, 1e-9);
  end(&run);
}

/* A game that is cut off has no winner, whatever the goals are. */
static void test_cut_off(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_ENDLESS, "random,legal", 4);
  assert_true(contest_run(&run.contest));
  assert_int_equal(run.contest.cut_off, 4);
  assert_int_equal(run.contest.errors, 0);
  assert_int_equal(run.contest.tallies[0].draws, 4);
  expect_near(tally_mean_goal(&run.contest.tallies[0]), 40, 1e-9);
  end(&run);
}

static void test_errors(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_STUCK, "random,legal", 4);
  contest_run(&run.contest);
  assert_int_equal(run.contest.games, 4);
  assert_int_equal(run.contest.errors, 4);
  assert_int_equal(run.contest.tallies[0].games, 0);
  assert_string_equal(run.contest.error.bytes, "game 1: y has no legal move");
  end(&run);
}

/* Every game fails at once: three are counted, however many are played. */
static void test_given_up(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 8; threads *= 2) {
    Run run;
    begin(&run, GAME_DOUBLING, "random", 40);
    run.options.threads = threads;
    run.options.ground = false;
    run.options.limits.rules.memory = 1 << 12;
    contest_run(&run.contest);
    assert_int_equal(run.contest.games, 3);
    assert_int_equal(run.contest.errors, 3);
    end(&run);
  }
}

static void test_no_net(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_DOUBLING, "random", 4);
  run.options.need_net = true;
  run.options.limits.ground.memory = 1 << 20;
  run.options.limits.ground.seconds = 0.2;
  assert_false(contest_run(&run.contest));
  assert_int_equal(run.contest.games, 0);
  assert_true(run.contest.error.length > 0);
  end(&run);
}

static void test_stop(void **state) {
  (void)state;
  Run run;
  atomic_bool stop = true;
  begin(&run, GAME_DUEL, "random,legal", 100);
  run.options.match.play.stop = &stop;
  assert_false(contest_run(&run.contest));
  assert_int_equal(run.contest.games, 0);
  end(&run);
}

/* ---- threads ---- */

static void read_library(const char *name, Text *text) {
  Text error = {0};
  char path[128];
  snprintf(path, sizeof path, "games/%s.kif", name);
  if (!text_read_file(text, path, 1 << 20, &error))
    fail_msg("%s: %s", path, error.bytes);
}

static void expect_same_by_threads(const char *text, const char *players,
                                   uint32_t games, bool ground, bool sprt) {
  Run one, other;
  begin(&one, text, players, games);
  begin(&other, text, players, games);
  one.options.ground = other.options.ground = ground;
  one.options.sprt = other.options.sprt = sprt;
  other.options.threads = ground ? 2 : 3;
  contest_run(&one.contest);
  contest_run(&other.contest);
  assert_int_equal(one.contest.games, other.contest.games);
  assert_string_equal(one.log.bytes, other.log.bytes);
  for (uint32_t i = 0; i < one.players.count; i++)
    assert_memory_equal(&one.contest.tallies[i], &other.contest.tallies[i],
                        sizeof(Tally));
  end(&one);
  end(&other);
}

static void test_threads(void **state) {
  (void)state;
  static const char *const players[] = {
      "random,legal", "random,random", "cadia2007,random",
      "cadia2009:c=20,tau=5,mc-org", "tafl:lanes=64,cadia2010"};
  static const char *const names[] = {"ticTacToe", "blocker", "connectFour"};
  for (size_t i = 0; i < LENGTH(names); i++)
    for (size_t j = 0; j < LENGTH(players); j++) {
      Text text = {0};
      read_library(names[i], &text);
      expect_same_by_threads(text.bytes, players[j], 7, true, false);
      text_free(&text);
    }
}

static void test_threads_on_rules(void **state) {
  (void)state;
  Text text = {0};
  read_library("ticTacToe", &text);
  expect_same_by_threads(text.bytes, "random,cadia2008", 9, false, false);
  text_free(&text);
}

static void test_threads_and_test(void **state) {
  (void)state;
  expect_same_by_threads(GAME_DUEL, "legal,random", 0, true, true);
  expect_same_by_threads(GAME_DUEL, "random,legal", 0, true, true);
}

static void test_seeds(void **state) {
  (void)state;
  Run one, other;
  begin(&one, GAME_DUEL, "random,random", 40);
  begin(&other, GAME_DUEL, "random,random", 40);
  other.options.seed = 2;
  contest_run(&one.contest);
  contest_run(&other.contest);
  assert_string_not_equal(one.log.bytes, other.log.bytes);
  end(&one);
  end(&other);
}

/* Random players play the same games on the net and on the rules. */
static void test_engines(void **state) {
  (void)state;
  Run net, rules;
  Text library = {0};
  read_library("connectFour", &library);
  begin(&net, library.bytes, "random,legal", 6);
  begin(&rules, library.bytes, "random,legal", 6);
  rules.options.ground = false;
  contest_run(&net.contest);
  contest_run(&rules.contest);
  assert_string_equal(net.log.bytes, rules.log.bytes);
  text_free(&library);
  end(&net);
  end(&rules);
}

static void keep_moves(void *context, const Contest *contest,
                       const Fixture *game) {
  Text *kept = context;
  (void)contest;
  text_clear(&kept[game->number]);
  text_add(&kept[game->number], text_string(&game->result.moves));
}

/* Equal players that swap roles play each game twice. */
static void test_pairs(void **state) {
  (void)state;
  Run run;
  Text library = {0}, kept[4] = {0};
  read_library("ticTacToe", &library);
  begin(&run, library.bytes, "random,random", 4);
  run.options.finished = keep_moves;
  run.options.context = kept;
  assert_true(contest_run(&run.contest));
  assert_string_equal(kept[0].bytes, kept[1].bytes);
  assert_string_equal(kept[2].bytes, kept[3].bytes);
  assert_string_not_equal(kept[0].bytes, kept[2].bytes);
  for (size_t i = 0; i < LENGTH(kept); i++) text_free(&kept[i]);
  text_free(&library);
  end(&run);
}

/* The contest ends as soon as the test has decided. */
static void test_sprt_stop(void **state) {
  (void)state;
  Run run;
  begin(&run, GAME_DUEL, "legal,random", 0);
  run.options.sprt = true;
  assert_true(contest_run(&run.contest));
  Sprt sprt = run.contest.sprt;
  assert_int_equal(sprt_decide(&sprt), SPRT_ELO1);
  assert_int_equal(run.contest.games, 2 * sprt_pairs(&sprt));
  assert_int_equal(run.contest.tallies[0].games, run.contest.games);
  end(&run);
  begin(&run, GAME_DUEL, "random,legal", 0);
  run.options.sprt = true;
  assert_true(contest_run(&run.contest));
  assert_int_equal(sprt_decide(&run.contest.sprt), SPRT_ELO0);
  end(&run);
  begin(&run, GAME_DUEL, "legal,random", 4);
  run.options.sprt = true;
  assert_true(contest_run(&run.contest));
  assert_int_equal(sprt_decide(&run.contest.sprt), SPRT_OPEN);
  assert_int_equal(run.contest.games, 4);
  end(&run);
}

/* ---- games that never change ---- */

/* Hashes of moves, goals and work of contests: a seed must always give the same
   games. */
static void test_golden(void **state) {
  (void)state;
  static const struct {
    const char *game, *players;
    bool ground, idle;
    uint64_t hash;
  } cases[] = {
      {"ticTacToe", "cadia2007,random", true, false, 0x77835efbeb7dc683u},
      {"ticTacToe", "cadia2007,random", true, true, 0xd55ba84d726ec03du},
      {"ticTacToe", "cadia2010,legal", false, false, 0xf3137598bfe835f0u},
      {"connectFour", "random,cadia2010", true, false, 0xe5aaf4161ea23cbeu},
      {"connectFour", "random,cadia2009", false, false, 0xe5aaf4161ea23cbeu},
      {"eightPuzzle", "cadia2007:puzzle=search,random", true, false,
       0xda837876068f6c8cu},
      {"bomberman", "random,legal", true, false, 0x6b92db731ffd431cu},
      {"bomberman", "random,random", false, false, 0x799fc5382bfdab1bu},
      {"chineseCheckers4", "random,cadia2008", true, true, 0xbc33b1117dfbc912u},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Run run;
    Text text = {0}, error = {0};
    char path[64];
    snprintf(path, sizeof path, "games/%s.kif", cases[i].game);
    assert_true(text_read_file(&text, path, 1 << 20, &error));
    begin(&run, text_string(&text), cases[i].players, 4);
    run.options.match.start.simulations = 5;
    run.options.match.idle = cases[i].idle;
    run.options.ground = cases[i].ground;
    assert_true(contest_run(&run.contest));
    for (uint32_t player = 0; player < run.players.count; player++)
      text_format(&run.log, "%llu %llu\n",
                  (unsigned long long)run.contest.work[player].simulations,
                  (unsigned long long)run.contest.work[player].states);
    uint64_t hash = hash_bytes(run.log.bytes, run.log.length);
    if (hash != cases[i].hash)
      fail_msg("%s with %s: %016llx", path, cases[i].players,
               (unsigned long long)hash);
    end(&run);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_papers_intervals),
      cmocka_unit_test(test_interval_with_draws),
      cmocka_unit_test(test_wilson),
      cmocka_unit_test(test_unknown_figures),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_two_players),
      cmocka_unit_test(test_three_players),
      cmocka_unit_test(test_one_role),
      cmocka_unit_test(test_fewer_players),
      cmocka_unit_test(test_cut_off),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_given_up),
      cmocka_unit_test(test_no_net),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_on_rules),
      cmocka_unit_test(test_threads_and_test),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_engines),
      cmocka_unit_test(test_sprt_stop),
      cmocka_unit_test(test_golden),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
