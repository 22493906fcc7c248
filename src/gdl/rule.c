/* sentence    := fact | rule
   fact        := atom
   rule        := '(' '<=' atom formula* ')'
   formula     := atom | '(' 'not' formula ')' | '(' 'or' formula+ ')'
                | '(' 'and' formula+ ')' | '(' 'distinct' term term ')'
   atom        := word | '(' word term* ')'

   A body becomes the list of its alternatives (disjunctive normal form) by
   walking a list of pending formulas; each complete walk gives one rule. */
#include "gdl/rule.h"

#include "gdl/unifier.h"

typedef struct Reader {
  Rules *rules;
  Report *report;
  bool warned[SYMBOL_FIRST_FREE]; /* about this keyword's case */
  LiteralVector body;             /* of the alternative being walked */
  Unifier unifier;                /* bindings made by (not (distinct …)) */
  TermVector seen;                /* variables of the alternative */
  bool full;                      /* the game has too many rules */
} Reader;

/* A pending formula, and those after it. */
typedef struct Work {
  const Form *form;
  bool negated;
  const struct Work *rest;
} Work;

int rule_keyword_arity(Symbol keyword) {
  switch (keyword) {
  case SYMBOL_TERMINAL: return 0;
  case SYMBOL_ROLE:
  case SYMBOL_INIT:
  case SYMBOL_TRUE:
  case SYMBOL_NEXT:
  case SYMBOL_BASE: return 1;
  case SYMBOL_DISTINCT:
  case SYMBOL_DOES:
  case SYMBOL_LEGAL:
  case SYMBOL_GOAL:
  case SYMBOL_INPUT: return 2;
  default: return -1;
  }
}

/* The first symbol of a formula; keywords are recognised in any case. */
static Symbol leading_symbol(Reader *reader, const Form *form) {
  const Form *word = form->kind == FORM_LIST ? form->first : form;
  if (!word || word->kind != FORM_WORD) return SYMBOL_NONE;
  Symbol keyword = symbol_keyword(&reader->rules->terms.symbols, word->symbol);
  if (!keyword) return word->symbol;
  if (keyword != word->symbol && !reader->warned[keyword]) {
    const Symbols *symbols = &reader->rules->terms.symbols;
    reader->warned[keyword] = true;
    report_warning(reader->report, word->offset, "keyword-case",
                   "'%s' is read as the keyword '%s'",
                   symbol_text(symbols, word->symbol),
                   symbol_text(symbols, keyword));
  }
  return keyword;
}

static const char *shown(Reader *reader, Symbol symbol) {
  return symbol_text(&reader->rules->terms.symbols, symbol);
}

/* atom := word | '(' word term* ')' */
static Term read_atom(Reader *reader, const Form *form) {
  Terms *terms = &reader->rules->terms;
  Symbol symbol = leading_symbol(reader, form);
  if (!symbol) {
    report_error(reader->report, form->offset, "syntax",
                 form->kind == FORM_VARIABLE ? "a variable cannot be an atom"
                 : form->first               ? "an atom must begin with a name"
                                             : "empty list");
    return 0;
  }
  int expected = rule_keyword_arity(symbol);
  uint32_t arity = form->kind == FORM_LIST ? form->count - 1 : 0;
  if (symbol < SYMBOL_FIRST_FREE && expected < 0) {
    report_error(reader->report, form->offset, "keyword",
                 "'%s' is not allowed here", shown(reader, symbol));
    return 0;
  }
  if (expected >= 0 && arity != (uint32_t)expected) {
    report_error(reader->report, form->offset, "arity",
                 "'%s' takes %d argument%s but has %u here",
                 shown(reader, symbol), expected, expected == 1 ? "" : "s",
                 arity);
    return 0;
  }
  if (form->kind == FORM_LIST && arity == 0)
    report_warning(reader->report, form->offset, "needless-list",
                   "'(%s)' is read as '%s'", shown(reader, symbol),
                   shown(reader, symbol));
  Term term = form->kind == FORM_LIST ? parse_term(terms, form, reader->report)
                                      : term_compound(terms, symbol, NULL, 0);
  if (term && term_symbol(terms, term) != symbol) /* keyword in upper case */
    term = term_compound(terms, symbol, term_arguments(terms, term), arity);
  return term;
}

