/* How often 95 % intervals contain the truth. For win rates this is computed
   exactly, over all possible results; for goals and ratings it is measured in
   simulated contests of known strength, with fixed seeds. The long run has more
   contests and prints the figures of docs/statistics.md. */
#include <math.h>

#include "contest/estimate.h"
#include "contest/rating.h"
#include "support/chance.h"

static const double elo_per_logit = 173.71779276130073;

static uint64_t runs(uint64_t few, uint64_t many) {
  return unit_long() ? many : few;
}

/* ---- win rates, exactly ---- */

/* What share of results have an interval with the truth in it. */
typedef struct Rates {
  double papers, wilson, estimate;
} Rates;

static void add_rates(Rates *rates, const Tally *tally, double truth,
                      double chance) {
  double rate = tally_win_rate(tally), low, high;
  Estimate estimate = estimate_rate(tally);
  tally_wilson(tally, &low, &high);
  if (fabs(rate - truth) <= tally_interval(tally)) rates->papers += chance;
  if (low <= truth && truth <= high) rates->wilson += chance;
  if (fabs(rate - truth) <= estimate.half) rates->estimate += chance;
}

/* The probability of wins and draws among n games. */
static double trinomial(int n, int wins, int draws, double win, double draw) {
  int losses = n - wins - draws;
  double loss = 1 - win - draw;
  double log_ways =
      lgamma(n + 1) - lgamma(wins + 1) - lgamma(draws + 1) - lgamma(losses + 1);
  return exp(log_ways) * pow(win, wins) * pow(draw, draws) * pow(loss, losses);
}

static Rates cover_rate(int n, double win, double draw) {
  Rates rates = {0};
  for (int wins = 0; wins <= n; wins++)
    for (int draws = 0; draws <= (draw > 0 ? n - wins : 0); draws++) {
      Tally tally = {.wins = (uint64_t)wins,
                     .draws = (uint64_t)draws,
                     .losses = (uint64_t)(n - wins - draws)};
      add_rates(&rates, &tally, 100 * (win + draw / 2),
                trinomial(n, wins, draws, win, draw));
    }
  print_message("# %d games, %g %% won, %g %% drawn: papers %.1f, Wilson %.1f, "
                "estimate %.1f %%\n",
                n, 100 * win, 100 * draw, 100 * rates.papers,
                100 * rates.wilson, 100 * rates.estimate);
  return rates;
}

static void expect_within(const char *what, double value, double low,
                          double high) {
  if (!(value >= low && value <= high))
    fail_msg("%s covers %.4f, expected %.4f to %.4f", what, value, low, high);
}

/* Results of n games are whole numbers, so coverage jumps about 95 %. */
static void test_rates(void **state) {
  (void)state;
  static const int games[] = {10, 20, 50, 100, 250};
  static const double wins[] = {0.5, 0.7, 0.9, 0.97};
  for (size_t i = 0; i < LENGTH(games); i++)
    for (size_t j = 0; j < LENGTH(wins); j++) {
      Rates rates = cover_rate(games[i], wins[j], 0);
      expect_within("Wilson's", rates.wilson, 0.92, 0.98);
      expect_within("the estimate", rates.estimate, 0.93, 1);
      if (games[i] * (1 - wins[j]) >= 10)
        expect_within("the papers'", rates.papers, 0.93, 0.96);
      if (games[i] * (1 - wins[j]) <= 2)
        expect_within("the papers'", rates.papers, 0, 0.88);
    }
}

/* Draws make Wilson's interval too wide; the estimate knows them. */
static void test_rates_with_draws(void **state) {
  (void)state;
  static const int games[] = {10, 20, 50, 100, 250};
  for (size_t i = 0; i < LENGTH(games); i++) {
    Rates even = cover_rate(games[i], 0.35, 0.3);
    Rates better = cover_rate(games[i], 0.6, 0.35);
    expect_within("Wilson's", even.wilson, 0.97, 1);
    expect_within("Wilson's", better.wilson, 0.99, 1);
    expect_within("the estimate", even.estimate, 0.94, 0.985);
    expect_within("the estimate", better.estimate, 0.94, 0.995);
    expect_within("the papers'", even.papers, 0.92, 0.96);
    expect_within("the papers'", better.papers, 0.91, 0.96);
  }
}

