/* Tournaments: specifications, plans, and small real ones whose results are
   counted again by hand; all systems, stopped and resumed, with the test. */
#include "lab/tour.h"

#include <math.h>

#include "base/file.h"
#include "lab/tour_json.h"
#include "support/games.h"

static char folder[] = "/tmp/tafl-tour-XXXXXX";
static uint32_t stores;

/* ---- helpers ---- */

static void write_game(const char *name, const char *rules) {
  Text path = {0}, error = {0};
  text_format(&path, "%s/%s", folder, name);
  assert_true(file_replace(path.bytes, rules, strlen(rules), &error));
  text_free(&path);
}

static bool find(void *context, const char *game, Text *path) {
  (void)context;
  text_format(path, "%s/%s", folder, game);
  return strcmp(game, "nothing") != 0;
}

static void add(TextVector *list, const char *words) {
  while (*words) {
    Text text = {0};
    size_t length = strcspn(words, " ");
    text_add_bytes(&text, words, length);
    vector_push(list, text);
    words += length + (words[length] == ' ');
  }
}

/* A tournament with a store of its own. */
typedef struct Setting {
  TourSpec spec;
  RunnerOptions options;
  Results *results;
  Tour tour;
  TourScore score;
  Text path;
  uint32_t patience; /* games until it is stopped; 0: never */
} Setting;

static bool stop_early(void *context, const RunnerProgress *progress) {
  const Setting *s = context;
  return !s->patience || progress->played < s->patience;
}

static void set_up(Setting *s, const char *games, const char *agents,
                   PairingSystem system, uint32_t each) {
  *s = (Setting){0};
  tour_spec_init(&s->spec);
  add(&s->spec.games, games);
  add(&s->spec.agents, agents);
  s->spec.system = system;
  s->spec.common.games = each;
  s->spec.common.unit = UNIT_SIMULATIONS;
  s->spec.common.play = 1;
  s->options = (RunnerOptions){.threads = 2,
                               .limits = games_limits(),
                               .find = find,
                               .progress = stop_early,
                               .context = s};
  text_format(&s->path, "%s/%u.db", folder, stores++);
}

/* Whoever looks at it in the store sees the same. */
static void look(const Setting *s) {
  Tour other;
  TourScore score;
  Text error = {0};
  bool fine =
      tour_look(&other, &s->spec, s->results, s->tour.experiment, &error) &&
      tour_score_init(&score, &other.plan, s->results, other.experiment,
                      &error);
  if (!fine) fail_msg("%s", text_string(&error));
  json_t *own = tour_json(&s->tour, &s->score);
  json_t *seen = tour_json(&other, &score);
  if (!json_equal(own, seen))
    fail_msg("%s\n%s", json_dumps(own, 0), json_dumps(seen, 0));
  json_decref(own);
  json_decref(seen);
  tour_score_free(&score);
  tour_free(&other);
}

/* Runs it, as a new process would, and counts. */
static RunnerEnd run(Setting *s) {
  Text error = {0};
  if (!tour_spec_check(&s->spec, &error)) fail_msg("%s", error.bytes);
  s->results = results_open(s->path.bytes, "test", &error);
  if (!s->results) fail_msg("%s", error.bytes);
  if (!tour_init(&s->tour, &s->spec, s->results, &s->options, &error))
    fail_msg("%s", error.bytes);
  RunnerEnd end = tour_run(&s->tour, &s->options, &error);
  assert_int_equal(error.length > 0, end == RUNNER_BROKEN);
  text_free(&error);
  assert_true(tour_score_init(&s->score, &s->tour.plan, s->results,
                              s->tour.experiment, &error));
  look(s);
  return end;
}

static void close(Setting *s) {
  tour_score_free(&s->score);
  tour_free(&s->tour);
  results_close(s->results);
}

static void tear_down(Setting *s) {
  close(s);
  tour_spec_free(&s->spec);
  text_free(&s->path);
}

static const Tally *tally(const Setting *s, uint32_t section, uint32_t a,
                          uint32_t b) {
  return &tour_score_cell(&s->score, section, a, b)->tally;
}

