/* What the analysis finds in games of the library, line by line; everything it
   calls proved is true in other random games; the prover refutes nothing that
   happens in random nets. */
#include "analyse/analysis.h"

#include "base/bits.h"
#include "game/book.h"
#include "support/games.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"

typedef struct Opened {
  Description description;
  Net net;
  Analysis analysis;
} Opened;

/* To be called when the description has been read. */
static void analyse(Opened *opened) {
  Text error = {0};
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  /* With enough time for everything, findings do not depend on the clock. */
  AnalysisOptions options = {.seed = 5,
                             .sample_seconds = 1000,
                             .prove_seconds = 1000,
                             .propagations = 100000};
  assert_true(games_net(&opened->description, &limits, &opened->net, &error));
  analysis_init(&opened->analysis, &opened->net, &opened->description,
                &options);
}

static void open_game(Opened *opened, const char *name) {
  char path[64];
  Text error = {0};
  snprintf(path, sizeof path, "games/%s.kif", name);
  assert_true(description_read(&opened->description, path, 1 << 20, &error));
  analyse(opened);
}

static void close_game(Opened *opened) {
  analysis_free(&opened->analysis);
  net_free(&opened->net);
  description_free(&opened->description);
}

/* ---- findings ---- */

static void check_lines(const char *name, const char *const *lines) {
  Opened opened;
  Text text = {0};
  open_game(&opened, name);
  text_add_byte(&text, '\n');
  analysis_write(&opened.analysis, &text);
  for (; *lines; lines++) {
    char wanted[300];
    snprintf(wanted, sizeof wanted, "\n%s\n", *lines);
    if (!strstr(text.bytes, wanted))
      fail_msg("%s: no line \"%s\" in%s", name, *lines, text.bytes);
  }
  text_free(&text);
  close_game(&opened);
}

#define CHECK(name, ...) \
  check_lines(name, (const char *const[]){__VA_ARGS__, NULL})

static void test_connect_four(void **state) {
  (void)state;
  CHECK("connectFour", "turns: taken (proved)",
        "clock: 2 values from (control red) to (control black) (proved)",
        "latches: 84 fluents stay true for good (84 proved)",
        "parts: 1, and 2 autonomous fluents", "goals: add up to 100 (proved)",
        "board: cell, 42 places, place of 7 by numbers place of 6 by numbers "
        "piece of 2; one piece a place (proved)");
}

static void test_breakthrough(void **state) {
  (void)state;
  CHECK("breakthrough", "turns: taken (proved)",
        "latches: 16 fluents stay false for good (16 proved)",
        "goals of white: 0 to 100, one at a time (proved), in 1 of 1 parts",
        "board: cell, 64 places, place of 8 by numbers place of 8 by numbers "
        "piece of 2; one piece a place (proved)",
        "moves of white: 154 move, from argument 1 to argument 3 of cell");
}

static void test_simultaneous(void **state) {
  (void)state;
  CHECK("ticTicToe", "turns: simultaneous",
        "counter: 7 values from (step 1) to (step 7) (proved), which is "
        "terminal (proved)",
        "ends: always, within 6 steps (proved)",
        "moves of x: 9 mark, to argument 1 of cell");
}

static void test_puzzles(void **state) {
  (void)state;
  CHECK("buttons", "turns: one role", "ends: always, within 6 steps (proved)");
  CHECK("eightPuzzle", "ends: always, within 60 steps (proved)",
        "moves of player: 9 slide, to argument 1 of cell");
  CHECK("knightsTour",
        "board: knight, 30 places, place of 6 by numbers place of 5 by "
        "numbers; one piece a place (proved)",
        "moves of robot: 124 move, from argument 1 to argument 3 of knight");
}

/* Two boards with a move in one of them; two ships that move in turn. */
static void test_parts(void **state) {
  (void)state;
  Opened opened;
  open_game(&opened, "chinook");
  assert_int_equal(opened.analysis.turns.taking, EVIDENCE_NONE);
  close_game(&opened);
  open_game(&opened, "asteroids");
  assert_int_equal(opened.analysis.subgames.count, 1);
  close_game(&opened);
}