/* ---- goals ---- */

/* A distribution of goals, all equally likely, and what coverage Student's
   interval must have with how many games. */
typedef struct Goals {
  const char *what;
  double goals[10];
  uint32_t count, games;
  double low, high;
} Goals;

static void cover_goals(const Goals *goals) {
  Random random;
  uint64_t total = runs(1000, 20000), papers = 0, student = 0;
  double truth = 0;
  char line[160];
  random_seed(&random, 1);
  for (uint32_t i = 0; i < goals->count; i++)
    truth += goals->goals[i] / goals->count;
  for (uint64_t run = 0; run < total; run++) {
    Tally tally = {0};
    for (uint32_t i = 0; i < goals->games; i++)
      tally_add(&tally, SCORE_NONE,
                goals->goals[random_below(&random, goals->count)]);
    double distance = fabs(tally_mean_goal(&tally) - truth);
    papers += distance <= tally_goal_interval(&tally);
    student += distance <= estimate_goal(&tally).half;
  }
  snprintf(line, sizeof line, "%s, %u games, papers", goals->what,
           goals->games);
  chance_expect(line, papers, total, 0, (double)student / (double)total);
  snprintf(line, sizeof line, "%s, %u games, estimate", goals->what,
           goals->games);
  chance_expect(line, student, total, goals->low, goals->high);
}

/* Lopsided goals need more games, as they always do with Student's t. */
static void test_goals(void **state) {
  (void)state;
  static const double good = 0.93, best = 0.97;
#define EVEN "goals 0, 25, ... 100", {0, 25, 50, 75, 100}, 5
#define PUZZLE "goals 40 to 99, lopsided", {40, 44, 50, 51, 58, 62, 70, 99}, 8
#define WON \
  "goal 100 nine times of ten", \
      {0, 100, 100, 100, 100, 100, 100, 100, 100, 100}, 10
  const Goals list[] = {
      {EVEN, 5, 0.92, best},    {EVEN, 10, good, best},
      {EVEN, 30, good, best},   {EVEN, 100, good, best},
      {PUZZLE, 5, 0.90, best},  {PUZZLE, 10, 0.88, best},
      {PUZZLE, 30, good, best}, {PUZZLE, 100, good, best},
      {WON, 5, good, 1},        {WON, 10, good, 1},
      {WON, 30, good, 1},       {WON, 100, 0.92, best},
  };
  for (size_t i = 0; i < LENGTH(list); i++) cover_goals(&list[i]);
}

/* ---- agreement ---- */

/* Two contests: a paper's, with the paper's interval, and ours; and bounds of
   how often they agree and differ. */
typedef struct Comparison {
  const char *what;
  double their_mean, our_mean, draws;
  uint32_t their_games, our_games;
  double agree_low, agree_high, differ_low, differ_high;
} Comparison;

static Tally play_games(Random *random, uint32_t games, double mean,
                        double draws) {
  Tally tally = {0};
  for (uint32_t i = 0; i < games; i++) {
    double score = chance_score(random, mean, draws);
    tally_add(&tally,
              score > 0.5   ? SCORE_WIN
              : score < 0.5 ? SCORE_LOSS
                            : SCORE_DRAW,
              100 * score);
  }
  return tally;
}

static void compare(const Comparison *c) {
  Random random;
  uint64_t total = runs(1000, 20000), verdicts[ESTIMATE_DIFFER + 1] = {0};
  char line[160];
  random_seed(&random, 2);
  for (uint64_t run = 0; run < total; run++) {
    Tally theirs = play_games(&random, c->their_games, c->their_mean, c->draws);
    Tally ours = play_games(&random, c->our_games, c->our_mean, c->draws);
    Estimate printed = {tally_win_rate(&theirs), tally_interval(&theirs)};
    verdicts[estimate_compare(printed, estimate_rate(&ours))]++;
  }
  snprintf(line, sizeof line, "%s, agree", c->what);
  chance_expect(line, verdicts[ESTIMATE_AGREE], total, c->agree_low,
                c->agree_high);
  snprintf(line, sizeof line, "%s, differ", c->what);
  chance_expect(line, verdicts[ESTIMATE_DIFFER], total, c->differ_low,
                c->differ_high);
}

