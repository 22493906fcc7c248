/* Positions that must be solved (*.txt, described in support/problem.h): the
   answers are right, by proof, and agents find them within the simulations that
   the file allows, with each of a few seeds (one in the build with sanitizers,
   which looks for other faults). Proofs that visit many states run only if LONG
   is set. */
#include <glob.h>

#include "base/sanitized.h"
#include "support/ask.h"
#include "support/judge.h"

enum {
#ifdef SANITIZED
  SEEDS = 1,
#else
  SEEDS = 3,
#endif
  QUICK_PROOF = 400000, /* states */
  QUICK_BY_RULES = 30000
};

/* The subject of one test. */
typedef struct Case {
  const char *path;
  uint32_t agent;
} Case;

static Asking asking;

static bool is_right(Term move) {
  return term_vector_contains(&asking.position.right, move);
}

static void write_term(Term term, char *line, size_t size) {
  Text text = {0};
  term_write(&asking.description.rules.terms, term, &text);
  snprintf(line, size, "%s", text_string(&text));
  text_free(&text);
}

/* ---- answers ---- */

/* The right moves are exactly those that the file names. */
static void check_judgement(Game *game) {
  Solver solver;
  Judgement judgement = {0};
  solver_init(&solver, game, 20 * asking.position.proof + 10000);
  judge(&solver, asking.role, &judgement);
  assert_true(judgement.proved);
  assert_int_equal(judge_best(&judgement), asking.position.goal);
  uint32_t rights = 0;
  for (uint32_t i = 0; i < judgement.moves.count; i++) {
    const JudgedMove *move = &judgement.moves.data[i];
    char line[100];
    write_term(move->term, line, sizeof line);
    rights += is_right(move->term);
    if (is_right(move->term) != (move->low >= asking.position.goal))
      fail_msg("%s is worth %d", line, move->low);
  }
  assert_int_equal(rights, asking.position.right.count);
  judgement_free(&judgement);
  solver_free(&solver);
}

/* A state that cannot be reached may behave differently in a net than in the
   rules: the rules engine must come to the same judgement. */
static void check_by_rules(void) {
  RulesLimits limits = {.memory = (size_t)256 << 20};
  Game *game = rules_engine_new(&asking.description, &limits);
  problem_enter(&asking.position, game);
  check_judgement(game);
  assert_false(game_failed(game));
  game_delete(game);
}

static void answer_is_right(void **state) {
  const Case *test = *state;
  asking_enter(&asking, test->path);
  const Problem *position = &asking.position;
  uint64_t proof = position->proof;
  bool patient = unit_long(), quick = proof <= QUICK_PROOF;
  if (quick || patient) check_judgement(asking.game);
  if (position->facts.count && (proof <= QUICK_BY_RULES || patient))
    check_by_rules();
  problem_free(&asking.position);
  if (!quick && !patient) skip();
}

/* ---- agents ---- */

static void agent_finds_it(void **state) {
  const Case *test = *state;
  asking_enter(&asking, test->path);
  ProblemAgent agent = asking.position.agents.data[test->agent];
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    Term answer = asking_answer(&asking, agent.spec, agent.simulations, seed);
    char line[100];
    write_term(answer, line, sizeof line);
    if (!is_right(answer))
      fail_msg("%s: %s with seed %d", test->path, line, (int)seed);
  }
  problem_free(&asking.position);
}

/* ---- the list of tests ---- */

typedef struct Tests {
  VECTOR(struct CMUnitTest) list;
} Tests;

static void add_test(Tests *tests, const char *name, const char *path,
                     uint32_t agent, CMUnitTestFunction function) {
  Case *test = memory_new(sizeof *test);
  *test = (Case){path, agent};
  vector_push(&tests->list, ((struct CMUnitTest){.name = strdup(name),
                                                 .test_func = function,
                                                 .initial_state = test}));
}

static void add_file(Tests *tests, const char *path) {
  Terms words;
  Problem position;
  char name[300];
  const char *base = strrchr(path, '/') + 1;
  int length = (int)strcspn(base, ".");
  terms_init(&words);
  problem_read(&position, path, &words);
  snprintf(name, sizeof name, "%.*s: the answer is right", length, base);
  add_test(tests, name, path, 0, answer_is_right);
  for (uint32_t i = 0; i < position.agents.count; i++) {
    const ProblemAgent *agent = &position.agents.data[i];
    snprintf(name, sizeof name, "%.*s: %s, %d simulations", length, base,
             agent->spec, (int)agent->simulations);
    add_test(tests, name, path, i, agent_finds_it);
  }
  problem_free(&position);
  terms_free(&words);
}

int main(void) {
  glob_t files;
  Tests tests = {0};
  if (glob("test/positions/*.txt", 0, NULL, &files) != 0) return 1;
  for (size_t i = 0; i < files.gl_pathc; i++)
    add_file(&tests, files.gl_pathv[i]);
  int failed = _cmocka_run_group_tests("positions", tests.list.data,
                                       tests.list.count, NULL, NULL);
  for (uint32_t i = 0; i < tests.list.count; i++) {
    free((char *)tests.list.data[i].name);
    memory_delete(tests.list.data[i].initial_state);
  }
  vector_free(&tests.list);
  asking_close(&asking);
  globfree(&files);
  return failed;
}