/* ---- sums of goals ---- */

/* A lock whose code no random game finds: only then both roles get 100. */
static const char *const lock =
    "(role a) (role b) (init (at 0)) (init (key 0))"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(code 0 3) (code 1 7) (code 2 1) (code 3 9) (code 4 2) (code 5 5)"
    "(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6)"
    "(digit 7) (digit 8) (digit 9)"
    "(<= (legal a (turn ?d)) (digit ?d)) (legal b noop)"
    "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))"
    "(<= (next (key ?y)) (true (key ?x)) (code ?x ?d) (does a (turn ?d))"
    "    (succ ?x ?y))"
    "(<= terminal (true (at 6))) (goal a 100)"
    "(<= (goal b 0) (not (true (key 6))))";

static Evidence evidence_of_sum(const char *more) {
  Opened opened;
  Text text = {0};
  text_format(&text, "%s %s", lock, more);
  front_read(&opened.description, text.bytes);
  analyse(&opened);
  Evidence evidence = opened.analysis.constant_sum;
  close_game(&opened);
  text_free(&text);
  return evidence;
}

/* What samples show is not a proof; a role without a goal has 0. */
static void test_sums(void **state) {
  (void)state;
  assert_int_equal(evidence_of_sum("(<= (goal b 100) (true (key 6)))"),
                   EVIDENCE_SAMPLED);
  assert_int_equal(evidence_of_sum("(<= (goal b 0) (true (key 6)))"),
                   EVIDENCE_PROVED);
}

/* ---- places of moves ---- */

/* Moves that name two squares and change the second, the first, both, neither,
   or the first only at certain times of a clock. */
static const char *const squares =
    "(role r) (i 1) (i 2) (i 3) (turn a b) (turn b c) (turn c a)"
    "(<= (init (cell ?x ?y a)) (i ?x) (i ?y))"
    "(init (clock a)) (<= (next (clock ?q)) (true (clock ?p)) (turn ?p ?q))"
    "(kind second) (kind first) (kind both) (kind neither) (kind seldom)"
    "(<= (pair ?x ?y ?u ?v) (i ?x) (i ?y) (i ?u) (i ?v) (distinct ?x ?u))"
    "(<= (legal r (second ?x ?y ?u ?v)) (pair ?x ?y ?u ?v))"
    "(<= (legal r (first ?x ?y ?u ?v)) (pair ?x ?y ?u ?v))"
    "(<= (legal r (both ?x ?y ?u ?v)) (pair ?x ?y ?u ?v))"
    "(<= (legal r (neither ?x ?y ?u ?v)) (pair ?x ?y ?u ?v))"
    "(<= (legal r (seldom ?x ?y ?u ?v)) (pair ?x ?y ?u ?v))"
    "(<= (touched ?u ?v) (does r (second ?x ?y ?u ?v)))"
    "(<= (touched ?x ?y) (does r (first ?x ?y ?u ?v)))"
    "(<= (touched ?x ?y) (does r (both ?x ?y ?u ?v)))"
    "(<= (touched ?u ?v) (does r (both ?x ?y ?u ?v)))"
    "(<= (touched ?x ?y) (does r (seldom ?x ?y ?u ?v)) (true (clock a)))"
    "(<= (touched ?u ?v) (does r (seldom ?x ?y ?u ?v)))"
    "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (touched ?x ?y)))"
    "(<= (next (cell ?x ?y ?q)) (true (cell ?x ?y ?p)) (touched ?x ?y)"
    "    (turn ?p ?q))"
    "(<= terminal (true (cell 1 1 z))) (goal r 0)";

static const MoveShape *shape_named(const Opened *opened, const char *name) {
  const Places *places = &opened->analysis.places;
  const Symbols *symbols = &opened->description.rules.terms.symbols;
  for (uint32_t s = 0; s < places->shapes.count; s++)
    if (strcmp(symbol_text(symbols, places->shapes.data[s].functor), name) == 0)
      return &places->shapes.data[s];
  fail_msg("no moves called %s", name);
  return NULL;
}

