/* Names of features, which are the same in every run and in every game that
   has the same facts. A fluent is named by its fact; whatever is not a single
   fluent begins with a word that says what it is. In facts, `_` stands for any
   place, `*` for what is measured, and steps lead from the first piece of a
   pair to the second:

     (cell 1 2 white)
     kind (cell _ _ white)
     number (score white *)
     pair (cell _ _ white) (cell +1 0 black)
     line 3 of 4 (cell _ _ x)
     line 1 of 3 (cell _ _ x)*2 (control o)
     mobility white */
#include "value/linear.h"

static const Terms *terms_of(const Linear *linear) {
  return &linear->analysis->description->rules.terms;
}

/* Writes the fact of a fluent with `_` for the place, `*` for one argument
   (no_argument: none) and, if `way` is not 0, steps for the place. */
static void write_pattern(const Linear *linear, uint32_t fluent,
                          uint32_t measured, const char *const *steps,
                          Text *text) {
  const Terms *terms = terms_of(linear);
  Term fact = linear->analysis->net->fluents.data[fluent].term;
  const Board *board = kinds_board(&linear->kinds, fluent);
  uint32_t place = board && linear->kinds.of_fluent[fluent] ? board->place : 0;
  if (!term_arity(terms, fact)) {
    term_write(terms, fact, text);
    return;
  }
  text_add_byte(text, '(');
  text_add(text, symbol_text(&terms->symbols, term_symbol(terms, fact)));
  for (uint32_t a = 0; a < term_arity(terms, fact); a++) {
    text_add_byte(text, ' ');
    if (a == measured)
      text_add_byte(text, '*');
    else if (a < 32 && place >> a & 1)
      text_add(text, steps ? *steps++ : "_");
    else
      term_write(terms, term_argument(terms, fact, a), text);
  }
  text_add_byte(text, ')');
}

static void write_kind(const Linear *linear, uint32_t kind, uint32_t measured,
                       Text *text) {
  write_pattern(linear, linear->kinds.list.data[kind].fluent, measured, NULL,
                text);
}

static void write_number(const Linear *linear, const LinearFeature *feature,
                         Text *text) {
  const Terms *terms = terms_of(linear);
  Term fact = linear->analysis->net->fluents.data[feature->first].term;
  text_add(text, "number (");
  text_add(text, symbol_text(&terms->symbols, term_symbol(terms, fact)));
  for (uint32_t a = 0; a < term_arity(terms, fact); a++) {
    text_add_byte(text, ' ');
    if (a == feature->second)
      text_add_byte(text, '*');
    else
      term_write(terms, term_argument(terms, fact, a), text);
  }
  text_add_byte(text, ')');
}

static void write_pair(const Linear *linear, uint32_t number, Text *text) {
  static const char *const names[] = {"-1", "0", "+1"};
  const NeighbourPair *pair = &linear->neighbours.pairs.data[number];
  uint32_t fluent = linear->kinds.list.data[pair->first].fluent;
  const Board *board = kinds_board(&linear->kinds, fluent);
  const char *steps[3];
  uint32_t way = pair->way;
  for (int d = __builtin_popcount(board->place); d-- > 0; way /= 3)
    steps[d] = names[way % 3];
  text_add(text, "pair ");
  write_kind(linear, pair->first, no_argument, text);
  text_add_byte(text, ' ');
  write_pattern(linear, linear->kinds.list.data[pair->second].fluent,
                no_argument, steps, text);
}

static bool same_kind(const Linear *linear, uint32_t a, uint32_t b) {
  const uint32_t *kinds = linear->kinds.of_fluent;
  return a == b || (kinds[a] && kinds[a] == kinds[b]);
}

static void write_line(const Linear *linear, const LinearFeature *feature,
                       Text *text) {
  const LineKind *kind = &linear->lines.kinds.data[feature->first];
  text_format(text, "line %u of %u", feature->second, kind->length);
  for (uint32_t i = 0, next; i < kind->length; i = next) {
    next = i + 1;
    while (next < kind->length &&
           same_kind(linear, kind->example[i], kind->example[next]))
      next++;
    text_add_byte(text, ' ');
    write_pattern(linear, kind->example[i], no_argument, NULL, text);
    if (next - i > 1 && next - i < kind->length)
      text_format(text, "*%u", next - i);
  }
}

void linear_name(const Linear *linear, uint32_t feature, Text *text) {
  const LinearFeature *named = &linear->features.data[feature];
  const Rules *rules = &linear->analysis->description->rules;
  switch (named->class) {
  case FEATURE_KIND:
    text_add(text, "kind ");
    write_kind(linear, named->first, no_argument, text);
    break;
  case FEATURE_NUMBER: write_number(linear, named, text); break;
  case FEATURE_PAIR: write_pair(linear, named->first, text); break;
  case FEATURE_LINE: write_line(linear, named, text); break;
  case FEATURE_MOBILITY:
    text_add(text, "mobility ");
    term_write(&rules->terms, rules->roles.data[named->first], text);
    break;
  default:
    term_write(&rules->terms,
               linear->analysis->net->fluents.data[named->first].term, text);
  }
}
