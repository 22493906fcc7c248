/* Matches are read into an array for each series, by their numbers; then
   everything is counted from there, in their order. */
#include "lab/tour_score.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

typedef struct Reading {
  TourScore *score;
  uint32_t entry;
} Reading;

static void take(void *context, const ResultsMatch *stored) {
  Reading *reading = context;
  TourScore *score = reading->score;
  if (stored->number >= score->plan->series.data[reading->entry].games) return;
  TourMatch *match = &score->matches[reading->entry][stored->number];
  double sums[2] = {0};
  uint32_t roles[2] = {0};
  for (uint32_t i = 0; i < stored->side_count; i++) {
    const ResultsSide *side = &stored->sides[i];
    if (side->player > 1) continue;
    sums[side->player] += side->goal;
    roles[side->player]++;
  }
  for (int i = 0; i < 2; i++)
    match->goals[i] = roles[i] ? sums[i] / roles[i] : NAN;
  match->drawn = stored->end == MATCH_CUT_OFF;
  bool scored = stored->end == MATCH_ENDED || match->drawn;
  match->state = scored ? TOUR_MATCH_SCORED : TOUR_MATCH_ERROR;
  score->games++;
  score->errors += !scored;
  if (!scored && !score->error.length)
    text_format(&score->error, "%s, game %u: %s",
                text_string(&score->plan->series.data[reading->entry].game),
                stored->number + 1, stored->error ? stored->error : "");
}

static int64_t find_series(Results *results, int64_t experiment,
                           const Series *series) {
  Text key = {0};
  series_key(series, &key);
  int64_t id = results_find_series(results, experiment, text_string(&key));
  text_free(&key);
  return id;
}

static bool read_all(TourScore *score, Results *results, int64_t experiment) {
  const TourPlan *plan = score->plan;
  for (uint32_t i = 0; i < plan->entries.count; i++) {
    uint32_t games = plan->series.data[i].games;
    Reading reading = {score, i};
    score->planned += games;
    score->matches[i] = memory_new((games + 1) * sizeof **score->matches);
    int64_t series = find_series(results, experiment, &plan->series.data[i]);
    if (series && !results_visit(results, series, take, &reading)) return false;
  }
  return true;
}

static uint32_t count_state(const TourScore *score, uint32_t entry,
                            uint32_t state) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < score->plan->series.data[entry].games; n++)
    count += score->matches[entry][n].state == state;
  return count;
}

bool tour_score_complete(const TourScore *score, uint32_t entry) {
  return !count_state(score, entry, TOUR_MATCH_MISSING);
}

bool tour_score_hopeless(const TourScore *score, uint32_t entry) {
  return count_state(score, entry, TOUR_MATCH_ERROR) &&
         !count_state(score, entry, TOUR_MATCH_SCORED);
}

/* ---- results ---- */

/* What two agents did: in one match, or in games of one role in two. */
typedef struct Outcome {
  const TourEntry *entry;
  TourMatch match; /* MISSING: not known yet */
  uint64_t group;
  uint32_t errors;
} Outcome;

static bool is_single(const TourScore *score, const TourEntry *entry) {
  return score->plan->roles[entry->game] == 1;
}

static TourMatch unite(const TourMatch *even, const TourMatch *odd) {
  TourMatch match = *even;
  match.goals[1] = odd->goals[1];
  match.drawn |= odd->drawn;
  if (odd->state < match.state) match.state = odd->state;
  if (even->state == TOUR_MATCH_ERROR || odd->state == TOUR_MATCH_ERROR)
    match.state = TOUR_MATCH_ERROR;
  return match;
}

/* Games of a round have the same seed, and so have those of the pair's other
   series: they depend on each other. */
static Outcome find_outcome(const TourScore *score, uint32_t entry,
                            uint32_t number) {
  Outcome outcome = {.entry = &score->plan->entries.data[entry]};
  const TourMatch *match = &score->matches[entry][number];
  const uint32_t *agent = outcome.entry->agent;
  uint64_t low = agent[agent[0] > agent[1]], high = agent[agent[0] < agent[1]];
  bool single = is_single(score, outcome.entry);
  outcome.match = single ? unite(match, match + 1) : *match;
  outcome.errors = (uint32_t)(match->state == TOUR_MATCH_ERROR) +
                   (uint32_t)(single && match[1].state == TOUR_MATCH_ERROR);
  outcome.group =
      1 + number / outcome.entry->round +
      ((low * score->agents + high) * score->plan->spec->games.count +
       outcome.entry->game) *
          ((uint64_t)1 << 32);
  return outcome;
}

static Score score_of(const TourMatch *match, uint32_t side) {
  double own = match->goals[side], other = match->goals[1 - side];
  if (match->drawn || own == other) return SCORE_DRAW;
  return own > other ? SCORE_WIN : SCORE_LOSS;
}

/* ---- counting ---- */

