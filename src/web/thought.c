/* Moves of an engine of another book are found again by their text. */
#include "web/thought.h"

#include <math.h>

#include "about/spell.h"
#include "engine/moves.h"

enum { MOVES = 64, LINES = 8, LINE_STEPS = 12 }; /* at most */

static const char *mind_name(const AgentReport *report, const Game *game,
                             const AgentSpec *spec) {
  if (report->deepened) return "alpha-beta search";
  if (game->role_count == 1 && spec->settings.puzzle != PUZZLE_SEARCH)
    return "puzzle solver";
  return "Monte Carlo search";
}

/* ---- lines ---- */

/* The moves that are chosen in one step; empty: none. */
static void say_step(const Game *own, const AgentLine *line, uint32_t step,
                     Text *text) {
  Text move = {0};
  for (uint32_t role = 0; role < own->role_count; role++) {
    const AgentStep *part = &line->steps[step * own->role_count + role];
    if (!part->chosen) continue;
    if (text->length) text_add(text, " with ");
    text_clear(&move);
    moves_write(own, role, part->move, &move);
    spell_say(text_string(&move), text);
  }
  text_free(&move);
}

static json_t *line_json(const Game *own, const AgentLine *line) {
  json_t *list = json_array();
  Text text = {0};
  for (uint32_t step = 0; step < line->count && step < LINE_STEPS; step++) {
    text_clear(&text);
    say_step(own, line, step, &text);
    if (text.length)
      json_array_append_new(list, json_plain(text_string(&text)));
  }
  text_free(&text);
  return list;
}

/* ---- moves ---- */

static bool find_move(Game *game, const Game *own, uint32_t role, Move *move) {
  if (own->description == game->description) return true;
  Text text = {0};
  moves_write(own, role, *move, &text);
  bool found = moves_find(game, role, text_string(&text), move);
  text_free(&text);
  return found;
}

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static void add_move(Scene *scene, Game *game, const Game *own,
                     const AgentMove *found, uint32_t role, json_t *list) {
  Move move = found->move;
  bool known = found->visits || found->proven || found->value >= 0;
  if (!find_move(game, own, role, &move)) return;
  json_t *json = scene_move(scene, game, role, move);
  json_object_set_new(json, "visits", json_integer(found->visits));
  json_object_set_new(json, "value",
                      known ? number(found->value) : json_null());
  json_object_set_new(json, "proven", json_boolean(found->proven));
  if (json_array_size(list) < LINES)
    json_object_set_new(json, "line", line_json(own, &found->line));
  else
    json_object_set_new(json, "line", json_array());
  json_array_append_new(list, json);
}

/* What the other of two roles can expect follows from a constant sum, and is
   not as exact in a search that does not play it. */
static json_t *both_json(double value, const ThoughtAbout *about) {
  return json_pack("[f, f]", about->role ? about->sum - value : value,
                   about->role ? value : about->sum - value);
}

static json_t *values_json(const AgentReport *report, uint32_t roles,
                           const ThoughtAbout *about) {
  if (about->sum && roles == 2 && isfinite(report->value))
    return both_json(report->value, about);
  if (!report->values) return json_null();
  json_t *list = json_array();
  for (uint32_t role = 0; role < roles; role++)
    json_array_append_new(list, number(report->values[role]));
  return list;
}

json_t *thought_json(Scene *scene, Game *game, const Game *own,
                     const AgentReport *report, const ThoughtAbout *about) {
  if (!report->searched || (!report->simulations && !report->states))
    return NULL;
  json_t *moves = json_array();
  uint32_t most = about->most ? about->most : MOVES;
  for (uint32_t i = 0; i < report->move_count && i < most; i++)
    add_move(scene, game, own, &report->moves[i], about->role, moves);
  return json_pack(
      "{s:i, s:i, s:s, s:o, s:s, s:f, s:o, s:I, s:I, s:I, s:o, s:b, s:o, s:o, "
      "s:b, s:o}",
      "step", (int)about->step, "role", (int)about->role, "purpose",
      about->hint ? "hint" : "move", "agent", json_plain(about->spec->text),
      "who", mind_name(report, game, about->spec), "seconds", report->seconds,
      "left", about->left < 0 ? json_null() : number(about->left),
      "simulations", (json_int_t)report->simulations, "states",
      (json_int_t)report->states, "nodes", (json_int_t)report->nodes, "depth",
      number(report->depth), "deepened", (int)report->deepened, "value",
      number(report->value), "values",
      values_json(report, game->role_count, about), "proven",
      (int)report->proven, "moves", moves);
}

/* ---- of the player ---- */

static json_t *place_moves(Scene *scene, Game *game, const json_t *list,
                           uint32_t role) {
  size_t i;
  json_t *each, *placed = json_array();
  json_array_foreach((json_t *)(uintptr_t)list, i, each) {
    Move move;
    const char *text = json_string_value(json_object_get(each, "move"));
    if (!text || !moves_find(game, role, text, &move)) continue;
    json_t *own = scene_move(scene, game, role, move);
    json_object_update_missing(own, each);
    json_array_append_new(placed, own);
  }
  return placed;
}

json_t *thought_complete(Scene *scene, Game *game, json_t *outlook,
                         const ThoughtAbout *about) {
  if (!json_is_object(outlook)) {
    json_decref(outlook);
    return NULL;
  }
  AgentReport report = {.deepened =
                            json_is_true(json_object_get(outlook, "deepened"))};
  json_t *moves =
      place_moves(scene, game, json_object_get(outlook, "moves"), about->role);
  json_object_set_new(outlook, "moves", moves);
  json_object_set_new(outlook, "step", json_integer(about->step));
  json_object_set_new(outlook, "role", json_integer(about->role));
  json_object_set_new(outlook, "purpose", json_string("move"));
  json_object_set_new(outlook, "agent", json_plain(about->spec->text));
  json_object_set_new(outlook, "who",
                      json_string(mind_name(&report, game, about->spec)));
  json_object_set_new(outlook, "left", json_null());
  const json_t *value = json_object_get(outlook, "value");
  if (about->sum && game->role_count == 2 && json_is_number(value))
    json_object_set_new(outlook, "values",
                        both_json(json_number_value(value), about));
  return outlook;
}
