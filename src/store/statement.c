#include "store/statement.h"

#include <math.h>
#include <stdio.h>

static const char *const texts[] = {
#define STATEMENT(NAME, text) text,
    STATEMENTS(STATEMENT)
#undef STATEMENT
};

static _Thread_local char last_error[512];

void statement_enter(Results *results) {
  pthread_mutex_lock(&results->lock);
}

void statement_leave(Results *results) {
  pthread_mutex_unlock(&results->lock);
}

bool statement_fail(Results *results) {
  snprintf(last_error, sizeof last_error, "%s",
           sqlite3_errmsg(results->database));
  return false;
}

const char *statement_error(void) {
  return last_error;
}

sqlite3_stmt *statement_prepare(Results *results, StatementName name) {
  sqlite3_stmt **statement = &results->statements[name];
  if (!*statement && sqlite3_prepare_v3(results->database, texts[name], -1,
                                        SQLITE_PREPARE_PERSISTENT, statement,
                                        NULL) != SQLITE_OK)
    statement_fail(results);
  return *statement;
}

void statement_bind_text(sqlite3_stmt *statement, int place, const char *text) {
  if (statement)
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

void statement_bind_number(sqlite3_stmt *statement, int place, int64_t number) {
  if (statement) sqlite3_bind_int64(statement, place, number);
}

void statement_bind_real(sqlite3_stmt *statement, int place, double real) {
  if (statement && !isnan(real)) sqlite3_bind_double(statement, place, real);
}

static void put_back(sqlite3_stmt *statement) {
  if (!statement) return;
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

bool statement_execute(Results *results, sqlite3_stmt *statement) {
  bool fine = statement && sqlite3_step(statement) == SQLITE_DONE;
  if (statement && !fine) statement_fail(results);
  put_back(statement);
  return fine;
}

bool statement_step(Results *results, sqlite3_stmt *statement, bool *fine) {
  int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
  if (code == SQLITE_ROW) return true;
  *fine = code == SQLITE_DONE;
  if (statement && !*fine) statement_fail(results);
  put_back(statement);
  return false;
}

int64_t statement_find(Results *results, sqlite3_stmt *statement) {
  int64_t id = 0;
  bool fine = true;
  while (statement_step(results, statement, &fine))
    id = sqlite3_column_int64(statement, 0);
  return fine ? id : -1;
}

double statement_real(sqlite3_stmt *statement, int place) {
  return sqlite3_column_type(statement, place) == SQLITE_NULL
             ? NAN
             : sqlite3_column_double(statement, place);
}

const char *statement_text(sqlite3_stmt *statement, int place) {
  const unsigned char *text = sqlite3_column_text(statement, place);
  return text ? (const char *)text : "";
}
