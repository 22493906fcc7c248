/* The KIF reader on any bytes: forms, their terms, and the places of errors. A
   term must be the same when it is written and read again. */
#include "fuzz/fuzz.h"

static Term read_back(Terms *terms, const Text *text) {
  Source source;
  Report report;
  Arena arena = {0};
  source_init(&source, "written", text_string(text), text->length);
  report_init(&report, &source);
  const Form *form = parse_text(terms, &arena, &source, &report);
  Term term = form && !form->next ? parse_term(terms, form, &report) : 0;
  report_free(&report);
  source_free(&source);
  arena_free(&arena);
  return term;
}

static void read_form(Terms *terms, const Form *form, Report *report) {
  Term term = parse_term(terms, form, report);
  if (!term) return;
  Text text = {0};
  text_add_byte(&text, '\n'); /* a byte order mark is a name elsewhere */
  term_write(terms, term, &text);
  promise(read_back(terms, &text) == term, "a term read back is the same term");
  promise(term_compare(terms, term, term) == 0, "a term equals itself");
  text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Terms terms;
  Source source;
  Report report;
  Arena arena = {0};
  Text text = {0};
  terms_init(&terms);
  source_init(&source, "fuzz", (const char *)data, size);
  report_init(&report, &source);
  const Form *form = parse_text(&terms, &arena, &source, &report);
  for (; form; form = form->next) {
    promise(form->offset < size, "a form begins in the text");
    read_form(&terms, form, &report);
  }
  report_write(&report, false, &text);
  text_free(&text);
  report_free(&report);
  source_free(&source);
  arena_free(&arena);
  terms_free(&terms);
  return 0;
}
