/* Lines over numbers. The chart is laid out from the outside in: the names at
   the right ends of the lines take what they need, up to a limit, then the
   ticks of the y axis, and the rest is the area of the lines. Names that would
   overlap are moved apart, with a thin line from each to its own. Lines with
   intervals stand a few pixels beside each other, so that error bars at the
   same x can be told apart. */
#include "draw/plot.h"

#include <math.h>
#include <stdlib.h>

#include "draw/scale.h"
#include "draw/svg.h"

enum {
  WIDTH = 760,
  EDGE = 16,        /* around everything */
  HEIGHT = 300,     /* of the area, at the least */
  PAD = 26,         /* from the area's sides to the first and last point */
  NAME_MOST = 200,  /* pixels of a line's name */
  NAME_HEIGHT = 16, /* of a line's name */
  NAME_GAP = 20,    /* from the area to the marker of a name */
  TICKS_X = 12,
  TICKS_Y = 7
};

static const SvgFont title_font = {.size = 16, .bold = true},
                     axis_font = {.size = 12, .anchor = SVG_MIDDLE},
                     tick_font = {.size = 11.5,
                                  .tone = SVG_QUIET,
                                  .anchor = SVG_MIDDLE},
                     name_font = {.size = 12};

/* A name at the right: of a line, or of the reference. */
typedef struct Name {
  const char *text;
  uint32_t line; /* line_count: the reference */
  double wanted, y;
  double from; /* where its line ends; NAN: nowhere near */
} Name;

typedef struct Layout {
  const Plot *plot;
  Svg svg;
  Scale x, y;
  ScaleTicks x_ticks, y_ticks;
  double left, right, top, bottom; /* of the area */
  double dodge;                    /* between lines with intervals */
  uint32_t dodged;                 /* how many they are */
  PlotPoint *sorted;               /* all points, line after line, by x */
  uint32_t *first;                 /* of each line in `sorted`, and the end */
  Name *names;
  uint32_t name_count;
} Layout;

/* ---- the data ---- */

static bool shown(const PlotPoint *point) {
  return isfinite(point->x) && isfinite(point->y);
}

static int by_x(const void *a, const void *b) {
  double x = ((const PlotPoint *)a)->x, y = ((const PlotPoint *)b)->x;
  return (x > y) - (x < y);
}

static void sort_points(Layout *layout) {
  const Plot *plot = layout->plot;
  size_t count = 0;
  for (uint32_t i = 0; i < plot->line_count; i++) count += plot->lines[i].count;
  layout->sorted = memory_new((count + 1) * sizeof *layout->sorted);
  layout->first = memory_new((plot->line_count + 1) * sizeof(uint32_t));
  uint32_t used = 0;
  for (uint32_t i = 0; i < plot->line_count; i++) {
    const PlotLine *line = &plot->lines[i];
    layout->first[i] = used;
    for (uint32_t p = 0; p < line->count; p++)
      if (shown(&line->points[p])) layout->sorted[used++] = line->points[p];
    qsort(layout->sorted + layout->first[i], used - layout->first[i],
          sizeof(PlotPoint), by_x);
  }
  layout->first[plot->line_count] = used;
}

static uint32_t point_count(const Layout *layout, uint32_t line) {
  return layout->first[line + 1] - layout->first[line];
}

static uint32_t all_points(const Layout *layout) {
  return layout->first[layout->plot->line_count];
}

/* True if one of the ends is elsewhere than the point. */
static bool has_interval(const PlotPoint *point) {
  return (!isnan(point->low) && point->low != point->y) ||
         (!isnan(point->high) && point->high != point->y);
}

static bool has_bars(const Layout *layout, uint32_t line) {
  if (layout->plot->lines[line].bare) return false;
  for (uint32_t p = layout->first[line]; p < layout->first[line + 1]; p++)
    if (has_interval(&layout->sorted[p])) return true;
  return false;
}

/* ---- scales ---- */

static Scale x_scale(const Layout *layout) {
  ScaleRange range = {0};
  for (uint32_t p = 0; p < all_points(layout); p++)
    scale_range_add(&range, layout->sorted[p].x);
  Scale scale = scale_of(&range, layout->plot->logarithmic, TICKS_X);
  bool several = range.high - range.low > 1e-9 * fabs(range.high);
  if (several) scale.low = range.low, scale.high = range.high;
  return scale;
}

