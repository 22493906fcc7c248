/* Short ways to feed the front end in tests. */
#ifndef TAFL_TEST_GDL_FRONT_H
#define TAFL_TEST_GDL_FRONT_H

#include "gdl/description.h"
#include "support/unit.h"

/* The text as a description named "game". */
static inline void front_read(Description *description, const char *text) {
  description_init(description, "game", text, strlen(text));
}

/* A term of the text, which must be one form. */
static inline Term front_term(Terms *terms, const char *text) {
  Source source;
  Report report;
  Arena arena = {0};
  source_init(&source, "term", text, strlen(text));
  report_init(&report, &source);
  Form *form = parse_text(terms, &arena, &source, &report);
  assert_non_null(form);
  assert_null(form->next);
  Term term = parse_term(terms, form, &report);
  assert_int_equal(report.errors, 0);
  arena_free(&arena);
  report_free(&report);
  source_free(&source);
  return term;
}

/* Diagnostics of the id. */
static inline uint32_t front_count(const Report *report, const char *id) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->list.count; i++)
    count += strcmp(report->list.data[i].id, id) == 0;
  return count;
}

#endif
