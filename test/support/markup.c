/* A document is one element: tags that nest, attributes in double quotes, each
   once, and character data with the entities of XML. Declarations, comments and
   CDATA do not occur in our pictures and count as faults. */
#include "support/markup.h"

#include <ctype.h>
#include <math.h>

#include "draw/svg.h"
#include "support/unit.h"

enum { DEPTH = 32 };

typedef struct Reader {
  Markup *markup;
  const char *at;
  char names[DEPTH][32]; /* of the open elements */
  uint32_t depth;
  /* of the <text> that is open */
  double x, y, size, turn;
  char anchor[16];
  bool bold, open;
  Text content;
} Reader;

static bool wrong(Reader *reader, const char *what) {
  snprintf(reader->markup->fault, sizeof reader->markup->fault, "%s: %.60s",
           what, reader->at);
  return false;
}

/* ---- character data ---- */

static bool read_entity(Reader *reader, Text *out) {
  static const struct {
    const char *name;
    char means;
  } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
  for (size_t i = 0; i < LENGTH(known); i++) {
    size_t length = strlen(known[i].name);
    if (strncmp(reader->at, known[i].name, length) != 0) continue;
    text_add_byte(out, known[i].means);
    reader->at += length;
    return true;
  }
  return wrong(reader, "an unknown entity");
}

/* One character of UTF-8 that XML allows: Table 3-7 of Unicode. */
static bool read_character(Reader *reader, Text *out) {
  const unsigned char *b = (const unsigned char *)reader->at;
  if (*b == '&') return read_entity(reader, out);
  size_t length = *b < 0x80 ? 1 : *b < 0xe0 ? 2 : *b < 0xf0 ? 3 : 4;
  bool good = *b < 0x80 ? *b >= 0x20 || *b == '\n' : *b >= 0xc2 && *b <= 0xf4;
  for (size_t i = 1; good && i < length; i++) good = (b[i] & 0xc0) == 0x80;
  if (!good || (*b == 0xe0 && b[1] < 0xa0) || (*b == 0xed && b[1] > 0x9f) ||
      (*b == 0xf0 && b[1] < 0x90) || (*b == 0xf4 && b[1] > 0x8f) ||
      (*b == 0xef && b[1] == 0xbf && b[2] >= 0xbe))
    return wrong(reader, "a character that XML does not allow");
  text_add_bytes(out, reader->at, length);
  reader->at += length;
  return true;
}

/* ---- tags ---- */

static bool read_name(Reader *reader, char *name, size_t size) {
  size_t length = 0;
  while (isalnum((unsigned char)*reader->at) || *reader->at == '-') {
    if (length + 1 == size) return wrong(reader, "a long name");
    name[length++] = *reader->at++;
  }
  name[length] = '\0';
  return length || wrong(reader, "no name");
}

static void take_attribute(Reader *reader, const char *name,
                           const char *value) {
  double number = strtod(value, NULL);
  if (!strcmp(name, "viewBox"))
    sscanf(value, "0 0 %lf %lf", &reader->markup->width,
           &reader->markup->height);
  if (!strcmp(name, "x")) reader->x = number;
  if (!strcmp(name, "y")) reader->y = number;
  if (!strcmp(name, "font-size")) reader->size = number;
  if (!strcmp(name, "font-weight")) reader->bold = number > 500;
  if (!strcmp(name, "text-anchor"))
    snprintf(reader->anchor, sizeof reader->anchor, "%s", value);
  if (!strcmp(name, "transform")) sscanf(value, "rotate(%lf", &reader->turn);
}

static bool read_attribute(Reader *reader, Text *seen) {
  char name[32], key[40];
  if (!read_name(reader, name, sizeof name)) return false;
  snprintf(key, sizeof key, " %s ", name);
  if (strstr(text_string(seen), key)) return wrong(reader, "twice");
  text_add(seen, key);
  if (strncmp(reader->at, "=\"", 2) != 0) return wrong(reader, "no value");
  reader->at += 2;
  Text value = {0};
  bool good = true;
  while (good && *reader->at && *reader->at != '"')
    good = *reader->at == '<' ? wrong(reader, "< in a value")
                              : read_character(reader, &value);
  if (good && *reader->at != '"') good = wrong(reader, "an open value");
  bool holds_numbers = strcmp(name, "class") != 0;
  if (good && holds_numbers &&
      (strstr(text_string(&value), "nan") ||
       strstr(text_string(&value), "inf")))
    good = wrong(reader, "a number that is not finite");
  if (good) take_attribute(reader, name, text_string(&value));
  if (good) reader->at++;
  text_free(&value);
  return good;
}

/* ---- boxes of text ---- */