/* How many rules the formula expands to; saturates above RULE_ALTERNATIVES. */
static uint32_t count_alternatives(Reader *reader, const Form *form,
                                   bool negated) {
  if (form->kind != FORM_LIST) return 1;
  Symbol symbol = leading_symbol(reader, form);
  if (symbol != SYMBOL_NOT && symbol != SYMBOL_OR && symbol != SYMBOL_AND)
    return 1;
  if (symbol == SYMBOL_NOT)
    return form->count == 2
               ? count_alternatives(reader, form->first->next, !negated)
               : 1;
  bool choice = (symbol == SYMBOL_OR) != negated;
  uint32_t result = choice ? 0 : 1;
  for (const Form *item = form->first->next; item; item = item->next) {
    uint32_t count = count_alternatives(reader, item, negated);
    result = choice ? result + count : result * count;
    if (result > RULE_ALTERNATIVES) return RULE_ALTERNATIVES + 1;
  }
  return result;
}

/* Is the alternative, without its bindings, within the limits? */
static bool within_limits(Reader *reader, Term head, const Form *form) {
  Rules *rules = reader->rules;
  if (rules->list.count + rules->literals.count + reader->body.count >
      RULE_TOTAL) {
    report_error(reader->report, 0, "too-long",
                 "more than %d rules and literals", RULE_TOTAL);
    reader->full = true;
    return false;
  }
  TermVector *variables = &reader->seen;
  vector_clear(variables);
  term_collect_variables(&reader->rules->terms, head, variables);
  for (uint32_t i = 0; i < reader->body.count; i++) {
    term_collect_variables(&reader->rules->terms, reader->body.data[i].atom,
                           variables);
    if (variables->count > RULE_VARIABLES) {
      report_error(reader->report, form->offset, "too-long",
                   "a rule with more than %d variables", RULE_VARIABLES);
      return false;
    }
  }
  if (reader->body.count > RULE_LONGEST_BODY) {
    report_error(reader->report, form->offset, "too-long",
                 "a body with more than %d literals", RULE_LONGEST_BODY);
    return false;
  }
  return true;
}

/* Makes a complete alternative a rule. */
static void emit_rule(Reader *reader, Term head, const Form *form,
                      const Form *head_form) {
  Rules *rules = reader->rules;
  if (!within_limits(reader, head, form)) return;
  Rule rule = {unifier_apply(&reader->unifier, head), form, head_form,
               rules->literals.count, 0};
  bool fine = rule.head != 0;
  for (uint32_t i = 0; i < reader->body.count && fine; i++) {
    Literal literal = reader->body.data[i];
    literal.atom = unifier_apply(&reader->unifier, literal.atom);
    fine = literal.atom != 0;
    vector_push(&rules->literals, literal);
    rule.count++;
  }
  if (fine) {
    vector_push(&rules->list, rule);
  } else {
    rules->literals.count = rule.first;
    report_error(reader->report, form->offset, "too-long",
                 "the equalities of this rule make a term too large");
  }
}

/* '(' 'distinct' term term ')'; true if the alternative can still hold. */
static bool add_distinct(Reader *reader, const Form *form, Term atom,
                         bool negated) {
  const Terms *terms = &reader->rules->terms;
  if (!negated) {
    vector_push(&reader->body, ((Literal){UNEQUAL, atom, form}));
    return true;
  }
  report_warning(reader->report, form->offset, "not-distinct",
                 "(not (distinct ...)) is read as equality");
  reader->unifier.too_large = false;
  bool equal = unifier_equate(&reader->unifier, term_argument(terms, atom, 0),
                              term_argument(terms, atom, 1));
  if (reader->unifier.too_large)
    report_error(reader->report, form->offset, "too-long",
                 "the equalities of this rule make a term too large");
  return equal;
}

