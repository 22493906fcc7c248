#include "support/results.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "support/games.h"

static char top[] = "/dev/shm/tafl-results-XXXXXX";
static bool made;

const char *results_path(const char *name) {
  static char path[256];
  if (!made && access("/dev/shm", W_OK) != 0)
    strcpy(top, "/tmp/tafl-results-XXXXXX");
  if (!made) assert_non_null(mkdtemp(top));
  made = true;
  snprintf(path, sizeof path, "%s/%s", top, name);
  return path;
}

void results_remove(void) {
  DIR *open = made ? opendir(top) : NULL;
  if (!open) return;
  for (struct dirent *entry; (entry = readdir(open));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", top, entry->d_name);
    if (entry->d_name[0] != '.' && unlink(path) != 0) rmdir(path);
  }
  closedir(open);
  rmdir(top);
}

Results *results_make(const char *name) {
  Text error = {0};
  Results *results = results_open(results_path(name), "1.2.3 (abc)", &error);
  if (!results) fail_msg("%s", text_string(&error));
  text_free(&error);
  return results;
}

void results_ask(Results *results, const char *query, Text *answer) {
  sqlite3_stmt *statement = NULL;
  sqlite3 *database = results_database(results);
  if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK)
    fail_msg("%s: %s", query, sqlite3_errmsg(database));
  while (sqlite3_step(statement) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
      const char *value = (const char *)sqlite3_column_text(statement, i);
      text_format(answer, "%s%s", i ? "|" : "", value ? value : "NULL");
    }
    text_add_byte(answer, '\n');
  }
  sqlite3_finalize(statement);
}

void results_expect(Results *results, const char *query, const char *answer) {
  Text own = {0};
  results_ask(results, query, &own);
  assert_string_equal(text_string(&own), answer);
  text_free(&own);
}

int64_t results_make_series(Results *results, const char *key) {
  Description description;
  games_read(&description, GAME_DUEL);
  int64_t game = results_game(results, "duel", &description);
  assert_true(game > 0);
  description_free(&description);
  int64_t series = results_series(results, key, game);
  assert_true(series > 0);
  return series;
}

static void make_move(ResultsMoves *moves, uint32_t role, const char *text) {
  ResultsMove move = {.step = 0,
                      .role = role,
                      .seconds = 0.25,
                      .simulations = 7,
                      .states = 21,
                      .value = role ? NAN : 50.5,
                      .depth = role ? NAN : 1.5};
  text_add(&move.move, text);
  vector_push(moves, move);
}

bool results_make_match(Results *results, int64_t series, uint32_t number) {
  AgentSpecs specs;
  int64_t agents[2];
  ResultsMoves moves = {0};
  games_specs(&specs, "cadia2007:c=30,random");
  Seating seating = fixture_seating(2, 2);
  Fixture *fixture = fixture_new(&seating, number);
  for (uint32_t i = 0; i < 2; i++)
    agents[i] = results_agent(results, &specs.data[i]);
  fixture->result.role_count = 2;
  fixture->result.steps = 1;
  fixture->result.sides = memory_new(2 * sizeof *fixture->result.sides);
  for (uint32_t role = 0; role < 2; role++)
    fixture->result.sides[role] =
        (MatchSide){.goal = fixture->players[role] ? 0 : 100,
                    .work = {.simulations = 7, .states = 21, .seconds = 0.25}};
  fixture_judge(fixture);
  make_move(&moves, 0, "a");
  make_move(&moves, 1, "(b c)");
  bool fine = agents[0] && agents[1] &&
              results_add(results, series, fixture, agents,
                          0xfedcba9876543210 + number, 0.5, &moves);
  fixture_delete(fixture);
  spec_free_list(&specs);
  results_moves_free(&moves);
  return fine;
}
