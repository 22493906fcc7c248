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
                   "ORDER BY step, role") \
  STATEMENT(LIST, \
            "SELECT m.id FROM matches AS m WHERE m.id < ?1 " \
            "AND (?2 = '' OR m.series IN (SELECT s.id FROM series AS s " \
            "  JOIN games AS g ON g.id = s.game WHERE g.name = ?2)) " \
            "AND (?3 = '' OR EXISTS (SELECT 1 FROM sides AS s " \
            "  WHERE s.match = m.id AND s.agent IN " \
            "    (SELECT id FROM agents WHERE agent = ?3))) " \
            "AND (?4 = '' OR m.series IN (SELECT p.series FROM parts AS p " \
            "  JOIN experiments AS e ON e.id = p.experiment " \
            "  WHERE e.kind = ?4)) " \
            "AND (?5 = '' OR m.series IN (SELECT s.id FROM series AS s " \
            "    JOIN games AS g ON g.id = s.game " \
            "    WHERE instr(lower(g.name), lower(?5))) " \
            "  OR m.series IN (SELECT p.series FROM parts AS p " \
            "    JOIN experiments AS e ON e.id = p.experiment " \
            "    WHERE instr(lower(e.name), lower(?5))) " \
            "  OR EXISTS (SELECT 1 FROM sides AS s " \
            "    WHERE s.match = m.id AND s.agent IN " \
            "      (SELECT id FROM agents " \
            "       WHERE instr(lower(agent), lower(?5))))) " \
            "AND (?6 = 0 OR m.series IN " \
            "  (SELECT series FROM parts WHERE experiment = ?6)) " \
            "ORDER BY m.id DESC LIMIT ?7") \
  STATEMENT(MATCH, \
            "SELECT g.id, g.name, m.ending, m.error, m.finished, m.seed, " \
            "s.key, m.steps, m.seconds, e.id, e.kind, e.name " \
            "FROM matches AS m JOIN series AS s ON s.id = m.series " \
            "JOIN games AS g ON g.id = s.game " \
            "LEFT JOIN experiments AS e ON e.id = " \
            "  (SELECT x.id FROM parts AS p " \
            "   JOIN experiments AS x ON x.id = p.experiment " \
            "   WHERE p.series = m.series " \
            "   ORDER BY x.id = ?3 DESC, x.kind = ?2 DESC, x.id LIMIT 1) " \
            "WHERE m.id = ?1") \
  STATEMENT(SIDES, "SELECT s.role, a.agent, s.goal FROM sides AS s " \
                   "JOIN agents AS a ON a.id = s.agent " \
                   "WHERE s.match = ? ORDER BY s.role") \
  STATEMENT(RULES, "SELECT rules FROM games WHERE id = ?") \
  STATEMENT(PART_RULES, "SELECT g.rules FROM parts AS p " \
                        "JOIN series AS s ON s.id = p.series " \
                        "JOIN games AS g ON g.id = s.game " \
                        "WHERE p.experiment = ? AND g.name = ? LIMIT 1") \
  STATEMENT(GAMES_PLAYED, \
            "SELECT DISTINCT g.name FROM games AS g WHERE EXISTS " \
            "(SELECT 1 FROM series AS s JOIN matches AS m " \
            " ON m.series = s.id WHERE s.game = g.id) ORDER BY g.name") \
  STATEMENT(AGENTS_PLAYED, \
            "SELECT DISTINCT a.agent FROM agents AS a WHERE EXISTS " \
            "(SELECT 1 FROM sides AS s WHERE s.agent = a.id) " \
            "ORDER BY a.agent") \
  STATEMENT(EXPERIMENTS, \
            "SELECT e.id, e.kind, e.name, e.specification, e.made, " \
            "(SELECT count(*) FROM parts AS p JOIN matches AS m " \
            " ON m.series = p.series WHERE p.experiment = e.id) " \
            "FROM experiments AS e WHERE e.kind = ?1 " \
            "AND (?2 = 0 OR e.id = ?2) ORDER BY e.id DESC")

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