static TourCell *cell(const TourScore *score, uint32_t section, uint32_t agent,
                      uint32_t against) {
  return &score->sections[section].cells[agent * score->agents + against];
}

const TourCell *tour_score_cell(const TourScore *score, uint32_t section,
                                uint32_t agent, uint32_t against) {
  return cell(score, section, agent, against);
}

static void count_side(TourScore *score, uint32_t section,
                       const Outcome *outcome, uint32_t side) {
  uint32_t agent = outcome->entry->agent[side];
  uint32_t other = outcome->entry->agent[1 - side];
  TourCell *cells[] = {cell(score, section, agent, other),
                       cell(score, section, agent, agent)};
  for (int i = 0; i < 2; i++) {
    cells[i]->errors += outcome->errors;
    if (outcome->match.state == TOUR_MATCH_SCORED)
      tally_add(&cells[i]->tally, score_of(&outcome->match, side),
                outcome->match.goals[side]);
  }
}

static void count_outcome(TourScore *score, uint32_t section,
                          const Outcome *outcome) {
  const TourMatch *match = &outcome->match;
  for (uint32_t side = 0; side < 2; side++)
    count_side(score, section, outcome, side);
  if (match->state != TOUR_MATCH_SCORED) return;
  RatingSide sides[] = {{outcome->entry->agent[0], match->goals[0]},
                        {outcome->entry->agent[1], match->goals[1]}};
  RatingMatch rated = {.sides = sides,
                       .count = 2,
                       .drawn = match->drawn,
                       .group = outcome->group};
  rating_add(&score->sections[section].rating, &rated);
}

static void count_all(TourScore *score) {
  const TourPlan *plan = score->plan;
  for (uint32_t i = 0; i < plan->entries.count; i++) {
    uint32_t step = is_single(score, &plan->entries.data[i]) ? 2 : 1;
    for (uint32_t n = 0; n + step <= plan->series.data[i].games; n += step) {
      Outcome outcome = find_outcome(score, i, n);
      count_outcome(score, 0, &outcome);
      count_outcome(score, 1 + outcome.entry->game, &outcome);
    }
  }
  for (uint32_t i = 0; i < score->count; i++)
    rating_solve(&score->sections[i].rating, RATING_MEAN);
}

/* ---- meetings ---- */

typedef struct Sums {
  double points, margin;
  uint32_t games, errors;
} Sums;

/* Adds a meeting's part of a series, as the first agent of the meeting sees it.
 */
static void add_part(const TourScore *score, const Meeting *meeting,
                     uint32_t earlier, uint32_t entry, Sums *sums) {
  const TourEntry *own = &score->plan->entries.data[entry];
  uint32_t side = own->agent[0] != meeting->first;
  uint32_t step = is_single(score, own) ? 2 : 1;
  uint32_t end = (earlier + 1) * own->length;
  if (own->agent[side] != meeting->first ||
      own->agent[1 - side] != meeting->second)
    return;
  sums->errors += tour_score_hopeless(score, entry);
  for (uint32_t n = earlier * own->length; n + step <= end; n += step) {
    Outcome outcome = find_outcome(score, entry, n);
    const TourMatch *match = &outcome.match;
    sums->errors += outcome.errors;
    if (match->state != TOUR_MATCH_SCORED) continue;
    sums->points += (score_of(match, side) - SCORE_LOSS) / 2.0;
    sums->margin += match->goals[side] - match->goals[1 - side];
    sums->games++;
  }
}

/* A meeting of nothing but errors is a draw, and so is one that is not played
   since all games before it ended with one. */
static void score_meetings(TourScore *score) {
  const TourPlan *plan = score->plan;
  for (uint32_t i = 0; i < plan->meetings.count; i++) {
    Meeting meeting = plan->meetings.data[i];
    uint32_t earlier = tour_plan_earlier(plan, i);
    Sums sums = {0};
    for (uint32_t entry = 0; entry < plan->entries.count; entry++)
      add_part(score, &meeting, earlier, entry, &sums);
    if (!sums.games && !sums.errors && meeting.second != MEETING_BYE) continue;
    if (sums.games) {
      meeting.points = sums.points / sums.games;
      meeting.margin = sums.margin / sums.games;
    }
    vector_push(&score->meetings, meeting);
  }
}

static void find_standings(TourScore *score) {
  const TourSpec *spec = score->plan->spec;
  Pairing pairing = {.system = spec->system,
                     .players = score->agents,
                     .rounds = spec->rounds,
                     .seed = spec->common.seed};
  pairing_rank(&pairing, &score->meetings, score->standings);
}

/* ---- the sequential test ---- */

/* Adds the half points of a match to `half`, as agent 0 sees them; returns
   false if it has no score. */
