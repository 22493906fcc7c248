/* What was learned, for people: the worth of each kind of piece first, then
   numbers, lines, mobility, pairs, and the most important single facts; at most
   LINES lines.

   The worth of a kind is the mean of what evaluates its fluents: its own
   weight, and on average what its places add. If the least of the pieces is
   worth something, it is the unit; else numbers are points of the goal by which
   the value of an even position changes. */
#include <math.h>
#include <stdlib.h>

#include "value/linear.h"

enum { LINES = 40, NAME_WIDTH = 36 };

typedef struct Entry {
  double value;
  uint32_t feature;
} Entry;
typedef VECTOR(Entry) Entries;

typedef struct Section {
  const char *title;
  uint32_t classes; /* as bits */
  uint32_t most;    /* lines */
} Section;

static const Section sections[] = {
    {"numbers", 1u << FEATURE_NUMBER, 4},    {"lines", 1u << FEATURE_LINE, 8},
    {"mobility", 1u << FEATURE_MOBILITY, 2}, {"pairs", 1u << FEATURE_PAIR, 6},
    {"facts", 1u << FEATURE_FLUENT, 6},
};

static int by_value(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->feature > b->feature) - (a->feature < b->feature);
}

static int by_size(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  double x = fabs(a->value), y = fabs(b->value);
  if (x != y) return x > y ? -1 : 1;
  return (a->feature > b->feature) - (a->feature < b->feature);
}

static double worth(const Linear *linear, uint32_t row, uint32_t kind) {
  const uint32_t *of_fluent = linear->kinds.of_fluent;
  double sum = 0;
  for (uint32_t f = 0; f < linear->analysis->net->fluents.count; f++)
    if (of_fluent[f] == kind + 1)
      sum += linear->frozen[(size_t)f * linear->rows + row];
  return sum / LINEAR_UNIT / linear->kinds.list.data[kind].fluents;
}

/* Features of these classes that are not 0: kinds with their worth, others with
   their weight. */
static void list(const Linear *linear, uint32_t row, uint32_t classes,
                 Entries *entries) {
  const float *weights = linear->weights + (size_t)row * linear->features.count;
  vector_clear(entries);
  for (uint32_t i = 0; i < linear->features.count; i++) {
    const LinearFeature *feature = &linear->features.data[i];
    double value = (double)weights[i];
    if (!(classes & linear->classes & 1u << feature->class)) continue;
    if (feature->class == FEATURE_KIND)
      value = worth(linear, row, feature->first);
    if (value != 0) vector_push(entries, ((Entry){value, i}));
  }
}

/* ---- units ---- */

/* Returns what to multiply weights by; sets `pieces` if the unit is a piece.
   It is the least of at least three kinds whose worth is not next to nothing:
   a twentieth of the greatest. */
static double unit(const Linear *linear, uint32_t row, const Entries *kinds,
                   bool *pieces) {
  double least = INFINITY, most = 0;
  for (uint32_t i = 0; i < kinds->count; i++) {
    double size = fabs(kinds->data[i].value);
    least = fmin(least, size);
    most = fmax(most, size);
  }
  *pieces = kinds->count >= 3 && least * 20 >= most;
  if (*pieces) return 1 / least;
  return (linear->most[row] - linear->least[row]) / 4.0; /* the steepest */
}

/* ---- lines of text ---- */

/* A kind is called by its contents, or by its functor if it has none. */
static void write_kind(const Linear *linear, uint32_t kind, Text *text) {
  const Terms *terms = &linear->analysis->description->rules.terms;
  uint32_t fluent = linear->kinds.list.data[kind].fluent;
  const Board *board = kinds_board(&linear->kinds, fluent);
  Term fact = linear->analysis->net->fluents.data[fluent].term;
  if (!board->piece)
    text_add(text, symbol_text(&terms->symbols, term_symbol(terms, fact)));
  for (uint32_t a = 0, written = 0; a < board->arity; a++) {
    if (!(board->piece >> a & 1)) continue;
    if (written++) text_add_byte(text, ' ');
    term_write(terms, term_argument(terms, fact, a), text);
  }
}

static void write_entry(const Linear *linear, const Entry *entry, double scale,
                        Text *text) {
  const LinearFeature *feature = &linear->features.data[entry->feature];
  size_t begin = text->length + 2;
  text_add(text, "  ");
  if (feature->class == FEATURE_KIND)
    write_kind(linear, feature->first, text);
  else
    linear_name(linear, entry->feature, text);
  while (text->length < begin + NAME_WIDTH) text_add_byte(text, ' ');
  text_format(text, " %+.2f\n", entry->value * scale);
}

static void write_row(const Linear *linear, uint32_t row, uint32_t left,
                      Text *text) {
  const Rules *rules = &linear->analysis->description->rules;
  Entries entries = {0};
  bool pieces;
  list(linear, row, 1u << FEATURE_KIND, &entries);
  double scale = unit(linear, row, &entries, &pieces);
  text_add(text, "for ");
  term_write(&rules->terms, rules->roles.data[row], text);
  text_add(text, pieces ? ", in units of the least piece:\n"
                        : ", in points of the goal:\n");
  if (entries.count)
    qsort(entries.data, entries.count, sizeof *entries.data, by_value);
  uint32_t written = 1;
  for (uint32_t i = 0; i < entries.count && written < left; i++, written++)
    write_entry(linear, &entries.data[i], scale, text);
  for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
    list(linear, row, sections[s].classes, &entries);
    if (!entries.count || written + 2 > left) continue;
    qsort(entries.data, entries.count, sizeof *entries.data, by_size);
    text_format(text, " %s:\n", sections[s].title);
    written++;
    for (uint32_t i = 0;
         i < entries.count && i < sections[s].most && written < left;
         i++, written++)
      write_entry(linear, &entries.data[i], scale, text);
  }
  vector_free(&entries);
}

void linear_write(const Linear *linear, Text *text) {
  for (uint32_t row = 0; row < linear->rows && row < LINES / 4; row++)
    write_row(linear, row, linear->rows < LINES / 4 ? LINES / linear->rows : 4,
              text);
}
