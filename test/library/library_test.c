/* The library by its public header alone: every function, its errors, memory
   limits from tiny to enough, several threads. */
#include "library/tafl.h"

#include <inttypes.h>
#include <pthread.h>
#include <unistd.h>

#include "support/unit.h"

static const char *const tictactoe = "games/ticTacToe.kif";

static void assert_fine(tafl_status status) {
  if (status) fail_msg("%s: %s", tafl_status_name(status), tafl_message());
}

static tafl_game *load(const char *path, tafl_engine engine) {
  tafl_options options;
  tafl_game *game = NULL;
  TAFL_OPTIONS_INIT(&options);
  options.engine = engine;
  assert_fine(tafl_game_load_file(path, &options, &game, NULL));
  return game;
}

static tafl_position *begin(tafl_game *game) {
  tafl_position *position = NULL;
  assert_fine(tafl_position_new(game, &position));
  return position;
}

static int is_over(tafl_position *position) {
  int over = -1;
  assert_fine(tafl_position_terminal(position, &over));
  return over;
}

static uint64_t hash_of(tafl_position *position) {
  uint64_t hash = 0;
  assert_fine(tafl_position_hash(position, &hash));
  return hash;
}

/* The index of a text in a list; fails if it is not there. */
static uint32_t find(const char *const *list, uint32_t count,
                     const char *text) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(list[i], text) == 0) return i;
  fail_msg("%s is not in the list", text);
  return 0;
}

/* ---- games ---- */

static void test_version(void **state) {
  (void)state;
  assert_string_equal(tafl_version(), TAFL_VERSION);
  assert_string_equal(tafl_status_name(TAFL_OK), "TAFL_OK");
  assert_string_equal(tafl_status_name(TAFL_ERROR_MEMORY), "TAFL_ERROR_MEMORY");
  assert_string_equal(tafl_status_name((tafl_status)99), "unknown status");
}

static void test_game(void **state) {
  (void)state;
  tafl_game *game = load(tictactoe, TAFL_ENGINE_AUTO);
  assert_int_equal(tafl_game_engine(game), TAFL_ENGINE_CIRCUIT);
  assert_string_equal(tafl_game_reason(game), "");
  assert_int_equal(tafl_game_role_count(game), 2);
  assert_string_equal(tafl_game_role(game, 0), "x");
  assert_null(tafl_game_role(game, 2));
  assert_int_equal(tafl_game_find_role(game, "o"), 1);
  assert_int_equal(tafl_game_find_role(game, "nobody"), -1);
  tafl_game_close(game);
  game = load(tictactoe, TAFL_ENGINE_RULES);
  assert_int_equal(tafl_game_engine(game), TAFL_ENGINE_RULES);
  assert_string_equal(tafl_game_reason(game), "");
  tafl_game_close(game);
  tafl_game_close(NULL);
  tafl_position_close(NULL);
  tafl_agent_close(NULL);
  tafl_report_close(NULL);
}

/* Too little time for grounding: the rules play, and there is a reason. */
static void test_fallback(void **state) {
  (void)state;
  tafl_options options;
  tafl_game *game = NULL;
  TAFL_OPTIONS_INIT(&options);
  options.ground_seconds = 1e-9;
  assert_fine(tafl_game_load_file("games/chess.kif", &options, &game, NULL));
  assert_int_equal(tafl_game_engine(game), TAFL_ENGINE_RULES);
  assert_true(*tafl_game_reason(game));
  tafl_game_close(game);
  options.engine = TAFL_ENGINE_CIRCUIT;
  game = NULL;
  assert_int_equal(
      tafl_game_load_file("games/chess.kif", &options, &game, NULL),
      TAFL_ERROR_ENGINE);
  assert_null(game);
  assert_true(*tafl_message());
}

