/* Text of a picture: escaped for XML, measured, cut and broken into lines. The
   fonts of the reader are unknown, so widths are those of DejaVu Sans, the
   widest of the usual system fonts: text may turn out narrower than measured,
   hardly wider. */
#include "draw/svg.h"

#include <string.h>

enum { REPLACEMENT = 0xfffd, ELLIPSIS = 0x2026 };

/* ---- characters ---- */

static bool follows(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

/* Decodes the UTF-8 character at *at, which is not at the end, and moves on. A
   byte that begins none is REPLACEMENT. */
static uint32_t decode(const char **at) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char *byte = (const unsigned char *)*at;
  int more = byte[0] < 0x80 ? 0 : byte[0] < 0xe0 ? 1 : byte[0] < 0xf0 ? 2 : 3;
  ++*at;
  if (!more) return byte[0];
  if (byte[0] < 0xc2 || byte[0] > 0xf4) return REPLACEMENT;
  uint32_t code = byte[0] & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if (!follows(byte[i])) return REPLACEMENT;
    code = code << 6 | (byte[i] & 0x3f);
  }
  bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[more] || code > 0x10ffff || surrogate) return REPLACEMENT;
  *at += more;
  return code;
}

/* The same for what XML can hold and a line of text can show. */
static uint32_t next(const char **at) {
  uint32_t code = decode(at);
  if (code == '\t' || code == '\n' || code == '\r') return ' ';
  bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  bool never = (code & 0xfffe) == 0xfffe;
  return control || never ? REPLACEMENT : code;
}

static void encode(Text *out, uint32_t code) {
  if (code < 0x80) {
    text_add_byte(out, (char)code);
    return;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
  text_add_byte(out, (char)(lead[more] | code >> 6 * more));
  while (more--) text_add_byte(out, (char)(0x80 | (code >> 6 * more & 0x3f)));
}

static void escape(Text *out, uint32_t code) {
  switch (code) {
  case '&': text_add(out, "&amp;"); break;
  case '<': text_add(out, "&lt;"); break;
  case '>': text_add(out, "&gt;"); break;
  case '"': text_add(out, "&quot;"); break;
  default: encode(out, code);
  }
}

void svg_escape(Text *out, const char *text) {
  while (*text) escape(out, next(&text));
}

/* ---- widths ---- */

/* Hundredths of the font's size, rounded up, from ' ' to '~'. */
static const unsigned char widths[] = {
    32,  41, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 37, 32, 34,
    64,  64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54,
    100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61,  79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 39, 34, 39, 84, 50,
    50,  62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62,
    64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};

static double width_of(uint32_t code) {
  if (code >= ' ' && code <= '~') return widths[code - ' '] / 100.;
  if (code >= 0x1f000) return 1.4; /* pictographs */
  return code < 0x370 ? .85 : 1.05;
}

static double size_of(double size, bool bold) {
  return bold ? size * 1.15 : size;
}

double svg_text_width(const char *text, double size, bool bold) {
  double width = 0;
  while (*text) width += width_of(next(&text));
  return width * size_of(size, bold);
}

/* Returns where a text has to be cut so that it fits with an ellipsis. */
static const char *cut(const char *text, double size, bool bold, double room) {
  double left = room / size_of(size, bold) - width_of(ELLIPSIS);
  for (;;) {
    const char *after = text;
    if (!*after) return text;
    left -= width_of(next(&after));
    if (left < 0) return text;
    text = after;
  }
}

/* ---- elements ---- */

static void open_text(Text *out, const SvgFont *font, double x, double y) {
  static const char *const tones[] = {"", "quiet", "ink", "chalk"};
  static const char *const anchors[] = {"", "middle", "end"};
  text_add(out, "<text x=\"");
  svg_coordinate(out, x);
  text_add(out, "\" y=\"");
  svg_coordinate(out, y);
  text_add(out, "\" font-size=\"");
  svg_coordinate(out, font->size);
  text_add_byte(out, '"');
  if (font->tone) text_format(out, " class=\"%s\"", tones[font->tone]);
  if (font->bold) text_add(out, " font-weight=\"600\"");
  if (font->anchor)
    text_format(out, " text-anchor=\"%s\"", anchors[font->anchor]);
  if (font->turn != 0) {
    text_add(out, " transform=\"rotate(");
    svg_coordinate(out, font->turn);
    text_add_byte(out, ' ');
    svg_coordinate(out, x);
    text_add_byte(out, ' ');
    svg_coordinate(out, y);
    text_add(out, ")\"");
  }
  text_add_byte(out, '>');
}

void svg_text(Svg *svg, const SvgFont *font, double x, double y, double room,
              const char *text) {
  Text *out = &svg->body;
  open_text(out, font, x, y);
  if (room > 0 && svg_text_width(text, font->size, font->bold) > room) {
    text_add(out, "<title>");
    svg_escape(out, text);
    text_add(out, "</title>");
    const char *end = cut(text, font->size, font->bold, room);
    while (text < end) escape(out, next(&text));
    encode(out, ELLIPSIS);
  } else {
    svg_escape(out, text);
  }
  text_add(out, "</text>\n");
}

/* Returns the length of the words of the text that fit on a line: one word at
   the least. */
static size_t line_length(const SvgFont *font, double room, const char *text) {
  size_t best = 0;
  Text line = {0};
  for (size_t end = 0;;) {
    end += strcspn(text + end, " ");
    text_clear(&line);
    text_add_bytes(&line, text, end);
    double width = svg_text_width(text_string(&line), font->size, font->bold);
    if (best && width > room) break;
    best = end;
    end += strspn(text + end, " ");
    if (!text[end]) break;
  }
  text_free(&line);
  return best;
}

double svg_paragraph(Svg *svg, const SvgFont *font, double x, double y,
                     double room, const char *text) {
  Text line = {0};
  text += strspn(text, " ");
  while (*text) {
    size_t length = line_length(font, room, text);
    text_clear(&line);
    text_add_bytes(&line, text, length);
    svg_text(svg, font, x, y, room, text_string(&line));
    y += 1.3 * font->size;
    text += length;
    text += strspn(text, " ");
  }
  text_free(&line);
  return y;
}
