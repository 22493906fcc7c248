/* The best moves come first, and those that no longer fit are left out. */
#include "player/outlook.h"

#include <math.h>

#include "about/spell.h"
#include "engine/moves.h"
#include "io/json.h"

enum { MOVES = 24, LINES = 4, LINE_STEPS = 8, LONGEST_MOVE = 300 };

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* The moves that are chosen in one step; empty: none. */
static void say_step(const Game *game, const AgentLine *line, uint32_t step,
                     Text *text) {
  Text move = {0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    const AgentStep *part = &line->steps[step * game->role_count + role];
    if (!part->chosen) continue;
    if (text->length) text_add(text, " with ");
    text_clear(&move);
    moves_write(game, role, part->move, &move);
    spell_say(text_string(&move), text);
  }
  text_free(&move);
}

static json_t *line_json(const Game *game, const AgentLine *line) {
  json_t *list = json_array();
  for (uint32_t step = 0; step < line->count && step < LINE_STEPS; step++) {
    Text text = {0};
    say_step(game, line, step, &text);
    if (text.length && text.length <= LONGEST_MOVE)
      json_array_append_new(list, json_plain(text_string(&text)));
    text_free(&text);
  }
  return list;
}

static void add_move(const Agent *agent, const AgentMove *move, json_t *list) {
  Text text = {0};
  bool known = move->visits || move->proven || move->value >= 0;
  bool lined = json_array_size(list) < LINES;
  moves_write(agent->game, agent->role, move->move, &text);
  if (text.length <= LONGEST_MOVE)
    json_array_append_new(
        list,
        json_pack("{s:o, s:I, s:o, s:b, s:o}", "move",
                  json_plain(text_string(&text)), "visits",
                  (json_int_t)move->visits, "value",
                  known ? number(move->value) : json_null(), "proven",
                  (int)move->proven, "line",
                  lined ? line_json(agent->game, &move->line) : json_array()));
  text_free(&text);
}

static json_t *values_json(const AgentReport *report, uint32_t roles) {
  if (!report->values) return json_null();
  json_t *list = json_array();
  for (uint32_t role = 0; role < roles; role++)
    json_array_append_new(list, number(report->values[role]));
  return list;
}

void outlook_write(Agent *agent, Text *json) {
  AgentReport report;
  agent_report(agent, &report);
  if (!report.searched || (!report.simulations && !report.states)) return;
  json_t *moves = json_array();
  for (uint32_t i = 0; i < report.move_count && i < MOVES; i++)
    add_move(agent, &report.moves[i], moves);
  json_t *object = json_pack(
      "{s:o, s:I, s:I, s:I, s:o, s:b, s:o, s:o, s:b, s:o}", "seconds",
      number(report.seconds), "simulations", (json_int_t)report.simulations,
      "states", (json_int_t)report.states, "nodes", (json_int_t)report.nodes,
      "depth", number(report.depth), "deepened", (int)report.deepened, "value",
      number(report.value), "values",
      values_json(&report, agent->game->role_count), "proven",
      (int)report.proven, "moves", moves);
  json_add_text(object, JSON_COMPACT | JSON_REAL_PRECISION(6), json);
  json_decref(object);
}
