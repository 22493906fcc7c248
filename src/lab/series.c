/* Each key is a line of a table with the function that reads it. Numbers are
   written without a fraction if they are whole, else with 15 digits, and keys
   in alphabetical order, so that equal series have equal text. */
#include "lab/series.h"

#include "io/json.h"

#include <math.h>
#include <stdlib.h>

#include "io/json.h"

enum { MOST_GAMES = 1000000000, MOST_STEPS = 1000000000, MOST_PLAYERS = 64 };

static const char *const unit_names[] = {[UNIT_SECONDS] = "seconds",
                                         [UNIT_SIMULATIONS] = "simulations",
                                         [UNIT_STATES] = "states"};

/* ---- life ---- */

void series_init(Series *series) {
  *series = (Series){.games = 100, .seed = 1, .play = 1, .steps = 1000};
}

void series_free(Series *series) {
  text_free(&series->game);
  text_vector_free(&series->players);
}

void series_copy(Series *series, const Series *from) {
  *series = *from;
  series->game = (Text){0};
  memset(&series->players, 0, sizeof series->players);
  text_add(&series->game, text_string(&from->game));
  for (uint32_t i = 0; i < from->players.count; i++) {
    Text player = {0};
    text_add(&player, text_string(&from->players.data[i]));
    vector_push(&series->players, player);
  }
}

void series_vector_free(SeriesVector *list) {
  for (uint32_t i = 0; i < list->count; i++) series_free(&list->data[i]);
  vector_free(list);
}

/* ---- reading: each function sets one field ---- */

static bool read_whole(const json_t *value, json_int_t least, json_int_t most,
                       json_int_t *number, Text *error) {
  *number = json_integer_value(value);
  if (json_is_integer(value) && *number >= least && *number <= most)
    return true;
  text_format(error, "expected a whole number from %lld to %lld",
              (long long)least, (long long)most);
  return false;
}

static bool read_budget(const json_t *value, double *budget, Text *error) {
  double number = json_number_value(value);
  if (!json_is_number(value) ||
      !(number >= 0 && number <= SERIES_MOST_BUDGET)) {
    text_format(error, "expected a number from 0 to %g", SERIES_MOST_BUDGET);
    return false;
  }
  *budget = number;
  return true;
}

static bool read_game(Series *series, const json_t *value, Text *error) {
  if (!json_is_string(value) || !json_string_length(value)) {
    text_add(error, "expected the name of a game");
    return false;
  }
  text_clear(&series->game);
  text_add(&series->game, json_string_value(value));
  return true;
}

static bool check_player(const json_t *value, size_t number, Text *error) {
  AgentSpec spec;
  Text why = {0};
  bool fine = json_is_string(value);
  if (!fine) {
    text_format(error, "expected an agent as text at place %zu", number + 1);
  } else if ((fine = spec_parse(&spec, json_string_value(value), &why))) {
    spec_free(&spec);
  } else {
    text_format(error, "'%s' is no agent: %s", json_string_value(value),
                text_string(&why));
  }
  text_free(&why);
  return fine;
}

static bool read_players(Series *series, const json_t *value, Text *error) {
  size_t count = json_array_size(value);
  if (!json_is_array(value) || !count || count > MOST_PLAYERS) {
    text_format(error, "expected a list of 1 to %d agents", MOST_PLAYERS);
    return false;
  }
  for (size_t i = 0; i < count; i++)
    if (!check_player(json_array_get(value, i), i, error)) return false;
  text_vector_free(&series->players);
  for (size_t i = 0; i < count; i++) {
    Text player = {0};
    text_add(&player, json_string_value(json_array_get(value, i)));
    vector_push(&series->players, player);
  }
  return true;
}

static bool read_games(Series *series, const json_t *value, Text *error) {
  json_int_t number;
  if (!read_whole(value, 1, MOST_GAMES, &number, error)) return false;
  series->games = (uint32_t)number;
  return true;
}

static bool read_seed(Series *series, const json_t *value, Text *error) {
  json_int_t number;
  if (!read_whole(value, 0, INT64_MAX, &number, error)) return false;
  series->seed = (uint64_t)number;
  return true;
}

static bool read_steps(Series *series, const json_t *value, Text *error) {
  json_int_t number;
  if (!read_whole(value, 1, MOST_STEPS, &number, error)) return false;
  series->steps = (uint32_t)number;
  return true;
}

