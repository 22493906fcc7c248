/* Names of features, which are the same in every run and in every game that
   has the same facts. A fluent is named by its fact, a kind by its fact with
   `_` for the place, and whatever is not a single fluent begins with a word
   that says what it is:

     (cell 1 2 white)
     kind (cell _ _ white) */
#include "value/linear.h"

static const Board *board_of(const Linear *linear, Term fact) {
  const Analysis *analysis = linear->analysis;
  const Terms *terms = &analysis->description->rules.terms;
  for (uint32_t b = 0; b < analysis->places.boards.count; b++) {
    const Board *board = &analysis->places.boards.data[b];
    if (term_symbol(terms, fact) == board->functor &&
        term_arity(terms, fact) == board->arity)
      return board;
  }
  return NULL;
}

/* Writes a fact with `_` for the arguments that are not shown. */
static void write_pattern(const Terms *terms, Term fact, uint32_t shown,
                          Text *text) {
  text_add_byte(text, '(');
  text_add(text, symbol_text(&terms->symbols, term_symbol(terms, fact)));
  for (uint32_t a = 0; a < term_arity(terms, fact); a++) {
    text_add_byte(text, ' ');
    if (shown >> a & 1)
      term_write(terms, term_argument(terms, fact, a), text);
    else
      text_add_byte(text, '_');
  }
  text_add_byte(text, ')');
}

void linear_name(const Linear *linear, uint32_t feature, Text *text) {
  const Terms *terms = &linear->analysis->description->rules.terms;
  const LinearFeature *named = &linear->features.data[feature];
  Term fact = linear->analysis->net->fluents.data[named->first].term;
  if (named->class == FEATURE_KIND) {
    text_add(text, "kind ");
    write_pattern(terms, fact, board_of(linear, fact)->piece, text);
  } else {
    term_write(terms, fact, text);
  }
}
