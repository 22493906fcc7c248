/* One function for each check; every diagnostic carries the id of its check.
   Its place is that of the form which the rule or literal was read from. */
#include "gdl/check.h"

#include "base/marks.h"
#include "gdl/doubt.h"
#include "gdl/stratifier.h"

typedef struct Check {
  Rules *rules;
  const Terms *terms;
  const Dependencies *dependencies;
  Report *report;
  bool *plays; /* by component: depends on legal, goal or terminal */
} Check;

static const char *name_of(const Check *check, Symbol symbol) {
  return symbol_text(&check->terms->symbols, symbol);
}

static const Predicate *predicate_of(const Check *check, Term atom) {
  return &check->dependencies->list
              .data[dependencies_of(check->dependencies, check->terms, atom)];
}

/* The first rule of a predicate, or NULL. */
static const Rule *first_rule(const Check *check, Symbol name, uint32_t arity) {
  uint32_t p = dependencies_find(check->dependencies, name, arity);
  const Predicate *predicate = &check->dependencies->list.data[p];
  return predicate->rules.count
             ? &check->rules->list.data[predicate->rules.data[0]]
             : NULL;
}

/* ---- arity: a name has the same number of arguments everywhere; where it has
   not, it stands for several predicates or functions ---- */

typedef struct Use {
  uint32_t arity, offset;
  bool seen;
} Use;

typedef struct Uses {
  Use *predicates, *functions; /* by symbol: the first use */
  bool *told; /* by predicate: that its name has another arity */
} Uses;

static void check_use(Check *check, Use *use, const Form *form, uint32_t arity,
                      const char *id, const char *consequence) {
  Symbol symbol = form->kind == FORM_LIST ? form->first->symbol : form->symbol;
  if (!use->seen)
    *use = (Use){arity, form->offset, true};
  else if (use->arity != arity)
    report_warning(check->report, form->offset, id,
                   "'%s' has %u argument%s here but %u on line %u%s",
                   name_of(check, symbol), arity, arity == 1 ? "" : "s",
                   use->arity, source_line(check->report->source, use->offset),
                   consequence);
}

static void check_function_uses(Check *check, Uses *uses, const Form *form) {
  if (form->kind != FORM_LIST || !form->first ||
      form->first->kind != FORM_WORD || form->count < 2)
    return;
  check_use(check, &uses->functions[form->first->symbol], form, form->count - 1,
            "function-arity", "");
  for (const Form *item = form->first->next; item; item = item->next)
    check_function_uses(check, uses, item);
}

/* One warning for each predicate is enough. */
static void check_predicate_use(Check *check, Uses *uses, const Form *form,
                                Term atom) {
  Symbol symbol = term_symbol(check->terms, atom);
  uint32_t p = dependencies_of(check->dependencies, check->terms, atom);
  if (symbol < SYMBOL_FIRST_FREE || uses->told[p]) return;
  uses->told[p] = true;
  check_use(check, &uses->predicates[symbol], form,
            term_arity(check->terms, atom), "predicate-arity",
            "; these are two predicates");
}

static void check_atom_uses(Check *check, Uses *uses, const Form *form,
                            Term atom) {
  check_predicate_use(check, uses, form, atom);
  if (form->kind != FORM_LIST) return;
  for (const Form *item = form->first->next; item; item = item->next)
    check_function_uses(check, uses, item);
}

static void check_arity(Check *check) {
  uint32_t count = check->terms->symbols.names.count;
  Uses uses = {memory_new(count * sizeof(Use)), memory_new(count * sizeof(Use)),
               memory_new(check->dependencies->list.count * sizeof(bool))};
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    check_atom_uses(check, &uses, rule->head_form, rule->head);
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(check->rules, rule)[i];
      check_atom_uses(check, &uses, literal->form, literal->atom);
    }
  }
  memory_delete(uses.predicates);
  memory_delete(uses.functions);
  memory_delete(uses.told);
}

/* ---- keyword: where the relations of the language may occur ---- */

