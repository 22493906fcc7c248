/* The strategies of simulations, each against a slow twin or values worked out
   by hand, and how they are chosen. */
#include "search/strategy.h"

#include <math.h>

#include "engine/playout.h"
#include "search/correlate.h"
#include "search/explore.h"
#include "search/nearness.h"
#include "search/resolution.h"
#include "search/score.h"
#include "support/library.h"

static void open_text(TestGame *book, const char *text) {
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  description_init(&book->description, "text", text, strlen(text));
  assert_true(description_valid(&book->description));
  book_init(&book->rules, &book->description, &limits, true);
  assert_true(book->rules.has_net);
}

/* ---- exploration ---- */

typedef struct TwinState {
  TermVector facts;
} TwinState;

static bool has_fact(const TwinState *state, Term fact) {
  return term_vector_contains(&state->facts, fact);
}

static uint32_t lacking(const TwinState *of, const TwinState *in) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < of->facts.count; i++)
    count += !has_fact(in, of->facts.data[i]);
  return count;
}

/* Equations 2 and 3, on facts. */
static uint32_t twin_difference(const TwinState *states, uint32_t count,
                                const TwinState *next, uint32_t last,
                                bool both) {
  uint32_t least = UINT32_MAX;
  for (uint32_t i = last < count ? count - last : 0; i < count; i++) {
    uint32_t difference =
        lacking(next, &states[i]) + (both ? lacking(&states[i], next) : 0);
    if (difference < least) least = difference;
  }
  return least;
}

static TwinState twin_state(Game *game) {
  const Term *facts;
  TwinState state = {0};
  uint32_t count = game_facts(game, &facts);
  for (uint32_t i = 0; i < count; i++) vector_push(&state.facts, facts[i]);
  return state;
}

enum { WALK = 14 };

static void check_explore(const char *name, bool ground) {
  TestGame book;
  Random random;
  Explore explore;
  TwinState states[WALK];
  uint32_t count = 0;
  random_seed(&random, 3);
  test_game_open(&book, name, ground);
  Game *game = book_game(&book.rules);
  explore_init(&explore, ground);
  explore_begin(&explore);
  while (count < WALK && !game_terminal(game)) {
    const uint64_t *words;
    const Move *legal;
    uint32_t length = game_state(game, &words);
    explore_add(&explore, words, length);
    states[count++] = twin_state(game);
    uint32_t moves = game_legal(game, 0, &legal);
    MoveVector list = {0};
    for (uint32_t i = 0; i < moves; i++) vector_push(&list, legal[i]);
    for (uint32_t i = 0; i < moves; i++) {
      game_make(game, &list.data[i]);
      TwinState next = twin_state(game);
      uint64_t key = game_key(game);
      game_retract(game);
      length = game_successor(game, &list.data[i], &words);
      for (uint32_t last = 1; last <= EXPLORE_MOST; last++)
        for (int both = 0; both < 2; both++)
          assert_int_equal(
              explore_difference(&explore, words, length, last, both),
              twin_difference(states, count, &next, last, both));
      game_make(game, &list.data[i]);
      assert_true(game_key(game) == key);
      game_retract(game);
      vector_free(&next.facts);
    }
    game_make(game, &list.data[random_below(&random, moves)]);
    vector_free(&list);
  }
  assert_true(count > 4);
  for (uint32_t i = 0; i < count; i++) vector_free(&states[i].facts);
  explore_free(&explore);
  game_delete(game);
  test_game_close(&book);
}

static void test_explore(void **state) {
  (void)state;
  check_explore("hanoi", true);
  check_explore("hanoi", false);
  check_explore("rubiksCube", true);
  check_explore("hunter", true);
}

/* ---- the goal's proof tree ---- */

#define SWITCHES \
  "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(name a) (name b) (name c) (name d) (name e)" \
  "(<= (legal r (set ?x)) (name ?x))" \
  "(<= (next (on ?x)) (does r (set ?x))) (<= (next (on ?x)) (true (on ?x)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= terminal (true (step 4)))" \
  "(<= won (true (on a)) (true (on b)) (true (on c)))" \
  "(<= won (true (on d)) (not (true (on e))))" \
  "(<= (goal r 100) won) (<= (goal r 10) (not won))"

static void set_facts(TestGame *book, const char *names, uint64_t *words) {
  const Net *net = &book->rules.net;
  Text text = {0};
  *words = 0;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    text.length = 0;
    term_write(&book->description.rules.terms, net->fluents.data[i].term,
               &text);
    if (strncmp(text.bytes, "(on ", 4) == 0 && strchr(names, text.bytes[4]))
      *words |= (uint64_t)1 << i;
  }
  text_free(&text);
}

