/* Step v of the list leads from version v to version v + 1; an empty database
   is version 0. Steps that were released never change. */
#include "store/schema.h"

static const char *const steps[] = {
    /* 0 to 1 */
    "CREATE TABLE games ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL,"
    "  hash TEXT NOT NULL," /* of the rules up to renaming: learn/canon.h */
    "  rules TEXT NOT NULL,"
    "  UNIQUE (hash, name));"
    "CREATE TABLE agents ("
    "  id INTEGER PRIMARY KEY,"
    "  agent TEXT NOT NULL,"    /* as it was written */
    "  settings TEXT NOT NULL," /* all of them: name=value,... */
    "  UNIQUE (agent, settings));"
    "CREATE TABLE experiments ("
    "  id INTEGER PRIMARY KEY,"
    "  kind TEXT NOT NULL,"
    "  name TEXT NOT NULL,"
    "  specification TEXT NOT NULL," /* JSON */
    "  made TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),"
    "  UNIQUE (kind, name, specification));"
    "CREATE TABLE series ("
    "  id INTEGER PRIMARY KEY,"
    "  key TEXT NOT NULL," /* JSON; see lab/series.h */
    "  game INTEGER NOT NULL REFERENCES games,"
    "  UNIQUE (key, game));"
    "CREATE TABLE parts ("
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  place INTEGER NOT NULL,"
    "  series INTEGER NOT NULL REFERENCES series,"
    "  PRIMARY KEY (experiment, place)) WITHOUT ROWID;"
    "CREATE TABLE matches ("
    "  id INTEGER PRIMARY KEY,"
    "  series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,"
    "  number INTEGER NOT NULL,"
    "  seed TEXT NOT NULL," /* 64 bits without sign, hexadecimal */
    "  version TEXT NOT NULL,"
    "  finished TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),"
    "  seconds REAL NOT NULL,"
    "  ending TEXT NOT NULL," /* match_end_name */
    "  steps INTEGER NOT NULL,"
    "  error TEXT NOT NULL,"
    "  UNIQUE (series, number));"
    "CREATE TABLE sides ("
    "  match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,"
    "  role INTEGER NOT NULL,"
    "  player INTEGER NOT NULL," /* which agent of the series */
    "  agent INTEGER NOT NULL REFERENCES agents,"
    "  goal REAL,"  /* NULL: the match ended with an error */
    "  score REAL," /* of the player: 1, 0.5, 0; NULL: none */
    "  simulations INTEGER NOT NULL,"
    "  states INTEGER NOT NULL,"
    "  seconds REAL NOT NULL,"
    "  PRIMARY KEY (match, role)) WITHOUT ROWID;"
    "CREATE TABLE moves ("
    "  match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,"
    "  step INTEGER NOT NULL,"
    "  role INTEGER NOT NULL,"
    "  move TEXT NOT NULL,"
    "  seconds REAL NOT NULL,"
    "  simulations INTEGER NOT NULL,"
    "  states INTEGER NOT NULL,"
    "  value REAL," /* NULL: not searched */
    "  depth REAL,"
    "  PRIMARY KEY (match, step, role)) WITHOUT ROWID;",
    /* 1 to 2: which strategy of a search found the best way of a puzzle, and
       what a program that looks for an agent's matches needs */
    "ALTER TABLE sides ADD COLUMN found TEXT NOT NULL DEFAULT '';"
    "CREATE INDEX sides_agent ON sides (agent);"
    "CREATE INDEX parts_series ON parts (series);"};

const int schema_version = sizeof steps / sizeof *steps;

/* Returns the number that the statement gives, -1 if it fails. */
static int ask(sqlite3 *database, const char *statement) {
  sqlite3_stmt *query = NULL;
  int number = -1;
  if (sqlite3_prepare_v2(database, statement, -1, &query, NULL) == SQLITE_OK &&
      sqlite3_step(query) == SQLITE_ROW)
    number = sqlite3_column_int(query, 0);
  sqlite3_finalize(query);
  return number;
}

static bool fail(sqlite3 *database, Text *error) {
  text_add(error, sqlite3_errmsg(database));
  return false;
}

/* Returns the version; -1 and sets `error` if the database is not ours. The
   count is the first to read the file, and so to see that it is none. */
static int read_version(sqlite3 *database, Text *error) {
  int tables = ask(database, "SELECT count(*) FROM sqlite_master");
  int application = tables < 0 ? -1 : ask(database, "PRAGMA application_id");
  int version = tables < 0 ? -1 : ask(database, "PRAGMA user_version");
  if (tables < 0) {
    fail(database, error);
    return -1;
  }
  if ((tables || version) && application != SCHEMA_APPLICATION) {
    text_add(error, "it is a database of another program");
    return -1;
  }
  if (version > schema_version) {
    text_format(error,
                "its schema has version %d, newer than this program's %d",
                version, schema_version);
    return -1;
  }
  return tables ? version : 0;
}

/* The same of one state of the database, while another process may be making
   it. */
static int find_version(sqlite3 *database, Text *error) {
  if (sqlite3_exec(database, "SAVEPOINT look", NULL, NULL, NULL) != SQLITE_OK) {
    fail(database, error);
    return -1;
  }
  int version = read_version(database, error);
  sqlite3_exec(database, "RELEASE look", NULL, NULL, NULL);
  return version;
}

static bool migrate(sqlite3 *database, int version, Text *error) {
  Text last = {0};
  text_format(&last, "PRAGMA application_id = %d; PRAGMA user_version = %d",
              SCHEMA_APPLICATION, schema_version);
  bool fine = true;
  for (; fine && version < schema_version; version++)
    fine =
        sqlite3_exec(database, steps[version], NULL, NULL, NULL) == SQLITE_OK;
  fine =
      fine && sqlite3_exec(database, last.bytes, NULL, NULL, NULL) == SQLITE_OK;
  text_free(&last);
  return fine || fail(database, error);
}

bool schema_prepare(sqlite3 *database, Text *error) {
  if (find_version(database, error) == schema_version) return true;
  if (error->length) return false;
  if (sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK)
    return fail(database, error);
  int version = find_version(database, error); /* another may have been first */
  bool fine = version >= 0 && migrate(database, version, error);
  if (fine && sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
    fine = fail(database, error);
  if (!fine) sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
  return fine;
}

bool schema_check(sqlite3 *database, Text *error) {
  int version = find_version(database, error);
  if (version > 0) return schema_prepare(database, error);
  if (!version) text_add(error, "it is an empty database");
  return false;
}
