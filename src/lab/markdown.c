#include "lab/markdown.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 90, LARGE = 1000 };

/* ---- paragraphs ---- */

/* Characters, not bytes: those of UTF-8 that do not continue one. */
static uint32_t count_characters(const char *text, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length; i++)
    count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

static bool is_word(const char *word, size_t length, const char *other) {
  return length == strlen(other) && !memcmp(word, other, length);
}

/* Returns true if a line that begins with the word would not go on with the
   paragraph, or part "± 5". */
static bool has_meaning(const char *word, size_t length) {
  size_t digits = 0;
  if (is_word(word, length, "±") || is_word(word, length, "(±")) return true;
  if (strchr("#>|=", *word)) return true;
  if (strchr("-+*", *word) && (length == 1 || word[1] == *word)) return true;
  while (digits < length && isdigit((unsigned char)word[digits])) digits++;
  return digits && digits + 1 == length && strchr(".)", word[digits]);
}

void markdown_paragraph(Text *out, const char *first, const char *text) {
  uint32_t indent = count_characters(first, strlen(first)), column = indent;
  bool begun = false, glued = false;
  text_add(out, first);
  for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
    size_t length = strcspn(text, " \t\n");
    uint32_t width = count_characters(text, length);
    if (begun && !glued && column + 1 + width > WIDTH &&
        !has_meaning(text, length)) {
      text_add_byte(out, '\n');
      for (column = 0; column < indent; column++) text_add_byte(out, ' ');
    } else if (begun) {
      text_add_byte(out, ' ');
      column++;
    }
    text_add_bytes(out, text, length);
    column += width;
    glued = is_word(text, length, "±") || is_word(text, length, "(±");
    text += length;
    begun = true;
  }
  text_add_byte(out, '\n');
}

/* ---- names ---- */

void markdown_cell(Text *out, const char *text) {
  for (; *text; text++) switch (*text) {
    case '|': text_add(out, "\\|"); break;
    case '<': text_add(out, "&lt;"); break;
    case '\n':
    case '\r': text_add_byte(out, ' '); break;
    default: text_add_byte(out, *text);
    }
}

void markdown_anchor(Text *out, const char *heading) {
  for (; *heading; heading++) {
    unsigned char byte = (unsigned char)*heading;
    if (byte == ' ')
      text_add_byte(out, '-');
    else if (isalnum(byte) || byte == '-' || byte == '_' || byte >= 0x80)
      text_add_byte(out, (char)tolower(byte));
  }
}

/* ---- numbers ---- */

void markdown_count(Text *out, double number) {
  char digits[400];
  int length = snprintf(digits, sizeof digits, "%.0f", fabs(number));
  if (number < 0) text_add(out, "−");
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text_add_byte(out, ',');
    text_add_byte(out, digits[i]);
  }
}

static void add_value(Text *out, double value, bool large) {
  if (large)
    markdown_count(out, value);
  else
    text_format(out, "%.1f", value);
}

void markdown_estimate(Text *out, Estimate estimate) {
  bool large = estimate.value >= LARGE;
  add_value(out, estimate.value, large);
  if (!isfinite(estimate.half)) return;
  text_add(out, " ± ");
  add_value(out, estimate.half, large);
}

/* One decimal, or two if the value has them. */
static void add_printed(Text *out, double value) {
  bool two = fabs(value * 10 - round(value * 10)) > 1e-6;
  if (value >= LARGE)
    markdown_count(out, value);
  else
    text_format(out, two ? "%.2f" : "%.1f", value);
}

void markdown_quote(Text *out, Estimate estimate, bool derived) {
  add_printed(out, estimate.value);
  if (!isfinite(estimate.half)) return;
  text_add(out, derived ? " (± " : " ± ");
  if (derived)
    add_value(out, estimate.half, estimate.value >= LARGE);
  else
    add_printed(out, estimate.half);
  if (derived) text_add_byte(out, ')');
}
