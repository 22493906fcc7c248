/* Hash-consed terms in flat arrays: node t has its arguments at
   arguments[first … first + arity). The hash depends only on the text, so it is
   the same in two stores that number their symbols differently. */
#include "gdl/term.h"

#include <stdlib.h>

#include "base/hash.h"

void terms_init(Terms *terms) {
  *terms = (Terms){0};
  symbols_init(&terms->symbols);
  vector_push(&terms->nodes, (TermNode){0});
  vector_grow(&terms->arguments, 1); /* an address for no arguments */
  map_reset(&terms->map, 512);
}

void terms_free(Terms *terms) {
  symbols_free(&terms->symbols);
  vector_free(&terms->nodes);
  vector_free(&terms->arguments);
  map_free(&terms->map);
}

static uint64_t hash_of(const Terms *terms, Symbol functor,
                        const Term *arguments, uint32_t arity) {
  uint64_t hash = symbol_hash(&terms->symbols, functor) + arity;
  for (uint32_t i = 0; i < arity; i++)
    hash = hash_pair(hash, term_hash(terms, arguments[i]));
  return hash;
}

/* `at` is where the term belongs if it is not found. */
static Term find(const Terms *terms, uint64_t hash, Symbol functor,
                 const Term *arguments, uint32_t arity, MapCursor *at) {
  Term term = map_first(&terms->map, hash, at);
  for (; term; term = map_next(&terms->map, at)) {
    const TermNode *node = &terms->nodes.data[term];
    if (node->symbol != functor || node->arity != arity) continue;
    const Term *own = terms->arguments.data + node->first;
    uint32_t i = 0;
    while (i < arity && own[i] == arguments[i]) i++;
    if (i == arity) break;
  }
  return term;
}

/* `arguments` may point into the store. */
static Term make(Terms *terms, Symbol symbol, const Term *arguments,
                 uint32_t arity, bool variable) {
  uint64_t hash = hash_of(terms, symbol, arguments, arity);
  MapCursor at;
  Term term = find(terms, hash, symbol, arguments, arity, &at);
  if (term) return term;
  TermNode node = {.hash = hash,
                   .symbol = symbol,
                   .first = terms->arguments.count,
                   .size = 1,
                   .arity = (uint8_t)arity,
                   .variable = variable,
                   .ground = !variable};
  Term copy[TERM_LARGEST_ARITY];
  if (arity) memcpy(copy, arguments, arity * sizeof *copy);
  for (uint32_t i = 0; i < arity; i++) {
    uint32_t depth = term_depth(terms, copy[i]) + 1;
    if (depth > node.depth)
      node.depth = (uint16_t)(depth < TERM_DEEPEST ? depth : TERM_DEEPEST);
    node.size += term_size(terms, copy[i]);
    if (node.size > TERM_LARGEST_SIZE) node.size = TERM_LARGEST_SIZE;
    node.ground &= term_is_ground(terms, copy[i]);
    vector_push(&terms->arguments, copy[i]);
  }
  term = terms->nodes.count;
  vector_push(&terms->nodes, node);
  map_insert(&terms->map, &at, term);
  return term;
}

TermsMark terms_mark(const Terms *terms) {
  return (TermsMark){symbols_mark(&terms->symbols), terms->nodes.count,
                     terms->arguments.count};
}

void terms_restore(Terms *terms, const TermsMark *mark) {
  symbols_restore(&terms->symbols, &mark->symbols);
  terms->nodes.count = mark->nodes;
  terms->arguments.count = mark->arguments;
  vector_shrink(&terms->nodes);
  vector_shrink(&terms->arguments);
  map_reset(&terms->map, mark->nodes);
  for (Term t = 1; t < mark->nodes; t++)
    map_add(&terms->map, term_hash(terms, t), t);
}

Term term_variable(Terms *terms, Symbol name) {
  return make(terms, name, NULL, 0, true);
}

Term term_compound(Terms *terms, Symbol functor, const Term *arguments,
                   uint32_t arity) {
  return make(terms, functor, arguments, arity, false);
}

Term term_find(const Terms *terms, Symbol functor, const Term *arguments,
               uint32_t arity) {
  uint64_t hash = hash_of(terms, functor, arguments, arity);
  MapCursor at;
  return find(terms, hash, functor, arguments, arity, &at);
}

bool term_contains(const Terms *terms, Term term, Term variable) {
  if (term == variable) return true;
  if (term_is_ground(terms, term)) return false;
  for (uint32_t i = 0; i < term_arity(terms, term); i++)
    if (term_contains(terms, term_argument(terms, term, i), variable))
      return true;
  return false;
}

