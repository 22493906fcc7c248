/* Opening, and what is written. What is read is in store/results_read.c. */
#include "store/results.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "learn/canon.h"
#include "store/schema.h"
#include "store/statement.h"

enum { WAIT = 60000 }; /* milliseconds for other writers */

/* ---- opening ---- */

/* The switch to the write-ahead log does not wait for others by itself. */
static bool use_log(sqlite3 *database) {
  int code = SQLITE_BUSY;
  for (int i = 0; i < WAIT / 10 && code == SQLITE_BUSY; i++) {
    if (i) sqlite3_sleep(10);
    code =
        sqlite3_exec(database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) &
        0xff;
  }
  return code == SQLITE_OK;
}

static bool configure(Results *results, bool write, Text *error) {
  sqlite3 *database = results->database;
  sqlite3_busy_timeout(database, WAIT);
  sqlite3_extended_result_codes(database, 1);
  if (sqlite3_exec(database,
                   "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
                   NULL, NULL, NULL) == SQLITE_OK) {
    if (!(write ? schema_prepare : schema_check)(database, error)) return false;
    if (!write || use_log(database)) return true;
  }
  text_add(error, sqlite3_errmsg(database));
  return false;
}

/* What SQLite does not say clearly. */
static bool check_path(const char *path, bool write, Text *error) {
  struct stat status;
  if (stat(path, &status) == 0) {
    if (!S_ISDIR(status.st_mode)) return true;
    text_add(error, "it is a directory");
  } else {
    if (write) return true;
    text_add(error,
             errno == ENOENT ? "there is no such database" : strerror(errno));
  }
  return false;
}

static bool open_database(Results *results, const char *path, bool write,
                          Text *error) {
  int mode = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0);
  if (!check_path(path, write, error)) return false;
  if (write) file_make_above(path, 0777);
  if (sqlite3_open_v2(path, &results->database, mode | SQLITE_OPEN_FULLMUTEX,
                      NULL) != SQLITE_OK)
    text_add(error, sqlite3_errmsg(results->database));
  else if (write && sqlite3_db_readonly(results->database, "main") == 1)
    text_add(error, "it may only be read, not written");
  else
    return configure(results, write, error);
  return false;
}

static void init_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

/* Without the file claims are not known to others; nobody else has a database
   in memory. */
