/* Joins against nested loops over all rows, on random relations and bodies:
   constants, repeated variables, nested terms, absent rows, inequalities, any
   literal first, any range of rows. */
#include "ground/join.h"

#include "base/random.h"
#include "support/unit.h"

enum {
  ROWS = 8,
  WIDEST = 3,
  LITERALS = 4,
  VARIABLES = 4,
  VALUES = 3,
  WAYS = ROWS * ROWS * ROWS * ROWS
};

typedef struct Body {
  Terms terms;
  Term values[VALUES + VALUES * VALUES]; /* constants, then (f a b) */
  TermVector variables;
  Relation relations[LITERALS];
  Term columns[LITERALS][WIDEST];
  JoinSource sources[LITERALS];
  JoinRange ranges[LITERALS];
  uint32_t count;
} Body;

static Symbol name(Body *body, const char *text) {
  return symbol_intern(&body->terms.symbols, text, strlen(text));
}

static Term pair(Body *body, Term a, Term b) {
  return term_compound(&body->terms, name(body, "f"), (Term[]){a, b}, 2);
}

static void body_init(Body *body) {
  static const char *const constants[] = {"a", "b", "c"};
  static const char *const variables[] = {"?w", "?x", "?y", "?z"};
  *body = (Body){0};
  terms_init(&body->terms);
  for (uint32_t i = 0; i < VALUES; i++)
    body->values[i] =
        term_compound(&body->terms, name(body, constants[i]), NULL, 0);
  for (uint32_t i = 0; i < VALUES * VALUES; i++)
    body->values[VALUES + i] =
        pair(body, body->values[i / VALUES], body->values[i % VALUES]);
  for (uint32_t i = 0; i < VARIABLES; i++)
    vector_push(&body->variables,
                term_variable(&body->terms, name(body, variables[i])));
}

static void body_free(Body *body) {
  for (uint32_t i = 0; i < LITERALS; i++) relation_free(&body->relations[i]);
  vector_free(&body->variables);
  terms_free(&body->terms);
}

/* ---- random bodies ---- */

static Term random_value(Body *body, Random *random) {
  return body->values[random_below(random, 5) ? random_below(random, 2)
                                              : random_below(random, 12)];
}

/* A variable below `most`, a value, or a term of both. */
static Term random_column(Body *body, Random *random, uint32_t most) {
  uint32_t kind = random_below(random, 20);
  if (kind == 0 || !most) return random_value(body, random);
  Term a = body->variables.data[random_below(random, most)];
  Term b = body->variables.data[random_below(random, most)];
  if (kind == 1) return pair(body, a, b);
  if (kind == 2) return pair(body, body->values[0], a);
  return a;
}

static void fill(Body *body, Random *random, Relation *relation) {
  uint32_t rows = random_below(random, 4) ? ROWS : random_below(random, ROWS);
  uint32_t number;
  for (uint32_t r = 0; r < rows; r++) {
    Term row[WIDEST];
    for (uint32_t c = 0; c < relation->arity; c++)
      row[c] = random_value(body, random);
    relation_insert(relation, row, &number);
  }
}

