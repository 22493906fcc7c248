/* Each line is checked as a whole before any of it is written: all numbers in
   their ranges, sides and moves in order, agents those of the series. Rules
   have to have the hash that the line says. */
#include "store/import.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "io/json.h"
#include "learn/canon.h"
#include "store/export.h"

enum { MOST = INT32_MAX }; /* of numbers that count games, steps and roles */

/* Sides and moves of a match in work. */
typedef struct Import {
  Results *results;
  ImportCount count;
  bool begun; /* the first line was read */
  VECTOR(ResultsSide) sides;
  ResultsMoves moves;
  Text why;
} Import;

/* ---- values ---- */

static bool fail(Import *import, const char *key, const char *expected) {
  text_format(&import->why, "%s: expected %s", key, expected);
  return false;
}

static bool fail_store(Import *import) {
  text_add(&import->why, results_error(import->results));
  return false;
}

static bool get_text(Import *import, const json_t *object, const char *key,
                     const char **text) {
  *text = json_string_value(json_object_get(object, key));
  return *text || fail(import, key, "a text");
}

static bool check_number(Import *import, const json_t *value, const char *key,
                         json_int_t most, uint64_t *number) {
  json_int_t own = json_integer_value(value);
  if (!json_is_integer(value) || own < 0 || own > most)
    return fail(import, key, "a whole number in its range");
  *number = (uint64_t)own;
  return true;
}

static bool get_number(Import *import, const json_t *object, const char *key,
                       json_int_t most, uint64_t *number) {
  return check_number(import, json_object_get(object, key), key, most, number);
}

static bool get_small(Import *import, const json_t *object, const char *key,
                      uint32_t *number) {
  uint64_t own = 0;
  bool fine = get_number(import, object, key, MOST, &own);
  *number = (uint32_t)own;
  return fine;
}

/* null is NAN, if it may be. */
static bool check_real(Import *import, const json_t *value, const char *key,
                       bool optional, double *real) {
  *real = json_is_number(value) ? json_number_value(value) : (double)NAN;
  return json_is_number(value) || (optional && json_is_null(value)) ||
         fail(import, key, "a number");
}

static bool get_real(Import *import, const json_t *object, const char *key,
                     bool optional, double *real) {
  return check_real(import, json_object_get(object, key), key, optional, real);
}

/* "2026-11-16T15:30:00Z" */
static bool get_time(Import *import, const json_t *object, const char *key,
                     const char **text) {
  const char *form = "dddd-dd-ddTdd:dd:ddZ";
  if (!get_text(import, object, key, text)) return false;
  const char *at = *text;
  for (; *form && *at; form++, at++)
    if (*form == 'd' ? *at < '0' || *at > '9' : *at != *form) break;
  return (!*form && !*at) || fail(import, key, "a time in UTC");
}

static bool get_seed(Import *import, const json_t *object, uint64_t *seed) {
  const char *text;
  if (!get_text(import, object, "seed", &text)) return false;
  *seed = strtoull(text, NULL, 16);
  return (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16) ||
         fail(import, "seed", "16 hexadecimal digits");
}

/* ---- series ---- */

/* Appends the key in the form in which it is stored. */
static bool read_key(Import *import, const json_t *object, Text *key) {
  const json_t *series = json_object_get(object, "series");
  const json_t *players = json_object_get(series, "players");
  if (!json_is_object(series) || !json_array_size(players))
    return fail(import, "series", "an object with players");
  json_add_text(series, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15),
                key);
  return true;
}

/* Returns the number of the series, 0 on failure. */
static int64_t read_series(Import *import, const json_t *object) {
  const char *game, *hash;
  Text key = {0};
  int64_t id = 0;
  if (!get_text(import, object, "game", &game) ||
      !get_text(import, object, "hash", &hash) ||
      !read_key(import, object, &key)) {
    text_free(&key);
    return 0;
  }
  int64_t number = results_find_game(import->results, game, hash);
  if (number)
    id = results_series(import->results, text_string(&key), number);
  else
    fail(import, "game", "one whose rules came before");
  if (number && !id) fail_store(import);
  text_free(&key);
  return id;
}

/* ---- lines ---- */

static bool read_head(Import *import, const json_t *line) {
  uint64_t version;
  if (!get_number(import, line, "version", MOST, &version)) return false;
  if (version == EXPORT_VERSION) return true;
  text_format(&import->why, "version %llu of the format is not known",
              (unsigned long long)version);
  return false;
}

