/* Whole matches with a game master, as the server would lead them. */
#include "web/desk.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/results.h"
#include "support/games.h"

#define PHASE(desk, name) (strcmp(desk_phase(desk), name) == 0)

static const char *text_of(const json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  return text ? text : "";
}

static json_t *last_step(const Desk *desk) {
  return json_array_get(desk->steps, json_array_size(desk->steps) - 1);
}

static json_t *move_of(const json_t *step, size_t role) {
  return json_array_get(json_object_get(step, "moves"), role);
}

static int goal(const Desk *desk, size_t role) {
  const json_t *goals = json_object_get(desk->turn, "goals");
  return (int)json_integer_value(json_array_get(goals, role));
}

static void finish(Desk *desk) {
  assert_int_equal(desk_close(desk), 0);
}

/* x takes the first column; o is played by the agent that takes the first. */
static void test_moves(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "human,legal"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_true(PHASE(&desk, "playing"));
  assert_string_equal(text_of(desk.head, "title"), "Tic-Tac-Toe");
  assert_int_equal(json_array_size(desk.steps), 1);
  assert_true(json_is_null(json_object_get(last_step(&desk), "moves")));
  while (!PHASE(&desk, "over")) {
    size_t before = json_array_size(desk.steps);
    assert_true(desk_is(&desk, "asked", 0));
    desk_choose_first(&desk, 0);
    DESK_UNTIL(&desk, json_array_size(desk.steps) > before);
    DESK_UNTIL(&desk, desk_settled(&desk) &&
                          desk_step(&desk) + 1 == json_array_size(desk.steps));
  }
  assert_int_equal(desk.activity, MASTER_OVER);
  assert_string_equal(text_of(desk.brief, "phase"), "over");
  assert_int_equal(goal(&desk, 0) + goal(&desk, 1), 100);
  finish(&desk);
}

/* Moves that are not legal, of another step, another role or another form
   change nothing. */
/* The board of large rules comes before they are read, and once more when they
   are. */
static void test_large_rules(void **state) {
  (void)state;
  Text rules = {0}, error = {0};
  assert_true(text_read_file(&rules, "games/ticTacToe.kif", 1 << 20, &error));
  for (int large = 0; large < 2; large++) {
    Desk desk = {.rules = rules.bytes, .players = "human,random"};
    desk_open(&desk);
    DESK_UNTIL(&desk, json_array_size(desk.steps) == 1);
    assert_int_equal(desk.heads, large ? 2 : 1);
    assert_true(json_is_null(json_object_get(desk.head, "early")));
    assert_int_equal(desk_close(&desk), 0);
    while (rules.length < 13000) text_add(&rules, "; nothing\n");
  }
  text_free(&rules);
  text_free(&error);
}

static void test_refused(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "human,legal"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  desk_choose(&desk, 0, "(mark 7 7)");
  desk_choose(&desk, 1, "noop");
  desk_choose(&desk, 5, "noop");
  desk_send(&desk, MASTER_MOVE, "{\"role\":0,\"step\":3,\"move\":\"%s\"}",
            "(mark 1 1)");
  desk_send(&desk, MASTER_MOVE, "%s", "[]");
  desk_send(&desk, MASTER_MOVE, "%s", "{\"role\":");
  desk_send(&desk, MASTER_UNDO, "{}");
  desk_send(&desk, MASTER_RESIGN, "{\"role\":1}");
  desk_send(&desk, MASTER_HINT, "{\"role\":1}");
  desk_send(&desk, '?', "{}");
  desk_choose(&desk, 0, "(mark 2 2)");
  DESK_UNTIL(&desk, json_array_size(desk.steps) == 3);
  assert_string_equal(
      text_of(move_of(json_array_get(desk.steps, 1), 0), "move"), "(mark 2 2)");
  finish(&desk);
}

/* Both choose at once; the person may change its mind while the agent thinks.
 */
static void test_simultaneous(void **state) {
  (void)state;
  Desk desk = {
      .rules = GAME_DUEL, .players = "human,tafl:memory=16", .play = 1};
  desk_open(&desk);
  DESK_UNTIL(&desk, PHASE(&desk, "playing") && desk_is(&desk, "thinking", 1));
  assert_true(desk_is(&desk, "asked", 0));
  desk_choose(&desk, 0, "c");
  DESK_UNTIL(&desk, !desk_is(&desk, "asked", 0));
  const json_t *chosen = json_object_get(desk.turn, "chosen");
  assert_string_equal(text_of(json_array_get(chosen, 0), "move"), "c");
  desk_choose(&desk, 0, "a");
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  assert_string_equal(text_of(move_of(last_step(&desk), 0), "move"), "a");
  assert_string_equal(text_of(move_of(last_step(&desk), 1), "move"), "a");
  assert_int_equal(goal(&desk, 0), 50);
  finish(&desk);
}

