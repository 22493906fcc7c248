/* tafl trace GAME: one random game in the format of engine/trace.h. */
#include "engine/trace.h"

#include <stdio.h>
#include <string.h>

#include "command/command.h"

/* Reads the terms of a text such as "(mark 1 1) noop noop (mark 2 2)". Returns
   false, after printing what is wrong, if it is not a list of ground terms. */
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

/* Plays and prints a game; returns the exit code. */
static int trace(const Options *options, Book *book, const TermVector *script) {
  Game *game = book_game(book);
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  Text text = {0};
  bool fine =
      trace_write(game, &random, script, (uint32_t)options->steps, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  bool illegal = !fine && !game_failed(game);
  int code = open_finish(options, game);
  return illegal ? EXIT_INPUT : code;
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
  Book book;
  int code = EXIT_INPUT;
  if (read_script(&description, options->moves, &script)) {
    code = EXIT_LIMIT;
    if (open_book(options, &description, &book)) {
      code = trace(options, &book, &script);
      book_free(&book);
    }
  }
  vector_free(&script);
  description_free(&description);
  return code;
}
