/* Everything is read in one transaction. The series that are wanted are found
   first; then games, experiments and matches are written in an order by what
   they are. */
#include "store/export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "io/json.h"
#include "store/statement.h"

typedef struct Series {
  int64_t id;
  Text key, game, hash;
} Series;

typedef struct Export {
  Results *results;
  FILE *file;
  Text *error;
  const TextVector *experiments;
  VECTOR(int64_t) wanted; /* experiments */
  VECTOR(Series) series;  /* of them, in order */
  const Series *now;      /* whose matches are visited */
  json_t *key;            /* of it */
  bool failed;
} Export;

/* ---- queries ---- */

static bool fail_store(Export *export) {
  if (!export->error->length)
    text_add(export->error, sqlite3_errmsg(results_database(export->results)));
  export->failed = true;
  return false;
}

static sqlite3_stmt *query(Export *export, const char *text) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(results_database(export->results), text, -1,
                         &statement, NULL) != SQLITE_OK)
    fail_store(export);
  return statement;
}

/* Returns true while there are rows; then ends the query. */
static bool step(Export *export, sqlite3_stmt *statement) {
  int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail_store(export);
  sqlite3_finalize(statement);
  return false;
}

static bool run(Export *export, const char *text) {
  return sqlite3_exec(results_database(export->results), text, NULL, NULL,
                      NULL) == SQLITE_OK ||
         fail_store(export);
}

/* ---- what is wanted ---- */

static bool is_named(const Export *export, const char *name) {
  for (uint32_t i = 0; i < export->experiments->count; i++)
    if (strcmp(text_string(&export->experiments->data[i]), name) == 0)
      return true;
  return !export->experiments->count;
}

static bool check_names(Export *export) {
  for (uint32_t i = 0; !export->failed && i < export->experiments->count; i++) {
    const char *name = text_string(&export->experiments->data[i]);
    bool there = false;
    sqlite3_stmt *statement =
        query(export, "SELECT 1 FROM experiments WHERE name = ? LIMIT 1");
    statement_bind_text(statement, 1, name);
    while (step(export, statement)) there = true;
    if (there || export->failed) continue;
    text_format(export->error, "there is no experiment '%s'", name);
    export->failed = true;
  }
  return !export->failed;
}

static void find_experiments(Export *export) {
  sqlite3_stmt *statement = query(export, "SELECT id, name FROM experiments "
                                          "ORDER BY kind, name, specification");
  while (step(export, statement))
    if (is_named(export, statement_text(statement, 1)))
      vector_push(&export->wanted, sqlite3_column_int64(statement, 0));
}

static int compare_numbers(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Keeps only the series of the experiments that are wanted. */
static void drop_others(Export *export) {
  VECTOR(int64_t) used = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < export->wanted.count; i++) {
    sqlite3_stmt *statement =
        query(export, "SELECT series FROM parts WHERE experiment = ?");
    statement_bind_number(statement, 1, export->wanted.data[i]);
    while (step(export, statement))
      vector_push(&used, sqlite3_column_int64(statement, 0));
  }
  if (used.count)
    qsort(used.data, used.count, sizeof *used.data, compare_numbers);
  for (uint32_t i = 0; i < export->series.count; i++) {
    Series *series = &export->series.data[i];
    if (used.count && bsearch(&series->id, used.data, used.count,
                              sizeof *used.data, compare_numbers)) {
      export->series.data[kept++] = *series;
      continue;
    }
    text_free(&series->key);
    text_free(&series->game);
    text_free(&series->hash);
  }
  export->series.count = kept;
  vector_free(&used);
}

static void find_series(Export *export) {
  sqlite3_stmt *statement =
      query(export,
            "SELECT s.id, s.key, g.name, g.hash FROM series AS s "
            "JOIN games AS g ON g.id = s.game ORDER BY g.name, g.hash, s.key");
  while (step(export, statement)) {
    Series series = {.id = sqlite3_column_int64(statement, 0)};
    text_add(&series.key, statement_text(statement, 1));
    text_add(&series.game, statement_text(statement, 2));
    text_add(&series.hash, statement_text(statement, 3));
    vector_push(&export->series, series);
  }
  if (export->experiments->count) drop_others(export);
}

/* ---- JSON ---- */

static json_t *real(double value) {
  return isnan(value) ? json_null() : json_real(value);
}

static void write_line(Export *export, json_t *object) {
  json_dumpf(object, export->file, JSON_COMPACT | JSON_REAL_PRECISION(15));
  putc('\n', export->file);
  json_decref(object);
}

static void write_head(Export *export) {
  write_line(export, json_pack("{s:s, s:i, s:[s,s,s,s,s,s,s,s]}", "type",
                               "tafl", "version", EXPORT_VERSION, "moves",
                               "step", "role", "move", "seconds", "simulations",
                               "states", "value", "depth"));
}

