/* Match records: what is written, that it is read back, and that nothing else
   is; files that are whole at any time; the XML of the last step. */
#include "match/record.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "engine/moves.h"
#include "match/record_xml.h"
#include "support/games.h"

/* Two moves; terms in terms, names that XML must escape. */
#define GAME_NESTED \
  "(role x) (role (a b)) (init (at (f (g 1) 2) <&>)) (init dark) (legal x go)" \
  "(<= (legal (a b) (take (f 1))) (true dark)) (legal (a b) \xc3\xa9)" \
  "(<= (next light) (true dark)) (<= (next over) (true light))" \
  "(<= terminal (true over)) (goal x 3) (goal (a b) 97)"

typedef struct Setting {
  char folder[32], path[48];
  Description description;
  Book book;
  Game *game;
  AgentSpecs specs;
  const AgentSpec *players[2];
  Record record;
} Setting;

static void set_up(Setting *s, const char *id) {
  BookLimits limits = games_limits();
  *s = (Setting){.folder = "/tmp/record.XXXXXX"};
  assert_non_null(mkdtemp(s->folder));
  snprintf(s->path, sizeof s->path, "%s/r.json", s->folder);
  games_read(&s->description, GAME_NESTED);
  book_init(&s->book, &s->description, &limits, true);
  s->game = book_game(&s->book);
  games_specs(&s->specs, "cadia2007:c=30,http://host:9147");
  for (uint32_t role = 0; role < 2; role++)
    s->players[role] = &s->specs.data[role];
  RecordStart start = {
      .id = id,
      .game = "nested",
      .description = &s->description,
      .players = s->players,
      .clocks = {.preview = 2.5, .start = 30, .play = 0.5, .grace = 0.25},
      .match = {.start = {.simulations = 7},
                .play = {.seconds = 0.5, .states = 9},
                .idle = true,
                .step_limit = 12},
      .scramble = true,
      .seed = UINT64_MAX - 1};
  record_init(&s->record, &start);
  text_add(&s->record.path, s->path);
  record_add_state(&s->record, s->game);
}

static void tear_down(Setting *s) {
  unlink(s->path);
  assert_int_equal(rmdir(s->folder), 0); /* nothing was left behind */
  record_free(&s->record);
  spec_free_list(&s->specs);
  game_delete(s->game);
  book_free(&s->book);
  description_free(&s->description);
}

/* Makes a step in which the second role makes that move, with an error. */
static void make_step(Setting *s, const char *second, const char *error) {
  RecordTurn turns[2] = {
      {.seconds = 0.5,
       .work = {.simulations = 100, .states = 200, .seconds = 0.5},
       .report = {.searched = true, .value = 60, .depth = 3, .nodes = 8}},
      {.seconds = 0.25}};
  Move joint[2];
  text_add(&turns[0].move, "go");
  text_add(&turns[1].move, second);
  text_add(&turns[1].error, error);
  if (!record_started(&s->record)) {
    text_clear(&turns[1].error);
    record_add_start(&s->record, turns);
    text_add(&turns[1].error, error);
  }
  for (uint32_t role = 0; role < 2; role++)
    assert_true(moves_find(s->game, role, text_string(&turns[role].move),
                           &joint[role]));
  game_make(s->game, joint);
  record_add_step(&s->record, turns, s->game);
  for (uint32_t role = 0; role < 2; role++) {
    text_free(&turns[role].move);
    text_free(&turns[role].error);
  }
}

static void expect_json(const json_t *value, const char *text) {
  char *own = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  assert_non_null(own);
  assert_string_equal(own, text);
  free(own);
}

