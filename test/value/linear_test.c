/* The linear evaluation: sums brought up to date against sums made anew and
   against active features added up, in random games; names, ranges, rows. */
#include "value/linear.h"

#include <glob.h>
#include <math.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "support/games.h"
#include "support/unit.h"

typedef struct Opened {
  Description description;
  Book book;
  Linear *linear;
  Game *game;
} Opened;

static bool open_book(Opened *opened) {
  BookLimits limits = {.ground = {.seconds = 10, .memory = (size_t)256 << 20},
                       .reduce_seconds = 2,
                       .rules = {.memory = (size_t)64 << 20}};
  book_init(&opened->book, &opened->description, &limits, true);
  opened->linear = linear_new(&opened->book);
  if (opened->linear) opened->linear->classes = LINEAR_ALL;
  if (opened->linear) opened->game = book_game(&opened->book);
  return opened->linear;
}

static void close_book(Opened *opened) {
  if (opened->linear) {
    game_delete(opened->game);
    evaluation_delete(&opened->linear->evaluation);
  }
  book_free(&opened->book);
  description_free(&opened->description);
}

static void open_game(Opened *opened, const char *name) {
  char path[64];
  Text error = {0};
  snprintf(path, sizeof path, "games/%s.kif", name);
  assert_true(description_read(&opened->description, path, 1 << 20, &error));
  assert_true(open_book(opened));
}

static void open_text(Opened *opened, const char *text) {
  games_read(&opened->description, text);
  assert_true(open_book(opened));
}

/* ---- random weights and games ---- */

static void set_weights(Linear *linear, Random *random) {
  for (uint32_t i = 0; i < linear->features.count * linear->rows; i++)
    linear->weights[i] = 0.01f * (float)random_below(random, 101) - 0.5f;
  linear_freeze(linear);
}

/* Returns false at the end of the game. */
static bool step(Game *game, Random *random, uint32_t *legal) {
  Move joint[16];
  if (game_terminal(game)) return false;
  for (uint32_t r = 0; r < game->role_count; r++) {
    const Move *moves;
    legal[r] = game_legal(game, r, &moves);
    if (!legal[r]) return false;
    joint[r] = moves[random_below(random, legal[r])];
  }
  game_make(game, joint);
  return true;
}

/* The sum of a row by its definition; the frozen weights are rounded, by half a
   unit for each fluent, pair and line. */
static void check_actives(const Linear *linear, const uint64_t *state,
                          const uint32_t *legal, const int32_t *sums,
                          LinearActives *actives) {
  linear_active(linear, state, legal, actives);
  for (uint32_t row = 0; row < linear->rows; row++) {
    const float *weights =
        linear->weights + (size_t)row * linear->features.count;
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < actives->count; i++) {
      LinearActive active = actives->data[i];
      FeatureClass class = linear->features.data[active.feature].class;
      assert_true(active.value != 0);
      if (class == FEATURE_MOBILITY) continue;
      sum += (double)weights[active.feature] * (double)active.value;
      count += fabs((double)active.value);
    }
    assert_true(fabs(sum * LINEAR_UNIT - sums[row]) <= count + 1);
  }
}

static void check_values(const Linear *linear, const uint64_t *state,
                         const int32_t *sums, const uint32_t *legal) {
  const Evaluation *evaluation = &linear->evaluation;
  float values[16];
  evaluation_values(evaluation, state, sums, legal, values);
  for (uint32_t r = 0; r < evaluation->role_count; r++) {
    float least = (float)linear->least[r], most = (float)linear->most[r];
    if (least < most)
      assert_true(values[r] > least && values[r] < most);
    else
      assert_true(values[r] == least);
  }
  if (linear->rows < evaluation->role_count)
    assert_true(values[0] + values[1] == (float)linear->sum);
}

/* Sums brought up to date by what changes, where that is possible: with weights
   of fluents alone. Values do not need the state then. */