/* Two persons and an agent choose at once; each may change until the last has
   chosen. */
static void test_three(void **state) {
  (void)state;
  Desk desk = {.rules = GAME_THREE, .players = "human,human,legal"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_true(desk_is(&desk, "asked", 0) && desk_is(&desk, "asked", 1));
  desk_choose(&desk, 1, "no");
  DESK_UNTIL(&desk, !desk_is(&desk, "asked", 1));
  desk_choose(&desk, 1, "yes");
  desk_choose(&desk, 0, "no");
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  assert_int_equal(goal(&desk, 0), 0);
  assert_int_equal(goal(&desk, 1), 60);
  finish(&desk);
}

/* The first step with a thought; one that was in a hurry may have none. */
static const json_t *find_thought(const Desk *desk) {
  size_t i, role;
  json_t *step, *thought;
  json_array_foreach(desk->steps, i, step)
      json_array_foreach(json_object_get(step, "thoughts"), role,
                         thought) if (json_is_object(thought)) return step;
  return NULL;
}

/* An agent against itself, with thoughts as it goes. */
static void test_agents(void **state) {
  (void)state;
  Desk desk = {.game = "connectFour",
               .players = "tafl:memory=16",
               .start = 0.2,
               .play = 0.3};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk.lives > 0);
  assert_string_equal(text_of(desk.live, "purpose"), "move");
  assert_true(json_array_size(json_object_get(desk.live, "moves")) > 0);
  assert_int_equal(json_array_size(json_object_get(desk.live, "values")), 2);
  const json_t *step = NULL;
  DESK_UNTIL(&desk, (step = find_thought(&desk)));
  size_t role = json_integer_value(json_object_get(step, "number")) % 2 == 0;
  const json_t *thoughts = json_object_get(step, "thoughts");
  assert_true(json_is_object(json_array_get(thoughts, role)));
  assert_true(json_is_null(json_array_get(thoughts, !role)));
  const json_t *idle = json_object_get(step, "idle");
  assert_false(json_is_true(json_array_get(idle, role)));
  assert_true(json_is_true(json_array_get(idle, !role)));
  finish(&desk);
}

static void test_undo(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "human,legal"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_true(json_is_false(json_object_get(desk.turn, "undo")));
  for (uint32_t step = 0; step < 4; step += 2) {
    desk_choose_first(&desk, 0);
    DESK_UNTIL(&desk, desk_step(&desk) == step + 2 && desk_settled(&desk));
  }
  assert_true(json_is_true(json_object_get(desk.turn, "undo")));
  desk_send(&desk, MASTER_UNDO, "{}");
  DESK_UNTIL(&desk, desk_step(&desk) == 2 && desk_is(&desk, "asked", 0));
  assert_int_equal(desk.backs, 1);
  assert_int_equal(json_array_size(desk.steps), 3);
  /* to the end, and back from there */
  while (!PHASE(&desk, "over")) {
    uint32_t before = desk_step(&desk);
    desk_choose_first(&desk, 0);
    DESK_UNTIL(&desk, desk_step(&desk) > before && desk_settled(&desk));
  }
  uint32_t length = desk_step(&desk);
  desk_send(&desk, MASTER_UNDO, "{}");
  DESK_UNTIL(&desk, PHASE(&desk, "playing") && desk_is(&desk, "asked", 0));
  assert_true(desk_step(&desk) < length);
  finish(&desk);
}

/* Taking back while the agent thinks does not wait for its clock. */
static void test_undo_early(void **state) {
  (void)state;
  Desk desk = {
      .game = "breakthrough", .players = "human,tafl:memory=16", .play = 30};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  desk_choose_first(&desk, 0);
  DESK_UNTIL(&desk, desk_is(&desk, "thinking", 1));
  double start = clock_now();
  desk_send(&desk, MASTER_UNDO, "{}");
  DESK_UNTIL(&desk, desk_step(&desk) == 0 && desk_is(&desk, "asked", 0));
  assert_true(clock_now() - start < 20);
  finish(&desk);
}

static void test_hint(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "human,legal"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  desk_send(&desk, MASTER_HINT, "{\"role\":0,\"seconds\":0.3}");
  DESK_UNTIL(&desk, desk.lives > 0);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_string_equal(text_of(desk.live, "purpose"), "hint");
  assert_int_equal(json_array_size(json_object_get(desk.live, "moves")), 9);
  /* a move ends a long one */
  desk_send(&desk, MASTER_HINT, "{\"role\":0,\"seconds\":30}");
  DESK_UNTIL(&desk, desk_is(&desk, "thinking", 0));
  double start = clock_now();
  desk_choose(&desk, 0, "(mark 2 2)");
  DESK_UNTIL(&desk, desk_step(&desk) == 2 && desk_settled(&desk));
  assert_true(clock_now() - start < 20);
  finish(&desk);
}

