/* Messages between ranks: everything is read as it was written, and whatever
   lacks a part, or has one of another type, is refused. */
#include "contest/errand.h"

#include <math.h>

#include "base/clock.h"
#include "io/json.h"
#include "support/games.h"

/* ---- what is read ---- */

static void test_begin(void **state) {
  (void)state;
  ErrandBegin begin = {.limits = games_limits(), .threads = 3, .agent = 2}, got;
  Text text = {0};
  begin.limits.ground.ticks = 77;
  begin.limits.ground.narrow = true;
  begin.limits.net_seconds = 4.5;
  begin.limits.deadline = clock_now() + 100;
  errand_write_begin(&begin, &text);
  assert_true(errand_read_begin(&got, &text));
  assert_int_equal(got.threads, 3);
  assert_int_equal(got.agent, 2);
  assert_int_equal(got.limits.ground.ticks, 77);
  assert_int_equal(got.limits.ground.memory, begin.limits.ground.memory);
  assert_true(got.limits.ground.narrow);
  assert_float_equal(got.limits.ground.seconds, begin.limits.ground.seconds, 0);
  assert_float_equal(got.limits.net_seconds, 4.5, 0);
  assert_float_equal(got.limits.reduce_seconds, begin.limits.reduce_seconds, 0);
  assert_float_equal(got.limits.prove_seconds, begin.limits.prove_seconds, 0);
  assert_float_equal(got.limits.deadline, begin.limits.deadline, 5);
  assert_float_equal(got.limits.rules.deadline, 0, 0);
  assert_int_equal(got.limits.rules.memory, begin.limits.rules.memory);
  assert_float_equal(got.limits.rules.seconds, begin.limits.rules.seconds, 0);
  text_free(&text);
}

static void test_ready(void **state) {
  (void)state;
  ErrandReady ready;
  Text text = {0};
  errand_write_ready(4, "1.2 \"x\"", &text);
  assert_true(errand_read_ready(&ready, &text));
  assert_int_equal(ready.threads, 4);
  assert_string_equal(ready.version.bytes, "1.2 \"x\"");
  text_free(&ready.version);
  text_free(&text);
}

static void test_rules(void **state) {
  (void)state;
  Description description;
  ErrandRules rules;
  Text text = {0};
  games_read(&description, GAME_DUEL);
  errand_write_rules(9, &description, &text);
  assert_true(errand_read_rules(&rules, &text));
  assert_int_equal(rules.number, 9);
  assert_string_equal(rules.name.bytes, description.source.name);
  assert_string_equal(rules.text.bytes, text_string(&description.text));
  text_free(&rules.name);
  text_free(&rules.text);
  text_free(&text);
  description_free(&description);
}

static void add_text(TextVector *list, const char *string) {
  Text text = {0};
  text_add(&text, string);
  vector_push(list, text);
}

static void make_errand(Errand *errand) {
  *errand = (Errand){.id = 5,
                     .rules = 2,
                     .ground = true,
                     .seed = UINT64_MAX - 1,
                     .match = {.start = {.seconds = 1.25, .threads = 2},
                               .play = {.simulations = 100, .states = 7},
                               .step_limit = 60,
                               .opening = 3,
                               .idle = true},
                     .turns = true,
                     .every = 0.2};
  add_text(&errand->players, "random");
  add_text(&errand->players, "cadia2007:c=30");
}

static void test_game(void **state) {
  (void)state;
  Errand errand, got;
  Text text = {0};
  make_errand(&errand);
  errand_write(&errand, &text);
  assert_true(errand_read(&got, &text));
  assert_int_equal(got.id, 5);
  assert_int_equal(got.rules, 2);
  assert_true(got.ground && !got.need_net && got.turns && !got.recorded);
  assert_true(got.seed == UINT64_MAX - 1);
  assert_float_equal(got.every, 0.2, 0);
  assert_float_equal(got.match.start.seconds, 1.25, 0);
  assert_int_equal(got.match.start.threads, 2);
  assert_int_equal(got.match.play.simulations, 100);
  assert_int_equal(got.match.play.states, 7);
  assert_int_equal(got.match.step_limit, 60);
  assert_int_equal(got.match.opening, 3);
  assert_true(got.match.idle && !got.match.keep_moves);
  assert_int_equal(got.players.count, 2);
  assert_string_equal(got.players.data[1].bytes, "cadia2007:c=30");
  errand_free(&got);
  errand_free(&errand);
  text_free(&text);
}

