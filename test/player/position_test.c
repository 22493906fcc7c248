/* Where a match stands when game masters send the expected turn, and when they
   do not. */
#include "player/position.h"

#include "base/clock.h"
#include "engine/moves.h"
#include "rules/rules.h"
#include "support/games.h"

/* Two roles take turns in adding one, two or Three to a sum; the other waits.
   The state is the sum and whose turn it is. */
#define GAME_COUNT \
  "(role Anna) (role Bob) (init (sum 0)) (init (turn Anna))" \
  "(other Anna Bob) (other Bob Anna)" \
  "(<= (legal ?r (add 1)) (true (turn ?r)))" \
  "(<= (legal ?r (add 2)) (true (turn ?r)))" \
  "(<= (legal ?r (add Three)) (true (turn ?r)))" \
  "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))" \
  "(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))" \
  "(<= (next (sum ?s)) (does ?r (add ?n)) (true (sum ?m)) (plus ?m ?n ?s))" \
  "(<= (plus ?m 1 ?s) (succ ?m ?s))" \
  "(<= (plus ?m 2 ?s) (succ ?m ?n) (succ ?n ?s))" \
  "(<= (plus ?m Three ?s) (succ ?m ?n) (plus ?n 2 ?s))" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)" \
  "(<= over (true (sum 10))) (<= over (true (sum 11)))" \
  "(<= over (true (sum 12))) (<= terminal over)" \
  "(<= (goal ?r 100) (true (turn ?r))) (<= (goal ?r 0) (role ?r)" \
  "(not (true (turn ?r))))"

/* Both choose at once, forever: every joint move is always legal. */
#define GAME_AGAIN \
  "(role x) (role y) (init (n a)) (<= (legal ?r rock) (role ?r))" \
  "(<= (legal ?r paper) (role ?r))" \
  "(<= (next (n (s ?n))) (true (n ?n))) (<= terminal (true (n never)))" \
  "(<= (goal ?r 50) (role ?r))"

typedef struct Table {
  Description description;
  Game *game;
  Position position;
  Text notes;
} Table;

static void sit(Table *table, const char *rules, uint32_t role) {
  *table = (Table){0};
  BookLimits limits = games_limits();
  games_read(&table->description, rules);
  table->game = rules_engine_new(&table->description, &limits.rules);
  position_init(&table->position, table->game, role, 1, clock_now() + 10);
}

static void rise(Table *table) {
  position_free(&table->position);
  text_free(&table->notes);
  game_delete(table->game);
  description_free(&table->description);
}

/* Plays lines of moves; returns how many steps still hold. */
static uint32_t play(Table *table, const char *lines) {
  TextVector moves = {0};
  spelling_split(lines, &moves);
  text_clear(&table->notes);
  uint32_t kept =
      position_play(&table->position, &moves, clock_now() + 10, &table->notes);
  text_vector_free(&moves);
  return kept;
}

static void expect_steps(const Table *table, uint32_t count) {
  assert_int_equal(table->position.history.count, count);
}

static void expect_step(const Table *table, uint32_t i, const char *lines) {
  assert_true(i < table->position.history.count);
  assert_string_equal(text_string(&table->position.history.data[i]), lines);
}

static void expect_note(const Table *table, const char *part) {
  if (!strstr(text_string(&table->notes), part))
    fail_msg("'%s' is not in: %s", part, text_string(&table->notes));
}

static bool has_fact(Table *table, const char *text) {
  const Term *facts;
  uint32_t count = game_facts(table->position.game, &facts);
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    Text fact = {0};
    term_write(game_terms(table->position.game), facts[i], &fact);
    found = strcmp(fact.bytes, text) == 0;
    text_free(&fact);
  }
  return found;
}

/* ---- texts ---- */

static void texts_have_one_form(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"noop", "noop"},
      {"(noop)", "noop"},
      {" ( noop ) ", "noop"},
      {"(mark 1 2)", "(mark 1 2)"},
      {"( mark  1\n2 )", "(mark 1 2)"},
      {"(move (a) (f (b) c))", "(move a (f b c))"},
      {"(move(f a)b)", "(move (f a) b)"},
      {"((a b) c)", "((a b) c)"},
      {"()", "()"},
      {"(", "("},
      {"(a", "(a"},
      {")", ")"},
      {"", ""},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Text normal = {0};
    spelling_normal(cases[i][0], &normal);
    assert_string_equal(text_string(&normal), cases[i][1]);
    text_free(&normal);
  }
  assert_true(spelling_same("(Mark 1 (a))", "( mark 1 A)"));
  assert_false(spelling_same("(mark 1 2)", "(mark 12)"));
}

