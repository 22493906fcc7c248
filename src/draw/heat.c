/* A coloured matrix. Colours are interpolated between a few of ColorBrewer's
   (Harrower and Brewer 2003): shades of blue, or orange and blue that meet in
   white, which people with any colour vision tell apart. The figures in the
   cells are black or white, whichever has more contrast (WCAG 2.1). Names of
   columns that are too long for their cells are turned. */
#include "draw/heat.h"

#include <math.h>

#include "draw/scale.h"
#include "draw/svg.h"

enum {
  EDGE = 16,
  SPACE = 3, /* between cells */
  CELL_WIDTH = 58,
  CELL_HEIGHT = 38,
  LABEL_MOST = 220,
  COLUMN_MOST = 150, /* of a turned name, along it */
  BAR = 14,          /* width of the bar of colours */
  BAR_STEPS = 48,
  BAR_HEIGHT = 120, /* at the least */
  BAR_TICKS = 6,
  LEAST_WIDTH = 360
};

static const SvgFont title_font = {.size = 16, .bold = true},
                     axis_font = {.size = 12, .anchor = SVG_MIDDLE},
                     label_font = {.size = 12},
                     value_font = {.size = 13,
                                   .bold = true,
                                   .anchor = SVG_MIDDLE},
                     half_font = {.size = 10.5, .anchor = SVG_MIDDLE},
                     tick_font = {.size = 11.5, .tone = SVG_QUIET};

typedef struct Layout {
  const Heat *heat;
  Svg svg;
  Scale scale; /* of the colours, from 0 to 1 */
  ScaleTicks ticks;
  double left, top; /* of the cells */
  double cell;      /* width of one, space included */
  double right;     /* of the cells */
  double bottom;
  double label; /* width of the rows' labels */
  double bar, bar_bottom;
  bool turned; /* names of columns */
} Layout;

static const HeatCell *cell_at(const Heat *heat, uint32_t row,
                               uint32_t column) {
  return &heat->cells[(size_t)row * heat->column_count + column];
}

/* ---- colours ---- */

static const uint32_t shades[] = {0xf0f5fb, 0xc6dbef, 0x6baed6, 0x2171b5,
                                  0x08306b};
static const uint32_t parting[] = {0xb35806, 0xf1a340, 0xf7f7f7, 0x67a9cf,
                                   0x2166ac};
enum { STOPS = 5 };

/* The colour of a place from 0 to 1. */
static uint32_t colour_at(const Heat *heat, double place) {
  const uint32_t *stops = heat->diverging ? parting : shades;
  double at = place * (STOPS - 1);
  int below = (int)fmin(floor(at), STOPS - 2);
  uint32_t colour = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double low = stops[below] >> shift & 0xff;
    double high = stops[below + 1] >> shift & 0xff;
    colour = colour << 8 | (uint32_t)lround(low + (at - below) * (high - low));
  }
  return colour;
}

/* WCAG's relative luminance. */
static double luminance(uint32_t colour) {
  static const double weights[] = {.0722, .7152, .2126};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double part = (colour >> 8 * i & 0xff) / 255.;
    sum += weights[i] *
           (part <= .04045 ? part / 12.92 : pow((part + .055) / 1.055, 2.4));
  }
  return sum;
}

/* Equal contrast to black and white is at sqrt(1.05 * .05) - .05 = .179. */
static SvgTone tone_on(uint32_t colour) {
  return luminance(colour) > .179 ? SVG_INK : SVG_CHALK;
}

/* ---- layout ---- */

static bool colour_scale(Layout *layout) {
  const Heat *heat = layout->heat;
  ScaleRange range = {0};
  for (uint32_t r = 0; r < heat->row_count; r++)
    for (uint32_t c = 0; c < heat->column_count; c++)
      scale_range_add(&range, cell_at(heat, r, c)->value);
  if (!range.any) return false;
  if (heat->diverging) {
    double reach = fmax(range.high - heat->middle, heat->middle - range.low);
    scale_range_add(&range, heat->middle - reach);
    scale_range_add(&range, heat->middle + reach);
  }
  layout->scale = scale_of(&range, false, BAR_TICKS);
  if (range.low < range.high) {
    layout->scale.low = range.low;
    layout->scale.high = range.high;
  }
  if (heat->low < heat->high) {
    layout->scale.low = heat->low;
    layout->scale.high = heat->high;
  }
  layout->scale.from = 0;
  layout->scale.to = 1;
  return true;
}

static double widest(const char *const *texts, uint32_t count, double size) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = fmax(most, svg_text_width(texts[i], size, false) + 1);
  return most;
}

static void add_value(const Heat *heat, double value, Text *text) {
  text_clear(text);
  scale_number(text, value, heat->decimals);
}

static void add_half(const Heat *heat, double half, Text *text) {
  text_clear(text);
  text_add(text, "\xc2\xb1 ");
  scale_number(text, half, heat->decimals);
}

