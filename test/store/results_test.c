/* The store: what is written is read again, by other connections and threads;
   a match that is there is kept; files that are not ours are refused and left
   alone; old databases are brought up to date. */
#include "store/results.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/schema.h"
#include "support/games.h"
#include "support/results.h"

static void expect_refused(const char *name, const char *version,
                           const char *why) {
  Text error = {0};
  Results *results = results_open(results_path(name), version, &error);
  assert_null(results);
  if (!strstr(text_string(&error), why) ||
      strncmp(text_string(&error), results_path(name),
              strlen(results_path(name))) != 0)
    fail_msg("'%s' does not say '%s'", text_string(&error), why);
  text_free(&error);
}

/* ---- what has a number ---- */

static void test_numbers(void **state) {
  (void)state;
  Results *results = results_make("numbers.db");
  Description description, renamed;
  AgentSpecs specs;
  games_read(&description, GAME_DUEL);
  games_read(&renamed, GAME_PUZZLE);
  int64_t game = results_game(results, "duel", &description);
  assert_int_equal(game, 1);
  assert_int_equal(results_game(results, "duel", &description), 1);
  assert_int_equal(results_game(results, "other", &description), 2);
  assert_int_equal(results_game(results, "duel", &renamed), 3);
  results_expect(results,
                 "SELECT id, name, length(hash) FROM games ORDER BY id",
                 "1|duel|32\n2|other|32\n3|duel|32\n");
  games_specs(&specs, "cadia2007,random,cadia2007:c=30");
  for (uint32_t i = 0; i < specs.count; i++)
    assert_int_equal(results_agent(results, &specs.data[i]), i + 1);
  assert_int_equal(results_agent(results, &specs.data[2]), 3);
  results_expect(results,
                 "SELECT agent, settings LIKE '%c=30%', settings = '' "
                 "FROM agents ORDER BY id",
                 "cadia2007|0|0\nrandom|0|1\ncadia2007:c=30|1|0\n");
  assert_int_equal(results_experiment(results, "lab", "a", "{}"), 1);
  assert_int_equal(results_experiment(results, "lab", "a", "{\"seed\":2}"), 2);
  assert_int_equal(results_experiment(results, "tour", "a", "{}"), 3);
  assert_int_equal(results_experiment(results, "lab", "a", "{}"), 1);
  results_expect(
      results, "SELECT id, name FROM experiments WHERE kind = 'tour'", "3|a\n");
  assert_int_equal(results_series(results, "{\"x\":1}", game), 1);
  assert_int_equal(results_series(results, "{\"x\":2}", 2), 2);
  assert_int_equal(results_series(results, "{\"x\":1}", game), 1);
  assert_int_equal(results_series(results, "{}", 99), 0); /* no such game */
  assert_non_null(strstr(results_error(results), "FOREIGN KEY"));
  assert_true(results_add_part(results, 1, 1, 0));
  assert_true(results_add_part(results, 1, 2, 1));
  assert_true(results_add_part(results, 1, 2, 1));
  assert_int_equal(results_part(results, 1, 1), 2);
  assert_int_equal(results_part(results, 1, 2), 0);
  assert_int_equal(results_find_series(results, 1, "{\"x\":1}"), 1);
  assert_int_equal(results_find_series(results, 1, "{\"x\":2}"), 2);
  assert_int_equal(results_find_series(results, 2, "{\"x\":1}"), 0);
  spec_free_list(&specs);
  description_free(&description);
  description_free(&renamed);
  results_close(results);
}

/* ---- matches ---- */

static void check_match(void *context, const ResultsMatch *match) {
  uint32_t *count = context;
  assert_int_equal(match->number, *count);
  assert_true(match->seed == 0xfedcba9876543210 + *count);
  assert_int_equal(match->end, MATCH_ENDED);
  assert_int_equal(match->steps, 1);
  assert_string_equal(match->version, "1.2.3 (abc)");
  assert_string_equal(match->error, "");
  assert_int_equal(strlen(match->finished), 20);
  assert_int_equal(match->side_count, 2);
  for (uint32_t role = 0; role < 2; role++) {
    const ResultsSide *side = &match->sides[role];
    assert_int_equal(side->role, role);
    assert_int_equal(side->player, (role + *count) % 2);
    assert_true(side->goal == (side->player ? 0 : 100));
    assert_int_equal(side->score, side->player ? SCORE_LOSS : SCORE_WIN);
    assert_int_equal(side->work.states, 21);
    assert_string_equal(side->found, "");
  }
  ++*count;
}

