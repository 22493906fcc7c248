/* HEAD, STEP, TURN and the brief of docs/api.md. Only the thread that plays
   calls this. */
#include "base/clock.h"
#include "engine/moves.h"
#include "web/master_parts.h"

static const char *const phases[] = {"loading", "starting", "playing", "over",
                                     "failed"};

/* ---- roles ---- */

static const char *label(const Master *master, uint32_t role) {
  const AgentSpec *spec = master->players[role];
  const char *name = master->seated ? party_name(&master->party, role) : "";
  if (spec->kind == SPEC_HUMAN) return "Human";
  if (strcmp(spec->text, "tafl") == 0) return "Tafl";
  if (!*spec->text) return "Another player";
  return *name ? name : spec->text;
}

static json_t *roles_json(const Master *master) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < master->role_count; role++) {
    Text name = {0};
    moves_write_role(master->game, role, &name);
    json_array_append_new(list,
                          json_pack("{s:o, s:o, s:o}", "name",
                                    json_plain(text_string(&name)), "player",
                                    json_plain(master->players[role]->text),
                                    "label", json_plain(label(master, role))));
    text_free(&name);
  }
  return list;
}

static json_t *game_json(const Master *master) {
  return *master->plan->game ? json_plain(master->plan->game) : json_null();
}

/* ---- the match ---- */

static json_t *sum_json(const Master *master) {
  return master->sum ? json_integer(master->sum) : json_null();
}

/* `scene` is taken; `early` is the state to show until there are steps, or
   NULL. */
static void say_head(Master *master, json_t *scene, json_t *early) {
  const MasterPlan *plan = master->plan;
  Text seed = {0};
  text_format(&seed, "%llu", (unsigned long long)plan->seed);
  json_t *json = json_pack(
      "{s:o, s:o, s:o, s:f, s:f, s:s, s:o, s:b, s:o, s:s, s:O?}", "game",
      game_json(master), "title", json_plain(text_string(&master->title)),
      "roles", roles_json(master), "start", plan->start, "play", plan->play,
      "seed", text_string(&seed), "scene", scene, "stylesheet",
      (int)plan->stylesheet, "sum", sum_json(master), "begun", master->date,
      "early", early);
  turn_say(&master->turn, MASTER_HEAD, json);
  json_decref(json);
  text_free(&seed);
}

void master_say_head(Master *master) {
  say_head(master, scene_json(master->scene), NULL);
  master->version = scene_version(master->scene);
}

void master_say_early(Master *master, json_t *scene, json_t *state) {
  say_head(master, scene, state);
}

void master_say_brief(Master *master) {
  json_t *json = json_pack(
      "{s:o, s:o, s:o, s:i, s:s}", "game", game_json(master), "title",
      json_plain(text_string(&master->title)), "roles", roles_json(master),
      "step", (int)master->steps.count, "phase", phases[master->turn.phase]);
  turn_say(&master->turn, MASTER_BRIEF, json);
  json_decref(json);
}

/* ---- steps ---- */

json_t *master_moves_json(Master *master, const Move *joint) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < master->role_count; role++) {
    json_t *move = scene_move(master->scene, master->game, role, joint[role]);
    const PartyMember *member =
        master->seated ? &master->party.members[role] : NULL;
    bool fault = member && member->agent->fault.length;
    json_object_set_new(move, "seconds",
                        member ? json_real(member->seconds) : json_null());
    json_object_set_new(move, "error",
                        fault ? json_plain(member->agent->fault.bytes)
                              : json_null());
    json_array_append_new(list, move);
  }
  return list;
}

static json_t *take_thoughts(Master *master) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < master->role_count; role++) {
    json_t *thought = master->thoughts[role];
    json_array_append_new(list, thought ? thought : json_null());
    master->thoughts[role] = NULL;
  }
  return list;
}

static json_t *idle_json(const Master *master) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < master->role_count; role++)
    json_array_append_new(list, json_boolean(master->idle[role]));
  return list;
}