static void roles_by_name(void **state) {
  (void)state;
  Description description;
  games_read(&description, "(role x) (role X) (role y) (init a) (legal x b)"
                           "(legal X b) (legal y b) (<= terminal (true a))"
                           "(<= (goal ?r 1) (role ?r)) (next a)");
  static const char *const names[] = {"x", "X", "Y", "(y)"};
  static const uint32_t roles[] = {0, 1, 2, 2};
  uint32_t role;
  for (size_t i = 0; i < LENGTH(names); i++) {
    assert_true(spelling_role(&description, names[i], &role));
    assert_int_equal(role, roles[i]);
  }
  assert_false(spelling_role(&description, "z", &role));
  description_free(&description);
}

static void spelled_exactly_first(void **state) {
  (void)state;
  Table table;
  sit(&table,
      "(role x) (init a) (legal x go) (legal x GO) (legal x Gone)"
      "(<= (next (did ?m)) (does x ?m)) (<= terminal (not (true a)))"
      "(goal x 50)",
      0);
  static const char *const cases[][2] = {
      {"go", "go"}, {"GO", "GO"}, {"(GO)", "GO"}, {"gone", "Gone"}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Move move;
    Text text = {0};
    assert_true(spelling_find(table.game, 0, cases[i][0], &move));
    moves_write(table.game, 0, move, &text);
    assert_string_equal(text.bytes, cases[i][1]);
    text_free(&text);
  }
  Move move;
  assert_false(spelling_find(table.game, 0, "gon", &move));
  assert_false(spelling_find(table.game, 0, "", &move));
  rise(&table);
}

/* ---- expected turns ---- */

static void turns_as_they_come(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 0);
  assert_int_equal(table.position.legal.count, 3);
  assert_int_equal(play(&table, ""), 0);
  assert_string_equal(text_string(&table.notes), "");
  position_answer(&table.position, "(add 2)");
  assert_int_equal(play(&table, "(add 2)\nwait"), 0);
  assert_string_equal(text_string(&table.notes), "");
  assert_true(has_fact(&table, "(sum 2)"));
  assert_int_equal(table.position.legal.count, 1);
  assert_true(position_has(&table.position, "wait"));
  /* in another case and form; the step is spelled as in the rules */
  assert_int_equal(play(&table, "(WAIT)\n(ADD three)"), 1);
  assert_string_equal(text_string(&table.notes), "");
  expect_step(&table, 1, "wait\n(add Three)");
  assert_true(has_fact(&table, "(sum 5)"));
  rise(&table);
}

static void the_game_master_is_right(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 0);
  position_answer(&table.position, "(add 2)");
  assert_int_equal(play(&table, "(add 1)\nwait"), 0);
  expect_note(&table, "replaced");
  expect_steps(&table, 1);
  assert_true(has_fact(&table, "(sum 1)"));
  rise(&table);
}

/* ---- unexpected turns ---- */

static void repeated_turns(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 0);
  play(&table, "(add 2)\nwait");
  position_answer(&table.position, "wait");
  assert_int_equal(play(&table, "(add 2)\nwait"), 1);
  expect_note(&table, "was repeated");
  expect_steps(&table, 1);
  assert_true(has_fact(&table, "(sum 2)"));
  assert_string_equal(table.position.answered.bytes, "wait");
  play(&table, "");
  expect_note(&table, "NIL after 1");
  expect_steps(&table, 1);
  rise(&table);
}

/* If everything is always legal, our own move tells a repetition apart. */
static void repeated_where_all_is_legal(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_AGAIN, 1);
  play(&table, "rock\nrock");
  position_answer(&table.position, "paper");
  assert_int_equal(play(&table, "rock\nrock"), 1);
  expect_steps(&table, 1);
  assert_int_equal(play(&table, "rock\npaper"), 1);
  expect_steps(&table, 2);
  position_answer(&table.position, "paper");
  assert_int_equal(play(&table, "rock\npaper"), 2);
  expect_steps(&table, 3);
  /* our answer is not known: it counts as a new turn */
  assert_int_equal(play(&table, "rock\npaper"), 3);
  expect_steps(&table, 4);
  rise(&table);
}