static void test_matches(void **state) {
  (void)state;
  Results *results = results_make("matches.db");
  int64_t series = results_make_series(results, "{}");
  uint32_t count = 0;
  bool there[4] = {0}, has;
  ResultsCount counts;
  ResultsMoves moves = {0};
  for (uint32_t i = 0; i < 3; i++)
    assert_true(results_make_match(results, series, i));
  assert_true(results_visit(results, series, check_match, &count));
  assert_int_equal(count, 3);
  assert_true(results_there(results, series, there, 2));
  assert_true(there[0] && there[1] && !there[2]);
  assert_true(results_has(results, series, 2, &has) && has);
  assert_true(results_has(results, series, 3, &has) && !has);
  assert_true(results_count(results, series, 2, &counts));
  assert_int_equal(counts.scored, 2);
  assert_true(results_count(results, series, 0, &counts));
  assert_int_equal(counts.scored, 3);
  assert_int_equal(counts.errors, 0);
  assert_true(results_read_moves(results, 2, &moves));
  assert_int_equal(moves.count, 2);
  assert_string_equal(text_string(&moves.data[1].move), "(b c)");
  assert_true(moves.data[0].value == 50.5 && isnan(moves.data[1].value));
  results_moves_free(&moves);
  results_close(results);
}

/* The first one counts, whoever comes later. */
static void test_kept(void **state) {
  (void)state;
  Results *results = results_make("kept.db");
  int64_t series = results_make_series(results, "{}");
  assert_true(results_make_match(results, series, 0));
  ResultsSide side = {.agent = 1, .goal = 5, .found = ""};
  ResultsMatch other = {.version = "later",
                        .error = "",
                        .steps = 77,
                        .seconds = 1,
                        .sides = &side,
                        .side_count = 1};
  assert_true(results_add_match(results, series, &other, NULL));
  results_expect(results, "SELECT version, steps FROM matches",
                 "1.2.3 (abc)|1\n");
  results_expect(results, "SELECT count(*) FROM sides", "2\n");
  /* Nothing is taken for a duplicate that is only wrong. */
  other.number = 1;
  other.seconds = NAN;
  assert_false(results_add_match(results, series, &other, NULL));
  assert_non_null(strstr(results_error(results), "NOT NULL"));
  other.seconds = 1;
  side.agent = 99;
  assert_false(results_add_match(results, series, &other, NULL));
  results_expect(results, "SELECT count(*) FROM matches", "1\n");
  results_close(results);
}

static void test_errors(void **state) {
  (void)state;
  Results *results = results_make("errors.db");
  int64_t series = results_make_series(results, "{}");
  ResultsCount counts;
  assert_true(results_make_match(results, series, 0));
  ResultsSide side = {.agent = 1, .goal = NAN, .found = "tree"};
  ResultsMatch match = {.version = "v",
                        .error = "too large",
                        .end = MATCH_FAILED,
                        .sides = &side,
                        .side_count = 1,
                        .number = 1};
  assert_true(results_add_match(results, series, &match, NULL));
  match.number = 2;
  match.end = MATCH_CUT_OFF;
  match.error = "";
  assert_true(results_add_match(results, series, &match, NULL));
  assert_true(results_count(results, series, 0, &counts));
  assert_int_equal(counts.errors, 1);
  assert_int_equal(counts.scored, 2);
  results_expect(results,
                 "SELECT number, ending, goal, score, found FROM matches "
                 "JOIN sides ON id = match WHERE found <> '' ORDER BY number",
                 "1|failed|NULL|NULL|tree\n2|cut off|NULL|NULL|tree\n");
  assert_true(results_forget_errors(results, series));
  results_expect(results, "SELECT number FROM matches ORDER BY number",
                 "0\n2\n");
  results_expect(results, "SELECT count(*) FROM sides", "3\n");
  results_close(results);
}