static void test_reports(void **state) {
  (void)state;
  static const char text[] = "(role x)\n(init (a b))\n(<= (legal x ?m) (p))\n"
                             "(<= terminal (true (a b c)))\n";
  tafl_game *game = NULL;
  tafl_report *report = NULL;
  assert_int_equal(
      tafl_game_load(text, strlen(text), "my.kif", NULL, &game, &report),
      TAFL_ERROR_RULES);
  assert_null(game);
  assert_non_null(report);
  assert_true(strncmp(tafl_message(), "my.kif:", 7) == 0);
  assert_true(tafl_report_count(report) > 0);
  assert_null(tafl_report_get(report, tafl_report_count(report)));
  bool unsafe = false;
  for (uint32_t i = 0; i < tafl_report_count(report); i++) {
    const tafl_diagnostic *d = tafl_report_get(report, i);
    assert_true(d->line >= 1 && d->column >= 1 && *d->message && *d->id);
    unsafe |= d->is_error && d->line == 3;
  }
  assert_true(unsafe);
  assert_non_null(strstr(tafl_report_text(report), "my.kif:3:"));
  assert_non_null(strstr(tafl_report_text(report), "^"));
  tafl_report_close(report);
  /* without a report, and with one for a valid game */
  assert_int_equal(tafl_game_load(text, strlen(text), NULL, NULL, &game, NULL),
                   TAFL_ERROR_RULES);
  assert_fine(tafl_game_load_file(tictactoe, NULL, &game, &report));
  assert_int_equal(tafl_report_count(report), 0);
  assert_string_equal(tafl_report_text(report), "");
  tafl_report_close(report);
  tafl_game_close(game);
}

static void test_wrong_calls(void **state) {
  (void)state;
  tafl_game *game = NULL;
  tafl_report *report = (tafl_report *)state;
  tafl_options options;
  assert_int_equal(
      tafl_game_load_file("games/nowhere.kif", NULL, &game, &report),
      TAFL_ERROR_FILE);
  assert_null(report);
  assert_int_equal(tafl_game_load_file("games", NULL, &game, NULL),
                   TAFL_ERROR_FILE);
  assert_int_equal(tafl_game_load(NULL, 0, NULL, NULL, &game, NULL),
                   TAFL_ERROR_ARGUMENT);
  assert_int_equal(tafl_game_load_file(NULL, NULL, &game, NULL),
                   TAFL_ERROR_ARGUMENT);
  TAFL_OPTIONS_INIT(&options);
  options.memory = 0;
  assert_int_equal(tafl_game_load_file(tictactoe, &options, &game, NULL),
                   TAFL_ERROR_ARGUMENT);
  assert_int_equal(tafl_position_new(NULL, NULL), TAFL_ERROR_ARGUMENT);
  game = load(tictactoe, TAFL_ENGINE_AUTO);
  tafl_position *position = begin(game);
  const char *const *list;
  uint32_t count;
  assert_int_equal(tafl_position_legal(position, 2, &list, &count),
                   TAFL_ERROR_ARGUMENT);
  assert_int_equal(tafl_position_make(position, NULL), TAFL_ERROR_ARGUMENT);
  assert_int_equal(tafl_position_undo(position), TAFL_ERROR_STATE);
  assert_int_equal(tafl_position_make(position, (const uint32_t[]){9, 0}),
                   TAFL_ERROR_MOVE);
  assert_int_equal(tafl_position_make_texts(
                       position, (const char *const[]){"(mark 4 4)", "noop"}),
                   TAFL_ERROR_MOVE);
  assert_non_null(strstr(tafl_message(), "(mark 4 4)"));
  assert_int_equal(tafl_position_make_texts(
                       position, (const char *const[]){"(mark 1", "noop"}),
                   TAFL_ERROR_MOVE);
  assert_int_equal(tafl_position_steps(position), 0);
  tafl_agent *agent;
  assert_int_equal(tafl_agent_new(game, "nobody", 0, 1, &agent),
                   TAFL_ERROR_AGENT);
  assert_int_equal(tafl_agent_new(game, "http://localhost:1", 0, 1, &agent),
                   TAFL_ERROR_AGENT);
  assert_int_equal(tafl_agent_new(game, "tafl:c=-1", 0, 1, &agent),
                   TAFL_ERROR_AGENT);
  assert_int_equal(tafl_agent_new(game, "tafl", 2, 1, &agent),
                   TAFL_ERROR_ARGUMENT);
  tafl_position_close(position);
  tafl_game_close(game);
}

/* ---- positions ---- */

