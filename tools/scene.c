/* Prints what the page shows of games after some random moves: for each game a
   line with a MATCH of docs/api.md, with the legal moves of all roles. -n plays
   without a net.

     build/tools/scene [-n] [--moves N] [--seed S] GAME…
     build/tools/scene games/chess.kif --moves 10 */
#include <stdio.h>
#include <stdlib.h>

#include "about/scene.h"
#include "engine/moves.h"
#include "support/drawing.h"

typedef struct Options {
  long moves;
  uint64_t seed;
  bool net;
} Options;

static json_t *step_json(Scene *scene, Drawn *drawn, long number,
                         json_t *moves) {
  json_t *idle = json_array(), *thoughts = json_array();
  for (uint32_t role = 0; role < drawn->game->role_count; role++) {
    json_array_append_new(idle, json_false());
    json_array_append_new(thoughts, json_null());
  }
  json_t *state =
      scene_state(scene, drawn->game, drawn->moved ? drawn->before.data : NULL,
                  drawn->before.count);
  return json_pack("{s:I, s:o, s:o, s:o, s:o}", "number", (json_int_t)number,
                   "moves", moves ? moves : json_null(), "idle", idle, "state",
                   state, "thoughts", thoughts);
}

/* Makes a random move; returns it as JSON, or NULL at the end. */
static json_t *make_move(Scene *scene, Drawn *drawn) {
  Move joint[RULE_ROLES];
  Game *game = drawn->game;
  const Move *legal;
  if (game_failed(game) || game_terminal(game)) return NULL;
  for (uint32_t role = 0; role < game->role_count; role++)
    if (!game_legal(game, role, &legal)) return NULL;
  json_t *moves = json_array();
  for (uint32_t role = 0; role < game->role_count; role++) {
    joint[role] = moves_random(game, role, &drawn->random);
    json_t *move = scene_move(scene, game, role, joint[role]);
    json_object_set_new(move, "seconds", json_real(0.5));
    json_object_set_new(move, "error", json_null());
    json_array_append_new(moves, move);
  }
  drawn_take(drawn, joint);
  return moves;
}

static json_t *steps_json(Scene *scene, Drawn *drawn, long count) {
  json_t *steps = json_array(), *moves = NULL;
  json_array_append_new(steps, step_json(scene, drawn, 0, NULL));
  for (long i = 1; i <= count && (moves = make_move(scene, drawn)); i++)
    json_array_append_new(steps, step_json(scene, drawn, i, moves));
  return steps;
}

static json_t *turn_json(Scene *scene, Drawn *drawn, size_t step) {
  json_t *legal = json_array(), *chosen = json_array(), *asked = json_array();
  Game *game = drawn->game;
  bool over = game_terminal(game);
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    bool choice = !over && game_legal(game, role, &moves) > 1;
    json_array_append_new(legal,
                          over ? json_null() : scene_legal(scene, game, role));
    json_array_append_new(chosen, json_null());
    if (choice) json_array_append_new(asked, json_integer(role));
  }
  return json_pack("{s:s, s:I, s:[], s:o, s:o, s:o, s:b, s:n, s:s, s:n}",
                   "phase", over ? "over" : "playing", "step",
                   (json_int_t)step - 1, "thinking", "asked", asked, "chosen",
                   chosen, "legal", legal, "undo", step > 1, "left", "message",
                   "", "goals");
}

static void write_name(const char *path, Text *name) {
  const char *slash = strrchr(path, '/');
  text_add(name, slash ? slash + 1 : path);
  char *dot = strrchr(name->bytes, '.');
  if (dot) *dot = '\0';
}

static json_t *head_json(Scene *scene, Drawn *drawn, const char *name) {
  json_t *roles = json_array();
  for (uint32_t role = 0; role < drawn->game->role_count; role++) {
    Text own = {0};
    moves_write_role(drawn->game, role, &own);
    json_array_append_new(roles, json_pack("{s:o, s:s, s:s}", "name",
                                           json_plain(text_string(&own)),
                                           "player", role ? "tafl" : "human",
                                           "label", role ? "Tafl" : "Human"));
    text_free(&own);
  }
  return json_pack("{s:s, s:s, s:o, s:i, s:i, s:s, s:o, s:b, s:n, s:s}", "game",
                   name, "title", name, "roles", roles, "start", 1, "play", 2,
                   "seed", "1", "scene", scene_json(scene), "stylesheet", 0,
                   "sum", "begun", "2026-01-01T00:00:00Z");
}

static bool show(const char *path, const Options *options) {
  static Drawn drawn;
  Text name = {0};
  if (!drawn_open(&drawn, path, options->net, options->seed)) {
    fprintf(stderr, "%s: no game\n", path);
    return false;
  }
  write_name(path, &name);
  Scene *scene = scene_new(&drawn.book);
  json_t *steps = steps_json(scene, &drawn, options->moves);
  json_t *turn = turn_json(scene, &drawn, json_array_size(steps));
  json_t *match =
      json_pack("{s:s, s:s, s:o, s:o, s:o, s:[]}", "id", "mfixture", "kind",
                "page", "head", head_json(scene, &drawn, name.bytes), "steps",
                steps, "turn", turn, "live");
  Text text = {0};
  json_add_text(match, JSON_COMPACT, &text);
  puts(text_string(&text));
  json_decref(match);
  scene_delete(scene);
  drawn_close(&drawn);
  text_free(&text);
  text_free(&name);
  return true;
}

int main(int count, char **arguments) {
  Options options = {.moves = 6, .seed = 1, .net = true};
  bool fine = true;
  for (int i = 1; i < count; i++) {
    bool more = i + 1 < count;
    if (strcmp(arguments[i], "-n") == 0)
      options.net = false;
    else if (more && strcmp(arguments[i], "--moves") == 0)
      options.moves = atol(arguments[++i]);
    else if (more && strcmp(arguments[i], "--seed") == 0)
      options.seed = strtoull(arguments[++i], NULL, 10);
  }
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "--moves") == 0 ||
        strcmp(arguments[i], "--seed") == 0)
      i++;
    else if (arguments[i][0] != '-')
      fine &= show(arguments[i], &options);
  }
  return fine ? 0 : 3;
}
