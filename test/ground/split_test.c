/* Random rules with long bodies: over the final rows, the parts of a rule give
   the same heads as the plain rule. */
#include "ground/instances.h"
#include "ground/split.h"

#include "base/random.h"
#include "support/ground.h"
#include "support/unit.h"

enum { GAMES = 400, RULES = 3, VALUES = 3 };

static const char *const variables[] = {"?t", "?u", "?v", "?w",
                                        "?x", "?y", "?z"};

static const char *value(Random *random) {
  return (const char *[]){"a", "b", "c"}[random_below(random, VALUES)];
}

/* Facts l, m, n and static facts p of two arguments, static facts q of three,
   for a random half of the tuples. */
static void write_facts(Random *random, Text *text) {
  static const char *const values[] = {"a", "b", "c"};
  for (uint32_t i = 0; i < VALUES * VALUES; i++) {
    const char *x = values[i / VALUES], *y = values[i % VALUES];
    for (char name = 'l'; name <= 'n'; name++)
      if (random_below(random, 2))
        text_format(text, "(init (%c %s %s))", name, x, y);
    if (random_below(random, 2)) text_format(text, "(p %s %s)", x, y);
    for (uint32_t z = 0; z < VALUES; z++)
      if (random_below(random, 2))
        text_format(text, "(q %s %s %s)", x, y, values[z]);
  }
  text_add(text, "(p a a) (q a b c) (init (l a a)) (init (m a b))"
                 "(init (n b c))");
}

static const char *argument(Random *random, uint32_t most) {
  return random_below(random, 12) ? variables[random_below(random, most)]
                                  : value(random);
}

static void write_literal(Random *random, Text *text) {
  const char *x = argument(random, 7), *y = argument(random, 7);
  switch (random_below(random, 6)) {
  case 0: text_format(text, " (p %s %s)", x, y); break;
  case 1: text_format(text, " (q %s %s %s)", x, y, argument(random, 7)); break;
  case 2: text_format(text, " (does r (go %s))", x); break;
  default:
    text_format(text, " (true (%c %s %s))", "lmn"[random_below(random, 3)], x,
                y);
  }
}

/* The first literals bind what the head, negations and inequalities use. */
static void write_rule(Random *random, uint32_t number, Text *text) {
  text_format(text,
              "(<= (h%u ?t ?u) (true (l ?t ?v)) (true (m ?v ?u))"
              " (p ?v ?w)",
              number);
  for (uint32_t i = random_below(random, 5) + 1; i > 0; i--)
    write_literal(random, text);
  if (random_below(random, 2))
    text_format(text, " (not (true (n %s %s)))", argument(random, 4),
                argument(random, 4));
  if (random_below(random, 2))
    text_format(text, " (not (q %s a %s))", argument(random, 4),
                argument(random, 4));
  if (random_below(random, 2))
    text_format(text, " (distinct %s %s)", argument(random, 4),
                argument(random, 4));
  text_add(text, ")");
}

static void write_game(Random *random, Text *text) {
  text_add(text, "(role r) (goal r 0) (legal r (go a)) (legal r (go b))"
                 "(<= terminal (true (l c c)))");
  for (char name = 'l'; name <= 'n'; name++)
    text_format(text,
                "(<= (next (%c ?x ?y)) (true (%c ?x ?y)) (does r (go a)))",
                name, name);
  write_facts(random, text);
  for (uint32_t i = 0; i < RULES; i++) {
    write_rule(random, i, text);
    text_format(text, "(<= (next (n ?x ?y)) (h%u ?x ?y))", i);
  }
}

/* ---- heads ---- */

typedef struct Heads {
  Ground *ground;
  const GroundRule *rule;
  Relation rows;
} Heads;

static bool add_head(void *context, const Term *environment,
                     const uint32_t *rows) {
  Heads *heads = context;
  Term head[4];
  uint32_t number;
  (void)rows;
  for (uint32_t i = 0; i < heads->rule->head_count; i++)
    head[i] = pattern_build(heads->ground->terms, &heads->rule->patterns[i],
                            environment);
  relation_insert(&heads->rows, head, &number);
  return true;
}

static void find_heads(Ground *ground, const GroundRule *rule, Heads *heads) {
  JoinRange ranges[64];
  JoinBudget budget = {.most_ticks = UINT64_MAX};
  *heads = (Heads){ground, rule, {.arity = rule->head_count}};
  assert_true(rule->count <= LENGTH(ranges));
  instances_ranges(ground, rule, JOIN_NO_FIRST, ranges);
  Join *join = instances_join(ground, rule, JOIN_NO_FIRST);
  assert_true(join_run(join, ranges, &budget, add_head, heads));
  join_delete(join);
}

static void check_rule(Ground *ground, const GroundRule *rule,
                       uint32_t *heads) {
  Heads plain, split;
  find_heads(ground, rule->plain, &plain);
  find_heads(ground, rule, &split);
  assert_int_equal(plain.rows.count, split.rows.count);
  for (uint32_t i = 0; i < plain.rows.count; i++)
    assert_int_not_equal(
        relation_find(&split.rows, relation_row(&plain.rows, i)), RELATION_END);
  *heads += plain.rows.count;
  relation_free(&plain.rows);
  relation_free(&split.rows);
}

static void test_same_heads(void **state) {
  (void)state;
  Random random;
  uint32_t split = 0, heads = 0;
  random_seed(&random, 43);
  for (int i = 0; i < GAMES; i++) {
    Text text = {0};
    GroundGame game;
    write_game(&random, &text);
    ground_open(&game, text_string(&text));
    for (uint32_t r = 0; r < game.ground.rules.count; r++) {
      if (!game.ground.rules.data[r]->plain) continue;
      check_rule(&game.ground, game.ground.rules.data[r], &heads);
      split++;
    }
    ground_close(&game);
    text_free(&text);
  }
  assert_true(split > GAMES); /* enough to test anything */
  assert_true(heads > GAMES);
}

/* Where two halves of a body share nothing but the head's variables, neither
   multiplies the other; where one literal has them all, nothing is split. */
static void test_parts(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, "(role r) (goal r 0) (legal r go) (<= terminal (far a a))"
                     "(init (l a b)) (init (l b c)) (init (l c a))"
                     "(<= (next (l ?x ?y)) (true (l ?x ?y)) (not (near a)))"
                     "(<= (far ?x ?y) (true (l ?x ?u)) (true (l ?u ?x))"
                     "    (true (l ?y ?v)) (true (l ?v ?y)))"
                     "(<= (near ?x) (true (l ?x ?y)))");
  uint32_t split = 0, parts = 0;
  for (uint32_t r = 0; r < game.ground.rules.count; r++) {
    split += game.ground.rules.data[r]->plain != NULL;
    parts += game.ground.rules.data[r]->owner != NULL;
  }
  assert_int_equal(split, 1);
  assert_int_equal(parts, 2);
  ground_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_heads),
      cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
