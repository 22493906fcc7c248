/* Keys that tournaments have in common with series are read by lab/series.h,
   from a copy of the object in which `each` has the name that it has there. */
#include "lab/tour_spec.h"

#include <string.h>

#include "base/similar.h"
#include "io/json.h"

static const char *const keys[] = {
    "name", "agents", "games", "system", "rounds", "each", "sprt",
    "seed", "unit",   "play",  "start",  "steps",  "idle", "opening"};
static const char *const own_keys[] = {"name",   "agents", "games", "system",
                                       "rounds", "each",   "sprt"};

enum { LARGEST = 1 << 24, MOST_ROUNDS = 10000 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

void tour_spec_init(TourSpec *spec) {
  *spec = (TourSpec){.elo1 = 30};
  series_init(&spec->common);
}

void tour_spec_free(TourSpec *spec) {
  text_free(&spec->name);
  text_vector_free(&spec->agents);
  text_vector_free(&spec->games);
  series_free(&spec->common);
}

/* ---- reading ---- */

static bool is_key(const char *key) {
  for (size_t i = 0; i < LENGTH(keys); i++)
    if (!strcmp(keys[i], key)) return true;
  return false;
}

static bool check_keys(const json_t *object, Text *error) {
  const char *key, *best = NULL;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    unsigned distance = SIMILAR_FAR;
    if (is_key(key)) continue;
    for (size_t i = 0; i < LENGTH(keys); i++)
      if (similar_distance(key, keys[i]) < distance) {
        distance = similar_distance(key, keys[i]);
        best = keys[i];
      }
    text_format(error, "there is no key \"%s\" in a tournament", key);
    if (best) text_format(error, "; is \"%s\" meant?", best);
    return false;
  }
  return true;
}

static bool read_list(const json_t *object, const char *key, TextVector *list,
                      Text *error) {
  const json_t *value = json_object_get(object, key), *item;
  size_t i;
  if (!value) return true;
  bool fine = json_is_array(value);
  json_array_foreach(value, i, item) {
    Text text = {0};
    fine = fine && json_is_string(item) && json_string_length(item) > 0;
    if (!fine) break;
    text_add(&text, json_string_value(item));
    vector_push(list, text);
  }
  if (!fine) text_format(error, "\"%s\" must be a list of strings", key);
  return fine;
}

static bool read_system(TourSpec *spec, const json_t *object, Text *error) {
  const json_t *value = json_object_get(object, "system");
  if (!value) return true;
  if (json_is_string(value) &&
      pairing_find(json_string_value(value), &spec->system))
    return true;
  text_add(error, "\"system\" must be one of ");
  for (uint32_t i = 0; i < PAIRING_SYSTEMS; i++)
    text_format(error, "%s\"%s\"", i ? ", " : "",
                pairing_name((PairingSystem)i));
  return false;
}

static bool read_rounds(TourSpec *spec, const json_t *object, Text *error) {
  const json_t *value = json_object_get(object, "rounds");
  if (!value) return true;
  json_int_t rounds = json_integer_value(value);
  if (!json_is_integer(value) || rounds < 0 || rounds > MOST_ROUNDS) {
    text_format(error, "\"rounds\" must be a whole number up to %d",
                MOST_ROUNDS);
    return false;
  }
  spec->rounds = (uint32_t)rounds;
  return true;
}

static bool read_name(TourSpec *spec, const json_t *object, Text *error) {
  const json_t *value = json_object_get(object, "name");
  if (!value) return true;
  if (json_is_string(value)) {
    text_clear(&spec->name);
    text_add(&spec->name, json_string_value(value));
  } else {
    text_add(error, "\"name\" must be a string");
  }
  return json_is_string(value);
}

static bool read_sprt(TourSpec *spec, const json_t *object, Text *error) {
  json_t *value = json_object_get(object, "sprt");
  json_error_t what;
  if (!value) return true;
  spec->sprt = true;
  if (!json_unpack_ex(value, &what, JSON_STRICT, "{s:F, s:F}", "elo0",
                      &spec->elo0, "elo1", &spec->elo1))
    return true;
  text_format(error, "\"sprt\" must be {\"elo0\": number, \"elo1\": number}");
  return false;
}

static bool read_common(TourSpec *spec, const json_t *object, Text *error) {
  json_t *copy = json_copy((json_t *)object);
  json_t *each = json_object_get(object, "each");
  for (size_t i = 0; i < LENGTH(own_keys); i++)
    json_object_del(copy, own_keys[i]);
  if (each) json_object_set(copy, "games", each);
  bool fine = !each || (json_is_integer(each) && json_integer_value(each) > 0);
  if (!fine) text_add(error, "\"each\" must be a whole number above 0");
  fine = fine && series_read(&spec->common, copy, error);
  json_decref(copy);
  return fine;
}