static void play_through(tafl_engine engine) {
  tafl_game *game = load(tictactoe, engine);
  tafl_position *position = begin(game);
  tafl_game_close(game); /* the position keeps it */
  const char *const *list;
  uint32_t count;
  uint64_t first = hash_of(position);
  assert_fine(tafl_position_legal(position, 0, &list, &count));
  assert_int_equal(count, 9);
  assert_string_equal(list[0], "(mark 1 1)");
  assert_string_equal(list[8], "(mark 3 3)");
  assert_null(list[9]);
  assert_fine(tafl_position_legal(position, 1, &list, &count));
  assert_int_equal(count, 1);
  assert_string_equal(list[0], "noop");
  assert_false(is_over(position));

  assert_fine(tafl_position_make(position, (const uint32_t[]){4, 0}));
  assert_int_equal(tafl_position_steps(position), 1);
  assert_true(hash_of(position) != first);
  assert_fine(tafl_position_facts(position, &list, &count));
  assert_int_equal(count, 10);
  find(list, count, "(cell 2 2 x)");
  find(list, count, "(control o)");

  static const char *const rest[][2] = {{"noop", " ( mark  1 1 ) "},
                                        {"(mark 1 2)", "noop"},
                                        {"noop", "(mark 1 3)"},
                                        {"(mark 3 2)", "noop"}};
  for (size_t i = 0; i < LENGTH(rest); i++)
    assert_fine(tafl_position_make_texts(position, rest[i]));
  assert_true(is_over(position));
  int goals[2];
  assert_fine(tafl_position_goals(position, goals));
  assert_int_equal(goals[0], 100);
  assert_int_equal(goals[1], 0);
  assert_int_equal(tafl_position_make(position, (const uint32_t[]){0, 0}),
                   TAFL_ERROR_STATE);

  /* a copy can be undone, too, and goes its own way */
  tafl_position *copy = NULL;
  assert_fine(tafl_position_copy(position, &copy));
  assert_true(hash_of(copy) == hash_of(position));
  assert_int_equal(tafl_position_steps(copy), 5);
  for (uint32_t i = 5; i-- > 0;) {
    assert_fine(tafl_position_undo(position));
    assert_fine(tafl_position_undo(copy));
    assert_true(hash_of(copy) == hash_of(position));
    assert_int_equal(tafl_position_steps(copy), i);
  }
  assert_true(hash_of(position) == first);
  assert_fine(tafl_position_make(copy, (const uint32_t[]){0, 0}));
  assert_true(hash_of(copy) != hash_of(position));
  assert_fine(tafl_position_reset(copy));
  assert_true(hash_of(copy) == first);
  tafl_position_close(copy);
  tafl_position_close(position);
}

static void test_positions(void **state) {
  (void)state;
  play_through(TAFL_ENGINE_CIRCUIT);
  play_through(TAFL_ENGINE_RULES);
}

/* x can win at 1 3; the facts are in any order and form, one of them twice. */
static const char *const x_wins[] = {
    "(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 b)", "( cell 2 1 o )",
    "(cell 2 2 o)", "(cell 2 3 b)", "(cell 3 1 b)", "(cell 3 2 b)",
    "(cell 3 3 b)", "(control x)",  "(cell 1 1 x)"};

static void enter_and_leave(tafl_engine engine) {
  tafl_game *game = load(tictactoe, engine);
  tafl_position *position = begin(game), *copy = NULL;
  const char *const *list;
  uint32_t count;
  assert_fine(tafl_position_enter(position, x_wins, LENGTH(x_wins)));
  uint64_t entered = hash_of(position);
  assert_fine(tafl_position_facts(position, &list, &count));
  assert_int_equal(count, 10);
  assert_fine(tafl_position_legal(position, 0, &list, &count));
  assert_int_equal(count, 5);
  assert_int_equal(tafl_position_undo(position), TAFL_ERROR_STATE);
  assert_fine(tafl_position_make_texts(
      position, (const char *const[]){"(mark 3 3)", "noop"}));
  assert_fine(tafl_position_copy(position, &copy));
  assert_fine(tafl_position_undo(copy));
  assert_true(hash_of(copy) == entered);
  if (engine == TAFL_ENGINE_CIRCUIT) {
    uint64_t before = hash_of(position);
    assert_int_equal(
        tafl_position_enter(position, (const char *const[]){"(cell 9 9 x)"}, 1),
        TAFL_ERROR_STATE);
    assert_true(hash_of(position) == before);
  }
  assert_int_equal(
      tafl_position_enter(position, (const char *const[]){"(cell ?x"}, 1),
      TAFL_ERROR_STATE);
  assert_int_equal(
      tafl_position_enter(position, (const char *const[]){"(p ?x)"}, 1),
      TAFL_ERROR_STATE);
  tafl_position_close(copy);
  tafl_position_close(position);
  tafl_game_close(game);
}

