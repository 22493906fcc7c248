/* tafl trace GAME: one random game in the format of engine/trace.h. */
#include "engine/trace.h"

#include <stdio.h>

#include "command/command.h"
#include "command/setup.h"

static void print_part(Text *text) {
  fputs(text_string(text), stdout);
  text_clear(text);
}

/* Plays and prints a game; returns the exit code. */
static int trace(const Options *options, Book *book, const TermVector *script) {
  Game *game = book_game(book);
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  Text text = {0};
  bool fine = trace_write(game, &random, script, (uint32_t)options->steps,
                          print_part, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  bool illegal = !fine && !game_failed(game);
  int code = open_end(options, book, game);
  return illegal ? EXIT_INPUT : code;
}

int command_trace(const Options *options) {
  if (options->argument_count != 1) {
    log_error("trace takes one game");
    return EXIT_USAGE;
  }
  Description description;
  open_begin(options, 0);
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  TermVector script = {0};
  Book book;
  int code = EXIT_INPUT;
  if (setup_read_moves(&description, options->moves, &script)) {
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