static void our_turn_skipped(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 0);
  position_answer(&table.position, "(add 2)");
  assert_int_equal(play(&table, "wait\n(add Three)"), 0);
  expect_note(&table, "skipped");
  expect_steps(&table, 2);
  expect_step(&table, 0, "(add 2)\nwait");
  expect_step(&table, 1, "wait\n(add Three)");
  assert_true(has_fact(&table, "(sum 5)"));
  assert_int_equal(table.position.legal.count, 3);
  rise(&table);
}

static void their_turn_skipped(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 1);
  position_answer(&table.position, "wait");
  play(&table, "wait\n(add 1)");
  expect_note(&table, "3 fit");
  expect_steps(&table, 2);
  rise(&table);
}

static void the_last_turn_corrected(void **state) {
  (void)state;
  Table table;
  sit(&table,
      "(role x) (role y) (init a) (legal x stop) (<= (legal ?r go) (role ?r)"
      "(true a)) (legal y stop) (<= (next b) (true a)) (<= terminal (true b))"
      "(<= (next (did ?r ?m)) (does ?r ?m)) (<= (goal ?r 50) (role ?r))",
      0);
  play(&table, "stop\ngo");
  expect_steps(&table, 1);
  assert_int_equal(play(&table, "go\ngo"), 0);
  expect_note(&table, "different");
  expect_steps(&table, 1);
  expect_step(&table, 0, "go\ngo");
  assert_true(has_fact(&table, "(did x go)"));
  rise(&table);
}

static void nonsense_changes_nothing(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"(add 2)", "each role"},
      {"(add 2)\nwait\nwait", "each role"},
      {"(add 9)\nwait", "Anna is not legal"},
      {"what\never", "Anna is not legal"},
      {"((((\n))))", "Anna is not legal"},
      {"(add 1)\n(add 1)", "Bob is not legal"},
      {"?x\n?y", "Anna is not legal"},
  };
  Table table;
  sit(&table, GAME_COUNT, 0);
  for (uint32_t step = 0; step < 2; step++) {
    uint64_t hash = game_state_hash(table.game);
    for (size_t i = 0; i < LENGTH(cases); i++) {
      if (step == 1 && i >= 2) continue; /* Bob's turn: other notes */
      assert_int_equal(play(&table, cases[i][0]), step);
      expect_note(&table, cases[i][1]);
      expect_steps(&table, step);
      assert_true(game_state_hash(table.game) == hash);
      assert_int_equal(table.position.legal.count, step ? 1 : 3);
    }
    play(&table, "(add 2)\nwait");
  }
  rise(&table);
}

static void messages_after_the_end(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_PUZZLE, 0);
  for (uint32_t i = 0; i < 5; i++) play(&table, "left");
  assert_true(game_terminal(table.game));
  expect_steps(&table, 2);
  expect_note(&table, "was repeated");
  play(&table, "up");
  expect_note(&table, "not legal");
  play(&table, "");
  assert_true(game_terminal(table.game));
  assert_int_equal(table.position.legal.count, 2);
  rise(&table);
}

static void three_at_once(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_THREE, 2);
  play(&table, "YES\nno\n(no)");
  expect_step(&table, 0, "yes\nno\nno");
  assert_int_equal(game_goal(table.game, 0), 30);
  rise(&table);
}

/* ---- replacements ---- */

static void replayed_from_any_step(void **state) {
  (void)state;
  static const char *const moves[] = {"(add 2)\nwait", "wait\n(add 1)",
                                      "(add Three)\nwait", "wait\n(add 2)"};
  Table table;
  TextVector history = {0};
  sit(&table, GAME_COUNT, 0);
  for (size_t i = 0; i <= LENGTH(moves); i++) {
    Table other;
    sit(&other, GAME_COUNT, 0);
    position_replay(&other.position, &history, clock_now() + 10, &other.notes);
    assert_string_equal(text_string(&other.notes), "");
    expect_steps(&other, (uint32_t)i);
    assert_true(game_state_hash(other.game) == game_state_hash(table.game));
    assert_int_equal(other.position.legal.count, table.position.legal.count);
    rise(&other);
    if (i == LENGTH(moves)) break;
    Text lines = {0};
    text_add(&lines, moves[i]);
    vector_push(&history, lines);
    play(&table, moves[i]);
  }
  text_vector_free(&history);
  rise(&table);
}