static void open_claims(Results *results, const char *path) {
  Text name = {0};
  if (strcmp(path, RESULTS_MEMORY) == 0) return;
  text_format(&name, "%s-claims", path);
  results->claims =
      open(text_string(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  text_free(&name);
}

Results *results_open(const char *path, const char *version, Text *error) {
  Results *results = memory_new(sizeof *results);
  Text why = {0};
  init_lock(&results->lock);
  results->claims = -1;
  text_add(&results->version, version ? version : "");
  if (open_database(results, path, version, &why)) {
    if (version) open_claims(results, path);
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
  if (results->claims >= 0) close(results->claims);
  pthread_mutex_destroy(&results->lock);
  text_free(&results->version);
  memory_delete(results);
}

const char *results_error(Results *results) {
  (void)results;
  return statement_error();
}

sqlite3 *results_database(Results *results) {
  return results->database;
}

/* ---- transactions ---- */

bool results_begin(Results *results) {
  statement_enter(results);
  if (results->depth ||
      statement_execute(results, statement_prepare(results, STATEMENT_BEGIN))) {
    results->broken &= results->depth > 0;
    results->depth++;
    return true;
  }
  statement_leave(results);
  return false;
}

bool results_end(Results *results, bool fine) {
  results->broken |= !fine;
  fine = !results->broken;
  if (--results->depth == 0) {
    fine = fine && statement_execute(
                       results, statement_prepare(results, STATEMENT_COMMIT));
    if (!sqlite3_get_autocommit(results->database)) {
      /* The reason of the failure is kept. */
      sqlite3_stmt *undo = statement_prepare(results, STATEMENT_ROLLBACK);
      sqlite3_step(undo);
      sqlite3_reset(undo);
    }
  }
  statement_leave(results);
  return fine;
}

/* ---- what has a number ---- */

/* Values of the statements that add and find something, by place. */
typedef struct Values {
  const char *texts[4]; /* NULL: a number */
  int64_t numbers[4];   /* 0: NULL */
  int add, find;        /* how many of them */
} Values;

static sqlite3_stmt *bind(Results *results, StatementName name,
                          const Values *values, int count) {
  sqlite3_stmt *statement = statement_prepare(results, name);
  for (int i = 0; i < count; i++)
    if (values->texts[i])
      statement_bind_text(statement, i + 1, values->texts[i]);
    else if (values->numbers[i])
      statement_bind_number(statement, i + 1, values->numbers[i]);
  return statement;
}

static int64_t search(Results *results, StatementName name,
                      const Values *values) {
  return statement_find(results, bind(results, name, values, values->find));
}

static int64_t find(Results *results, StatementName name,
                    const Values *values) {
  statement_enter(results);
  int64_t id = search(results, name, values);
  statement_leave(results);
  return id > 0 ? id : 0;
}

static int64_t ensure(Results *results, StatementName add, StatementName name,
                      const Values *values) {
  statement_enter(results);
  int64_t id = search(results, name, values);
  if (!id &&
      statement_execute(results, bind(results, add, values, values->add)))
    id = search(results, name, values);
  if (id <= 0) results->broken = true;
  statement_leave(results);
  return id > 0 ? id : 0;
}

int64_t results_copy_game(Results *results, const char *name, const char *hash,
                          const char *rules) {
  Values values = {.texts = {name, hash, rules}, .add = 3, .find = 2};
  return ensure(results, STATEMENT_ADD_GAME, STATEMENT_GAME, &values);
}

int64_t results_game(Results *results, const char *name,
                     const Description *description) {
  Canon canon;
  canon_init(&canon, description);
  int64_t id = results_copy_game(results, name, canon.hash,
                                 text_string(&description->text));
  canon_free(&canon);
  return id;
}

int64_t results_find_game(Results *results, const char *name,
                          const char *hash) {
  return find(results, STATEMENT_GAME,
              &(Values){.texts = {name, hash}, .find = 2});
}

int64_t results_copy_agent(Results *results, const char *text,
                           const char *settings) {
  Values values = {.texts = {text, settings}, .add = 2, .find = 2};
  return ensure(results, STATEMENT_ADD_AGENT, STATEMENT_AGENT, &values);
}

int64_t results_agent(Results *results, const AgentSpec *spec) {
  Text settings = {0};
  if (spec->kind == SPEC_SEARCH) settings_write(&spec->settings, &settings);
  int64_t id = results_copy_agent(results, spec->text, text_string(&settings));
  text_free(&settings);
  return id;
}

int64_t results_copy_experiment(Results *results, const char *kind,
                                const char *name, const char *specification,
                                const char *made) {
  Values values = {
      .texts = {kind, name, specification, made}, .add = 4, .find = 3};
  return ensure(results, STATEMENT_ADD_EXPERIMENT, STATEMENT_EXPERIMENT,
                &values);
}

int64_t results_experiment(Results *results, const char *kind, const char *name,
                           const char *specification) {
  return results_copy_experiment(results, kind, name, specification, NULL);
}

int64_t results_series(Results *results, const char *key, int64_t game) {
  Values values = {.texts = {key}, .numbers = {0, game}, .add = 2, .find = 2};
  return ensure(results, STATEMENT_ADD_SERIES, STATEMENT_SERIES, &values);
}

bool results_add_part(Results *results, int64_t experiment, int64_t series,
                      uint32_t place) {
  statement_enter(results);
  sqlite3_stmt *insert = statement_prepare(results, STATEMENT_ADD_PART);
  statement_bind_number(insert, 1, experiment);
  statement_bind_number(insert, 2, place);
  statement_bind_number(insert, 3, series);
  bool fine = statement_execute(results, insert);
  results->broken |= !fine;
  statement_leave(results);
  return fine;
}

int64_t results_part(Results *results, int64_t experiment, uint32_t place) {
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_PART);
  statement_bind_number(query, 1, experiment);
  statement_bind_number(query, 2, place);
  int64_t id = statement_find(results, query);
  statement_leave(results);
  return id > 0 ? id : 0;
}

int64_t results_find_series(Results *results, int64_t experiment,
                            const char *key) {
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_FIND_SERIES);
  statement_bind_number(query, 1, experiment);
  statement_bind_text(query, 2, key);
  int64_t id = statement_find(results, query);
  statement_leave(results);
  return id > 0 ? id : 0;
}

/* ---- a match ---- */

static bool add_row(Results *results, int64_t series,
                    const ResultsMatch *match) {
  sqlite3_stmt *insert = statement_prepare(results, STATEMENT_ADD_MATCH);
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)match->seed);
  statement_bind_number(insert, 1, series);
  statement_bind_number(insert, 2, match->number);
  statement_bind_text(insert, 3, digits);
  statement_bind_text(insert, 4, match->version);
  if (match->finished) statement_bind_text(insert, 5, match->finished);
  statement_bind_real(insert, 6, match->seconds);
  statement_bind_text(insert, 7, match_end_name(match->end));
  statement_bind_number(insert, 8, match->steps);
  statement_bind_text(insert, 9, match->error);
  return statement_execute(results, insert);
}