/* ---- specifications ---- */

static const char spec_text[] =
    "{\"agents\": [\"legal\", \"random\"], \"games\": [\"duel\"],"
    " \"system\": \"swiss\", \"rounds\": 3, \"each\": 12, \"seed\": 9,"
    " \"unit\": \"states\", \"play\": 250, \"opening\": 2, \"name\": \"x\"}";

static bool parse(TourSpec *spec, const char *text, Text *error) {
  json_error_t what;
  json_t *object = json_loads(text, 0, &what);
  if (!object) fail_msg("%s: %s", text, what.text);
  tour_spec_init(spec);
  bool fine = tour_spec_read_object(spec, object, error);
  json_decref(object);
  return fine;
}

static void test_spec(void **state) {
  (void)state;
  TourSpec spec, again;
  Text error = {0};
  assert_true(parse(&spec, spec_text, &error));
  assert_true(tour_spec_check(&spec, &error));
  assert_int_equal(spec.agents.count, 2);
  assert_string_equal(spec.games.data[0].bytes, "duel");
  assert_int_equal(spec.system, PAIRING_SWISS);
  assert_int_equal(spec.rounds, 3);
  assert_int_equal(spec.common.games, 12);
  assert_int_equal(spec.common.seed, 9);
  assert_int_equal(spec.common.unit, UNIT_STATES);
  assert_int_equal(spec.common.opening, 2);
  json_t *written = tour_spec_write(&spec);
  tour_spec_init(&again);
  assert_true(tour_spec_read_object(&again, written, &error));
  json_t *twice = tour_spec_write(&again);
  assert_true(json_equal(written, twice));
  json_decref(written);
  json_decref(twice);
  tour_spec_free(&spec);
  tour_spec_free(&again);
}

static void test_wrong_specs(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"[]", "JSON object"},
      {"{\"agnets\": []}", "\"agnets\" in a tournament; is \"agents\" meant?"},
      {"{\"agents\": \"legal\"}", "\"agents\" must be a list of strings"},
      {"{\"agents\": [\"legal\", 3]}", "\"agents\" must be a list of strings"},
      {"{\"games\": 100}", "\"games\" must be a list of strings"},
      {"{\"system\": \"cup\"}", "\"system\" must be one of \"round-robin\""},
      {"{\"rounds\": -1}", "\"rounds\""},
      {"{\"each\": 0}", "\"each\""},
      {"{\"each\": \"ten\"}", "\"each\""},
      {"{\"play\": \"fast\"}", "play"},
      {"{\"unit\": \"hours\"}", "unit"},
      {"{\"sprt\": 5}", "\"sprt\""},
      {"{\"name\": 5}", "\"name\""},
      {"{\"agents\": [\"legal\"], \"games\": [\"duel\"]}", "two agents"},
      {"{\"agents\": [\"legal\", \"random\"]}", "needs games"},
      {"{\"agents\": [\"legal\", \"legal\"], \"games\": [\"duel\"]}",
       "legal is listed twice"},
      {"{\"agents\": [\"legal\", \"random\"], \"games\": [\"a\", \"a\"]}",
       "a is listed twice"},
      {"{\"agents\": [\"legal\", \"http://h:1\"], \"games\": [\"duel\"]}",
       "tafl match"},
      {"{\"agents\": [\"legal\", \"nobody\"], \"games\": [\"duel\"]}",
       "nobody"},
      {"{\"agents\": [\"legal\", \"random\"], \"games\": [\"duel\"],"
       "\"rounds\": 3}",
       "Swiss"},
      {"{\"agents\": [\"legal\", \"random\", \"cadia2009\"], \"games\": "
       "[\"duel\"],"
       "\"sprt\": {\"elo0\": 0, \"elo1\": 10}}",
       "two agents"},
      {"{\"agents\": [\"legal\", \"random\"], \"games\": [\"duel\"],"
       "\"sprt\": {\"elo0\": 10, \"elo1\": 10}}",
       "elo0 must be less"}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    TourSpec spec;
    Text error = {0};
    bool fine =
        parse(&spec, cases[i][0], &error) && tour_spec_check(&spec, &error);
    if (fine || !strstr(text_string(&error), cases[i][1]))
      fail_msg("%s: %s", cases[i][0], text_string(&error));
    tour_spec_free(&spec);
    text_free(&error);
  }
}