static void test_enter(void **state) {
  (void)state;
  enter_and_leave(TAFL_ENGINE_CIRCUIT);
  enter_and_leave(TAFL_ENGINE_RULES);
}

static uint64_t perft(tafl_position *position, uint32_t depth) {
  if (!depth) return 1;
  if (is_over(position)) return 0;
  const char *const *list;
  uint32_t counts[2];
  uint64_t sum = 0;
  for (uint32_t role = 0; role < 2; role++)
    assert_fine(tafl_position_legal(position, role, &list, &counts[role]));
  for (uint32_t i = 0; i < counts[0]; i++)
    for (uint32_t j = 0; j < counts[1]; j++) {
      assert_fine(tafl_position_make(position, (const uint32_t[]){i, j}));
      sum += perft(position, depth - 1);
      assert_fine(tafl_position_undo(position));
    }
  return sum;
}

/* The counts of test/games/perft.txt. */
static void test_perft(void **state) {
  (void)state;
  static const struct {
    const char *path;
    tafl_engine engine;
    uint32_t depth;
    uint64_t count;
  } cases[] = {{"games/ticTacToe.kif", TAFL_ENGINE_CIRCUIT, 5, 15120},
               {"games/ticTacToe.kif", TAFL_ENGINE_RULES, 3, 504},
               {"games/connectFour.kif", TAFL_ENGINE_CIRCUIT, 4, 2401},
               {"games/connectFour.kif", TAFL_ENGINE_RULES, 2, 49}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    tafl_game *game = load(cases[i].path, cases[i].engine);
    tafl_position *position = begin(game);
    assert_int_equal(perft(position, cases[i].depth), cases[i].count);
    tafl_position_close(position);
    tafl_game_close(game);
  }
}

/* ---- playouts ---- */

typedef struct Sample {
  double goal, length;
} Sample;

static Sample play_out(const char *path, tafl_engine engine, uint32_t count) {
  tafl_game *game = load(path, engine);
  tafl_position *position = begin(game);
  int8_t *goals = calloc(2, count);
  uint32_t *lengths = calloc(count, sizeof *lengths);
  uint8_t *ends = calloc(count, 1);
  Sample sample = {0};
  uint64_t before = hash_of(position);
  memset(goals, 77, 2 * count);
  assert_fine(
      tafl_position_playouts(position, count, 5, 0, goals, lengths, ends));
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(ends[i], TAFL_PLAYOUT_ENDED);
    assert_int_equal(goals[2 * i] + goals[2 * i + 1], 100);
    assert_true(lengths[i] >= 5 && lengths[i] <= 42);
    sample.goal += (double)goals[2 * i] / count;
    sample.length += (double)lengths[i] / count;
  }
  assert_true(hash_of(position) == before);
  assert_int_equal(tafl_position_steps(position), 0);
  free(goals);
  free(lengths);
  free(ends);
  tafl_position_close(position);
  tafl_game_close(game);
  return sample;
}

/* Random tic-tac-toe: x wins 58.5 %, o 28.8 %, 12.7 % are draws; so x's mean is
   64.85 with a deviation of 44 for one game. */
static void test_playouts(void **state) {
  (void)state;
  Sample wide = play_out(tictactoe, TAFL_ENGINE_CIRCUIT, 20000);
  Sample rules = play_out(tictactoe, TAFL_ENGINE_RULES, 300);
  assert_true(wide.goal > 63.4 && wide.goal < 66.3);
  assert_true(rules.goal > 52 && rules.goal < 77);
  assert_true(wide.length > 7.5 && wide.length < 7.8);
  assert_true(rules.length > 7.2 && rules.length < 8);
  Sample again = play_out(tictactoe, TAFL_ENGINE_CIRCUIT, 20000);
  assert_true(again.goal == wide.goal && again.length == wide.length);
}

