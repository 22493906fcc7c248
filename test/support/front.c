#include "support/front.h"

void front_read(Description *description, const char *text) {
  description_init(description, "game", text, strlen(text));
}

Term front_term(Terms *terms, const char *text) {
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

uint32_t front_count(const Report *report, const char *id) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->list.count; i++)
    count += strcmp(report->list.data[i].id, id) == 0;
  return count;
}