static void another_engine(void **state) {
  (void)state;
  Table table;
  Description description;
  BookLimits limits = games_limits();
  Book book;
  sit(&table, GAME_COUNT, 0);
  play(&table, "(add 2)\nwait");
  games_read(&description, GAME_COUNT);
  book_init(&book, &description, &limits, true);
  assert_true(book.has_net);
  Game *net = book_game(&book);
  assert_true(position_adopt(&table.position, net));
  assert_ptr_equal(table.position.game, net);
  play(&table, "wait\n(add 1)");
  assert_true(has_fact(&table, "(sum 3)"));
  play(&table, "wait\n(add Three)"); /* skipped */
  expect_steps(&table, 4);
  game_delete(net);
  book_free(&book);
  description_free(&description);
  rise(&table);
}

/* An engine of other rules is rejected. */
static void another_game_is_not_adopted(void **state) {
  (void)state;
  Table table;
  Description description;
  BookLimits limits = games_limits();
  sit(&table, GAME_PUZZLE, 0);
  play(&table, "left");
  games_read(&description, "(role solver) (init (step 0)) (legal solver left)"
                           "(<= (next (step 5)) (true (step 0)))"
                           "(<= terminal (true (step 5))) (goal solver 0)");
  Game *game = rules_engine_new(&description, &limits.rules);
  assert_false(position_adopt(&table.position, game));
  assert_ptr_equal(table.position.game, table.game);
  game_delete(game);
  description_free(&description);
  rise(&table);
}

/* The history continues after the engine has failed. */
static void after_the_engine_failed(void **state) {
  (void)state;
  Table table;
  sit(&table, GAME_COUNT, 0);
  play(&table, "(add 2)\nwait");
  text_add(&table.game->error, "a limit");
  Text notes = {0};
  position_replay(&table.position, &(TextVector){0}, clock_now() + 10, &notes);
  text_free(&notes);
  assert_int_equal(table.position.legal.count, 0);
  assert_int_equal(play(&table, "(WAIT)\n(add three)"), 1);
  expect_steps(&table, 2);
  Description description;
  BookLimits limits = games_limits();
  games_read(&description, GAME_COUNT);
  Game *game = rules_engine_new(&description, &limits.rules);
  assert_true(position_adopt(&table.position, game));
  assert_true(has_fact(&table, "(sum 5)"));
  assert_int_equal(table.position.legal.count, 3);
  game_delete(game);
  description_free(&description);
  rise(&table);
}

/* ---- what cannot be had in time ---- */

/* Ten digits, and a body `@` of eleven different ones, which never ends. */
static void sit_endless(Table *table, const char *rules) {
  Text text = {0};
  text_add(&text, "(role x) (role y) (init (sum 0)) (goal x 0) (goal y 0)"
                  "(<= terminal (true (sum 9))) (legal y go)"
                  "(<= (next (sum ?s)) (true (sum ?r)) (succ ?r ?s))"
                  "(succ 0 1) (succ 1 2) (succ 2 3)");
  for (int i = 0; i < 10; i++) text_format(&text, "(d %d)", i);
  for (const char *c = rules; *c; c++) {
    if (*c != '@') text_add_byte(&text, *c);
    for (int i = 0; *c == '@' && i < 11; i++) {
      text_format(&text, "(d ?v%d)", i);
      for (int j = 0; j < i; j++)
        text_format(&text, "(distinct ?v%d ?v%d)", i, j);
    }
  }
  sit(table, text.bytes, 0);
  text_free(&text);
}

static void expect_known(const Table *table, const char *move) {
  Text any = {0};
  assert_true(position_any(&table->position, true, &any));
  assert_string_equal(any.bytes, move);
  text_free(&any);
}

/* Plays lines of moves with little time. */
static void play_soon(Table *table, const char *lines) {
  TextVector moves = {0};
  spelling_split(lines, &moves);
  position_play(&table->position, &moves, clock_now() + 1, &table->notes);
  text_vector_free(&moves);
}

