/* A forest plot. From left to right: labels, the area of the dots, a column of
   figures for each series, the notes. Every column is as wide as its widest
   text, up to a limit; the area has what is left of the usual width, and some
   width in any case. The heads of the columns of figures name the series and
   show their markers. */
#include "draw/forest.h"

#include <math.h>

#include "draw/scale.h"
#include "draw/svg.h"

enum {
  WIDTH = 760, /* of the picture, if the columns leave room */
  AREA = 300,  /* of the area, at the least */
  EDGE = 16,
  GAP = 16, /* between columns */
  LABEL_MOST = 260,
  NOTE_MOST = 200,
  LANE = 13,       /* height of a mark */
  ROW = 9,         /* of a row, besides its marks */
  HEADING = 26,    /* of a heading */
  AXIS_ABOVE = 24, /* rows from which on the axis is also above them */
  TICKS = 8
};

static const SvgFont title_font = {.size = 16, .bold = true},
                     label_font = {.size = 12},
                     heading_font = {.size = 12.5, .bold = true},
                     figure_font = {.size = 12, .anchor = SVG_END},
                     note_font = {.size = 12, .tone = SVG_QUIET},
                     tick_font = {
                         .size = 11.5, .tone = SVG_QUIET, .anchor = SVG_MIDDLE};

typedef struct Layout {
  const Forest *forest;
  Svg svg;
  Scale x;
  ScaleTicks ticks;
  uint32_t series;               /* how many */
  double label;                  /* width of the labels */
  double figures[FOREST_SERIES]; /* right ends of the columns */
  double notes;                  /* left end of the notes */
  double top, bottom;            /* of the area */
  bool above;                    /* an axis above the area too */
} Layout;

/* ---- the data ---- */

static bool shown(const ForestMark *mark) {
  return isfinite(mark->value);
}

static bool any_shown(const Layout *layout) {
  for (uint32_t r = 0; r < layout->forest->row_count; r++)
    for (uint32_t s = 0; s < layout->series; s++)
      if (!layout->forest->rows[r].heading &&
          shown(&layout->forest->rows[r].marks[s]))
        return true;
  return false;
}

static Scale x_scale(const Layout *layout) {
  const Forest *forest = layout->forest;
  bool given = forest->low < forest->high;
  ScaleRange range = {0};
  if (given) {
    scale_range_add(&range, forest->low);
    scale_range_add(&range, forest->high);
  } else if (forest->compare) {
    scale_range_add(&range, forest->reference);
  }
  ScaleRange asked = range;
  for (uint32_t r = 0; r < forest->row_count; r++) {
    for (uint32_t s = 0; s < layout->series; s++) {
      const ForestMark *mark = &forest->rows[r].marks[s];
      if (forest->rows[r].heading || !shown(mark)) continue;
      scale_range_add(&range, mark->value);
      if (given) continue;
      scale_range_add(&range, mark->low);
      scale_range_add(&range, mark->high);
    }
  }
  Scale scale = scale_of(&range, false, TICKS);
  if (given && range.low == asked.low) scale.low = asked.low;
  if (given && range.high == asked.high) scale.high = asked.high;
  return scale;
}

/* ---- layout ---- */

static double text_size(const SvgFont *font, const char *text) {
  return text ? svg_text_width(text, font->size, font->bold) + 1 : 0;
}

static double widest_label(const Forest *forest) {
  double most = 0;
  for (uint32_t r = 0; r < forest->row_count; r++) {
    const ForestRow *row = &forest->rows[r];
    if (!row->heading) most = fmax(most, text_size(&label_font, row->label));
  }
  return fmin(most, LABEL_MOST);
}

static void add_figures(const Forest *forest, const ForestMark *mark,
                        Text *text) {
  text_clear(text);
  if (shown(mark))
    scale_interval(text, mark->value, mark->low, mark->high, forest->decimals);
}

static double widest_figures(const Forest *forest, uint32_t series) {
  double most = text_size(&figure_font, forest->series[series]);
  if (most > 0) most += 16; /* the marker */
  Text text = {0};
  for (uint32_t r = 0; r < forest->row_count; r++) {
    if (forest->rows[r].heading) continue;
    add_figures(forest, &forest->rows[r].marks[series], &text);
    most = fmax(most, text_size(&figure_font, text_string(&text)));
  }
  text_free(&text);
  return fmin(most, NOTE_MOST);
}

