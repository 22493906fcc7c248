/* tafl perft GAME DEPTH: exact counts for every depth up to DEPTH. */
#include "engine/perft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "command/command.h"

static bool parse_depth(const char *text, uint32_t *depth) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*end || end == text || text[0] == '-' || value < 1 || value > 1000)
    return false;
  *depth = (uint32_t)value;
  return true;
}

static void print_count(const Options *options, uint32_t depth, uint64_t count,
                        double seconds) {
  if (options->json) {
    json_t *line = json_pack("{s:i, s:I, s:f}", "depth", (int)depth, "count",
                             (json_int_t)count, "seconds", seconds);
    json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(line);
  } else {
    printf("%3" PRIu32 " %20" PRIu64 " %10.3f s\n", depth, count, seconds);
  }
  fflush(stdout);
}

static int count(const Options *options, Book *book, uint32_t depth) {
  Game *game = book_game(book);
  for (uint32_t d = 1; d <= depth && !game_failed(game); d++) {
    double start = clock_now();
    uint64_t leaves = perft_count(game, d);
    if (!game_failed(game))
      print_count(options, d, leaves, clock_now() - start);
  }
  return open_finish(options, game);
}

int command_perft(const Options *options) {
  uint32_t depth;
  if (options->argument_count != 2 ||
      !parse_depth(options->arguments[1], &depth)) {
    log_error("perft takes a game and a depth from 1 to 1000");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Book book;
  int code = EXIT_LIMIT;
  if (open_book(options, &description, &book)) {
    code = count(options, &book, depth);
    book_free(&book);
  }
  description_free(&description);
  return code;
}
