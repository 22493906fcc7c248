/* Agents are shown in the order of their places, equal ones in the order of
   their ratings. */
#include "command/tour_show.h"

#include <inttypes.h>
#include <math.h>

#include "contest/estimate.h"

enum { CROSS_LARGEST = 12 }; /* agents in a cross table */

typedef struct Show {
  const Tour *tour;
  const TourScore *score;
  GridForm form;
  uint32_t *order; /* agents, the best first */
  Text *text;
} Show;

static const char *agent_text(const Show *show, uint32_t agent) {
  return text_string(&show->score->plan->spec->agents.data[agent]);
}

static bool stands_before(const TourScore *score, uint32_t a, uint32_t b) {
  const RatingPlayer *players = score->sections[0].rating.players;
  uint32_t one = score->standings[a].place, other = score->standings[b].place;
  return one != other ? one < other : players[a].elo > players[b].elo;
}

static void find_order(Show *show) {
  for (uint32_t i = 0; i < show->score->agents; i++) {
    uint32_t at = i;
    for (; at > 0 && stands_before(show->score, i, show->order[at - 1]); at--)
      show->order[at] = show->order[at - 1];
    show->order[at] = i;
  }
}

static void write_sheet(const Show *show, Grid *grid) {
  grid_write(grid, show->form, show->text);
  text_add_byte(show->text, '\n');
  grid_free(grid);
}

static void write_title(const Show *show, const char *title) {
  if (show->form == GRID_MARKDOWN)
    text_format(show->text, "### %s\n\n", title);
  else
    text_format(show->text, "%s\n", title);
}

/* ---- figures ---- */

/* "61.5 ± 6.7", or as much of it as is known; all values are 0 to 100. */
static void add_estimate(Grid *grid, Estimate estimate) {
  Text *cell = grid_cell(grid);
  if (isnan(estimate.value)) return;
  text_format(cell, "%.1f", estimate.value);
  if (!isnan(estimate.half))
    text_format(cell, " ± %.1f", fmin(estimate.half, 100));
}

static void write_end(Text *text, double value) {
  if (isinf(value))
    text_add(text, value > 0 ? "∞" : "-∞");
  else
    text_format(text, "%.0f", value);
}

/* "+85" and "45 to 130"; an end that the games say nothing about is infinite.
 */
static void add_rating(Grid *grid, const RatingPlayer *player) {
  Text *cell = grid_cell(grid);
  if (player->matches)
    text_format(cell, fabs(player->elo) < 0.5 ? "0" : "%+.0f", player->elo);
  cell = grid_cell(grid);
  if (isnan(player->low)) return;
  write_end(cell, player->low);
  text_add(cell, " to ");
  write_end(cell, player->high);
}

static void add_counts(Grid *grid, const TourCell *cell) {
  grid_count(grid, cell->tally.games);
  grid_count(grid, cell->tally.wins);
  grid_count(grid, cell->tally.draws);
  grid_count(grid, cell->tally.losses);
  grid_count(grid, cell->errors);
}

/* ---- tables ---- */

static void write_standings(const Show *show, uint32_t section) {
  const TourScore *score = show->score;
  Grid grid;
  grid_init(&grid, 11, 1 << 1);
  grid_head(&grid, "#|agent|Elo|95 %|games|wins|draws|losses|errors|"
                   "win rate %|goal");
  for (uint32_t i = 0; i < score->agents; i++) {
    uint32_t agent = show->order[i];
    const TourCell *all = tour_score_cell(score, section, agent, agent);
    grid_count(&grid, score->standings[agent].place);
    grid_add(&grid, agent_text(show, agent));
    add_rating(&grid, &score->sections[section].rating.players[agent]);
    add_counts(&grid, all);
    add_estimate(&grid, estimate_rate(&all->tally));
    add_estimate(&grid, estimate_goal(&all->tally));
  }
  write_sheet(show, &grid);
}

