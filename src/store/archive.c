/* A list first reads the numbers of its matches, then each of them, so that the
   statement that filters carries nothing along. */
#include "store/archive.h"

#include "store/statement.h"

static void take_text(Text *text, sqlite3_stmt *query, int place) {
  text_add(text, statement_text(query, place));
}

/* ---- a match ---- */

void archive_match_free(ArchiveMatch *match) {
  Text *texts[] = {&match->name,  &match->ending,   &match->error, &match->kind,
                   &match->title, &match->finished, &match->seed,  &match->key};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
  for (uint32_t i = 0; i < match->sides.count; i++)
    text_free(&match->sides.data[i].agent);
  vector_free(&match->sides);
}

void archive_matches_free(ArchiveMatches *list) {
  for (uint32_t i = 0; i < list->count; i++) archive_match_free(&list->data[i]);
  vector_free(list);
}

static void read_row(ArchiveMatch *match, sqlite3_stmt *query) {
  match->game = sqlite3_column_int64(query, 0);
  take_text(&match->name, query, 1);
  take_text(&match->ending, query, 2);
  take_text(&match->error, query, 3);
  take_text(&match->finished, query, 4);
  take_text(&match->seed, query, 5);
  take_text(&match->key, query, 6);
  match->steps = (uint32_t)sqlite3_column_int64(query, 7);
  match->seconds = sqlite3_column_double(query, 8);
  match->experiment = sqlite3_column_int64(query, 9);
  take_text(&match->kind, query, 10);
  take_text(&match->title, query, 11);
}

static bool read_sides(Results *results, ArchiveMatch *match) {
  bool fine;
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_SIDES);
  statement_bind_number(query, 1, match->id);
  while (statement_step(results, query, &fine)) {
    ArchiveSide side = {.role = (uint32_t)sqlite3_column_int64(query, 0),
                        .goal = statement_real(query, 2)};
    take_text(&side.agent, query, 1);
    vector_push(&match->sides, side);
  }
  return fine;
}

/* Another process may have deleted it meanwhile. */
static bool read_match(Results *results, int64_t id,
                       const ArchiveFilter *filter, ArchiveMatch *match,
                       bool *there) {
  bool fine;
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_MATCH);
  *match = (ArchiveMatch){.id = id};
  *there = false;
  statement_bind_number(query, 1, id);
  statement_bind_text(query, 2, filter && filter->kind ? filter->kind : "");
  statement_bind_number(query, 3, filter ? filter->experiment : 0);
  while (statement_step(results, query, &fine)) {
    if (!*there) read_row(match, query);
    *there = true;
  }
  return fine && (!*there || read_sides(results, match));
}

bool archive_match(Results *results, int64_t id, ArchiveMatch *match,
                   bool *there) {
  statement_enter(results);
  bool fine = read_match(results, id, NULL, match, there);
  statement_leave(results);
  return fine;
}

/* ---- a list of them ---- */

typedef VECTOR(int64_t) Ids;

static void bind_text(sqlite3_stmt *query, int place, const char *text) {
  statement_bind_text(query, place, text ? text : "");
}

static bool read_ids(Results *results, const ArchiveFilter *filter, Ids *ids) {
  bool fine;
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_LIST);
  statement_bind_number(query, 1, filter->before ? filter->before : INT64_MAX);
  bind_text(query, 2, filter->game);
  bind_text(query, 3, filter->player);
  bind_text(query, 4, filter->kind);
  bind_text(query, 5, filter->text);
  statement_bind_number(query, 6, filter->experiment);
  statement_bind_number(query, 7, filter->limit);
  while (statement_step(results, query, &fine))
    vector_push(ids, sqlite3_column_int64(query, 0));
  return fine;
}

bool archive_list(Results *results, const ArchiveFilter *filter,
                  ArchiveMatches *list) {
  Ids ids = {0};
  statement_enter(results);
  bool fine = read_ids(results, filter, &ids);
  for (uint32_t i = 0; fine && i < ids.count; i++) {
    ArchiveMatch match;
    bool there;
    fine = read_match(results, ids.data[i], filter, &match, &there);
    if (fine && there)
      vector_push(list, match);
    else
      archive_match_free(&match);
  }
  statement_leave(results);
  vector_free(&ids);
  return fine;
}

/* ---- texts ---- */

/* Appends the first column of all rows. */
static bool read_texts(Results *results, sqlite3_stmt *query,
                       TextVector *list) {
  bool fine;
  while (statement_step(results, query, &fine)) {
    Text text = {0};
    take_text(&text, query, 0);
    vector_push(list, text);
  }
  return fine;
}

static bool read_text(Results *results, sqlite3_stmt *query, Text *text) {
  TextVector list = {0};
  bool fine = read_texts(results, query, &list);
  if (list.count) text_add(text, text_string(&list.data[0]));
  text_vector_free(&list);
  return fine;
}

bool archive_rules(Results *results, int64_t game, Text *rules) {
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_RULES);
  statement_bind_number(query, 1, game);
  bool fine = read_text(results, query, rules);
  statement_leave(results);
  return fine;
}

bool archive_experiment_rules(Results *results, int64_t experiment,
                              const char *game, Text *rules) {
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_PART_RULES);
  statement_bind_number(query, 1, experiment);
  statement_bind_text(query, 2, game);
  bool fine = read_text(results, query, rules);
  statement_leave(results);
  return fine;
}

static bool read_names(Results *results, StatementName name, TextVector *list) {
  statement_enter(results);
  bool fine = read_texts(results, statement_prepare(results, name), list);
  statement_leave(results);
  return fine;
}

bool archive_games(Results *results, TextVector *names) {
  return read_names(results, STATEMENT_GAMES_PLAYED, names);
}

bool archive_players(Results *results, TextVector *names) {
  return read_names(results, STATEMENT_AGENTS_PLAYED, names);
}

/* ---- experiments ---- */

void archive_experiments_free(ArchiveExperiments *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    ArchiveExperiment *experiment = &list->data[i];
    text_free(&experiment->kind);
    text_free(&experiment->name);
    text_free(&experiment->specification);
    text_free(&experiment->made);
  }
  vector_free(list);
}

bool archive_experiment(Results *results, const char *kind, int64_t id,
                        ArchiveExperiments *list) {
  bool fine;
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_EXPERIMENTS);
  statement_bind_text(query, 1, kind);
  statement_bind_number(query, 2, id);
  while (statement_step(results, query, &fine)) {
    ArchiveExperiment experiment = {
        .id = sqlite3_column_int64(query, 0),
        .played = (uint64_t)sqlite3_column_int64(query, 5)};
    take_text(&experiment.kind, query, 1);
    take_text(&experiment.name, query, 2);
    take_text(&experiment.specification, query, 3);
    take_text(&experiment.made, query, 4);
    vector_push(list, experiment);
  }
  statement_leave(results);
  return fine;
}

bool archive_experiments(Results *results, const char *kind,
                         ArchiveExperiments *list) {
  return archive_experiment(results, kind, 0, list);
}
