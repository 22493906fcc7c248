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

bool record_read(Record *record, const char *path, size_t limit, Text *error) {
  Text text = {0};
  json_error_t wrong;
  *record = (Record){0};
  if (!text_read_file(&text, path, limit, error)) return false;
  record->root = json_loadb(text_string(&text), text.length, 0, &wrong);
  text_free(&text);
  if (!record->root)
    text_format(error, "line %d: %s", wrong.line, wrong.text);
  else if (!has_texts(record) || !has_numbers(record) || !has_lists(record))
    text_add(error, "not a match record that can be resumed");
  if (error->length) {
    json_decref(record->root);
    return false;
  }
  text_add(&record->path, path);
  json_object_set_new(record->root, "isAborted", json_false());
  json_object_del(record->root, "x-end");
  return true;
}

const char *record_id(const Record *record) {
  return json_string_value(get(record, "matchId"));
}

const char *record_game(const Record *record) {
  return json_string_value(json_object_get(get(record, "x-game"), "name"));
}

const char *record_rules(const Record *record) {
  return json_string_value(json_object_get(get(record, "x-game"), "rules"));
}

uint64_t record_seed(const Record *record) {
  return strtoull(json_string_value(get(record, "x-seed")), NULL, 10);
}

uint32_t record_roles(const Record *record) {
  return (uint32_t)json_array_size(get(record, "x-players"));
}

const char *record_player(const Record *record, uint32_t role) {
  return json_string_value(json_array_get(get(record, "x-players"), role));
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