/* ---- plans ---- */

static void add_round(TourPlan *plan, uint32_t a, uint32_t b) {
  Meeting meeting = {.first = a, .second = b};
  Meetings round = {.data = &meeting, .count = 1};
  tour_plan_add(plan, &round);
}

/* Whole rounds of roles; two series where the number of roles is odd; a second
   meeting lengthens them. */
static void test_plan(void **state) {
  (void)state;
  Setting s;
  Text error = {0};
  TourPlan plan;
  set_up(&s, "duel three puzzle", "legal random cadia2009", PAIRING_ROUND_ROBIN,
         7);
  assert_true(tour_plan_init(&plan, &s.spec, &s.options, &error));
  add_round(&plan, 2, 1);
  static const uint32_t games[] = {8, 6, 6, 8};
  assert_int_equal(plan.entries.count, 4);
  for (uint32_t i = 0; i < 4; i++) {
    bool turned = i == 2;
    assert_int_equal(plan.series.data[i].games, games[i]);
    assert_int_equal(plan.entries.data[i].agent[0], turned ? 2 : 1);
    assert_string_equal(plan.series.data[i].players.data[0].bytes,
                        turned ? "cadia2009" : "random");
  }
  add_round(&plan, 1, MEETING_BYE);
  add_round(&plan, 1, 2);
  add_round(&plan, 0, 2);
  assert_int_equal(plan.entries.count, 8);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(plan.series.data[i].games, 2 * games[i]);
    assert_int_equal(plan.series.data[4 + i].games, games[i]);
  }
  assert_int_equal(tour_plan_earlier(&plan, 2), 1);
  assert_int_equal(tour_plan_earlier(&plan, 3), 0);
  tour_plan_free(&plan);
  text_vector_free(&s.spec.games);
  s.spec.games = (TextVector){0};
  add(&s.spec.games, "nothing");
  assert_false(tour_plan_init(&plan, &s.spec, &s.options, &error));
  assert_non_null(strstr(error.bytes, "there is no game 'nothing'"));
  tour_plan_free(&plan);
  tour_spec_free(&s.spec);
  text_free(&s.path);
  text_free(&error);
}

/* ---- real ones ---- */

/* What one wins the other loses; rows add up to the diagonal, games to all. */
static void check_sums(const Setting *s) {
  const TourScore *score = &s->score;
  for (uint32_t section = 0; section < score->count; section++)
    for (uint32_t a = 0; a < score->agents; a++) {
      uint64_t games = 0, wins = 0;
      double goals = 0;
      for (uint32_t b = 0; b < score->agents; b++) {
        if (a == b) continue;
        const Tally *own = tally(s, section, a, b);
        const Tally *other = tally(s, section, b, a);
        assert_int_equal(own->wins, other->losses);
        assert_int_equal(own->draws, other->draws);
        assert_int_equal(own->games, own->wins + own->draws + own->losses);
        games += own->games;
        wins += own->wins;
        goals += own->goal_sum;
      }
      assert_int_equal(tally(s, section, a, a)->games, games);
      assert_int_equal(tally(s, section, a, a)->wins, wins);
      assert_true(fabs(tally(s, section, a, a)->goal_sum - goals) < 1e-6);
    }
  for (uint32_t a = 0; a < score->agents; a++) {
    uint64_t games = 0;
    for (uint32_t section = 1; section < score->count; section++)
      games += tally(s, section, a, a)->games;
    assert_int_equal(tally(s, 0, a, a)->games, games);
  }
}

