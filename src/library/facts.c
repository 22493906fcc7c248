#include "library/facts.h"

#include "gdl/parse.h"

/* Reads a ground term; returns 0 if the text is not one. */
static Term read_term(Terms *terms, const char *text) {
  Source source;
  Report report;
  Arena arena = {0};
  Term term = 0;
  source_init(&source, "text", text, strlen(text));
  report_init(&report, &source);
  const Form *form = parse_text(terms, &arena, &source, &report);
  if (form && !form->next && !report.errors)
    term = parse_term(terms, form, &report);
  if (report.errors || (term && !term_is_ground(terms, term))) term = 0;
  report_free(&report);
  source_free(&source);
  arena_free(&arena);
  return term;
}

/* Equal texts have equal hashes in all stores; texts decide. */
static Term find_fluent(const Book *book, const Terms *terms, Term wanted,
                        Text *own, Text *other) {
  const Terms *known = &book->description->rules.terms;
  text_clear(own);
  term_write(terms, wanted, own);
  for (uint32_t i = 0; i < book->net.fluents.count; i++) {
    Term term = book->net.fluents.data[i].term;
    if (term_hash(known, term) != term_hash(terms, wanted)) continue;
    text_clear(other);
    term_write(known, term, other);
    if (strcmp(text_string(own), text_string(other)) == 0) return term;
  }
  return 0;
}

uint32_t facts_find(Book *book, const char *const *facts, uint32_t count,
                    TermVector *terms) {
  Terms store, *used = &book->description->rules.terms;
  Text own = {0}, other = {0};
  uint32_t i = 0;
  if (book->has_net) {
    terms_init(&store);
    used = &store;
  }
  for (; i < count; i++) {
    Term term = facts[i] ? read_term(used, facts[i]) : 0;
    if (term && book->has_net)
      term = find_fluent(book, used, term, &own, &other);
    if (!term) break;
    if (!term_vector_contains(terms, term)) vector_push(terms, term);
  }
  if (book->has_net) terms_free(&store);
  text_free(&own);
  text_free(&other);
  return i;
}

bool facts_normal(const char *text, Text *normal) {
  Terms terms;
  terms_init(&terms);
  Term term = read_term(&terms, text);
  if (term) term_write(&terms, term, normal);
  terms_free(&terms);
  return term;
}