static void test_resign(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "legal,human"};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_int_equal(desk_step(&desk), 1);
  desk_send(&desk, MASTER_RESIGN, "{\"role\":1}");
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  assert_string_equal(text_of(desk.turn, "message"), "o resigned.");
  assert_true(json_is_null(json_object_get(desk.turn, "goals")));
  desk_send(&desk, MASTER_UNDO, "{}");
  DESK_UNTIL(&desk, PHASE(&desk, "playing") && desk_is(&desk, "asked", 1));
  assert_int_equal(desk_step(&desk), 1);
  finish(&desk);
}

/* Rules that cannot be played end in words. */
static void test_failures(void **state) {
  (void)state;
  static const struct {
    const char *rules, *players, *message;
  } cases[] = {
      {"(role x) (init a) (legal x", "human", "line 1"},
      {"", "human", "The rules have an error"},
      {GAME_STUCK, "legal", "y has no legal move, so the game cannot go on."},
      {GAME_ENDLESS, "random", "The game has not ended after 1000 steps."},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Desk desk = {.rules = cases[i].rules, .players = cases[i].players};
    desk_open(&desk);
    DESK_UNTIL(&desk, PHASE(&desk, "failed"));
    const char *message = text_of(desk.turn, "message");
    if (!strstr(message, cases[i].message)) fail_msg("said: %s", message);
    desk_send(&desk, MASTER_MOVE, "{\"role\":0,\"step\":0,\"move\":\"go\"}");
    desk_send(&desk, MASTER_RESIGN, "{\"role\":0}");
    finish(&desk);
  }
}

static void test_given(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe",
               .players = "human,legal",
               .moves = json_pack("[[ss][ss]]", "(mark 2 2)", "noop", "noop",
                                  "(mark 1 1)")};
  desk_open(&desk);
  DESK_UNTIL(&desk, desk_settled(&desk));
  assert_int_equal(desk_step(&desk), 2);
  assert_int_equal(json_array_size(desk.steps), 3);
  assert_true(json_is_false(json_object_get(desk.turn, "undo")));
  finish(&desk);
  Desk bad = {.game = "ticTacToe",
              .players = "human,legal",
              .moves = json_pack("[[ss]]", "(mark 2 2)", "(mark 1 1)")};
  desk_open(&bad);
  DESK_UNTIL(&bad, PHASE(&bad, "failed"));
  assert_non_null(strstr(text_of(bad.turn, "message"), "Move 1 is not legal"));
  finish(&bad);
}

/* All moves of a match as text. */
static void play_random(uint64_t seed, Text *text) {
  Desk desk = {.game = "connectFour", .players = "random", .seed = seed};
  desk_open(&desk);
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  for (size_t i = 1; i < json_array_size(desk.steps); i++)
    for (size_t role = 0; role < 2; role++)
      text_format(
          text, "%s ",
          text_of(move_of(json_array_get(desk.steps, i), role), "move"));
  finish(&desk);
}

static void test_seed(void **state) {
  (void)state;
  Text matches[3] = {0};
  for (int i = 0; i < 3; i++) play_random(i < 2 ? 5 : 6, &matches[i]);
  assert_string_equal(matches[0].bytes, matches[1].bytes);
  assert_string_not_equal(matches[0].bytes, matches[2].bytes);
  for (int i = 0; i < 3; i++) text_free(&matches[i]);
}

/* A match that is played elsewhere is followed, also where a move was
   misunderstood. */