static void test_round_robin(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "duel three", "legal random cadia2009", PAIRING_ROUND_ROBIN, 12);
  assert_int_equal(run(&s), RUNNER_DONE);
  assert_true(s.tour.over);
  assert_int_equal(s.score.games, 3 * 24);
  assert_int_equal(s.score.planned, 3 * 24);
  assert_int_equal(s.score.errors, 0);
  check_sums(&s);
  /* The legal agent never loses the duel, and never says yes. */
  assert_int_equal(tally(&s, 1, 0, 0)->losses, 0);
  assert_true(tally(&s, 1, 0, 1)->wins > 0);
  assert_int_equal(tally(&s, 2, 0, 0)->wins, 0);
  assert_true(tally(&s, 2, 0, 0)->goal_sum == 0);
  assert_int_equal(tally(&s, 1, 0, 1)->games, 12);
  assert_true(s.score.sections[1].rating.players[0].elo >
              s.score.sections[1].rating.players[1].elo);
  tear_down(&s);
}

/* In a game for one, two games with the same seed are compared: the legal agent
   always has 100, the other 100 or 10. */
static void test_one_role(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "puzzle", "random legal", PAIRING_ROUND_ROBIN, 40);
  assert_int_equal(run(&s), RUNNER_DONE);
  const Tally *random = tally(&s, 0, 0, 1), *legal = tally(&s, 0, 1, 0);
  assert_int_equal(s.score.games, 40);
  assert_int_equal(random->games, 20);
  assert_int_equal(random->wins, 0);
  assert_true(random->losses > 3 && random->draws > 3);
  assert_true(legal->goal_sum == 2000);
  assert_true(random->goal_sum ==
              (double)(100 * random->draws + 10 * random->losses));
  tear_down(&s);
}

/* All systems end, and a second run only reads. */
static void test_systems(void **state) {
  (void)state;
  static const uint32_t meetings[] = {10, 4, 9, 0};
  for (uint32_t i = 0; i < PAIRING_SYSTEMS; i++) {
    Setting s;
    set_up(&s, "duel three", "random legal cadia2009 cadia2007 cadia2010",
           (PairingSystem)i, 4);
    assert_int_equal(run(&s), RUNNER_DONE);
    check_sums(&s);
    uint64_t games = s.score.games;
    uint32_t met = s.score.meetings.count, first = 0;
    if (i == PAIRING_ELIMINATION)
      assert_true(met == 8 || met == 9);
    else
      assert_int_equal(met, meetings[i]); /* Swiss: 3 rounds with a bye each */
    if (i == PAIRING_SWISS) met -= 3;
    assert_int_equal(games, met * (4 + 6));
    for (uint32_t a = 0; a < 5; a++) first += s.score.standings[a].place == 1;
    assert_true(first >= 1);
    close(&s);
    s.patience = 1; /* fails if a game is played */
    assert_int_equal(run(&s), RUNNER_DONE);
    assert_int_equal(s.score.games, games);
    tear_down(&s);
  }
}

static void copy_cells(const Setting *s, TourCell *cells) {
  memcpy(cells, s->score.sections[0].cells, 16 * sizeof *cells);
}

/* Stopped again and again, a tournament ends as if it had not been. */
static void test_resumed(void **state) {
  (void)state;
  TourCell whole[16], parts[16];
  for (uint32_t i = 0; i < PAIRING_SYSTEMS; i++) {
    Setting s;
    uint32_t runs = 0;
    set_up(&s, "duel three", "random legal cadia2009 cadia2007",
           (PairingSystem)i, 4);
    assert_int_equal(run(&s), RUNNER_DONE);
    copy_cells(&s, whole);
    tear_down(&s);
    set_up(&s, "duel three", "random legal cadia2009 cadia2007",
           (PairingSystem)i, 4);
    s.patience = 7;
    for (RunnerEnd end = RUNNER_STOPPED; end != RUNNER_DONE; runs++) {
      if (runs) close(&s);
      end = run(&s);
      assert_true(end == RUNNER_DONE || end == RUNNER_STOPPED);
      assert_int_equal(s.tour.over, end == RUNNER_DONE);
      assert_true(runs < 30);
    }
    assert_true(runs > 3);
    copy_cells(&s, parts);
    assert_memory_equal(whole, parts, sizeof whole);
    tear_down(&s);
  }
}