static void add_box(Reader *reader) {
  MarkupText text = {0};
  const char *content = text_string(&reader->content);
  snprintf(text.content, sizeof text.content, "%s", content);
  double width = svg_text_width(content, reader->size, reader->bold);
  double from = !strcmp(reader->anchor, "end")      ? -width
                : !strcmp(reader->anchor, "middle") ? -width / 2
                                                    : 0;
  double angle = reader->turn * acos(-1) / 180;
  text.slanted = fabs(sin(2 * angle)) > 1e-6;
  text.left = text.top = INFINITY;
  text.right = text.bottom = -INFINITY;
  for (int corner = 0; corner < 4; corner++) {
    double along = from + (corner & 1 ? width : 0);
    double down = (corner & 2 ? .22 : -.75) * reader->size;
    double x = reader->x + along * cos(angle) - down * sin(angle);
    double y = reader->y + along * sin(angle) + down * cos(angle);
    text.left = fmin(text.left, x), text.right = fmax(text.right, x);
    text.top = fmin(text.top, y), text.bottom = fmax(text.bottom, y);
  }
  vector_push(&reader->markup->texts, text);
}

static void start(Reader *reader, const char *name) {
  reader->markup->elements++;
  if (strcmp(name, "text") != 0) return;
  reader->open = true;
  text_clear(&reader->content);
}

static void end(Reader *reader, const char *name) {
  if (!strcmp(name, "text") && reader->open) {
    add_box(reader);
    reader->open = false;
  }
}

/* ---- elements ---- */

static bool read_start(Reader *reader) {
  char name[32];
  if (!read_name(reader, name, sizeof name)) return false;
  if (!reader->open) {
    reader->turn = 0, reader->bold = false;
    reader->anchor[0] = '\0';
  }
  Text seen = {0};
  bool good = true;
  while (good && *reader->at == ' ') {
    reader->at++;
    good = read_attribute(reader, &seen);
  }
  text_free(&seen);
  if (!good) return false;
  start(reader, name);
  if (!strncmp(reader->at, "/>", 2)) {
    reader->at += 2;
    end(reader, name);
    return true;
  }
  if (*reader->at != '>') return wrong(reader, "an open tag");
  if (reader->depth == DEPTH) return wrong(reader, "too deep");
  reader->at++;
  strcpy(reader->names[reader->depth++], name);
  return true;
}

static bool read_end(Reader *reader) {
  char name[32];
  if (!read_name(reader, name, sizeof name)) return false;
  if (*reader->at != '>') return wrong(reader, "an open end tag");
  if (!reader->depth || strcmp(reader->names[reader->depth - 1], name) != 0)
    return wrong(reader, "an end tag of nothing");
  reader->at++;
  reader->depth--;
  end(reader, name);
  return true;
}

static bool read_data(Reader *reader) {
  if (!reader->depth) return wrong(reader, "text outside of elements");
  Text other = {0};
  bool own = !strcmp(reader->names[reader->depth - 1], "text");
  bool good = *reader->at == '>'
                  ? wrong(reader, "> in text")
                  : read_character(reader, own ? &reader->content : &other);
  text_free(&other);
  return good;
}

static bool read_document(Reader *reader) {
  if (*reader->at != '<') return wrong(reader, "no element");
  while (*reader->at) {
    bool good;
    if (!strncmp(reader->at, "</", 2))
      reader->at += 2, good = read_end(reader);
    else if (*reader->at == '<')
      reader->at++, good = read_start(reader);
    else
      good = read_data(reader);
    if (!good) return false;
    if (!reader->depth) break;
  }
  if (reader->depth) return wrong(reader, "an element is open");
  return !strcmp(reader->at, "\n") || wrong(reader, "something behind");
}

bool markup_read(Markup *markup, const char *document) {
  Reader *reader = memory_new(sizeof *reader);
  reader->markup = markup;
  reader->at = document;
  bool good = read_document(reader);
  text_free(&reader->content);
  memory_delete(reader);
  return good;
}

void markup_free(Markup *markup) {
  vector_free(&markup->texts);
}

/* ---- assertions ---- */

static bool overlap(const MarkupText *a, const MarkupText *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom &&
         b->top < a->bottom;
}

static void assert_inside(const Markup *markup, const MarkupText *text) {
  if (text->left < 0 || text->top < 0 || text->right > markup->width ||
      text->bottom > markup->height)
    fail_msg("outside of %gx%g: \"%s\" at %g,%g to %g,%g", markup->width,
             markup->height, text->content, text->left, text->top, text->right,
             text->bottom);
}

void markup_assert_picture(const Text *document) {
  Markup markup = {0};
  assert_int_equal(strlen(text_string(document)), document->length);
  if (!markup_read(&markup, text_string(document)))
    fail_msg("%s", markup.fault);
  assert_true(markup.width > 0 && markup.height > 0);
  for (uint32_t i = 0; i < markup.texts.count; i++) {
    const MarkupText *text = &markup.texts.data[i];
    assert_inside(&markup, text);
    for (uint32_t j = 0; j < i && !text->slanted; j++) {
      const MarkupText *other = &markup.texts.data[j];
      if (!other->slanted && overlap(text, other))
        fail_msg("\"%s\" and \"%s\" overlap", text->content, other->content);
    }
  }
  markup_free(&markup);
}

void markup_assert_says(const Text *document, const char *content) {
  Markup markup = {0};
  bool found = false;
  assert_true(markup_read(&markup, text_string(document)));
  for (uint32_t i = 0; i < markup.texts.count; i++)
    found |= !strcmp(markup.texts.data[i].content, content);
  markup_free(&markup);
  if (!found) fail_msg("nothing says \"%s\"", content);
}
