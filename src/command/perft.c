/* tafl perft GAME DEPTH: exact counts for every depth up to DEPTH, or for DEPTH
   alone below each first joint move. */
#include "engine/perft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/setup.h"
#include "engine/moves.h"

static bool parse_depth(const char *text, uint32_t *depth) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*end || end == text || text[0] == '-' || value < 1 || value > 1000)
    return false;
  *depth = (uint32_t)value;
  return true;
}

static void print_json(json_t *line) {
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void print_count(const Options *options, uint32_t depth, uint64_t count,
                        double seconds) {
  log_progress_end();
  if (options->json)
    print_json(json_pack("{s:i, s:I, s:f}", "depth", (int)depth, "count",
                         (json_int_t)count, "seconds", seconds));
  else
    printf("%3" PRIu32 " %20" PRIu64 " %10.3f s\n", depth, count, seconds);
  fflush(stdout);
}

/* ---- what is heard while counting ---- */

typedef struct Counting {
  const Options *options;
  const Game *game;
  uint32_t depth;
  uint64_t count; /* so far */
  double start, next;
} Counting;

static void show_progress(Counting *counting, uint64_t done, uint64_t all) {
  double now = clock_now();
  if (now < counting->next || !log_progress_wanted()) return;
  counting->next = now + 0.2;
  log_progress("depth %" PRIu32 ": %" PRIu64 " of %" PRIu64
               " first moves, %" PRIu64 " sequences in %.0f s",
               counting->depth, done, all, counting->count,
               now - counting->start);
}

static void print_part(const Counting *counting, const Move *joint,
                       uint64_t count) {
  const Game *game = counting->game;
  json_t *moves = json_array();
  Text all = {0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text move = {0};
    moves_write(game, role, joint[role], &move);
    text_format(&all, " %s", move.bytes);
    json_array_append_new(moves, open_json_text(move.bytes));
    text_free(&move);
  }
  log_progress_end();
  if (counting->options->json)
    print_json(
        json_pack("{s:O, s:I}", "moves", moves, "count", (json_int_t)count));
  else
    printf("%24" PRIu64 " %s\n", count, all.bytes);
  json_decref(moves);
  text_free(&all);
}

static void hear(void *context, const Move *joint, uint64_t count,
                 uint64_t done, uint64_t all) {
  Counting *counting = context;
  counting->count += count;
  if (counting->options->divide) print_part(counting, joint, count);
  show_progress(counting, done, all);
}

/* ---- counting ---- */

static void count_depth(const Options *options, Game *game, uint32_t depth) {
  double start = clock_now();
  Counting counting = {options, game, depth, 0, start, start + 1};
  bool heard = options->divide || (depth > 1 && log_progress_wanted());
  uint64_t leaves = heard ? perft_divide(game, depth, hear, &counting)
                          : perft_count(game, depth);
  if (!game_failed(game))
    print_count(options, depth, leaves, clock_now() - start);
}

static int count(const Options *options, Book *book, uint32_t depth) {
  Game *game = book_game(book);
  int code = EXIT_FINE;
  if (setup_enter(options, game)) {
    uint32_t first = options->divide ? depth : 1;
    for (uint32_t d = first; d <= depth && !game_failed(game); d++)
      count_depth(options, game, d);
  } else {
    code = EXIT_INPUT;
  }
  int end = open_end(options, book, game);
  return end == EXIT_FINE ? code : end;
}

int command_perft(const Options *options) {
  uint32_t depth;
  if (options->argument_count != 2 ||
      !parse_depth(options->arguments[1], &depth)) {
    log_error("perft takes a game and a depth from 1 to 1000");
    return EXIT_USAGE;
  }
  Description description;
  open_begin(options, 0);
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
