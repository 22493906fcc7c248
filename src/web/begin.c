#include "web/begin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "about/catalogue.h"
#include "io/json.h"
#include "web/stylesheet.h"

enum {
  ROLES = 64,    /* players in a request */
  AGENT = 1024,  /* bytes of one */
  STEPS = 10000, /* joint moves to begin with */
  FILE_SIZE = 8 << 20
};

static const double shortest_play = 0.05;
static const double usual_start = 1, usual_play = 2;

static bool fail(Begin *begin, unsigned status, const char *format, ...)
    PRINTF_LIKE(3, 4);

static bool fail(Begin *begin, unsigned status, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  begin->status = status;
  text_clear(&begin->error);
  text_add(&begin->error, text);
  return false;
}

/* ---- the game ---- */

static bool take_rules(Begin *begin, const WebSettings *settings,
                       const char *rules) {
  size_t length = strlen(rules);
  if (length > settings->rules)
    return fail(begin, 413, "The rules are longer than %zu bytes.",
                settings->rules);
  text_add_bytes(&begin->rules, rules, length);
  text_add(&begin->source, "rules");
  return true;
}

static bool take_game(Begin *begin, const WebSettings *settings,
                      const char *name) {
  Text path = {0};
  bool found = catalogue_file(&settings->games, name, &path);
  bool fine = found && text_read_file(&begin->rules, text_string(&path),
                                      FILE_SIZE, &begin->error);
  text_free(&path);
  if (!found) return fail(begin, 404, "There is no game of this name.");
  if (!fine) return fail(begin, 500, "The file of the game cannot be read.");
  text_add(&begin->game, name);
  text_format(&begin->source, "%s.kif", name);
  catalogue_name(text_string(&begin->rules), name, &begin->title);
  return true;
}

static bool read_game(Begin *begin, const WebSettings *settings,
                      const json_t *value) {
  const char *game = json_string_value(json_object_get(value, "game"));
  const char *rules = json_string_value(json_object_get(value, "rules"));
  if (!game == !rules)
    return fail(begin, 400, "Either a game or rules must be given.");
  return game ? take_game(begin, settings, game)
              : take_rules(begin, settings, rules);
}

/* ---- players ---- */

static bool add_player(Begin *begin, const WebSettings *settings,
                       const char *text) {
  AgentSpec spec;
  Text error = {0};
  if (!text || strlen(text) > AGENT || begin->players.count >= ROLES)
    return fail(begin, 400, "Players are a list of names of agents.");
  bool fine = spec_parse(&spec, text, &error);
  if (fine) {
    if (spec.kind == SPEC_SEARCH &&
        spec.settings.threads > settings->processors)
      spec.settings.threads = settings->processors ? settings->processors : 1;
    vector_push(&begin->players, spec);
  } else {
    fail(begin, 400, "%s", text_string(&error));
  }
  text_free(&error);
  return fine;
}

/* Those that are missing are the last of the list: the usual agent. */
static bool read_players(Begin *begin, const WebSettings *settings,
                         const json_t *list) {
  size_t i;
  json_t *each;
  if (list && !json_is_array(list))
    return fail(begin, 400, "Players are a list of names of agents.");
  json_array_foreach(list, i, each) {
    if (!add_player(begin, settings, json_string_value(each))) return false;
  }
  return begin->players.count >= ROLES ||
         add_player(begin, settings, settings->agent);
}

/* ---- clocks, seed, moves ---- */

static bool read_clock(Begin *begin, const json_t *value, double least,
                       double most, double usual, double *clock) {
  *clock = usual < most ? usual : most;
  if (!value || json_is_null(value)) return true;
  *clock = json_number_value(value);
  if (json_is_number(value) && *clock >= least && *clock <= most) return true;
  return fail(begin, 400, "Clocks are numbers of seconds from %g to %g.", least,
              most);
}