/* Positive literals first; the others use variables that those bind. */
static void random_body(Body *body, Random *random) {
  TermVector bound = {0};
  body->count = 1 + random_below(random, LITERALS);
  for (uint32_t i = 0; i < body->count; i++) {
    JoinSource *source = &body->sources[i];
    source->kind = i == 0 ? SOURCE_ROWS : random_below(random, 8);
    if (source->kind > SOURCE_UNEQUAL) source->kind = SOURCE_ROWS;
    source->relation = &body->relations[i];
    source->relation->arity = 1 + random_below(random, WIDEST);
    source->columns = body->columns[i];
    fill(body, random, source->relation);
    uint32_t most = source->kind == SOURCE_ROWS ? VARIABLES : bound.count;
    uint32_t columns =
        source->kind == SOURCE_UNEQUAL ? 2 : source->relation->arity;
    for (uint32_t c = 0; c < columns; c++) {
      Term column = random_column(body, random, most);
      while (source->kind != SOURCE_ROWS &&
             !term_is_ground(&body->terms, column)) {
        TermVector own = {0};
        bool all = true;
        term_collect_variables(&body->terms, column, &own);
        for (uint32_t v = 0; v < own.count; v++)
          all &= term_vector_contains(&bound, own.data[v]);
        vector_free(&own);
        if (all) break;
        column = random_column(body, random, VARIABLES);
      }
      source->columns[c] = column;
      if (source->kind == SOURCE_ROWS)
        term_collect_variables(&body->terms, column, &bound);
    }
    uint32_t rows = source->relation->count;
    uint32_t low = random_below(random, 4) ? 0 : random_below(random, rows + 1);
    uint32_t high = low + random_below(random, rows - low + 1);
    if (random_below(random, 4)) high = rows;
    body->ranges[i] = (JoinRange){low, high};
  }
  vector_free(&bound);
}

/* ---- nested loops ---- */

/* Binds variables (by slot, 0: free) so that the term is the value. */
static bool bind(const Body *body, Term term, Term value, Term *bindings) {
  const Terms *terms = &body->terms;
  if (term_is_variable(terms, term)) {
    uint32_t slot = 0;
    while (body->variables.data[slot] != term) slot++;
    if (!bindings[slot]) bindings[slot] = value;
    return bindings[slot] == value;
  }
  if (term_symbol(terms, term) != term_symbol(terms, value) ||
      term_arity(terms, term) != term_arity(terms, value))
    return false;
  for (uint32_t i = 0; i < term_arity(terms, term); i++)
    if (!bind(body, term_argument(terms, term, i),
              term_argument(terms, value, i), bindings))
      return false;
  return true;
}

static bool bind_row(const Body *body, uint32_t literal, uint32_t row,
                     Term *bindings) {
  const JoinSource *source = &body->sources[literal];
  const Term *cells = relation_row(source->relation, row);
  for (uint32_t c = 0; c < source->relation->arity; c++)
    if (!bind(body, source->columns[c], cells[c], bindings)) return false;
  return true;
}

static bool passes(Body *body, uint32_t literal, const Term *bindings) {
  const JoinSource *source = &body->sources[literal];
  if (source->kind == SOURCE_UNEQUAL) {
    Term sides[2];
    for (uint32_t i = 0; i < 2; i++)
      sides[i] = term_substitute(&body->terms, source->columns[i],
                                 body->variables.data, bindings, VARIABLES);
    return sides[0] != sides[1];
  }
  for (uint32_t row = 0; row < source->relation->count; row++) {
    Term copy[VARIABLES];
    memcpy(copy, bindings, sizeof copy);
    if (bind_row(body, literal, row, copy)) return false;
  }
  return true;
}

typedef struct Ways {
  Body *body;
  uint8_t wanted[WAYS], met[WAYS];
  uint32_t count;
} Ways;

static void loop(Ways *ways, uint32_t literal, uint32_t way,
                 const Term *bindings) {
  Body *body = ways->body;
  if (literal == body->count) {
    for (uint32_t i = 0; i < body->count; i++)
      if (body->sources[i].kind != SOURCE_ROWS && !passes(body, i, bindings))
        return;
    ways->wanted[way]++;
    return;
  }
  if (body->sources[literal].kind != SOURCE_ROWS) {
    loop(ways, literal + 1, way * ROWS, bindings);
    return;
  }
  JoinRange range = body->ranges[literal];
  for (uint32_t row = range.low; row < range.high; row++) {
    Term copy[VARIABLES];
    memcpy(copy, bindings, sizeof copy);
    if (bind_row(body, literal, row, copy))
      loop(ways, literal + 1, way * ROWS + row, copy);
  }
}

/* ---- the tests ---- */

