/* A step shows the moves of roles that had a choice, and whatever went wrong.
   Texts of the record are not trusted: control characters are replaced. */
#include "command/replay_show.h"

#include <time.h>

#include "command/story.h"

void replay_show_go(Replay *replay, uint32_t step) {
  uint32_t roles = replay->game->role_count;
  for (; replay->at > step; replay->at--) game_retract(replay->game);
  for (; replay->at < step; replay->at++)
    game_make(replay->game, replay->joints.data + replay->at * roles);
}

/* ---- texts of others ---- */

/* Appends a text without control characters; those of C1 are C2 80 to C2 9F in
   UTF-8. */
static void add_plain(Text *text, const char *string) {
  for (; *string; string++) {
    unsigned char byte = (unsigned char)*string;
    bool second = byte == 0xc2 && (unsigned char)string[1] < 0xa0;
    if (second && string[1]) string++;
    text_add_byte(text, second || byte < ' ' || byte == 127 ? '?' : *string);
  }
}

/* ---- the match ---- */

static void add_time(Text *text, double seconds) {
  time_t whole = (time_t)seconds;
  struct tm parts;
  char written[40];
  if (seconds < 1 || seconds > 1e11 || !gmtime_r(&whole, &parts)) return;
  strftime(written, sizeof written, ", %Y-%m-%d %H:%M UTC", &parts);
  text_add(text, written);
}

void replay_show_match(const Replay *replay, Text *text) {
  const Record *record = &replay->record;
  const char *game = record_game(record);
  text_add(text, "match ");
  add_plain(text, record_id(record));
  text_add(text, " of ");
  add_plain(text, *game ? game : replay->game->description->source.name);
  add_time(text, record_time(record));
  text_add_byte(text, '\n');
  for (uint32_t role = 0; role < replay->game->role_count; role++) {
    const char *player = record_player(record, role);
    text_add(text, role ? ", " : "");
    moves_write_role(replay->game, role, text);
    text_add(text, ": ");
    add_plain(text, *player ? player : "unknown");
  }
  text_add_byte(text, '\n');
}

/* ---- a step ---- */

/* Errors of records in words: TO, IL with the reply, CE with the reason. */
static void add_error(Text *text, const char *error) {
  bool known = error[0] && error[1] && (!error[2] || error[2] == ' ');
  const char *rest = known && error[2] ? error + 3 : "";
  if (known && error[0] == 'T' && error[1] == 'O')
    text_add(text, "no reply in time");
  else if (known && error[0] == 'I' && error[1] == 'L')
    text_add(text, "illegal reply");
  else if (known && error[0] == 'C' && error[1] == 'E')
    text_add(text, "no connection");
  else
    rest = error;
  if (*rest) text_add(text, rest == error ? "error: " : ": ");
  add_plain(text, rest);
}

static void add_turn(Text *text, const RecordTurn *turn) {
  if (turn->seconds >= 0) text_format(text, "  %.2f s", turn->seconds);
  if (turn->report.searched)
    text_format(text, ", %s %.1f, %llu simulations",
                turn->report.proven ? "solved:" : "value", turn->report.value,
                (unsigned long long)turn->work.simulations);
  if (!turn->error.length) return;
  text_add(text, "  [");
  add_error(text, turn->error.bytes);
  text_add_byte(text, ']');
}

/* The game is at the state before the step. */
static void write_moves(Replay *replay, uint32_t step, Text *text) {
  Game *game = replay->game;
  const Move *joint = replay->joints.data + step * game->role_count, *legal;
  uint32_t choices = 0;
  for (uint32_t role = 0; role < game->role_count; role++)
    choices += game_legal(game, role, &legal) > 1;
  for (uint32_t role = 0; role < game->role_count; role++) {
    RecordTurn turn;
    record_turn(&replay->record, step, role, &turn);
    bool chose = game_legal(game, role, &legal) > 1 || !choices;
    if (chose || turn.error.length) {
      text_add(text, "  ");
      moves_write_role(game, role, text);
      text_add(text, ": ");
      story_say(game, role, joint[role], text);
      add_turn(text, &turn);
      text_add_byte(text, '\n');
    }
    text_free(&turn.error);
  }
}

