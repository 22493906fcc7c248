/* Shapes of a picture, and the document around them. What a class looks like is
   said once, in the style sheet: first for light ground, then what differs on
   dark ground. The colours of series are those of Okabe and Ito (2008), which
   people with any colour vision tell apart, darkened or lightened where they
   are hard to see on the ground. Coordinates are rounded to 1/100 pixel. */
#include "draw/svg.h"

#include <math.h>

static const char *const light[SVG_SHAPES] = {"#0072b2", "#d55e00", "#00845f",
                                              "#b8528f", "#a87400", "#3f95cf",
                                              "#4d4d4d", "#7a3b9a"};
static const char *const dark[SVG_SHAPES] = {"#4aa8e8", "#ff8a3d", "#2fc79a",
                                             "#e69ac4", "#e6b422", "#8fd0f7",
                                             "#c8c8c8", "#b98ae0"};
static const char *const dashes[] = {"", "6 3", "2 2", "9 3 2 3"};

enum { DASHES = sizeof dashes / sizeof *dashes };

static const char style[] =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
    "'Helvetica Neue',Arial,sans-serif;fill:#1c2024}\n"
    ".ground{fill:#fff}\n"
    "text.quiet{fill:#5d646d}\n"
    "text.ink{fill:#000}\n"
    "text.chalk{fill:#fff}\n"
    ".grid{stroke:#e4e7eb;stroke-width:1}\n"
    ".axis{stroke:#7c848d;stroke-width:1;fill:none}\n"
    ".leader{stroke:#aab1b9;stroke-width:.8}\n"
    ".reference{stroke:#5d646d;stroke-width:1.2;stroke-dasharray:5 4}\n"
    ".blank{fill:#eef0f3}\n"
    ".frame{fill:none;stroke:#1c2024;stroke-width:2.5}\n"
    ".line{fill:none;stroke-width:1.6;stroke-linejoin:round}\n"
    ".thick{stroke-width:3.2}\n"
    ".whisker{fill:none;stroke-width:1.3}\n"
    ".marker{stroke:#fff;stroke-width:.8}\n"
    ".ring{fill:#fff;stroke-width:1.8}\n";

static const char style_dark[] = "text{fill:#e6e8eb}\n"
                                 ".ground{fill:#15181d}\n"
                                 "text.quiet{fill:#a4acb6}\n"
                                 ".grid{stroke:#2b3139}\n"
                                 ".axis{stroke:#8a929c}\n"
                                 ".leader{stroke:#5c646e}\n"
                                 ".reference{stroke:#a4acb6}\n"
                                 ".blank{fill:#23282f}\n"
                                 ".frame{stroke:#e6e8eb}\n"
                                 ".marker{stroke:#15181d}\n"
                                 ".ring{fill:#15181d}\n";

void svg_free(Svg *svg) {
  text_free(&svg->body);
}

void svg_coordinate(Text *out, double value) {
  double rounded = round(value * 100) / 100;
  if (!isfinite(rounded) || rounded == 0) rounded = 0;
  text_format(out, "%.2f", rounded);
  while (out->bytes[out->length - 1] == '0') out->length--;
  if (out->bytes[out->length - 1] == '.') out->length--;
  out->bytes[out->length] = '\0';
}

/* ---- the document ---- */

static void add_colours(Text *out, const char *const *colours) {
  for (int i = 0; i < SVG_SHAPES; i++)
    text_format(out, ".s%d{stroke:%s}.f%d{fill:%s}\n", i, colours[i], i,
                colours[i]);
}

static void add_style(Text *out) {
  text_add(out, "<style>\n");
  text_add(out, style);
  add_colours(out, light);
  for (int i = 1; i < DASHES; i++)
    text_format(out, ".d%d{stroke-dasharray:%s}\n", i, dashes[i]);
  text_add(out, "@media (prefers-color-scheme:dark){\n");
  text_add(out, style_dark);
  add_colours(out, dark);
  text_add(out, "}\n</style>\n");
}

static void add_size(Text *out, const char *before, double value) {
  text_add(out, before);
  svg_coordinate(out, value);
}

