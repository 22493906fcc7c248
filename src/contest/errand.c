/* Every message is one JSON object. What is read is taken only if all of it is
   there, has the right type and is within bounds; the rules of games and the
   texts of players are judged by those who use them. */
#include "contest/errand.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "contest/errand_parts.h"
#include "gdl/rule.h"
#include "io/json.h"

enum { LARGEST_COUNT = 1 << 16 }; /* of threads */

/* ---- begin, ready, rules ---- */

/* Clocks of hosts differ: deadlines are sent as the seconds that are left. */
static double seconds_left(double deadline) {
  return deadline > 0 ? fmax(deadline - clock_now(), 1e-3) : 0;
}

static double deadline_of(double left) {
  return left > 0 ? clock_now() + left : 0;
}

void errand_write_begin(const ErrandBegin *begin, Text *text) {
  const BookLimits *limits = &begin->limits;
  errand_put(
      json_pack("{s:I, s:I, s:f, s:I, s:I, s:b, s:f, s:f, s:f, s:f, s:I, "
                "s:f, s:f}",
                "threads", (json_int_t)begin->threads, "agent",
                (json_int_t)begin->agent, "groundSeconds",
                limits->ground.seconds, "groundTicks",
                (json_int_t)limits->ground.ticks, "memory",
                (json_int_t)limits->ground.memory, "narrow",
                (int)limits->ground.narrow, "netSeconds", limits->net_seconds,
                "left", seconds_left(limits->deadline), "reduceSeconds",
                limits->reduce_seconds, "proveSeconds", limits->prove_seconds,
                "rulesMemory", (json_int_t)limits->rules.memory, "rulesSeconds",
                limits->rules.seconds, "rulesLeft",
                seconds_left(limits->rules.deadline)),
      text);
}

bool errand_read_begin(ErrandBegin *begin, const Text *text) {
  json_t *object = errand_parse(text);
  BookLimits *limits = &begin->limits;
  uint64_t memory = 0, rules_memory = 0;
  double left = 0, rules_left = 0;
  *begin = (ErrandBegin){0};
  bool fine =
      errand_get_small(object, "threads", &begin->threads) &&
      begin->threads <= LARGEST_COUNT &&
      errand_get_small(object, "agent", &begin->agent) &&
      errand_get_seconds(object, "groundSeconds", &limits->ground.seconds) &&
      errand_get_count(object, "groundTicks", &limits->ground.ticks) &&
      errand_get_count(object, "memory", &memory) &&
      errand_get_flag(object, "narrow", &limits->ground.narrow) &&
      errand_get_seconds(object, "netSeconds", &limits->net_seconds) &&
      errand_get_seconds(object, "left", &left) &&
      errand_get_seconds(object, "reduceSeconds", &limits->reduce_seconds) &&
      errand_get_seconds(object, "proveSeconds", &limits->prove_seconds) &&
      errand_get_count(object, "rulesMemory", &rules_memory) &&
      errand_get_seconds(object, "rulesSeconds", &limits->rules.seconds) &&
      errand_get_seconds(object, "rulesLeft", &rules_left);
  limits->ground.memory = (size_t)memory;
  limits->rules.memory = (size_t)rules_memory;
  limits->deadline = deadline_of(left);
  limits->rules.deadline = deadline_of(rules_left);
  json_decref(object);
  return fine;
}

void errand_write_ready(uint32_t threads, const char *version, Text *text) {
  errand_put(json_pack("{s:I, s:o}", "threads", (json_int_t)threads, "version",
                       json_plain(version)),
             text);
}

bool errand_read_ready(ErrandReady *ready, const Text *text) {
  json_t *object = errand_parse(text);
  *ready = (ErrandReady){0};
  bool fine = errand_get_small(object, "threads", &ready->threads) &&
              ready->threads <= LARGEST_COUNT &&
              errand_get_text(object, "version", &ready->version);
  json_decref(object);
  if (!fine) text_free(&ready->version);
  return fine;
}

void errand_write_rules(uint32_t number, const Description *description,
                        Text *text) {
  const char *name = description->source.name;
  errand_put(json_pack("{s:I, s:o, s:o}", "number", (json_int_t)number, "name",
                       json_plain(name), "text",
                       errand_text(&description->text)),
             text);
}

bool errand_read_rules(ErrandRules *rules, const Text *text) {
  json_t *object = errand_parse(text);
  *rules = (ErrandRules){0};
  bool fine = errand_get_small(object, "number", &rules->number) &&
              errand_get_text(object, "name", &rules->name) &&
              errand_get_text(object, "text", &rules->text);
  json_decref(object);
  if (fine) return true;
  text_free(&rules->name);
  text_free(&rules->text);
  return false;
}

/* ---- games ---- */

static json_t *json_budget(const Budget *budget) {
  return json_pack("{s:f, s:I, s:I, s:I}", "seconds", budget->seconds,
                   "simulations", (json_int_t)budget->simulations, "states",
                   (json_int_t)budget->states, "threads",
                   (json_int_t)budget->threads);
}