static void check_keyword_head(Check *check, const Rule *rule) {
  Symbol symbol = term_symbol(check->terms, rule->head);
  if (symbol == SYMBOL_TRUE || symbol == SYMBOL_DOES ||
      symbol == SYMBOL_DISTINCT)
    report_error(check->report, rule->head_form->offset, "keyword",
                 "'%s' cannot be the head of a rule", name_of(check, symbol));
}

static void check_keyword_body(Check *check, const Literal *literal) {
  Symbol symbol = term_symbol(check->terms, literal->atom);
  if (symbol == SYMBOL_INIT || symbol == SYMBOL_NEXT)
    report_error(check->report, literal->form->offset, "keyword",
                 "'%s' cannot be used in a body", name_of(check, symbol));
}

/* Does the head's relation forbid what this literal depends on? */
static void check_dependence(Check *check, const Rule *rule,
                             const Literal *literal) {
  Symbol head = term_symbol(check->terms, rule->head);
  const Predicate *callee = predicate_of(check, literal->atom);
  const char *on = NULL;
  switch (head) {
  case SYMBOL_INIT:
    if (check->plays[callee->component]) on = "legal, goal or terminal";
    /* fall through */
  case SYMBOL_BASE:
  case SYMBOL_INPUT:
  case SYMBOL_ROLE:
    if (callee->depends >= ON_STATE) on = "the state ('true')";
    /* fall through */
  case SYMBOL_LEGAL:
  case SYMBOL_GOAL:
  case SYMBOL_TERMINAL:
    if (callee->depends >= ON_MOVES) on = "moves ('does')";
    break;
  default: break;
  }
  if (on)
    report_error(check->report, literal->form->offset, "dependence",
                 "'%s' cannot depend on %s", name_of(check, head), on);
}

static bool rule_plays(const Check *check, const Rule *rule) {
  for (uint32_t i = 0; i < rule->count; i++) {
    const Literal *literal = &rule_body(check->rules, rule)[i];
    if (literal->sign != UNEQUAL &&
        check->plays[predicate_of(check, literal->atom)->component])
      return true;
  }
  return false;
}

/* Callees come first, and the members of a component depend on each other. */
static void find_plays(Check *check) {
  const Dependencies *dependencies = check->dependencies;
  uint32_t *order = dependencies_order(dependencies);
  for (uint32_t n = 0; n + 1 < dependencies->list.count; n++) {
    const Predicate *p = &dependencies->list.data[order[n]];
    bool plays = p->name == SYMBOL_LEGAL || p->name == SYMBOL_GOAL ||
                 p->name == SYMBOL_TERMINAL;
    for (uint32_t i = 0; i < p->rules.count && !plays; i++)
      plays = rule_plays(check, &check->rules->list.data[p->rules.data[i]]);
    check->plays[p->component] |= plays;
  }
  memory_delete(order);
}

static void check_keywords(Check *check) {
  find_plays(check);
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    check_keyword_head(check, rule);
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(check->rules, rule)[i];
      if (literal->sign == UNEQUAL) continue;
      check_keyword_body(check, literal);
      check_dependence(check, rule, literal);
    }
  }
}

/* ---- role: ground facts, and nothing else where a role is expected ---- */

static void check_role_place(Check *check, Term atom, const Form *form) {
  Symbol symbol = term_symbol(check->terms, atom);
  if (symbol != SYMBOL_LEGAL && symbol != SYMBOL_DOES &&
      symbol != SYMBOL_GOAL && symbol != SYMBOL_INPUT)
    return;
  Term role = term_argument(check->terms, atom, 0);
  if (!term_is_ground(check->terms, role) ||
      term_vector_contains(&check->rules->roles, role))
    return;
  Text text = {0};
  term_write(check->terms, role, &text);
  report_warning(check->report, form->offset, "unknown-role",
                 "'%s' is not a role", text_string(&text));
  text_free(&text);
}

