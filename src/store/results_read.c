/* What is read of matches. */
#include <math.h>
#include <stdlib.h>

#include "store/results.h"
#include "store/statement.h"

bool results_there(Results *results, int64_t series, bool *there,
                   uint32_t count) {
  bool fine;
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_THERE);
  statement_bind_number(query, 1, series);
  statement_bind_number(query, 2, count);
  while (statement_step(results, query, &fine)) {
    int64_t number = sqlite3_column_int64(query, 0);
    if (number >= 0) there[number] = true;
  }
  statement_leave(results);
  return fine;
}

bool results_has(Results *results, int64_t series, uint32_t number,
                 bool *there) {
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_HAS);
  statement_bind_number(query, 1, series);
  statement_bind_number(query, 2, number);
  int64_t id = statement_find(results, query);
  statement_leave(results);
  *there = id > 0;
  return id >= 0;
}

bool results_count(Results *results, int64_t series, uint32_t games,
                   ResultsCount *count) {
  bool fine;
  *count = (ResultsCount){0};
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_COUNTS);
  statement_bind_number(query, 1, series);
  statement_bind_number(query, 2, games ? games : INT64_MAX);
  while (statement_step(results, query, &fine)) {
    uint32_t number = (uint32_t)sqlite3_column_int64(query, 1);
    if (sqlite3_column_int(query, 0))
      count->scored = number;
    else
      count->errors = number;
  }
  statement_leave(results);
  return fine;
}

/* ---- matches with their sides ---- */

static MatchEnd find_end(const char *name) {
  MatchEnd end = MATCH_ENDED;
  while (end < MATCH_STOPPED && strcmp(match_end_name(end), name) != 0) end++;
  return end;
}

/* What is read of a match, whose rows follow each other. */
typedef struct Reader {
  ResultsMatch match;
  Text version, finished, error;
  VECTOR(ResultsSide) sides;
  TextVector found; /* by side */
} Reader;

static void copy_text(Text *text, sqlite3_stmt *query, int place) {
  text_clear(text);
  text_add(text, statement_text(query, place));
}

static void clear_sides(Reader *reader) {
  vector_clear(&reader->sides);
  for (uint32_t i = 0; i < reader->found.count; i++)
    text_free(&reader->found.data[i]);
  vector_clear(&reader->found);
}

static void read_match(Reader *reader, sqlite3_stmt *query) {
  clear_sides(reader);
  copy_text(&reader->version, query, 6);
  copy_text(&reader->finished, query, 7);
  copy_text(&reader->error, query, 8);
  reader->match =
      (ResultsMatch){.id = sqlite3_column_int64(query, 0),
                     .number = (uint32_t)sqlite3_column_int64(query, 1),
                     .seed = strtoull(statement_text(query, 2), NULL, 16),
                     .end = find_end(statement_text(query, 3)),
                     .steps = (uint32_t)sqlite3_column_int64(query, 4),
                     .seconds = sqlite3_column_double(query, 5)};
}

static Score read_score(sqlite3_stmt *query, int place) {
  double score = statement_real(query, place);
  return isnan(score)  ? SCORE_NONE
         : score > 0.9 ? SCORE_WIN
         : score < 0.1 ? SCORE_LOSS
                       : SCORE_DRAW;
}

static void read_side(Reader *reader, sqlite3_stmt *query) {
  Text found = {0};
  ResultsSide side = {
      .role = (uint32_t)sqlite3_column_int64(query, 9),
      .player = (uint32_t)sqlite3_column_int64(query, 10),
      .agent = sqlite3_column_int64(query, 11),
      .goal = statement_real(query, 12),
      .score = read_score(query, 13),
      .work = {.simulations = (uint64_t)sqlite3_column_int64(query, 14),
               .states = (uint64_t)sqlite3_column_int64(query, 15),
               .seconds = sqlite3_column_double(query, 16)}};
  text_add(&found, statement_text(query, 17));
  vector_push(&reader->sides, side);
  vector_push(&reader->found, found);
}

static void hand_over(Reader *reader, ResultsVisit *visit, void *context) {
  if (!reader->sides.count) return;
  for (uint32_t i = 0; i < reader->sides.count; i++)
    reader->sides.data[i].found = text_string(&reader->found.data[i]);
  reader->match.version = text_string(&reader->version);
  reader->match.finished = text_string(&reader->finished);
  reader->match.error = text_string(&reader->error);
  reader->match.sides = reader->sides.data;
  reader->match.side_count = reader->sides.count;
  visit(context, &reader->match);
}

bool results_visit(Results *results, int64_t series, ResultsVisit *visit,
                   void *context) {
  Reader reader = {0};
  bool fine;
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_MATCHES);
  statement_bind_number(query, 1, series);
  while (statement_step(results, query, &fine)) {
    if (!reader.sides.count ||
        sqlite3_column_int64(query, 0) != reader.match.id) {
      hand_over(&reader, visit, context);
      read_match(&reader, query);
    }
    read_side(&reader, query);
  }
  if (fine) hand_over(&reader, visit, context);
  statement_leave(results);
  clear_sides(&reader);
  vector_free(&reader.sides);
  vector_free(&reader.found);
  text_free(&reader.version);
  text_free(&reader.finished);
  text_free(&reader.error);
  return fine;
}

/* ---- moves ---- */

void results_moves_free(ResultsMoves *moves) {
  for (uint32_t i = 0; i < moves->count; i++) text_free(&moves->data[i].move);
  vector_free(moves);
}

bool results_read_moves(Results *results, int64_t match, ResultsMoves *moves) {
  bool fine;
  statement_enter(results);
  sqlite3_stmt *query = statement_prepare(results, STATEMENT_MOVES);
  statement_bind_number(query, 1, match);
  while (statement_step(results, query, &fine)) {
    ResultsMove move = {.step = (uint32_t)sqlite3_column_int64(query, 0),
                        .role = (uint32_t)sqlite3_column_int64(query, 1),
                        .seconds = sqlite3_column_double(query, 3),
                        .simulations = (uint64_t)sqlite3_column_int64(query, 4),
                        .states = (uint64_t)sqlite3_column_int64(query, 5),
                        .value = statement_real(query, 6),
                        .depth = statement_real(query, 7)};
    text_add(&move.move, statement_text(query, 2));
    vector_push(moves, move);
  }
  statement_leave(results);
  return fine;
}