static void test_places_of_moves(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t from, to;
  } known[] = {{"second", UINT32_MAX, 2},
               {"first", 0, UINT32_MAX},
               {"both", 0, 2},
               {"neither", UINT32_MAX, UINT32_MAX},
               {"seldom", UINT32_MAX, 2}};
  Opened opened;
  front_read(&opened.description, squares);
  analyse(&opened);
  assert_int_equal(opened.analysis.places.boards.count, 1);
  assert_int_equal(opened.analysis.places.boards.data[0].place, 3);
  for (size_t i = 0; i < LENGTH(known); i++) {
    const MoveShape *shape = shape_named(&opened, known[i].name);
    assert_int_equal(shape->count, 54);
    assert_true(shape->made > 1000);
    assert_int_equal(shape->from, known[i].from);
    assert_int_equal(shape->to, known[i].to);
  }
  close_game(&opened);
}

/* A game of two rows of three lamps; with `tuples` a move switches one in each
   row. */
static void make_lamps(Net *net, Terms *terms, bool tuples) {
  Signal lamps[2][3], moves[9];
  net_init(net, 1);
  for (uint32_t i = 0; i < 6; i++)
    lamps[i / 3][i % 3] =
        net_add_fluent(net, random_net_term(terms, "lamp", i), false);
  uint32_t count = tuples ? 9 : 6;
  for (uint32_t i = 0; i < count; i++) {
    moves[i] = net_add_move(net, 0, random_net_term(terms, "press", i));
    net->moves.data[i].legal = SIGNAL_TRUE;
  }
  for (uint32_t i = 0; i < 6; i++) {
    Signal list[4] = {lamps[i / 3][i % 3]};
    uint32_t n = 1;
    for (uint32_t m = 0; m < count; m++)
      if (tuples ? (i < 3 ? m / 3 == i : m % 3 == i - 3) : m == i)
        list[n++] = moves[m];
    net->fluents.data[i].next = net_or(net, list, n);
  }
  Signal rows[2];
  for (uint32_t r = 0; r < 2; r++) rows[r] = net_and(net, lamps[r], 3);
  Signal both[2] = {rows[0], rows[1]};
  net->terminal = net_and(net, both, 2);
  NetGoal goal = {0, 100, front_term(terms, "100"), net->terminal};
  vector_push(&net->goals, goal);
}

static void check_lamps(bool tuples) {
  Description description;
  Net net;
  Analysis analysis;
  AnalysisOptions options = analysis_default;
  front_read(&description, "(role robot)");
  make_lamps(&net, &description.rules.terms, tuples);
  options.prove_seconds = options.sample_seconds = 1000;
  analysis_init(&analysis, &net, &description, &options);
  assert_int_equal(analysis.subgames.count, 2);
  assert_int_equal(analysis.subgames.parallel, tuples);
  assert_int_equal(analysis.subgames.list[0].fluents, 3);
  assert_int_equal(analysis.subgames.list[0].moves, tuples ? 9 : 3);
  assert_int_equal(analysis.goals[0].parts, 3);
  for (uint32_t i = 0; i < 6; i++)
    assert_int_equal(analysis.changes.stays_true[i], EVIDENCE_PROVED);
  analysis_free(&analysis);
  net_free(&net);
  description_free(&description);
}

static void test_lamps(void **state) {
  (void)state;
  check_lamps(false);
  check_lamps(true);
}

/* Limits are counted in work: they cut off in the same place every time. */
static void test_limits(void **state) {
  (void)state;
  AnalysisOptions options = analysis_default;
  Text lines[2] = {{0}, {0}};
  uint64_t states[2];
  options.sample_seconds = 0.006;
  options.prove_seconds = 0.02;
  for (int i = 0; i < 2; i++) {
    Opened opened;
    open_game(&opened, "breakthrough");
    analysis_free(&opened.analysis);
    analysis_init(&opened.analysis, &opened.net, &opened.description, &options);
    analysis_write(&opened.analysis, &lines[i]);
    states[i] = opened.analysis.states;
    assert_in_range(states[i], 64 * 10, 64 * 500);
    close_game(&opened);
  }
  assert_int_equal(states[0], states[1]);
  assert_string_equal(lines[0].bytes, lines[1].bytes);
  text_free(&lines[0]);
  text_free(&lines[1]);
}