static void check_change(const Linear *linear, const uint64_t *from,
                         const uint64_t *to, const int32_t *before,
                         const int32_t *after) {
  enum { MOST = 256, SUMS = 4096 };
  const Evaluation *evaluation = &linear->evaluation;
  uint16_t fluents[MOST];
  int32_t sums[SUMS];
  uint32_t count = 0;
  float with[16], without[16];
  assert_in_range(evaluation->sum_count, 1, SUMS);
  memcpy(sums, before, evaluation->sum_count * sizeof *sums);
  for (uint32_t w = 0; w < evaluation->words; w++)
    for (uint64_t changed = from[w] ^ to[w]; changed && count < MOST;)
      fluents[count++] = (uint16_t)(w * 64 + bits_take(&changed));
  bool alone =
      !linear->has_pairs && !linear->has_lines && !evaluation->mobility;
  assert_true(evaluation_change(evaluation, from, fluents, count, sums) ==
              alone);
  assert_memory_equal(sums, alone ? after : before,
                      evaluation->sum_count * sizeof *sums);
  if (!alone) return;
  evaluation_values(evaluation, to, sums, NULL, with);
  evaluation_values(evaluation, NULL, sums, NULL, without);
  assert_memory_equal(with, without, evaluation->role_count * sizeof *with);
}

static void play(Opened *opened, Random *random, uint32_t steps) {
  const Evaluation *evaluation = &opened->linear->evaluation;
  size_t size = evaluation->words * sizeof(uint64_t);
  uint64_t *before = memory_new(size);
  int32_t *sums = memory_new(evaluation->sum_count * sizeof *sums);
  int32_t *anew = memory_new(evaluation->sum_count * sizeof *anew);
  uint32_t legal[16] = {0};
  LinearActives actives = {0};
  const uint64_t *state;
  game_reset(opened->game);
  game_state(opened->game, &state);
  evaluation_begin(evaluation, state, sums);
  memcpy(before, state, size);
  for (uint32_t i = 0; i < steps; i++) {
    if (!step(opened->game, random, legal)) game_reset(opened->game);
    game_state(opened->game, &state);
    evaluation_begin(evaluation, state, anew);
    check_change(opened->linear, before, state, sums, anew);
    evaluation_update(evaluation, before, state, sums);
    assert_memory_equal(sums, anew, evaluation->sum_count * sizeof *sums);
    memcpy(before, state, size);
    check_actives(opened->linear, state, legal, sums, &actives);
    check_values(opened->linear, state, sums, i % 2 ? legal : NULL);
  }
  vector_free(&actives);
  memory_delete(before);
  memory_delete(sums);
  memory_delete(anew);
}

/* With all classes, and with each alone. */
static void check_game(Opened *opened, uint32_t steps) {
  Random random;
  random_seed(&random, 1);
  set_weights(opened->linear, &random);
  play(opened, &random, steps);
  for (uint32_t class = 0; class < FEATURE_CLASSES; class ++) {
    opened->linear->classes = 1u << class;
    linear_freeze(opened->linear);
    assert_true(!opened->linear->has_pairs || class == FEATURE_PAIR);
    assert_true(!opened->linear->has_lines || class == FEATURE_LINE);
    play(opened, &random, steps / 8);
  }
}

static void check_names(const Linear *linear) {
  TextVector names = {0};
  Map map = {0};
  for (uint32_t i = 0; i < linear->features.count; i++) {
    Text name = {0};
    MapCursor at;
    linear_name(linear, i, &name);
    uint64_t hash = hash_bytes(name.bytes, name.length);
    for (uint32_t e = map_first(&map, hash, &at); e; e = map_next(&map, &at))
      assert_string_not_equal(names.data[e - 1].bytes, name.bytes);
    vector_push(&names, name);
    map_insert(&map, &at, names.count);
  }
  text_vector_free(&names);
  map_free(&map);
}

static void check_files(const char *pattern, size_t largest) {
  glob_t files;
  if (glob(pattern, 0, NULL, &files)) return;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    Opened opened = {0};
    Text error = {0};
    if (!description_read(&opened.description, files.gl_pathv[i], largest,
                          &error)) {
      text_free(&error);
      continue;
    }
    if (open_book(&opened)) {
      check_game(&opened, unit_long() ? 400 : 60);
      check_names(opened.linear);
    }
    close_book(&opened);
  }
  globfree(&files);
}