static void test_goal(void **state) {
  (void)state;
  static const struct {
    const char *on;
    double degree;
  } cases[] = {{"", 1 / 2.0},     {"a", 1 / 2.0},   {"e", 0},
               {"ea", 1 / 3.0},   {"eab", 2 / 3.0}, {"eabc", 1},
               {"d", 1},          {"de", 1 / 2.0},  {"dea", 1 / 2.0},
               {"deab", 2 / 3.0}, {"ed", 1 / 2.0},  {"ab", 2 / 3.0}};
  TestGame book;
  open_text(&book, SWITCHES);
  Nearness *nearness = nearness_new(&book.rules.net, 0);
  assert_non_null(nearness);
  for (size_t i = 0; i < LENGTH(cases); i++) {
    uint64_t words;
    set_facts(&book, cases[i].on, &words);
    double value = nearness_value(nearness, &words);
    if (fabs(value - cases[i].degree) > 1e-4)
      fail_msg("'%s' is %g, not %g", cases[i].on, value, cases[i].degree);
  }
  nearness_delete(nearness);
  test_game_close(&book);
}

/* In states of random games, the degree is 1 exactly where the goal holds. */
static void check_degrees(const char *name) {
  TestGame book;
  Random random;
  random_seed(&random, 5);
  test_game_open(&book, name, true);
  Game *game = book_game(&book.rules);
  Nearness *nearness = nearness_new(&book.rules.net, 0);
  for (int run = 0; run < 20; run++) {
    game_reset(game);
    for (int step = 0; step < 20 && !game_terminal(game); step++) {
      const uint64_t *words;
      const Move *legal;
      uint32_t count = game_legal(game, 0, &legal);
      Move move = legal[random_below(&random, count)];
      game_make(game, &move);
      game_state(game, &words);
      double value = nearness_value(nearness, words);
      assert_true(value >= 0 && value < 1.001);
      assert_int_equal(value > 1 - 1e-9,
                       game_goal(game, 0) == book.rules.best_goal[0]);
    }
  }
  nearness_delete(nearness);
  game_delete(game);
  test_game_close(&book);
}

static void test_degrees(void **state) {
  (void)state;
  check_degrees("hanoi");
  check_degrees("buttons");
  check_degrees("lightsOut");
}

/* ---- symbols ---- */

/* Results are ten times the number of (on …) facts, less 30 if e is on. */
static void test_symbols(void **state) {
  (void)state;
  static const char *const states[] = {"a",  "b",    "ab", "abc", "e",
                                       "ae", "abce", "d",  "cd",  "abcd"};
  TestGame book;
  Facts facts;
  Correlate correlate;
  uint64_t words;
  open_text(&book, SWITCHES);
  facts_init(&facts, &book.description.rules.terms, &book.rules.net);
  correlate_init(&correlate, &facts, 1);
  for (size_t i = 0; i < 10 * LENGTH(states); i++) {
    const char *on = states[i % LENGTH(states)];
    double value = 10 * (double)strlen(on) - (strchr(on, 'e') ? 30 : 0);
    set_facts(&book, on, &words);
    correlate_begin(&correlate);
    correlate_see(&correlate, &words, 1);
    correlate_see(&correlate, &words, 1);
    correlate_end(&correlate, &value);
  }
  assert_false(correlate_learned(&correlate));
  correlate_learn(&correlate);
  assert_true(correlate_learned(&correlate));
  double values[3];
  static const char *const asked[] = {"e", "", "abc"};
  for (size_t i = 0; i < 3; i++) {
    set_facts(&book, asked[i], &words);
    values[i] = correlate_value(&correlate, &words, 1, 0);
  }
  assert_true(values[0] < values[1] && values[1] < values[2]);
  /* one mark by hand: x is whether e is on, 0.3 of the time */
  double n = 0, xy = 0, y = 0, yy = 0, x = 0;
  for (size_t i = 0; i < LENGTH(states); i++) {
    double on = strchr(states[i], 'e') ? 1 : 0;
    double value = 10 * (double)strlen(states[i]) - 30 * on;
    n++, x += on, y += value, yy += value * value, xy += on * value;
  }
  double deviation = sqrt(x / n - x * x / n / n);
  double r =
      (xy / n - x * y / n / n) / deviation / sqrt(yy / n - y * y / n / n);
  set_facts(&book, "e", &words);
  NumberVector numbers = {0};
  facts_list(&facts, &words, 1, &numbers);
  assert_int_equal(numbers.count, 1);
  const Fact *fact = &facts.list.data[numbers.data[0]];
  uint32_t mark = facts.marks.data[fact->first + 1];
  assert_true(fabs(correlate.weights.data[mark] - r / deviation) < 1e-9);
  vector_free(&numbers);
  correlate_free(&correlate);
  facts_free(&facts);
  test_game_close(&book);
}