bool tour_spec_read_object(TourSpec *spec, const json_t *object, Text *error) {
  if (!json_is_object(object)) {
    text_add(error, "a tournament is a JSON object");
    return false;
  }
  return check_keys(object, error) && read_name(spec, object, error) &&
         read_list(object, "agents", &spec->agents, error) &&
         read_list(object, "games", &spec->games, error) &&
         read_system(spec, object, error) && read_rounds(spec, object, error) &&
         read_sprt(spec, object, error) && read_common(spec, object, error);
}

bool tour_spec_read(TourSpec *spec, const char *path, Text *error) {
  Text bytes = {0}, why = {0};
  json_error_t what;
  json_t *object = NULL;
  bool fine = text_read_file(&bytes, path, LARGEST, &why);
  if (!fine) {
    text_format(error, "%s: %s", path, text_string(&why));
  } else {
    object = json_loadb(text_string(&bytes), bytes.length,
                        JSON_REJECT_DUPLICATES, &what);
    fine = object && tour_spec_read_object(spec, object, &why);
    if (!object)
      text_format(error, "%s:%d:%d: %s", path, what.line, what.column,
                  what.text);
    else if (!fine)
      text_format(error, "%s: %s", path, text_string(&why));
  }
  json_decref(object);
  text_free(&bytes);
  text_free(&why);
  return fine;
}

/* ---- writing ---- */

static json_t *write_list(const TextVector *list) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < list->count; i++)
    json_array_append_new(array, json_plain(text_string(&list->data[i])));
  return array;
}

json_t *tour_spec_write(const TourSpec *spec) {
  json_t *object = json_object();
  if (spec->name.length)
    json_object_set_new(object, "name", json_plain(spec->name.bytes));
  json_object_set_new(object, "agents", write_list(&spec->agents));
  json_object_set_new(object, "games", write_list(&spec->games));
  json_object_set_new(object, "system",
                      json_string(pairing_name(spec->system)));
  if (spec->rounds)
    json_object_set_new(object, "rounds", json_integer(spec->rounds));
  json_object_set_new(object, "each", json_integer(spec->common.games));
  if (spec->sprt)
    json_object_set_new(
        object, "sprt",
        json_pack("{s:f, s:f}", "elo0", spec->elo0, "elo1", spec->elo1));
  json_t *common = series_write(&spec->common, true);
  json_object_del(common, "game");
  json_object_del(common, "players");
  json_object_update(object, common);
  json_decref(common);
  return object;
}

/* ---- checking ---- */

static bool check_agent(const TourSpec *spec, uint32_t i, Text *error) {
  const char *text = text_string(&spec->agents.data[i]);
  AgentSpec agent;
  for (uint32_t j = 0; j < i; j++)
    if (!strcmp(text_string(&spec->agents.data[j]), text)) {
      text_format(error, "agent %s is listed twice", text);
      return false;
    }
  if (!spec_parse(&agent, text, error)) return false;
  bool local = spec_is_local(&agent);
  if (!local)
    text_format(error,
                "agent %s: only agents of this program play tournaments; "
                "players over HTTP and people can play tafl match",
                text);
  spec_free(&agent);
  return local;
}

static bool check_games(const TourSpec *spec, Text *error) {
  for (uint32_t i = 0; i < spec->games.count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!strcmp(text_string(&spec->games.data[i]),
                  text_string(&spec->games.data[j]))) {
        text_format(error, "game %s is listed twice",
                    text_string(&spec->games.data[i]));
        return false;
      }
  if (spec->games.count) return true;
  text_add(error, "a tournament needs games");
  return false;
}

bool tour_spec_check(const TourSpec *spec, Text *error) {
  const char *wrong = NULL;
  if (spec->agents.count < 2)
    wrong = "a tournament needs two agents at least";
  else if (spec->sprt && spec->agents.count != 2)
    wrong = "the sequential test is for two agents";
  else if (spec->sprt && spec->system != PAIRING_ROUND_ROBIN &&
           spec->system != PAIRING_GAUNTLET)
    wrong = "the sequential test is for a round robin or a gauntlet";
  else if (spec->sprt && spec->elo0 >= spec->elo1)
    wrong = "elo0 must be less than elo1";
  else if (spec->rounds && spec->system != PAIRING_SWISS)
    wrong = "only the Swiss system has a number of rounds";
  if (wrong) {
    text_add(error, wrong);
    return false;
  }
  if (!check_games(spec, error)) return false;
  for (uint32_t i = 0; i < spec->agents.count; i++)
    if (!check_agent(spec, i, error)) return false;
  return true;
}
