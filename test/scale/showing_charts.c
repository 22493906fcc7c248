/* The charts of docs/cluster.md. */
#include <math.h>

#include "base/file.h"
#include "draw/plot.h"
#include "scale/outlook.h"
#include "scale/showing.h"

enum { LINES = 16, POINTS = 16 };

/* A chart that grows. */
typedef struct Sketch {
  Plot plot;
  PlotLine lines[LINES];
  PlotPoint points[LINES][POINTS];
} Sketch;

static PlotLine *add_line(Sketch *sketch, const char *name) {
  uint32_t at = sketch->plot.line_count++;
  sketch->lines[at] =
      (PlotLine){.name = name, .points = sketch->points[at], .bare = true};
  return &sketch->lines[at];
}

static void add_point(Sketch *sketch, double x, double y) {
  uint32_t line = sketch->plot.line_count - 1;
  sketch->points[line][sketch->lines[line].count++] =
      (PlotPoint){x, y, NAN, NAN};
}

static bool write_chart(Sketch *sketch, const char *folder, const char *name,
                        Text *error) {
  Text path = {0}, svg = {0};
  sketch->plot.lines = sketch->lines;
  sketch->plot.logarithmic = true;
  plot_write(&sketch->plot, &svg);
  text_format(&path, "%s/cluster-%s.svg", folder, name);
  bool fine = file_replace(text_string(&path), svg.bytes, svg.length, error);
  text_free(&path);
  text_free(&svg);
  return fine;
}

/* ---- threads ---- */

static bool draw_threads(const Costs *costs, const char *folder, Text *error) {
  Sketch sketch = {.plot = {.title = "Threads that share a tree",
                            .description = "Simulated with measured costs; "
                                           "thick: one lock, connectFour",
                            .x_name = "threads",
                            .y_name = "times as fast as one"}};
  add_line(&sketch, "linear");
  for (uint32_t i = 0; i < OUTLOOK_CROWDS; i++)
    add_point(&sketch, 1U << i, 1U << i);
  for (uint32_t k = 0; k < costs->games.count && k < LINES - 2; k++) {
    const GameCosts *game = &costs->games.data[k];
    OutlookCrowds crowds = outlook_crowds(costs, game);
    add_line(&sketch, game->name);
    for (uint32_t i = 0; i < OUTLOOK_CROWDS; i++)
      add_point(&sketch, 1U << i, crowds.fine[i] / crowds.fine[0]);
    if (strcmp(game->name, "connectFour") != 0) continue;
    add_line(&sketch, "one lock")->strong = true;
    for (uint32_t i = 0; i < OUTLOOK_CROWDS; i++)
      add_point(&sketch, 1U << i, crowds.one[i] / crowds.one[0]);
  }
  return write_chart(&sketch, folder, "threads", error);
}

/* ---- ranks ---- */

static const char *const leaf_names[OUTLOOK_REPEATS] = {
    "leaf, 4 playouts", "leaf, 16 playouts", "leaf, 64 playouts"};

static bool draw_ranks(const Costs *costs, const GameCosts *game,
                       const char *folder, Text *error) {
  Text title = {0}, name = {0};
  text_format(&title, "Simulations a second, %s", game->name);
  text_format(&name, "ranks-%s", game->name);
  Sketch sketch = {
      .plot = {.title = text_string(&title),
               .description = "Simulated with measured costs; a rank is a host "
                              "of 16 threads, as is the master",
               .x_name = "ranks",
               .y_name = "doublings of the master's own speed"}};
  OutlookLeaf leaf = outlook_leaf(costs, game);
  OutlookRoot root = outlook_root(costs, game);
  for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++) {
    add_line(&sketch, leaf_names[k]);
    for (uint32_t i = 0; i < OUTLOOK_POWERS; i++)
      add_point(&sketch, 1U << i,
                log2(outlook_simulations(&leaf, k, i) / leaf.alone));
  }
  add_line(&sketch, "root and runs")->strong = true;
  for (uint32_t i = 0; i < OUTLOOK_POWERS; i++)
    add_point(&sketch, 1U << i,
              log2((root.results[1][i].rate + leaf.alone) / leaf.alone));
  bool fine = write_chart(&sketch, folder, text_string(&name), error);
  text_free(&title);
  text_free(&name);
  return fine;
}