/* Win rates of the rows' agents against the columns'. */
static void write_cross(const Show *show, uint32_t section) {
  const TourScore *score = show->score;
  Grid grid;
  if (score->agents < 3 || score->agents > CROSS_LARGEST) return;
  grid_init(&grid, 2 + score->agents, 1 << 1);
  grid_head(&grid, "#|win rate % against");
  for (uint32_t i = 0; i < score->agents; i++) grid_count(&grid, i + 1);
  for (uint32_t i = 0; i < score->agents; i++) {
    grid_count(&grid, i + 1);
    grid_add(&grid, agent_text(show, show->order[i]));
    for (uint32_t j = 0; j < score->agents; j++)
      if (i == j)
        grid_add(&grid, "-");
      else
        add_estimate(&grid, estimate_rate(&tour_score_cell(score, section,
                                                           show->order[i],
                                                           show->order[j])
                                               ->tally));
  }
  write_sheet(show, &grid);
}

static void add_pair(Grid *grid, const Show *show, uint32_t section, uint32_t a,
                     uint32_t b) {
  const TourCell *cell = tour_score_cell(show->score, section, a, b);
  const TourCell *other = tour_score_cell(show->score, section, b, a);
  grid_add(grid, agent_text(show, a));
  grid_add(grid, agent_text(show, b));
  add_counts(grid, cell);
  add_estimate(grid, estimate_rate(&cell->tally));
  Text *goals = grid_cell(grid);
  if (cell->tally.games)
    text_format(goals, "%.1f : %.1f", tally_mean_goal(&cell->tally),
                tally_mean_goal(&other->tally));
  grid_real(grid, 1, 100 * tally_superiority(&cell->tally));
}

static void write_pairs(const Show *show, uint32_t section) {
  const TourScore *score = show->score;
  Grid grid;
  grid_init(&grid, 10, 3);
  grid_head(&grid, "agent|against|games|wins|draws|losses|errors|win rate %|"
                   "goals|superior %");
  for (uint32_t i = 0; i < score->agents; i++)
    for (uint32_t j = i + 1; j < score->agents; j++) {
      uint32_t a = show->order[i], b = show->order[j];
      const TourCell *cell = tour_score_cell(score, section, a, b);
      if (cell->tally.games || cell->errors)
        add_pair(&grid, show, section, a, b);
    }
  write_sheet(show, &grid);
}

/* ---- what stands around them ---- */

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static void write_heading(const Show *show) {
  const TourScore *score = show->score;
  const TourSpec *spec = score->plan->spec;
  Text title = {0}, budget = {0};
  if (spec->name.length) text_format(&title, "%s: ", spec->name.bytes);
  text_format(&title, "%s of %u agents at %u game%s",
              pairing_name(spec->system), score->agents, spec->games.count,
              plural(spec->games.count));
  write_title(show, text_string(&title));
  series_write_budget(&spec->common, &budget);
  text_format(show->text, "%s; seed %" PRIu64 ".\n%" PRIu64 " games played",
              text_string(&budget), spec->common.seed, score->games);
  if (!spec->sprt) text_format(show->text, " of %" PRIu64, score->planned);
  if (spec->system >= PAIRING_SWISS)
    text_format(show->text, ", %u round%s", show->tour->round + 1,
                plural(show->tour->round + 1));
  text_format(show->text, ", %" PRIu64 " error%s; %s.\n\n", score->errors,
              plural(score->errors),
              show->tour->over ? "the tournament is over"
                               : "the tournament is not over");
  text_free(&title);
  text_free(&budget);
}

static void write_notes(const Show *show) {
  const Rating *rating = &show->score->sections[0].rating;
  bool virtual = false;
  for (uint32_t i = 0; i < rating->count; i++)
    virtual |= rating->players[i].virtual_draw;
  if (virtual)
    text_add(show->text,
             "An agent won or lost all its games against the others: the "
             "ratings rest on one virtual draw of each.\n");
  if (rating->components > 1)
    text_add(show->text, "Not all agents are connected by games; only ratings "
                         "of connected ones can be compared.\n");
}