static double score_value(Score score) {
  return score == SCORE_NONE ? (double)NAN : (double)(score - SCORE_LOSS) / 2;
}

static bool add_side(Results *results, int64_t match, const ResultsSide *side) {
  sqlite3_stmt *insert = statement_prepare(results, STATEMENT_ADD_SIDE);
  statement_bind_number(insert, 1, match);
  statement_bind_number(insert, 2, side->role);
  statement_bind_number(insert, 3, side->player);
  statement_bind_number(insert, 4, side->agent);
  statement_bind_real(insert, 5, side->goal);
  statement_bind_real(insert, 6, score_value(side->score));
  statement_bind_number(insert, 7, (int64_t)side->work.simulations);
  statement_bind_number(insert, 8, (int64_t)side->work.states);
  statement_bind_real(insert, 9, side->work.seconds);
  statement_bind_text(insert, 10, side->found);
  return statement_execute(results, insert);
}

static bool add_move(Results *results, int64_t match, const ResultsMove *move) {
  sqlite3_stmt *insert = statement_prepare(results, STATEMENT_ADD_MOVE);
  statement_bind_number(insert, 1, match);
  statement_bind_number(insert, 2, move->step);
  statement_bind_number(insert, 3, move->role);
  statement_bind_text(insert, 4, text_string(&move->move));
  statement_bind_real(insert, 5, move->seconds);
  statement_bind_number(insert, 6, (int64_t)move->simulations);
  statement_bind_number(insert, 7, (int64_t)move->states);
  statement_bind_real(insert, 8, move->value);
  statement_bind_real(insert, 9, move->depth);
  return statement_execute(results, insert);
}

static bool add_all(Results *results, int64_t series, const ResultsMatch *match,
                    const ResultsMoves *moves) {
  if (!add_row(results, series, match)) return false;
  if (!sqlite3_changes(results->database)) return true; /* it is there */
  int64_t id = sqlite3_last_insert_rowid(results->database);
  for (uint32_t i = 0; i < match->side_count; i++)
    if (!add_side(results, id, &match->sides[i])) return false;
  for (uint32_t i = 0; moves && i < moves->count; i++)
    if (!add_move(results, id, &moves->data[i])) return false;
  return true;
}

bool results_add_match(Results *results, int64_t series,
                       const ResultsMatch *match, const ResultsMoves *moves) {
  return results_begin(results) &&
         results_end(results, add_all(results, series, match, moves));
}