/* ---- score ---- */

#define POINTS \
  "(role x) (role y) (init (points x 0)) (init (points y 0)) (init (step 0))" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (legal x take) (legal x pass)" \
  "(legal y take) (legal y pass)" \
  "(<= (next (points ?r ?n)) (does ?r take) (true (points ?r ?m)) (succ ?m " \
  "?n)) (<= (next (points ?r ?n)) (does ?r pass) (true (points ?r ?n)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= terminal (true (step 3)))" \
  "(<= (beats ?r ?s) (true (points ?r ?m)) (true (points ?s ?n)) (more ?m " \
  "?n)) (more 1 0) (more 2 0) (more 3 0) (more 2 1) (more 3 1) (more 3 2)" \
  "(<= (goal x 100) (beats x y)) (<= (goal x 0) (not (beats x y)))" \
  "(<= (goal y 100) (beats y x)) (<= (goal y 0) (not (beats y x)))"

static void check_points(bool ground) {
  TestGame book;
  Facts facts;
  Score score;
  const uint64_t *words;
  if (ground) {
    open_text(&book, POINTS);
  } else {
    BookLimits limits = {.rules = {.memory = (size_t)64 << 20}};
    description_init(&book.description, "text", POINTS, strlen(POINTS));
    book_init(&book.rules, &book.description, &limits, false);
  }
  facts_init(&facts, &book.description.rules.terms,
             ground ? &book.rules.net : NULL);
  assert_true(score_init(&score, &book.description.rules, &facts));
  Game *game = book_game(&book.rules);
  for (int step = 1; step <= 3; step++) {
    Move joint[2];
    for (uint32_t role = 0; role < 2; role++) {
      const Move *legal;
      uint32_t count = game_legal(game, role, &legal);
      for (uint32_t i = 0; i < count; i++) {
        Text text = {0};
        term_write(game_terms(game), game_move_term(game, role, legal[i]),
                   &text);
        if (strcmp(text.bytes, role == 0 ? "take" : "pass") == 0)
          joint[role] = legal[i];
        text_free(&text);
      }
    }
    game_make(game, joint);
    uint32_t count = game_state(game, &words);
    assert_true(score_value(&score, words, count, 0) == step);
    count = game_state(game, &words);
    assert_true(score_value(&score, words, count, 1) == 0);
  }
  game_delete(game);
  score_free(&score);
  facts_free(&facts);
  test_game_close(&book);
}

static void test_score(void **state) {
  (void)state;
  TestGame book;
  Facts facts;
  Score score;
  check_points(true);
  check_points(false);
  open_text(&book, SWITCHES); /* goals read no numbers */
  facts_init(&facts, &book.description.rules.terms, &book.rules.net);
  assert_false(score_init(&score, &book.description.rules, &facts));
  facts_free(&facts);
  test_game_close(&book);
}

/* ---- which strategy, which move ---- */

static void test_bandit(void **state) {
  (void)state;
  const bool all[] = {true, true, true}, some[] = {true, false, true};
  const double totals[] = {300, 900, 0}, even[] = {500, 500, 500};
  const uint32_t visits[] = {10, 20, 0}, seen[] = {10, 20, 5};
  assert_int_equal(strategy_bandit(totals, visits, all, 3, 40), 2);
  assert_int_equal(strategy_bandit(totals, seen, all, 3, 0), 1);
  assert_int_equal(strategy_bandit(totals, seen, some, 3, 0), 0);
  assert_int_equal(strategy_bandit(even, seen, all, 3, 40), 2);
  /* 30 + c √(ln 35 / 10), 45 + c √(ln 35 / 20), 0 + c √(ln 35 / 5) */
  assert_int_equal(strategy_bandit(totals, seen, all, 3, 100), 0);
  assert_int_equal(strategy_bandit(totals, seen, all, 3, 200), 2);
}

static Strategies *new_strategies(TestGame *book, const char *agent,
                                  Settings *settings) {
  Text error = {0};
  assert_true(settings_parse(settings, agent, &error));
  settings_adapt(settings, book->description.rules.roles.count);
  return strategy_new(&book->rules, settings,
                      book->description.rules.roles.count);
}

static void test_sevenths(void **state) {
  (void)state;
  TestGame book;
  Settings settings;
  uint32_t used[7] = {0}, kinds[EXPLORE_MOST + 1][2] = {{0}};
  const double value = 0;
  test_game_open(&book, "hunter", true);
  Strategies *strategies = new_strategies(&book, "mini", &settings);
  assert_int_equal(strategy_count(strategies), 7);
  for (int i = 0; i < 70; i++) {
    strategy_begin(strategies);
    used[strategy_of(strategies, 0)]++;
    strategy_end(strategies, &value);
  }
  for (uint32_t i = 0; i < 7; i++) {
    const Strategy *strategy = strategy_get(strategies, i);
    assert_int_equal(used[i], 10);
    if (strategy->kind == STRATEGY_EXPLORE)
      kinds[strategy->last][strategy->both]++;
    else
      assert_int_equal(strategy->kind, STRATEGY_RANDOM);
    assert_true(strategy->kind == STRATEGY_RANDOM ||
                (strategy->follow >= 0.7 && strategy->follow <= 0.95));
  }
  for (uint32_t last = 4; last <= 8; last += 2)
    assert_true(kinds[last][0] == 1 && kinds[last][1] == 1);
  strategy_delete(strategies);
  test_game_close(&book);
}

/* The kinds of exploration that an agent has, as bits 2 N + delta. */
static uint32_t exploration(TestGame *book, const char *agent) {
  Settings settings;
  uint32_t kinds = 0;
  Strategies *strategies = new_strategies(book, agent, &settings);
  for (uint32_t i = 0; i < strategy_count(strategies); i++) {
    const Strategy *strategy = strategy_get(strategies, i);
    if (strategy->kind != STRATEGY_EXPLORE) continue;
    uint32_t kind = 1u << (2 * strategy->last + strategy->both);
    assert_false(kinds & kind);
    kinds |= kind;
  }
  strategy_delete(strategies);
  return kinds;
}

static void test_depths(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "hunter", true);
  assert_int_equal(exploration(&book, "mini"), 0x33300);
  assert_int_equal(exploration(&book, "mini:depths=357"), 0xccc0);
  assert_int_equal(exploration(&book, "mini:depths=1-8"), 0x3fffc);
  assert_int_equal(exploration(&book, "mini:strategies=every"), 0x33300);
  assert_int_equal(exploration(&book, "mini-base"), 1 << 13);
  test_game_close(&book);
}

