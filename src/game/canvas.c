/* Every character of UTF-8 is taken to be one column wide, which holds for all
   that is drawn here; names in other scripts may be cut too late. */
#include "game/canvas.h"

enum { ESCAPE = 27, GAP = 2 };

/* Returns the length of the escape sequence at `at` (as in "\33[1;31m"), or 0.
 */
static size_t escape_length(const char *at, const char *end) {
  if (*at != ESCAPE) return 0;
  const char *scan = at + 1;
  while (scan < end && *scan != 'm') scan++;
  return (size_t)(scan - at) + (scan < end);
}

static bool continues_character(char byte) {
  return ((unsigned char)byte & 0xC0) == 0x80;
}

uint32_t canvas_columns(const char *bytes, size_t length) {
  const char *end = bytes + length;
  uint32_t columns = 0;
  while (bytes < end) {
    size_t escape = escape_length(bytes, end);
    if (escape) {
      bytes += escape;
      continue;
    }
    columns += !continues_character(*bytes++);
  }
  return columns;
}

/* Returns the length of the line without its end. */
static size_t line_length(const char *line) {
  return strcspn(line, "\n");
}

static const char *next_line(const char *line) {
  line += line_length(line);
  return *line ? line + 1 : line;
}

uint32_t canvas_width(const char *text) {
  uint32_t widest = 0;
  for (; *text; text = next_line(text)) {
    uint32_t own = canvas_columns(text, line_length(text));
    if (own > widest) widest = own;
  }
  return widest;
}

uint32_t canvas_height(const char *text) {
  uint32_t lines = 0;
  for (; *text; text = next_line(text)) lines++;
  return lines;
}

static void add_spaces(Text *text, uint32_t count) {
  while (count--) text_add_byte(text, ' ');
}

/* Appends blocks[first … last) side by side, aligned at the top. */
static void arrange_row(const TextVector *blocks, uint32_t first, uint32_t last,
                        Text *text) {
  uint32_t height = 0;
  for (uint32_t b = first; b < last; b++) {
    uint32_t own = canvas_height(text_string(&blocks->data[b]));
    if (own > height) height = own;
  }
  for (uint32_t row = 0; row < height; row++) {
    uint32_t owed = 0; /* spaces that are written if more follows */
    for (uint32_t b = first; b < last; b++) {
      const char *line = text_string(&blocks->data[b]);
      uint32_t width = canvas_width(line);
      for (uint32_t i = 0; i < row; i++) line = next_line(line);
      size_t length = line_length(line);
      if (length) {
        add_spaces(text, owed);
        text_add_bytes(text, line, length);
        owed = 0;
      }
      owed += width - canvas_columns(line, length) + GAP;
    }
    while (text->length && text->bytes[text->length - 1] == ' ')
      text->bytes[--text->length] = '\0';
    text_add_byte(text, '\n');
  }
}

void canvas_arrange(const TextVector *blocks, uint32_t width, Text *text) {
  for (uint32_t first = 0, last; first < blocks->count; first = last) {
    uint32_t used = canvas_width(text_string(&blocks->data[first]));
    for (last = first + 1; last < blocks->count; last++) {
      uint32_t own = canvas_width(text_string(&blocks->data[last]));
      if (width && used + GAP + own > width) break;
      used += GAP + own;
    }
    arrange_row(blocks, first, last, text);
  }
}

static void write_more(uint32_t count, const BoardsStyle *style, Text *text) {
  text_format(text, "%s and %u more", style->unicode ? "…" : "...", count);
}

void canvas_list(const char *heading, const TextVector *items,
                 const BoardsStyle *style, uint32_t lines, Text *text) {
  enum { INDENT = 2, RESERVE = 16 /* for "… and N more" */ };
  text_add(text, heading);
  uint32_t column = canvas_columns(heading, strlen(heading)), line = 1;
  for (uint32_t i = 0; i < items->count; i++) {
    const Text *item = &items->data[i];
    uint32_t own = canvas_columns(text_string(item), item->length);
    bool last_line = lines && line == lines;
    uint32_t reserve = last_line && i + 1 < items->count ? RESERVE : 0;
    if (style->width && column + 1 + own + reserve > style->width && column) {
      if (last_line) {
        if (column) text_add_byte(text, ' ');
        write_more(items->count - i, style, text);
        break;
      }
      text_add_byte(text, '\n');
      add_spaces(text, INDENT - 1);
      column = INDENT - 1;
      line++;
    }
    if (column) text_add_byte(text, ' ');
    text_add_bytes(text, text_string(item), item->length);
    column += own + (column > 0);
  }
  text_add_byte(text, '\n');
}

/* Appends as many characters of the line as fit `columns`. */
static void add_columns(Text *text, const char *line, size_t length,
                        uint32_t columns) {
  const char *end = line + length, *at = line;
  while (at < end) {
    size_t escape = escape_length(at, end);
    if (!escape && !continues_character(*at) && columns-- == 0) break;
    at += escape ? escape : 1;
  }
  text_add_bytes(text, line, (size_t)(at - line));
}

void canvas_cut(const char *source, const BoardsStyle *style, Text *text) {
  for (; *source; source = next_line(source)) {
    size_t length = line_length(source);
    if (!style->width || canvas_columns(source, length) <= style->width) {
      text_add_bytes(text, source, length);
    } else {
      add_columns(text, source, length, style->width - 1);
      if (style->colour) text_add(text, "\33[0m");
      text_add(text, style->unicode ? "…" : "~");
    }
    text_add_byte(text, '\n');
  }
}