static void write_test(const Show *show) {
  const Sprt *sprt = &show->score->sprt;
  SprtDecision decision = sprt_decide(sprt);
  if (!show->score->plan->spec->sprt) return;
  text_format(show->text,
              "Sequential test of elo %g against elo %g: %s after %" PRIu64
              " pairs; log likelihood ratio %.2f, bounds %.2f and %.2f.\n",
              sprt->elo1, sprt->elo0,
              decision == SPRT_ELO0   ? "elo0 accepted"
              : decision == SPRT_ELO1 ? "elo1 accepted"
                                      : "not decided",
              sprt_pairs(sprt), sprt_ratio(sprt), sprt_lower(sprt),
              sprt_upper(sprt));
}

static void write_tables(const Show *show) {
  const TourScore *score = show->score;
  write_heading(show);
  write_standings(show, 0);
  write_cross(show, 0);
  write_pairs(show, 0);
  for (uint32_t i = 1; score->count > 2 && i < score->count; i++) {
    write_title(show, score->sections[i].game);
    write_standings(show, i);
    if (score->agents > 2) write_pairs(show, i);
  }
  write_notes(show);
  write_test(show);
}

/* ---- CSV ---- */

static void add_csv(Grid *grid, const Show *show, uint32_t section, uint32_t a,
                    uint32_t b) {
  const TourCell *cell = tour_score_cell(show->score, section, a, b);
  const Rating *rating = &show->score->sections[section].rating;
  const char *game = show->score->sections[section].game;
  Estimate rate = estimate_rate(&cell->tally);
  Estimate goal = estimate_goal(&cell->tally);
  double elo = rating->players[a].elo, error = rating->players[a].error;
  if (a != b) rating_difference(rating, a, b, &elo, &error);
  grid_add(grid, game ? game : "");
  grid_add(grid, agent_text(show, a));
  grid_add(grid, a == b ? "" : agent_text(show, b));
  if (a == b && !section)
    grid_count(grid, show->score->standings[a].place);
  else
    grid_add(grid, "");
  add_counts(grid, cell);
  grid_real(grid, 3, rate.value);
  grid_real(grid, 3, rate.half);
  grid_real(grid, 3, goal.value);
  grid_real(grid, 3, goal.half);
  grid_real(grid, 2, elo);
  grid_real(grid, 2, error);
  grid_real(grid, 6, tally_superiority(&cell->tally));
}

/* An empty game is all of them, an empty opponent everybody. */
static void write_csv(const Show *show) {
  const TourScore *score = show->score;
  Grid grid;
  grid_init(&grid, 16, 0);
  grid_head(&grid,
            "game|agent|against|place|games|wins|draws|losses|errors|win_rate|"
            "win_rate_half|goal|goal_half|elo|elo_error|superiority");
  for (uint32_t section = 0; section < score->count; section++)
    for (uint32_t i = 0; i < score->agents; i++) {
      uint32_t a = show->order[i];
      add_csv(&grid, show, section, a, a);
      for (uint32_t j = 0; j < score->agents; j++) {
        const TourCell *cell =
            tour_score_cell(score, section, a, show->order[j]);
        if (i != j && (cell->tally.games || cell->errors))
          add_csv(&grid, show, section, a, show->order[j]);
      }
    }
  grid_write(&grid, GRID_CSV, show->text);
  grid_free(&grid);
}

void tour_show_write(const Tour *tour, const TourScore *score, GridForm form,
                     Text *text) {
  Show show = {.tour = tour, .score = score, .form = form, .text = text};
  show.order = memory_new((score->agents + 1) * sizeof *show.order);
  find_order(&show);
  if (form == GRID_CSV)
    write_csv(&show);
  else
    write_tables(&show);
  memory_delete(show.order);
}
