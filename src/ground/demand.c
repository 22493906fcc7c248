/* Magic sets (Bancilhon, Maier, Sagiv, Ullman 1986) for constants: if every
   call of a predicate has constants in certain columns, a static relation of
   these constants is put before each of its rules. (count a b c d ?n) called
   with three tuples of places is then evaluated for three tuples instead of for
   all. Negative calls count too. No answer that is asked for is lost, so the
   calls mean the same as before. */
#include "ground/demand.h"

typedef struct Demand {
  Ground *ground;
  ColumnSet *columns; /* by relation: known in every call so far */
  bool *called;       /* by relation */
  uint32_t *asked;    /* by relation: the relation of its constants, 0: none */
} Demand;

static bool calls_itself(const GroundRule *rule, const GroundLiteral *literal) {
  return rule->kind == HEAD_ROW && rule->relation == literal->relation;
}

/* The columns in which the call has constants; of a recursive call, those in
   which it repeats the head. */
static ColumnSet known_columns(const Ground *ground, const GroundRule *rule,
                               const GroundLiteral *literal) {
  ColumnSet set = 0;
  for (uint32_t i = 0; i < ground_columns(ground, literal); i++)
    if (calls_itself(rule, literal)
            ? literal->columns[i] == rule->head[i]
            : term_is_ground(ground->terms, literal->columns[i]))
      set |= (ColumnSet)1 << i;
  return set;
}

static bool is_call(const Ground *ground, const GroundLiteral *literal) {
  return literal->sign != UNEQUAL &&
         ground_relation(ground, literal->relation)->predicate != 0;
}

static void look_at_calls(Demand *demand, const RuleVector *rules) {
  const Ground *ground = demand->ground;
  for (uint32_t r = 0; r < rules->count; r++)
    for (uint32_t i = 0; i < rules->data[r]->count; i++) {
      const GroundLiteral *literal = &rules->data[r]->body[i];
      if (!is_call(ground, literal)) continue;
      ColumnSet *columns = &demand->columns[literal->relation];
      ColumnSet own = known_columns(ground, rules->data[r], literal);
      *columns = demand->called[literal->relation] ? *columns & own : own;
      demand->called[literal->relation] = true;
    }
}

/* Has the rule anything to gain: a body, and a variable in these columns? */
static bool gains(const Ground *ground, const GroundRule *rule,
                  ColumnSet columns) {
  for (uint32_t i = 0; i < rule->head_count && rule->count; i++)
    if (columns >> i & 1 && !term_is_ground(ground->terms, rule->head[i]))
      return true;
  return false;
}

static GroundLiteral ask(Demand *demand, uint32_t relation, const Term *terms) {
  ColumnSet columns = demand->columns[relation];
  uint32_t count = (uint32_t)__builtin_popcountll(columns), i = 0;
  Term *own = arena_new(&demand->ground->arena, count * sizeof *own);
  for (ColumnSet rest = columns; rest; rest &= rest - 1)
    own[i++] = terms[__builtin_ctzll(rest)];
  return (GroundLiteral){
      .sign = POSITIVE, .relation = demand->asked[relation], .columns = own};
}

/* Makes relations for the predicates that have rules with something to gain.
   Keywords are also called from outside. */
static void choose(Demand *demand, const RuleVector *rules) {
  Ground *ground = demand->ground;
  for (uint32_t r = 0; r < rules->count; r++) {
    const GroundRule *rule = rules->data[r];
    uint32_t relation = rule->relation;
    if (rule->kind != HEAD_ROW || demand->asked[relation] ||
        !demand->called[relation] ||
        ground_predicate(ground, ground_relation(ground, relation)->predicate)
                ->name < SYMBOL_FIRST_FREE ||
        !gains(ground, rule, demand->columns[relation]))
      continue;
    demand->asked[relation] = ground_add_relation(
        ground, HOLDS_ALWAYS,
        (uint32_t)__builtin_popcountll(demand->columns[relation]));
  }
}

/* Inserts a row for each tuple of constants, which completes the relations. */
static void insert_rows(Demand *demand, const RuleVector *rules) {
  Ground *ground = demand->ground;
  for (uint32_t r = 0; r < rules->count; r++)
    for (uint32_t i = 0; i < rules->data[r]->count; i++) {
      const GroundLiteral *literal = &rules->data[r]->body[i];
      if (!is_call(ground, literal) || !demand->asked[literal->relation] ||
          calls_itself(rules->data[r], literal))
        continue;
      GroundLiteral call = ask(demand, literal->relation, literal->columns);
      GroundRelation *relation = ground_relation(ground, call.relation);
      ground_insert_row(relation, call.columns, 0);
      relation->done = relation->end = relation->rows.count;
    }
}

static void restrict_rule(Demand *demand, GroundRule **rule) {
  const GroundRule *old = *rule;
  Ground *ground = demand->ground;
  GroundLiteral *body =
      arena_new(&ground->arena, (old->count + 1) * sizeof *body);
  if (old->count) memcpy(body, old->body, old->count * sizeof *body);
  body[old->count] = ask(demand, old->relation, old->head);
  *rule = ground_make_rule(ground, old->kind, old->relation, old->head,
                           old->head_count, body, old->count + 1);
}

void demand_constants(Ground *ground, RuleVector *rules) {
  uint32_t relations = ground->relations.count;
  Demand demand = {.ground = ground,
                   .columns = memory_new(relations * sizeof(ColumnSet)),
                   .called = memory_new(relations * sizeof(bool)),
                   .asked = memory_new(relations * sizeof(uint32_t))};
  look_at_calls(&demand, rules);
  choose(&demand, rules);
  insert_rows(&demand, rules);
  for (uint32_t r = 0; r < rules->count; r++)
    if (rules->data[r]->kind == HEAD_ROW &&
        rules->data[r]->relation < relations &&
        demand.asked[rules->data[r]->relation])
      restrict_rule(&demand, &rules->data[r]);
  memory_delete(demand.columns);
  memory_delete(demand.called);
  memory_delete(demand.asked);
}