/* Equal truths agree, truths that are far apart differ. */
static void test_agreement(void **state) {
  (void)state;
  static const Comparison list[] = {
      {"60 % and 60 %, 250 and 100 games", 0.6, 0.6, 0, 250, 100, 0.94, 0.97, 0,
       0.01},
      {"60 % and 60 %, 250 and 100 games, draws", 0.6, 0.6, 0.5, 250, 100, 0.94,
       0.97, 0, 0.01},
      {"90 % and 90 %, 250 and 100 games", 0.9, 0.9, 0, 250, 100, 0.94, 0.99, 0,
       0.01},
      {"90 % and 90 %, 100 and 20 games", 0.9, 0.9, 0, 100, 20, 0.94, 1, 0,
       0.01},
      {"60 % and 70 %, 250 and 100 games", 0.6, 0.7, 0, 250, 100, 0.5, 0.6, 0.1,
       0.25},
      {"60 % and 80 %, 250 and 100 games", 0.6, 0.8, 0, 250, 100, 0, 0.05, 0.8,
       1},
  };
  for (size_t i = 0; i < LENGTH(list); i++) compare(&list[i]);
}

/* ---- ratings ---- */

enum { MOST = 16 };

typedef struct Setup {
  const char *what;
  uint32_t players;
  double range;     /* between the best and the worst, in Elo */
  double low, high; /* bounds of the coverage */
  double draws;     /* see chance_score; of three roles, share of matches */
  double first;     /* Elo that having the first role is worth */
  double same;      /* share of second games that repeat the first by player */
  double mirror;    /* or by role */
  uint32_t roles;   /* 3, or else 2 */
  uint32_t rounds;
  bool swiss; /* in a round everybody has one opponent, at random */
  bool grouped, anchored;
} Setup;

static double strength(const Setup *setup, uint32_t player) {
  return setup->range / elo_per_logit *
         (0.5 - (double)player / (setup->players - 1));
}

static double expected(double lead) {
  return 1 / (1 + exp(-lead));
}

/* The mean score of all comparisons of two players. */
static double pair_mean(const Setup *setup, uint32_t a, uint32_t b) {
  double lead = strength(setup, a) - strength(setup, b);
  double first = setup->first / elo_per_logit;
  double one = expected(lead + first), two = expected(lead - first);
  if (setup->roles == 3)
    return (1 - setup->draws) * expected(lead) + setup->draws / 2;
  return (one + setup->same * one + setup->mirror * (1 - one) +
          (1 - setup->same - setup->mirror) * two) /
         2;
}

/* What infinitely many games would give. */
static void find_truth(const Setup *setup, double *truth) {
  Rating rating;
  rating_init(&rating, setup->players);
  for (uint32_t a = 0; a < setup->players; a++)
    for (uint32_t b = a + 1; b < setup->players; b++) {
      RatingPair pair = {.a = a, .b = b, .score = pair_mean(setup, a, b)};
      vector_push(&rating.pairs, pair);
    }
  rating_solve(&rating, setup->anchored ? 0 : RATING_MEAN);
  for (uint32_t a = 0; a < setup->players; a++)
    truth[a] = rating.players[a].elo;
  rating_free(&rating);
}

static void add_score(Rating *rating, uint32_t a, uint32_t b, double score,
                      uint64_t group) {
  RatingSide sides[] = {{a, 100 * score}, {b, 100 - 100 * score}};
  rating_add(rating,
             &(RatingMatch){.sides = sides, .count = 2, .group = group});
}

