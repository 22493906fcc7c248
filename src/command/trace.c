/* tafl trace GAME: one random game in the format of engine/trace.h. */
#include "engine/trace.h"

#include <stdio.h>
#include <string.h>

#include "command/command.h"

/* The terms of a text such as "(mark 1 1) noop noop (mark 2 2)"; false, after
   showing what is wrong, if it is no list of ground terms. */
static bool read_script(Description *description, const char *moves,
                        TermVector *script) {
  Terms *terms = &description->rules.terms;
  Source source;
  Report report;
  Arena arena = {0};
  source_init(&source, "--moves", moves, strlen(moves));
  report_init(&report, &source);
  const Form *form = parse_text(terms, &arena, &source, &report);
  for (; form; form = form->next) {
    Term term = parse_term(terms, form, &report);
    if (term && !term_is_ground(terms, term))
      report_error(&report, form->offset, "syntax", "a move has no variables");
    vector_push(script, term);
  }
  if (script->count % description->rules.roles.count)
    report_error(&report, 0, "syntax", "%u moves for %u roles", script->count,
                 description->rules.roles.count);
  bool fine = report.errors == 0;
  if (!fine) {
    Text text = {0};
    report_write(&report, true, &text);
    fputs(text_string(&text), stderr);
    text_free(&text);
  }
  report_free(&report);
  source_free(&source);
  arena_free(&arena);
  return fine;
}

/* Play and print; false if a scripted move was illegal. */
static bool trace(const Options *options, Game *game,
                  const TermVector *script) {
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  Text text = {0};
  bool fine =
      trace_write(game, &random, script, (uint32_t)options->steps, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  return fine || game_failed(game);
}

int command_trace(const Options *options) {
  if (options->argument_count != 1) {
    log_error("trace takes one game");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  TermVector script = {0};
  int code = EXIT_INPUT;
  if (read_script(&description, options->moves, &script)) {
    Game *game = open_engine(options, &description, NULL);
    bool legal = !game || trace(options, game, &script);
    code = game ? close_engine(options, game) : EXIT_LIMIT;
    if (!legal) code = EXIT_INPUT;
  }
  vector_free(&script);
  description_free(&description);
  return code;
}