/* With a random opening as long as the game, games that swap roles are the
   same: all pairs are even, whoever plays. */
static void test_opening(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "duel three", "legal random", PAIRING_ROUND_ROBIN, 60);
  s.spec.common.opening = 1;
  assert_int_equal(run(&s), RUNNER_DONE);
  for (uint32_t section = 1; section < 3; section++) {
    const Tally *own = tally(&s, section, 0, 1);
    assert_int_equal(own->wins, own->losses);
    assert_true(own->wins > 5);
    assert_true(own->goal_sum == tally(&s, section, 1, 0)->goal_sum);
  }
  tear_down(&s);
}

/* ---- the test ---- */

/* It ends at the same pair with one worker and with several, and when it is
   asked again. */
static void test_sprt(void **state) {
  (void)state;
  uint64_t pairs[3];
  for (uint32_t i = 0; i < 3; i++) {
    Setting s;
    set_up(&s, "duel puzzle three", "legal random", PAIRING_ROUND_ROBIN, 400);
    s.spec.sprt = true;
    s.spec.elo1 = 100;
    s.options.threads = 1 + 2 * i;
    if (i == 2) {
      s.patience = 9;
      assert_int_equal(run(&s), RUNNER_STOPPED);
      assert_int_equal(sprt_decide(&s.score.sprt), SPRT_OPEN);
      s.patience = 0;
      close(&s);
    }
    assert_int_equal(run(&s), RUNNER_DONE);
    assert_true(s.tour.over);
    assert_int_not_equal(sprt_decide(&s.score.sprt), SPRT_OPEN);
    pairs[i] = sprt_pairs(&s.score.sprt);
    assert_true(2 * pairs[i] <= s.score.games);
    close(&s);
    s.patience = 1;
    assert_int_equal(run(&s), RUNNER_DONE);
    assert_int_equal(sprt_pairs(&s.score.sprt), pairs[i]);
    tear_down(&s);
  }
  assert_int_equal(pairs[0], pairs[1]);
  assert_int_equal(pairs[0], pairs[2]);
}

/* ---- errors ---- */

/* y cannot move in the second state: every game ends with an error. */
static void test_errors(void **state) {
  (void)state;
  Setting s;
  set_up(&s, "stuck duel", "legal random", PAIRING_ROUND_ROBIN, 2);
  assert_int_equal(run(&s), RUNNER_DONE);
  assert_int_equal(s.score.errors, 2);
  assert_int_equal(tour_score_cell(&s.score, 1, 0, 1)->errors, 2);
  assert_int_equal(tour_score_cell(&s.score, 0, 1, 1)->errors, 2);
  assert_int_equal(tally(&s, 1, 0, 1)->games, 0);
  assert_int_equal(tally(&s, 2, 0, 1)->games, 2);
  assert_non_null(strstr(s.score.error.bytes, "has no legal move"));
  tear_down(&s);
  /* A meeting of nothing but errors is decided by lot, and it goes on. */
  set_up(&s, "stuck", "legal random cadia2009", PAIRING_ELIMINATION, 8);
  for (uint32_t again = 0; again < 2; again++) {
    if (again) close(&s);
    assert_int_equal(run(&s), RUNNER_BROKEN);
    assert_true(s.tour.over);
    assert_true(s.score.meetings.count >= 4);
    assert_true(s.score.games < 8 * s.score.meetings.count); /* given up */
  }
  tear_down(&s);
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  write_game("duel", GAME_DUEL);
  write_game("three", GAME_THREE);
  write_game("puzzle", GAME_PUZZLE);
  write_game("stuck", GAME_STUCK);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  Text command = {0};
  text_format(&command, "rm -r %s", folder);
  int code = system(command.bytes);
  text_free(&command);
  return code;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spec),     cmocka_unit_test(test_wrong_specs),
      cmocka_unit_test(test_plan),     cmocka_unit_test(test_round_robin),
      cmocka_unit_test(test_one_role), cmocka_unit_test(test_systems),
      cmocka_unit_test(test_resumed),  cmocka_unit_test(test_opening),
      cmocka_unit_test(test_sprt),     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