static void make_record(Record *record, Description *description,
                        AgentSpecs *specs) {
  games_read(description, GAME_DUEL);
  games_specs(specs, "random,legal");
  const AgentSpec *players[] = {&specs->data[0], &specs->data[1]};
  RecordStart start = {.id = "m",
                       .game = "duel",
                       .description = description,
                       .players = players,
                       .seed = 3};
  record_init(record, &start);
}

static void test_record(void **state) {
  (void)state;
  Errand errand, got;
  Description description;
  AgentSpecs specs;
  Record record;
  Text text = {0};
  make_record(&record, &description, &specs);
  make_errand(&errand);
  errand.recorded = true;
  errand.record = record;
  errand_write(&errand, &text);
  assert_null(strstr(text.bytes, "x-game")); /* rules are sent once */
  assert_true(errand_read(&got, &text));
  assert_true(got.recorded);
  assert_string_equal(record_id(&got.record), "m");
  assert_int_equal(record_roles(&got.record), 2);
  errand_free(&got);
  json_object_set_new(record.root, "moves", json_pack("[[s, s]]", "a", "b"));
  text_clear(&text);
  errand_write(&errand, &text);
  assert_false(errand_read(&got, &text)); /* it has begun */
  errand.recorded = false;
  errand_free(&errand);
  record_free(&record);
  spec_free_list(&specs);
  description_free(&description);
  text_free(&text);
}

/* ---- news ---- */

static void make_news(ErrandNews *news) {
  RecordTurn turns[2] = {
      {.seconds = 0.5,
       .work = {.simulations = 10, .states = 70, .seconds = 0.4},
       .report = {.searched = true, .value = 61.5, .depth = NAN}},
      {.seconds = 0.125}};
  *news = (ErrandNews){.id = 8, .roles = 2, .over = true, .seconds = 2.5};
  text_add(&turns[0].move, "(drop 4)");
  text_add(&turns[1].move, "noop");
  text_add(&turns[1].error, "TO");
  errand_add_step(&news->steps, 1, 2, turns);
  for (int i = 0; i < 2; i++) {
    text_free(&turns[i].move);
    text_free(&turns[i].error);
  }
  news->record = json_pack("{s:b}", "isCompleted", 1);
  news->result =
      (MatchResult){.end = MATCH_CUT_OFF,
                    .role_count = 2,
                    .steps = 9,
                    .faults = 4,
                    .sides = memory_new(2 * sizeof *news->result.sides)};
  news->result.sides[1].goal = 100;
  news->result.sides[1].work =
      (AgentWork){.simulations = 3, .found = "mobility"};
  text_add(&news->result.moves, "a\nb\n");
  text_add(&news->result.error, "none");
  text_add(&news->result.fault, "START x: TO");
}

static void test_result(void **state) {
  (void)state;
  ErrandNews news, got;
  TextVector words = {0};
  Text text = {0};
  make_news(&news);
  errand_write_news(&news, &text);
  assert_true(errand_read_news(&got, &text, &words));
  assert_int_equal(got.id, 8);
  assert_int_equal(got.roles, 2);
  assert_true(got.over);
  assert_float_equal(got.seconds, 2.5, 0);
  assert_int_equal(got.steps.count, 1);
  const RecordTurn *turns = got.steps.data[0].turns;
  assert_int_equal(got.steps.data[0].step, 1);
  assert_string_equal(turns[0].move.bytes, "(drop 4)");
  assert_string_equal(turns[1].error.bytes, "TO");
  assert_float_equal(turns[1].seconds, 0.125, 0);
  assert_int_equal(turns[0].work.states, 70);
  assert_true(turns[0].report.searched && !turns[1].report.searched);
  assert_float_equal(turns[0].report.value, 61.5, 0);
  assert_true(isnan(turns[0].report.depth));
  assert_true(json_is_true(json_object_get(got.record, "isCompleted")));
  assert_int_equal(got.result.end, MATCH_CUT_OFF);
  assert_int_equal(got.result.steps, 9);
  assert_int_equal(got.result.faults, 4);
  assert_int_equal(got.result.sides[1].goal, 100);
  assert_null(got.result.sides[0].work.found);
  assert_string_equal(got.result.sides[1].work.found, "mobility");
  assert_string_equal(got.result.moves.bytes, "a\nb\n");
  assert_string_equal(got.result.error.bytes, "none");
  assert_string_equal(got.result.fault.bytes, "START x: TO");
  errand_free_news(&got);
  errand_free_news(&news);
  text_vector_free(&words);
  text_free(&text);
}

