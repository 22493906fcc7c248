/* The inside of Results: one connection, whose statements are prepared when
   first used and kept. A lock makes a call, or a whole transaction, belong to
   one thread; the thread that has it may enter again. */
#ifndef TAFL_STORE_STATEMENT_H
#define TAFL_STORE_STATEMENT_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>

#include "base/text.h"

typedef struct Results Results;

#define STATEMENTS(STATEMENT) \
  STATEMENT(BEGIN, "BEGIN IMMEDIATE") \
  STATEMENT(COMMIT, "COMMIT") \
  STATEMENT(ROLLBACK, "ROLLBACK") \
  STATEMENT(ADD_GAME, "INSERT INTO games (name, hash, rules) " \
                      "VALUES (?, ?, ?) ON CONFLICT DO NOTHING") \
  STATEMENT(GAME, "SELECT id FROM games WHERE name = ? AND hash = ?") \
  STATEMENT(ADD_AGENT, "INSERT INTO agents (agent, settings) VALUES (?, ?) " \
                       "ON CONFLICT DO NOTHING") \
  STATEMENT(AGENT, "SELECT id FROM agents WHERE agent = ? AND settings = ?") \
  STATEMENT(ADD_EXPERIMENT, \
            "INSERT INTO experiments (kind, name, specification, made) " \
            "VALUES (?, ?, ?, ifnull(?, strftime('%Y-%m-%dT%H:%M:%SZ'))) " \
            "ON CONFLICT DO NOTHING") \
  STATEMENT(EXPERIMENT, \
            "SELECT id FROM experiments WHERE kind = ? AND name = ? " \
            "AND specification = ?") \
  STATEMENT(ADD_SERIES, "INSERT INTO series (key, game) VALUES (?, ?) " \
                        "ON CONFLICT DO NOTHING") \
  STATEMENT(SERIES, "SELECT id FROM series WHERE key = ? AND game = ?") \
  STATEMENT(ADD_PART, \
            "INSERT INTO parts (experiment, place, series) VALUES (?, ?, ?) " \
            "ON CONFLICT DO UPDATE SET series = excluded.series") \
  STATEMENT(PART, \
            "SELECT series FROM parts WHERE experiment = ? AND place = ?") \
  STATEMENT(FIND_SERIES, \
            "SELECT s.id FROM parts AS p JOIN series AS s ON s.id = p.series " \
            "WHERE p.experiment = ? AND s.key = ?") \
  STATEMENT(ADD_MATCH, \
            "INSERT INTO matches (series, number, seed, version, finished, " \
            "seconds, ending, steps, error) VALUES (?, ?, ?, ?, " \
            "ifnull(?, strftime('%Y-%m-%dT%H:%M:%SZ')), ?, ?, ?, ?) " \
            "ON CONFLICT DO NOTHING") \
  STATEMENT(ADD_SIDE, \
            "INSERT INTO sides (match, role, player, agent, goal, score, " \
            "simulations, states, seconds, found) " \
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") \
  STATEMENT(ADD_MOVE, "INSERT INTO moves (match, step, role, move, seconds, " \
                      "simulations, states, value, depth) " \
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") \
  STATEMENT(THERE, \
            "SELECT number FROM matches WHERE series = ? AND number < ?") \
  STATEMENT(HAS, "SELECT id FROM matches WHERE series = ? AND number = ?") \
  STATEMENT(COUNTS, "SELECT ending IN ('ended', 'cut off'), count(*) " \
                    "FROM matches WHERE series = ? AND number < ? GROUP BY 1") \
  STATEMENT(FORGET_ALL, "DELETE FROM matches WHERE series = ?") \
  STATEMENT(OTHERS, \
            "SELECT DISTINCT a.settings, own.settings FROM matches AS m " \
            "JOIN sides AS s ON s.match = m.id " \
            "JOIN agents AS a ON a.id = s.agent " \
            "JOIN agents AS own ON own.id = ?3 " \
            "WHERE m.series = ?1 AND s.player = ?2 AND s.agent <> ?3") \
  STATEMENT(FORGET, "DELETE FROM matches WHERE series = ? " \
                    "AND ending NOT IN ('ended', 'cut off')") \
  STATEMENT(MATCHES, \
            "SELECT m.id, m.number, m.seed, m.ending, m.steps, m.seconds, " \
            "m.version, m.finished, m.error, s.role, s.player, s.agent, " \
            "s.goal, s.score, s.simulations, s.states, s.seconds, s.found " \
            "FROM matches AS m JOIN sides AS s ON s.match = m.id " \
            "WHERE m.series = ? ORDER BY m.number, s.role") \
  STATEMENT(MOVES, "SELECT step, role, move, seconds, simulations, states, " \
                   "value, depth FROM moves WHERE match = ? " \
                   "ORDER BY step, role")

typedef enum {
#define STATEMENT(NAME, text) STATEMENT_##NAME,
  STATEMENTS(STATEMENT)
#undef STATEMENT
      STATEMENT_COUNT
} StatementName;

struct Results {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENT_COUNT];
  pthread_mutex_t lock;
  uint32_t depth; /* of transactions */
  bool broken;    /* the transaction is to be rolled back */
  int claims;     /* file of claims, -1: none */
  Text version;
};

void statement_enter(Results *results);
void statement_leave(Results *results);

/* All of them under the lock. */

/* Keeps why the last call failed, for this thread; returns false. */
bool statement_fail(Results *results);
const char *statement_error(void);
/* Returns the statement, ready for its values; NULL on failure, which the
   functions below take. */
sqlite3_stmt *statement_prepare(Results *results, StatementName name);
void statement_bind_text(sqlite3_stmt *statement, int place, const char *text);
void statement_bind_number(sqlite3_stmt *statement, int place, int64_t number);
/* What is not a number stays NULL. */
void statement_bind_real(sqlite3_stmt *statement, int place, double real);
/* Runs a statement that gives no rows. */
bool statement_execute(Results *results, sqlite3_stmt *statement);
/* Returns true while there are rows; then sets `fine` to whether all were read
   and makes the statement ready for other values. */
bool statement_step(Results *results, sqlite3_stmt *statement, bool *fine);
/* Returns the first column of the only row, a number above 0; 0 if there is
   none, and -1 on failure. */
int64_t statement_find(Results *results, sqlite3_stmt *statement);

double statement_real(sqlite3_stmt *statement, int place); /* NAN: NULL */
const char *statement_text(sqlite3_stmt *statement, int place);

#endif
