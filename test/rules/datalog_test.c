/* Thousands of small random programs evaluated by the rules engine and by the
   twin of datalog.h. Inputs are facts of the rules, of the state, and moves;
   every predicate's answers are seen as goals, as facts of the next state, or
   through `terminal`. Random moves are made and retracted. Each
   program is written in one of three styles. */
#include "rules/datalog.h"

#include "base/clock.h"
#include "base/sanitized.h"
#include "rules/rules.h"
#include "support/play.h"

/* The long run takes other programs than the short one, and a fixed time: about
   350,000 programs, 60,000 with sanitizers. In the short run these take a
   quarter, too. */
#ifdef SANITIZED
enum { PROGRAMS = 1500 };
#else
enum { PROGRAMS = 6000 };
#endif
enum { SECONDS_IF_LONG = 120, STEPS = 3 };

typedef enum {
  PLAIN,
  BOXED, /* every argument within a function */
  MERGED /* one predicate for all, its first argument tells them apart: it is
            stratified by its rules alone */
} Style;

static Style style;

/* ---- programs as games ---- */

static void write_argument(uint32_t argument, bool boxed, Text *text) {
  bool value = argument < VALUES;
  text_add(text, boxed ? " (b" : "");
  text_format(text, value ? " c%u" : " ?v%u",
              value ? argument : argument - VALUES);
  text_add(text, boxed ? ")" : "");
}

static void write_arguments(const Program *program, const Atom *atom,
                            Text *text) {
  bool boxed = style == BOXED && program->kinds[atom->predicate] != MOVES;
  for (uint32_t i = 0; i < program->arities[atom->predicate]; i++)
    write_argument(atom->arguments[i], boxed, text);
}

/* As a fact of a state, or a goal. */
static void write_fact(const Program *program, const Atom *atom, Text *text) {
  bool list = program->arities[atom->predicate];
  text_format(text, list ? "(p%u" : "p%u", atom->predicate);
  write_arguments(program, atom, text);
  text_add(text, list ? ")" : "");
}

static void write_atom(const Program *program, const Atom *atom, Text *text) {
  uint32_t p = atom->predicate;
  if (program->kinds[p] == MOVES) {
    text_add(text, "(does");
    write_arguments(program, atom, text);
    text_add_byte(text, ')');
  } else if (program->kinds[p] == FLUENT) {
    text_add(text, "(true ");
    write_fact(program, atom, text);
    text_add_byte(text, ')');
  } else if (program->kinds[p] == DERIVED && style == MERGED) {
    text_format(text, "(merged p%u", p);
    write_arguments(program, atom, text);
    for (uint32_t i = program->arities[p]; i < WIDEST; i++)
      text_add(text, " none");
    text_add_byte(text, ')');
  } else {
    write_fact(program, atom, text);
  }
}

static void write_clause(const Program *program, const Clause *clause,
                         Text *text) {
  if (clause->count) text_add(text, "(<= ");
  write_atom(program, &clause->head, text);
  for (uint32_t i = 0; i < clause->count; i++) {
    const Atom *atom = &clause->body[i];
    text_add_byte(text, ' ');
    if (clause->signs[i] == UNEQUAL) {
      text_add(text, "(distinct");
      write_argument(atom->arguments[0], style == BOXED, text);
      write_argument(atom->arguments[1], style == BOXED, text);
      text_add_byte(text, ')');
      continue;
    }
    if (clause->signs[i] == NEGATIVE) text_add(text, "(not ");
    write_atom(program, atom, text);
    if (clause->signs[i] == NEGATIVE) text_add_byte(text, ')');
  }
  text_add(text, clause->count ? ")\n" : "\n");
}

/* (HEAD (pN ?v0 …)) as a rule for every derived predicate that may. */
static void write_views(const Program *program, Text *text) {
  for (uint32_t p = INPUTS; p < PREDICATES; p++) {
    Text fact = {0}, body = {0};
    Atom atom = {p, {VALUES, VALUES + 1, VALUES + 2}};
    write_fact(program, &atom, &fact);
    write_atom(program, &atom, &body);
    if (!program->of_moves[p])
      text_format(text, "(<= (goal c0 %s) %s)\n", fact.bytes, body.bytes);
    text_format(text, "(<= (next %s) %s)\n", fact.bytes, body.bytes);
    text_free(&fact);
    text_free(&body);
  }
}

/* The next value of a fluent is what some derived predicate of its arity has
   now, if there is one. */
static uint32_t source_of(const Program *program, uint32_t fluent) {
  for (uint32_t p = PREDICATES; p-- > INPUTS;)
    if (program->arities[p] == program->arities[fluent]) return p;
  return 0;
}

static void write_tuple(const Program *program, uint32_t p, uint32_t tuple,
                        Text *text) {
  Atom atom = {p, {0}};
  for (uint32_t i = program->arities[p]; i-- > 0; tuple /= VALUES)
    atom.arguments[i] = tuple % VALUES;
  write_fact(program, &atom, text);
}

static uint32_t tuple_count(const Program *program, uint32_t p) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < program->arities[p]; i++) count *= VALUES;
  return count;
}

/* Random inputs, written as facts and remembered in the model. */
static void write_inputs(const Program *program, Random *random, Model model,
                         Text *text) {
  for (uint32_t p = 1; p < INPUTS; p++) {
    uint32_t rare = random_below(random, 5) + 2;
    for (uint32_t t = 0; t < tuple_count(program, p); t++) {
      model[p][t] = random_below(random, rare) == 0;
      if (!model[p][t]) continue;
      text_add(text, program->kinds[p] == FLUENT ? "(init " : "");
      write_tuple(program, p, t, text);
      text_add(text, program->kinds[p] == FLUENT ? ")\n" : "\n");
    }
    uint32_t source = source_of(program, p);
    if (program->kinds[p] != FLUENT || !source) continue;
    Atom atom = {p, {VALUES, VALUES + 1, VALUES + 2}};
    text_add(text, "(<= (next ");
    write_fact(program, &atom, text);
    text_add(text, ") ");
    atom.predicate = source;
    write_atom(program, &atom, text);
    text_add(text, ")\n");
  }
}

