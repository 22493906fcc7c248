/* The match is one JSON object, kept in memory and written whole each time. All
   keys exist with the right types: record_init or record_read saw to that. */
#include "match/record.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/file.h"
#include "io/json.h"
#include "match/record_xml.h"

/* ---- values ---- */

static json_t *json_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return json_integer((json_int_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* Other programs expect clocks that are whole numbers. */
static json_t *json_seconds(double seconds) {
  double whole = (double)(json_int_t)seconds;
  return whole < seconds || whole > seconds ? json_real(seconds)
                                            : json_integer((json_int_t)whole);
}

/* Appends "( cell 1 1 b )" for "(cell 1 1 b)", as the public format has it. */
static void add_spaced(Text *text, const char *term) {
  for (; *term; term++) {
    if (*term == ')') text_add_byte(text, ' ');
    text_add_byte(text, *term);
    if (*term == '(') text_add_byte(text, ' ');
  }
}

static json_t *json_spaced(const char *term) {
  Text text = {0};
  add_spaced(&text, term);
  json_t *string = json_plain(text_string(&text));
  text_free(&text);
  return string;
}

static json_t *json_token(void) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  unsigned char bytes[32];
  char token[sizeof bytes + 1] = {0};
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    memset(bytes, 0, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    token[i] = letters[bytes[i] % (sizeof letters - 1)];
  return json_string(token);
}

/* Returns the facts in order: "( ( cell 1 1 b ) … )". */
static json_t *json_state(Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  TermVector sorted = {0};
  Text term = {0}, text = {0};
  for (uint32_t i = 0; i < count; i++) vector_push(&sorted, facts[i]);
  if (count) term_sort(game_terms(game), sorted.data, count);
  text_add(&text, "( ");
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&term);
    term_write(game_terms(game), sorted.data[i], &term);
    add_spaced(&text, term.bytes);
    text_add_byte(&text, ' ');
  }
  text_add_byte(&text, ')');
  json_t *state = json_plain(text.bytes);
  vector_free(&sorted);
  text_free(&term);
  text_free(&text);
  return state;
}

static json_t *json_seed(uint64_t seed) {
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
  return json_string(digits); /* JSON readers round large numbers */
}

/* ---- the beginning ---- */

static json_t *json_budget(const Budget *budget) {
  return json_pack("{s:f, s:I, s:I}", "seconds", budget->seconds, "simulations",
                   (json_int_t)budget->simulations, "states",
                   (json_int_t)budget->states);
}

static json_t *json_options(const RecordStart *start) {
  return json_pack("{s:f, s:o, s:o, s:b, s:I}", "grace", start->clocks.grace,
                   "start", json_budget(&start->match.start), "play",
                   json_budget(&start->match.play), "idle",
                   (int)start->match.idle, "steps",
                   (json_int_t)start->match.step_limit);
}

static void set(Record *record, const char *key, json_t *value) {
  json_object_set_new(record->root, key, value);
}

static json_t *get(const Record *record, const char *key) {
  return json_object_get(record->root, key);
}

static void set_sides(Record *record, const RecordStart *start) {
  const Rules *rules = &start->description->rules;
  json_t *names = json_array(), *roles = json_array();
  for (uint32_t role = 0; role < rules->roles.count; role++) {
    Text text = {0};
    term_write(&rules->terms, rules->roles.data[role], &text);
    json_array_append_new(roles, json_spaced(text_string(&text)));
    json_array_append_new(names, json_plain(start->players[role]->text));
    text_free(&text);
  }
  set(record, "playerNamesFromHost", names);
  set(record, "x-players", json_copy(names));
  set(record, "x-roles", roles);
}

void record_init(Record *record, const RecordStart *start) {
  static const char *const lists[] = {"states", "moves", "stateTimes", "errors",
                                      "x-statistics"};
  *record = (Record){.root = json_object()};
  set(record, "matchId", json_plain(start->id));
  set(record, "randomToken", json_token());
  set(record, "startTime", json_milliseconds());
  set(record, "gameMetaURL", json_string(""));
  set(record, "previewClock",
      json_seconds(start->clocks.preview > 0 ? start->clocks.preview : -1));
  set(record, "startClock", json_seconds(start->clocks.start));
  set(record, "playClock", json_seconds(start->clocks.play));
  set_sides(record, start);
  set(record, "scrambled", json_boolean(start->scramble));
  set(record, "isCompleted", json_false());
  set(record, "isAborted", json_false());
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    set(record, lists[i], json_array());
  set(record, "x-seed", json_seed(start->seed));
  set(record, "x-options", json_options(start));
  set(record, "x-game",
      json_pack("{s:o, s:o}", "name", json_plain(start->game), "rules",
                json_plain(text_string(&start->description->text))));
}