/* Two functors say whose turn it is and for what, and a fact without arguments
   is true after each round. */
static void test_united_turns(void **state) {
  (void)state;
  static const char *const names[] = {"(put 1)", "(turn 1)", "(put 2)",
                                      "(turn 2)", "pause"};
  Description description;
  Net net;
  Analysis analysis;
  front_read(&description, "(role robot)");
  Terms *terms = &description.rules.terms;
  net_init(&net, 1);
  for (uint32_t i = 0; i < LENGTH(names); i++)
    net_add_fluent(&net, front_term(terms, names[i]), i == 0);
  net_add_fluent(&net, front_term(terms, "lit"), true); /* always true */
  vector_last(&net.fluents).next = SIGNAL_TRUE;
  net_add_move(&net, 0, front_term(terms, "go"));
  net.moves.data[0].legal = SIGNAL_TRUE;
  for (uint32_t i = 0; i < LENGTH(names); i++)
    net.fluents.data[(i + 1) % LENGTH(names)].next =
        gate_signal(net.fluents.data[i].gate);
  analysis_init(&analysis, &net, &description, &analysis_default);
  const OneHotGroup *last = &vector_last(&analysis.onehot.groups);
  assert_true(last->main);
  assert_int_equal(last->count, LENGTH(names));
  assert_int_equal(last->at_most, EVIDENCE_PROVED);
  assert_int_equal(last->at_least, EVIDENCE_PROVED);
  for (uint32_t i = 0; i < LENGTH(names); i++)
    assert_int_equal(analysis.onehot.group_of[i], analysis.onehot.groups.count);
  assert_int_equal(analysis.changes.counters.count, 1);
  assert_true(analysis.changes.counters.data[0].cyclic);
  assert_int_equal(analysis.changes.counters.data[0].count, LENGTH(names));
  analysis_free(&analysis);
  net_free(&net);
  description_free(&description);
}

/* ---- what is proved is true ---- */

static void check_groups(const Analysis *analysis, const Sample *sample) {
  const OneHot *onehot = &analysis->onehot;
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    uint64_t one = 0, two = 0;
    for (uint32_t i = 0; i < group->count; i++) {
      uint64_t value = sample->state[onehot_members(onehot, group)[i]];
      two |= one & value;
      one |= value;
    }
    if (group->at_most == EVIDENCE_PROVED) assert_true(two == 0);
    if (group->at_least == EVIDENCE_PROVED) assert_true(one == UINT64_MAX);
  }
}

static void check_changes(const Analysis *analysis, const Sample *sample) {
  const Changes *changes = &analysis->changes;
  const NetFluent *fluents = analysis->net->fluents.data;
  for (uint32_t i = 0; i < analysis->net->fluents.count; i++) {
    uint64_t now = sample->state[i];
    uint64_t next = sample_value(sample, fluents[i].next);
    if (changes->stays_true[i] == EVIDENCE_PROVED)
      assert_true((now & ~next & sample->moving) == 0);
    if (changes->stays_false[i] == EVIDENCE_PROVED)
      assert_true((~now & next & sample->moving) == 0);
  }
  for (uint32_t i = 0; i < changes->counters.count; i++) {
    const Counter *counter = &changes->counters.data[i];
    const uint32_t *order = changes->order.data + counter->first;
    for (uint32_t j = 0; j + 1 < counter->count; j++)
      if (counter->advances == EVIDENCE_PROVED)
        assert_true((sample->state[order[j]] & sample->moving &
                     ~sample_value(sample, fluents[order[j + 1]].next)) == 0);
    if (counter->ends == EVIDENCE_PROVED)
      assert_true(
          (sample->state[order[counter->count - 1]] & ~sample->terminal) == 0);
  }
}