typedef struct Clause {
  Term head;
  const Form *form, *head_form;
} Clause;

static void walk(Reader *reader, const Clause *clause, const Work *work);

/* Each item is an alternative of its own, undone before the next one. Later
   bindings change the values of earlier ones, so values are restored too. */
static void walk_choice(Reader *reader, const Clause *clause, const Form *list,
                        bool negated, const Work *rest) {
  uint32_t body = reader->body.count,
           bindings = reader->unifier.variables.count;
  Term *values = memory_new(bindings * sizeof *values);
  if (bindings)
    memcpy(values, reader->unifier.values.data, bindings * sizeof *values);
  for (const Form *item = list->first->next; item; item = item->next) {
    Work work = {item, negated, rest};
    walk(reader, clause, &work);
    reader->body.count = body;
    reader->unifier.variables.count = bindings;
    reader->unifier.values.count = bindings;
    if (bindings)
      memcpy(reader->unifier.values.data, values, bindings * sizeof *values);
  }
  memory_delete(values);
}

/* Puts the items of a conjunction before the rest. */
static const Work *prepend(Reader *reader, const Form *list, bool negated,
                           const Work *rest) {
  uint32_t count = list->count - 1, i = 0;
  Work *works = arena_new(&reader->rules->arena, count * sizeof *works);
  for (const Form *item = list->first->next; item; item = item->next, i++)
    works[i] = (Work){item, negated, i + 1 < count ? &works[i + 1] : rest};
  return works;
}

/* Walks until every formula is done; recurses only at a real choice. */
static void walk(Reader *reader, const Clause *clause, const Work *work) {
  if (reader->full) return;
  while (work) {
    const Form *form = work->form;
    bool negated = work->negated;
    Symbol symbol = leading_symbol(reader, form);
    if (form->kind == FORM_LIST && symbol == SYMBOL_NOT) {
      if (form->count != 2) {
        report_error(reader->report, form->offset, "arity",
                     "'not' takes 1 argument but has %u here", form->count - 1);
        return;
      }
      Symbol inner = leading_symbol(reader, form->first->next);
      if (inner == SYMBOL_NOT || inner == SYMBOL_OR || inner == SYMBOL_AND)
        report_warning(reader->report, form->offset, "nested-not",
                       "'not' before '%s' is expanded", shown(reader, inner));
      work = prepend(reader, form, !negated, work->rest);
    } else if (form->kind == FORM_LIST &&
               (symbol == SYMBOL_OR || symbol == SYMBOL_AND)) {
      if (form->count == 1) {
        report_error(reader->report, form->offset, "arity",
                     "'%s' without arguments", shown(reader, symbol));
        return;
      }
      bool choice = (symbol == SYMBOL_OR) != negated;
      if (choice && form->count > 2) {
        walk_choice(reader, clause, form, negated, work->rest);
        return;
      }
      work = prepend(reader, form, negated, work->rest);
    } else {
      Term atom = read_atom(reader, form);
      if (!atom) return;
      if (symbol == SYMBOL_DISTINCT) {
        if (!add_distinct(reader, form, atom, negated)) return;
      } else {
        Literal literal = {negated ? NEGATIVE : POSITIVE, atom, form};
        vector_push(&reader->body, literal);
      }
      work = work->rest;
    }
  }
  emit_rule(reader, clause->head, clause->form, clause->head_form);
}