Term term_substitute(Terms *terms, Term term, const Term *variables,
                     const Term *values, uint32_t count) {
  if (term_is_ground(terms, term)) return term;
  if (term_is_variable(terms, term)) {
    for (uint32_t i = 0; i < count; i++)
      if (variables[i] == term) return values[i];
    return term;
  }
  uint32_t arity = term_arity(terms, term);
  Term *arguments = memory_new(arity * sizeof *arguments);
  for (uint32_t i = 0; i < arity; i++)
    arguments[i] = term_substitute(terms, term_argument(terms, term, i),
                                   variables, values, count);
  Term result =
      term_compound(terms, term_symbol(terms, term), arguments, arity);
  memory_delete(arguments);
  return result;
}

uint32_t term_substituted_size(const Terms *terms, Term term,
                               const Term *variables, const Term *values,
                               uint32_t count) {
  if (term_is_ground(terms, term)) return term_size(terms, term);
  if (term_is_variable(terms, term)) {
    for (uint32_t i = 0; i < count; i++)
      if (variables[i] == term) return term_size(terms, values[i]);
    return 1;
  }
  uint32_t size = 1;
  for (uint32_t i = 0; i < term_arity(terms, term); i++) {
    size += term_substituted_size(terms, term_argument(terms, term, i),
                                  variables, values, count);
    if (size > TERM_LARGEST_SIZE) size = TERM_LARGEST_SIZE;
  }
  return size;
}

bool term_vector_contains(const TermVector *set, Term term) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->data[i] == term) return true;
  return false;
}

void term_collect_variables(const Terms *terms, Term term, TermVector *set) {
  if (term_is_ground(terms, term)) return;
  if (term_is_variable(terms, term)) {
    if (!term_vector_contains(set, term)) vector_push(set, term);
    return;
  }
  for (uint32_t i = 0; i < term_arity(terms, term); i++)
    term_collect_variables(terms, term_argument(terms, term, i), set);
}

void term_write(const Terms *terms, Term term, Text *text) {
  uint32_t arity = term_arity(terms, term);
  if (arity) text_add_byte(text, '(');
  text_add(text, symbol_text(&terms->symbols, term_symbol(terms, term)));
  for (uint32_t i = 0; i < arity; i++) {
    text_add_byte(text, ' ');
    term_write(terms, term_argument(terms, term, i), text);
  }
  if (arity) text_add_byte(text, ')');
}

int64_t term_number(const Terms *terms, Term term) {
  if (term_arity(terms, term) || term_is_variable(terms, term)) return -1;
  const char *text = symbol_text(&terms->symbols, term_symbol(terms, term));
  int64_t value = 0;
  size_t digits = 0;
  for (; text[digits]; digits++) {
    if (text[digits] < '0' || text[digits] > '9' || digits == 9) return -1;
    value = value * 10 + (text[digits] - '0');
  }
  return digits ? value : -1;
}

int term_compare(const Terms *terms, Term a, Term b) {
  if (a == b) return 0;
  int64_t number_a = term_number(terms, a), number_b = term_number(terms, b);
  if (number_a >= 0 && number_b >= 0 && number_a != number_b)
    return number_a < number_b ? -1 : 1;
  if ((number_a >= 0) != (number_b >= 0)) return number_a >= 0 ? -1 : 1;
  int order = strcmp(symbol_text(&terms->symbols, term_symbol(terms, a)),
                     symbol_text(&terms->symbols, term_symbol(terms, b)));
  if (order) return order;
  uint32_t arity_a = term_arity(terms, a), arity_b = term_arity(terms, b);
  for (uint32_t i = 0; i < arity_a && i < arity_b && !order; i++)
    order = term_compare(terms, term_argument(terms, a, i),
                         term_argument(terms, b, i));
  if (order) return order;
  return (arity_a > arity_b) - (arity_a < arity_b);
}

static int compare_for_sort(const void *a, const void *b, void *terms) {
  return term_compare(terms, *(const Term *)a, *(const Term *)b);
}

void term_sort(const Terms *terms, Term *list, uint32_t count) {
  if (count > 1)
    qsort_r(list, count, sizeof *list, compare_for_sort, (void *)terms);
}

size_t terms_bytes(const Terms *terms) {
  return terms->nodes.capacity * sizeof(TermNode) +
         terms->arguments.capacity * sizeof(Term) + map_bytes(&terms->map);
}
