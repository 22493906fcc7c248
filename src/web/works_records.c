/* Finished matches, with filters. */
#include "about/catalogue.h"
#include "web/works.h"
#include "web/works_store.h"

enum { LIMIT = 50, LARGEST_LIMIT = 200 }; /* matches of a list */

/* ---- games of the list ---- */

/* What the rules say, read once for each game. */
typedef struct Shown {
  int64_t id;
  Text title;
  TextVector roles;
} Shown;

typedef VECTOR(Shown) ShownGames;

static void free_games(ShownGames *games) {
  for (uint32_t i = 0; i < games->count; i++) {
    text_free(&games->data[i].title);
    text_vector_free(&games->data[i].roles);
  }
  vector_free(games);
}

/* Returns the game, valid until the next call; NULL if the store fails. */
static const Shown *find_game(ShownGames *games, Results *results,
                              const ArchiveMatch *match) {
  for (uint32_t i = 0; i < games->count; i++)
    if (games->data[i].id == match->game) return &games->data[i];
  Shown game = {.id = match->game};
  Text rules = {0};
  bool fine = archive_rules(results, match->game, &rules);
  if (fine) {
    works_store_title(text_string(&rules), text_string(&match->name),
                      &game.title);
    catalogue_roles(&rules, &game.roles);
    vector_push(games, game);
  }
  text_free(&rules);
  return fine ? &vector_last(games) : NULL;
}

/* ---- a record ---- */

static json_t *write_roles(const Shown *game, const ArchiveMatch *match) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < match->sides.count; i++) {
    const ArchiveSide *side = &match->sides.data[i];
    const char *name = side->role < game->roles.count
                           ? text_string(&game->roles.data[side->role])
                           : "";
    json_t *role = works_store_role(name, text_string(&side->agent));
    json_object_set_new(role, "goal", works_store_real(side->goal));
    json_array_append_new(list, role);
  }
  return list;
}

static json_t *write_record(const Shown *game, const ArchiveMatch *match) {
  json_t *record = json_object();
  json_object_set_new(record, "id", works_store_id(match->id));
  json_object_set_new(record, "game", works_store_text(&match->name));
  json_object_set_new(record, "title", works_store_text(&game->title));
  json_object_set_new(record, "roles", write_roles(game, match));
  json_object_set_new(record, "steps", json_integer(match->steps));
  json_object_set_new(record, "end", works_store_text(&match->ending));
  json_object_set_new(record, "error", works_store_text(&match->error));
  json_object_set_new(record, "finished", works_store_text(&match->finished));
  json_object_set_new(record, "seconds", works_store_real(match->seconds));
  json_object_set_new(record, "kind",
                      match->experiment ? works_store_text(&match->kind)
                                        : json_null());
  json_object_set_new(record, "experiment",
                      match->experiment ? works_store_text(&match->title)
                                        : json_null());
  return record;
}

/* ---- records ---- */

static bool set_filters(json_t *whole, Results *results) {
  TextVector games = {0}, players = {0};
  bool fine =
      archive_games(results, &games) && archive_players(results, &players);
  json_object_set_new(whole, "games", works_store_texts(&games));
  json_object_set_new(whole, "players", works_store_texts(&players));
  text_vector_free(&games);
  text_vector_free(&players);
  return fine;
}

/* The filter asks for one match more than is shown. */
static json_t *write_records(Results *results, const ArchiveFilter *filter) {
  json_t *whole = json_object(), *records = json_array();
  ArchiveMatches matches = {0};
  ShownGames games = {0};
  bool fine = archive_list(results, filter, &matches);
  for (uint32_t i = 0; fine && i < matches.count && i + 1 < filter->limit;
       i++) {
    const Shown *game = find_game(&games, results, &matches.data[i]);
    fine = game;
    if (fine)
      json_array_append_new(records, write_record(game, &matches.data[i]));
  }
  json_object_set_new(whole, "records", records);
  json_object_set_new(whole, "more",
                      json_boolean(matches.count == filter->limit));
  fine = fine && set_filters(whole, results);
  archive_matches_free(&matches);
  free_games(&games);
  if (fine) return whole;
  json_decref(whole);
  return NULL;
}

/* Reads a parameter that is a number from 1, if it is there. */
static bool read_number(const TaskCall *call, const char *name,
                        int64_t *number) {
  const char *text = task_query(call, name);
  return !*text || works_store_number(text, number);
}

static void list_records(const TaskCall *call, TaskReply *reply) {
  ArchiveFilter filter = {.game = task_query(call, "game"),
                          .player = task_query(call, "player"),
                          .kind = task_query(call, "kind"),
                          .text = task_query(call, "text")};
  int64_t limit = LIMIT;
  if (!read_number(call, "before", &filter.before) ||
      !read_number(call, "experiment", &filter.experiment) ||
      !read_number(call, "limit", &limit)) {
    task_fail(reply, 400, "before, experiment and limit are numbers from 1.");
    return;
  }
  filter.limit = 1 + (uint32_t)(limit < LARGEST_LIMIT ? limit : LARGEST_LIMIT);
  Results *results = works_store_open(call, reply);
  if (!results) return;
  json_t *whole = write_records(results, &filter);
  if (whole)
    task_reply_json(reply, whole);
  else
    works_store_fail(results, reply);
  results_close(results);
}

const TaskKind works_records = {.work = list_records, .seconds = 10};
