/* A sweep's results as a picture. */
#include <math.h>
#include <string.h>

#include "command/lab_sweep_show.h"
#include "draw/forest.h"
#include "draw/heat.h"
#include "draw/plot.h"

enum {
  LINES_WITH_BARS = 4, /* lines beyond which only the mean has error bars */
  LINES_MOST = 13,     /* lines beyond which only the mean is drawn */
  LOGARITHMIC = 10     /* ratio of values from which on the axis is */
};

static const char even_name[] = "equal";

typedef struct Picture {
  const Sweep *sweep;
  const SweepResult *result;
  Text title, description;
  Text axes[SWEEP_AXES]; /* "c (default 40)" */
  const char *score;     /* what is shown */
  bool versus; /* there are games of several roles: 50 % is equal strength */
} Picture;

static Estimate score_of(const Picture *picture, uint32_t point,
                         uint32_t game) {
  const Sweep *sweep = picture->sweep;
  if (game == sweep->games.count) return picture->result->means[point];
  return picture->result->cells[(size_t)point * sweep->games.count + game]
      .score;
}

/* Lines, or groups of rows: games, and their mean if there are several. The
   first of many that is drawn is the mean. */
static uint32_t count_lines(const Sweep *sweep) {
  return sweep->games.count + (sweep->games.count > 1);
}
static uint32_t first_line(const Sweep *sweep) {
  return count_lines(sweep) > LINES_MOST ? sweep->games.count : 0;
}

static const char *line_name(const Sweep *sweep, uint32_t line) {
  if (line == sweep->games.count) return "mean of the games";
  const char *name = text_string(&sweep->games.data[line].name);
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

/* Ends of an interval, between 0 and 100; unknown ones are not drawn. */
static double low_of(Estimate estimate) {
  double low = estimate.value - estimate.half;
  return low < 0 ? 0 : low;
}
static double high_of(Estimate estimate) {
  double high = estimate.value + estimate.half;
  return high > 100 ? 100 : high;
}

/* ---- one setting of numbers ---- */

static bool is_wide(const double *values, uint32_t count) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
  }
  return low > 0 && high >= LOGARITHMIC * low;
}

static void draw_plot(const Picture *picture, const double *values, Text *svg) {
  const Sweep *sweep = picture->sweep;
  uint32_t points = sweep->points.count, lines = count_lines(sweep);
  PlotLine *line = memory_new((lines + 1) * sizeof *line);
  PlotPoint *all = memory_new(((size_t)lines * points + 1) * sizeof *all);
  for (uint32_t i = 0; i < lines; i++) {
    PlotPoint *own = all + (size_t)i * points;
    bool mean = i == sweep->games.count;
    for (uint32_t p = 0; p < points; p++) {
      Estimate score = score_of(picture, p, i);
      own[p] =
          (PlotPoint){values[p], score.value, low_of(score), high_of(score)};
    }
    line[i] = (PlotLine){.name = line_name(sweep, i),
                         .points = own,
                         .count = points,
                         .strong = mean,
                         .bare = !mean && lines > LINES_WITH_BARS};
  }
  Plot plot = {.title = text_string(&picture->title),
               .description = text_string(&picture->description),
               .x_name = text_string(&picture->axes[0]),
               .y_name = picture->score,
               .logarithmic = is_wide(values, points),
               .compare = picture->versus,
               .reference = 50,
               .reference_name = even_name,
               .lines = line + first_line(sweep),
               .line_count = lines - first_line(sweep)};
  plot_write(&plot, svg);
  memory_delete(line);
  memory_delete(all);
}

/* ---- one setting of words ---- */