static bool add_half_points(const TourScore *score, uint32_t entry,
                            uint32_t number, uint32_t *half) {
  Outcome outcome = find_outcome(score, entry, number);
  if (outcome.match.state != TOUR_MATCH_SCORED) return false;
  Score own = score_of(&outcome.match, outcome.entry->agent[0] != 0);
  *half += (uint32_t)(own - SCORE_LOSS);
  return true;
}

/* Two games in which the agents have changed roles: successive ones, or, where
   the number of roles is odd, those of both series with the same number. In
   games of one role, two games are one result, which counts twice. */
typedef struct GamePair {
  uint32_t entry[2], number[2];
} GamePair;

static GamePair find_pair(const TourScore *score, uint32_t entry, uint32_t k) {
  uint32_t roles = score->plan->roles[score->plan->entries.data[entry].game];
  if (roles > 1 && roles % 2) return (GamePair){{entry, entry + 1}, {k, k}};
  return (GamePair){{entry, entry}, {2 * k, roles == 1 ? 2 * k : 2 * k + 1}};
}

/* Returns false if the pair is not finished. One with an error is left out. */
static bool test_pair(TourScore *score, uint32_t entry, uint32_t k) {
  GamePair pair = find_pair(score, entry, k);
  uint32_t half = 0, scored = 0;
  for (int i = 0; i < 2; i++) {
    Outcome outcome = find_outcome(score, pair.entry[i], pair.number[i]);
    if (outcome.match.state == TOUR_MATCH_MISSING) return false;
    scored += add_half_points(score, pair.entry[i], pair.number[i], &half);
  }
  if (scored == 2) sprt_add(&score->sprt, half);
  return true;
}

/* The pairs of a block at one game; returns false if one is not finished, or
   the test has decided. */
static bool test_block(TourScore *score, uint32_t entry, uint32_t block) {
  const TourPlan *plan = score->plan;
  uint32_t roles = plan->roles[plan->entries.data[entry].game];
  uint32_t seats = roles > 2 ? roles : 2, odd = roles > 1 && roles % 2;
  uint32_t games = plan->series.data[entry].games;
  uint32_t pairs = odd ? games : games / 2;
  uint32_t size = TOUR_SCORE_BLOCK * seats / (odd ? 1 : 2);
  for (uint32_t k = block * size; k < (block + 1) * size && k < pairs; k++)
    if (!test_pair(score, entry, k) || sprt_decide(&score->sprt) != SPRT_OPEN)
      return false;
  return true;
}

/* The test ends with the first pair that decides it, however many more have
   been played. */
static void test(TourScore *score) {
  const TourPlan *plan = score->plan;
  const TourSpec *spec = plan->spec;
  score->sprt = (Sprt){
      .elo0 = spec->elo0, .elo1 = spec->elo1, .alpha = 0.05, .beta = 0.05};
  if (!spec->sprt || score->agents != 2) return;
  uint32_t longest = 0;
  for (uint32_t i = 0; i < plan->series.count; i++)
    if (plan->series.data[i].games > longest)
      longest = plan->series.data[i].games;
  for (uint32_t block = 0; block * TOUR_SCORE_BLOCK < longest; block++)
    for (uint32_t i = 0; i < plan->entries.count; i++)
      if (plan->entries.data[i].agent[0] == 0 && !test_block(score, i, block))
        return;
}

/* ---- the whole ---- */

static void make_sections(TourScore *score) {
  const TextVector *games = &score->plan->spec->games;
  uint32_t cells = score->agents * score->agents;
  score->count = games->count + 1;
  score->sections = memory_new(score->count * sizeof *score->sections);
  for (uint32_t i = 0; i < score->count; i++) {
    TourSection *section = &score->sections[i];
    if (i) section->game = text_string(&games->data[i - 1]);
    section->cells = memory_new((cells + 1) * sizeof *section->cells);
    rating_init(&section->rating, score->agents);
  }
}

bool tour_score_init(TourScore *score, const TourPlan *plan, Results *results,
                     int64_t experiment, Text *error) {
  uint32_t agents = plan->spec->agents.count;
  *score = (TourScore){
      .plan = plan, .agents = agents, .entries = plan->entries.count};
  score->matches =
      memory_new((plan->entries.count + 1) * sizeof *score->matches);
  score->standings = memory_new((agents + 1) * sizeof *score->standings);
  make_sections(score);
  if (!read_all(score, results, experiment)) {
    text_add(error, results_error(results));
    return false;
  }
  count_all(score);
  score_meetings(score);
  find_standings(score);
  test(score);
  return true;
}

void tour_score_free(TourScore *score) {
  for (uint32_t i = 0; i < score->entries; i++)
    memory_delete(score->matches[i]);
  for (uint32_t i = 0; i < score->count; i++) {
    memory_delete(score->sections[i].cells);
    rating_free(&score->sections[i].rating);
  }
  memory_delete(score->matches);
  memory_delete(score->sections);
  memory_delete(score->standings);
  vector_free(&score->meetings);
  text_free(&score->error);
}
