/* tafl replay RECORD: a recorded match step by step, moved by keys on a
   terminal, else one step after the other. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/replay_screen.h"
#include "command/style.h"
#include "match/spelling.h"

enum { RECORD_LARGEST = 1 << 28 }; /* bytes */

/* ---- moves ---- */

/* Finds a step's moves in the game, which is at the state before it. */
static bool find_joint(Replay *replay, uint32_t step, Move *joint,
                       Text *error) {
  Game *game = replay->game;
  bool fine = true;
  for (uint32_t role = 0; role < game->role_count && fine; role++) {
    Text move = {0};
    record_move(&replay->record, step, role, &move);
    fine = spelling_find(game, role, text_string(&move), &joint[role]);
    if (!fine && !game_failed(game)) {
      text_format(error, "step %u: %s is not a legal move of ", step + 1,
                  move.length ? move.bytes : "an empty text");
      moves_write_role(game, role, error);
    }
    text_free(&move);
  }
  return fine;
}

/* Plays all moves. Returns false and sets `error` if one is not legal, or the
   engine fails. */
static bool read_moves(Replay *replay, Text *error) {
  Game *game = replay->game;
  Move joint[RULE_ROLES];
  uint32_t roles = record_roles(&replay->record);
  replay->steps = record_steps(&replay->record);
  if (replay->steps && roles != game->role_count) {
    text_format(error, "its steps have %u moves, but the game has %u role%s",
                roles, game->role_count, game->role_count == 1 ? "" : "s");
    return false;
  }
  for (uint32_t step = 0; step < replay->steps; step++) {
    if (game_terminal(game))
      text_format(error, "step %u: the game is over before it", step + 1);
    else if (find_joint(replay, step, joint, error))
      game_make(game, joint);
    if (error->length || game_failed(game)) return false;
    for (uint32_t role = 0; role < game->role_count; role++)
      vector_push(&replay->joints, joint[role]);
  }
  replay->at = replay->steps;
  return true;
}

/* ---- output ---- */

static void print_step(Replay *replay) {
  Text text = {0};
  replay_show_step(replay, 0, &text);
  printf("\n%s", text_string(&text));
  text_free(&text);
}

static void print_match(const Replay *replay) {
  Text text = {0};
  replay_show_match(replay, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
}

static int show(const Options *options, Replay *replay) {
  if (options->step > (int64_t)replay->steps) {
    log_error("--step: the match has %u steps", replay->steps);
    return EXIT_USAGE;
  }
  replay_show_go(replay, options->step > 0 ? (uint32_t)options->step : 0);
  if (options->step < 0 && replay_screen_possible()) {
    replay_screen_run(replay);
    return EXIT_FINE;
  }
  print_match(replay);
  print_step(replay);
  while (options->step < 0 && replay->at < replay->steps) {
    replay_show_go(replay, replay->at + 1);
    print_step(replay);
  }
  return EXIT_FINE;
}

static int run(const Options *options, Replay *replay, Book *book) {
  Text error = {0};
  int code = EXIT_INPUT;
  replay->game = book_game(book);
  if (read_moves(replay, &error)) {
    replay->boards = boards_new(book->description, book_analysis(book));
    replay->style = style_of_terminal();
    code = show(options, replay);
    boards_delete(replay->boards);
  }
  if (error.length) log_error("%s: %s", options->arguments[0], error.bytes);
  text_free(&error);
  vector_free(&replay->joints);
  int end = open_finish(options, replay->game);
  return end == EXIT_FINE ? code : end;
}

/* ---- rules ---- */

/* Reads the rules of the record. Returns false, after printing why, if it has
   none or they are not valid. */
static bool read_rules(const Options *options, const Record *record,
                       Description *description) {
  const char *rules = record_rules(record);
  if (!*rules) {
    log_error("%s: it has no rules; name the game: tafl replay RECORD GAME",
              options->arguments[0]);
    return false;
  }
  description_init(description, "rules", rules, strlen(rules));
  if (description_valid(description)) return true;
  Text text = {0};
  report_write(&description->report, true, &text);
  log_error("%s: its rules are not valid", options->arguments[0]);
  fputs(text_string(&text), stderr);
  text_free(&text);
  description_free(description);
  return false;
}

static int open_game(const Options *options, Replay *replay) {
  Description description;
  Book book;
  int code = EXIT_LIMIT;
  if (!(options->argument_count == 2
            ? open_description(options, options->arguments[1], &description)
            : read_rules(options, &replay->record, &description)))
    return EXIT_INPUT;
  log_progress("loading %s", options->arguments[options->argument_count - 1]);
  if (open_book(options, &description, &book)) {
    log_progress_end();
    code = run(options, replay, &book);
    book_free(&book);
  }
  description_free(&description);
  return code;
}

int command_replay(const Options *options) {
  Replay replay = {0};
  Text error = {0};
  if (options->argument_count < 1 || options->argument_count > 2) {
    log_error("replay takes a match record, and the game if its rules are not "
              "in the record");
    return EXIT_USAGE;
  }
  int code = EXIT_INPUT;
  if (record_read_moves(&replay.record, options->arguments[0], RECORD_LARGEST,
                        &error)) {
    code = open_game(options, &replay);
    record_free(&replay.record);
  } else {
    log_error("%s: %s", options->arguments[0], error.bytes);
  }
  text_free(&error);
  return code;
}
