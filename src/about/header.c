/* The header is the first block of comments, without a line that is not one. A
   paragraph goes on in the next line if this one is long, does not end with a
   colon, and the next does not begin with "word:"; other lines are kept as they
   are, so that drawings survive. */
#include "about/header.h"

#include <ctype.h>
#include <string.h>

enum { LONG_LINE = 60 };

typedef struct HeaderLine {
  const char *bytes;
  size_t length, indent;
} HeaderLine;

/* Takes the next line from the front of the rules. Returns false if it is no
   comment. */
static bool take_line(const char **rules, HeaderLine *line) {
  const char *at = *rules + strspn(*rules, " \t\r");
  if (*at != ';') return false;
  at += strspn(at, ";");
  line->length = strcspn(at, "\n");
  *rules = at + line->length + (at[line->length] == '\n');
  if (line->length && *at == ' ') at++, line->length--;
  while (line->length && isspace((unsigned char)at[line->length - 1]))
    line->length--;
  line->indent = strspn(at, " ");
  if (line->indent > line->length) line->indent = line->length;
  line->bytes = at + line->indent;
  line->length -= line->indent;
  return true;
}

/* Skips a mark of UTF-8 and empty lines. */
static const char *find_first(const char *rules) {
  if (strncmp(rules, "\xef\xbb\xbf", 3) == 0) rules += 3;
  return rules + strspn(rules, " \t\r\n");
}

/* Returns true if the line begins with "word:". */
static bool is_labelled(const HeaderLine *line) {
  size_t n = 0;
  while (n < line->length && line->bytes[n] != ' ') n++;
  return n && line->bytes[n - 1] == ':';
}

static bool goes_on(const HeaderLine *last, const HeaderLine *line) {
  return last->length && line->length &&
         last->indent + last->length > LONG_LINE &&
         last->bytes[last->length - 1] != ':' && !is_labelled(line);
}

/* Control characters become blanks. */
static void add_plain(const char *bytes, size_t length, Text *text) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    text_add_byte(text, byte < ' ' || byte == 127 ? ' ' : (char)byte);
  }
}

/* Appends words, broken at `width` and indented; `column` is where the line
   stands. */
static void fill(const HeaderLine *line, uint32_t width, size_t *column,
                 Text *text) {
  const char *at = line->bytes, *end = at + line->length;
  bool drawing = line->indent > 3 && line->length + line->indent <= width;
  if (drawing) {
    for (; *column < line->indent; ++*column) text_add_byte(text, ' ');
    add_plain(at, line->length, text);
    *column += line->length;
    return;
  }
  while (at < end) {
    size_t length = 0;
    while (at + length < end && at[length] != ' ') length++;
    if (length && *column > line->indent && *column + 1 + length > width) {
      text_add_byte(text, '\n');
      *column = 0;
    }
    if (length && *column > line->indent) {
      text_add_byte(text, ' ');
      ++*column;
    }
    for (; length && *column < line->indent; ++*column)
      text_add_byte(text, ' ');
    add_plain(at, length, text);
    *column += length;
    at += length + (at + length < end);
  }
}

void header_write(const char *rules, uint32_t width, Text *text) {
  HeaderLine line, last = {0};
  size_t column = 0, indent = 0;
  bool gap = false;
  rules = find_first(rules);
  while (take_line(&rules, &line)) {
    bool same = goes_on(&last, &line);
    gap |= !line.length && text->length;
    last = line;
    if (!line.length) continue;
    if (same) {
      line.indent = indent;
    } else {
      text_add(text, column ? "\n" : "");
      text_add(text, gap ? "\n" : "");
      column = 0;
      indent = line.indent;
    }
    fill(&line, width, &column, text);
    gap = false;
  }
  if (column) text_add_byte(text, '\n');
}

static bool has_letter(const HeaderLine *line) {
  bool found = false;
  for (size_t i = 0; i < line->length; i++)
    found |= isalpha((unsigned char)line->bytes[i]) != 0;
  return found;
}

void header_title(const char *rules, Text *title) {
  HeaderLine line;
  rules = find_first(rules);
  while (take_line(&rules, &line)) {
    if (!has_letter(&line)) continue;
    while (line.length && strchr("*#=-; ", *line.bytes))
      line.bytes++, line.length--;
    while (line.length && strchr("*#=-; ", line.bytes[line.length - 1]))
      line.length--;
    add_plain(line.bytes, line.length, title);
    return;
  }
}