/* Goes on to a simulation with this kind of strategy. */
static void begin_with(Strategies *strategies, StrategyKind kind) {
  for (int tries = 0; tries < 100; tries++) {
    strategy_begin(strategies);
    if (strategy_get(strategies, strategy_of(strategies, 0))->kind == kind)
      return;
  }
  fail_msg("no such strategy");
}

/* From the start, `wide` leads to three moves, the others to one. `near` makes
   one of two conditions of the goal true, `far` changes most facts. */
#define CROSSING \
  "(role r) (init at) (init f1) (init f2) (<= (legal r wide) (true at))" \
  "(<= (legal r near) (true at)) (<= (legal r far) (true at))" \
  "(<= (legal r go) (not (true at))) (<= (legal r run) (true broad))" \
  "(<= (legal r hop) (true broad)) (<= (next broad) (does r wide))" \
  "(<= (next good) (does r near)) (<= (next good) (true good))" \
  "(<= (next g1) (does r far)) (<= (next g2) (does r far))" \
  "(<= (next g3) (does r far)) (<= (next f1) (true f1) (not (does r far)))" \
  "(<= (next f2) (true f2) (not (does r far))) (<= (next end) (does r go))" \
  "(<= (next end) (does r run)) (<= (next end) (does r hop))" \
  "(<= (next fine) (does r go)) (<= terminal (true end))" \
  "(<= (goal r 100) (true good) (true fine))" \
  "(<= (goal r 50) (true g1) (true g2) (true g3) (not (true good)))" \
  "(<= (goal r 20) (true f1) (true f2) (not (true good)))"

static void expect_choice(Strategies *strategies, const StrategyView *view,
                          StrategyKind kind, const char *expected) {
  const uint64_t *words;
  uint64_t looked = 0;
  Move move;
  begin_with(strategies, kind);
  uint32_t count = game_state(view->game, &words);
  strategy_see(strategies, words, count);
  assert_true(strategy_choose(strategies, view, &move, &looked));
  Text text = {0};
  term_write(game_terms(view->game), game_move_term(view->game, 0, move),
             &text);
  assert_string_equal(text.bytes, expected);
  assert_int_equal(looked, kind == STRATEGY_HISTORY ? 0 : 3);
  text_free(&text);
}