static void draw_forest(const Picture *picture, Text *svg) {
  const Sweep *sweep = picture->sweep;
  uint32_t points = sweep->points.count, groups = count_lines(sweep);
  ForestRow *rows =
      memory_new(((size_t)groups * (points + 1) + 1) * sizeof *rows);
  TextVector labels = {0};
  uint32_t count = 0;
  for (uint32_t p = 0; p < points; p++) {
    Text label = {0};
    sweep_value(sweep, p, 0, &label);
    if (p == sweep->usual) text_add(&label, " (default)");
    vector_push(&labels, label);
  }
  for (uint32_t i = groups; i-- > first_line(sweep);) { /* the mean first */
    rows[count++] = (ForestRow){.label = line_name(sweep, i), .heading = true};
    for (uint32_t p = 0; p < points; p++) {
      Estimate score = score_of(picture, p, i);
      rows[count++] =
          (ForestRow){.label = text_string(&labels.data[p]),
                      .marks = {{score.value, low_of(score), high_of(score)}}};
    }
  }
  Forest forest = {.title = text_string(&picture->title),
                   .description = text_string(&picture->description),
                   .x_name = picture->score,
                   .compare = picture->versus,
                   .reference = 50,
                   .decimals = 1,
                   .rows = rows,
                   .row_count = count};
  forest_write(&forest, svg);
  text_vector_free(&labels);
  memory_delete(rows);
}

/* ---- two settings ---- */

static const char **list_values(const SweepAxis *axis) {
  uint32_t count = axis->values.count;
  const char **list = memory_new((count + 1) * sizeof *list);
  for (uint32_t i = 0; i < count; i++)
    list[i] = text_string(&axis->values.data[i]);
  return list;
}

static void draw_heat(const Picture *picture, Text *svg) {
  const Sweep *sweep = picture->sweep;
  const char **rows = list_values(&sweep->axes[0]);
  const char **columns = list_values(&sweep->axes[1]);
  HeatCell *cells = memory_new((sweep->grid + 1) * sizeof *cells);
  for (uint32_t i = 0; i < sweep->grid; i++) {
    Estimate mean = picture->result->means[i];
    cells[i] = (HeatCell){mean.value, mean.half, i == picture->result->best};
  }
  Heat heat = {.title = text_string(&picture->title),
               .description = text_string(&picture->description),
               .row_name = text_string(&picture->axes[0]),
               .column_name = text_string(&picture->axes[1]),
               .value_name = picture->score,
               .rows = rows,
               .columns = columns,
               .row_count = sweep->axes[0].values.count,
               .column_count = sweep->axes[1].values.count,
               .cells = cells,
               .diverging = picture->versus,
               .middle = 50,
               .decimals = 1};
  heat_write(&heat, svg);
  memory_delete(rows);
  memory_delete(columns);
  memory_delete(cells);
}

/* ---- either ---- */

static void name(Picture *picture) {
  const Sweep *sweep = picture->sweep;
  text_format(&picture->title, "%s against %s", sweep->agent.text,
              sweep->against.text);
  for (uint32_t i = 0; i < sweep->axis_count; i++)
    text_format(&picture->title, "%s%s", i ? " and " : ": response to ",
                text_string(&sweep->axes[i].setting));
  for (uint32_t i = 0; i < sweep->axis_count; i++)
    text_format(&picture->axes[i], "%s (default %s)",
                text_string(&sweep->axes[i].setting),
                text_string(&sweep->axes[i].usual));
  picture->score = lab_sweep_measure(sweep);
  text_format(&picture->description, "The %s with 95 %% intervals, up to ",
              picture->score);
  text_format(&picture->description, "%u games at each game, ",
              sweep->common.games);
  series_write_budget(&sweep->common, &picture->description);
  text_add(&picture->description, "; by default ");
  sweep_name(sweep, sweep->usual, &picture->description);
  text_add_byte(&picture->description, '.');
}

void lab_sweep_draw(const Sweep *sweep, const SweepResult *result, Text *svg) {
  Picture picture = {.sweep = sweep, .result = result};
  double *values = memory_new(sweep->points.count * sizeof *values);
  for (uint32_t i = 0; i < sweep->games.count; i++)
    picture.versus |= sweep->games.data[i].roles > 1;
  name(&picture);
  if (sweep->axis_count > 1)
    draw_heat(&picture, svg);
  else if (sweep_numbers(sweep, 0, values))
    draw_plot(&picture, values, svg);
  else
    draw_forest(&picture, svg);
  memory_delete(values);
  for (uint32_t i = 0; i < SWEEP_AXES; i++) text_free(&picture.axes[i]);
  text_free(&picture.title);
  text_free(&picture.description);
}
