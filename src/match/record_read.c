/* A match record from its file, which anybody may have written: types and sizes
   are checked here once, so that nobody else has to. */
#include <string.h>

#include "match/message.h"
#include "match/record.h"

static json_t *get(const Record *record, const char *key) {
  return json_object_get(record->root, key);
}

/* ---- shapes ---- */

static bool is_list(const json_t *list, size_t count, json_type type) {
  bool fine = json_is_array(list) && json_array_size(list) == count;
  for (size_t i = 0; fine && i < count; i++)
    fine = json_typeof(json_array_get(list, i)) == type;
  return fine;
}

static bool is_table(const json_t *table, size_t rows, size_t columns,
                     json_type type) {
  bool fine = is_list(table, rows, JSON_ARRAY);
  for (size_t i = 0; fine && i < rows; i++)
    fine = is_list(json_array_get(table, i), columns, type);
  return fine;
}

static bool has_texts(const Record *record) {
  const json_t *game = get(record, "x-game");
  return json_is_string(get(record, "matchId")) &&
         json_is_string(get(record, "x-seed")) &&
         json_is_string(json_object_get(game, "name")) &&
         json_is_string(json_object_get(game, "rules"));
}

static bool has_numbers(const Record *record) {
  const json_t *options = get(record, "x-options");
  return json_is_number(get(record, "startClock")) &&
         json_is_number(get(record, "playClock")) &&
         json_is_number(get(record, "previewClock")) &&
         json_is_boolean(get(record, "isCompleted")) &&
         json_is_integer(json_object_get(options, "steps")) &&
         json_is_number(json_object_get(options, "grace"));
}

static bool has_lists(const Record *record) {
  size_t roles = json_array_size(get(record, "x-players"));
  size_t states = json_array_size(get(record, "states"));
  size_t errors = json_array_size(get(record, "errors"));
  return roles && roles <= RULE_ROLES && states &&
         (errors == states || (errors == 0 && states == 1)) &&
         is_list(get(record, "x-players"), roles, JSON_STRING) &&
         is_list(get(record, "playerNamesFromHost"), roles, JSON_STRING) &&
         is_list(get(record, "x-roles"), roles, JSON_STRING) &&
         is_list(get(record, "states"), states, JSON_STRING) &&
         is_list(get(record, "stateTimes"), states, JSON_INTEGER) &&
         is_table(get(record, "x-statistics"), states - 1, roles,
                  JSON_OBJECT) &&
         is_table(get(record, "moves"), states - 1, roles, JSON_STRING) &&
         is_table(get(record, "errors"), errors, roles, JSON_STRING);
}

/* Every step has a move for each role. */
static bool has_moves(const Record *record, Text *error) {
  const json_t *moves = get(record, "moves");
  size_t steps = json_array_size(moves), step = 0;
  size_t roles = record_roles(record);
  if (!json_is_array(moves)) {
    text_add(error, "not a match record: there is no list of moves");
    return false;
  }
  while (step < steps && roles && roles <= RULE_ROLES &&
         is_list(json_array_get(moves, step), roles, JSON_STRING))
    step++;
  if (step == steps) return true;
  text_format(error,
              "not a match record: its moves of step %zu are not a list "
              "of one text for each role",
              step + 1);
  return false;
}

/* ---- files ---- */

static bool load(Record *record, const char *path, size_t limit, Text *error) {
  Text text = {0};
  json_error_t wrong;
  *record = (Record){0};
  if (!text_read_file(&text, path, limit, error)) return false;
  record->root = json_loadb(text_string(&text), text.length, 0, &wrong);
  text_free(&text);
  if (!record->root)
    text_format(error, "line %d, column %d: %s", wrong.line, wrong.column,
                wrong.text);
  return record->root;
}

bool record_read(Record *record, const char *path, size_t limit, Text *error) {
  if (!load(record, path, limit, error)) return false;
  if (!has_texts(record) || !has_numbers(record) || !has_lists(record)) {
    text_add(error, "not a match record that can be resumed");
    json_decref(record->root);
    return false;
  }
  text_add(&record->path, path);
  return true;
}

bool record_read_moves(Record *record, const char *path, size_t limit,
                       Text *error) {
  if (!load(record, path, limit, error)) return false;
  if (has_moves(record, error)) return true;
  json_decref(record->root);
  return false;
}

/* ---- what it says ---- */