void record_free(Record *record) {
  json_decref(record->root);
  text_free(&record->path);
  text_free(&record->xml);
  text_free(&record->error);
}

/* ---- what happens ---- */

bool record_has_state(const Record *record, Game *game) {
  const json_t *states = get(record, "states");
  json_t *state = json_state(game);
  bool same = json_equal(state, json_array_get(states, record_steps(record)));
  json_decref(state);
  return same;
}

void record_set_name(Record *record, uint32_t role, const char *name) {
  json_array_set_new(get(record, "playerNamesFromHost"), role,
                     json_plain(name));
}

void record_go_on(Record *record) {
  set(record, "isAborted", json_false());
  json_object_del(record->root, "x-end");
}

void record_add_state(Record *record, Game *game) {
  json_array_append_new(get(record, "states"), json_state(game));
  json_array_append_new(get(record, "stateTimes"), json_milliseconds());
}

void record_add_names(Record *record, const Scramble *scramble) {
  json_t *names = json_object();
  for (Symbol i = 1; i < scramble->names.count; i++)
    if (scramble->names.data[i])
      json_object_set_new(names, symbol_text(&scramble->real, i),
                          json_string(scramble->names.data[i]));
  set(record, "x-scrambled", names);
}

static json_t *json_turn(const RecordTurn *turn) {
  json_t *value = json_pack("{s:f}", "seconds", turn->seconds);
  const AgentWork *work = &turn->work;
  const AgentReport *report = &turn->report;
  if (report->searched)
    json_object_update_new(
        value,
        json_pack("{s:I, s:I, s:f, s:f, s:f, s:I, s:b}", "simulations",
                  (json_int_t)work->simulations, "states",
                  (json_int_t)work->states, "statesPerSecond",
                  work->seconds > 0 ? (double)work->states / work->seconds : 0,
                  "value", report->value, "depth", report->depth, "nodes",
                  (json_int_t)report->nodes, "proven", (int)report->proven));
  return value;
}

/* Returns a new row of the table. */
static json_t *add_row(Record *record, const char *table) {
  json_t *row = json_array();
  json_array_append_new(get(record, table), row);
  return row;
}

static void add_errors(Record *record, const RecordTurn *turns) {
  json_t *errors = add_row(record, "errors");
  for (uint32_t role = 0; role < record_roles(record); role++)
    json_array_append_new(errors, json_plain(text_string(&turns[role].error)));
}

void record_add_start(Record *record, const RecordTurn *turns) {
  json_t *start = json_array();
  add_errors(record, turns);
  for (uint32_t role = 0; role < record_roles(record); role++)
    json_array_append_new(start, json_turn(&turns[role]));
  set(record, "x-start", start);
}

void record_add_step(Record *record, const RecordTurn *turns, Game *game) {
  json_t *moves = add_row(record, "moves");
  json_t *statistics = add_row(record, "x-statistics");
  for (uint32_t role = 0; role < record_roles(record); role++) {
    json_array_append_new(moves, json_spaced(text_string(&turns[role].move)));
    json_array_append_new(statistics, json_turn(&turns[role]));
  }
  add_errors(record, turns);
  record_add_state(record, game);
}

void record_end(Record *record, const MatchResult *result) {
  bool completed = result->end == MATCH_ENDED;
  json_t *goals = json_array();
  for (uint32_t role = 0; completed && role < result->role_count; role++)
    json_array_append_new(goals, json_integer(result->sides[role].goal));
  if (completed) set(record, "goalValues", json_incref(goals));
  json_decref(goals);
  set(record, "isCompleted", json_boolean(completed));
  set(record, "isAborted", json_boolean(!completed));
  json_object_del(record->root, "x-end");
  if (completed) return;
  Text why = {0};
  text_format(&why, "%s%s%s", match_end_name(result->end),
              result->error.length ? ": " : "", text_string(&result->error));
  set(record, "x-end", json_plain(why.bytes));
  text_free(&why);
}

/* ---- files ---- */

bool record_write(Record *record) {
  text_clear(&record->error);
  if (record->path.length) {
    char *text = json_dumps(record->root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    if (!text) fatal_limit("no memory for a match record");
    size_t length = strlen(text);
    text[length] = '\n'; /* replaces the NUL */
    file_replace(record->path.bytes, text, length + 1, &record->error);
    json_free_t release;
    json_get_alloc_funcs(NULL, &release);
    release(text);
  }
  if (record->xml.length) {
    Text text = {0};
    record_write_xml(record, &text);
    file_replace(record->xml.bytes, text_string(&text), text.length,
                 &record->error);
    text_free(&text);
  }
  return !record->error.length;
}
