/* Each rule goes through these steps: calls are unfolded, wide static calls
   distributed, places of single things taken out of wide calls, the result
   flattened, demand added, and the body split. Rules
   come out in the order of their components, callees first, the parts of a rule
   before the rule itself. */
#include "ground/translate.h"

#include "base/trial.h"
#include "ground/ask.h"
#include "ground/demand.h"
#include "ground/distribute.h"
#include "ground/flatten.h"
#include "ground/merge.h"
#include "ground/single.h"
#include "ground/split.h"
#include "ground/unfold.h"

static GroundRule *flatten_unfolded(Ground *ground, Term head,
                                    const LiteralVector *literals,
                                    const GroundLiteralVector *calls) {
  const Terms *terms = ground->terms;
  Symbol symbol = term_symbol(terms, head);
  HeadKind kind = symbol == SYMBOL_INIT    ? HEAD_INIT
                  : symbol == SYMBOL_NEXT  ? HEAD_NEXT
                  : symbol == SYMBOL_LEGAL ? HEAD_LEGAL
                                           : HEAD_ROW;
  uint32_t relation = 0;
  if (kind == HEAD_ROW)
    relation = ground->of_predicate[dependencies_of(
        &ground->description->dependencies, terms, head)];
  return flatten_rule(ground, kind, relation, term_arguments(terms, head),
                      term_arity(terms, head), literals, calls);
}

/* Adds the rule to `own` unless its body cannot be true, and rules made for its
   calls to `parts`. */
static void translate_rule(Ground *ground, const Rule *rule, RuleVector *parts,
                           RuleVector *own) {
  LiteralVector literals = {0};
  GroundLiteralVector calls = {0};
  Term head;
  if (unfold_rule(ground, rule, &head, &literals)) {
    distribute_body(ground, head, &literals, &calls, parts);
    single_body(ground, head, &literals, &calls, parts);
    vector_push(own, flatten_unfolded(ground, head, &literals, &calls));
  }
  vector_free(&literals);
  vector_free(&calls);
}

/* Adds the rule, and its positive literals to the users of their relations. */
static void register_rule(Ground *ground, GroundRule *rule) {
  uint32_t number = ground->rules.count;
  vector_push(&ground->rules, rule);
  for (uint32_t i = 0; i < rule->count; i++) {
    if (rule->body[i].sign != POSITIVE) continue;
    GroundRelation *relation = ground_relation(ground, rule->body[i].relation);
    vector_push(&relation->users, number);
    vector_push(&relation->users, i);
  }
}

static void append(RuleVector *to, RuleVector *from) {
  for (uint32_t i = 0; i < from->count; i++) vector_push(to, from->data[i]);
  vector_free(from);
}

/* Translates the rules of one component; their parts come first. */
static void translate_component(Ground *ground, const uint32_t *predicates,
                                uint32_t count, const bool *needed,
                                RuleVector *all) {
  const Rules *rules = &ground->description->rules;
  RuleVector parts = {0}, own = {0};
  for (uint32_t n = 0; n < count; n++) {
    const Predicate *predicate = ground_predicate(ground, predicates[n]);
    for (uint32_t i = 0; needed[predicates[n]] && i < predicate->rules.count;
         i++)
      translate_rule(ground, &rules->list.data[predicate->rules.data[i]],
                     &parts, &own);
  }
  if (ground->tight) merge_rules(ground, &own, &parts);
  append(all, &parts);
  append(all, &own);
}

static void translate_all(Ground *ground, const bool *needed, RuleVector *all) {
  const Dependencies *dependencies = &ground->description->dependencies;
  uint32_t *order = dependencies_order(dependencies);
  uint32_t count = dependencies->list.count - 1;
  for (uint32_t n = 0; n < count;) {
    uint32_t first = n,
             component = ground_predicate(ground, order[n])->component;
    while (n < count &&
           ground_predicate(ground, order[n])->component == component)
      n++;
    translate_component(ground, order + first, n - first, needed, all);
  }
  memory_delete(order);
}

static void mark_read(const GroundRule *rule, bool *read, bool *changed) {
  for (uint32_t i = 0; i < rule->count; i++) {
    if (rule->body[i].sign == UNEQUAL || read[rule->body[i].relation]) continue;
    read[rule->body[i].relation] = true;
    *changed = true;
  }
}

/* Keeps the rules that are still needed after unfolding: those of heads that a
   needed rule reads. Callers come after callees, so going backwards needs a
   second round only for recursion. */
static void keep_needed(const Ground *ground, RuleVector *all) {
  const Dependencies *d = &ground->description->dependencies;
  bool *read = memory_new(ground->relations.count * sizeof *read);
  read[ground->of_predicate[dependencies_find(d, SYMBOL_GOAL, 2)]] = true;
  read[ground->of_predicate[dependencies_find(d, SYMBOL_TERMINAL, 0)]] = true;
  read[ground->base] = read[ground->input] = true;
  for (uint32_t i = 0; i < ground->tokens.count; i++)
    read[ground->tokens.data[i].keys] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = all->count; r-- > 0;) {
      const GroundRule *rule = all->data[r];
      trial_check();
      if (rule->kind == HEAD_ROW && !read[rule->relation]) continue;
      mark_read(rule, read, &changed);
    }
  }
  uint32_t kept = 0;
  for (uint32_t r = 0; r < all->count; r++)
    if (all->data[r]->kind != HEAD_ROW || read[all->data[r]->relation])
      all->data[kept++] = all->data[r];
  all->count = kept;
  memory_delete(read);
}

/* Splits the rules of each component; the parts come first. */
static void split_all(Ground *ground, const RuleVector *all,
                      RuleVector *result) {
  for (uint32_t r = 0; r < all->count;) {
    RuleVector before = {0}, own = {0};
    uint32_t component = ground_component(ground, all->data[r]);
    for (;
         r < all->count && ground_component(ground, all->data[r]) == component;
         r++)
      split_rule(ground, all->data[r], &before, &own);
    append(result, &before);
    append(result, &own);
  }
}

void translate_rules(Ground *ground, const bool *needed) {
  RuleVector plain = {0}, all = {0};
  ground->tight = ground->distributes && single_applies(ground);
  translate_all(ground, needed, &plain);
  keep_needed(ground, &plain);
  demand_constants(ground, &plain);
  if (ground->tight) ask_calls(ground, &plain);
  split_all(ground, &plain, &all);
  for (uint32_t r = 0; r < all.count; r++) register_rule(ground, all.data[r]);
  vector_free(&plain);
  vector_free(&all);
}