static void test_playout_ends(void **state) {
  (void)state;
  tafl_game *game = load(tictactoe, TAFL_ENGINE_AUTO);
  tafl_position *position = begin(game);
  int8_t goals[200];
  uint8_t ends[100];
  uint32_t lengths[100];
  assert_fine(tafl_position_playouts(position, 0, 1, 0, NULL, NULL, NULL));
  assert_fine(tafl_position_playouts(position, 100, 1, 0, NULL, NULL, NULL));
  assert_fine(
      tafl_position_playouts(position, 100, 1, 3, goals, lengths, ends));
  for (uint32_t i = 0; i < 100; i++) {
    assert_int_equal(ends[i], TAFL_PLAYOUT_CUT_OFF);
    assert_int_equal(lengths[i], 3);
    assert_int_equal(goals[i], -1);
  }
  /* from a state that was entered, and from one where the game is over */
  assert_fine(tafl_position_enter(position, x_wins, LENGTH(x_wins)));
  assert_fine(
      tafl_position_playouts(position, 100, 1, 0, goals, lengths, ends));
  for (uint32_t i = 0; i < 100; i++)
    assert_true(lengths[i] >= 1 && lengths[i] <= 5);
  assert_fine(tafl_position_make_texts(
      position, (const char *const[]){"(mark 1 3)", "noop"}));
  assert_true(is_over(position));
  assert_fine(
      tafl_position_playouts(position, 100, 1, 0, goals, lengths, ends));
  for (uint32_t i = 0; i < 100; i++) {
    assert_int_equal(lengths[i], 0);
    assert_int_equal(goals[2 * i], 100);
  }
  tafl_position_close(position);
  tafl_game_close(game);
}

/* ---- agents ---- */

static void win_in_one(tafl_engine engine, const char *specification) {
  tafl_game *game = load(tictactoe, engine);
  tafl_position *position = begin(game);
  tafl_agent *agent = NULL;
  tafl_thought thought;
  const char *const *list;
  uint32_t count;
  assert_fine(tafl_position_enter(position, x_wins, LENGTH(x_wins)));
  assert_fine(tafl_agent_new(game, specification, 0, 1, &agent));
  assert_fine(tafl_agent_think(agent, position,
                               &(tafl_budget){.simulations = 500}, &thought));
  assert_string_equal(thought.move, "(mark 1 3)");
  assert_true(thought.is_searched && !thought.is_stopped);
  assert_true(thought.value > 50 && thought.value <= 100);
  assert_true(thought.simulations > 0 && thought.states > 0);
  assert_true(thought.nodes > 0 && thought.seconds > 0);
  assert_int_equal(thought.choice_count, 5);
  assert_string_equal(thought.choices[0].move, thought.move);
  assert_int_equal(thought.choices[0].number, thought.number);
  assert_true(thought.choices[0].visits > 0);
  assert_true(thought.line_length >= 1);
  assert_string_equal(thought.line[0], "(mark 1 3)");
  assert_string_equal(thought.line[1], "noop");
  assert_non_null(strstr(thought.explanation, "(mark 1 3)"));
  assert_fine(tafl_position_legal(position, 0, &list, &count));
  assert_int_equal(find(list, count, "(mark 1 3)"), thought.number);
  /* the game goes on to its end */
  assert_fine(
      tafl_position_make(position, (const uint32_t[]){thought.number, 0}));
  assert_int_equal(tafl_agent_think(agent, position, NULL, &thought),
                   TAFL_ERROR_STATE);
  tafl_agent_close(agent);
  tafl_position_close(position);
  tafl_game_close(game);
}

static void test_win_in_one(void **state) {
  (void)state;
  win_in_one(TAFL_ENGINE_CIRCUIT, "tafl");
  win_in_one(TAFL_ENGINE_CIRCUIT, "tafl:threads=3");
  win_in_one(TAFL_ENGINE_CIRCUIT, "cadia2010:c=30");
  win_in_one(TAFL_ENGINE_RULES, "cadia2009");
}

