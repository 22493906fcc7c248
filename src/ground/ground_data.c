/* A relation holds the rows that can be true: of a predicate; of a part that a
   split made; of all facts cell/3, with their three arguments as columns; of
   all moves move/2, with the role and two arguments as columns; or of whole
   facts and moves, where a rule says (true ?f) or (does ?r ?m). Fluents and
   moves are numbered in the order in which they are found. */
#include "ground/ground_data.h"

/* ---- relations ---- */

uint32_t ground_add_relation(Ground *ground, HoldsKind kind, uint32_t arity) {
  GroundRelation *relation = arena_new(&ground->arena, sizeof *relation);
  relation->kind = kind;
  relation->component = ground->component_count++;
  relation->rows.arity = arity;
  vector_push(&ground->relations, relation);
  vector_push(&ground->class_other, 0);
  return ground->relations.count - 1;
}

static void reach(NumberVector *vector, uint32_t index) {
  while (vector->count <= index) vector_push(vector, 0);
}

/* The class relation of a functor; moves have the role as first column. */
static uint32_t class_of(Ground *ground, NumberVector *by_functor,
                         HoldsKind kind, Symbol functor, uint32_t columns) {
  reach(by_functor, functor);
  uint32_t number = by_functor->data[functor];
  for (; number; number = ground->class_other.data[number])
    if (ground_relation(ground, number)->rows.arity == columns) return number;
  number = ground_add_relation(ground, kind, columns);
  ground_relation(ground, number)->late = kind == HOLDS_ALWAYS;
  ground->class_other.data[number] = by_functor->data[functor];
  by_functor->data[functor] = number;
  return number;
}

uint32_t ground_fluent_class(Ground *ground, Term fluent) {
  HoldsKind kind = ground->constant_functor[term_symbol(ground->terms, fluent)]
                       ? HOLDS_ALWAYS
                       : HOLDS_FLUENT;
  return class_of(ground, &ground->fluent_class, kind,
                  term_symbol(ground->terms, fluent),
                  term_arity(ground->terms, fluent));
}

uint32_t ground_move_class(Ground *ground, Term action) {
  return class_of(ground, &ground->move_class, HOLDS_MOVE,
                  term_symbol(ground->terms, action),
                  term_arity(ground->terms, action) + 1);
}

void ground_insert_row(GroundRelation *relation, const Term *row, uint32_t id) {
  uint32_t number;
  if (!relation_insert(&relation->rows, row, &number)) return;
  if (relation->kind == HOLDS_FLUENT || relation->kind == HOLDS_MOVE)
    vector_push(&relation->ids, id);
}

/* Is there a relation to narrow by that lacks the row? */
static bool is_beyond(const Ground *ground, uint32_t relation,
                      const Term *row) {
  return relation && relation_find(&ground_relation(ground, relation)->rows,
                                   row) == RELATION_END;
}

void ground_insert_fluent(Ground *ground, Term fluent, bool initial) {
  reach(&ground->fluent_of, fluent);
  uint32_t known = ground->fluent_of.data[fluent];
  if (known) {
    ground->fluents.data[known - 1].initial |= initial;
    return;
  }
  if (!initial && is_beyond(ground, ground->base, &fluent)) return;
  uint32_t id = ground->fluents.count,
           class = ground_fluent_class(ground, fluent);
  GroundRelation *relation = ground_relation(ground, class);
  bool constant = relation->kind == HOLDS_ALWAYS;
  ground->fluent_of.data[fluent] = id + 1;
  vector_push(&ground->fluents, ((GroundFluent){fluent, initial, constant}));
  ground_insert_row(relation, term_arguments(ground->terms, fluent), id);
  if (ground->all_fluents)
    ground_insert_row(ground_relation(ground, ground->all_fluents), &fluent,
                      id);
}