void master_say_step(Master *master, json_t *moves, const TermVector *before) {
  json_t *json = json_pack(
      "{s:i, s:o, s:o, s:o, s:o}", "number", (int)master->steps.count, "moves",
      moves ? moves : json_null(), "idle", idle_json(master), "state",
      scene_state(master->scene, master->game, before ? before->data : NULL,
                  before ? before->count : 0),
      "thoughts", take_thoughts(master));
  if (master->version != scene_version(master->scene)) master_say_head(master);
  turn_say(&master->turn, MASTER_STEP, json);
  json_decref(json);
}

void master_say_back(Master *master, uint32_t step) {
  json_t *json = json_pack("{s:i}", "step", (int)step);
  turn_say(&master->turn, MASTER_BACK, json);
  json_decref(json);
}

/* ---- turns ---- */

/* The scene lists moves in the same order, and leaves some out if there are
   thousands. */
static void offer_moves(Master *master, uint32_t role) {
  MoveVector sorted = {0};
  size_t i;
  json_t *each;
  json_t *list = scene_legal(master->scene, master->game, role);
  moves_sorted(master->game, role, &sorted);
  json_array_foreach(list, i, each) {
    TurnMove offered = {.move = sorted.data[i]};
    text_add(&offered.name, json_string_value(json_object_get(each, "move")));
    json_add_text(each, JSON_COMPACT, &offered.json);
    vector_push(&master->turn.roles[role].moves, offered);
  }
  json_decref(list);
  vector_free(&sorted);
}

/* HTTP players are asked in every step. */
static bool will_think(const Master *master, uint32_t role) {
  SpecKind kind = master->players[role]->kind;
  if (master->turn.shown) return !master->idle[role];
  return kind == SPEC_REMOTE || (kind == SPEC_SEARCH && !master->idle[role]);
}

static void set_undo(Master *master) {
  Turn *turn = &master->turn;
  turn->undo = master->resigned;
  for (uint32_t i = 0; i < master->steps.count; i++)
    turn->undo |= master->steps.data[i].choice;
}

void master_say_turn(Master *master) {
  Turn *turn = &master->turn;
  uint32_t thinking = 0;
  turn_lock(turn);
  turn_clear(turn);
  turn->phase = TURN_PLAYING;
  turn->step = master->steps.count;
  text_clear(&turn->message);
  text_clear(&turn->goals);
  for (uint32_t role = 0; role < master->role_count; role++) {
    bool person = turn->roles[role].person;
    if (person && !master->idle[role]) offer_moves(master, role);
    turn->roles[role].thinking = will_think(master, role);
    thinking += turn->roles[role].thinking;
  }
  if (master->party.at_once && thinking) thinking = 1;
  if (thinking && !turn->shown)
    turn->until = clock_now() + thinking * master->plan->play;
  set_undo(master);
  bool grown = master->version != scene_version(master->scene);
  turn_unlock(turn);
  if (grown) master_say_head(master);
  master_say_brief(master);
  turn_lock(turn);
  turn_send(turn);
  turn_unlock(turn);
}

static void write_goals(Master *master, Text *goals) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < master->role_count; role++) {
    int goal = game_goal(master->game, role);
    json_array_append_new(list, goal < 0 ? json_null() : json_integer(goal));
  }
  json_add_text(list, JSON_COMPACT, goals);
  json_decref(list);
}

void master_say_phase(Master *master, TurnPhase phase, const char *message) {
  Turn *turn = &master->turn;
  bool fine = master->loaded && !game_failed(master->game);
  turn_lock(turn);
  turn_clear(turn);
  turn->phase = phase;
  turn->step = master->steps.count;
  text_clear(&turn->message);
  text_add(&turn->message, message);
  text_clear(&turn->goals);
  if (phase == TURN_OVER && fine && game_terminal(master->game))
    write_goals(master, &turn->goals);
  turn->final |= !fine && phase == TURN_FAILED;
  if (phase == TURN_STARTING && master->plan->start > 0)
    turn->until = clock_now() + master->plan->start;
  set_undo(master);
  turn_unlock(turn);
  if (master->loaded) master_say_brief(master);
  turn_lock(turn);
  turn_send(turn);
  turn_unlock(turn);
}
