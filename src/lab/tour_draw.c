#include "lab/tour_draw.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "contest/estimate.h"
#include "draw/forest.h"
#include "draw/heat.h"

static const char *agent_name(const TourScore *score, uint32_t agent) {
  return text_string(&score->plan->spec->agents.data[agent]);
}

static void draw_ratings(const TourScore *score, Text *svg) {
  ForestRow *rows = memory_new((score->agents + 1) * sizeof *rows);
  for (uint32_t i = 0; i < score->agents; i++) {
    const RatingPlayer *players = score->sections[0].rating.players;
    const RatingPlayer *player = &players[i];
    uint32_t at = 0; /* the best first, equal ones as they were given */
    for (uint32_t j = 0; j < score->agents; j++)
      at += players[j].elo > player->elo ||
            (players[j].elo == player->elo && j < i);
    rows[at] = (ForestRow){.label = agent_name(score, i),
                           .marks = {{player->matches ? player->elo : NAN,
                                      player->low, player->high}}};
  }
  Forest forest = {.title = "Ratings",
                   .description =
                       "Elo ratings by Bradley and Terry's model, with 95 % "
                       "intervals; the mean is 0.",
                   .x_name = "Elo",
                   .compare = true,
                   .rows = rows,
                   .row_count = score->agents};
  forest_write(&forest, svg);
  memory_delete(rows);
}

static ForestMark rate_mark(const TourCell *cell) {
  Estimate rate = estimate_rate(&cell->tally);
  return (ForestMark){rate.value, fmax(rate.value - rate.half, 0),
                      fmin(rate.value + rate.half, 100)};
}

/* A group for each game, and one for all if there are several. */
static void draw_games(const TourScore *score, Text *svg) {
  uint32_t count = 0, first = score->count > 2 ? 0 : 1;
  ForestRow *rows =
      memory_new((size_t)score->count * (score->agents + 1) * sizeof *rows);
  for (uint32_t i = first; i < score->count; i++) {
    const char *game = score->sections[i].game;
    rows[count++] =
        (ForestRow){.label = game ? game : "all games", .heading = true};
    for (uint32_t a = 0; a < score->agents; a++)
      rows[count++] =
          (ForestRow){.label = agent_name(score, a),
                      .marks = {rate_mark(tour_score_cell(score, i, a, a))}};
  }
  Forest forest = {.title = "Win rates at each game",
                   .description = "Of each agent against all others it met, "
                                  "with 95 % intervals; a draw is half a win.",
                   .x_name = "win rate in %",
                   .low = 0,
                   .high = 100,
                   .compare = true,
                   .reference = 50,
                   .decimals = 1,
                   .rows = rows,
                   .row_count = count};
  forest_write(&forest, svg);
  memory_delete(rows);
}

static void draw_pairs(const TourScore *score, Text *svg) {
  uint32_t agents = score->agents;
  const char **names = memory_new((agents + 1) * sizeof *names);
  HeatCell *cells = memory_new((size_t)agents * agents * sizeof *cells);
  for (uint32_t a = 0; a < agents; a++) {
    names[a] = agent_name(score, a);
    for (uint32_t b = 0; b < agents; b++) {
      Estimate rate = estimate_rate(&tour_score_cell(score, 0, a, b)->tally);
      cells[a * agents + b] =
          (HeatCell){.value = a == b ? NAN : rate.value, .half = rate.half};
    }
  }
  Heat heat = {.title = "Win rates of pairs",
               .description = "Of the rows' agents against the columns', in %.",
               .row_name = "agent",
               .column_name = "against",
               .value_name = "win rate in %",
               .rows = names,
               .columns = names,
               .row_count = agents,
               .column_count = agents,
               .cells = cells,
               .low = 0,
               .high = 100,
               .diverging = true,
               .middle = 50,
               .decimals = 1};
  heat_write(&heat, svg);
  memory_delete(names);
  memory_delete(cells);
}

static const struct {
  const char *name;
  void (*draw)(const TourScore *score, Text *svg);
} charts[] = {
    {"ratings", draw_ratings}, {"games", draw_games}, {"pairs", draw_pairs}};

enum { CHARTS = sizeof charts / sizeof *charts };

const char *tour_draw_name(uint32_t chart) {
  return chart < CHARTS ? charts[chart].name : NULL;
}

bool tour_draw_chart(const TourScore *score, const char *name, Text *svg) {
  for (uint32_t i = 0; i < CHARTS; i++)
    if (!strcmp(charts[i].name, name)) {
      charts[i].draw(score, svg);
      return true;
    }
  return false;
}

bool tour_draw(const TourScore *score, const char *directory, Text *error) {
  bool fine = !mkdir(directory, 0777) || errno == EEXIST;
  if (!fine) text_format(error, "%s: %s", directory, strerror(errno));
  for (uint32_t i = 0; fine && i < CHARTS; i++) {
    Text svg = {0}, path = {0};
    text_format(&path, "%s/%s.svg", directory, charts[i].name);
    charts[i].draw(score, &svg);
    fine = file_replace(path.bytes, text_string(&svg), svg.length, error);
    text_free(&svg);
    text_free(&path);
  }
  return fine;
}