/* Of each game once: series are sorted by it. */
static void write_games(Export *export) {
  const Series *before = NULL;
  for (uint32_t i = 0; i < export->series.count; i++) {
    const Series *series = &export->series.data[i];
    const char *game = text_string(&series->game),
               *hash = text_string(&series->hash);
    bool same = before && !strcmp(text_string(&before->game), game) &&
                !strcmp(text_string(&before->hash), hash);
    before = series;
    if (same) continue;
    sqlite3_stmt *statement =
        query(export, "SELECT rules FROM games WHERE name = ? AND hash = ?");
    statement_bind_text(statement, 1, game);
    statement_bind_text(statement, 2, hash);
    while (step(export, statement))
      write_line(export,
                 json_pack("{s:s, s:o, s:s, s:o}", "type", "game", "name",
                           json_plain(game), "hash", hash, "rules",
                           json_plain(statement_text(statement, 0))));
  }
}

/* The key of a series is JSON; what is not, by some accident, is a string. */
static json_t *parse_key(const char *key) {
  json_t *object = json_loads(key, 0, NULL);
  return object ? object : json_plain(key);
}

static json_t *json_parts(Export *export, int64_t experiment) {
  json_t *list = json_array();
  sqlite3_stmt *statement =
      query(export, "SELECT p.place, s.key, g.name, g.hash FROM parts AS p "
                    "JOIN series AS s ON s.id = p.series "
                    "JOIN games AS g ON g.id = s.game WHERE p.experiment = ? "
                    "ORDER BY p.place");
  statement_bind_number(statement, 1, experiment);
  while (step(export, statement))
    json_array_append_new(
        list, json_pack("{s:I, s:o, s:s, s:o}", "place",
                        (json_int_t)sqlite3_column_int64(statement, 0), "game",
                        json_plain(statement_text(statement, 2)), "hash",
                        statement_text(statement, 3), "series",
                        parse_key(statement_text(statement, 1))));
  return list;
}

static void write_experiments(Export *export) {
  for (uint32_t i = 0; i < export->wanted.count; i++) {
    sqlite3_stmt *statement =
        query(export, "SELECT kind, name, specification, made "
                      "FROM experiments WHERE id = ?");
    statement_bind_number(statement, 1, export->wanted.data[i]);
    while (step(export, statement))
      write_line(
          export,
          json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "type", "experiment",
                    "kind", json_plain(statement_text(statement, 0)), "name",
                    json_plain(statement_text(statement, 1)), "specification",
                    json_plain(statement_text(statement, 2)), "made",
                    json_plain(statement_text(statement, 3)), "parts",
                    json_parts(export, export->wanted.data[i])));
  }
}

/* Appends text and settings of an agent. */
static void read_agent(Export *export, int64_t id, Text *agent,
                       Text *settings) {
  sqlite3_stmt *statement =
      query(export, "SELECT agent, settings FROM agents WHERE id = ?");
  statement_bind_number(statement, 1, id);
  while (step(export, statement)) {
    text_add(agent, statement_text(statement, 0));
    text_add(settings, statement_text(statement, 1));
  }
}

static json_t *json_score(Score score) {
  return score == SCORE_NONE ? json_null()
                             : json_real((double)(score - SCORE_LOSS) / 2);
}

static json_t *json_side(Export *export, const ResultsSide *side) {
  Text agent = {0}, settings = {0};
  read_agent(export, side->agent, &agent, &settings);
  json_t *object =
      json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:I, s:I, s:f, s:o}", "role",
                (int)side->role, "player", (int)side->player, "agent",
                json_plain(text_string(&agent)), "settings",
                json_plain(text_string(&settings)), "goal", real(side->goal),
                "score", json_score(side->score), "simulations",
                (json_int_t)side->work.simulations, "states",
                (json_int_t)side->work.states, "seconds", side->work.seconds,
                "found", json_plain(side->found));
  text_free(&agent);
  text_free(&settings);
  return object;
}

static json_t *json_moves(Export *export, int64_t match) {
  ResultsMoves moves = {0};
  json_t *list = json_array();
  if (!results_read_moves(export->results, match, &moves)) fail_store(export);
  for (uint32_t i = 0; i < moves.count; i++) {
    const ResultsMove *move = &moves.data[i];
    json_array_append_new(
        list,
        json_pack("[i, i, o, f, I, I, o, o]", (int)move->step, (int)move->role,
                  json_plain(text_string(&move->move)), move->seconds,
                  (json_int_t)move->simulations, (json_int_t)move->states,
                  real(move->value), real(move->depth)));
  }
  results_moves_free(&moves);
  return list;
}

static void write_match(void *context, const ResultsMatch *match) {
  Export *export = context;
  char seed[17];
  json_t *sides = json_array();
  snprintf(seed, sizeof seed, "%016llx", (unsigned long long)match->seed);
  for (uint32_t i = 0; i < match->side_count; i++)
    json_array_append_new(sides, json_side(export, &match->sides[i]));
  write_line(
      export,
      json_pack(
          "{s:s, s:o, s:s, s:O, s:I, s:s, s:o, s:o, s:f, s:s, s:I, s:o, "
          "s:o, s:o}",
          "type", "match", "game", json_plain(text_string(&export->now->game)),
          "hash", text_string(&export->now->hash), "series", export->key,
          "number", (json_int_t)match->number, "seed", seed, "version",
          json_plain(match->version), "finished", json_plain(match->finished),
          "seconds", match->seconds, "ending", match_end_name(match->end),
          "steps", (json_int_t)match->steps, "error", json_plain(match->error),
          "sides", sides, "moves", json_moves(export, match->id)));
}

