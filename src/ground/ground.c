/* A relation holds the rows that can be true: of a predicate, of a part that a
   split made, of all facts cell/3 with their three arguments as columns, of all
   moves move/2 with the role and two arguments as columns, or of whole facts
   and moves where a rule says (true ?f) or (does ?r ?m). Fluents and moves are
   numbered in the order in which they are found. */
#include "ground/ground.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/trial.h"
#include "ground/claim.h"
#include "ground/classify.h"
#include "ground/flatten.h"
#include "ground/saturate.h"

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

/* The relation of all facts (moves) of a functor; moves have the role as their
   first column. */
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

/* Is there a relation to narrow by, and the row not in it? */
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
  if (!ground->error->length && ground->limits.seconds > 0)
    text_format(ground->error,
                "grounding takes longer than %g s (--ground-seconds)",
                ground->limits.seconds);
  return ground_fail(ground, "grounding takes more work than allowed");
}

static void begin(Ground *ground, Description *description,
                  const GroundLimits *limits, Text *error) {
  *ground = (Ground){.description = description,
                     .terms = &description->rules.terms,
                     .limits = *limits,
                     .error = error};
  ground->budget.most_ticks = limits->ticks ? limits->ticks : UINT64_MAX;
  ground->component_count = description->dependencies.component_count;
  ground->of_predicate =
      memory_new(description->dependencies.list.count * sizeof(uint32_t));
  ground->constant_functor =
      memory_new(ground->terms->symbols.names.count * sizeof(bool));
  ground->move_of =
      memory_new(description->rules.roles.count * sizeof *ground->move_of);
  vector_push(&ground->relations, NULL);
  vector_push(&ground->class_other, 0);
}

/* Classify, flatten, saturate. */
static bool fill(Ground *ground) {
  bool *needed = classify_needed(ground);
  classify_constants(ground);
  bool fine = classify_relations(ground, needed);
  if (fine) {
    flatten_rules(ground, needed);
    fine = saturate_relations(ground);
  }
  memory_delete(needed);
  return fine;
}

/* What ground_init tries within the memory. */
typedef struct Attempt {
  Ground *ground;
  Description *description;
  const GroundLimits *limits;
  char reason[200]; /* empty: none but memory */
} Attempt;

static void attempt(void *context) {
  Attempt *at = context;
  Ground *ground = at->ground;
  Text error = {0};
  double deadline =
      at->limits->seconds > 0 ? clock_now() + at->limits->seconds : 0;
  begin(ground, at->description, at->limits, &error);
  ground->budget.deadline = deadline;
  ground->distributes = true;
  bool fine = fill(ground);
  if (fine && !claims_hold(ground)) {
    ground_free(ground);
    begin(ground, at->description, at->limits, &error);
    ground->budget.deadline = deadline;
    fine = fill(ground);
  }
  snprintf(at->reason, sizeof at->reason, "%s", text_string(&error));
  if (!fine) trial_fail(at->reason);
}

bool ground_init(Ground *ground, Description *description,
                 const GroundLimits *limits, Text *error) {
  Attempt own = {
      .ground = ground, .description = description, .limits = limits};
  TermsMark mark = terms_mark(&description->rules.terms);
  bool fine = trial_run(limits->memory, attempt, &own);
  if (fine) {
    ground->error = error;
    return true;
  }
  *ground = (Ground){0};
  terms_restore(&description->rules.terms, &mark);
  if (*own.reason)
    text_add(error, own.reason);
  else if (trial_limit_reached())
    text_format(error, "grounding takes more than %zu MiB (--memory)",
                limits->memory >> 20);
  else
    text_add(error, "grounding takes more memory than there is");
  return false;
}

void ground_free(Ground *ground) {
  if (!ground->description) return;
  for (uint32_t r = 0; r < ground->made.count; r++) {
    GroundRule *rule = ground->made.data[r];
    for (uint32_t i = 0; i <= rule->count; i++)
      if (rule->joins[i]) join_delete(rule->joins[i]);
    vector_free(&rule->variables);
  }
  vector_free(&ground->made);
  for (uint32_t r = 1; r < ground->relations.count; r++) {
    relation_free(&ground_relation(ground, r)->rows);
    vector_free(&ground_relation(ground, r)->ids);
    vector_free(&ground_relation(ground, r)->users);
  }
  for (uint32_t role = 0; role < ground->description->rules.roles.count; role++)
    vector_free(&ground->move_of[role]);
  memory_delete(ground->move_of);
  memory_delete(ground->constant_functor);
  memory_delete(ground->of_predicate);
  vector_free(&ground->fluents);
  vector_free(&ground->moves);
  vector_free(&ground->fluent_of);
  vector_free(&ground->fluent_class);
  vector_free(&ground->move_class);
  vector_free(&ground->class_other);
  vector_free(&ground->claims);
  vector_free(&ground->rules);
  vector_free(&ground->relations);
  arena_free(&ground->arena);
}

static void write_row(const Ground *ground, const GroundRelation *relation,
                      uint32_t row, Text *text) {
  const Predicate *predicate = ground_predicate(ground, relation->predicate);
  text_format(text, "(%s",
              symbol_text(&ground->terms->symbols, predicate->name));
  for (uint32_t i = 0; i < relation->rows.arity; i++) {
    text_add_byte(text, ' ');
    term_write(ground->terms, relation_row(&relation->rows, row)[i], text);
  }
  text_add(text, ")\n");
}

void ground_write(const Ground *ground, Text *text) {
  text_format(text, "; %u fluents, %u moves\n", ground->fluents.count,
              ground->moves.count);
  for (uint32_t i = 0; i < ground->fluents.count; i++) {
    text_add(text, ground->fluents.data[i].initial ? "init " : "true ");
    term_write(ground->terms, ground->fluents.data[i].term, text);
    text_add_byte(text, '\n');
  }
  for (uint32_t i = 0; i < ground->moves.count; i++) {
    const GroundMove *move = &ground->moves.data[i];
    text_add(text, "does ");
    term_write(ground->terms, ground->description->rules.roles.data[move->role],
               text);
    text_add_byte(text, ' ');
    term_write(ground->terms, move->term, text);
    text_add_byte(text, '\n');
  }
  for (uint32_t r = 1; r < ground->relations.count; r++) {
    const GroundRelation *relation = ground_relation(ground, r);
    for (uint32_t row = 0; relation->predicate && row < relation->rows.count;
         row++)
      write_row(ground, relation, row, text);
  }
}
