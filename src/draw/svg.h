/* A picture as SVG text: elements are added one by one, then svg_write wraps
   them in a document with a title, a description and a style sheet.

   The picture needs nothing from outside: no scripts, no fonts. It is readable
   on light and dark ground, because it brings its ground along and its colours
   follow prefers-color-scheme. Series differ in colour, in the shape of their
   markers and, beyond SVG_SHAPES of them, in the dashes of their lines.
   Coordinates are pixels from the top left corner; the picture scales. The same
   calls give the same bytes. */
#ifndef TAFL_DRAW_SVG_H
#define TAFL_DRAW_SVG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { SVG_SHAPES = 8 }; /* colours and markers before they repeat */

typedef struct Svg {
  double width, height; /* set by the caller before svg_write */
  Text body;
} Svg;

typedef enum { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

typedef enum {
  SVG_PLAIN,
  SVG_QUIET, /* grey */
  SVG_INK,   /* black, in light and dark: on a patch */
  SVG_CHALK  /* white */
} SvgTone;

/* How a piece of text looks. */
typedef struct SvgFont {
  double size;
  bool bold;
  SvgTone tone;
  SvgAnchor anchor;
  double turn; /* degrees clockwise around its place */
} SvgFont;

void svg_free(Svg *svg);
/* Appends the whole document. */
void svg_write(const Svg *svg, const char *title, const char *description,
               Text *out);
/* Appends a document that says that there is nothing to show. */
void svg_write_empty(const char *title, const char *description, Text *out);

/* ---- shapes; a class is one of the style sheet in svg.c ---- */

void svg_line(Svg *svg, const char *class, double x1, double y1, double x2,
              double y2);
void svg_rectangle(Svg *svg, const char *class, double x, double y,
                   double width, double height);
/* A rectangle of one colour, 0xRRGGBB, in light and dark. */
void svg_patch(Svg *svg, uint32_t colour, double x, double y, double width,
               double height);

/* The line of a series through `count` pairs x, y. */
void svg_path(Svg *svg, uint32_t series, bool thick, const double *pairs,
              uint32_t count);
/* A series' marker; its area is about that of a circle of this radius. */
void svg_marker(Svg *svg, uint32_t series, double x, double y, double radius);
/* A series' interval from (x1, y1) to (x2, y2), horizontal or vertical, with a
   bar across each end, or an arrow where the interval goes on. */
typedef struct SvgWhisker {
  double x1, y1, x2, y2;
  bool open1, open2; /* an arrow at the first or second end */
} SvgWhisker;
void svg_whisker(Svg *svg, uint32_t series, const SvgWhisker *whisker);

/* ---- text ---- */

/* Width of a text in pixels, at least that in the usual system fonts. */
double svg_text_width(const char *text, double size, bool bold);
/* One line of text; y is its baseline. Wider than `room` (0: any), it is cut
   short with an ellipsis and has the whole as its tooltip. */
void svg_text(Svg *svg, const SvgFont *font, double x, double y, double room,
              const char *text);
/* The same in as many lines as it takes, broken between words; y is the
   first baseline. Returns that of the line after the last. */
double svg_paragraph(Svg *svg, const SvgFont *font, double x, double y,
                     double room, const char *text);

/* Appends text as XML character data: escaped, without control characters,
   broken UTF-8 replaced. */
void svg_escape(Text *out, const char *text);
/* Appends a coordinate with at most two decimals, "-0" never. */
void svg_coordinate(Text *out, double value);

#endif