static void test_choices(void **state) {
  (void)state;
  TestGame book;
  Settings settings;
  Random random;
  Numbering moves;
  Mast mast;
  const Move *legal;
  open_text(&book, CROSSING);
  Strategies *strategies = new_strategies(
      &book, "mini:strategies=every,deal=equal,follow=1", &settings);
  Game *game = book_game(&book.rules);
  numbering_init(&moves, &book.rules.net);
  mast_init(&mast, 100, 10);
  mast_grow(&mast, numbering_count(&moves));
  random_seed(&random, 1);
  uint32_t count = game_legal(game, 0, &legal);
  assert_int_equal(count, 3);
  Text text = {0};
  for (uint32_t i = 0; i < count; i++) {
    text.length = 0;
    term_write(game_terms(game), game_move_term(game, 0, legal[i]), &text);
    mast_add(&mast, legal[i], 1, strcmp(text.bytes, "wide") == 0 ? 60 : 40);
  }
  text_free(&text);
  StrategyView view = {game, &random, &moves, &mast};
  for (int i = 0; i < 10; i++) {
    expect_choice(strategies, &view, STRATEGY_GOAL, "near");
    expect_choice(strategies, &view, STRATEGY_MOBILITY, "wide");
    expect_choice(strategies, &view, STRATEGY_EXPLORE, "far");
    expect_choice(strategies, &view, STRATEGY_HISTORY, "wide");
  }
  mast_free(&mast);
  numbering_free(&moves);
  game_delete(game);
  strategy_delete(strategies);
  test_game_close(&book);
}

/* ---- the multi-resolution table ---- */

static void test_resolution(void **state) {
  (void)state;
  static const char *const names[] = {"eightPuzzle", "hunter", "hanoi"};
  for (size_t g = 0; g < LENGTH(names); g++)
    for (int ground = 0; ground < 2; ground++) {
      TestGame book;
      Resolution table;
      Random random;
      const Move *legal;
      test_game_open(&book, names[g], ground);
      Game *game = book_game(&book.rules);
      resolution_init(&table, game_terms(game),
                      ground ? &book.rules.net : NULL);
      random_seed(&random, 2);
      uint64_t first = resolution_key(&table, game), before = first;
      for (int step = 0; step < 8; step++) {
        uint32_t count = game_legal(game, 0, &legal);
        Move move = legal[random_below(&random, count)];
        game_make(game, &move);
        uint64_t key = resolution_key(&table, game);
        assert_true(key != before); /* the step counter differs */
        assert_true(key == resolution_key(&table, game));
        before = key;
      }
      for (int step = 0; step < 8; step++) game_retract(game);
      assert_true(resolution_key(&table, game) == first);
      resolution_free(&table);
      game_delete(game);
      test_game_close(&book);
    }
}

/* Two states of an eight-puzzle after as many steps and with as many legal
   moves have the same hash by equation 6. */
static void test_collision(void **state) {
  (void)state;
  TestGame book;
  Resolution table;
  const Move *legal;
  test_game_open(&book, "eightPuzzle", true);
  Game *game = book_game(&book.rules);
  resolution_init(&table, game_terms(game), &book.rules.net);
  uint32_t count = game_legal(game, 0, &legal), equal = 0;
  MoveVector list = {0};
  uint64_t keys[2][9];
  for (uint32_t i = 0; i < count; i++) vector_push(&list, legal[i]);
  for (uint32_t i = 0; i < count; i++) {
    game_make(game, &list.data[i]);
    keys[0][i] = resolution_key(&table, game);
    keys[1][i] = game_key(game);
    game_retract(game);
    for (uint32_t j = 0; j < i; j++) {
      assert_true(keys[1][i] != keys[1][j]);
      equal += keys[0][i] == keys[0][j];
    }
  }
  assert_true(equal > 0);
  vector_free(&list);
  resolution_free(&table);
  game_delete(game);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_explore),  cmocka_unit_test(test_goal),
      cmocka_unit_test(test_degrees),  cmocka_unit_test(test_symbols),
      cmocka_unit_test(test_score),    cmocka_unit_test(test_bandit),
      cmocka_unit_test(test_sevenths), cmocka_unit_test(test_depths),
      cmocka_unit_test(test_choices),  cmocka_unit_test(test_resolution),
      cmocka_unit_test(test_collision)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