static bool read_game(Import *import, const json_t *line) {
  const char *name, *hash, *rules;
  Description description;
  Canon canon;
  if (!get_text(import, line, "name", &name) ||
      !get_text(import, line, "hash", &hash) ||
      !get_text(import, line, "rules", &rules))
    return false;
  if (!*name) return fail(import, "name", "the name of a game");
  description_init(&description, name, rules, strlen(rules));
  bool fine = description_valid(&description) ||
              fail(import, "rules", "a valid description");
  if (fine) {
    canon_init(&canon, &description);
    fine = strcmp(canon.hash, hash) == 0 || fail(import, "hash", canon.hash);
    canon_free(&canon);
  }
  description_free(&description);
  return fine && (results_copy_game(import->results, name, hash, rules) ||
                  fail_store(import));
}

static bool read_experiment(Import *import, const json_t *line) {
  const char *kind, *name, *specification, *made;
  const json_t *parts = json_object_get(line, "parts");
  uint32_t place;
  if (!get_text(import, line, "kind", &kind) ||
      !get_text(import, line, "name", &name) ||
      !get_text(import, line, "specification", &specification) ||
      !get_time(import, line, "made", &made))
    return false;
  if (!json_is_array(parts)) return fail(import, "parts", "a list");
  int64_t id =
      results_copy_experiment(import->results, kind, name, specification, made);
  if (!id) return fail_store(import);
  for (size_t i = 0; i < json_array_size(parts); i++) {
    const json_t *part = json_array_get(parts, i);
    if (!get_small(import, part, "place", &place)) return false;
    int64_t series = read_series(import, part);
    if (!series) return false;
    if (results_part(import->results, id, place)) continue;
    if (!results_add_part(import->results, id, series, place))
      return fail_store(import);
  }
  return true;
}

static bool get_end(Import *import, const json_t *line, MatchEnd *end) {
  const char *name;
  if (!get_text(import, line, "ending", &name)) return false;
  for (*end = MATCH_ENDED; *end < MATCH_STOPPED; (*end)++)
    if (strcmp(match_end_name(*end), name) == 0) return true;
  return fail(import, "ending", "how a match ends");
}

static bool get_score(Import *import, const json_t *object, Score *score) {
  double value;
  if (!get_real(import, object, "score", true, &value)) return false;
  *score = isnan(value)   ? SCORE_NONE
           : value == 1   ? SCORE_WIN
           : value == 0.5 ? SCORE_DRAW
                          : SCORE_LOSS;
  return *score != SCORE_LOSS || value == 0 ||
         fail(import, "score", "0, 0.5, 1 or null");
}

/* The agent is the one that the series has at that place. */
static bool get_agent(Import *import, const json_t *object,
                      const json_t *players, ResultsSide *side) {
  const char *agent, *settings;
  const char *own = json_string_value(json_array_get(players, side->player));
  if (!get_text(import, object, "agent", &agent) ||
      !get_text(import, object, "settings", &settings))
    return false;
  if (!own || strcmp(own, agent) != 0)
    return fail(import, "agent", "that of the series");
  side->agent = results_copy_agent(import->results, agent, settings);
  return side->agent || fail_store(import);
}

static bool read_side(Import *import, const json_t *object,
                      const json_t *players) {
  ResultsSide side = {0};
  if (!get_small(import, object, "role", &side.role) ||
      !get_small(import, object, "player", &side.player) ||
      !get_agent(import, object, players, &side) ||
      !get_real(import, object, "goal", true, &side.goal) ||
      !get_score(import, object, &side.score) ||
      !get_number(import, object, "simulations", INT64_MAX,
                  &side.work.simulations) ||
      !get_number(import, object, "states", INT64_MAX, &side.work.states) ||
      !get_real(import, object, "seconds", false, &side.work.seconds) ||
      !get_text(import, object, "found", &side.found))
    return false;
  if (side.role != import->sides.count)
    return fail(import, "role", "one after the other");
  vector_push(&import->sides, side);
  return true;
}

static bool read_sides(Import *import, const json_t *line) {
  const json_t *sides = json_object_get(line, "sides");
  const json_t *players =
      json_object_get(json_object_get(line, "series"), "players");
  vector_clear(&import->sides);
  for (size_t i = 0; i < json_array_size(sides); i++)
    if (!read_side(import, json_array_get(sides, i), players)) return false;
  return import->sides.count || fail(import, "sides", "a list");
}

/* Moves are in order, so none is there twice. */
static bool follows(const ResultsMoves *moves, const ResultsMove *move) {
  const ResultsMove *last = moves->count ? &vector_last(moves) : NULL;
  return !last || move->step > last->step ||
         (move->step == last->step && move->role > last->role);
}