static void test_own_games(void **state) {
  (void)state;
  check_files(unit_long() ? "games/*.kif" : "games/[btn]*.kif", 1 << 20);
  check_files("games/c[ho][ein][ckn]*.kif", 1 << 20);
}

static void test_public_games(void **state) {
  (void)state;
  const char *shared = getenv("SHARED");
  Text pattern = {0};
  text_format(&pattern, "%s/%s", shared ? shared : "../shared/games",
              unit_long() ? "*.kif" : "checkersTin*.kif");
  check_files(pattern.bytes, 1 << 20);
  text_free(&pattern);
}

static void test_three_roles(void **state) {
  (void)state;
  Opened opened = {0};
  open_text(&opened, GAME_THREE);
  assert_int_equal(opened.linear->rows, 3);
  check_game(&opened, 50);
  close_book(&opened);
}

/* ---- features by hand ---- */

static uint32_t find_feature(const Linear *linear, const char *wanted) {
  for (uint32_t i = 0; i < linear->features.count; i++) {
    Text name = {0};
    linear_name(linear, i, &name);
    bool same = !strcmp(text_string(&name), wanted);
    text_free(&name);
    if (same) return i;
  }
  fail_msg("no feature %s", wanted);
  return 0;
}

static void set_fact(const Opened *opened, uint64_t *state,
                     const char *wanted) {
  const Net *net = &opened->book.net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Text text = {0};
    term_write(&opened->description.rules.terms, net->fluents.data[i].term,
               &text);
    bool same = !strcmp(text_string(&text), wanted);
    text_free(&text);
    if (!same) continue;
    bits_add(state, i);
    return;
  }
  fail_msg("no fact %s", wanted);
}

/* The feature's value in a state of these facts. */
static float value_of(const Opened *opened, const char *feature,
                      const uint32_t *legal, const char *const *facts) {
  uint64_t state[32] = {0};
  LinearActives actives = {0};
  uint32_t wanted = find_feature(opened->linear, feature);
  float value = 0;
  assert_true(opened->linear->evaluation.words <= 32);
  for (; *facts; facts++) set_fact(opened, state, *facts);
  linear_active(opened->linear, state, legal, &actives);
  for (uint32_t i = 0; i < actives.count; i++)
    if (actives.data[i].feature == wanted) value += actives.data[i].value;
  vector_free(&actives);
  return value;
}

#define VALUE(opened, feature, ...) \
  (double)value_of(opened, feature, NULL, \
                   (const char *const[]){__VA_ARGS__, NULL})

static void expect(double value, double wanted) {
  if (fabs(value - wanted) > 1e-6) fail_msg("%g, not %g", value, wanted);
}

static void test_ties(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "breakthrough");
  expect(VALUE(&opened, "kind (cell _ _ white)", "(cell 1 2 white)",
               "(cell 5 5 white)", "(cell 4 2 black)"),
         2);
  close_book(&opened);
}

static void test_pairs(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "breakthrough");
  const char *ahead = "pair (cell _ _ white) (cell +1 +1 black)";
  expect(VALUE(&opened, ahead, "(cell 3 3 white)", "(cell 4 4 black)",
               "(cell 5 5 white)", "(cell 6 6 black)", "(cell 4 2 black)"),
         2);
  expect(VALUE(&opened, "pair (cell _ _ black) (cell +1 +1 white)",
               "(cell 3 3 white)", "(cell 4 4 black)", "(cell 5 5 white)"),
         1);
  expect(VALUE(&opened, "pair (cell _ _ white) (cell +1 0 white)",
               "(cell 1 1 white)", "(cell 2 1 white)", "(cell 3 1 white)",
               "(cell 8 1 white)", "(cell 1 2 white)"),
         2);
  close_book(&opened);
}