static void check_roles(Check *check) {
  if (check->rules->roles.count > RULE_ROLES) {
    report_error(check->report, 0, "role", "more than %d roles", RULE_ROLES);
    return;
  }
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    if (term_symbol(check->terms, rule->head) == SYMBOL_ROLE) {
      if (rule->count)
        report_error(check->report, rule->form->offset, "role",
                     "a role must be a plain fact");
      else if (!term_is_ground(check->terms, rule->head))
        report_error(check->report, rule->form->offset, "role",
                     "a role cannot contain variables");
    }
    check_role_place(check, rule->head, rule->head_form);
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(check->rules, rule)[i];
      check_role_place(check, literal->atom, literal->form);
    }
  }
}

/* ---- missing: what every game must define ---- */

static void check_missing(Check *check) {
  static const Symbol needed[] = {SYMBOL_ROLE, SYMBOL_INIT, SYMBOL_LEGAL,
                                  SYMBOL_NEXT, SYMBOL_GOAL, SYMBOL_TERMINAL};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    uint32_t arity = (uint32_t)rule_keyword_arity(needed[i]);
    if (first_rule(check, needed[i], arity)) continue;
    if (needed[i] == SYMBOL_INIT || needed[i] == SYMBOL_NEXT)
      report_warning(check->report, 0, "missing",
                     "the game has no '%s': %s state is empty",
                     name_of(check, needed[i]),
                     needed[i] == SYMBOL_INIT ? "the initial" : "every later");
    else
      report_error(check->report, 0, "missing", "the game has no '%s'",
                   name_of(check, needed[i]));
  }
}

/* ---- goal: an integer from 0 to 100 ---- */

static void check_goals(Check *check) {
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    if (term_symbol(check->terms, rule->head) != SYMBOL_GOAL) continue;
    Term value = term_argument(check->terms, rule->head, 1);
    if (!term_is_ground(check->terms, value)) continue;
    int64_t number = term_number(check->terms, value);
    if (number >= 0 && number <= 100) continue;
    Text text = {0};
    term_write(check->terms, value, &text);
    report_error(check->report, rule->head_form->offset, "goal-value",
                 "a goal must be a whole number from 0 to 100, not '%s'",
                 text_string(&text));
    text_free(&text);
  }
}

/* ---- unsafe: every variable is bound by a positive literal ---- */

static const Form *find_variable(const Form *form, Symbol symbol) {
  if (form->kind == FORM_VARIABLE && form->symbol == symbol) return form;
  if (form->kind != FORM_LIST) return NULL;
  for (const Form *item = form->first; item; item = item->next) {
    const Form *found = find_variable(item, symbol);
    if (found) return found;
  }
  return NULL;
}

static void check_bound(Check *check, const TermVector *bound, Term atom,
                        const Form *form, const char *where) {
  TermVector variables = {0};
  term_collect_variables(check->terms, atom, &variables);
  for (uint32_t i = 0; i < variables.count; i++) {
    if (term_vector_contains(bound, variables.data[i])) continue;
    Symbol symbol = term_symbol(check->terms, variables.data[i]);
    const Form *place = find_variable(form, symbol);
    report_error(check->report, (place ? place : form)->offset, "unsafe",
                 "%s in %s does not occur in a positive literal of the body",
                 name_of(check, symbol), where);
  }
  vector_free(&variables);
}

static void check_safety(Check *check) {
  TermVector bound = {0};
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    const Literal *body = rule_body(check->rules, rule);
    vector_clear(&bound);
    for (uint32_t i = 0; i < rule->count; i++)
      if (body[i].sign == POSITIVE)
        term_collect_variables(check->terms, body[i].atom, &bound);
    check_bound(check, &bound, rule->head, rule->head_form, "the head");
    for (uint32_t i = 0; i < rule->count; i++)
      if (body[i].sign != POSITIVE)
        check_bound(check, &bound, body[i].atom, body[i].form,
                    body[i].sign == NEGATIVE ? "'not'" : "'distinct'");
  }
  vector_free(&bound);
}

/* ---- stratification: no recursion through negation ---- */