/* A whole match, the agents following the position; then another line of it. */
static void test_match(void **state) {
  (void)state;
  tafl_game *game = load(tictactoe, TAFL_ENGINE_AUTO);
  tafl_position *position = begin(game);
  tafl_agent *agents[2];
  const tafl_budget budget = {.simulations = 30000}; /* enough for a proof */
  tafl_thought thought;
  int goals[2];
  for (uint32_t role = 0; role < 2; role++)
    assert_fine(tafl_agent_new(game, "tafl", role, 7, &agents[role]));
  while (!is_over(position)) {
    uint32_t joint[2];
    for (uint32_t role = 0; role < 2; role++) {
      assert_fine(tafl_agent_think(agents[role], position, &budget, &thought));
      joint[role] = thought.number;
    }
    assert_fine(tafl_position_make(position, joint));
  }
  assert_fine(tafl_position_goals(position, goals));
  assert_int_equal(goals[0], 50);
  while (tafl_position_steps(position) > 2)
    assert_fine(tafl_position_undo(position));
  assert_fine(tafl_agent_think(agents[0], position, &budget, &thought));
  assert_int_equal(thought.choice_count, 7);
  for (uint32_t role = 0; role < 2; role++) tafl_agent_close(agents[role]);
  tafl_position_close(position);
  tafl_game_close(game);
}

static void test_simple_agents(void **state) {
  (void)state;
  tafl_game *game = load(tictactoe, TAFL_ENGINE_AUTO);
  tafl_position *position = begin(game);
  tafl_agent *agent = NULL;
  tafl_thought thought;
  assert_fine(tafl_agent_new(game, "legal", 0, 1, &agent));
  assert_fine(tafl_agent_think(agent, position, NULL, &thought));
  assert_string_equal(thought.move, "(mark 1 1)");
  assert_int_equal(thought.number, 0);
  assert_false(thought.is_searched);
  assert_int_equal(thought.choice_count, 0);
  assert_string_equal(thought.explanation, "");
  tafl_agent_close(agent);
  assert_fine(tafl_agent_new(game, "random", 0, 1, &agent));
  assert_fine(tafl_agent_think(agent, position, NULL, NULL));
  tafl_agent_close(agent);
  tafl_position_close(position);
  tafl_game_close(game);
}

static void *stop_soon(void *agent) {
  usleep(50000);
  tafl_agent_stop(agent);
  return NULL;
}

static void test_stop(void **state) {
  (void)state;
  tafl_game *game = load("games/connectFour.kif", TAFL_ENGINE_AUTO);
  tafl_position *position = begin(game);
  tafl_agent *agent = NULL;
  tafl_thought thought;
  pthread_t thread;
  assert_fine(tafl_agent_new(game, "tafl:memory=16", 0, 1, &agent));
  assert_int_equal(pthread_create(&thread, NULL, stop_soon, agent), 0);
  assert_fine(tafl_agent_think(agent, position, &(tafl_budget){0}, &thought));
  pthread_join(thread, NULL);
  assert_true(thought.is_stopped);
  assert_true(thought.simulations > 0);
  /* what comes too early counts for the next thinking, and only for it */
  tafl_agent_stop(agent);
  assert_fine(tafl_agent_think(agent, position, &(tafl_budget){0}, &thought));
  assert_true(thought.is_stopped);
  assert_fine(tafl_agent_think(agent, position,
                               &(tafl_budget){.simulations = 10}, &thought));
  assert_false(thought.is_stopped);
  tafl_agent_close(agent);
  tafl_position_close(position);
  tafl_game_close(game);
}

/* ---- memory limits ---- */

typedef struct Use {
  bool finished; /* everything was possible */
  uint32_t failures;
} Use;

/* Ends with the first failure, which must be that of memory and stay. */
static bool fits(tafl_status status) {
  if (!status) return true;
  if (status != TAFL_ERROR_MEMORY)
    fail_msg("%s: %s", tafl_status_name(status), tafl_message());
  assert_true(*tafl_message());
  return false;
}

static bool use_position(tafl_position *position) {
  const char *const *list;
  uint32_t count;
  int8_t goals[200];
  uint64_t hash;
  bool fine =
      fits(tafl_position_legal(position, 0, &list, &count)) &&
      fits(tafl_position_make(position, (const uint32_t[]){0, 0})) &&
      fits(tafl_position_facts(position, &list, &count)) &&
      fits(tafl_position_hash(position, &hash)) &&
      fits(tafl_position_playouts(position, 100, 1, 0, goals, NULL, NULL)) &&
      fits(tafl_position_undo(position));
  return fine;
}