static void test_lines(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "ticTacToe");
  assert_int_equal(opened.linear->lines.slots.count, 16);
  expect(VALUE(&opened, "line 1 of 3 (cell _ _ x)", "(cell 2 2 x)"), 4);
  expect(VALUE(&opened, "line 1 of 3 (cell _ _ x)", "(cell 2 2 x)",
               "(cell 1 1 o)", "(cell 2 1 o)"),
         2);
  expect(VALUE(&opened, "line 1 of 3 (cell _ _ o)", "(cell 2 2 x)",
               "(cell 1 1 o)", "(cell 2 3 o)"),
         3);
  expect(VALUE(&opened, "line 2 of 3 (cell _ _ o)", "(cell 1 1 o)",
               "(cell 2 2 o)", "(cell 1 2 b)", "(cell 1 3 o)"),
         3);
  close_book(&opened);
}

static void test_connected_lines(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "connectFour");
  assert_int_equal(opened.linear->lines.slots.count, 2 * 69);
  assert_int_equal(opened.linear->lines.kinds.count, 2);
  close_book(&opened);
}

static void test_numbers(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "checkers");
  expect(VALUE(&opened, "number (pieces red *)", "(pieces red 3)",
               "(pieces black 12)"),
         0.25);
  expect(VALUE(&opened, "number (pieces black *)", "(pieces black 12)"), 1);
  close_book(&opened);
}

static void test_mobility(void **state) {
  (void)state;
  Opened opened = {0};
  open_game(&opened, "breakthrough");
  const uint32_t legal[] = {31, 1};
  const char *const facts[] = {"(control white)", NULL};
  expect((double)value_of(&opened, "mobility white", legal, facts), 0.25);
  expect((double)value_of(&opened, "mobility black", legal, facts), 0);
  expect((double)value_of(&opened, "mobility white", NULL, facts), 0);
  close_book(&opened);
}

/* ---- values ---- */

static void test_share(void **state) {
  (void)state;
  Opened opened = {0};
  open_text(&opened, GAME_DUEL);
  float last = 0;
  for (int32_t sum = -70000; sum <= 70000; sum++) {
    float share = linear_share(opened.linear, sum);
    assert_true(share >= last && share > 0 && share < 1);
    if (abs(sum) < LINEAR_STEEP * LINEAR_UNIT)
      assert_true(fabs((double)share -
                       1 / (1 + exp(-(double)sum / LINEAR_UNIT))) < 2e-5);
    last = share;
  }
  assert_true(linear_share(opened.linear, 1 << 30) < 1);
  assert_true(linear_share(opened.linear, -(1 << 30)) > 0);
  assert_true(linear_share(opened.linear, -20 * LINEAR_UNIT) <
              linear_share(opened.linear, -19 * LINEAR_UNIT));
  close_book(&opened);
}

/* Whatever the weights are, sums stay in range. */
static void test_wild_weights(void **state) {
  (void)state;
  Opened opened = {0};
  Random random;
  open_game(&opened, "ticTacToe");
  Linear *linear = opened.linear;
  const float wild[] = {INFINITY, -INFINITY, NAN, 1e30f, -1e30f};
  for (size_t w = 0; w < LENGTH(wild); w++) {
    for (uint32_t i = 0; i < linear->features.count * linear->rows; i++)
      linear->weights[i] = wild[w];
    linear_freeze(linear);
    random_seed(&random, 1);
    uint32_t legal[2];
    int32_t sums[64];
    assert_true(linear->evaluation.sum_count <= LENGTH(sums));
    game_reset(opened.game);
    while (step(opened.game, &random, legal)) {
      const uint64_t *words;
      game_state(opened.game, &words);
      evaluation_begin(&linear->evaluation, words, sums);
      check_values(linear, words, sums, legal);
    }
  }
  close_book(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_games),
      cmocka_unit_test(test_public_games),
      cmocka_unit_test(test_three_roles),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_connected_lines),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_mobility),
      cmocka_unit_test(test_share),
      cmocka_unit_test(test_wild_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