static double widest_note(const Forest *forest) {
  double most = 0;
  for (uint32_t r = 0; r < forest->row_count; r++)
    most = fmax(most, text_size(&note_font, forest->rows[r].note));
  return fmin(most, NOTE_MOST);
}

static double row_height(const Layout *layout, const ForestRow *row) {
  return row->heading ? HEADING : ROW + LANE * layout->series;
}

static void lay_out_columns(Layout *layout) {
  const Forest *forest = layout->forest;
  layout->label = widest_label(forest);
  double behind = 0, note = widest_note(forest), width[FOREST_SERIES];
  for (uint32_t s = 0; s < layout->series; s++) {
    width[s] = widest_figures(forest, s);
    behind += GAP + width[s];
  }
  if (note > 0) behind += GAP + note;
  double left = EDGE + layout->label + GAP;
  double area = fmax(AREA, WIDTH - EDGE - behind - left);
  layout->x.from = left;
  layout->x.to = left + area;
  double at = layout->x.to;
  for (uint32_t s = 0; s < layout->series; s++)
    layout->figures[s] = at += GAP + width[s];
  layout->notes = at + GAP;
  layout->svg.width = left + area + behind + EDGE;
}

/* Fewer ticks, if their labels would touch. */
static void choose_ticks(Layout *layout) {
  Text text = {0};
  for (uint32_t most = TICKS; most > 1; most--) {
    scale_ticks(&layout->x, most, &layout->ticks);
    double end = -INFINITY;
    bool fits = true;
    for (uint32_t i = 0; i < layout->ticks.at.count; i++) {
      text_clear(&text);
      scale_number(&text, layout->ticks.at.data[i], layout->ticks.decimals);
      double half = text_size(&tick_font, text_string(&text)) / 2;
      double at = scale_place(&layout->x, layout->ticks.at.data[i]);
      fits &= at - half > end + 6;
      end = at + half;
    }
    if (fits) break;
  }
  text_free(&text);
}

static void lay_out(Layout *layout) {
  const Forest *forest = layout->forest;
  layout->x = x_scale(layout);
  lay_out_columns(layout);
  choose_ticks(layout);
  double y = EDGE + 14;
  if (forest->title)
    y = svg_paragraph(&layout->svg, &title_font, EDGE, y,
                      layout->svg.width - 2 * EDGE, forest->title) +
        2;
  bool named = false;
  for (uint32_t s = 0; s < layout->series; s++) named |= !!forest->series[s];
  layout->above = forest->row_count > AXIS_ABOVE;
  layout->top = y - 10 + (named ? 20 : 0) + (layout->above ? 20 : 0);
  layout->bottom = layout->top + 4;
  for (uint32_t r = 0; r < forest->row_count; r++)
    layout->bottom += row_height(layout, &forest->rows[r]);
  layout->svg.height = layout->bottom + 26 + (forest->x_name ? 20 : 0) + 6;
}

/* ---- drawing ---- */

static void draw_axis(Layout *layout) {
  const Forest *forest = layout->forest;
  Svg *svg = &layout->svg;
  double bottom = layout->bottom;
  Text text = {0};
  for (uint32_t i = 0; i < layout->ticks.at.count; i++) {
    double value = layout->ticks.at.data[i], x = scale_place(&layout->x, value);
    svg_line(svg, "grid", x, layout->top, x, bottom);
    svg_line(svg, "axis", x, bottom, x, bottom + 5);
    text_clear(&text);
    scale_number(&text, value, layout->ticks.decimals);
    svg_text(svg, &tick_font, x, bottom + 18, 0, text_string(&text));
    if (layout->above)
      svg_text(svg, &tick_font, x, layout->top - 6, 0, text_string(&text));
  }
  text_free(&text);
  svg_line(svg, "axis", layout->x.from, bottom, layout->x.to, bottom);
  if (layout->above)
    svg_line(svg, "axis", layout->x.from, layout->top, layout->x.to,
             layout->top);
  if (forest->compare && scale_holds(&layout->x, forest->reference)) {
    double x = scale_place(&layout->x, forest->reference);
    svg_line(svg, "reference", x, layout->top, x, bottom);
  }
  SvgFont font = {.size = 12, .anchor = SVG_MIDDLE};
  double middle = (layout->x.from + layout->x.to) / 2;
  double room = 2 * fmin(middle, svg->width - middle) - 2 * EDGE;
  if (forest->x_name)
    svg_text(svg, &font, middle, bottom + 38, room, forest->x_name);
}