void ground_insert_move(Ground *ground, Term role_term, Term action) {
  uint32_t role = 0, roles = ground->description->rules.roles.count;
  while (role < roles &&
         ground->description->rules.roles.data[role] != role_term)
    role++;
  if (role == roles) return;
  reach(&ground->move_of[role], action);
  if (ground->move_of[role].data[action]) return;
  Term input[] = {role_term, action};
  if (is_beyond(ground, ground->input, input)) return;
  uint32_t id = ground->moves.count;
  ground->move_of[role].data[action] = id + 1;
  vector_push(&ground->moves, ((GroundMove){role, action}));
  Term row[TERM_LARGEST_ARITY + 1] = {role_term};
  uint32_t arity = term_arity(ground->terms, action);
  for (uint32_t i = 0; i < arity; i++)
    row[i + 1] = term_argument(ground->terms, action, i);
  uint32_t class = ground_move_class(ground, action);
  ground_insert_row(ground_relation(ground, class), row, id);
  row[1] = action;
  if (ground->all_moves)
    ground_insert_row(ground_relation(ground, ground->all_moves), row, id);
}

Term *ground_copy_terms(Ground *ground, const Term *terms, uint32_t count) {
  Term *copy = arena_new(&ground->arena, (count + 1) * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) copy[i] = terms[i];
  return copy;
}

/* ---- rules ---- */

uint32_t ground_columns(const Ground *ground, const GroundLiteral *literal) {
  return literal->sign == UNEQUAL
             ? 2
             : ground_relation(ground, literal->relation)->rows.arity;
}

static void collect_variables(const Ground *ground, GroundRule *rule) {
  for (uint32_t i = 0; i < rule->head_count; i++)
    term_collect_variables(ground->terms, rule->head[i], &rule->variables);
  for (uint32_t i = 0; i < rule->count; i++)
    for (uint32_t j = 0; j < ground_columns(ground, &rule->body[i]); j++)
      term_collect_variables(ground->terms, rule->body[i].columns[j],
                             &rule->variables);
}

static void compile_head(Ground *ground, GroundRule *rule) {
  PatternScope scope = {ground->terms, &ground->arena, rule->variables, NULL};
  scope.bound = memory_new(rule->variables.count * sizeof(bool));
  for (uint32_t i = 0; i < rule->variables.count; i++) scope.bound[i] = true;
  rule->patterns =
      arena_new(&ground->arena, (rule->head_count + 1) * sizeof(Pattern));
  for (uint32_t i = 0; i < rule->head_count; i++)
    pattern_make(&scope, rule->head[i], &rule->patterns[i]);
  memory_delete(scope.bound);
}

GroundRule *ground_make_rule(Ground *ground, HeadKind kind, uint32_t relation,
                             Term *head, uint32_t head_count,
                             GroundLiteral *body, uint32_t count) {
  GroundRule *rule = arena_new(&ground->arena, sizeof *rule);
  rule->kind = kind;
  rule->relation = relation;
  rule->head = head;
  rule->head_count = head_count;
  rule->body = body;
  rule->count = count;
  rule->joins = arena_new(&ground->arena, (count + 1) * sizeof *rule->joins);
  rule->compiled_size =
      arena_new(&ground->arena, (count + 1) * sizeof(uint32_t));
  collect_variables(ground, rule);
  compile_head(ground, rule);
  vector_push(&ground->made, rule);
  return rule;
}

uint32_t ground_component(const Ground *ground, const GroundRule *rule) {
  if (rule->kind == HEAD_ROW)
    return ground_relation(ground, rule->relation)->component;
  const Dependencies *d = &ground->description->dependencies;
  Symbol name = rule->kind == HEAD_LEGAL  ? SYMBOL_LEGAL
                : rule->kind == HEAD_INIT ? SYMBOL_INIT
                                          : SYMBOL_NEXT;
  uint32_t p = dependencies_find(d, name, (uint32_t)rule_keyword_arity(name));
  return d->list.data[p].component;
}

bool ground_fail(Ground *ground, const char *what) {
  if (!ground->error->length) text_add(ground->error, what);
  return false;
}

bool ground_fail_budget(Ground *ground) {
  if (!ground->error->length && ground->seconds > 0)
    text_format(ground->error,
                "grounding takes longer than %g s (--ground-seconds)",
                ground->seconds);
  return ground_fail(ground, "grounding takes more work than allowed");
}
