/* Classify, flatten, saturate, and prove what the forms of the rules rely on;
   without the proof, once more with plain forms. All of it is one trial. */
#include "ground/ground.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/trial.h"
#include "ground/claim.h"
#include "ground/classify.h"
#include "ground/saturate.h"
#include "ground/token.h"
#include "ground/translate.h"

static void begin(Ground *ground, Description *description,
                  const GroundLimits *limits, Text *error) {
  *ground = (Ground){.description = description,
                     .terms = &description->rules.terms,
                     .seconds = limits->seconds,
                     .narrow = limits->narrow,
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

static bool fill(Ground *ground) {
  bool *needed = classify_needed(ground);
  classify_constants(ground);
  bool fine = classify_relations(ground, needed);
  if (fine) {
    translate_rules(ground, needed);
    fine = saturate_relations(ground);
  }
  memory_delete(needed);
  return fine;
}

typedef struct Attempt {
  Ground *ground;
  Description *description;
  const GroundLimits *limits;
  char reason[200]; /* of a failure; empty: memory */
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
  if (fine && !(claim_all_hold(ground) && token_all_hold(ground))) {
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
  if (trial_deadline_passed()) trial_check();
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
  vector_free(&ground->tokens);
  vector_free(&ground->parts);
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
