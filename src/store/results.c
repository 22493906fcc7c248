/* One connection, whose statements are prepared when first used and kept. A
   lock makes a call, or a whole transaction, belong to one thread. */
#include "store/results.h"

#include <math.h>
#include <pthread.h>

#include "base/file.h"
#include "learn/canon.h"
#include "store/schema.h"

enum { WAIT = 60000 }; /* milliseconds for other writers */

#define STATEMENTS(STATEMENT) \
  STATEMENT(BEGIN, "BEGIN IMMEDIATE") \
  STATEMENT(COMMIT, "COMMIT") \
  STATEMENT(ROLLBACK, "ROLLBACK") \
  STATEMENT( \
      ADD_GAME, \
      "INSERT OR IGNORE INTO games (name, hash, rules) VALUES (?, ?, ?)") \
  STATEMENT(GAME, "SELECT id FROM games WHERE name = ? AND hash = ?") \
  STATEMENT(ADD_AGENT, \
            "INSERT OR IGNORE INTO agents (agent, settings) VALUES (?, ?)") \
  STATEMENT(AGENT, "SELECT id FROM agents WHERE agent = ? AND settings = ?") \
  STATEMENT(ADD_EXPERIMENT, \
            "INSERT OR IGNORE INTO experiments (kind, name, specification) " \
            "VALUES (?, ?, ?)") \
  STATEMENT(EXPERIMENT, \
            "SELECT id FROM experiments WHERE kind = ? AND name = ? " \
            "AND specification = ?") \
  STATEMENT(ADD_SERIES, \
            "INSERT OR IGNORE INTO series (key, game) VALUES (?, ?)") \
  STATEMENT(SERIES, "SELECT id FROM series WHERE key = ? AND game = ?") \
  STATEMENT(ADD_PART, \
            "INSERT OR REPLACE INTO parts (experiment, place, series) " \
            "VALUES (?, ?, ?)") \
  STATEMENT(FIND_SERIES, \
            "SELECT s.id FROM parts AS p JOIN series AS s ON s.id = p.series " \
            "WHERE p.experiment = ? AND s.key = ?") \
  STATEMENT(ADD_MATCH, \
            "INSERT OR IGNORE INTO matches (series, number, seed, version, " \
            "seconds, ending, steps, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") \
  STATEMENT( \
      ADD_SIDE, \
      "INSERT INTO sides (match, role, player, agent, goal, score, " \
      "simulations, states, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") \
  STATEMENT(ADD_MOVE, "INSERT INTO moves (match, step, role, move, seconds, " \
                      "simulations, states, value, depth) " \
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") \
  STATEMENT(THERE, \
            "SELECT number FROM matches WHERE series = ? AND number < ?") \
  STATEMENT(MATCHES, \
            "SELECT m.id, m.number, m.seed, m.ending, m.steps, m.seconds, " \
            "m.version, m.error, s.role, s.player, s.goal, s.score, " \
            "s.simulations, s.states, s.seconds FROM matches AS m " \
            "JOIN sides AS s ON s.match = m.id WHERE m.series = ? " \
            "ORDER BY m.number, s.role")

typedef enum {
#define STATEMENT(NAME, text) STATEMENT_##NAME,
  STATEMENTS(STATEMENT)
#undef STATEMENT
      STATEMENT_COUNT
} StatementName;

static const char *const statement_texts[] = {
#define STATEMENT(NAME, text) text,
    STATEMENTS(STATEMENT)
#undef STATEMENT
};

struct Results {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENT_COUNT];
  pthread_mutex_t lock;
  Text version, error;
};

/* ---- statements, under the lock ---- */

static bool fail(Results *results) {
  text_clear(&results->error);
  text_add(&results->error, sqlite3_errmsg(results->database));
  return false;
}

/* Returns the statement, ready for its values; NULL on failure. */
static sqlite3_stmt *prepare(Results *results, StatementName name) {
  sqlite3_stmt **statement = &results->statements[name];
  if (!*statement &&
      sqlite3_prepare_v3(results->database, statement_texts[name], -1,
                         SQLITE_PREPARE_PERSISTENT, statement,
                         NULL) != SQLITE_OK)
    fail(results);
  return *statement;
}

/* Runs a statement that gives no rows. */
static bool execute(Results *results, sqlite3_stmt *statement) {
  bool fine = statement && sqlite3_step(statement) == SQLITE_DONE;
  if (!fine) fail(results);
  if (statement) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
  }
  return fine;
}