void svg_write(const Svg *svg, const char *title, const char *description,
               Text *out) {
  add_size(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ",
           svg->width);
  add_size(out, " ", svg->height);
  add_size(out, "\" width=\"", svg->width);
  add_size(out, "\" height=\"", svg->height);
  text_add(out, "\" role=\"img\" aria-labelledby=\"title description\">\n"
                "<title id=\"title\">");
  svg_escape(out, title ? title : "");
  text_add(out, "</title>\n<desc id=\"description\">");
  svg_escape(out, description ? description : "");
  text_add(out, "</desc>\n");
  add_style(out);
  text_add(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
  text_add_bytes(out, text_string(&svg->body), svg->body.length);
  text_add(out, "</svg>\n");
}

void svg_write_empty(const char *title, const char *description, Text *out) {
  Svg svg = {.width = 480};
  SvgFont head = {.size = 16, .bold = true};
  SvgFont plain = {.size = 13, .tone = SVG_QUIET, .anchor = SVG_MIDDLE};
  double y = title ? svg_paragraph(&svg, &head, 16, 30, 448, title) : 30;
  svg_rectangle(&svg, "blank", 16, y - 8, 448, 84);
  svg_text(&svg, &plain, 240, y + 39, 448, "There is no data to show.");
  svg.height = y + 92;
  Text all = {0};
  if (description) text_format(&all, "%s ", description);
  text_add(&all, "There is no data to show.");
  svg_write(&svg, title, text_string(&all), out);
  text_free(&all);
  svg_free(&svg);
}

/* ---- shapes ---- */

/* Appends ` name="value"`. */
static void attribute(Text *out, const char *name, double value) {
  text_format(out, " %s=\"", name);
  svg_coordinate(out, value);
  text_add_byte(out, '"');
}

/* Appends a command of a path with a point. */
static void point(Text *out, char command, double x, double y) {
  text_add_byte(out, command);
  svg_coordinate(out, x);
  text_add_byte(out, ' ');
  svg_coordinate(out, y);
}

void svg_line(Svg *svg, const char *class, double x1, double y1, double x2,
              double y2) {
  Text *out = &svg->body;
  text_format(out, "<line class=\"%s\"", class);
  attribute(out, "x1", x1);
  attribute(out, "y1", y1);
  attribute(out, "x2", x2);
  attribute(out, "y2", y2);
  text_add(out, "/>\n");
}

static void place(Text *out, double x, double y, double width, double height) {
  attribute(out, "x", x);
  attribute(out, "y", y);
  attribute(out, "width", width);
  attribute(out, "height", height);
  text_add(out, "/>\n");
}

void svg_rectangle(Svg *svg, const char *class, double x, double y,
                   double width, double height) {
  text_format(&svg->body, "<rect class=\"%s\"", class);
  place(&svg->body, x, y, width, height);
}

void svg_patch(Svg *svg, uint32_t colour, double x, double y, double width,
               double height) {
  text_format(&svg->body, "<rect fill=\"#%06x\"", (unsigned)colour & 0xffffff);
  place(&svg->body, x, y, width, height);
}

void svg_path(Svg *svg, uint32_t series, bool thick, const double *pairs,
              uint32_t count) {
  if (!count) return;
  Text *out = &svg->body;
  uint32_t dash = series / SVG_SHAPES % DASHES;
  text_format(out, "<path class=\"line%s s%u", thick ? " thick" : "",
              series % SVG_SHAPES);
  if (dash) text_format(out, " d%u", dash);
  text_add(out, "\" d=\"");
  for (uint32_t i = 0; i < count; i++)
    point(out, i ? 'L' : 'M', pairs[2 * i], pairs[2 * i + 1]);
  text_add(out, "\"/>\n");
}

void svg_whisker(Svg *svg, uint32_t series, const SvgWhisker *w) {
  double length = hypot(w->x2 - w->x1, w->y2 - w->y1);
  if (!(length > 0)) return;
  double along_x = (w->x2 - w->x1) / length, along_y = (w->y2 - w->y1) / length;
  Text *out = &svg->body;
  text_format(out, "<path class=\"whisker s%u\" d=\"", series % SVG_SHAPES);
  point(out, 'M', w->x1, w->y1);
  point(out, 'L', w->x2, w->y2);
  for (int end = 0; end < 2; end++) {
    double x = end ? w->x2 : w->x1, y = end ? w->y2 : w->y1;
    bool open = end ? w->open2 : w->open1;
    double back = open ? (end ? -5 : 5) : 0, side = open ? 4 : 3.5;
    double bx = x + back * along_x, by = y + back * along_y;
    point(out, 'M', bx - side * along_y, by + side * along_x);
    if (open) point(out, 'L', x, y);
    point(out, 'L', bx + side * along_y, by - side * along_x);
  }
  text_add(out, "\"/>\n");
}

/* ---- markers ---- */

/* Corners of the markers, in units that give all about the area of a circle of
   radius 1; the circle and the ring have none. */
typedef struct Corners {
  uint32_t count;
  double at[24];
} Corners;

static const Corners corners[SVG_SHAPES] = {
    {0, {0}},
    {4, {-.9, -.9, .9, -.9, .9, .9, -.9, .9}},
    {3, {0, -1.3, 1.25, .9, -1.25, .9}},
    {4, {0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0}},
    {3, {0, 1.3, 1.25, -.9, -1.25, -.9}},
    {12,
     {-.45, -1.2, .45,  -1.2, .45,  -.45, 1.2,  -.45, 1.2,  .45,  .45,  .45,
      .45,  1.2,  -.45, 1.2,  -.45, .45,  -1.2, .45,  -1.2, -.45, -.45, -.45}},
    {12, {0, -.64, .6,  -1.2, 1.2,  -.6, .64,  0, 1.2,  .6,  .6,  1.2,
          0, .64,  -.6, 1.2,  -1.2, .6,  -.64, 0, -1.2, -.6, -.6, -1.2}},
    {0, {0}}};

void svg_marker(Svg *svg, uint32_t series, double x, double y, double radius) {
  uint32_t shape = series % SVG_SHAPES;
  Text *out = &svg->body;
  const Corners *own = &corners[shape];
  if (!own->count) {
    text_format(out,
                shape ? "<circle class=\"ring s%u\""
                      : "<circle class=\"marker f%u\"",
                shape);
    attribute(out, "cx", x);
    attribute(out, "cy", y);
    attribute(out, "r", shape ? radius - .4 : radius);
    text_add(out, "/>\n");
    return;
  }
  text_format(out, "<path class=\"marker f%u\" d=\"", shape);
  for (uint32_t i = 0; i < own->count; i++)
    point(out, i ? 'L' : 'M', x + radius * own->at[2 * i],
          y + radius * own->at[2 * i + 1]);
  text_add(out, "Z\"/>\n");
}