/* Two games with swapped roles. */
static void play_two(const Setup *setup, Random *random, Rating *rating,
                     uint32_t a, uint32_t b) {
  double lead = strength(setup, a) - strength(setup, b);
  double first = setup->first / elo_per_logit;
  uint64_t group = setup->grouped ? rating->matches + 1 : 0;
  double one = chance_score(random, expected(lead + first), setup->draws);
  double two = chance_score(random, expected(lead - first), setup->draws);
  double u = chance_uniform(random);
  if (u < setup->same)
    two = one;
  else if (u < setup->same + setup->mirror)
    two = 1 - one;
  add_score(rating, a, b, one, group);
  add_score(rating, a, b, two, group);
}

static void play_three(const Setup *setup, Random *random, Rating *rating,
                       const uint32_t *players) {
  RatingSide sides[3];
  for (int i = 0; i < 3; i++)
    sides[i] = (RatingSide){players[i], strength(setup, players[i]) +
                                            chance_gumbel(random)};
  rating_add(rating,
             &(RatingMatch){.sides = sides,
                            .count = 3,
                            .drawn = chance_uniform(random) < setup->draws});
}

static void play_threes(const Setup *setup, Random *random, Rating *rating) {
  for (uint32_t a = 0; a < setup->players; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t c = 0; c < b; c++)
        play_three(setup, random, rating, (const uint32_t[]){a, b, c});
}