static void draw_heads(Layout *layout) {
  SvgFont font = figure_font;
  for (uint32_t s = 0; s < layout->series; s++) {
    const char *name = layout->forest->series[s];
    if (!name) continue;
    double right = layout->figures[s];
    double y = layout->top - (layout->above ? 26 : 6);
    double width = fmin(text_size(&font, name), NOTE_MOST - 16);
    svg_marker(&layout->svg, s, right - width - 8, y - 4, 4.2);
    svg_text(&layout->svg, &font, right, y, NOTE_MOST - 16, name);
  }
}

static void draw_mark(Layout *layout, uint32_t series, const ForestMark *mark,
                      double y) {
  const Scale *scale = &layout->x;
  double low = fmin(mark->low, mark->value); /* the value, if it is NAN */
  double high = fmax(mark->high, mark->value);
  SvgWhisker whisker = {scale_place(scale, low),  y,
                        scale_place(scale, high), y,
                        !scale_holds(scale, low), !scale_holds(scale, high)};
  svg_whisker(&layout->svg, series, &whisker);
  svg_marker(&layout->svg, series, scale_place(scale, mark->value), y, 4.4);
}

static void draw_row(Layout *layout, const ForestRow *row, double y) {
  Svg *svg = &layout->svg;
  double middle = y + row_height(layout, row) / 2;
  if (row->label)
    svg_text(svg, &label_font, EDGE, middle + 4, LABEL_MOST, row->label);
  if (row->note)
    svg_text(svg, &note_font, layout->notes, middle + 4, NOTE_MOST, row->note);
  Text text = {0};
  for (uint32_t s = 0; s < layout->series; s++) {
    const ForestMark *mark = &row->marks[s];
    if (!shown(mark)) continue;
    double at = middle + LANE * (s - (layout->series - 1) / 2.);
    draw_mark(layout, s, mark, at);
    add_figures(layout->forest, mark, &text);
    svg_text(svg, &figure_font, layout->figures[s], middle + 4, NOTE_MOST,
             text_string(&text));
  }
  text_free(&text);
}

static void draw_rows(Layout *layout) {
  const Forest *forest = layout->forest;
  double y = layout->top + 2;
  for (uint32_t r = 0; r < forest->row_count; r++) {
    const ForestRow *row = &forest->rows[r];
    if (r) svg_line(&layout->svg, "grid", EDGE, y, layout->svg.width - EDGE, y);
    if (row->heading)
      svg_text(&layout->svg, &heading_font, EDGE, y + 18,
               layout->svg.width - 2 * EDGE, row->label ? row->label : "");
    else
      draw_row(layout, row, y);
    y += row_height(layout, row);
  }
}

/* ---- in words ---- */

static void describe(const Layout *layout, Text *out) {
  const Forest *forest = layout->forest;
  if (forest->description) text_format(out, "%s ", forest->description);
  if (forest->x_name) text_format(out, "Values: %s. ", forest->x_name);
  Text text = {0};
  for (uint32_t r = 0; r < forest->row_count; r++) {
    const ForestRow *row = &forest->rows[r];
    text_format(out, "%s%s:", r ? " " : "", row->label ? row->label : "");
    for (uint32_t s = 0; s < layout->series && !row->heading; s++) {
      if (!shown(&row->marks[s])) continue;
      add_figures(forest, &row->marks[s], &text);
      text_format(out, " %s%s%s;", forest->series[s] ? forest->series[s] : "",
                  forest->series[s] ? " " : "", text_string(&text));
    }
    if (row->note) text_format(out, " %s.", row->note);
  }
  text_free(&text);
}

void forest_write(const Forest *forest, Text *svg) {
  Layout layout = {.forest = forest, .series = forest->series_count};
  if (!layout.series) layout.series = 1;
  if (layout.series > FOREST_SERIES) layout.series = FOREST_SERIES;
  if (!any_shown(&layout)) {
    svg_write_empty(forest->title, forest->description, svg);
    return;
  }
  lay_out(&layout);
  draw_axis(&layout);
  draw_heads(&layout);
  draw_rows(&layout);
  Text words = {0};
  describe(&layout, &words);
  svg_write(&layout.svg, forest->title, text_string(&words), svg);
  text_free(&words);
  scale_ticks_free(&layout.ticks);
  svg_free(&layout.svg);
}
