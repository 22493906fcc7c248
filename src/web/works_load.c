/* Loading a game may take a while: everything has to be ready before the task
   is killed, so that the net gets a part of the time, and without it the rules
   engine plays. */
#include "web/works_load.h"

#include <string.h>

#include "about/catalogue.h"
#include "base/clock.h"
#include "engine/moves.h"
#include "engine/playout.h"
#include "engine/turn.h"

static const double net_share = 0.6; /* of the time, for making the net */

/* ---- files ---- */

static void take_name(const char *path, Text *name) {
  path += strcspn(path, "/");
  path += *path == '/';
  text_add_bytes(name, path, strcspn(path, "/"));
}

bool works_read(const TaskCall *call, TaskReply *reply, WorksFile *file) {
  const WebSettings *settings = call->context;
  Text error = {0};
  *file = (WorksFile){0};
  take_name(call->path, &file->name);
  const char *name = text_string(&file->name);
  bool fine = catalogue_file(&settings->games, name, &file->path);
  if (!fine)
    task_fail(reply, 404, "There is no game '%.100s'.", name);
  else if (!(fine = text_read_file(&file->rules, file->path.bytes,
                                   settings->rules, &error)))
    task_fail(reply, 500, "The rules of '%.100s' cannot be read: %s.", name,
              text_string(&error));
  text_free(&error);
  if (!fine) works_file_free(file);
  return fine;
}

void works_file_free(WorksFile *file) {
  text_free(&file->name);
  text_free(&file->path);
  text_free(&file->rules);
}

/* ---- rules ---- */

void works_load(WorksGame *loaded, const WebSettings *settings,
                const char *name, const Text *rules, double seconds) {
  BookLimits limits = settings->limits;
  double most = net_share * seconds;
  *loaded = (WorksGame){0};
  limits.deadline = limits.rules.deadline = clock_now() + seconds;
  if (limits.net_seconds <= 0 || limits.net_seconds > most)
    limits.net_seconds = most;
  if (limits.ground.seconds > most) limits.ground.seconds = most;
  limits.prove_seconds = 0;
  description_init(&loaded->description, name, text_string(rules),
                   rules->length);
  if (!description_valid(&loaded->description)) return;
  book_init(&loaded->book, &loaded->description, &limits, true);
  loaded->game = book_game(&loaded->book);
}

void works_unload(WorksGame *loaded) {
  if (loaded->game) {
    game_delete(loaded->game);
    book_free(&loaded->book);
  }
  description_free(&loaded->description);
}

json_t *works_roles(const Game *game) {
  json_t *list = json_array();
  Text name = {0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_clear(&name);
    moves_write_role(game, role, &name);
    json_array_append_new(list, json_plain(name.bytes));
  }
  text_free(&name);
  return list;
}

/* Plays a random game; returns its length. */
static uint32_t play(Game *game, Random *random, double until, bool *taking) {
  enum { LONGEST = 500 };
  uint32_t length = 0, steps, stuck;
  game_reset(game);
  while (length < LONGEST && clock_now() < until && !game_failed(game) &&
         !game_terminal(game)) {
    *taking &= turn_of(game).movers <= 1;
    PlayoutResult result = playout_run(game, random, 1, &steps, &stuck);
    if (result == PLAYOUT_STUCK || result == PLAYOUT_FAILED) break;
    length += steps;
  }
  return length;
}

const char *works_kind(Game *game, uint32_t *length) {
  enum { GAMES = 8 };
  static const double seconds = 0.5;
  bool taking = true;
  uint32_t sum = 0, games = 0;
  Random random;
  random_seed(&random, 1);
  double until = clock_now() + seconds;
  while (games < GAMES && clock_now() < until) {
    sum += play(game, &random, until, &taking);
    games++;
  }
  if (!game_failed(game)) game_reset(game);
  *length = games ? sum / games : 0;
  return game->role_count == 1 ? "puzzle" : taking ? "turns" : "simultaneous";
}
