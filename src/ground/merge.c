/* A body with (or a b) has become two rules that are equal but for a and b, and
   everything that they share would be multiplied out twice. A new predicate
   with one rule for a and one for b takes the place of both. */
#include "ground/merge.h"

#include "base/trial.h"

static bool same_literal(const Ground *ground, const GroundLiteral *a,
                         const GroundLiteral *b) {
  return a->sign == b->sign && a->legality == b->legality &&
         a->relation == b->relation &&
         memcmp(a->columns, b->columns,
                ground_columns(ground, a) * sizeof(Term)) == 0;
}

static void collect(const Ground *ground, const GroundLiteral *literal,
                    TermVector *variables) {
  for (uint32_t i = 0; i < ground_columns(ground, literal); i++)
    term_collect_variables(ground->terms, literal->columns[i], variables);
}

static bool same_variables(const Ground *ground, const GroundLiteral *a,
                           const GroundLiteral *b) {
  TermVector left = {0}, right = {0};
  collect(ground, a, &left);
  collect(ground, b, &right);
  bool same = left.count == right.count;
  for (uint32_t i = 0; i < left.count && same; i++)
    same = term_vector_contains(&right, left.data[i]);
  vector_free(&left);
  vector_free(&right);
  return same;
}

/* The number of the only literal in which the rules differ, or the number of
   literals. */
static uint32_t difference(const Ground *ground, const GroundRule *a,
                           const GroundRule *b) {
  uint32_t found = a->count;
  if (a->kind != b->kind || a->relation != b->relation ||
      a->head_count != b->head_count || a->count != b->count ||
      memcmp(a->head, b->head, a->head_count * sizeof(Term)) != 0)
    return a->count;
  for (uint32_t i = 0; i < a->count; i++) {
    if (same_literal(ground, &a->body[i], &b->body[i])) continue;
    if (found < a->count) return a->count;
    found = i;
  }
  return found;
}

/* Can the two literals be the rules of one predicate that depends on the
   state? */
static bool fit(const Ground *ground, const GroundLiteral *a,
                const GroundLiteral *b) {
  if (a->sign != POSITIVE || b->sign != POSITIVE || a->legality || b->legality)
    return false;
  HoldsKind kind = ground_relation(ground, a->relation)->kind;
  return kind == ground_relation(ground, b->relation)->kind &&
         (kind == HOLDS_FLUENT || kind == HOLDS_MOVE) &&
         same_variables(ground, a, b);
}

static void add_way(Ground *ground, uint32_t relation, Term *columns,
                    uint32_t count, const GroundLiteral *literal,
                    RuleVector *parts) {
  GroundLiteral *body = arena_new(&ground->arena, sizeof *body);
  *body = *literal;
  vector_push(parts, ground_make_rule(ground, HEAD_ROW, relation, columns,
                                      count, body, 1));
}

static GroundRule *merge(Ground *ground, const GroundRule *a,
                         const GroundRule *b, uint32_t at, RuleVector *parts) {
  TermVector variables = {0};
  collect(ground, &a->body[at], &variables);
  uint32_t relation =
      ground_add_relation(ground, HOLDS_DERIVED, variables.count);
  Term *columns = ground_copy_terms(ground, variables.data, variables.count);
  add_way(ground, relation, columns, variables.count, &a->body[at], parts);
  add_way(ground, relation, columns, variables.count, &b->body[at], parts);
  GroundLiteral *body = arena_new(&ground->arena, a->count * sizeof *body);
  memcpy(body, a->body, a->count * sizeof *body);
  body[at] = (GroundLiteral){
      .sign = POSITIVE, .relation = relation, .columns = columns};
  vector_free(&variables);
  return ground_make_rule(ground, a->kind, a->relation, a->head, a->head_count,
                          body, a->count);
}

void merge_rules(Ground *ground, RuleVector *rules, RuleVector *parts) {
  for (uint32_t a = 0; a < rules->count; a++)
    for (uint32_t b = a + 1; b < rules->count; b++) {
      trial_check();
      const GroundRule *left = rules->data[a], *right = rules->data[b];
      uint32_t at = difference(ground, left, right);
      if (at == left->count || !fit(ground, &left->body[at], &right->body[at]))
        continue;
      rules->data[a] = merge(ground, left, right, at, parts);
      rules->count--;
      memmove(rules->data + b, rules->data + b + 1,
              (rules->count - b) * sizeof *rules->data);
      break;
    }
}