static void test_content(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "id");
  json_t *root = s.record.root;
  assert_false(record_started(&s.record));
  make_step(&s, "(take (f 1))", "IL \"x\"");
  make_step(&s, "\xc3\xa9", "");
  expect_json(json_object_get(root, "states"),
              "[\"( ( at ( f ( g 1 ) 2 ) <&> ) dark )\",\"( light )\","
              "\"( over )\"]");
  expect_json(json_object_get(root, "moves"),
              "[[\"go\",\"( take ( f 1 ) )\"],[\"go\",\"\xc3\xa9\"]]");
  expect_json(json_object_get(root, "errors"),
              "[[\"\",\"\"],[\"\",\"IL \\\"x\\\"\"],[\"\",\"\"]]");
  expect_json(json_object_get(root, "x-roles"), "[\"x\",\"( a b )\"]");
  expect_json(json_object_get(root, "playerNamesFromHost"),
              "[\"cadia2007:c=30\",\"http://host:9147\"]");
  expect_json(json_object_get(root, "startClock"), "30");
  expect_json(json_object_get(root, "playClock"), "0.5");
  expect_json(json_object_get(root, "previewClock"), "2.5");
  expect_json(json_array_get(json_object_get(root, "x-start"), 1),
              "{\"seconds\":0.25}");
  json_t *step = json_array_get(json_object_get(root, "x-statistics"), 0);
  expect_json(json_array_get(step, 0),
              "{\"seconds\":0.5,\"simulations\":100,\"states\":200,"
              "\"statesPerSecond\":400.0,\"value\":60.0,\"depth\":3.0,"
              "\"nodes\":8,\"proven\":false}");
  tear_down(&s);
}

static void test_end(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "id");
  MatchSide sides[2] = {{.goal = 3}, {.goal = 97}};
  MatchResult result = {.end = MATCH_STUCK, .role_count = 2, .sides = sides};
  text_add(&result.error, "x has no legal move");
  record_end(&s.record, &result);
  expect_json(json_object_get(s.record.root, "isAborted"), "true");
  expect_json(json_object_get(s.record.root, "x-end"),
              "\"stuck: x has no legal move\"");
  assert_null(json_object_get(s.record.root, "goalValues"));
  result.end = MATCH_ENDED;
  record_end(&s.record, &result);
  assert_true(record_completed(&s.record));
  expect_json(json_object_get(s.record.root, "isAborted"), "false");
  expect_json(json_object_get(s.record.root, "goalValues"), "[3,97]");
  assert_null(json_object_get(s.record.root, "x-end"));
  text_free(&result.error);
  tear_down(&s);
}

static void test_read_back(void **state) {
  (void)state;
  Setting s;
  Record back;
  Text error = {0}, move = {0};
  RemoteClocks clocks;
  MatchOptions match;
  bool scramble;
  set_up(&s, "an.id");
  make_step(&s, "(take (f 1))", "TO");
  assert_true(record_write(&s.record));
  assert_true(record_read(&back, s.path, 1 << 20, &error));
  assert_true(json_equal(back.root, s.record.root));
  assert_string_equal(record_id(&back), "an.id");
  assert_string_equal(record_game(&back), "nested");
  assert_string_equal(record_rules(&back), GAME_NESTED);
  assert_true(record_seed(&back) == UINT64_MAX - 1);
  assert_int_equal(record_roles(&back), 2);
  assert_string_equal(record_player(&back, 1), "http://host:9147");
  record_options(&back, &clocks, &match, &scramble);
  assert_true(scramble && match.idle && match.step_limit == 12);
  assert_true(clocks.start == 30 && clocks.play == 0.5 &&
              clocks.preview == 2.5 && clocks.grace == 0.25);
  assert_true(match.start.simulations == 7 && match.play.states == 9 &&
              match.play.seconds == 0.5);
  assert_int_equal(record_steps(&back), 1);
  assert_true(record_started(&back) && !record_completed(&back));
  record_move(&back, 0, 1, &move);
  assert_string_equal(text_string(&move), "(take (f 1))");
  assert_true(record_has_state(&back, s.game));
  game_reset(s.game);
  assert_false(record_has_state(&back, s.game));
  text_free(&move);
  record_free(&back);
  tear_down(&s);
}