static void write_program(const Program *program, Text *text) {
  text_add(text, "(role c0) (role c1)\n");
  for (uint32_t value = 0; value < VALUES; value++)
    text_format(text, "(legal c0 c%u) (legal c1 c%u)\n", value, value);
  text_add(text, "(goal c1 0)\n(<= terminal ");
  write_atom(program, &program->question, text);
  text_add(text, ")\n");
  for (uint32_t c = 0; c < program->clause_count; c++)
    write_clause(program, &program->clauses[c], text);
  write_views(program, text);
}

/* ---- comparison ---- */

/* All tuples of the predicates, sorted as terms are: by number, as there are
   no more than ten predicates and values. */
static void write_model(const Program *program, Model model, bool goals,
                        Text *text) {
  for (uint32_t p = goals ? INPUTS : 1; p < PREDICATES; p++) {
    if (goals && program->of_moves[p]) continue;
    if (p < INPUTS && program->kinds[p] != FLUENT) continue;
    for (uint32_t t = 0; t < tuple_count(program, p); t++) {
      if (!model[p][t]) continue;
      text_add(text, text->length ? " " : "");
      write_tuple(program, p, t, text);
    }
  }
}

static void complain(const char *what, const Text *program, const char *engine,
                     const char *twin) {
  fprintf(stderr, "%s\n%s\nengine: %s\ntwin:   %s\n", what, program->bytes,
          engine, twin);
  fail();
}

static void compare(const char *what, const Text *program, Game *game,
                    const Term *list, uint32_t count, const Text *expected) {
  Text own = {0};
  play_write_sorted(game, list, count, &own);
  if (strcmp(text_string(&own), text_string(expected)) != 0 ||
      game_failed(game))
    complain(what, program, text_string(&own), text_string(expected));
  text_free(&own);
}

/* Checks the current state; `model` has its inputs. */
static void compare_state(const Program *program, const Text *text, Game *game,
                          Model model) {
  Text expected = {0};
  memset(model[0], 0, sizeof model[0]);
  derive(program, model);
  write_model(program, model, true, &expected);
  const Term *values;
  uint32_t count = game_goals(game, 0, &values);
  compare("goals", text, game, values, count, &expected);
  uint32_t tuple = tuple_of(program, &program->question, NULL);
  if (game_terminal(game) != model[program->question.predicate][tuple])
    complain("terminal", text, "", "");
  text_free(&expected);
}

/* Makes a random joint move and updates the model. */
static void step(const Program *program, const Text *text, Random *random,
                 Game *game, Model model) {
  Move joint[2];
  const Move *moves;
  for (uint32_t role = 0; role < 2; role++) {
    assert_int_equal(game_legal(game, role, &moves), VALUES);
    joint[role] = moves[random_below(random, VALUES)];
    Text name = {0};
    term_write(game_terms(game), joint[role], &name);
    model[0][role * VALUES + (uint32_t)(name.bytes[1] - '0')] = true;
    text_free(&name);
  }
  derive(program, model);
  Model next;
  memcpy(next, model, sizeof next);
  for (uint32_t p = 1; p < INPUTS; p++) {
    if (program->kinds[p] != FLUENT) continue;
    uint32_t source = source_of(program, p);
    memset(next[p], 0, sizeof next[p]);
    if (source) memcpy(next[p], model[source], sizeof next[p]);
  }
  Text expected = {0};
  write_model(program, next, false, &expected);
  game_make(game, joint);
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  compare("facts", text, game, facts, count, &expected);
  memcpy(model, next, sizeof next);
  text_free(&expected);
}

/* The checker may report only what the engine can handle all the same. */
static void check_errors(const Description *description, const Text *text) {
  const Report *report = &description->report;
  for (uint32_t i = 0; i < report->list.count; i++)
    if (report->list.data[i].severity == ERROR &&
        strcmp(report->list.data[i].id, "recursion") != 0 &&
        strcmp(report->list.data[i].id, "goal-value") != 0 &&
        strcmp(report->list.data[i].id, "dependence") != 0)
      complain(report->list.data[i].message, text, "", "");
}

static void test_random_programs(void **state) {
  (void)state;
  Random random;
  bool patient = unit_long();
  double end = clock_now() + SECONDS_IF_LONG;
  random_seed(&random, patient ? 3 : 2);
  for (int n = 0; patient ? clock_now() < end : n < PROGRAMS; n++) {
    static Model models[STEPS + 1];
    static Program program;
    Text text = {0};
    Description description;
    style = (Style)(n % 3);
    make_program(&program, &random);
    memset(models, 0, sizeof models);
    write_program(&program, &text);
    write_inputs(&program, &random, models[0], &text);
    front_read(&description, text.bytes);
    check_errors(&description, &text);
    RulesLimits limits = {.memory = (size_t)64 << 20};
    Game *game = rules_engine_new(&description, &limits);
    for (int i = 0; i < STEPS; i++) {
      compare_state(&program, &text, game, models[i]);
      memcpy(models[i + 1], models[i], sizeof *models);
      step(&program, &text, &random, game, models[i + 1]);
    }
    for (int i = STEPS; i-- > 0;) {
      game_retract(game);
      compare_state(&program, &text, game, models[i]);
    }
    game_delete(game);
    description_free(&description);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_programs),
  };
  return cmocka_run_group_tests_name("datalog", tests, NULL, NULL);
}