bool results_add(Results *results, int64_t series, const Fixture *fixture,
                 const int64_t *agents, uint64_t seed, double seconds,
                 const ResultsMoves *moves) {
  uint32_t roles = fixture->seating.roles;
  ResultsSide *sides = memory_new(roles * sizeof *sides);
  for (uint32_t role = 0; role < roles; role++) {
    const MatchSide *side = &fixture->result.sides[role];
    uint32_t player = fixture->players[role];
    sides[role] = (ResultsSide){
        .role = role,
        .player = player,
        .agent = agents[player],
        .goal = fixture_has_score(fixture) ? (double)side->goal : (double)NAN,
        .score = fixture->scores[player],
        .work = side->work,
        .found = side->work.found ? side->work.found : ""};
  }
  bool fine = results_add_match(
      results, series,
      &(ResultsMatch){.number = fixture->number,
                      .seed = seed,
                      .end = fixture->result.end,
                      .steps = fixture->result.steps,
                      .seconds = seconds,
                      .version = text_string(&results->version),
                      .error = text_string(&fixture->result.error),
                      .sides = sides,
                      .side_count = roles},
      moves);
  memory_delete(sides);
  return fine;
}

static bool forget(Results *results, int64_t series, StatementName which) {
  statement_enter(results);
  sqlite3_stmt *remove = statement_prepare(results, which);
  statement_bind_number(remove, 1, series);
  bool fine = statement_execute(results, remove);
  statement_leave(results);
  return fine;
}

bool results_forget_errors(Results *results, int64_t series) {
  return forget(results, series, STATEMENT_FORGET);
}

bool results_forget(Results *results, int64_t series) {
  return forget(results, series, STATEMENT_FORGET_ALL);
}

/* Returns the text of a setting's value in a list of name=value; NULL if there
   is none. */
static const char *find_setting(const char *list, const char *name,
                                size_t length) {
  while (*list) {
    if (strncmp(list, name, length) == 0 && list[length] == '=')
      return list + length + 1;
    list += strcspn(list, ",");
    list += *list == ',';
  }
  return NULL;
}

/* Returns true if a setting that is in both lists has two values. */
static bool contradict(const char *list, const char *other) {
  while (*list) {
    size_t item = strcspn(list, ","), name = strcspn(list, "=");
    const char *value = name < item ? find_setting(other, list, name) : NULL;
    if (value && (strcspn(value, ",") != item - name - 1 ||
                  strncmp(value, list + name + 1, item - name - 1) != 0))
      return true;
    list += item + (list[item] == ',');
  }
  return false;
}

bool results_others(Results *results, int64_t series, uint32_t player,
                    int64_t agent, bool *other) {
  bool fine;
  *other = false;
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_OTHERS);
  statement_bind_number(query, 1, series);
  statement_bind_number(query, 2, player);
  statement_bind_number(query, 3, agent);
  while (statement_step(results, query, &fine))
    *other |= contradict((const char *)sqlite3_column_text(query, 0),
                         (const char *)sqlite3_column_text(query, 1));
  statement_leave(results);
  return fine;
}

/* ---- claims ---- */

/* A claim is a lock on a byte of a file, which the system takes back from
   processes that end. Matches whose bytes are the same are never claimed at
   once, which does no harm. */
static int lock_byte(const Results *results, int64_t series, uint32_t number,
                     short kind) {
  struct flock lock = {.l_type = kind,
                       .l_whence = SEEK_SET,
                       .l_start =
                           (off_t)(hash_pair((uint64_t)series, number) >> 2),
                       .l_len = 1};
  return fcntl(results->claims, F_OFD_SETLK, &lock);
}

/* Where files cannot be locked, games may be played twice. */
bool results_claim(Results *results, int64_t series, uint32_t number) {
  return results->claims < 0 ||
         lock_byte(results, series, number, F_WRLCK) == 0 ||
         (errno != EAGAIN && errno != EACCES);
}

void results_release(Results *results, int64_t series, uint32_t number) {
  if (results->claims >= 0) lock_byte(results, series, number, F_UNLCK);
}