static bool read_opening(Series *series, const json_t *value, Text *error) {
  json_int_t number;
  if (!read_whole(value, 0, MOST_STEPS, &number, error)) return false;
  series->opening = (uint32_t)number;
  return true;
}

static bool read_unit(Series *series, const json_t *value, Text *error) {
  const char *name = json_string_value(value);
  for (BudgetUnit unit = UNIT_SECONDS; name && unit <= UNIT_STATES; unit++) {
    if (strcmp(name, unit_names[unit]) != 0) continue;
    series->unit = unit;
    return true;
  }
  text_add(error, "expected \"seconds\", \"simulations\" or \"states\"");
  return false;
}

static bool read_play(Series *series, const json_t *value, Text *error) {
  return read_budget(value, &series->play, error);
}

static bool read_start(Series *series, const json_t *value, Text *error) {
  return read_budget(value, &series->start, error);
}

static bool read_idle(Series *series, const json_t *value, Text *error) {
  if (!json_is_boolean(value)) {
    text_add(error, "expected true or false");
    return false;
  }
  series->idle = json_is_true(value);
  return true;
}

static const struct {
  const char *name;
  bool (*read)(Series *series, const json_t *value, Text *error);
} keys[] = {{"game", read_game},   {"players", read_players},
            {"games", read_games}, {"seed", read_seed},
            {"unit", read_unit},   {"play", read_play},
            {"start", read_start}, {"steps", read_steps},
            {"idle", read_idle},   {"opening", read_opening}};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

bool series_has_key(const char *key) {
  for (int i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].name, key) == 0) return true;
  return false;
}

bool series_read(Series *series, const json_t *object, Text *error) {
  for (int i = 0; i < KEY_COUNT; i++) {
    const json_t *value = json_object_get(object, keys[i].name);
    Text why = {0};
    bool fine = !value || keys[i].read(series, value, &why);
    if (!fine) text_format(error, "%s: %s", keys[i].name, text_string(&why));
    text_free(&why);
    if (!fine) return false;
  }
  return true;
}

/* ---- writing ---- */

static json_t *budget_number(double budget) {
  return budget == floor(budget) ? json_integer((json_int_t)budget)
                                 : json_real(budget);
}

json_t *series_write(const Series *series, bool key) {
  json_t *object = json_object(), *players = json_array();
  for (uint32_t i = 0; i < series->players.count; i++)
    json_array_append_new(players,
                          json_plain(text_string(&series->players.data[i])));
  json_object_set_new(object, "game", json_plain(text_string(&series->game)));
  json_object_set_new(object, "players", players);
  if (!key) json_object_set_new(object, "games", json_integer(series->games));
  json_object_set_new(object, "seed", json_integer((json_int_t)series->seed));
  json_object_set_new(object, "unit", json_string(unit_names[series->unit]));
  json_object_set_new(object, "play", budget_number(series->play));
  json_object_set_new(object, "start", budget_number(series->start));
  json_object_set_new(object, "steps", json_integer(series->steps));
  json_object_set_new(object, "idle", json_boolean(series->idle));
  if (series->opening) /* so that keys without one stay as they were */
    json_object_set_new(object, "opening", json_integer(series->opening));
  return object;
}

void series_key(const Series *series, Text *text) {
  json_t *object = series_write(series, true);
  json_add_text(object, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15),
                text);
  json_decref(object);
}

void series_write_budget(const Series *series, Text *text) {
  const char *unit = unit_names[series->unit];
  int length = (int)strlen(unit) - (series->play == 1); /* "1 state" */
  text_format(text, "%.15g %.*s a move", series->play, length, unit);
  if (series->start > 0)
    text_format(text, ", %.15g at the start", series->start);
  if (series->idle) text_add(text, ", thinking in every step");
  if (series->opening)
    text_format(text, ", %u random step%s at the beginning", series->opening,
                series->opening == 1 ? "" : "s");
}

/* ---- budgets ---- */

static Budget to_budget(BudgetUnit unit, double amount) {
  uint64_t whole = (uint64_t)llround(amount);
  switch (unit) {
  case UNIT_SECONDS: return (Budget){.seconds = amount};
  case UNIT_SIMULATIONS: return (Budget){.simulations = whole};
  case UNIT_STATES: return (Budget){.states = whole};
  }
  return (Budget){0};
}

Budget series_play(const Series *series) {
  return to_budget(series->unit, series->play);
}

Budget series_start(const Series *series) {
  return to_budget(series->unit, series->start);
}