/* Numbers beyond 2^53 are texts, since scripts cannot tell them apart. */
static bool read_seed(Begin *begin, const json_t *value, uint64_t *seed) {
  const char *text = json_string_value(value);
  if (json_is_integer(value) && json_integer_value(value) >= 0) {
    *seed = (uint64_t)json_integer_value(value);
    return true;
  }
  if (text && *text && strlen(text) <= 19 &&
      strspn(text, "0123456789") == strlen(text)) {
    *seed = strtoull(text, NULL, 10);
    return true;
  }
  if (value && !json_is_null(value))
    return fail(begin, 400, "A seed is a number of at most 19 digits.");
  return true;
}

static bool is_joint_move(const json_t *value) {
  size_t i;
  json_t *each;
  if (!json_is_array(value) || json_array_size(value) > ROLES) return false;
  json_array_foreach(value, i, each) {
    if (!json_is_string(each)) return false;
  }
  return true;
}

static bool read_moves(Begin *begin, json_t *value) {
  size_t i;
  json_t *each;
  if (!value || json_is_null(value)) return true;
  bool fine = json_is_array(value) && json_array_size(value) <= STEPS;
  json_array_foreach(value, i, each) fine &= is_joint_move(each);
  if (!fine) return fail(begin, 400, "Moves are a list of lists of moves.");
  if (json_array_size(value)) begin->moves = json_incref(value);
  return true;
}

/* ---- all of it ---- */

static bool make_random(Begin *begin, uint64_t *seed) {
  uint64_t numbers[2];
  ssize_t size;
  do size = getrandom(numbers, sizeof numbers, 0);
  while (size < 0 && errno == EINTR);
  if (size != sizeof numbers)
    return fail(begin, 503, "The system has no random numbers.");
  text_format(&begin->id, "m%016" PRIx64, numbers[0]);
  *seed = numbers[1] >> 12; /* one that scripts can read */
  return true;
}

static bool read_value(Begin *begin, const WebSettings *settings,
                       const json_t *value) {
  MasterPlan *plan = &begin->plan;
  if (!json_is_object(value))
    return fail(begin, 400, "The request is not a JSON object.");
  return make_random(begin, &plan->seed) &&
         read_clock(begin, json_object_get(value, "start"), 0,
                    settings->longest_start, usual_start, &plan->start) &&
         read_clock(begin, json_object_get(value, "play"), shortest_play,
                    settings->longest_play, usual_play, &plan->play) &&
         read_seed(begin, json_object_get(value, "seed"), &plan->seed) &&
         read_moves(begin, json_object_get(value, "moves")) &&
         read_players(begin, settings, json_object_get(value, "players")) &&
         read_game(begin, settings, value);
}

static bool has_stylesheet(const Begin *begin, const WebSettings *settings) {
  Text path = {0};
  bool found = stylesheet_find(settings->stylesheet, &settings->games,
                               text_string(&begin->game), &path);
  text_free(&path);
  return found;
}

static void fill_plan(Begin *begin, const WebSettings *settings) {
  MasterPlan *plan = &begin->plan;
  plan->id = text_string(&begin->id);
  plan->game = text_string(&begin->game);
  plan->rules = text_string(&begin->rules);
  plan->rules_length = begin->rules.length;
  plan->name = text_string(&begin->source);
  plan->title = text_string(&begin->title);
  plan->players = &begin->players;
  plan->moves = begin->moves;
  plan->stylesheet = has_stylesheet(begin, settings);
  plan->db = *settings->db ? settings->db : NULL;
  plan->version = settings->version;
  plan->limits = settings->limits;
  plan->processors = settings->processors;
}

bool begin_read(Begin *begin, const WebSettings *settings, const char *text,
                size_t length) {
  *begin = (Begin){.status = 400};
  json_t *value = json_loadb(text, length, 0, NULL);
  bool fine = read_value(begin, settings, value);
  json_decref(value);
  if (fine) fill_plan(begin, settings);
  return fine;
}

void begin_free(Begin *begin) {
  text_free(&begin->error);
  text_free(&begin->id);
  text_free(&begin->game);
  text_free(&begin->rules);
  text_free(&begin->source);
  text_free(&begin->title);
  spec_free_list(&begin->players);
  json_decref(begin->moves);
}