static Scale y_scale(const Layout *layout) {
  const Plot *plot = layout->plot;
  bool given = plot->low < plot->high;
  ScaleRange range = {0};
  if (given) {
    scale_range_add(&range, plot->low);
    scale_range_add(&range, plot->high);
  } else if (plot->compare) {
    scale_range_add(&range, plot->reference);
  }
  ScaleRange asked = range;
  for (uint32_t i = 0; i < plot->line_count; i++) {
    for (uint32_t p = layout->first[i]; p < layout->first[i + 1]; p++) {
      const PlotPoint *point = &layout->sorted[p];
      scale_range_add(&range, point->y);
      if (given || plot->lines[i].bare) continue;
      scale_range_add(&range, point->low);
      scale_range_add(&range, point->high);
    }
  }
  Scale scale = scale_of(&range, false, TICKS_Y);
  if (given && range.low == asked.low) scale.low = asked.low;
  if (given && range.high == asked.high) scale.high = asked.high;
  return scale;
}

static double label_width(double value, Text *room) {
  text_clear(room);
  scale_short(room, value);
  return svg_text_width(text_string(room), tick_font.size, false);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Puts ticks at the points themselves; false if they are too many. */
static bool ticks_at_points(Layout *layout) {
  uint32_t count = all_points(layout);
  double *all = memory_new(count * sizeof *all);
  for (uint32_t p = 0; p < count; p++) all[p] = layout->sorted[p].x;
  qsort(all, count, sizeof *all, by_value);
  vector_clear(&layout->x_ticks.at);
  Text text = {0};
  double end = -INFINITY;
  bool fits = true;
  for (uint32_t p = 0; p < count && fits; p++) {
    if (p && all[p] == all[p - 1]) continue;
    double half = label_width(all[p], &text) / 2;
    double at = scale_place(&layout->x, all[p]);
    fits = at - half > end + 6 && layout->x_ticks.at.count < TICKS_X;
    end = at + half;
    vector_push(&layout->x_ticks.at, all[p]);
  }
  text_free(&text);
  memory_delete(all);
  return fits;
}

/* Round ticks, so few that their labels do not touch. */
static void round_ticks(Layout *layout) {
  Text text = {0};
  for (uint32_t most = TICKS_X; most > 1; most--) {
    scale_ticks(&layout->x, most, &layout->x_ticks);
    bool fits = true;
    double end = -INFINITY;
    for (uint32_t i = 0; i < layout->x_ticks.at.count; i++) {
      double value = layout->x_ticks.at.data[i];
      double half = label_width(value, &text) / 2;
      double at = scale_place(&layout->x, value);
      fits &= at - half > end + 6;
      end = at + half;
    }
    if (fits) break;
  }
  text_free(&text);
}

/* The distance in pixels between neighbouring x, at the least. */
static double narrowest(const Layout *layout) {
  double least = layout->right - layout->left;
  for (uint32_t i = 0; i < layout->plot->line_count; i++)
    for (uint32_t p = layout->first[i] + 1; p < layout->first[i + 1]; p++) {
      double gap = scale_place(&layout->x, layout->sorted[p].x) -
                   scale_place(&layout->x, layout->sorted[p - 1].x);
      if (gap > 0 && gap < least) least = gap;
    }
  return least;
}

/* ---- names at the right ---- */

static int by_wanted(const void *a, const void *b) {
  const Name *x = a, *y = b;
  if (x->wanted != y->wanted) return x->wanted < y->wanted ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static void collect_names(Layout *layout) {
  const Plot *plot = layout->plot;
  layout->names = memory_new((plot->line_count + 1) * sizeof *layout->names);
  for (uint32_t i = 0; i < plot->line_count; i++)
    if (plot->lines[i].name)
      layout->names[layout->name_count++] =
          (Name){.text = plot->lines[i].name, .line = i};
  if (plot->compare && plot->reference_name)
    layout->names[layout->name_count++] =
        (Name){.text = plot->reference_name, .line = plot->line_count};
}

static double names_width(const Layout *layout) {
  double most = 0;
  for (uint32_t i = 0; i < layout->name_count; i++) {
    double width =
        svg_text_width(layout->names[i].text, name_font.size, true) + 1;
    if (width > most) most = width;
  }
  return most > NAME_MOST ? NAME_MOST : most;
}

static double shift_of(const Layout *layout, uint32_t line) {
  uint32_t before = 0;
  if (!has_bars(layout, line)) return 0;
  for (uint32_t i = 0; i < line; i++) before += has_bars(layout, i);
  return layout->dodge * (before - (layout->dodged - 1) / 2.);
}

static void place_name(const Layout *layout, Name *name) {
  const Plot *plot = layout->plot;
  name->from = NAN;
  name->wanted = layout->bottom;
  if (name->line == plot->line_count) {
    name->wanted = scale_place(&layout->y, plot->reference);
    name->from = layout->right;
  } else if (point_count(layout, name->line)) {
    const PlotPoint *last = &layout->sorted[layout->first[name->line + 1] - 1];
    name->wanted = scale_place(&layout->y, last->y);
    double x = scale_place(&layout->x, last->x) + shift_of(layout, name->line);
    if (x > layout->right - 2 * PAD) name->from = x + 5;
  }
}

/* Moves names apart: down from the top, then up from the bottom. */
static void spread_names(Layout *layout) {
  uint32_t count = layout->name_count;
  for (uint32_t i = 0; i < count; i++) place_name(layout, &layout->names[i]);
  qsort(layout->names, count, sizeof *layout->names, by_wanted);
  double least = layout->top;
  for (uint32_t i = 0; i < count; i++) {
    Name *name = &layout->names[i];
    name->y = fmax(name->wanted, least);
    least = name->y + NAME_HEIGHT;
  }
  double most = layout->bottom;
  for (uint32_t i = count; i-- > 0;) {
    Name *name = &layout->names[i];
    if (name->y > most) name->y = most;
    most = name->y - NAME_HEIGHT;
  }
}

/* ---- layout ---- */

static double ticks_width(const Layout *layout) {
  double most = 0;
  Text text = {0};
  for (uint32_t i = 0; i < layout->y_ticks.at.count; i++) {
    text_clear(&text);
    scale_number(&text, layout->y_ticks.at.data[i], layout->y_ticks.decimals);
    double width = svg_text_width(text_string(&text), tick_font.size, false);
    if (width > most) most = width;
  }
  text_free(&text);
  return most;
}

static void lay_out(Layout *layout) {
  const Plot *plot = layout->plot;
  layout->x = x_scale(layout);
  layout->y = y_scale(layout);
  scale_ticks(&layout->y, TICKS_Y, &layout->y_ticks);
  collect_names(layout);
  double names = names_width(layout);
  layout->left = EDGE + (plot->y_name ? 20 : 0) + ticks_width(layout) + 8;
  layout->right = WIDTH - EDGE - (names > 0 ? names + NAME_GAP + 10 : 0);
  layout->top = EDGE + 10;
  if (plot->title)
    layout->top = svg_paragraph(&layout->svg, &title_font, EDGE, EDGE + 14,
                                WIDTH - 2 * EDGE, plot->title) -
                  2;
  layout->bottom = layout->top + fmax(HEIGHT, NAME_HEIGHT * layout->name_count);
  layout->x.from = layout->left + PAD;
  layout->x.to = layout->right - PAD;
  layout->y.from = layout->bottom;
  layout->y.to = layout->top;
  if (!ticks_at_points(layout)) round_ticks(layout);
  for (uint32_t i = 0; i < plot->line_count; i++)
    layout->dodged += has_bars(layout, i);
  if (layout->dodged > 1) {
    double room = fmin(.5 * narrowest(layout), 1.6 * PAD);
    layout->dodge = fmin(6, room / (layout->dodged - 1));
  }
  spread_names(layout);
  layout->svg.width = WIDTH;
  layout->svg.height = layout->bottom + 26 + (plot->x_name ? 20 : 0) + 6;
}

/* ---- drawing ---- */

static void draw_y_axis(Layout *layout) {
  Svg *svg = &layout->svg;
  const char *name = layout->plot->y_name;
  SvgFont font = tick_font;
  font.anchor = SVG_END;
  Text text = {0};
  for (uint32_t i = 0; i < layout->y_ticks.at.count; i++) {
    double value = layout->y_ticks.at.data[i];
    double y = scale_place(&layout->y, value);
    svg_line(svg, "grid", layout->left, y, layout->right, y);
    text_clear(&text);
    scale_number(&text, value, layout->y_ticks.decimals);
    svg_text(svg, &font, layout->left - 7, y + 4, 0, text_string(&text));
  }
  text_free(&text);
  if (!name) return;
  font = axis_font;
  font.turn = -90;
  svg_text(svg, &font, EDGE + 10, (layout->top + layout->bottom) / 2,
           layout->bottom - layout->top, name);
}

static void draw_x_axis(Layout *layout) {
  Svg *svg = &layout->svg;
  double bottom = layout->bottom;
  Text text = {0};
  for (uint32_t i = 0; i < layout->x_ticks.at.count; i++) {
    double value = layout->x_ticks.at.data[i];
    double x = scale_place(&layout->x, value);
    svg_line(svg, "axis", x, bottom, x, bottom + 5);
    text_clear(&text);
    scale_short(&text, value);
    svg_text(svg, &tick_font, x, bottom + 18, 0, text_string(&text));
  }
  text_free(&text);
  svg_line(svg, "axis", layout->left, bottom, layout->right, bottom);
  svg_line(svg, "axis", layout->left, layout->top, layout->left, bottom);
  double middle = (layout->left + layout->right) / 2;
  double room = 2 * fmin(middle, WIDTH - middle) - 2 * EDGE;
  if (layout->plot->x_name)
    svg_text(svg, &axis_font, middle, bottom + 38, room, layout->plot->x_name);
}

static void draw_bar(Layout *layout, uint32_t line, double x,
                     const PlotPoint *point) {
  const Scale *scale = &layout->y;
  double low = fmin(point->low, point->y); /* the point, if it is NAN */
  double high = fmax(point->high, point->y);
  SvgWhisker whisker = {x,
                        scale_place(scale, low),
                        x,
                        scale_place(scale, high),
                        !scale_holds(scale, low),
                        !scale_holds(scale, high)};
  svg_whisker(&layout->svg, line, &whisker);
}

static void draw_line(Layout *layout, uint32_t line) {
  bool strong = layout->plot->lines[line].strong;
  uint32_t count = point_count(layout, line);
  const PlotPoint *points = layout->sorted + layout->first[line];
  double shift = shift_of(layout, line);
  double *pairs = memory_new((2 * count + 1) * sizeof *pairs);
  for (uint32_t p = 0; p < count; p++) {
    pairs[2 * p] = scale_place(&layout->x, points[p].x) + shift;
    pairs[2 * p + 1] = scale_place(&layout->y, points[p].y);
    if (!layout->plot->lines[line].bare && has_interval(&points[p]))
      draw_bar(layout, line, pairs[2 * p], &points[p]);
  }
  if (count > 1) svg_path(&layout->svg, line, strong, pairs, count);
  for (uint32_t p = 0; p < count; p++)
    svg_marker(&layout->svg, line, pairs[2 * p], pairs[2 * p + 1],
               strong ? 5.5 : 4.2);
  memory_delete(pairs);
}

static void draw_name(Layout *layout, const Name *name) {
  bool line = name->line < layout->plot->line_count;
  double x = layout->right + NAME_GAP;
  if (!isnan(name->from))
    svg_line(&layout->svg, line ? "leader" : "reference", name->from,
             name->wanted, x - (line ? 6 : 4), name->y);
  SvgFont font = name_font;
  if (line) {
    svg_marker(&layout->svg, name->line, x, name->y, 4.2);
    font.bold = layout->plot->lines[name->line].strong;
  } else {
    font.tone = SVG_QUIET;
  }
  svg_text(&layout->svg, &font, x + (line ? 10 : 2), name->y + 4, NAME_MOST,
           name->text);
}

static void draw(Layout *layout) {
  const Plot *plot = layout->plot;
  draw_y_axis(layout);
  draw_x_axis(layout);
  if (plot->compare && scale_holds(&layout->y, plot->reference)) {
    double y = scale_place(&layout->y, plot->reference);
    svg_line(&layout->svg, "reference", layout->left, y, layout->right, y);
  }
  for (uint32_t i = 0; i < layout->name_count; i++)
    draw_name(layout, &layout->names[i]);
  for (int strong = 0; strong < 2; strong++)
    for (uint32_t i = 0; i < plot->line_count; i++)
      if (plot->lines[i].strong == strong) draw_line(layout, i);
}

/* ---- in words ---- */

static void describe(const Layout *layout, Text *out) {
  const Plot *plot = layout->plot;
  if (plot->description) text_format(out, "%s ", plot->description);
  text_format(out, "Lines of %s over %s.", plot->y_name ? plot->y_name : "y",
              plot->x_name ? plot->x_name : "x");
  int decimals = layout->y_ticks.decimals + 1;
  for (uint32_t i = 0; i < plot->line_count; i++) {
    text_format(out, " %s: ", plot->lines[i].name ? plot->lines[i].name : "");
    for (uint32_t p = layout->first[i]; p < layout->first[i + 1]; p++) {
      const PlotPoint *point = &layout->sorted[p];
      if (p > layout->first[i]) text_add(out, "; ");
      text_add(out, "at ");
      scale_short(out, point->x);
      text_add_byte(out, ' ');
      scale_interval(out, point->y, point->low, point->high, decimals);
    }
    text_add(out, point_count(layout, i) ? "." : "no data.");
  }
}

void plot_write(const Plot *plot, Text *svg) {
  Layout layout = {.plot = plot};
  sort_points(&layout);
  if (!all_points(&layout)) {
    svg_write_empty(plot->title, plot->description, svg);
  } else {
    lay_out(&layout);
    draw(&layout);
    Text words = {0};
    describe(&layout, &words);
    svg_write(&layout.svg, plot->title, text_string(&words), svg);
    text_free(&words);
  }
  scale_ticks_free(&layout.x_ticks);
  scale_ticks_free(&layout.y_ticks);
  memory_delete(layout.sorted);
  memory_delete(layout.first);
  memory_delete(layout.names);
  svg_free(&layout.svg);
}