static bool execute_name(Results *results, StatementName name) {
  return execute(results, prepare(results, name));
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
  if (statement)
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

static void bind_number(sqlite3_stmt *statement, int place, int64_t number) {
  if (statement) sqlite3_bind_int64(statement, place, number);
}

/* What is not a number stays NULL. */
static void bind_real(sqlite3_stmt *statement, int place, double real) {
  if (statement && !isnan(real)) sqlite3_bind_double(statement, place, real);
}

/* Returns the first column of the only row; 0 without one. */
static int64_t find(Results *results, sqlite3_stmt *statement) {
  int64_t id = 0;
  if (!statement) return 0;
  if (sqlite3_step(statement) == SQLITE_ROW)
    id = sqlite3_column_int64(statement, 0);
  else
    fail(results);
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return id;
}

static void enter(Results *results) {
  pthread_mutex_lock(&results->lock);
}
static void leave(Results *results) {
  pthread_mutex_unlock(&results->lock);
}

static bool finish(Results *results, bool fine) {
  if (fine && execute_name(results, STATEMENT_COMMIT)) return true;
  if (!sqlite3_get_autocommit(results->database)) {
    Text error = results->error;
    results->error = (Text){0};
    execute_name(results, STATEMENT_ROLLBACK);
    text_free(&results->error);
    results->error = error;
  }
  return false;
}

/* ---- opening ---- */

static bool configure(Results *results, bool write, Text *error) {
  sqlite3 *database = results->database;
  sqlite3_busy_timeout(database, WAIT);
  sqlite3_extended_result_codes(database, 1);
  if (!write) return schema_check(database, error);
  if (!schema_prepare(database, error)) return false;
  if (sqlite3_exec(database,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                   "PRAGMA foreign_keys = ON",
                   NULL, NULL, NULL) == SQLITE_OK)
    return true;
  text_add(error, sqlite3_errmsg(database));
  return false;
}

Results *results_open(const char *path, const char *version, Text *error) {
  Results *results = memory_new(sizeof *results);
  Text why = {0};
  pthread_mutex_init(&results->lock, NULL);
  text_add(&results->version, version ? version : "");
  if (version) file_make_above(path, 0777);
  int mode = version ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                     : SQLITE_OPEN_READWRITE;
  bool fine = sqlite3_open_v2(path, &results->database,
                              mode | SQLITE_OPEN_FULLMUTEX, NULL) == SQLITE_OK;
  if (!fine) text_add(&why, sqlite3_errmsg(results->database));
  if (fine && configure(results, version, &why)) {
    text_free(&why);
    return results;
  }
  text_format(error, "%s: %s", path, text_string(&why));
  text_free(&why);
  results_close(results);
  return NULL;
}

void results_close(Results *results) {
  if (!results) return;
  for (uint32_t i = 0; i < STATEMENT_COUNT; i++)
    sqlite3_finalize(results->statements[i]);
  sqlite3_close(results->database);
  pthread_mutex_destroy(&results->lock);
  text_free(&results->version);
  text_free(&results->error);
  memory_delete(results);
}

const char *results_error(Results *results) {
  return text_string(&results->error);
}

sqlite3 *results_database(Results *results) {
  return results->database;
}

/* ---- what has a number ---- */

/* Values of the statements that add and find something, by place. */
typedef struct Values {
  const char *texts[3]; /* NULL: a number */
  int64_t numbers[3];
  int add, find; /* how many of them */
} Values;

static void bind_values(sqlite3_stmt *statement, const Values *values,
                        int count) {
  for (int i = 0; i < count; i++)
    if (values->texts[i])
      bind_text(statement, i + 1, values->texts[i]);
    else
      bind_number(statement, i + 1, values->numbers[i]);
}

static int64_t ensure(Results *results, StatementName add, StatementName search,
                      const Values *values) {
  enter(results);
  sqlite3_stmt *query = prepare(results, search);
  bind_values(query, values, values->find);
  int64_t id = find(results, query);
  if (!id) {
    sqlite3_stmt *insert = prepare(results, add);
    bind_values(insert, values, values->add);
    if (execute(results, insert)) {
      bind_values(query, values, values->find);
      id = find(results, query);
    }
  }
  leave(results);
  return id;
}

int64_t results_game(Results *results, const char *name,
                     const Description *description) {
  Canon canon;
  canon_init(&canon, description);
  Values values = {.texts = {name, canon.hash, text_string(&description->text)},
                   .add = 3,
                   .find = 2};
  int64_t id = ensure(results, STATEMENT_ADD_GAME, STATEMENT_GAME, &values);
  canon_free(&canon);
  return id;
}

int64_t results_agent(Results *results, const AgentSpec *spec) {
  Text settings = {0};
  if (spec->kind == SPEC_SEARCH) settings_write(&spec->settings, &settings);
  Values values = {
      .texts = {spec->text, text_string(&settings)}, .add = 2, .find = 2};
  int64_t id = ensure(results, STATEMENT_ADD_AGENT, STATEMENT_AGENT, &values);
  text_free(&settings);
  return id;
}

int64_t results_experiment(Results *results, const char *kind, const char *name,
                           const char *specification) {
  Values values = {.texts = {kind, name, specification}, .add = 3, .find = 3};
  return ensure(results, STATEMENT_ADD_EXPERIMENT, STATEMENT_EXPERIMENT,
                &values);
}

int64_t results_series(Results *results, const char *key, int64_t game) {
  Values values = {.texts = {key}, .numbers = {0, game}, .add = 2, .find = 2};
  return ensure(results, STATEMENT_ADD_SERIES, STATEMENT_SERIES, &values);
}

bool results_add_part(Results *results, int64_t experiment, int64_t series,
                      uint32_t place) {
  enter(results);
  sqlite3_stmt *insert = prepare(results, STATEMENT_ADD_PART);
  bind_number(insert, 1, experiment);
  bind_number(insert, 2, place);
  bind_number(insert, 3, series);
  bool fine = execute(results, insert);
  leave(results);
  return fine;
}

int64_t results_find_series(Results *results, int64_t experiment,
                            const char *key) {
  enter(results);
  sqlite3_stmt *query = prepare(results, STATEMENT_FIND_SERIES);
  bind_number(query, 1, experiment);
  bind_text(query, 2, key);
  int64_t id = find(results, query);
  leave(results);
  return id;
}

int64_t results_find_experiment(Results *results, const char *kind,
                                const char *name, const char *specification) {
  enter(results);
  sqlite3_stmt *query = prepare(results, STATEMENT_EXPERIMENT);
  bind_text(query, 1, kind);
  bind_text(query, 2, name);
  bind_text(query, 3, specification);
  int64_t id = find(results, query);
  leave(results);
  return id;
}

/* ---- a match ---- */

static bool add_match(Results *results, int64_t series, const Fixture *fixture,
                      uint64_t seed, double seconds) {
  sqlite3_stmt *insert = prepare(results, STATEMENT_ADD_MATCH);
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)seed);
  bind_number(insert, 1, series);
  bind_number(insert, 2, fixture->number);
  bind_text(insert, 3, digits);
  bind_text(insert, 4, text_string(&results->version));
  bind_real(insert, 5, seconds);
  bind_text(insert, 6, match_end_name(fixture->result.end));
  bind_number(insert, 7, fixture->result.steps);
  bind_text(insert, 8, text_string(&fixture->result.error));
  return execute(results, insert);
}