static void play_swiss(const Setup *setup, Random *random, Rating *rating) {
  uint32_t order[MOST];
  for (uint32_t i = 0; i < setup->players; i++) {
    uint32_t j = random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  for (uint32_t i = 0; i + 1 < setup->players; i += 2)
    play_two(setup, random, rating, order[i], order[i + 1]);
}

static void play_all(const Setup *setup, Random *random, Rating *rating) {
  for (uint32_t a = 0; a < setup->players; a++)
    for (uint32_t b = 0; b < a; b++) play_two(setup, random, rating, a, b);
}

static void play_contest(const Setup *setup, Random *random, Rating *rating) {
  for (uint32_t i = 0; i < setup->rounds; i++)
    (setup->swiss        ? play_swiss
     : setup->roles == 3 ? play_threes
                         : play_all)(setup, random, rating);
}

/* What was found in all contests of a setup, over all players. */
typedef struct Covered {
  double players, differences; /* intervals with the truth in them */
  double unbounded;            /* players */
  double widths;               /* halves of the bounded ones */
} Covered;

static void add_contest(const Setup *setup, const Rating *rating,
                        const double *truth, Covered *covered) {
  for (uint32_t a = setup->anchored; a < setup->players; a++) {
    const RatingPlayer *player = &rating->players[a];
    bool unbounded = isinf(player->low) || isinf(player->high);
    covered->players += player->low <= truth[a] && truth[a] <= player->high;
    covered->unbounded += unbounded;
    if (!unbounded) covered->widths += (player->high - player->low) / 2;
  }
  for (uint32_t a = 0; a + 1 < setup->players; a++) {
    double elo, error;
    rating_difference(rating, a, a + 1, &elo, &error);
    covered->differences += fabs(elo - truth[a] + truth[a + 1]) <= 1.96 * error;
  }
}

static void judge(const Setup *setup, const Covered *covered, uint64_t total) {
  double rated = setup->players - setup->anchored;
  double bounded = (double)total * rated - covered->unbounded;
  char line[160];
  snprintf(line, sizeof line, "%s (+- %.0f Elo, %.1f %% unbounded)",
           setup->what, covered->widths / bounded,
           100 * covered->unbounded / (double)total / rated);
  chance_expect(line, (uint64_t)(covered->players / rated), total, setup->low,
                setup->high);
  snprintf(line, sizeof line, "%s, differences", setup->what);
  chance_expect(line, (uint64_t)(covered->differences / (setup->players - 1)),
                total, setup->low, fmax(setup->high, 0.98));
}

static void cover_ratings(const Setup *setup) {
  Random random;
  uint64_t total = runs(1000, 10000);
  double truth[MOST];
  Covered covered = {0};
  find_truth(setup, truth);
  random_seed(&random, 7);
  for (uint64_t run = 0; run < total; run++) {
    Rating rating;
    rating_init(&rating, setup->players);
    play_contest(setup, &random, &rating);
    rating_solve(&rating, setup->anchored ? 0 : RATING_MEAN);
    add_contest(setup, &rating, truth, &covered);
    rating_free(&rating);
  }
  judge(setup, &covered, total);
}

static void cover_all(const Setup *setups, size_t count) {
  for (size_t i = 0; i < count; i++) cover_ratings(&setups[i]);
}

static void test_two_players(void **state) {
  (void)state;
  static const Setup setups[] = {
      {"2 players, 20 games", 2, 100, 0.93, 0.98, .rounds = 10},
      {"2 players, 20 games, half draws", 2, 100, 0.93, 0.98, 0.5,
       .rounds = 10},
      {"2 players, 100 games", 2, 100, 0.93, 0.97, .rounds = 50},
      {"2 players 400 Elo apart, 20 games", 2, 400, 0.93, 0.98, .rounds = 10},
      {"2 players 600 Elo apart, 100 games", 2, 600, 0.93, 0.98, .rounds = 50},
  };
  cover_all(setups, LENGTH(setups));
}

static void test_round_robins(void **state) {
  (void)state;
  static const Setup setups[] = {
      {"6 players, 10 games a pair", 6, 300, 0.93, 0.97, .rounds = 5},
      {"6 players, 10 games a pair, draws", 6, 300, 0.93, 0.97, 0.6,
       .rounds = 5},
      {"6 players, 2 games a pair", 6, 300, 0.93, 0.985, .rounds = 1},
      {"6 players, 2 games a pair, draws", 6, 300, 0.93, 0.995, 0.6,
       .rounds = 1},
      {"8 players, best and worst 800 Elo apart", 8, 800, 0.93, 0.97,
       .rounds = 5},
      {"8 players, relative to one", 8, 300, 0.93, 0.97, .rounds = 5,
       .anchored = true},
      {"16 players, 4 rounds of 2 games", 16, 400, 0.93, 0.985, .rounds = 4,
       .swiss = true},
      {"16 players, 8 rounds of 2 games, draws", 16, 400, 0.93, 0.975, 0.3,
       .rounds = 8, .swiss = true},
  };
  cover_all(setups, LENGTH(setups));
}

static void test_three_roles(void **state) {
  (void)state;
  static const Setup setups[] = {
      {"3 roles, 3 players, 30 matches", 3, 200, 0.93, 0.97, .roles = 3,
       .rounds = 30},
      {"3 roles, 5 players, 10 matches", 5, 300, 0.93, 0.98, .roles = 3,
       .rounds = 1},
      {"3 roles, 5 players, 40 matches", 5, 300, 0.93, 0.97, .roles = 3,
       .rounds = 4},
      {"3 roles, 5 players, 40 matches, draws", 5, 300, 0.93, 0.97, 0.4,
       .roles = 3, .rounds = 4},
  };
  cover_all(setups, LENGTH(setups));
}

/* Games that depend on each other: intervals hold if they are a group. If not,
   they are too narrow where games repeat, and too wide where they cancel out.
 */
static void test_groups(void **state) {
  (void)state;
  static const Setup setups[] = {
      {"4 players, repeated games in groups", 4, 300, 0.93, 0.97, .same = 0.5,
       .rounds = 10, .grouped = true},
      {"4 players, repeated games, no groups", 4, 300, 0.86, 0.92, .same = 0.5,
       .rounds = 10},
      {"4 players, games that cancel out in groups", 4, 300, 0.93, 0.97,
       .first = 150, .mirror = 0.3, .rounds = 10, .grouped = true},
      {"4 players, games that cancel out, no groups", 4, 300, 0.97, 1,
       .first = 150, .mirror = 0.3, .rounds = 10},
  };
  cover_all(setups, LENGTH(setups));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rates),
      cmocka_unit_test(test_rates_with_draws),
      cmocka_unit_test(test_goals),
      cmocka_unit_test(test_agreement),
      cmocka_unit_test(test_two_players),
      cmocka_unit_test(test_round_robins),
      cmocka_unit_test(test_three_roles),
      cmocka_unit_test(test_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