static bool use_agent(tafl_agent *agent, tafl_position *position) {
  tafl_thought thought;
  tafl_status status = tafl_agent_think(
      agent, position, &(tafl_budget){.simulations = 200}, &thought);
  if (status == TAFL_ERROR_MEMORY) {
    /* it stays so, unless it was the position that failed */
    uint64_t hash;
    if (!tafl_position_hash(position, &hash))
      assert_int_equal(tafl_agent_think(agent, position, NULL, &thought),
                       TAFL_ERROR_MEMORY);
  }
  return fits(status);
}

static bool use_game(tafl_game *game, const char *specification) {
  tafl_position *position = NULL, *copy = NULL;
  tafl_agent *agent = NULL;
  bool fine = fits(tafl_position_new(game, &position)) &&
              use_position(position) &&
              fits(tafl_position_copy(position, &copy)) &&
              fits(tafl_agent_new(game, specification, 0, 1, &agent)) &&
              use_agent(agent, position);
  tafl_agent_close(agent);
  tafl_position_close(copy);
  tafl_position_close(position);
  return fine;
}

static uint32_t squeeze(const char *path, tafl_engine engine,
                        const char *specification) {
  uint32_t failures = 0;
  for (uint64_t memory = 100;; memory += memory / 6) {
    tafl_options options;
    tafl_game *game = NULL;
    tafl_report *report = NULL;
    assert_true(memory < (uint64_t)1 << 30);
    TAFL_OPTIONS_INIT(&options);
    options.engine = engine;
    options.memory = memory;
    tafl_status status = tafl_game_load_file(path, &options, &game, &report);
    bool fine = false;
    if (status == TAFL_ERROR_ENGINE)
      assert_int_equal(engine, TAFL_ENGINE_CIRCUIT);
    else
      fine = fits(status) && use_game(game, specification);
    tafl_report_close(report);
    tafl_game_close(game);
    if (fine) return failures;
    failures++;
  }
}

static void test_memory(void **state) {
  (void)state;
  assert_true(squeeze(tictactoe, TAFL_ENGINE_CIRCUIT, "tafl") > 20);
  assert_true(squeeze(tictactoe, TAFL_ENGINE_CIRCUIT, "tafl:threads=4") > 20);
  assert_true(squeeze(tictactoe, TAFL_ENGINE_CIRCUIT, "cadia2010") > 20);
  assert_true(squeeze(tictactoe, TAFL_ENGINE_RULES, "cadia2009") > 10);
  assert_true(squeeze(tictactoe, TAFL_ENGINE_AUTO, "tafl") > 10);
}

/* Thinks with four threads under a limit; returns the status of that, or
   TAFL_ERROR_STATE if there was not even an agent. */
static tafl_status think_within(uint64_t memory) {
  tafl_options options;
  tafl_game *game = NULL;
  tafl_position *position = NULL;
  tafl_agent *agent = NULL;
  tafl_status status = TAFL_ERROR_STATE;
  TAFL_OPTIONS_INIT(&options);
  options.memory = memory;
  if (fits(tafl_game_load_file(tictactoe, &options, &game, NULL)) &&
      fits(tafl_position_new(game, &position)) &&
      fits(tafl_agent_new(game, "tafl:threads=4", 0, 1, &agent)))
    status = tafl_agent_think(agent, position,
                              &(tafl_budget){.simulations = 20000}, NULL);
  tafl_agent_close(agent);
  tafl_position_close(position);
  tafl_game_close(game);
  return status;
}

/* From the least memory that an agent can be made with: threads of the search
   run out of it. */
static void test_memory_of_threads(void **state) {
  (void)state;
  uint64_t low = 1 << 16, high = 1 << 26;
  uint32_t failures = 0;
  while (high - low > 1024) {
    uint64_t middle = (low + high) / 2;
    if (think_within(middle) == TAFL_ERROR_STATE)
      low = middle;
    else
      high = middle;
  }
  for (uint32_t i = 0; i < 40; i++) {
    tafl_status status = think_within(high + i * 4096);
    assert_true(status == TAFL_OK || status == TAFL_ERROR_MEMORY);
    failures += status == TAFL_ERROR_MEMORY;
  }
  assert_true(failures > 0);
}

