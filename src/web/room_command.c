/* A command is checked against the last TURN before it is passed on, so that
   whoever sent it learns at once why it cannot be carried out; the process
   checks again. Only what was understood is passed on. */
#include <string.h>

#include "base/clock.h"
#include "web/room_parts.h"

/* ---- before the process speaks ---- */

static json_t *text_or_null(const char *text) {
  return text && *text ? json_plain(text) : json_null();
}

static const char *title_of(const MasterPlan *plan) {
  if (plan->title && *plan->title) return plan->title;
  return *plan->game ? plan->game : "Your own game";
}

static void write(json_t *json, Text *text) {
  text_clear(text);
  json_add_text(json, JSON_COMPACT, text);
  json_decref(json);
}

void room_describe(Room *room, const MasterPlan *plan) {
  Text seed = {0};
  text_format(&seed, "%llu", (unsigned long long)plan->seed);
  write(json_pack("{s:o, s:o, s:[], s:f, s:f, s:s, s:n, s:b, s:n, s:n}", "game",
                  text_or_null(plan->game), "title", json_plain(title_of(plan)),
                  "roles", "start", plan->start, "play", plan->play, "seed",
                  text_string(&seed), "scene", "stylesheet",
                  (int)plan->stylesheet, "sum", "begun"),
        &room->head);
  write(json_pack("{s:s, s:i, s:[], s:[], s:[], s:[], s:b, s:n, s:s, s:n}",
                  "phase", "loading", "step", 0, "thinking", "asked", "chosen",
                  "legal", "undo", 0, "left", "message", "", "goals"),
        &room->turn);
  write(json_pack("{s:o, s:o, s:[], s:i, s:s}", "game",
                  text_or_null(plan->game), "title", json_plain(title_of(plan)),
                  "roles", "step", 0, "phase", "loading"),
        &room->brief);
  text_free(&seed);
}

static json_t *parse(const Text *text) {
  return json_loadb(text_string(text), text->length, 0, NULL);
}

void room_set_phase(Room *room, const char *phase) {
  json_t *brief = parse(&room->brief);
  if (!brief) return;
  json_object_set_new(brief, "phase", json_string(phase));
  write(brief, &room->brief);
}

/* ---- commands ---- */

typedef struct Command {
  const json_t *turn, *given;
  json_t *passed; /* what is passed on */
  bool playing;
} Command;

static const char nobody[] = "There is no such person in this match.";

/* Returns why the match does not take moves now. */
static const char *why_not_now(const Command *command) {
  const char *phase =
      json_string_value(json_object_get(command->turn, "phase"));
  if (!phase || strcmp(phase, "failed") == 0) return "The match cannot go on.";
  if (strcmp(phase, "over") == 0) return "The game is over.";
  return "The match has not begun yet.";
}

static bool has_role(const Command *command, size_t *role) {
  const json_t *given = json_object_get(command->given, "role");
  *role = (size_t)json_integer_value(given);
  return json_is_integer(given) && json_integer_value(given) >= 0;
}

/* The moves that a person may choose from, or NULL. */
static const json_t *legal_moves(const Command *command) {
  size_t role;
  if (!has_role(command, &role)) return NULL;
  const json_t *list =
      json_array_get(json_object_get(command->turn, "legal"), role);
  return json_is_array(list) ? list : NULL;
}

static bool lists(const json_t *moves, const char *name) {
  size_t i;
  json_t *each;
  json_array_foreach((json_t *)(uintptr_t)moves, i, each) {
    const char *move = json_string_value(json_object_get(each, "move"));
    if (move && strcmp(move, name) == 0) return true;
  }
  return false;
}

static bool pass(Command *command, const char *name) {
  json_t *value = json_object_get(command->given, name);
  if (value) json_object_set(command->passed, name, value);
  return value;
}

/* Each returns NULL if the command makes sense, or else the reason. */
static const char *check_move(Command *command) {
  const json_t *moves = legal_moves(command);
  const json_t *step = json_object_get(command->given, "step");
  const json_t *now = json_object_get(command->turn, "step");
  const char *move = json_string_value(json_object_get(command->given, "move"));
  if (!command->playing) return why_not_now(command);
  if (!json_is_integer(step) ||
      !json_equal((json_t *)(uintptr_t)step, (json_t *)(uintptr_t)now))
    return "The match has moved on.";
  if (!moves) return "It is not your turn.";
  if (!move || !lists(moves, move)) return "This move is not legal.";
  pass(command, "role");
  pass(command, "step");
  pass(command, "move");
  return NULL;
}

static const char *check_undo(Command *command) {
  return json_is_true(json_object_get(command->turn, "undo"))
             ? NULL
             : "There is nothing to take back.";
}

static const char *check_hint(Command *command) {
  if (!command->playing) return why_not_now(command);
  if (!legal_moves(command)) return "It is not your turn.";
  pass(command, "role");
  if (!pass(command, "seconds"))
    json_object_set_new(command->passed, "seconds", json_integer(2));
  return json_is_number(json_object_get(command->passed, "seconds"))
             ? NULL
             : "Seconds are a number.";
}

static const char *check_resign(Command *command, const json_t *roles) {
  size_t role;
  const char *phase =
      json_string_value(json_object_get(command->turn, "phase"));
  if (!command->playing && strcmp(phase ? phase : "", "starting") != 0)
    return why_not_now(command);
  if (!has_role(command, &role)) return nobody;
  const char *player =
      json_string_value(json_object_get(json_array_get(roles, role), "player"));
  if (!player || strcmp(player, "human") != 0) return nobody;
  pass(command, "role");
  return NULL;
}

static const char *check(const Room *room, char kind, Command *command) {
  const char *phase =
      json_string_value(json_object_get(command->turn, "phase"));
  command->playing = phase && strcmp(phase, "playing") == 0;
  if (kind == MASTER_MOVE) return check_move(command);
  if (kind == MASTER_UNDO) return check_undo(command);
  if (kind == MASTER_HINT) return check_hint(command);
  json_t *brief = parse(&room->brief);
  const char *why = check_resign(command, json_object_get(brief, "roles"));
  json_decref(brief);
  return why;
}

bool room_command(Room *room, char kind, const char *json, size_t length,
                  const char **why) {
  Text passed = {0};
  json_t *turn = parse(&room->turn);
  json_t *given = json_loadb(json, length, 0, NULL);
  Command command = {.turn = turn, .given = given, .passed = json_object()};
  *why = room->shown  ? "The match is played elsewhere."
         : room->gone ? "The match cannot go on."
                      : check(room, kind, &command);
  if (!*why) {
    json_add_text(command.passed, JSON_COMPACT, &passed);
    if (wire_try(room->wire.link, kind, passed.bytes, passed.length))
      room->life = clock_now();
    else
      *why = "The match is busy: try again.";
  }
  json_decref(turn);
  json_decref(given);
  json_decref(command.passed);
  text_free(&passed);
  return !*why;
}
