/* Messages between ranks on any bytes: the first decides which kind is read.
   What is read must be the same when it is written and read again. */
#include "contest/errand.h"

#include <string.h>

#include "fuzz/fuzz.h"

static TextVector words;

/* Reads and writes a message of a kind again; returns false if the text is
   none. */
static bool rewrite(int kind, const Text *in, Text *out) {
  ErrandBegin begin;
  ErrandReady ready;
  ErrandRules rules;
  Errand errand;
  ErrandNews news;
  bool fine = false;
  if (kind == 0 && errand_read_begin(&begin, in)) {
    fine = true;
    begin.limits.deadline = begin.limits.rules.deadline = 0; /* clocks */
    errand_write_begin(&begin, out);
  } else if (kind == 1 && errand_read_ready(&ready, in)) {
    fine = true;
    errand_write_ready(ready.threads, text_string(&ready.version), out);
    text_free(&ready.version);
  } else if (kind == 2 && errand_read_rules(&rules, in)) {
    Description description = {.source.name = text_string(&rules.name),
                               .text = rules.text};
    fine = true;
    errand_write_rules(rules.number, &description, out);
    text_free(&rules.name);
    text_free(&rules.text);
  } else if (kind == 3 && errand_read(&errand, in)) {
    fine = true;
    errand_write(&errand, out);
    errand_free(&errand);
  } else if (kind == 4 && errand_read_news(&news, in, &words)) {
    fine = true;
    errand_write_news(&news, out);
    errand_free_news(&news);
  }
  return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text = {0}, once = {0}, twice = {0};
  if (!size) return 0;
  int kind = data[0] % 5;
  text_add_bytes(&text, (const char *)data + 1, size - 1);
  if (rewrite(kind, &text, &once)) {
    promise(rewrite(kind, &once, &twice), "a written message is a message");
    promise(strcmp(text_string(&once), text_string(&twice)) == 0,
            "it is the same when it is written again");
  }
  text_free(&text);
  text_free(&once);
  text_free(&twice);
  text_vector_free(&words);
  return 0;
}
