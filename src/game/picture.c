/* A cell has the width of the widest glyph, and a column at least that of its
   label. Between columns is one space, where brackets around a changed cell
   find room: "[K]". In colour, changed cells are in reverse video. */
#include "game/picture.h"

#include <stdlib.h>

#include "game/canvas.h"

void picture_free(Picture *picture) {
  for (uint32_t d = 0; d < PICTURE_AXES; d++) axis_free(&picture->axes[d]);
  memory_delete(picture->exists);
  vector_free(&picture->members);
}

static uint32_t length_of(const Picture *picture, uint32_t d) {
  return d < picture->dimension ? picture->axes[d].values.count : 1;
}

uint32_t picture_places(const Picture *picture) {
  uint32_t places = 1;
  for (uint32_t d = 0; d < picture->dimension; d++) {
    places *= length_of(picture, d);
    if (places > PICTURE_PLACES) return PICTURE_PLACES + 1;
  }
  return places;
}

uint32_t picture_place(const Picture *picture, const uint32_t *coordinates) {
  uint32_t place = 0;
  for (uint32_t d = picture->dimension; d-- > 0;) {
    uint32_t index = axis_index(&picture->axes[d], coordinates[d]);
    if (index == length_of(picture, d)) return no_place;
    place = place * length_of(picture, d) + index;
  }
  return place;
}

/* ---- one grid ---- */

typedef struct Pen {
  const Picture *picture;
  const PictureCells *cells;
  const Glyphs *glyphs;
  const BoardsStyle *style;
  TextVector columns, rows;             /* labels */
  TextVector outer_columns, outer_rows; /* of boards on a board */
  uint32_t cell, column;                /* widths */
  uint32_t margin, outer_margin;        /* widths of the labels of rows */
  uint32_t layer;
  Text line;
  bool closing; /* the cell to the left is marked */
} Pen;

static void write_labels(const Pen *pen, uint32_t d, TextVector *labels) {
  for (uint32_t i = 0;
       d < pen->picture->dimension && i < pen->picture->axes[d].values.count;
       i++) {
    Text label = {0};
    axis_write(&pen->picture->axes[d], &pen->glyphs->rules->terms, i, &label);
    vector_push(labels, label);
  }
}

static uint32_t widest(const TextVector *labels) {
  uint32_t width = 0;
  for (uint32_t i = 0; i < labels->count; i++) {
    uint32_t own =
        canvas_columns(text_string(&labels->data[i]), labels->data[i].length);
    if (own > width) width = own;
  }
  return width;
}

static uint32_t place_at(const Pen *pen, uint32_t x, uint32_t y, uint32_t ox,
                         uint32_t oy) {
  const Picture *picture = pen->picture;
  uint32_t third = picture->dimension == 3 ? pen->layer : ox;
  uint32_t place = oy * length_of(picture, 2) + third;
  return (place * length_of(picture, 1) + y) * length_of(picture, 0) + x;
}

static void add_spaces(Text *text, uint32_t count) {
  while (count--) text_add_byte(text, ' ');
}

static void add_right(Text *text, const Text *label, uint32_t width) {
  uint32_t own = canvas_columns(text_string(label), label->length);
  add_spaces(text, own < width ? width - own : 0);
  text_add(text, text_string(label));
}

static void add_glyph(Pen *pen, const char *glyph, const char *colour,
                      bool marked) {
  bool reverse = marked && pen->style->colour;
  if (reverse) text_add(&pen->line, "\33[7m");
  if (colour) text_format(&pen->line, "\33[%sm", colour);
  text_add(&pen->line, glyph);
  if (colour || reverse) text_add(&pen->line, "\33[0m");
}

/* Writes the space before a cell. */
static void add_gap(Pen *pen, uint32_t width, bool opening) {
  bool bracket = !pen->style->colour;
  for (uint32_t i = 0; i < width; i++) {
    bool close = bracket && i == 0 && pen->closing;
    bool open = bracket && i + 1 == width && opening;
    text_add_byte(&pen->line, close && open ? '|'
                              : close       ? ']'
                              : open        ? '['
                                            : ' ');
  }
}

static void add_cell(Pen *pen, uint32_t place) {
  const PictureCells *cells = pen->cells;
  uint32_t piece = cells->now[place];
  bool absent = !piece && pen->picture->exists && !pen->picture->exists[place];
  bool marked = cells->changed && cells->changed[place];
  const Piece *shown = piece ? &pen->glyphs->pieces.data[piece - 1] : NULL;
  const char *glyph = shown                 ? shown->glyph
                      : absent              ? " "
                      : pen->style->unicode ? "·"
                                            : ".";
  const char *colour = shown ? shown->colour : pen->style->colour ? "2" : NULL;
  uint32_t width = shown ? shown->width : 1;
  add_gap(pen, 1 + pen->column - width, marked);
  add_glyph(pen, glyph, absent ? NULL : colour, marked);
  pen->closing = marked;
}