static void some_legal_moves(void **state) {
  (void)state;
  Table table;
  sit_endless(&table, "(<= (legal x never) @) (<= (legal x (to ?s))"
                      "(true (sum ?s)))");
  for (uint32_t step = 0; step < 3; step++) {
    char move[20], joint[30];
    snprintf(move, sizeof move, "(to %u)", step);
    snprintf(joint, sizeof joint, "( TO %u )\nGo", step);
    assert_false(table.position.complete);
    expect_known(&table, move);
    assert_true(position_has(&table.position, move));
    assert_false(position_has(&table.position, "(to 7)"));
    assert_false(position_has(&table.position, "(to"));
    assert_false(position_has(&table.position, "other"));
    play_soon(&table, joint);
    expect_steps(&table, step + 1);
  }
  expect_step(&table, 0, "(to 0)\ngo");
  assert_false(game_failed(table.game));
  rise(&table);
}

/* The state is not known after a step: what is legal in every state is known,
   and what is legal in the facts that were found is likely. */
static void an_unknown_state(void **state) {
  (void)state;
  Table table;
  sit_endless(&table, "(<= (next (lost ?v0)) @) (<= (legal x (to ?s))"
                      "(true (sum ?s))) (<= (legal x any) (d ?d))");
  expect_known(&table, "any");
  play_soon(&table, "(to 0)\ngo");
  expect_note(&table, "not known yet");
  expect_steps(&table, 1);
  assert_int_equal(table.position.made, 0);
  expect_known(&table, "any");
  assert_true(position_lags(&table.position));
  text_clear(&table.notes);
  while (position_lags(&table.position))
    assert_false(
        position_catch_up(&table.position, clock_now() + 0.05, &table.notes));
  expect_note(&table, "the state after 1 steps cannot be found");
  play_soon(&table, "( any )\nGO");
  expect_step(&table, 1, "any\nGO");
  assert_false(position_lags(&table.position));
  rise(&table);
}

static void a_likely_move(void **state) {
  (void)state;
  Table table;
  sit_endless(&table, "(<= (next (lost ?v0)) @) (<= (legal x (to ?s))"
                      "(true (sum ?s)))");
  play_soon(&table, "(to 0)\ngo");
  Text any = {0};
  assert_false(position_any(&table.position, true, &any));
  assert_string_equal(text_string(&table.position.likely), "(to 1)");
  rise(&table);
}

/* A step that took too long at first is made later. */
static void caught_up(void **state) {
  (void)state;
  Table table;
  sit_endless(&table, "(<= (legal x (to ?s)) (true (sum ?s)))"
                      "(<= (next (many ?a ?b ?c ?e ?f)) (d ?a) (d ?b) (d ?c)"
                      "(d ?e) (d ?f))");
  TextVector moves = {0};
  spelling_split("(to 0)\ngo", &moves);
  position_play(&table.position, &moves, clock_now(), &table.notes);
  text_vector_free(&moves);
  expect_note(&table, "not known yet");
  assert_int_equal(table.position.made, 0);
  assert_true(position_lags(&table.position));
  assert_true(
      position_catch_up(&table.position, clock_now() + 60, &table.notes));
  assert_int_equal(table.position.made, 1);
  expect_known(&table, "(to 1)");
  assert_true(table.position.complete);
  rise(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_have_one_form),
      cmocka_unit_test(roles_by_name),
      cmocka_unit_test(spelled_exactly_first),
      cmocka_unit_test(turns_as_they_come),
      cmocka_unit_test(the_game_master_is_right),
      cmocka_unit_test(repeated_turns),
      cmocka_unit_test(repeated_where_all_is_legal),
      cmocka_unit_test(our_turn_skipped),
      cmocka_unit_test(their_turn_skipped),
      cmocka_unit_test(the_last_turn_corrected),
      cmocka_unit_test(nonsense_changes_nothing),
      cmocka_unit_test(messages_after_the_end),
      cmocka_unit_test(three_at_once),
      cmocka_unit_test(replayed_from_any_step),
      cmocka_unit_test(another_engine),
      cmocka_unit_test(another_game_is_not_adopted),
      cmocka_unit_test(after_the_engine_failed),
      cmocka_unit_test(some_legal_moves),
      cmocka_unit_test(an_unknown_state),
      cmocka_unit_test(a_likely_move),
      cmocka_unit_test(caught_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