static void test_shown(void **state) {
  (void)state;
  Desk desk = {.game = "ticTacToe", .players = "tafl", .role = "O"};
  desk_open(&desk);
  DESK_UNTIL(&desk, PHASE(&desk, "playing"));
  const json_t *roles = json_object_get(desk.head, "roles");
  assert_string_equal(text_of(json_array_get(roles, 1), "player"), "tafl");
  desk_send(&desk, MASTER_FEED, "{\"moves\":\"(MARK 2 2)\\nnoop\"}");
  desk_send(&desk, MASTER_FEED, "{\"moves\":\"noop\\n( mark 1 1 )\"}");
  DESK_UNTIL(&desk, desk_step(&desk) == 2);
  assert_int_not_equal(desk.activity, MASTER_BUSY);
  desk_send(&desk, MASTER_FEED, "{\"back\":1}");
  desk_send(&desk, MASTER_FEED, "{\"moves\":\"noop\\n(mark 3 1)\"}");
  DESK_UNTIL(&desk, desk.backs == 1 && json_array_size(desk.steps) == 3);
  assert_string_equal(text_of(move_of(last_step(&desk), 1), "move"),
                      "(mark 3 1)");
  desk_send(&desk, MASTER_UNDO, "{}");
  desk_send(&desk, MASTER_RESIGN, "{\"role\":1}");
  desk_send(&desk, MASTER_FEED, "%s",
            "{\"step\":2,\"outlook\":\"{\\\"value\\\":30,\\\"moves\\\":["
            "{\\\"move\\\":\\\"noop\\\",\\\"visits\\\":5},"
            "{\\\"move\\\":\\\"(mark 9 9)\\\"}]}\"}");
  desk_send(&desk, MASTER_FEED, "{\"step\":2,\"outlook\":\"[\"}");
  DESK_UNTIL(&desk, desk.lives == 1);
  const json_t *list = json_object_get(desk.live, "moves");
  assert_int_equal(json_array_size(list), 1);
  const json_t *thought = json_array_get(list, 0);
  assert_int_equal(json_integer_value(json_object_get(thought, "visits")), 5);
  assert_true(json_is_array(json_object_get(thought, "path")));
  desk_send(&desk, MASTER_FEED, "{\"end\":\"That was all.\"}");
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  assert_string_equal(text_of(desk.turn, "message"), "That was all.");
  assert_int_equal(desk_step(&desk), 2);
  finish(&desk);
}

/* ---- the store ---- */

static int64_t count(const char *path, const char *query) {
  Text error = {0};
  Results *results = results_open(path, NULL, &error);
  if (!results) fail_msg("%s", text_string(&error));
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_prepare_v2(results_database(results), query, -1,
                                      &statement, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int64_t number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  results_close(results);
  return number;
}

/* Matches are stored at the end, and when they are broken off after a move. */
static void test_store(void **state) {
  (void)state;
  char folder[] = "/tmp/tafl-master-XXXXXX";
  Text path = {0}, remove = {0};
  assert_non_null(mkdtemp(folder));
  text_format(&path, "%s/results.db", folder);
  for (int i = 0; i < 2; i++) {
    Desk desk = {.game = "ticTacToe", .players = "random", .db = path.bytes};
    desk_open(&desk);
    DESK_UNTIL(&desk, PHASE(&desk, "over"));
    finish(&desk);
  }
  for (uint32_t moves = 0; moves < 2; moves++) {
    Desk desk = {
        .game = "ticTacToe", .players = "human,legal", .db = path.bytes};
    desk_open(&desk);
    DESK_UNTIL(&desk, desk_settled(&desk));
    if (moves) desk_choose_first(&desk, 0);
    DESK_UNTIL(&desk, desk_step(&desk) == 2 * moves);
    finish(&desk);
  }
  assert_int_equal(count(path.bytes, "SELECT count(*) FROM matches"), 3);
  assert_int_equal(
      count(path.bytes, "SELECT count(*) FROM matches WHERE ending = 'ended'"),
      2);
  assert_int_equal(
      count(path.bytes,
            "SELECT count(*) FROM sides JOIN agents ON sides.agent = agents.id "
            "WHERE agents.agent = 'human'"),
      1);
  assert_int_equal(
      count(path.bytes, "SELECT count(*) FROM experiments WHERE kind = 'page'"),
      1);
  assert_int_equal(count(path.bytes, "SELECT count(*) FROM parts"), 2);
  text_format(&remove, "rm -r %s", folder);
  assert_int_equal(system(remove.bytes), 0);
  text_free(&path);
  text_free(&remove);
}

/* A store that cannot be written is a note, and the match goes on. */
static void test_no_store(void **state) {
  (void)state;
  Desk desk = {
      .game = "ticTacToe", .players = "random", .db = "/dev/null/results.db"};
  desk_open(&desk);
  DESK_UNTIL(&desk, PHASE(&desk, "over"));
  DESK_UNTIL(&desk, desk.notes.length);
  assert_non_null(strstr(desk.notes.bytes, "not stored"));
  finish(&desk);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moves),    cmocka_unit_test(test_large_rules),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_simultaneous),
      cmocka_unit_test(test_three),    cmocka_unit_test(test_agents),
      cmocka_unit_test(test_undo),     cmocka_unit_test(test_undo_early),
      cmocka_unit_test(test_hint),     cmocka_unit_test(test_resign),
      cmocka_unit_test(test_failures), cmocka_unit_test(test_given),
      cmocka_unit_test(test_seed),     cmocka_unit_test(test_shown),
      cmocka_unit_test(test_store),    cmocka_unit_test(test_no_store),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
