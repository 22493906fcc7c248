/* Numbers of all positions are in one vector; positions know their parts. */
#include "command/solved.h"

#include <ctype.h>
#include <stdlib.h>

#include "engine/moves.h"
#include "engine/turn.h"

enum { FILE_LIMIT = 1 << 24, GOAL_MOST = 100, CHOICE_MOST = 1000000 };

/* ---- reading ---- */

static bool refuse(const SolvedFile *file, uint32_t line, const char *what,
                   Text *error) {
  text_format(error, "%s:%u: %s", file->path, line, what);
  return false;
}

/* numbers = {number}; stops at whatever is none. */
static bool read_numbers(SolvedFile *file, char **at, unsigned long most) {
  for (;;) {
    while (isblank((unsigned char)**at)) ++*at;
    if (!isdigit((unsigned char)**at)) return true;
    unsigned long number = strtoul(*at, at, 10);
    if (number > most) return false;
    vector_push(&file->numbers, (uint32_t)number);
  }
}

/* position = numbers ":" number {number} */
static bool read_position(SolvedFile *file, char *text, uint32_t line,
                          Text *error) {
  SolvedPosition position = {.line = line, .choices = file->numbers.count};
  if (!read_numbers(file, &text, CHOICE_MOST))
    return refuse(file, line, "a choice is too large", error);
  if (*text++ != ':')
    return refuse(file, line, "choices, a colon and values are expected",
                  error);
  position.values = file->numbers.count;
  position.choice_count = position.values - position.choices;
  if (!read_numbers(file, &text, GOAL_MOST))
    return refuse(file, line, "values are goals from 0 to 100", error);
  position.value_count = file->numbers.count - position.values;
  if (*text) return refuse(file, line, "a value is not a number", error);
  if (position.value_count < 2)
    return refuse(file, line, "there must be two values or more", error);
  vector_push(&file->positions, position);
  return true;
}

static bool read_line(SolvedFile *file, char *text, uint32_t line,
                      Text *error) {
  while (isblank((unsigned char)*text)) text++;
  if (!*text || *text == ';') return true;
  if (strncmp(text, "game ", 5) == 0) {
    if (file->game.length)
      return refuse(file, line, "the game is named twice", error);
    text_add(&file->game, text + 5);
    return true;
  }
  if (!file->game.length)
    return refuse(file, line, "a line 'game NAME' must come first", error);
  return read_position(file, text, line, error);
}

bool solved_read(SolvedFile *file, const char *path, Text *error) {
  *file = (SolvedFile){.path = path};
  Text text = {0}, why = {0};
  bool fine = text_read_file(&text, path, FILE_LIMIT, &why);
  if (!fine) text_format(error, "%s: %s", path, text_string(&why));
  char *next = text.bytes;
  for (uint32_t line = 1; fine && next && *next; line++) {
    char *own = next, *end = strchr(own, '\n');
    next = end ? end + 1 : NULL;
    if (end) *end = '\0';
    fine = read_line(file, own, line, error);
  }
  if (fine && !file->positions.count)
    fine = refuse(file, 1, "there are no positions", error);
  text_free(&text);
  text_free(&why);
  return fine;
}

void solved_free(SolvedFile *file) {
  text_free(&file->game);
  vector_free(&file->positions);
  vector_free(&file->numbers);
}

/* ---- entering ---- */

/* Makes a joint move of the next choices. Returns false if there are too few or
   one of them does not exist. */
static bool make_step(Game *game, const uint32_t *choices, uint32_t count,
                      uint32_t *used) {
  Move joint[RULE_ROLES];
  MoveVector sorted = {0};
  bool fine = !game_terminal(game);
  for (uint32_t role = 0; fine && role < game->role_count; role++) {
    const Move *moves;
    uint32_t legal = game_legal(game, role, &moves);
    fine = legal == 1 || (legal > 1 && *used < count && choices[*used] < legal);
    if (!fine) break;
    if (legal > 1) {
      vector_clear(&sorted);
      moves_sorted(game, role, &sorted);
      joint[role] = sorted.data[choices[(*used)++]];
    } else {
      joint[role] = moves[0];
    }
  }
  vector_free(&sorted);
  if (fine) game_make(game, joint);
  return fine;
}

bool solved_enter(const SolvedFile *file, uint32_t number, Game *game,
                  uint32_t *role, Text *error) {
  const SolvedPosition *position = &file->positions.data[number];
  const uint32_t *choices = file->numbers.data + position->choices;
  uint32_t used = 0;
  game_reset(game);
  for (;;) {
    bool forced = !game_terminal(game) && !turn_of(game).movers;
    if (used == position->choice_count && !forced) break;
    if (!make_step(game, choices, position->choice_count, &used) ||
        game_failed(game)) {
      text_format(error, "%s:%u: choice %u is not possible", file->path,
                  position->line, used + 1);
      return false;
    }
  }
  if (game_terminal(game))
    return refuse(file, position->line, "the game is over there", error);
  const Move *moves;
  *role = turn_of(game).role;
  uint32_t legal = game_legal(game, *role, &moves);
  if (legal == position->value_count) return true;
  text_format(error, "%s:%u: %u values for %u legal moves", file->path,
              position->line, position->value_count, legal);
  return false;
}

const uint32_t *solved_values(const SolvedFile *file, uint32_t number) {
  return file->numbers.data + file->positions.data[number].values;
}

uint32_t solved_best(const SolvedFile *file, uint32_t number) {
  const uint32_t *values = solved_values(file, number);
  uint32_t best = 0;
  for (uint32_t i = 0; i < file->positions.data[number].value_count; i++)
    if (values[i] > best) best = values[i];
  return best;
}