/* Ends a line with a bracket or a space, so that all have the same width. */
static void end_line(Pen *pen, Text *block) {
  bool bracket = pen->closing && !pen->style->colour;
  text_add_byte(&pen->line, bracket ? ']' : ' ');
  text_add(block, text_string(&pen->line));
  text_add_byte(block, '\n');
  text_clear(&pen->line);
  pen->closing = false;
}

/* The line between boards: light, with the style's characters. */
static void add_bar(Pen *pen) {
  add_gap(pen, 1, false);
  pen->closing = false;
  text_add(&pen->line, pen->style->unicode ? "│" : "|");
}

static void draw_row(Pen *pen, uint32_t y, uint32_t oy, Text *block) {
  uint32_t rows = length_of(pen->picture, 1);
  if (pen->outer_rows.count) {
    static const Text none = {0};
    bool middle = y == (rows - 1) / 2;
    add_right(&pen->line, middle ? &pen->outer_rows.data[oy] : &none,
              pen->outer_margin);
    text_add_byte(&pen->line, ' ');
  }
  if (pen->rows.count) add_right(&pen->line, &pen->rows.data[y], pen->margin);
  uint32_t boards = pen->outer_columns.count ? pen->outer_columns.count : 1;
  for (uint32_t ox = 0; ox < boards; ox++) {
    if (ox) add_bar(pen);
    for (uint32_t x = 0; x < length_of(pen->picture, 0); x++)
      add_cell(pen, place_at(pen, x, y, ox, oy));
  }
  end_line(pen, block);
}

static uint32_t left_margin(const Pen *pen) {
  uint32_t outer = pen->outer_rows.count ? pen->outer_margin + 1 : 0;
  return outer + pen->margin;
}

static uint32_t board_width(const Pen *pen) {
  return length_of(pen->picture, 0) * (pen->column + 1);
}

/* The line between rows of boards. */
static void draw_rule(Pen *pen, Text *block) {
  add_spaces(&pen->line, left_margin(pen) + 1);
  for (uint32_t ox = 0; ox < pen->outer_columns.count; ox++) {
    uint32_t width = board_width(pen) + (ox + 1 < pen->outer_columns.count);
    for (uint32_t i = ox ? 0 : 1; i < width; i++)
      text_add(&pen->line, pen->style->unicode ? "─" : "-");
    if (ox + 1 < pen->outer_columns.count)
      text_add(&pen->line, pen->style->unicode ? "┼" : "+");
  }
  end_line(pen, block);
}

/* Labels that are wider than a column keep only their ends. */
static void add_short(Text *text, const Text *label, uint32_t width) {
  if (label->length <= width) {
    add_right(text, label, width);
    return;
  }
  text_add(text, label->bytes + label->length - width);
}

static void draw_columns(Pen *pen, Text *block) {
  uint32_t boards = pen->outer_columns.count ? pen->outer_columns.count : 1;
  add_spaces(&pen->line, left_margin(pen));
  for (uint32_t ox = 0; ox < boards; ox++) {
    if (ox) add_spaces(&pen->line, 2);
    for (uint32_t x = 0; x < pen->columns.count; x++) {
      add_spaces(&pen->line, 1);
      add_short(&pen->line, &pen->columns.data[x], pen->column);
    }
  }
  end_line(pen, block);
  if (!pen->outer_columns.count) return;
  add_spaces(&pen->line, left_margin(pen));
  for (uint32_t ox = 0; ox < boards; ox++) {
    uint32_t own = (uint32_t)pen->outer_columns.data[ox].length;
    uint32_t width = board_width(pen), left = (width + 1 - own) / 2;
    if (own > width) left = 0;
    if (ox) add_spaces(&pen->line, 2);
    add_spaces(&pen->line, left);
    text_add(&pen->line, text_string(&pen->outer_columns.data[ox]));
    if (left + own < width) add_spaces(&pen->line, width - left - own);
  }
  end_line(pen, block);
}

static void draw_grid(Pen *pen, Text *block) {
  uint32_t boards = length_of(pen->picture, 3);
  for (uint32_t oy = boards; oy-- > 0;) {
    for (uint32_t y = length_of(pen->picture, 1); y-- > 0;)
      draw_row(pen, y, oy, block);
    if (oy && pen->outer_columns.count) draw_rule(pen, block);
  }
  draw_columns(pen, block);
}

/* Returns the widest glyph, be it on the board now or later. */
static uint32_t widest_glyph(const Pen *pen) {
  uint32_t width = 1;
  for (uint32_t i = 0; i < pen->glyphs->pieces.count; i++)
    if (pen->glyphs->pieces.data[i].width > width)
      width = pen->glyphs->pieces.data[i].width;
  return width;
}

/* Chooses widths; labels of columns are shortened if need be. Returns false if
   that does not help. */