/* ---- the foreman ---- */

static bool draw_foreman(const Costs *costs, const char *folder, Text *error) {
  Sketch sketch = {.plot = {.title = "The foreman's time, scheme runs",
                            .description = "Simulated with measured costs; at "
                                           "100 % it falls behind",
                            .x_name = "ranks",
                            .y_name = "share of its time (%)",
                            .compare = true,
                            .reference = 100,
                            .reference_name = "all of it"}};
  for (uint32_t k = 0; k < costs->games.count && k < LINES; k++) {
    OutlookRoot root = outlook_root(costs, &costs->games.data[k]);
    add_line(&sketch, costs->games.data[k].name);
    for (uint32_t i = 0; i < OUTLOOK_POWERS; i++)
      add_point(&sketch, 1U << i, 100 * root.results[1][i].foreman);
  }
  return write_chart(&sketch, folder, "foreman", error);
}

/* ---- strength ---- */

typedef struct Means {
  double leaf[OUTLOOK_POWERS], root[2][OUTLOOK_POWERS];
} Means;

/* Of all games. */
static Means take_means(const Costs *costs, const Gains *gains) {
  Means means = {0};
  double share = 1.0 / costs->games.count;
  for (uint32_t g = 0; g < costs->games.count; g++) {
    OutlookLeaf leaf = outlook_leaf(costs, &costs->games.data[g]);
    OutlookRoot root = outlook_root(costs, &costs->games.data[g]);
    OutlookStrength one = outlook_strength(&leaf, &root, gains);
    for (uint32_t i = 0; i < OUTLOOK_POWERS; i++) {
      means.leaf[i] += share * one.leaf[outlook_choice(&leaf, i)][i];
      for (int back = 0; back < 2; back++)
        means.root[back][i] += share * one.root[back][i];
    }
  }
  return means;
}

static void add_means(Sketch *sketch, const char *name, const double *elo) {
  add_line(sketch, name);
  for (uint32_t i = 0; i < OUTLOOK_POWERS; i++)
    add_point(sketch, 1U << i, elo[i]);
}

static bool draw_strength(const Costs *costs, const Matches *matches,
                          const char *folder, Text *error) {
  Sketch sketch = {
      .plot = {.title = "Strength against ranks, mean of the games",
               .description = "Model fitted to matches with counted "
                              "simulations; a rank has 16 threads",
               .x_name = "ranks",
               .y_name = "Elo over the master alone"}};
  Gains gains = gains_fit(matches);
  Means means = take_means(costs, &gains);
  double ideal[OUTLOOK_POWERS];
  for (uint32_t i = 0; i < OUTLOOK_POWERS; i++)
    ideal[i] = gains.doubling.value * log2(1 + (1U << i));
  add_means(&sketch, "one tree", ideal);
  add_means(&sketch, "leaf", means.leaf);
  add_means(&sketch, "root", means.root[0]);
  add_means(&sketch, "runs", means.root[1]);
  return write_chart(&sketch, folder, "strength", error);
}

bool showing_charts(const Costs *costs, const Matches *matches,
                    const char *folder, Text *error) {
  bool fine =
      draw_threads(costs, folder, error) && draw_foreman(costs, folder, error);
  for (uint32_t i = 0; fine && i < costs->games.count; i++) {
    const char *name = costs->games.data[i].name;
    if (strcmp(name, "connectFour") == 0 || strcmp(name, "skirmish") == 0)
      fine = draw_ranks(costs, &costs->games.data[i], folder, error);
  }
  if (fine && matches->count)
    fine = draw_strength(costs, matches, folder, error);
  return fine;
}