/* rule := '(' '<=' atom formula* ')' */
static void read_rule(Reader *reader, const Form *form) {
  const Form *head_form = form->first->next;
  if (!head_form) {
    report_error(reader->report, form->offset, "syntax",
                 "a rule without a head");
    return;
  }
  Term head = read_atom(reader, head_form);
  if (!head) return;
  if (!head_form->next)
    report_warning(reader->report, form->offset, "empty-body",
                   "a rule without a body is read as a fact");
  uint64_t alternatives = 1, items = form->count - 2;
  if (items > RULE_LONGEST_BODY) {
    report_error(reader->report, form->offset, "too-long",
                 "a body with more than %d literals", RULE_LONGEST_BODY);
    return;
  }
  for (const Form *item = head_form->next; item; item = item->next) {
    alternatives *= count_alternatives(reader, item, false);
    if (alternatives > RULE_ALTERNATIVES) {
      report_error(reader->report, form->offset, "too-many-alternatives",
                   "the 'or' of this rule expands to more than %d rules",
                   RULE_ALTERNATIVES);
      return;
    }
  }
  vector_clear(&reader->body);
  unifier_clear(&reader->unifier);
  Clause clause = {head, form, head_form};
  if (!items) {
    walk(reader, &clause, NULL);
    return;
  }
  Work *works = arena_new(&reader->rules->arena, items * sizeof *works);
  uint32_t i = 0;
  for (const Form *item = head_form->next; item; item = item->next, i++)
    works[i] = (Work){item, false, i + 1 < items ? &works[i + 1] : NULL};
  walk(reader, &clause, works);
}

/* sentence := fact | rule */
static void read_sentence(Reader *reader, const Form *form) {
  Symbol symbol = leading_symbol(reader, form);
  if (form->kind == FORM_LIST && symbol == SYMBOL_IMPLIES) {
    read_rule(reader, form);
    return;
  }
  Term head = read_atom(reader, form);
  if (!head) return;
  Rule fact = {head, form, form, reader->rules->literals.count, 0};
  vector_push(&reader->rules->list, fact);
}

/* Stops one beyond the limit, where the checker reports it. */
static void collect_roles(Rules *rules) {
  for (uint32_t i = 0;
       i < rules->list.count && rules->roles.count <= RULE_ROLES; i++) {
    const Rule *rule = &rules->list.data[i];
    if (term_symbol(&rules->terms, rule->head) != SYMBOL_ROLE || rule->count)
      continue;
    Term role = term_argument(&rules->terms, rule->head, 0);
    if (term_is_ground(&rules->terms, role) &&
        !term_vector_contains(&rules->roles, role))
      vector_push(&rules->roles, role);
  }
}

void rules_read(Rules *rules, const Source *source, Report *report) {
  *rules = (Rules){0};
  terms_init(&rules->terms);
  vector_grow(&rules->literals, 1); /* an address for empty bodies */
  Reader reader = {.rules = rules, .report = report};
  reader.unifier = (Unifier){.terms = &rules->terms,
                             .largest = RULE_TERM_SIZE,
                             .deepest = PARSE_DEEPEST};
  const Form *form = parse_text(&rules->terms, &rules->arena, source, report);
  for (; form && !reader.full; form = form->next) read_sentence(&reader, form);
  collect_roles(rules);
  vector_free(&reader.body);
  unifier_free(&reader.unifier);
  vector_free(&reader.seen);
}

void rules_free(Rules *rules) {
  terms_free(&rules->terms);
  arena_free(&rules->arena);
  vector_free(&rules->list);
  vector_free(&rules->literals);
  vector_free(&rules->roles);
}

void rule_write(const Rules *rules, const Rule *rule, Text *text) {
  if (!rule->count) {
    term_write(&rules->terms, rule->head, text);
    return;
  }
  text_add(text, "(<= ");
  term_write(&rules->terms, rule->head, text);
  for (uint32_t i = 0; i < rule->count; i++) {
    const Literal *literal = &rule_body(rules, rule)[i];
    text_add(text, literal->sign == NEGATIVE ? "\n    (not " : "\n    ");
    term_write(&rules->terms, literal->atom, text);
    if (literal->sign == NEGATIVE) text_add_byte(text, ')');
  }
  text_add_byte(text, ')');
}