static bool read_move(Import *import, const json_t *list) {
  ResultsMove move = {0};
  const char *text = json_string_value(json_array_get(list, 2));
  uint64_t step, role;
  if (!text ||
      !check_number(import, json_array_get(list, 0), "step", MOST, &step) ||
      !check_number(import, json_array_get(list, 1), "role", MOST, &role) ||
      !check_real(import, json_array_get(list, 3), "seconds", false,
                  &move.seconds) ||
      !check_number(import, json_array_get(list, 4), "simulations", INT64_MAX,
                    &move.simulations) ||
      !check_number(import, json_array_get(list, 5), "states", INT64_MAX,
                    &move.states) ||
      !check_real(import, json_array_get(list, 6), "value", true,
                  &move.value) ||
      !check_real(import, json_array_get(list, 7), "depth", true, &move.depth))
    return import->why.length ? false : fail(import, "moves", "lists of eight");
  move.step = (uint32_t)step;
  move.role = (uint32_t)role;
  if (!follows(&import->moves, &move) || role >= import->sides.count)
    return fail(import, "moves", "steps and roles in order");
  text_add(&move.move, text);
  vector_push(&import->moves, move);
  return true;
}

static bool read_moves(Import *import, const json_t *line) {
  const json_t *list = json_object_get(line, "moves");
  if (!json_is_array(list)) return fail(import, "moves", "a list");
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!read_move(import, json_array_get(list, i))) return false;
  return true;
}

static bool add_match(Import *import, int64_t series, ResultsMatch *match) {
  bool there;
  match->sides = import->sides.data;
  match->side_count = import->sides.count;
  if (!results_has(import->results, series, match->number, &there))
    return fail_store(import);
  import->count.kept += there;
  import->count.matches += !there;
  return there ||
         results_add_match(import->results, series, match, &import->moves) ||
         fail_store(import);
}

static bool read_match(Import *import, const json_t *line) {
  ResultsMatch match = {0};
  int64_t series = 0;
  bool fine = get_small(import, line, "number", &match.number) &&
              get_seed(import, line, &match.seed) &&
              get_text(import, line, "version", &match.version) &&
              get_time(import, line, "finished", &match.finished) &&
              get_real(import, line, "seconds", false, &match.seconds) &&
              get_end(import, line, &match.end) &&
              get_small(import, line, "steps", &match.steps) &&
              get_text(import, line, "error", &match.error) &&
              (series = read_series(import, line)) &&
              read_sides(import, line) && read_moves(import, line) &&
              add_match(import, series, &match);
  results_moves_free(&import->moves);
  return fine;
}

static const struct {
  const char *type;
  bool (*read)(Import *import, const json_t *line);
} kinds[] = {{"tafl", read_head},
             {"game", read_game},
             {"experiment", read_experiment},
             {"match", read_match}};

static bool read_object(Import *import, const json_t *line) {
  const char *type = json_string_value(json_object_get(line, "type"));
  bool head = type && strcmp(type, kinds[0].type) == 0;
  if (head == import->begun) {
    text_add(&import->why, head ? "the first line comes once"
                                : "this is no file of tafl lab export");
    return false;
  }
  import->begun = true;
  for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].type, type) == 0) return kinds[i].read(import, line);
  return fail(import, "type", "game, experiment or match");
}

static bool read_line(Import *import, const char *bytes, size_t length) {
  json_error_t problem;
  if (length > IMPORT_LINE) {
    text_format(&import->why, "the line is longer than %d MiB",
                IMPORT_LINE >> 20);
    return false;
  }
  json_t *line = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &problem);
  if (!line) text_format(&import->why, "%s", problem.text);
  bool fine = line && read_object(import, line);
  json_decref(line);
  return fine;
}

/* ---- files ---- */

static bool read_lines(Import *import, FILE *file, const char *name,
                       Text *error) {
  char *line = NULL;
  size_t room = 0;
  uint64_t number = 0;
  ssize_t length;
  bool fine = true;
  errno = 0;
  while (fine && (length = getline(&line, &room, file)) >= 0) {
    number++;
    fine = read_line(import, line, (size_t)length);
  }
  free(line);
  if (fine && ferror(file)) {
    text_format(error, "%s: %s", name, strerror(errno));
    return false;
  }
  if (fine && !number) {
    text_format(error, "%s: the file is empty", name);
    return false;
  }
  if (!fine)
    text_format(error, "%s:%llu: %s", name, (unsigned long long)number,
                text_string(&import->why));
  return fine;
}

bool import_read(Results *results, FILE *file, const char *name,
                 ImportCount *count, Text *error) {
  Import import = {.results = results};
  bool fine = results_begin(results);
  if (fine) {
    bool read = read_lines(&import, file, name, error);
    fine = results_end(results, read);
    if (read && !fine)
      text_format(error, "%s: %s", name, results_error(results));
  } else {
    text_format(error, "%s: %s", name, results_error(results));
  }
  if (fine) {
    count->matches += import.count.matches;
    count->kept += import.count.kept;
  }
  vector_free(&import.sides);
  text_free(&import.why);
  return fine;
}