static void check_turns(const Analysis *analysis, const Sample *sample) {
  const Net *net = analysis->net;
  uint64_t some = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    const RoleTurn *turn = &analysis->turns.roles[role];
    uint64_t one = 0, two = 0, waiting = 0;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++) {
      uint64_t legal =
          sample_value(sample, net->moves.data[m].legal) & sample->moving;
      two |= one & legal;
      one |= legal;
      if (analysis->turns.waiting[m] == EVIDENCE_PROVED) waiting |= legal;
    }
    assert_true((two & waiting) == 0);
    if (analysis->turns.taking == EVIDENCE_PROVED)
      assert_true((some & two) == 0);
    if (turn->fluent != no_fluent && turn->fluent_known == EVIDENCE_PROVED)
      assert_true((two & ~sample->state[turn->fluent]) == 0);
    some |= two;
  }
}

static void check_proofs(const char *name) {
  Opened opened;
  Sample sample;
  open_game(&opened, name);
  sample_init(&sample, &opened.net, 99, 1000);
  for (int i = 0; i < 300; i++) {
    sample_step(&sample);
    check_groups(&opened.analysis, &sample);
    check_changes(&opened.analysis, &sample);
    check_turns(&opened.analysis, &sample);
  }
  sample_free(&sample);
  close_game(&opened);
}

static void test_proofs_hold(void **state) {
  (void)state;
  static const char *const names[] = {
      "ticTacToe", "connectFour", "breakthrough", "pancakes",    "blocker",
      "hanoi",     "lightsOut",   "nim",          "blocksWorld", "pentago"};
  for (size_t i = 0; i < LENGTH(names); i++) check_proofs(names[i]);
}

/* ---- the prover ---- */

/* Returns whether both signals are true in some random state that is not
   terminal, with legal moves. */
static bool happens(const Net *net, Random *random, Signal a, Signal b) {
  bool *fluents = memory_new(net->fluents.count);
  bool *moves = memory_new(net->moves.count);
  bool *values = memory_new(net->gates.count);
  bool both = true;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    fluents[i] = random_below(random, 2);
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    moves[first +
          random_below(random, net->role_first.data[role + 1] - first)] = true;
  }
  net_evaluate(net, fluents, moves, values);
#define TRUE(signal) (values[signal_gate(signal)] != signal_negated(signal))
  for (uint32_t m = 0; m < net->moves.count; m++)
    both &= !moves[m] || TRUE(net->moves.data[m].legal);
  both &= !TRUE(net->terminal) && TRUE(a) && TRUE(b);
#undef TRUE
  memory_delete(fluents);
  memory_delete(moves);
  memory_delete(values);
  return both;
}

static void test_prover_is_sound(void **state) {
  (void)state;
  uint32_t refuted = 0;
  Random random;
  random_seed(&random, 17);
  for (int i = 0; i < 60; i++) {
    Terms terms;
    Net net;
    terms_init(&terms);
    random_net(&net, &terms, &random, i % 2);
    Prover *prover = prover_new(&net, 100000, 1000);
    for (int j = 0; j < 20; j++) {
      Signal a = 2 + random_below(&random, net.gates.count * 2 - 2);
      Signal b = 2 + random_below(&random, net.gates.count * 2 - 2);
      if (!prover_excludes(prover, a, b)) continue;
      refuted++;
      for (int k = 0; k < 50; k++) assert_false(happens(&net, &random, a, b));
    }
    prover_delete(prover);
    net_free(&net);
    terms_free(&terms);
  }
  assert_true(refuted > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_connect_four),
      cmocka_unit_test(test_breakthrough),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_united_turns),
      cmocka_unit_test(test_simultaneous),
      cmocka_unit_test(test_puzzles),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_places_of_moves),
      cmocka_unit_test(test_lamps),
      cmocka_unit_test(test_proofs_hold),
      cmocka_unit_test(test_prover_is_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
