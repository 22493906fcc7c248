/* The unrolled net against the net evaluated gate by gate, and against the
   engine: along random lines of play all fluents, ends and goals are the same,
   and moves that are not legal are impossible. */
#include "solve/unroll.h"

#include "base/bits.h"
#include "support/exhaust.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"
#include "support/unit.h"

enum { STEPS = 5 };

typedef struct Line {
  const Net *net;
  Unroll unroll;
  bool *fluents, *moves, *gates; /* of the twin */
  SatLiteral assumed[STEPS];
} Line;

static bool value_of(const Line *line, Signal signal) {
  return line->gates[signal_gate(signal)] != signal_negated(signal);
}

static void evaluate(Line *line, uint32_t move) {
  const Net *net = line->net;
  for (uint32_t m = 0; m < net->moves.count; m++) line->moves[m] = m == move;
  net_evaluate(net, line->fluents, line->moves, line->gates);
}

/* FORMULA_FALSE: the move cannot be made at all. */
static SatLiteral move_literal(const Line *line, uint32_t step, uint32_t move) {
  const UnrollStep *s = &line->unroll.steps.data[step];
  for (uint32_t i = 0; i < s->count; i++)
    if (line->unroll.moves.data[s->first + i].move == move)
      return line->unroll.moves.data[s->first + i].literal;
  return FORMULA_FALSE;
}

static SatAnswer ask(Line *line, uint32_t count, SatLiteral last) {
  SatLiteral list[STEPS + 1];
  for (uint32_t i = 0; i < count; i++) list[i] = line->assumed[i];
  list[count] = last;
  return sat_solve(line->unroll.formula.sat, list, count + 1, NULL, 0,
                   UINT64_MAX);
}

static int goal_of(const Line *line) {
  int best = -1;
  for (uint32_t i = 0; i < line->net->goals.count; i++)
    if (line->net->goals.data[i].value > best &&
        value_of(line, line->net->goals.data[i].signal))
      best = line->net->goals.data[i].value;
  return best;
}

/* After `step` assumed moves the solver has a model: its state is the twin's.
 */
static void compare_state(const Line *line, uint32_t step) {
  const Unroll *unroll = &line->unroll;
  const UnrollStep *s = &unroll->steps.data[step];
  const Sat *sat = unroll->formula.sat;
  for (uint32_t f = 0; f < line->net->fluents.count; f++)
    assert_int_equal(sat_value(sat, unroll->fluents.data[s->fluents + f]) > 0,
                     line->fluents[f]);
  bool terminal = value_of(line, line->net->terminal);
  assert_int_equal(sat_value(sat, s->over) > 0, terminal);
  for (uint32_t i = 0; i < unroll->values.count; i++)
    assert_int_equal(sat_value(sat, unroll_end(unroll, step, i)) > 0,
                     terminal && goal_of(line) >= (int)unroll->values.data[i]);
}

/* Checks all moves of the state; returns one that is legal, or NO_MOVE. */
static uint32_t try_moves(Line *line, uint32_t step, Random *random) {
  uint32_t legal = 0, chosen = UINT32_MAX;
  for (uint32_t m = 0; m < line->net->moves.count; m++) {
    SatLiteral literal = move_literal(line, step, m);
    if (value_of(line, line->net->moves.data[m].legal)) {
      if (random_below(random, ++legal) == 0) chosen = m;
    } else {
      assert_int_equal(ask(line, step, literal), SAT_NO);
    }
  }
  return chosen;
}

/* Plays a random line. If somebody could get stuck in the last state, the whole
   line has no model: then there is nothing to compare. */
static uint32_t play(Line *line, Random *random, const uint64_t *start) {
  const Net *net = line->net;
  uint32_t compared = 0;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    line->fluents[f] = bits_has(start, f);
  for (uint32_t step = 0;; step++) {
    evaluate(line, UINT32_MAX);
    if (ask(line, step, FORMULA_TRUE) == SAT_MAYBE) {
      compare_state(line, step);
      compared++;
    }
    if (step == unroll_length(&line->unroll) || value_of(line, net->terminal))
      return compared;
    uint32_t move = try_moves(line, step, random);
    if (move == UINT32_MAX) return compared;
    line->assumed[step] = move_literal(line, step, move);
    evaluate(line, move);
    for (uint32_t f = 0; f < net->fluents.count; f++)
      line->fluents[f] = value_of(line, net->fluents.data[f].next);
  }
}

static uint32_t play_lines(const Net *net, const Analysis *analysis,
                           const uint64_t *start, Random *random) {
  Line line = {.net = net};
  uint32_t compared = 0;
  line.fluents = memory_new(net->fluents.count * sizeof(bool));
  line.moves = memory_new(net->moves.count * sizeof(bool));
  line.gates = memory_new(net->gates.count * sizeof(bool));
  unroll_init(&line.unroll, net, analysis, start);
  while (unroll_length(&line.unroll) < STEPS && !line.unroll.closed)
    unroll_grow(&line.unroll);
  for (int i = 0; i < 6; i++) compared += play(&line, random, start);
  unroll_free(&line.unroll);
  memory_delete(line.fluents);
  memory_delete(line.moves);
  memory_delete(line.gates);
  return compared;
}

static void test_random_nets(void **state) {
  (void)state;
  uint32_t compared = 0;
  for (uint32_t seed = 1; seed <= (unit_long() ? 3000 : 300); seed++) {
    Random random;
    Terms terms;
    Net net;
    random_seed(&random, seed);
    terms_init(&terms);
    random_net(&net, &terms, &random, false);
    uint64_t *start =
        memory_new((bits_words(net.fluents.count) + 1) * sizeof *start);
    for (uint32_t f = 0; f < net.fluents.count; f++)
      if (net.fluents.data[f].initial) bits_add(start, f);
    if (net.role_count == 1) compared += play_lines(&net, NULL, start, &random);
    memory_delete(start);
    net_free(&net);
    terms_free(&terms);
  }
  assert_true(compared > 500);
}

/* With proved groups. */
static void test_games(void **state) {
  static const char *const games[] = {
      PUZZLE_LINE,          PUZZLE_HOPELESS,    "games/buttons.kif",
      "games/maze.kif",     "games/hunter.kif", "games/blocksWorld.kif",
      "games/lightsOut.kif"};
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (size_t i = 0; i < LENGTH(games); i++) {
    ExhaustPuzzle opened;
    exhaust_open(&opened, games[i], true);
    opened.book.limits.prove_seconds = 1;
    const Analysis *analysis = book_analysis(&opened.book);
    assert_true(play_lines(&opened.book.net, analysis, opened.puzzle->start,
                           &random) >= 12);
    exhaust_close(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_games),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