/* An object that ran out of memory is alone in that. */
static void test_others_go_on(void **state) {
  (void)state;
  tafl_options options;
  tafl_game *game = NULL;
  tafl_position *position = NULL, *other = NULL;
  TAFL_OPTIONS_INIT(&options);
  options.engine = TAFL_ENGINE_RULES;
  options.memory = 8 << 20;
  assert_fine(tafl_game_load_file(tictactoe, &options, &game, NULL));
  assert_fine(tafl_position_new(game, &position));
  assert_fine(tafl_position_new(game, &other));
  char **facts = calloc(60000, sizeof *facts);
  for (uint32_t i = 0; i < 60000; i++) {
    facts[i] = calloc(1, 32);
    snprintf(facts[i], 32, "(fact %u)", i);
  }
  assert_int_equal(
      tafl_position_enter(position, (const char *const *)facts, 60000),
      TAFL_ERROR_MEMORY);
  int over;
  assert_int_equal(tafl_position_terminal(position, &over), TAFL_ERROR_MEMORY);
  assert_int_equal(tafl_position_undo(position), TAFL_ERROR_MEMORY);
  assert_int_equal(tafl_position_steps(position), 0);
  assert_false(is_over(other));
  tafl_position_close(position);
  assert_fine(tafl_position_new(game, &position));
  for (uint32_t i = 0; i < 60000; i++) free(facts[i]);
  free(facts);
  tafl_position_close(other);
  tafl_position_close(position);
  tafl_game_close(game);
}

/* ---- threads ---- */

typedef struct Player {
  tafl_game *game; /* shared, or NULL: it loads its own */
  tafl_engine engine;
  uint64_t hash;
} Player;

static void *play_game(void *context) {
  Player *player = context;
  tafl_game *game =
      player->game ? player->game : load(tictactoe, player->engine);
  tafl_position *position = begin(game);
  tafl_agent *agent = NULL;
  const char *specification =
      player->engine == TAFL_ENGINE_RULES ? "cadia2009" : "tafl";
  assert_fine(tafl_agent_new(game, specification, 0, 3, &agent));
  while (!is_over(position)) {
    tafl_thought thought;
    int8_t goals[200];
    uint32_t joint[2] = {0, 0};
    assert_fine(tafl_agent_think(agent, position,
                                 &(tafl_budget){.simulations = 300}, &thought));
    joint[0] = thought.number;
    assert_fine(tafl_position_playouts(position, 100, 1, 0, goals, NULL, NULL));
    player->hash = player->hash * 31 + hash_of(position);
    assert_fine(tafl_position_make(position, joint));
  }
  tafl_agent_close(agent);
  tafl_position_close(position);
  if (!player->game) tafl_game_close(game);
  return NULL;
}

static void play_in_threads(tafl_game *shared, tafl_engine engine) {
  Player players[3];
  pthread_t threads[3];
  for (uint32_t i = 0; i < 3; i++) {
    players[i] = (Player){.game = shared, .engine = engine};
    assert_int_equal(pthread_create(&threads[i], NULL, play_game, &players[i]),
                     0);
  }
  for (uint32_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert_true(players[1].hash == players[0].hash);
  assert_true(players[2].hash == players[0].hash);
}

static void test_threads(void **state) {
  (void)state;
  play_in_threads(NULL, TAFL_ENGINE_CIRCUIT);
  play_in_threads(NULL, TAFL_ENGINE_RULES);
  for (tafl_engine engine = TAFL_ENGINE_CIRCUIT; engine <= TAFL_ENGINE_RULES;
       engine++) {
    tafl_game *game = load(tictactoe, engine);
    play_in_threads(game, engine);
    tafl_game_close(game);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_version),
      cmocka_unit_test(test_game),
      cmocka_unit_test(test_fallback),
      cmocka_unit_test(test_reports),
      cmocka_unit_test(test_wrong_calls),
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_enter),
      cmocka_unit_test(test_perft),
      cmocka_unit_test(test_playouts),
      cmocka_unit_test(test_playout_ends),
      cmocka_unit_test(test_win_in_one),
      cmocka_unit_test(test_match),
      cmocka_unit_test(test_simple_agents),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_memory_of_threads),
      cmocka_unit_test(test_others_go_on),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