/* What went wrong before the first move. */
static void write_start(const Replay *replay, Text *text) {
  for (uint32_t role = 0; role < replay->game->role_count; role++) {
    RecordTurn turn;
    record_turn(&replay->record, -1, role, &turn);
    if (turn.error.length) {
      text_add(text, "  ");
      moves_write_role(replay->game, role, text);
      text_add_byte(text, ':');
      add_turn(text, &turn);
      text_add_byte(text, '\n');
    }
    text_free(&turn.error);
  }
}

/* ---- the end ---- */

static void add_goals(const Game *game, const int *goals, Text *text) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add(text, role ? ", " : "");
    moves_write_role(game, role, text);
    text_format(text, " %d", goals[role]);
  }
}

/* The goals in words. */
static void write_goals(Game *game, Text *text) {
  int goals[RULE_ROLES], highest = -1, lowest = 101;
  uint32_t count = 0, winner = 0, roles = game->role_count;
  for (uint32_t role = 0; role < roles; role++) {
    goals[role] = game_goal(game, role);
    if (goals[role] < 0) goals[role] = 0;
    if (goals[role] > highest) {
      highest = goals[role];
      winner = role;
      count = 0;
    }
    count += goals[role] == highest;
    if (goals[role] < lowest) lowest = goals[role];
  }
  if (roles == 1) {
    text_format(text, "%d of 100", highest);
  } else if (count == roles) {
    text_format(text, "a draw, %d each", highest);
  } else if (count > 1) {
    add_goals(game, goals, text);
  } else {
    moves_write_role(game, winner, text);
    text_add(text, " wins");
    if (roles == 2) text_format(text, ", %d to %d", highest, lowest);
    if (roles > 2) text_add(text, ": ");
    if (roles > 2) add_goals(game, goals, text);
  }
}

static void write_end(const Replay *replay, Text *text) {
  const char *how = record_how_ended(&replay->record);
  if (game_terminal(replay->game)) {
    text_add(text, "Result: ");
    write_goals(replay->game, text);
  } else if (*how) {
    text_add(text, "The match was not finished: ");
    add_plain(text, how);
  } else {
    text_add(text, record_aborted(&replay->record)
                       ? "The match was aborted."
                       : "The record ends here, before the end of the game.");
  }
  text_add_byte(text, '\n');
}

/* ---- all of it ---- */

static void copy_facts(Game *game, TermVector *copy) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  for (uint32_t i = 0; i < count; i++) vector_push(copy, facts[i]);
}

/* Draws the state into that many lines, 0: any number. */
static void draw(Replay *replay, const TermVector *before, uint32_t height,
                 Text *text) {
  BoardsStyle style = replay->style;
  const Term *facts;
  uint32_t count = game_facts(replay->game, &facts), lines = 0;
  Text board = {0};
  style.height = height;
  style.over = game_terminal(replay->game);
  boards_draw(replay->boards, &style, facts, count, before->data, before->count,
              &board);
  for (size_t i = 0; i < board.length && (!height || lines < height); i++) {
    text_add_byte(text, board.bytes[i]);
    lines += board.bytes[i] == '\n';
  }
  text_free(&board);
}

void replay_show_step(Replay *replay, uint32_t height, Text *text) {
  uint32_t step = replay->at;
  TermVector before = {0};
  text_format(text, "step %u of %u\n", step, replay->steps);
  if (step) {
    replay_show_go(replay, step - 1);
    write_moves(replay, step - 1, text);
    copy_facts(replay->game, &before);
    replay_show_go(replay, step);
  } else {
    write_start(replay, text);
  }
  draw(replay, &before, height, text);
  if (step == replay->steps) write_end(replay, text);
  vector_free(&before);
}
