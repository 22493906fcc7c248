/* Games on the command line, one after the other, for benchmarks of an agent's
   mind. */
#include <stdio.h>

#include "command/bench.h"

static int bench_one(const Options *options, const char *path,
                     const Settings *settings, BenchMeasure *measure) {
  Description description;
  Book book;
  int code = EXIT_LIMIT;
  open_begin(options, 0);
  if (!open_description(options, path, &description)) return EXIT_INPUT;
  if (open_book(options, &description, &book)) {
    code = measure(options, path, &book, settings);
    book_free(&book);
  }
  description_free(&description);
  return code;
}

int bench_agent(const Options *options, const char *agent,
                BenchMeasure *measure) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error)) {
    log_error("--players: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  int worst = EXIT_FINE;
  for (int i = 0; i < options->argument_count; i++) {
    int code = bench_one(options, options->arguments[i], &settings, measure);
    fflush(stdout);
    if (code > worst) worst = code;
  }
  return worst;
}