static void check_negation(Check *check, Stratifier *stratifier, uint32_t r,
                           const Literal *literal) {
  Symbol head = term_symbol(check->terms, check->rules->list.data[r].head);
  Symbol callee = term_symbol(check->terms, literal->atom);
  switch (stratifier_judge(stratifier, r, literal)) {
  case STRATIFIED: break;
  case STRATIFIED_BY_RULE:
    report_warning(check->report, literal->form->offset, "stratification",
                   "'%s' depends on its own negation through '%s', but no "
                   "chain of rules does",
                   name_of(check, head), name_of(check, callee));
    break;
  case NOT_STRATIFIED:
    report_error(check->report, literal->form->offset, "stratification",
                 "'%s' depends on its own negation through '%s'",
                 name_of(check, head), name_of(check, callee));
    break;
  }
}

static void check_stratification(Check *check) {
  Stratifier stratifier;
  stratifier_init(&stratifier, check->rules, check->dependencies);
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(check->rules, rule)[i];
      if (literal->sign == NEGATIVE)
        check_negation(check, &stratifier, r, literal);
    }
  }
  stratifier_free(&stratifier);
}

/* ---- recursion: arguments of a recursive call are ground, arguments of the
   head, or bound outside the recursion; this keeps every game finite ---- */

/* Marks a term and the terms inside it: (true (cell ?x ?y)) binds ?x. */
static void mark_terms(const Check *check, Term term, Marks *marks) {
  if (!marks_add(marks, term)) return;
  for (uint32_t i = 0; i < term_arity(check->terms, term); i++)
    mark_terms(check, term_argument(check->terms, term, i), marks);
}

/* Marks the terms that arguments of a recursive call may be: arguments of the
   head, and terms in positive literals outside the component. */
static void mark_allowed(const Check *check, const Rule *rule,
                         uint32_t component, Marks *marks) {
  marks_clear(marks);
  for (uint32_t i = 0; i < rule->count; i++) {
    const Literal *literal = &rule_body(check->rules, rule)[i];
    if (literal->sign == POSITIVE &&
        predicate_of(check, literal->atom)->component != component)
      mark_terms(check, literal->atom, marks);
  }
  for (uint32_t i = 0; i < term_arity(check->terms, rule->head); i++)
    marks_add(marks, term_argument(check->terms, rule->head, i));
}

static void check_call(Check *check, const Literal *literal,
                       const Marks *allowed) {
  for (uint32_t i = 0; i < term_arity(check->terms, literal->atom); i++) {
    Term argument = term_argument(check->terms, literal->atom, i);
    if (term_is_ground(check->terms, argument) || marks_has(allowed, argument))
      continue;
    Text text = {0};
    term_write(check->terms, argument, &text);
    report_error(check->report, literal->form->offset, "recursion",
                 "in this recursive call '%s' is neither ground, nor an "
                 "argument of the head, nor bound outside the recursion",
                 text_string(&text));
    text_free(&text);
  }
}

static void check_recursion(Check *check) {
  Marks allowed = {0};
  for (uint32_t r = 0; r < check->rules->list.count; r++) {
    const Rule *rule = &check->rules->list.data[r];
    const Predicate *head = predicate_of(check, rule->head);
    if (!head->recursive) continue;
    mark_allowed(check, rule, head->component, &allowed);
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(check->rules, rule)[i];
      if (literal->sign == POSITIVE &&
          predicate_of(check, literal->atom)->component == head->component)
        check_call(check, literal, &allowed);
    }
  }
  marks_free(&allowed);
}

/* Where errors have left part of the text unread, what seems to be missing may
   be there. */
void check_rules(Rules *rules, const Dependencies *dependencies,
                 Report *report) {
  bool complete = report->errors == 0;
  Check check = {rules, &rules->terms, dependencies, report,
                 memory_new(dependencies->component_count * sizeof(bool))};
  check_arity(&check);
  check_keywords(&check);
  check_roles(&check);
  if (complete) check_missing(&check);
  check_goals(&check);
  check_safety(&check);
  check_stratification(&check);
  check_recursion(&check);
  doubt_rules(rules, dependencies, report, complete);
  memory_delete(check.plays);
}