static bool found(void *context, const Term *environment,
                  const uint32_t *rows) {
  Ways *ways = context;
  const Body *body = ways->body;
  uint32_t way = 0;
  for (uint32_t i = 0; i < body->count; i++) {
    bool has_row = body->sources[i].kind == SOURCE_ROWS;
    way = way * ROWS + (has_row ? rows[i] : 0);
    Term copy[VARIABLES];
    memcpy(copy, environment, sizeof copy);
    if (has_row) assert_true(bind_row(body, i, rows[i], copy));
    assert_memory_equal(copy, environment, sizeof copy);
  }
  ways->met[way]++;
  ways->count++;
  return true;
}

static uint32_t random_first(const Body *body, Random *random) {
  uint32_t first = random_below(random, body->count + 1);
  return first < body->count && body->sources[first].kind == SOURCE_ROWS
             ? first
             : JOIN_NO_FIRST;
}

static void test_against_loops(void **state) {
  (void)state;
  static Ways ways;
  uint32_t total = 0;
  Random random;
  random_seed(&random, 41);
  for (int round = 0; round < 6000; round++) {
    Body body;
    body_init(&body);
    random_body(&body, &random);
    memset(&ways, 0, sizeof ways);
    ways.body = &body;
    loop(&ways, 0, 0, (Term[VARIABLES]){0});
    JoinBudget budget = {.most_ticks = UINT64_MAX};
    Join *join = join_new(&body.terms, &body.variables, body.sources,
                          body.count, random_first(&body, &random));
    assert_true(join_run(join, body.ranges, &budget, found, &ways));
    assert_memory_equal(ways.wanted, ways.met, sizeof ways.met);
    total += ways.count;
    join_delete(join);
    body_free(&body);
  }

  assert_true(total > 3000); /* enough to test anything */
}

static bool stop(void *context, const Term *environment, const uint32_t *rows) {
  (void)environment, (void)rows;
  return ++*(uint32_t *)context < 3;
}

/* Two literals over as many rows as there are values, and no shared variable.
 */
static Join *product(Body *body, uint32_t rows) {
  body->count = 2;
  for (uint32_t i = 0; i < 2; i++) {
    body->relations[i].arity = 1;
    for (uint32_t row = 0; row < rows; row++)
      relation_add(&body->relations[i], &body->values[row % 12]);
    body->columns[i][0] = body->variables.data[i];
    body->sources[i] =
        (JoinSource){SOURCE_ROWS, &body->relations[i], body->columns[i]};
    body->ranges[i] = (JoinRange){0, rows};
  }
  return join_new(&body->terms, &body->variables, body->sources, 2,
                  JOIN_NO_FIRST);
}

static void test_stops(void **state) {
  (void)state;
  Body body;
  body_init(&body);
  JoinBudget budget = {.most_ticks = UINT64_MAX};
  uint32_t calls = 0;
  Join *join = product(&body, 12);
  assert_false(join_run(join, body.ranges, &budget, stop, &calls));
  assert_int_equal(calls, 3);
  join_delete(join);
  body_free(&body);
}

static bool count(void *context, const Term *environment,
                  const uint32_t *rows) {
  (void)environment, (void)rows;
  ++*(uint32_t *)context;
  return true;
}

static void test_budget(void **state) {
  (void)state;
  Body body;
  body_init(&body);
  uint32_t calls = 0;
  Join *join = product(&body, 1000);
  assert_true(join_estimate(join) == 1e6);
  JoinBudget budget = {.most_ticks = 100000};
  assert_false(join_run(join, body.ranges, &budget, count, &calls));
  assert_true(calls < 200000);
  assert_true(join_budget_spent(&budget));
  budget = (JoinBudget){.most_ticks = UINT64_MAX, .deadline = 1e-9};
  assert_false(join_run(join, body.ranges, &budget, count, &calls));
  budget = (JoinBudget){.most_ticks = 2000000};
  calls = 0;
  assert_true(join_run(join, body.ranges, &budget, count, &calls));
  assert_int_equal(calls, 1000000);
  assert_int_equal(budget.ticks, 1001000);
  join_delete(join);
  body_free(&body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_loops),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_budget),
  };
  return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}