static const char *string(const json_t *value) {
  return json_is_string(value) ? json_string_value(value) : "";
}

const char *record_id(const Record *record) {
  return string(get(record, "matchId"));
}

const char *record_game(const Record *record) {
  return string(json_object_get(get(record, "x-game"), "name"));
}

const char *record_rules(const Record *record) {
  return string(json_object_get(get(record, "x-game"), "rules"));
}

uint64_t record_seed(const Record *record) {
  return strtoull(json_string_value(get(record, "x-seed")), NULL, 10);
}

uint32_t record_roles(const Record *record) {
  const json_t *players = get(record, "x-players");
  if (!players) players = json_array_get(get(record, "moves"), 0);
  return (uint32_t)json_array_size(players);
}

const char *record_player(const Record *record, uint32_t role) {
  const json_t *players = get(record, "x-players");
  if (!players) players = get(record, "playerNamesFromHost");
  return string(json_array_get(players, role));
}

static Budget read_budget(const json_t *value) {
  return (Budget){
      .seconds = json_number_value(json_object_get(value, "seconds")),
      .simulations =
          (uint64_t)json_integer_value(json_object_get(value, "simulations")),
      .states = (uint64_t)json_integer_value(json_object_get(value, "states"))};
}

void record_options(const Record *record, RemoteClocks *clocks,
                    MatchOptions *match, bool *scramble) {
  const json_t *options = get(record, "x-options");
  *clocks = (RemoteClocks){
      .preview = json_number_value(get(record, "previewClock")),
      .start = json_number_value(get(record, "startClock")),
      .play = json_number_value(get(record, "playClock")),
      .grace = json_number_value(json_object_get(options, "grace"))};
  *match =
      (MatchOptions){.start = read_budget(json_object_get(options, "start")),
                     .play = read_budget(json_object_get(options, "play")),
                     .idle = json_is_true(json_object_get(options, "idle")),
                     .step_limit = (uint32_t)json_integer_value(
                         json_object_get(options, "steps"))};
  *scramble = json_is_true(get(record, "scrambled"));
}

uint32_t record_steps(const Record *record) {
  return (uint32_t)json_array_size(get(record, "moves"));
}

bool record_started(const Record *record) {
  return json_array_size(get(record, "errors")) > 0;
}

bool record_completed(const Record *record) {
  return json_is_true(get(record, "isCompleted"));
}

void record_move(const Record *record, uint32_t step, uint32_t role,
                 Text *text) {
  const json_t *joint = json_array_get(get(record, "moves"), step);
  const char *move = json_string_value(json_array_get(joint, role));
  message_first_term(move, strlen(move), text);
}

/* Reads what json_turn of record.c wrote. */
static void read_work(const json_t *value, RecordTurn *turn) {
  const json_t *seconds = json_object_get(value, "seconds");
  if (json_is_number(seconds)) turn->seconds = json_number_value(seconds);
  if (!json_is_number(json_object_get(value, "value"))) return;
  turn->work = (AgentWork){
      .simulations =
          (uint64_t)json_integer_value(json_object_get(value, "simulations")),
      .states = (uint64_t)json_integer_value(json_object_get(value, "states"))};
  turn->report =
      (AgentReport){.searched = true,
                    .value = json_number_value(json_object_get(value, "value")),
                    .depth = json_number_value(json_object_get(value, "depth")),
                    .proven = json_is_true(json_object_get(value, "proven"))};
}

void record_turn(const Record *record, int64_t step, uint32_t role,
                 RecordTurn *turn) {
  const json_t *errors = get(record, "errors");
  const json_t *works =
      step < 0 ? get(record, "x-start")
               : json_array_get(get(record, "x-statistics"), (size_t)step);
  *turn = (RecordTurn){.seconds = -1};
  text_add(
      &turn->error,
      string(json_array_get(json_array_get(errors, (size_t)(step + 1)), role)));
  read_work(json_array_get(works, role), turn);
}

double record_time(const Record *record) {
  return json_number_value(get(record, "startTime")) / 1000;
}

const char *record_how_ended(const Record *record) {
  return string(get(record, "x-end"));
}

bool record_aborted(const Record *record) {
  return json_is_true(get(record, "isAborted"));
}

const char *record_name(const Record *record, uint32_t role) {
  const char *name =
      string(json_array_get(get(record, "playerNamesFromHost"), role));
  return strcmp(name, record_player(record, role)) ? name : "";
}