static double score_value(Score score) {
  return score == SCORE_NONE ? NAN : (double)(score - SCORE_LOSS) / 2;
}

static bool add_side(Results *results, int64_t match, const Fixture *fixture,
                     uint32_t role, const int64_t *agents) {
  sqlite3_stmt *insert = prepare(results, STATEMENT_ADD_SIDE);
  const MatchSide *side = &fixture->result.sides[role];
  uint32_t player = fixture->players[role];
  bind_number(insert, 1, match);
  bind_number(insert, 2, role);
  bind_number(insert, 3, player);
  bind_number(insert, 4, agents[player]);
  bind_real(insert, 5,
            fixture_has_score(fixture) ? (double)side->goal : (double)NAN);
  bind_real(insert, 6, score_value(fixture->scores[player]));
  bind_number(insert, 7, (int64_t)side->work.simulations);
  bind_number(insert, 8, (int64_t)side->work.states);
  bind_real(insert, 9, side->work.seconds);
  return execute(results, insert);
}

static bool add_move(Results *results, int64_t match, const ResultsMove *move) {
  sqlite3_stmt *insert = prepare(results, STATEMENT_ADD_MOVE);
  bind_number(insert, 1, match);
  bind_number(insert, 2, move->step);
  bind_number(insert, 3, move->role);
  bind_text(insert, 4, text_string(&move->move));
  bind_real(insert, 5, move->seconds);
  bind_number(insert, 6, (int64_t)move->simulations);
  bind_number(insert, 7, (int64_t)move->states);
  bind_real(insert, 8, move->value);
  bind_real(insert, 9, move->depth);
  return execute(results, insert);
}

static bool add_all(Results *results, int64_t series, const Fixture *fixture,
                    const int64_t *agents, uint64_t seed, double seconds,
                    const ResultsMoves *moves) {
  if (!add_match(results, series, fixture, seed, seconds)) return false;
  if (!sqlite3_changes(results->database)) return true; /* it is there */
  int64_t match = sqlite3_last_insert_rowid(results->database);
  for (uint32_t role = 0; role < fixture->seating.roles; role++)
    if (!add_side(results, match, fixture, role, agents)) return false;
  for (uint32_t i = 0; moves && i < moves->count; i++)
    if (!add_move(results, match, &moves->data[i])) return false;
  return true;
}