/* A record is refused if a key is missing or of another type. */
static void expect_refused(uint32_t steps) {
  static const char *const keys[] = {
      "matchId",      "startClock", "playClock",   "previewClock",
      "x-players",    "x-roles",    "states",      "moves",
      "stateTimes",   "errors",     "x-seed",      "x-options",
      "x-statistics", "x-game",     "isCompleted", "playerNamesFromHost"};
  static const char *const values[] = {"null", "[]",      "{}",
                                       "[[]]", "[[1,2]]", "[{}]"};
  Setting s;
  set_up(&s, "id");
  if (steps) make_step(&s, "(take (f 1))", "");
  for (size_t i = 0; i < LENGTH(keys); i++)
    for (size_t j = 0; j <= LENGTH(values); j++) {
      json_t *root = json_deep_copy(s.record.root);
      if (j < LENGTH(values) && !steps && !strcmp(values[j], "[]"))
        json_object_del(root, "matchId"); /* empty lists may be valid */
      Record back;
      Text error = {0};
      if (j < LENGTH(values))
        json_object_set_new(root, keys[i],
                            json_loads(values[j], JSON_DECODE_ANY, NULL));
      else
        json_object_del(root, keys[i]);
      char *text = json_dumps(root, 0);
      assert_true(file_replace(s.path, text, strlen(text), &error));
      if (record_read(&back, s.path, 1 << 20, &error))
        fail_msg("%s is fine as %s", keys[i],
                 j < LENGTH(values) ? values[j] : "nothing");
      assert_true(error.length > 0);
      text_free(&error);
      free(text);
      json_decref(root);
    }
  tear_down(&s);
}

static void test_shapes(void **state) {
  (void)state;
  expect_refused(0);
  expect_refused(1);
}

static void test_xml(void **state) {
  (void)state;
  Setting s;
  Text text = {0};
  set_up(&s, "id");
  record_write_xml(&s.record, &text);
  assert_non_null(strstr(
      text.bytes,
      "<state>\n<fact><prop-f>AT</prop-f><arg><prop-f>F</prop-f><arg>"
      "<prop-f>G</prop-f><arg>1</arg></arg><arg>2</arg></arg>"
      "<arg>&lt;&amp;&gt;</arg></fact>\n<fact><prop-f>DARK</prop-f></fact>\n"
      "</state>"));
  assert_non_null(strstr(text.bytes, "<history>\n</history>"));
  assert_non_null(strstr(text.bytes, "<playclock>"));
  assert_null(strstr(text.bytes, "<scores>"));
  text_free(&text);
  tear_down(&s);
}

/* If the new content cannot be written, the old file stays and nothing else. */
static void test_files(void **state) {
  (void)state;
  char folder[] = "/tmp/record.XXXXXX";
  Text path = {0}, error = {0}, text = {0};
  struct stat status;
  assert_non_null(mkdtemp(folder));
  text_format(&path, "%s/file", folder);
  assert_true(file_replace(path.bytes, "one", 3, &error));
  assert_true(file_replace(path.bytes, "two two", 7, &error));
  assert_true(text_read_file(&text, path.bytes, 100, &error));
  assert_string_equal(text_string(&text), "two two");
  text_add(&path, ".new");
  assert_int_equal(mkdir(path.bytes, 0700), 0); /* where it would be written */
  path.bytes[path.length -= 4] = '\0';
  assert_false(file_replace(path.bytes, "three", 5, &error));
  assert_true(error.length > 0);
  text_clear(&text);
  assert_true(text_read_file(&text, path.bytes, 100, &error));
  assert_string_equal(text_string(&text), "two two");
  assert_int_equal(stat(path.bytes, &status), 0);
  unlink(path.bytes);
  text_add(&path, ".new");
  rmdir(path.bytes);
  assert_int_equal(rmdir(folder), 0);
  text_free(&path);
  text_free(&error);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_content),   cmocka_unit_test(test_end),
      cmocka_unit_test(test_read_back), cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_xml),       cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
