/* A sweep's results in words and figures. The table for people has points as
   rows and games as columns, or the other way round, whichever is narrower;
   CSV has a line for each point and game. */
#include "command/lab_sweep_show.h"

#include <math.h>
#include <string.h>

#include "command/command.h"
#include "command/grid.h"
#include "io/json.h"

static const SweepCell *cell_at(const Sweep *sweep, const SweepResult *result,
                                uint32_t point, uint32_t game) {
  return &result->cells[(size_t)point * sweep->games.count + game];
}

static const char *game_name(const Sweep *sweep, uint32_t game) {
  const char *name = text_string(&sweep->games.data[game].name);
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

/* ---- for people ---- */

static void add_estimate(Text *text, Estimate estimate) {
  if (isnan(estimate.value)) return;
  text_format(text, "%.1f", estimate.value);
  if (estimate.half > 0) text_format(text, " ± %.1f", estimate.half);
}

static void add_point(const Sweep *sweep, const SweepResult *result,
                      uint32_t point, Text *text) {
  if (sweep->axis_count == 1)
    sweep_value(sweep, point, 0, text);
  else
    sweep_name(sweep, point, text);
  if (point == sweep->usual) text_add(text, " (default)");
  if (point == result->best) text_add(text, " *");
}

/* The entry of a point and a game, or of the mean, which comes after them. */
static void add_entry(const Sweep *sweep, const SweepResult *result,
                      uint32_t point, uint32_t game, Text *text) {
  add_estimate(text, game < sweep->games.count
                         ? cell_at(sweep, result, point, game)->score
                         : result->means[point]);
}

static void add_game(const Sweep *sweep, uint32_t game, Text *text) {
  text_add(text, game < sweep->games.count ? game_name(sweep, game) : "mean");
}

static void write_grid(const Sweep *sweep, const SweepResult *result,
                       GridForm form, Text *text) {
  uint32_t points = sweep->points.count, games = sweep->games.count;
  if (games > 1) games++; /* the mean */
  bool by_game = games > points;
  uint32_t rows = by_game ? games : points, columns = by_game ? points : games;
  Grid grid;
  grid_init(&grid, columns + 1, 1);
  grid_add(&grid, by_game ? "game"
                  : sweep->axis_count == 1
                      ? text_string(&sweep->axes[0].setting)
                      : "settings");
  for (uint32_t c = 0; c < columns; c++)
    if (by_game)
      add_point(sweep, result, c, grid_cell(&grid));
    else
      add_game(sweep, c, grid_cell(&grid));
  for (uint32_t r = 0; r < rows; r++) {
    if (by_game)
      add_game(sweep, r, grid_cell(&grid));
    else
      add_point(sweep, result, r, grid_cell(&grid));
    for (uint32_t c = 0; c < columns; c++)
      add_entry(sweep, result, by_game ? c : r, by_game ? r : c,
                grid_cell(&grid));
  }
  grid_write(&grid, form, text);
  grid_free(&grid);
}

const char *lab_sweep_measure(const Sweep *sweep) {
  bool alone = false, versus = false;
  for (uint32_t i = 0; i < sweep->games.count; i++) {
    alone |= sweep->games.data[i].roles == 1;
    versus |= sweep->games.data[i].roles > 1;
  }
  return !alone   ? "win rate in %"
         : versus ? "win rate in %, or mean goal in games of one role"
                  : "mean goal";
}

static void write_head(const Sweep *sweep, Text *text) {
  text_format(text, "%s with other values of %s", sweep->agent.text,
              text_string(&sweep->axes[0].setting));
  if (sweep->axis_count > 1)
    text_format(text, " and %s", text_string(&sweep->axes[1].setting));
  text_format(text, ", against %s\n", sweep->against.text);
  text_format(text, "%s, with 95 %% interval; up to %u games each, ",
              lab_sweep_measure(sweep), sweep->common.games);
  series_write_budget(&sweep->common, text);
  text_format(text, ", seed %llu\n\n", (unsigned long long)sweep->common.seed);
}

static bool is_significant(const SweepResult *result) {
  return result->chance < .05;
}

static void write_verdict(const Sweep *sweep, const SweepResult *result,
                          Text *text) {
  if (result->best == UINT32_MAX) {
    text_add(text, "\nThere are not enough games for a comparison yet.\n");
    return;
  }
  text_add(text, "\n* Best: ");
  sweep_name(sweep, result->best, text);
  text_add(text, ", ");
  add_estimate(text, result->means[result->best]);
  if (result->best == sweep->usual) {
    text_add(text, ", which is the default.\n");
  } else if (isnan(result->lead.value)) {
    text_add(text, ". The default has not been played yet.\n");
  } else {
    text_add(text, ".\n  Its lead over the default (");
    sweep_name(sweep, sweep->usual, text);
    text_format(text, ") is %.1f ± %.1f", result->lead.value,
                result->lead.half);
    if (isnan(result->chance))
      text_add(text, ".\n");
    else
      text_format(
          text,
          ": %ssignificant\n  (p = %.2g, corrected for %u comparison%s).\n",
          is_significant(result) ? "" : "not ", result->chance,
          result->comparisons, result->comparisons == 1 ? "" : "s");
  }
}

static void write_errors(const Sweep *sweep, const SweepResult *result,
                         Text *text) {
  uint64_t errors = 0;
  for (size_t i = 0; i < (size_t)sweep->points.count * sweep->games.count; i++)
    errors += result->cells[i].errors;
  if (errors)
    text_format(text, "%llu games ended with an error and do not count.\n",
                (unsigned long long)errors);
}

/* ---- for programs ---- */

static void write_csv(const Sweep *sweep, const SweepResult *result,
                      Text *text) {
  Grid grid;
  grid_init(&grid, sweep->axis_count + 12, 0);
  grid_head(&grid, "agent|against");
  for (uint32_t i = 0; i < sweep->axis_count; i++)
    grid_add(&grid, text_string(&sweep->axes[i].setting));
  grid_head(&grid, "default|game|played|wins|draws|losses|mean_goal|score|"
                   "interval95|errors");
  for (uint32_t p = 0; p < sweep->points.count; p++)
    for (uint32_t g = 0; g < sweep->games.count; g++) {
      const SweepCell *cell = cell_at(sweep, result, p, g);
      grid_add(&grid, sweep->points.data[p].spec.text);
      grid_add(&grid,
               sweep->games.data[g].roles > 1 ? sweep->against.text : "");
      for (uint32_t i = 0; i < sweep->axis_count; i++)
        sweep_value(sweep, p, i, grid_cell(&grid));
      grid_count(&grid, p == sweep->usual);
      grid_add(&grid, text_string(&sweep->games.data[g].name));
      grid_count(&grid, cell->tally.games);
      grid_count(&grid, cell->tally.wins);
      grid_count(&grid, cell->tally.draws);
      grid_count(&grid, cell->tally.losses);
      grid_real(&grid, 3, tally_mean_goal(&cell->tally));
      grid_real(&grid, 3, cell->score.value);
      grid_real(&grid, 3, cell->score.half);
      grid_count(&grid, cell->errors);
    }
  grid_write(&grid, GRID_CSV, text);
  grid_free(&grid);
}

static json_t *json_figure(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_values(const Sweep *sweep, uint32_t point) {
  json_t *values = json_object();
  for (uint32_t i = 0; i < sweep->axis_count; i++) {
    Text text = {0};
    sweep_value(sweep, point, i, &text);
    json_object_set_new(values, text_string(&sweep->axes[i].setting),
                        json_string(text_string(&text)));
    text_free(&text);
  }
  return values;
}

static json_t *json_cell(const Sweep *sweep, const SweepResult *result,
                         uint32_t point, uint32_t game) {
  const SweepCell *cell = cell_at(sweep, result, point, game);
  const Tally *tally = &cell->tally;
  return json_pack("{s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:i}", "game",
                   open_json_text(text_string(&sweep->games.data[game].name)),
                   "played", (json_int_t)tally->games, "wins",
                   (json_int_t)tally->wins, "draws", (json_int_t)tally->draws,
                   "losses", (json_int_t)tally->losses, "mean_goal",
                   json_figure(tally_mean_goal(tally)), "score",
                   json_figure(cell->score.value), "interval95",
                   json_figure(cell->score.half), "errors", (int)cell->errors);
}

static json_t *json_point(const Sweep *sweep, const SweepResult *result,
                          uint32_t point) {
  json_t *games = json_array();
  for (uint32_t i = 0; i < sweep->games.count; i++)
    json_array_append_new(games, json_cell(sweep, result, point, i));
  return json_pack("{s:o, s:o, s:b, s:o, s:o, s:o}", "agent",
                   open_json_text(sweep->points.data[point].spec.text),
                   "settings", json_values(sweep, point), "default",
                   point == sweep->usual, "mean",
                   json_figure(result->means[point].value), "interval95",
                   json_figure(result->means[point].half), "games", games);
}

static json_t *json_best(const Sweep *sweep, const SweepResult *result) {
  if (result->best == UINT32_MAX) return json_null();
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:i, s:b}", "settings",
      json_values(sweep, result->best), "lead", json_figure(result->lead.value),
      "interval95", json_figure(result->lead.half), "p",
      json_figure(result->chance), "comparisons", (int)result->comparisons,
      "significant", is_significant(result));
}

static void write_json(const Sweep *sweep, const SweepResult *result,
                       Text *text) {
  json_t *points = json_array(), *all = sweep_specification(sweep);
  for (uint32_t i = 0; i < sweep->points.count; i++)
    json_array_append_new(points, json_point(sweep, result, i));
  json_object_set_new(all, "points", points);
  json_object_set_new(all, "best", json_best(sweep, result));
  json_add_text(all, JSON_COMPACT | JSON_PRESERVE_ORDER, text);
  text_add_byte(text, '\n');
  json_decref(all);
}

void lab_sweep_write(const Sweep *sweep, const SweepResult *result,
                     const char *format, Text *text) {
  if (strcmp(format, "json") == 0) {
    write_json(sweep, result, text);
  } else if (strcmp(format, "csv") == 0) {
    write_csv(sweep, result, text);
  } else {
    write_head(sweep, text);
    write_grid(sweep, result,
               strcmp(format, "markdown") == 0 ? GRID_MARKDOWN : GRID_TEXT,
               text);
    write_verdict(sweep, result, text);
    write_errors(sweep, result, text);
  }
}