static void test_refused(void **state) {
  (void)state;
  ErrandNews news = {.id = 1, .roles = 3, .over = true}, got;
  TextVector words = {0};
  Text text = {0};
  text_add(&news.refused, "no net");
  errand_write_news(&news, &text);
  assert_true(errand_read_news(&got, &text, &words));
  assert_string_equal(got.refused.bytes, "no net");
  assert_null(got.result.sides);
  errand_free_news(&got);
  errand_free_news(&news);
  text_free(&text);
}

/* ---- what is refused ---- */

typedef bool TryRead(const Text *text);

static bool try_game(const Text *text) {
  Errand errand;
  bool fine = errand_read(&errand, text);
  if (fine) errand_free(&errand);
  return fine;
}

static bool try_news(const Text *text) {
  ErrandNews news;
  TextVector words = {0};
  bool fine = errand_read_news(&news, text, &words);
  if (fine) errand_free_news(&news);
  text_vector_free(&words);
  return fine;
}

static bool try_begin(const Text *text) {
  ErrandBegin begin;
  return errand_read_begin(&begin, text);
}

/* Replaces and removes each value, at any depth; returns how many there are. */
static uint32_t spoil(json_t *root, json_t *value, TryRead *read) {
  static const char *const optional[] = {"found",  "depth",       "value",
                                         "record", "isCompleted", "steps"};
  uint32_t spoiled = 0;
  const char *key;
  json_t *part;
  json_t *whole = json_copy(value); /* `value` changes */
  size_t i;
  json_object_foreach(whole, key, part) {
    bool needed = true;
    for (i = 0; i < LENGTH(optional); i++)
      if (strcmp(key, optional[i]) == 0) needed = false;
    json_t *kept = json_incref(part);
    json_object_set_new(value, key, json_pack("{s:[]}", "strange"));
    Text text = {0};
    json_add_text(root, 0, &text);
    if (needed && read(&text)) fail_msg("%s may be strange", key);
    json_object_del(value, key);
    text_clear(&text);
    json_add_text(root, 0, &text);
    if (needed && read(&text)) fail_msg("%s may be missing", key);
    text_free(&text);
    json_object_set_new(value, key, kept);
    spoiled += 1 + spoil(root, kept, read);
  }
  json_array_foreach(whole, i, part) spoiled += spoil(root, part, read);
  json_decref(whole);
  return spoiled;
}

static void check_spoiled(const Text *text, TryRead *read, uint32_t least) {
  Text end = {0};
  json_t *root = json_loadb(text->bytes, text->length, 0, NULL);
  assert_true(read(text));
  assert_true(spoil(root, root, read) >= least);
  text_add_bytes(&end, text->bytes, text->length - 1);
  assert_false(read(&end));
  text_free(&end);
  assert_false(read(&end)); /* nothing */
  text_add(&end, "[1]");
  assert_false(read(&end));
  text_free(&end);
  json_decref(root);
}

static void test_spoiled(void **state) {
  (void)state;
  Text text = {0};
  ErrandBegin begin = {.limits = games_limits()};
  errand_write_begin(&begin, &text);
  check_spoiled(&text, try_begin, 13);
  text_clear(&text);
  Errand errand;
  make_errand(&errand);
  errand_write(&errand, &text);
  check_spoiled(&text, try_game, 24);
  errand_free(&errand);
  text_clear(&text);
  ErrandNews news;
  make_news(&news);
  errand_write_news(&news, &text);
  check_spoiled(&text, try_news, 40);
  errand_free_news(&news);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_begin),   cmocka_unit_test(test_ready),
      cmocka_unit_test(test_rules),   cmocka_unit_test(test_game),
      cmocka_unit_test(test_record),  cmocka_unit_test(test_result),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_spoiled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