static void test_transaction(void **state) {
  (void)state;
  Results *results = results_make("transaction.db");
  int64_t series = results_make_series(results, "{}");
  assert_true(results_begin(results));
  assert_true(results_make_match(results, series, 0));
  assert_false(results_end(results, false));
  results_expect(results, "SELECT count(*) FROM matches", "0\n");
  assert_true(results_begin(results));
  assert_true(results_make_match(results, series, 0));
  assert_int_equal(results_series(results, "{}", 99), 0); /* fails */
  assert_false(results_end(results, true));
  results_expect(results, "SELECT count(*) FROM matches", "0\n");
  assert_true(results_begin(results));
  assert_true(results_make_match(results, series, 0));
  assert_true(results_end(results, true));
  results_expect(results, "SELECT count(*) FROM matches", "1\n");
  results_close(results);
}

/* ---- several at once ---- */

typedef struct Writer {
  Results *results;
  int64_t series;
  bool fine;
} Writer;

enum { EACH = 25 };

static void *write_matches(void *argument) {
  Writer *writer = argument;
  writer->fine = true;
  for (uint32_t i = 0; i < EACH; i++)
    writer->fine &= results_make_match(writer->results, writer->series, i);
  return NULL;
}

/* Two connections, each with two threads, and all write the same matches. */
static void test_threads(void **state) {
  (void)state;
  Results *one = results_make("threads.db"), *two = results_make("threads.db");
  pthread_t threads[4];
  Writer writers[4];
  uint32_t count = 0;
  int64_t series = results_make_series(one, "{}");
  assert_int_equal(results_make_series(two, "{}"), series);
  for (int i = 0; i < 4; i++) {
    writers[i] = (Writer){i % 2 ? one : two, series, false};
    assert_int_equal(
        pthread_create(&threads[i], NULL, write_matches, &writers[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    assert_true(writers[i].fine);
  }
  results_expect(two, "SELECT count(*) FROM matches", "25\n");
  results_expect(two, "SELECT count(*) FROM sides", "50\n");
  results_expect(two, "SELECT count(*) FROM moves", "50\n");
  results_expect(two, "SELECT count(*) FROM agents", "2\n");
  assert_true(results_visit(one, series, check_match, &count));
  assert_int_equal(count, EACH);
  results_close(one);
  results_close(two);
}

static int count_processes(pid_t *children, int count) {
  int failed = 0, status;
  for (int i = 0; i < count; i++)
    if (waitpid(children[i], &status, 0) < 0 || status != 0) failed++;
  return failed;
}

/* Processes that make the database at the same moment. */
static void test_processes(void **state) {
  (void)state;
  pid_t children[6];
  int count = 0;
  results_path("processes.db"); /* makes the directory */
  fflush(stdout);
  for (; count < 6; count++) {
    children[count] = fork();
    if (children[count] == 0) {
      Text error = {0};
      Results *own = results_open(results_path("processes.db"), "v", &error);
      if (!own) fprintf(stderr, "%s\n", text_string(&error));
      if (!own) _exit(1);
      bool fine = true;
      int64_t series = results_make_series(own, "{}");
      for (uint32_t i = 0; i < 5; i++)
        fine &= results_make_match(own, series, i);
      results_close(own);
      _exit(!fine);
    }
  }
  assert_int_equal(count_processes(children, count), 0);
  Results *results = results_make("processes.db");
  results_expect(results, "SELECT count(*) FROM matches", "5\n");
  results_expect(results, "PRAGMA integrity_check", "ok\n");
  results_close(results);
}

/* A process that ends without a word gives back what it has claimed. */
static void test_claims(void **state) {
  (void)state;
  Results *one = results_make("claims.db"), *two = results_make("claims.db");
  int ready[2];
  char byte;
  assert_true(results_claim(one, 1, 0));
  assert_false(results_claim(two, 1, 0));
  assert_true(results_claim(two, 1, 1));
  assert_true(results_claim(two, 2, 0));
  assert_false(results_claim(one, 2, 0));
  results_release(two, 2, 0);
  assert_true(results_claim(one, 2, 0));
  results_close(one);
  assert_true(results_claim(two, 1, 0));
  results_release(two, 1, 0);
  assert_int_equal(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    Text error = {0};
    Results *own = results_open(results_path("claims.db"), "v", &error);
    byte = own && results_claim(own, 1, 0) ? 'y' : 'n';
    if (write(ready[1], &byte, 1) == 1) pause();
    _exit(0);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  assert_int_equal(byte, 'y');
  assert_false(results_claim(two, 1, 0));
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_true(results_claim(two, 1, 0));
  close(ready[0]);
  close(ready[1]);
  results_close(two);
}

/* ---- files that are not ours ---- */

static void write_file(const char *name, const char *bytes, size_t length) {
  FILE *file = fopen(results_path(name), "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static void run_sql(const char *name, const char *text) {
  sqlite3 *database;
  assert_int_equal(sqlite3_open(results_path(name), &database), SQLITE_OK);
  if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK)
    fail_msg("%s", sqlite3_errmsg(database));
  sqlite3_close(database);
}

static void test_refused(void **state) {
  (void)state;
  static const char text[] = "This is no database, but it is long enough to be "
                             "taken for the beginning of one by its length, "
                             "for a hundred bytes are needed to find out.";
  char after[sizeof text] = "";
  expect_refused("none.db", NULL, "there is no such database");
  assert_int_equal(access(results_path("none.db"), F_OK), -1);
  assert_int_equal(mkdir(results_path("folder"), 0777), 0);
  expect_refused("folder", "v", "it is a directory");
  expect_refused("folder", NULL, "it is a directory");
  write_file("text.db", text, sizeof text - 1);
  expect_refused("text.db", "v", "not a database");
  FILE *file = fopen(results_path("text.db"), "r");
  assert_int_equal(fread(after, 1, sizeof text, file), sizeof text - 1);
  fclose(file);
  assert_string_equal(after, text);
  run_sql("other.db", "CREATE TABLE games (x); PRAGMA application_id = 1");
  expect_refused("other.db", "v", "another program");
  run_sql("plain.db", "CREATE TABLE games (x)");
  expect_refused("plain.db", "v", "another program");
  write_file("empty.db", "", 0);
  expect_refused("empty.db", NULL, "empty database");
  write_file("below", "x", 1);
  expect_refused("below/results.db", "v", "");
}

static void test_newer(void **state) {
  (void)state;
  char text[128];
  results_close(results_make("newer.db"));
  snprintf(text, sizeof text, "PRAGMA user_version = %d", schema_version + 1);
  run_sql("newer.db", text);
  expect_refused("newer.db", "v", "newer than this program's");
  expect_refused("newer.db", NULL, "newer than this program's");
}

/* Bytes in the middle of the file are lost. */
static void test_damaged(void **state) {
  (void)state;
  Results *results = results_make("damaged.db");
  int64_t series = results_make_series(results, "{}");
  uint32_t count = 0;
  for (uint32_t i = 0; i < 200; i++) results_make_match(results, series, i);
  results_close(results);
  int file = open(results_path("damaged.db"), O_RDWR);
  char junk[4096];
  memset(junk, 0xa5, sizeof junk);
  off_t size = lseek(file, 0, SEEK_END);
  assert_true(size > 20 * 4096);
  for (off_t at = 12 * 4096; at < size - 4096; at += 4096)
    assert_int_equal(pwrite(file, junk, sizeof junk, at), sizeof junk);
  close(file);
  Text error = {0};
  results = results_open(results_path("damaged.db"), NULL, &error);
  if (results) {
    assert_false(results_visit(results, series, check_match, &count));
    assert_non_null(strstr(results_error(results), "malformed"));
  }
  results_close(results);
  text_free(&error);
}

/* Without the right to write, as whoever runs the test. */
static int read_only(void) {
  Text error = {0};
  char top[256];
  bool fine = true;
  uint32_t count = 0;
  snprintf(top, sizeof top, "%s", results_path("readonly.db"));
  if (geteuid() == 0 && setuid(65534) != 0) return 2;
  fine &= access(top, W_OK) != 0;
  Results *results = results_open(top, NULL, &error);
  fine &= results != NULL;
  if (results) {
    fine &= results_visit(results, 1, check_match, &count) && count == 1;
    fine &= !results_make_match(results, 1, 1);
    fine &= strstr(results_error(results), "readonly") != NULL;
  }
  results_close(results);
  fine &= !results_open(top, "v", &error) &&
          strstr(text_string(&error), "only be read");
  if (!fine) fprintf(stderr, "# %s\n", text_string(&error));
  text_free(&error);
  return !fine;
}

static void test_read_only(void **state) {
  (void)state;
  Results *results = results_make("readonly.db");
  int64_t series = results_make_series(results, "{}");
  int status;
  assert_true(results_make_match(results, series, 0));
  results_close(results);
  assert_int_equal(chmod(results_path("readonly.db"), 0444), 0);
  assert_int_equal(chmod(results_path(""), 0777), 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(read_only());
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 2) skip();
  assert_int_equal(status, 0);
}

/* The disk is full: the match is not there, those before it are. */
static int write_full(void) {
  Results *results = results_make("full.db");
  int64_t series = results_make_series(results, "{}");
  uint32_t stored = 0, count = 0;
  signal(SIGXFSZ, SIG_IGN);
  for (uint32_t i = 0; i < 5; i++)
    stored += results_make_match(results, series, i);
  struct rlimit limit = {.rlim_cur = 200000, .rlim_max = RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &limit);
  while (stored < 100000 && results_make_match(results, series, stored))
    stored++;
  bool fine = stored >= 5 && stored < 100000;
  bool there;
  fine &= results_has(results, series, stored, &there) && !there;
  limit.rlim_cur = RLIM_INFINITY;
  setrlimit(RLIMIT_FSIZE, &limit);
  fine &= results_make_match(results, series, stored);
  fine &= results_visit(results, series, check_match, &count) &&
          count == stored + 1;
  results_close(results);
  return !fine;
}

static void test_full(void **state) {
  (void)state;
  int status;
  results_path("full.db");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(write_full());
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  Results *results = results_make("full.db");
  results_expect(results, "PRAGMA integrity_check", "ok\n");
  results_close(results);
}

/* ---- migration ---- */

/* A database as version 1 made it. */
static const char version_1[] =
    "BEGIN;"
    "CREATE TABLE games (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    "  hash TEXT NOT NULL, rules TEXT NOT NULL, UNIQUE (hash, name));"
    "CREATE TABLE agents (id INTEGER PRIMARY KEY, agent TEXT NOT NULL,"
    "  settings TEXT NOT NULL, UNIQUE (agent, settings));"
    "CREATE TABLE experiments (id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
    "  name TEXT NOT NULL, specification TEXT NOT NULL,"
    "  made TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),"
    "  UNIQUE (kind, name, specification));"
    "CREATE TABLE series (id INTEGER PRIMARY KEY, key TEXT NOT NULL,"
    "  game INTEGER NOT NULL REFERENCES games, UNIQUE (key, game));"
    "CREATE TABLE parts ("
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  place INTEGER NOT NULL, series INTEGER NOT NULL REFERENCES series,"
    "  PRIMARY KEY (experiment, place)) WITHOUT ROWID;"
    "CREATE TABLE matches (id INTEGER PRIMARY KEY,"
    "  series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,"
    "  number INTEGER NOT NULL, seed TEXT NOT NULL, version TEXT NOT NULL,"
    "  finished TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),"
    "  seconds REAL NOT NULL, ending TEXT NOT NULL, steps INTEGER NOT NULL,"
    "  error TEXT NOT NULL, UNIQUE (series, number));"
    "CREATE TABLE sides ("
    "  match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,"
    "  role INTEGER NOT NULL, player INTEGER NOT NULL,"
    "  agent INTEGER NOT NULL REFERENCES agents, goal REAL, score REAL,"
    "  simulations INTEGER NOT NULL, states INTEGER NOT NULL,"
    "  seconds REAL NOT NULL, PRIMARY KEY (match, role)) WITHOUT ROWID;"
    "CREATE TABLE moves ("
    "  match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,"
    "  step INTEGER NOT NULL, role INTEGER NOT NULL, move TEXT NOT NULL,"
    "  seconds REAL NOT NULL, simulations INTEGER NOT NULL,"
    "  states INTEGER NOT NULL, value REAL, depth REAL,"
    "  PRIMARY KEY (match, step, role)) WITHOUT ROWID;"
    "INSERT INTO games VALUES (1, 'duel', 'abc', '(role x)');"
    "INSERT INTO agents VALUES (1, 'random', '');"
    "INSERT INTO series VALUES (1, '{}', 1);"
    "INSERT INTO matches (id, series, number, seed, version, seconds, ending,"
    "  steps, error) VALUES (1, 1, 0, '00000000000000ff', 'old', 1.5, 'ended',"
    "  3, '');"
    "INSERT INTO sides VALUES (1, 0, 0, 1, 100, 1, 5, 6, 0.5);"
    "INSERT INTO moves VALUES (1, 0, 0, 'a', 0.1, 5, 6, NULL, NULL);"
    "PRAGMA application_id = 1415669356; PRAGMA user_version = 1; COMMIT";

static void check_old(void *context, const ResultsMatch *match) {
  uint32_t *count = context;
  assert_true(match->seed == 255 && match->seconds == 1.5);
  assert_string_equal(match->version, "old");
  assert_int_equal(match->side_count, 1);
  assert_true(match->sides[0].goal == 100);
  assert_int_equal(match->sides[0].score, SCORE_WIN);
  assert_string_equal(match->sides[0].found, "");
  ++*count;
}

/* The tables and indexes, as their statements say them. */
static const char schema_query[] =
    "SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name";

static void test_migration(void **state) {
  (void)state;
  static const char *const versions[] = {"v", NULL};
  for (int i = 0; i < 2; i++) {
    const char *name = i ? "read.db" : "written.db";
    Text error = {0}, fresh = {0};
    uint32_t count = 0;
    run_sql(name, version_1);
    Results *results = results_open(results_path(name), versions[i], &error);
    if (!results) fail_msg("%s", text_string(&error));
    assert_true(results_visit(results, 1, check_old, &count));
    assert_int_equal(count, 1);
    Results *new = results_make(i ? "fresh1.db" : "fresh2.db");
    results_ask(new, schema_query, &fresh);
    results_expect(results, schema_query, text_string(&fresh));
    results_ask(new, "PRAGMA user_version", &error);
    results_expect(results, "PRAGMA user_version", text_string(&error));
    assert_int_equal(atoi(text_string(&error)), schema_version);
    text_free(&fresh);
    text_free(&error);
    results_close(new);
    results_close(results);
  }
}

/* A migration that fails leaves the database as it was. */
static void test_broken_migration(void **state) {
  (void)state;
  run_sql("broken.db", version_1);
  run_sql("broken.db", "CREATE TABLE sides_agent (x)");
  expect_refused("broken.db", "v", "sides_agent");
  sqlite3 *database;
  sqlite3_stmt *query;
  assert_int_equal(sqlite3_open(results_path("broken.db"), &database),
                   SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database,
                                      "SELECT count(*) FROM pragma_table_info"
                                      "('sides'), pragma_user_version "
                                      "WHERE user_version = 1",
                                      -1, &query, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(query), SQLITE_ROW);
  assert_int_equal(sqlite3_column_int(query, 0), 9);
  sqlite3_finalize(query);
  sqlite3_close(database);
}

static int remove_all(void **state) {
  (void)state;
  results_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_matches),
      cmocka_unit_test(test_kept),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_transaction),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_processes),
      cmocka_unit_test(test_claims),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_newer),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_read_only),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_migration),
      cmocka_unit_test(test_broken_migration),
  };
  return cmocka_run_group_tests(tests, NULL, remove_all);
}