/* ---- CSV ---- */

static void write_text(Export *export, const char *text) {
  FILE *file = export->file;
  if (!text[strcspn(text, ",\"\r\n")]) {
    fputs(text, file);
    return;
  }
  putc('"', file);
  for (; *text; text++) {
    if (*text == '"') putc('"', file);
    putc(*text, file);
  }
  putc('"', file);
}

static void write_real(Export *export, double value) {
  putc(',', export->file);
  if (!isnan(value)) fprintf(export->file, "%.15g", value);
}

static void write_csv_head(Export *export) {
  fputs("game,hash,unit,play,start,number,seed,version,finished,seconds,"
        "ending,steps,error,role,player,agent,settings,goal,score,simulations,"
        "states,side_seconds,found\n",
        export->file);
}

static void write_csv_match(Export *export, const ResultsMatch *match) {
  const char *unit = json_string_value(json_object_get(export->key, "unit"));
  const json_t *play = json_object_get(export->key, "play"),
               *start = json_object_get(export->key, "start");
  write_text(export, text_string(&export->now->game));
  fprintf(export->file, ",%s,", text_string(&export->now->hash));
  write_text(export, unit ? unit : "");
  write_real(export, json_is_number(play) ? json_number_value(play) : NAN);
  write_real(export, json_is_number(start) ? json_number_value(start) : NAN);
  fprintf(export->file, ",%u,%016llx,", match->number,
          (unsigned long long)match->seed);
  write_text(export, match->version);
  putc(',', export->file);
  write_text(export, match->finished);
  write_real(export, match->seconds);
  fprintf(export->file, ",%s,%u,", match_end_name(match->end), match->steps);
  write_text(export, match->error);
}

static void write_csv_side(Export *export, const ResultsSide *side) {
  Text agent = {0}, settings = {0};
  read_agent(export, side->agent, &agent, &settings);
  fprintf(export->file, ",%u,%u,", side->role, side->player);
  write_text(export, text_string(&agent));
  putc(',', export->file);
  write_text(export, text_string(&settings));
  write_real(export, side->goal);
  write_real(export, side->score == SCORE_NONE
                         ? (double)NAN
                         : (double)(side->score - SCORE_LOSS) / 2);
  fprintf(export->file, ",%llu,%llu",
          (unsigned long long)side->work.simulations,
          (unsigned long long)side->work.states);
  write_real(export, side->work.seconds);
  putc(',', export->file);
  write_text(export, side->found);
  putc('\n', export->file);
  text_free(&agent);
  text_free(&settings);
}

static void write_csv(void *context, const ResultsMatch *match) {
  Export *export = context;
  for (uint32_t i = 0; i < match->side_count; i++) {
    write_csv_match(export, match);
    write_csv_side(export, &match->sides[i]);
  }
}

/* ---- both ---- */

static void visit_all(Export *export, ResultsVisit *visit) {
  for (uint32_t i = 0; !export->failed && i < export->series.count; i++) {
    export->now = &export->series.data[i];
    export->key = parse_key(text_string(&export->now->key));
    if (!results_visit(export->results, export->now->id, visit, export))
      fail_store(export);
    json_decref(export->key);
  }
}

static void write_json(Export *export) {
  write_head(export);
  write_games(export);
  write_experiments(export);
  visit_all(export, write_match);
}

static void write_table(Export *export) {
  write_csv_head(export);
  visit_all(export, write_csv);
}

static bool write_all(Results *results, const TextVector *experiments,
                      FILE *file, void (*write)(Export *export), Text *error) {
  Export export = {.results = results,
                   .file = file,
                   .error = error,
                   .experiments = experiments};
  statement_enter(results);
  if (run(&export, "BEGIN")) {
    if (check_names(&export)) {
      find_experiments(&export);
      find_series(&export);
      write(&export);
    }
    sqlite3_exec(results_database(results), "ROLLBACK", NULL, NULL, NULL);
  }
  statement_leave(results);
  for (uint32_t i = 0; i < export.series.count; i++) {
    text_free(&export.series.data[i].key);
    text_free(&export.series.data[i].game);
    text_free(&export.series.data[i].hash);
  }
  vector_free(&export.series);
  vector_free(&export.wanted);
  if (!export.failed && (fflush(file) || ferror(file))) {
    text_format(error, "cannot write: %s", strerror(errno));
    export.failed = true;
  }
  return !export.failed;
}

bool export_json(Results *results, const TextVector *experiments, FILE *file,
                 Text *error) {
  return write_all(results, experiments, file, write_json, error);
}

bool export_csv(Results *results, const TextVector *experiments, FILE *file,
                Text *error) {
  return write_all(results, experiments, file, write_table, error);
}