static bool get_budget(const json_t *object, const char *key, Budget *budget) {
  const json_t *value = json_object_get(object, key);
  *budget = (Budget){0};
  return errand_get_seconds(value, "seconds", &budget->seconds) &&
         errand_get_count(value, "simulations", &budget->simulations) &&
         errand_get_count(value, "states", &budget->states) &&
         errand_get_small(value, "threads", &budget->threads);
}

static json_t *json_match(const MatchOptions *match) {
  return json_pack(
      "{s:o, s:o, s:I, s:I, s:b, s:b}", "start", json_budget(&match->start),
      "play", json_budget(&match->play), "steps", (json_int_t)match->step_limit,
      "opening", (json_int_t)match->opening, "idle", (int)match->idle, "keep",
      (int)match->keep_moves);
}

static bool get_match(const json_t *value, MatchOptions *match) {
  *match = (MatchOptions){0};
  return get_budget(value, "start", &match->start) &&
         get_budget(value, "play", &match->play) &&
         errand_get_small(value, "steps", &match->step_limit) &&
         errand_get_small(value, "opening", &match->opening) &&
         errand_get_flag(value, "idle", &match->idle) &&
         errand_get_flag(value, "keep", &match->keep_moves);
}

static json_t *json_seed(uint64_t seed) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, seed);
  return json_string(digits);
}

static bool get_seed(const json_t *object, uint64_t *seed) {
  const char *digits = json_string_value(json_object_get(object, "seed"));
  char *end = NULL;
  if (digits) *seed = strtoull(digits, &end, 10);
  return end && end > digits && !*end;
}

static json_t *json_record(const Record *record) {
  json_t *copy = json_copy(record->root);
  json_object_del(copy, "x-game");
  return copy;
}

void errand_write(const Errand *errand, Text *text) {
  json_t *players = json_array();
  for (uint32_t i = 0; i < errand->players.count; i++)
    json_array_append_new(players, errand_text(&errand->players.data[i]));
  errand_put(
      json_pack("{s:I, s:I, s:b, s:b, s:o, s:o, s:b, s:f, s:o, s:o}", "id",
                (json_int_t)errand->id, "rules", (json_int_t)errand->rules,
                "ground", (int)errand->ground, "needNet", (int)errand->need_net,
                "seed", json_seed(errand->seed), "match",
                json_match(&errand->match), "turns", (int)errand->turns,
                "every", errand->every, "players", players, "record",
                errand->recorded ? json_record(&errand->record) : json_null()),
      text);
}

static bool get_players(const json_t *object, TextVector *players) {
  const json_t *list = json_object_get(object, "players"), *value;
  size_t i;
  if (!json_array_size(list) || json_array_size(list) > RULE_ROLES)
    return false;
  json_array_foreach(list, i, value) {
    Text player = {0};
    if (!json_is_string(value)) return false;
    text_add(&player, json_string_value(value));
    vector_push(players, player);
  }
  return true;
}

static bool is_list(const json_t *record, const char *key, size_t count,
                    json_type type) {
  const json_t *list = json_object_get(record, key);
  bool fine = json_is_array(list) && json_array_size(list) == count;
  for (size_t i = 0; fine && i < count; i++)
    fine = json_typeof(json_array_get(list, i)) == type;
  return fine;
}

/* Of a match that has not begun. */
static bool is_new_record(const json_t *record, size_t roles) {
  return json_is_string(json_object_get(record, "matchId")) &&
         json_is_string(json_object_get(record, "x-seed")) &&
         is_list(record, "x-players", roles, JSON_STRING) &&
         is_list(record, "x-roles", roles, JSON_STRING) &&
         is_list(record, "playerNamesFromHost", roles, JSON_STRING) &&
         is_list(record, "states", 0, JSON_STRING) &&
         is_list(record, "stateTimes", 0, JSON_INTEGER) &&
         is_list(record, "moves", 0, JSON_ARRAY) &&
         is_list(record, "errors", 0, JSON_ARRAY) &&
         is_list(record, "x-statistics", 0, JSON_ARRAY);
}

static bool get_record(const json_t *object, Errand *errand) {
  json_t *value = json_object_get(object, "record");
  errand->recorded = json_is_object(value);
  if (!errand->recorded) return json_is_null(value);
  errand->record.root = json_incref(value);
  return is_new_record(value, errand->players.count);
}

bool errand_read(Errand *errand, const Text *text) {
  json_t *object = errand_parse(text);
  *errand = (Errand){0};
  bool fine = errand_get_small(object, "id", &errand->id) &&
              errand_get_small(object, "rules", &errand->rules) &&
              errand_get_flag(object, "ground", &errand->ground) &&
              errand_get_flag(object, "needNet", &errand->need_net) &&
              get_seed(object, &errand->seed) &&
              get_match(json_object_get(object, "match"), &errand->match) &&
              errand_get_flag(object, "turns", &errand->turns) &&
              errand_get_seconds(object, "every", &errand->every) &&
              get_players(object, &errand->players) &&
              get_record(object, errand);
  json_decref(object);
  if (!fine) errand_free(errand);
  return fine;
}

void errand_free(Errand *errand) {
  text_vector_free(&errand->players);
  if (errand->recorded) record_free(&errand->record);
  *errand = (Errand){0};
}
