/* Every match on the page is a game of the experiment of kind "page". Its
   series is that of matches with the same game, players and clocks, kept apart
   from what a tournament plays by a member "page" of the key; the number in it
   is the next one that is free. */
#include <math.h>

#include "base/clock.h"
#include "engine/moves.h"
#include "lab/series.h"
#include "store/results.h"
#include "web/master_parts.h"

static const char experiment_name[] = "page";

/* ---- what is stored ---- */

static void add_moves(const Master *master, ResultsMoves *list) {
  uint32_t roles = master->role_count;
  for (uint32_t i = 0; i < master->moves.count; i++) {
    uint32_t step = i / roles, role = i % roles;
    const MasterSpent *spent = master->steps.data[step].spent;
    ResultsMove move = {.step = step + 1, .role = role, .value = (double)NAN};
    moves_write(master->game, role, master->moves.data[i], &move.move);
    if (spent) {
      move.seconds = spent[role].seconds;
      move.simulations = spent[role].work.simulations;
      move.states = spent[role].work.states;
      if (spent[role].searched) move.value = spent[role].value;
      move.depth = spent[role].depth;
    }
    vector_push(list, move);
  }
}

static void add_work(AgentWork *sum, const AgentWork *work) {
  sum->simulations += work->simulations;
  sum->states += work->states;
  sum->seconds += work->seconds;
  if (work->found) sum->found = work->found;
}

static void fill_side(const Master *master, uint32_t role, MatchSide *side) {
  int goal = game_failed(master->game) ? 0 : game_goal(master->game, role);
  side->goal = goal < 0 ? 0 : goal;
  for (uint32_t i = 0; i < master->steps.count; i++)
    if (master->steps.data[i].spent)
      add_work(&side->work, &master->steps.data[i].spent[role].work);
}

static Fixture *make_fixture(const Master *master, MatchEnd end,
                             const char *error) {
  uint32_t roles = master->role_count;
  Seating seating = fixture_seating(roles, roles);
  Fixture *fixture = fixture_new(&seating, 0);
  MatchResult *result = &fixture->result;
  *result = (MatchResult){.end = end,
                          .role_count = roles,
                          .steps = master->steps.count,
                          .sides = memory_new(roles * sizeof *result->sides)};
  text_add(&result->error, error);
  for (uint32_t role = 0; role < roles; role++) {
    fixture->players[role] = role;
    fill_side(master, role, &result->sides[role]);
  }
  fixture_judge(fixture);
  return fixture;
}

/* ---- where ---- */

static const char *game_name(const Master *master) {
  const char *name = master->plan->game;
  return *name ? name : text_string(&master->title);
}

static void write_key(const Master *master, Text *key) {
  Series series;
  series_init(&series);
  text_add(&series.game, game_name(master));
  for (uint32_t role = 0; role < master->role_count; role++) {
    Text player = {0};
    text_add(&player, master->players[role]->text);
    vector_push(&series.players, player);
  }
  series.play = master->plan->play;
  series.start = master->plan->start;
  json_t *json = series_write(&series, true);
  json_object_set_new(json, "page", json_true());
  json_add_text(json, JSON_COMPACT | JSON_SORT_KEYS, key);
  json_decref(json);
  series_free(&series);
}

/* Returns the number that the query gives, -1 on failure. */
static int64_t ask(Results *results, const char *query, int64_t value) {
  sqlite3_stmt *statement = NULL;
  int64_t number = -1;
  if (sqlite3_prepare_v2(results_database(results), query, -1, &statement,
                         NULL) == SQLITE_OK &&
      sqlite3_bind_int64(statement, 1, value) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return number;
}

/* Returns the series, 0 on failure. */
static int64_t find_series(const Master *master, Results *results) {
  Text key = {0};
  write_key(master, &key);
  int64_t game = results_game(results, game_name(master), &master->description);
  int64_t experiment =
      results_experiment(results, experiment_name, experiment_name, "{}");
  int64_t series = game ? results_series(results, text_string(&key), game) : 0;
  if (!experiment) series = 0;
  if (series && ask(results, "SELECT count(*) FROM parts WHERE series = ?",
                    series) == 0) {
    int64_t place = ask(
        results,
        "SELECT coalesce(max(place) + 1, 0) FROM parts WHERE experiment = ?",
        experiment);
    if (place < 0 ||
        !results_add_part(results, experiment, series, (uint32_t)place))
      series = 0;
  }
  text_free(&key);
  return series;
}

/* ---- writing ---- */

static bool write_all(const Master *master, Results *results, Fixture *fixture,
                      const ResultsMoves *moves) {
  uint32_t roles = master->role_count;
  int64_t series = find_series(master, results);
  int64_t number =
      series ? ask(results,
                   "SELECT coalesce(max(number) + 1, 0) FROM matches WHERE "
                   "series = ?",
                   series)
             : -1;
  if (number < 0) return false;
  int64_t *agents = memory_new(roles * sizeof *agents);
  bool fine = true;
  for (uint32_t role = 0; role < roles; role++) {
    agents[role] = results_agent(results, master->players[role]);
    fine &= agents[role] > 0;
  }
  fixture->number = (uint32_t)number;
  fine =
      fine && results_add(results, series, fixture, agents, master->plan->seed,
                          clock_now() - master->begun, moves);
  memory_delete(agents);
  return fine;
}

static void store(Master *master, Results *results, MatchEnd end,
                  const char *error) {
  ResultsMoves moves = {0};
  Fixture *fixture = make_fixture(master, end, error);
  add_moves(master, &moves);
  bool fine = results_begin(results) &&
              results_end(results, write_all(master, results, fixture, &moves));
  if (!fine)
    turn_note(&master->turn, "the match is not stored: %s",
              results_error(results));
  results_moves_free(&moves);
  fixture_delete(fixture);
}

void master_store(Master *master, MatchEnd end, const char *error) {
  const MasterPlan *plan = master->plan;
  Text why = {0};
  if (!plan->db || !*plan->db || !master->steps.count || master->kept) return;
  master->kept = true;
  Results *results = results_open(plan->db, plan->version, &why);
  if (results)
    store(master, results, end, error);
  else
    turn_note(&master->turn, "the match is not stored: %s", text_string(&why));
  results_close(results);
  text_free(&why);
}