static bool has_half(const HeatCell *cell) {
  return cell->half > 0;
}

static double widest_cell(const Heat *heat) {
  double most = CELL_WIDTH;
  Text text = {0};
  for (uint32_t r = 0; r < heat->row_count; r++)
    for (uint32_t c = 0; c < heat->column_count; c++) {
      const HeatCell *cell = cell_at(heat, r, c);
      add_value(heat, cell->value, &text);
      double value =
          svg_text_width(text_string(&text), value_font.size, true) + 10;
      add_half(heat, cell->half, &text);
      double half =
          svg_text_width(text_string(&text), half_font.size, false) + 10;
      most = fmax(most, has_half(cell) ? fmax(value, half) : value);
    }
  text_free(&text);
  return most;
}

static double bar_labels(Layout *layout) {
  scale_ticks(&layout->scale, BAR_TICKS, &layout->ticks);
  double most = 0;
  Text text = {0};
  for (uint32_t i = 0; i < layout->ticks.at.count; i++) {
    text_clear(&text);
    scale_number(&text, layout->ticks.at.data[i], layout->ticks.decimals);
    most = fmax(most,
                svg_text_width(text_string(&text), tick_font.size, false) + 1);
  }
  text_free(&text);
  return most;
}

/* How far the name of a column reaches up and to the right, if it is turned. */
static double reach(const char *name) {
  return fmin(svg_text_width(name, label_font.size, false), COLUMN_MOST) *
         sqrt(.5);
}

/* The room that names of columns take above the cells, and beyond the right end
   of the last one. */
static double columns_above(const Layout *layout, double *beyond) {
  const Heat *heat = layout->heat;
  *beyond = 0;
  if (!layout->turned) return 20;
  double most = 0;
  for (uint32_t c = 0; c < heat->column_count; c++) {
    double right = layout->cell * (heat->column_count - c - .5);
    most = fmax(most, reach(heat->columns[c]));
    *beyond = fmax(*beyond, reach(heat->columns[c]) + 10 - right);
  }
  return most + 20;
}

static void lay_out(Layout *layout) {
  const Heat *heat = layout->heat;
  Svg *svg = &layout->svg;
  layout->cell = widest_cell(heat) + SPACE;
  double names = widest(heat->columns, heat->column_count, 12);
  layout->turned = names > layout->cell - 4 && names > 110;
  if (!layout->turned) layout->cell = fmax(layout->cell, names + 6);
  layout->label = fmin(widest(heat->rows, heat->row_count, 12), LABEL_MOST);
  layout->left = EDGE + (heat->row_name ? 20 : 0) + layout->label + 8;
  layout->right = layout->left + layout->cell * heat->column_count;
  double beyond, above = columns_above(layout, &beyond);
  layout->bar = layout->right + fmax(24, beyond);
  double ticks = bar_labels(layout);
  double name = heat->value_name ? 20 : 0;
  svg->width = fmax(LEAST_WIDTH, layout->bar + BAR + 8 + ticks + name + EDGE);
  double y = EDGE + 14;
  if (heat->title)
    y = svg_paragraph(svg, &title_font, EDGE, y, svg->width - 2 * EDGE,
                      heat->title);
  if (heat->column_name) {
    double middle = (layout->left + layout->right) / 2;
    double room = 2 * fmin(middle, svg->width - middle) - 2 * EDGE;
    svg_text(svg, &axis_font, middle, y + 2, room, heat->column_name);
    y += 20;
  }
  layout->top = y - 14 + above;
  layout->bottom =
      layout->top + (CELL_HEIGHT + SPACE) * heat->row_count - SPACE;
  layout->bar_bottom = fmax(layout->bottom, layout->top + BAR_HEIGHT);
  svg->height = layout->bar_bottom + EDGE;
}

/* ---- drawing ---- */

static void draw_labels(Layout *layout) {
  const Heat *heat = layout->heat;
  Svg *svg = &layout->svg;
  SvgFont font = label_font;
  font.anchor = SVG_END;
  for (uint32_t r = 0; r < heat->row_count; r++)
    svg_text(svg, &font, layout->left - 8,
             layout->top + (CELL_HEIGHT + SPACE) * r + CELL_HEIGHT / 2. + 4,
             LABEL_MOST, heat->rows[r]);
  font.anchor = layout->turned ? SVG_START : SVG_MIDDLE;
  font.turn = layout->turned ? -45 : 0;
  for (uint32_t c = 0; c < heat->column_count; c++)
    svg_text(svg, &font,
             layout->left + layout->cell * (c + .5) + (layout->turned ? 2 : 0),
             layout->top - 7, layout->turned ? COLUMN_MOST : 0,
             heat->columns[c]);
  if (!heat->row_name) return;
  font = axis_font;
  font.turn = -90;
  svg_text(svg, &font, EDGE + 10, (layout->top + layout->bar_bottom) / 2,
           layout->bar_bottom - layout->top, heat->row_name);
}

