/* Queries on the database of a store that is only read. */
#include "store/survey.h"

int64_t survey_find(Results *results, const char *key) {
  sqlite3_stmt *query = NULL;
  int64_t series = 0;
  if (sqlite3_prepare_v2(results_database(results),
                         "SELECT id FROM series WHERE key = ? "
                         "ORDER BY id DESC LIMIT 1",
                         -1, &query, NULL) == SQLITE_OK &&
      sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step(query) == SQLITE_ROW)
    series = sqlite3_column_int64(query, 0);
  sqlite3_finalize(query);
  return series;
}

static void count_version(Survey *survey, const char *name, uint64_t games) {
  for (uint32_t i = 0; i < survey->versions.count; i++)
    if (!strcmp(text_string(&survey->versions.data[i].name), name)) {
      survey->versions.data[i].games += games;
      return;
    }
  SurveyVersion version = {.games = games};
  text_add(&version.name, name);
  vector_push(&survey->versions, version);
}

static void read_row(Survey *survey, sqlite3_stmt *query) {
  const char *name = (const char *)sqlite3_column_text(query, 0);
  uint64_t games = (uint64_t)sqlite3_column_int64(query, 1);
  const char *last = (const char *)sqlite3_column_text(query, 2);
  survey->games += games;
  count_version(survey, name ? name : "", games);
  if (last && strcmp(last, text_string(&survey->last)) > 0) {
    text_clear(&survey->last);
    text_add(&survey->last, last);
  }
}

bool survey_add(Survey *survey, Results *results, int64_t series) {
  sqlite3_stmt *query = NULL;
  int code;
  for (uint32_t i = 0; i < survey->series.count; i++)
    if (survey->series.data[i] == series) return true;
  vector_push(&survey->series, series);
  code = sqlite3_prepare_v2(results_database(results),
                            "SELECT version, count(*), max(finished) "
                            "FROM matches WHERE series = ? "
                            "GROUP BY version ORDER BY min(finished), version",
                            -1, &query, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(query, 1, series);
  while (code == SQLITE_OK || code == SQLITE_ROW)
    if ((code = sqlite3_step(query)) == SQLITE_ROW) read_row(survey, query);
  sqlite3_finalize(query);
  return code == SQLITE_DONE;
}

void survey_free(Survey *survey) {
  for (uint32_t i = 0; i < survey->versions.count; i++)
    text_free(&survey->versions.data[i].name);
  vector_free(&survey->versions);
  vector_free(&survey->series);
  text_free(&survey->last);
}