static bool choose_widths(Pen *pen) {
  uint32_t limit = pen->style->width, labels = widest(&pen->columns);
  pen->margin = widest(&pen->rows);
  pen->outer_margin = widest(&pen->outer_rows);
  pen->cell = widest_glyph(pen);
  pen->column = labels > pen->cell ? labels : pen->cell;
  uint32_t boards = pen->outer_columns.count ? pen->outer_columns.count : 1;
  for (;; pen->column--) {
    uint32_t width =
        left_margin(pen) + boards * board_width(pen) + (boards - 1) * 2 + 1;
    if (!limit || width <= limit) return true;
    if (pen->column == pen->cell || pen->picture->dimension == 1) return false;
  }
}

static void open_pen(Pen *pen) {
  bool nested = pen->picture->dimension == 4;
  write_labels(pen, 0, &pen->columns);
  write_labels(pen, 1, &pen->rows);
  if (nested) write_labels(pen, 2, &pen->outer_columns);
  if (nested) write_labels(pen, 3, &pen->outer_rows);
}

static void close_pen(Pen *pen) {
  text_vector_free(&pen->columns);
  text_vector_free(&pen->rows);
  text_vector_free(&pen->outer_columns);
  text_vector_free(&pen->outer_rows);
  text_free(&pen->line);
}

static void add_heading(const char *heading, Text *block) {
  if (!*heading) return;
  text_add(block, heading);
  text_add_byte(block, '\n');
}

/* The layer's name stands where facts have it: "x y 1" or "1 x y". */
static void add_layer_heading(const Pen *pen, const char *heading,
                              Text *block) {
  const char *before[] = {"", "x ", "x y "}, *after[] = {" x y", " y", ""};
  uint32_t at = pen->picture->layer;
  if (*heading)
    text_format(block, "%s ", heading);
  else
    add_spaces(block, pen->margin + 1);
  text_add(block, before[at]);
  axis_write(&pen->picture->axes[2], &pen->glyphs->rules->terms, pen->layer,
             block);
  text_format(block, "%s\n", after[at]);
}

bool picture_draw(const Picture *picture, const PictureCells *cells,
                  const Glyphs *glyphs, const BoardsStyle *style,
                  const char *heading, TextVector *blocks) {
  Pen pen = {
      .picture = picture, .cells = cells, .glyphs = glyphs, .style = style};
  open_pen(&pen);
  bool fits = choose_widths(&pen);
  uint32_t layers = picture->dimension == 3 ? length_of(picture, 2) : 1;
  for (; fits && pen.layer < layers; pen.layer++) {
    Text block = {0};
    if (layers > 1)
      add_layer_heading(&pen, heading, &block);
    else
      add_heading(heading, &block);
    draw_grid(&pen, &block);
    vector_push(blocks, block);
  }
  close_pen(&pen);
  return fits;
}

/* ---- bars ---- */

static bool are_bars(const Pen *pen) {
  enum { MOST_BARS = 10, LONGEST = 50 };
  uint32_t places = length_of(pen->picture, 0);
  if (pen->picture->dimension != 1 || places > MOST_BARS) return false;
  for (uint32_t i = 0; i < places; i++) {
    uint32_t piece = pen->cells->now[i];
    if (!piece) continue;
    const char *name = pen->glyphs->pieces.data[piece - 1].name;
    if (strspn(name, "0123456789") != strlen(name) || strlen(name) > 2 ||
        atoi(name) > LONGEST)
      return false;
  }
  return true;
}

static void draw_bar(Pen *pen, uint32_t x, uint32_t longest, Text *block) {
  uint32_t piece = pen->cells->now[x];
  const char *name = piece ? pen->glyphs->pieces.data[piece - 1].name : "0";
  bool marked = pen->cells->changed && pen->cells->changed[x];
  uint32_t size = (uint32_t)atoi(name);
  add_right(&pen->line, &pen->columns.data[x], pen->column);
  add_spaces(&pen->line, 1);
  for (uint32_t i = 0; i < size; i++)
    text_add(&pen->line, pen->style->unicode ? "▮" : "|");
  add_spaces(&pen->line, longest - size);
  add_gap(pen, 1, marked);
  add_glyph(pen, name, NULL, marked);
  pen->closing = marked;
  end_line(pen, block);
}

bool picture_draw_bars(const Picture *picture, const PictureCells *cells,
                       const Glyphs *glyphs, const BoardsStyle *style,
                       const char *heading, TextVector *blocks) {
  Pen pen = {
      .picture = picture, .cells = cells, .glyphs = glyphs, .style = style};
  if (!are_bars(&pen)) return false;
  open_pen(&pen);
  pen.column = widest(&pen.columns);
  uint32_t longest = 0;
  for (uint32_t x = 0; x < pen.columns.count; x++) {
    uint32_t piece = cells->now[x];
    uint32_t size =
        piece ? (uint32_t)atoi(glyphs->pieces.data[piece - 1].name) : 0;
    if (size > longest) longest = size;
  }
  Text block = {0};
  add_heading(heading, &block);
  for (uint32_t x = 0; x < pen.columns.count; x++)
    draw_bar(&pen, x, longest, &block);
  vector_push(blocks, block);
  close_pen(&pen);
  return true;
}