static void draw_cell(Layout *layout, const HeatCell *cell, double x,
                      double y) {
  Svg *svg = &layout->svg;
  double width = layout->cell - SPACE;
  if (!isfinite(cell->value)) {
    svg_rectangle(svg, "blank", x, y, width, CELL_HEIGHT);
    return;
  }
  uint32_t colour =
      colour_at(layout->heat, scale_place(&layout->scale, cell->value));
  svg_patch(svg, colour, x, y, width, CELL_HEIGHT);
  if (cell->marked)
    svg_rectangle(svg, "frame", x - 1.25, y - 1.25, width + 2.5,
                  CELL_HEIGHT + 2.5);
  SvgFont font = value_font;
  font.tone = tone_on(colour);
  bool half = has_half(cell);
  Text text = {0};
  add_value(layout->heat, cell->value, &text);
  svg_text(svg, &font, x + width / 2, y + CELL_HEIGHT / 2. + (half ? -1 : 5), 0,
           text_string(&text));
  if (half) {
    font = half_font;
    font.tone = tone_on(colour);
    add_half(layout->heat, cell->half, &text);
    svg_text(svg, &font, x + width / 2, y + CELL_HEIGHT / 2. + 13, 0,
             text_string(&text));
  }
  text_free(&text);
}

static void draw_cells(Layout *layout) {
  const Heat *heat = layout->heat;
  for (int marked = 0; marked < 2; marked++) /* frames above the others */
    for (uint32_t r = 0; r < heat->row_count; r++)
      for (uint32_t c = 0; c < heat->column_count; c++)
        if (cell_at(heat, r, c)->marked == marked)
          draw_cell(layout, cell_at(heat, r, c),
                    layout->left + layout->cell * c,
                    layout->top + (CELL_HEIGHT + SPACE) * r);
}

static void draw_bar(Layout *layout) {
  Svg *svg = &layout->svg;
  double height = layout->bar_bottom - layout->top, step = height / BAR_STEPS;
  for (int i = 0; i < BAR_STEPS; i++)
    svg_patch(svg, colour_at(layout->heat, 1 - (i + .5) / BAR_STEPS),
              layout->bar, layout->top + step * i, BAR, step + .3);
  Scale scale = layout->scale;
  scale.from = layout->bar_bottom;
  scale.to = layout->top;
  Text text = {0};
  for (uint32_t i = 0; i < layout->ticks.at.count; i++) {
    double value = layout->ticks.at.data[i], y = scale_place(&scale, value);
    text_clear(&text);
    scale_number(&text, value, layout->ticks.decimals);
    svg_line(svg, "axis", layout->bar + BAR, y, layout->bar + BAR + 4, y);
    svg_text(svg, &tick_font, layout->bar + BAR + 7, y + 4, 0,
             text_string(&text));
  }
  text_free(&text);
  if (!layout->heat->value_name) return;
  SvgFont font = axis_font;
  font.turn = 90;
  svg_text(svg, &font, svg->width - EDGE - 10,
           (layout->top + layout->bar_bottom) / 2, height,
           layout->heat->value_name);
}

/* ---- in words ---- */

static void describe(const Heat *heat, Text *out) {
  if (heat->description) text_format(out, "%s ", heat->description);
  text_add(out, "A matrix");
  if (heat->value_name) text_format(out, " of %s", heat->value_name);
  if (heat->row_name && heat->column_name)
    text_format(out, " for %s (rows) and %s (columns)", heat->row_name,
                heat->column_name);
  text_add(out, ".");
  for (uint32_t r = 0; r < heat->row_count; r++) {
    text_format(out, " %s:", heat->rows[r]);
    for (uint32_t c = 0; c < heat->column_count; c++) {
      const HeatCell *cell = cell_at(heat, r, c);
      text_format(out, " %s ", heat->columns[c]);
      if (isfinite(cell->value)) {
        double half = has_half(cell) ? cell->half : NAN;
        scale_interval(out, cell->value, cell->value - half, cell->value + half,
                       heat->decimals);
      } else {
        text_add(out, "none");
      }
      text_add(out, cell->marked ? " (marked)" : "");
      text_add_byte(out, c + 1 < heat->column_count ? ';' : '.');
    }
  }
}

void heat_write(const Heat *heat, Text *svg) {
  Layout layout = {.heat = heat};
  if (!colour_scale(&layout)) {
    svg_write_empty(heat->title, heat->description, svg);
    return;
  }
  lay_out(&layout);
  draw_labels(&layout);
  draw_cells(&layout);
  draw_bar(&layout);
  Text words = {0};
  describe(heat, &words);
  svg_write(&layout.svg, heat->title, text_string(&words), svg);
  text_free(&words);
  scale_ticks_free(&layout.ticks);
  svg_free(&layout.svg);
}