bool results_add(Results *results, int64_t series, const Fixture *fixture,
                 const int64_t *agents, uint64_t seed, double seconds,
                 const ResultsMoves *moves) {
  enter(results);
  bool fine = execute_name(results, STATEMENT_BEGIN) &&
              finish(results, add_all(results, series, fixture, agents, seed,
                                      seconds, moves));
  leave(results);
  return fine;
}

/* ---- reading ---- */

bool results_there(Results *results, int64_t series, bool *there,
                   uint32_t count) {
  enter(results);
  sqlite3_stmt *query = prepare(results, STATEMENT_THERE);
  bind_number(query, 1, series);
  bind_number(query, 2, count);
  int code = SQLITE_ERROR;
  while (query && (code = sqlite3_step(query)) == SQLITE_ROW) {
    int64_t number = sqlite3_column_int64(query, 0);
    if (number >= 0) there[number] = true;
  }
  if (code != SQLITE_DONE) fail(results);
  if (query) sqlite3_reset(query);
  leave(results);
  return code == SQLITE_DONE;
}

static MatchEnd find_end(const char *name) {
  MatchEnd end = MATCH_ENDED;
  while (end < MATCH_STOPPED && strcmp(match_end_name(end), name) != 0) end++;
  return end;
}

static double column_real(sqlite3_stmt *query, int place) {
  return sqlite3_column_type(query, place) == SQLITE_NULL
             ? NAN
             : sqlite3_column_double(query, place);
}

static const char *column_text(sqlite3_stmt *query, int place) {
  const unsigned char *text = sqlite3_column_text(query, place);
  return text ? (const char *)text : "";
}

/* What is read of a match, whose rows follow each other. */
typedef struct Reader {
  ResultsMatch match;
  Text version, error;
  VECTOR(ResultsSide) sides;
} Reader;

static void read_match(Reader *reader, sqlite3_stmt *query) {
  vector_clear(&reader->sides);
  text_clear(&reader->version);
  text_clear(&reader->error);
  text_add(&reader->version, column_text(query, 6));
  text_add(&reader->error, column_text(query, 7));
  reader->match =
      (ResultsMatch){.id = sqlite3_column_int64(query, 0),
                     .number = (uint32_t)sqlite3_column_int64(query, 1),
                     .seed = strtoull(column_text(query, 2), NULL, 16),
                     .end = find_end(column_text(query, 3)),
                     .steps = (uint32_t)sqlite3_column_int64(query, 4),
                     .seconds = sqlite3_column_double(query, 5)};
}

static void read_side(Reader *reader, sqlite3_stmt *query) {
  double score = column_real(query, 11);
  ResultsSide side = {
      .role = (uint32_t)sqlite3_column_int64(query, 8),
      .player = (uint32_t)sqlite3_column_int64(query, 9),
      .goal = column_real(query, 10),
      .score = isnan(score) ? SCORE_NONE
                            : (Score)(SCORE_LOSS + (unsigned)lround(2 * score)),
      .work = {.simulations = (uint64_t)sqlite3_column_int64(query, 12),
               .states = (uint64_t)sqlite3_column_int64(query, 13),
               .seconds = sqlite3_column_double(query, 14)}};
  vector_push(&reader->sides, side);
}

static void hand_over(Reader *reader, ResultsVisit *visit, void *context) {
  if (!reader->sides.count) return;
  reader->match.version = text_string(&reader->version);
  reader->match.error = text_string(&reader->error);
  reader->match.sides = reader->sides.data;
  reader->match.side_count = reader->sides.count;
  visit(context, &reader->match);
}

bool results_visit(Results *results, int64_t series, ResultsVisit *visit,
                   void *context) {
  Reader reader = {0};
  enter(results);
  sqlite3_stmt *query = prepare(results, STATEMENT_MATCHES);
  bind_number(query, 1, series);
  int code = SQLITE_ERROR;
  while (query && (code = sqlite3_step(query)) == SQLITE_ROW) {
    if (!reader.sides.count ||
        sqlite3_column_int64(query, 0) != reader.match.id) {
      hand_over(&reader, visit, context);
      read_match(&reader, query);
    }
    read_side(&reader, query);
  }
  if (code == SQLITE_DONE) hand_over(&reader, visit, context);
  if (code != SQLITE_DONE) fail(results);
  if (query) sqlite3_reset(query);
  leave(results);
  vector_free(&reader.sides);
  text_free(&reader.version);
  text_free(&reader.error);
  return code == SQLITE_DONE;
}
