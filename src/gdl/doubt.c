/* Warnings about what is valid but probably not meant, one function for each;
   every diagnostic carries the id of its check. */
#include "gdl/doubt.h"

#include <stdio.h>

typedef struct Doubts {
  Rules *rules;
  const Terms *terms;
  const Dependencies *dependencies;
  Report *report;
} Doubts;

static const char *name_of(const Doubts *doubts, Symbol symbol) {
  return symbol_text(&doubts->terms->symbols, symbol);
}

/* ---- undefined, unused: predicates that nothing defines or needs ---- */

static void doubt_undefined(Doubts *doubts) {
  for (uint32_t r = 0; r < doubts->rules->list.count; r++) {
    const Rule *rule = &doubts->rules->list.data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(doubts->rules, rule)[i];
      if (literal->sign == UNEQUAL) continue;
      const Predicate *callee =
          &doubts->dependencies->list.data[dependencies_of(
              doubts->dependencies, doubts->terms, literal->atom)];
      if (callee->name < SYMBOL_FIRST_FREE || callee->rules.count) continue;
      report_warning(doubts->report, literal->form->offset, "undefined",
                     "no rule or fact defines '%s'",
                     name_of(doubts, callee->name));
    }
  }
}

/* Marks every predicate that a relation of the language needs. */
static bool *find_needed(const Doubts *doubts) {
  const Dependencies *dependencies = doubts->dependencies;
  bool *needed = memory_new(dependencies->list.count * sizeof *needed);
  VECTOR(uint32_t) agenda = {0};
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    if (dependencies->list.data[p].name >= SYMBOL_FIRST_FREE) continue;
    needed[p] = true;
    vector_push(&agenda, p);
  }
  while (agenda.count) {
    const Predicate *p = &dependencies->list.data[agenda.data[--agenda.count]];
    for (uint32_t i = 0; i < p->rules.count; i++) {
      const Rule *rule = &doubts->rules->list.data[p->rules.data[i]];
      for (uint32_t j = 0; j < rule->count; j++) {
        const Literal *literal = &rule_body(doubts->rules, rule)[j];
        if (literal->sign == UNEQUAL) continue;
        uint32_t callee =
            dependencies_of(dependencies, doubts->terms, literal->atom);
        if (needed[callee]) continue;
        needed[callee] = true;
        vector_push(&agenda, callee);
      }
    }
  }
  vector_free(&agenda);
  return needed;
}

static void doubt_unused(Doubts *doubts) {
  bool *needed = find_needed(doubts);
  for (uint32_t p = 1; p < doubts->dependencies->list.count; p++) {
    const Predicate *predicate = &doubts->dependencies->list.data[p];
    if (needed[p] || !predicate->rules.count) continue;
    const Rule *rule = &doubts->rules->list.data[predicate->rules.data[0]];
    report_warning(doubts->report, rule->head_form->offset, "unused",
                   "nothing in the game needs '%s'",
                   name_of(doubts, predicate->name));
  }
  memory_delete(needed);
}

/* ---- never-true, never-legal: (true f), (does r m) that cannot hold ---- */

/* Marks the symbols that the last argument of the heads can begin with. Returns
   false if it can be anything. */
static bool mark_heads(const Doubts *doubts, Symbol relation, bool *possible) {
  uint32_t arity = (uint32_t)rule_keyword_arity(relation);
  uint32_t p = dependencies_find(doubts->dependencies, relation, arity);
  const Predicate *predicate = &doubts->dependencies->list.data[p];
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    const Rule *rule = &doubts->rules->list.data[predicate->rules.data[i]];
    Term last = term_argument(doubts->terms, rule->head, arity - 1);
    if (term_is_variable(doubts->terms, last)) return false;
    possible[term_symbol(doubts->terms, last)] = true;
  }
  return true;
}

static void doubt_never(Doubts *doubts, Symbol relation, const bool *possible,
                        const char *id, const char *text) {
  uint32_t arity = (uint32_t)rule_keyword_arity(relation);
  for (uint32_t r = 0; r < doubts->rules->list.count; r++) {
    const Rule *rule = &doubts->rules->list.data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(doubts->rules, rule)[i];
      if (term_symbol(doubts->terms, literal->atom) != relation) continue;
      Term last = term_argument(doubts->terms, literal->atom, arity - 1);
      Symbol symbol = term_symbol(doubts->terms, last);
      if (term_is_variable(doubts->terms, last) || possible[symbol]) continue;
      report_warning(doubts->report, literal->form->offset, id, text,
                     name_of(doubts, symbol));
    }
  }
}

static void doubt_impossible(Doubts *doubts) {
  uint32_t count = doubts->terms->symbols.names.count;
  bool *fluents = memory_new(count), *moves = memory_new(count);
  if (mark_heads(doubts, SYMBOL_INIT, fluents) &&
      mark_heads(doubts, SYMBOL_NEXT, fluents))
    doubt_never(doubts, SYMBOL_TRUE, fluents, "never-true",
                "no 'init' or 'next' makes '%s' true");
  if (mark_heads(doubts, SYMBOL_LEGAL, moves))
    doubt_never(doubts, SYMBOL_DOES, moves, "never-legal",
                "no 'legal' rule allows '%s'");
  memory_delete(fluents);
  memory_delete(moves);
}

/* ---- duplicate: the same rule twice, up to names of variables ---- */

/* The rule as one term with variables renamed by order of appearance. */
static Term canonical(Doubts *doubts, const Rule *rule) {
  Terms *terms = &doubts->rules->terms;
  TermVector parts = {0}, variables = {0}, names = {0};
  vector_push(&parts, rule->head);
  for (uint32_t i = 0; i < rule->count; i++) {
    Literal literal = rule_body(doubts->rules, rule)[i];
    Term part = literal.sign == NEGATIVE
                    ? term_compound(terms, SYMBOL_NOT, &literal.atom, 1)
                    : literal.atom;
    vector_push(&parts, part);
  }
  for (uint32_t i = 0; i < parts.count; i++)
    term_collect_variables(terms, parts.data[i], &variables);
  for (uint32_t i = 0; i < variables.count; i++) {
    char name[16]; /* unlike any variable in the text */
    int length = snprintf(name, sizeof name, " %u", i);
    vector_push(&names,
                term_variable(terms, symbol_intern(&terms->symbols, name,
                                                   (size_t)length)));
  }
  for (uint32_t i = 0; i < parts.count; i++)
    parts.data[i] = term_substitute(terms, parts.data[i], variables.data,
                                    names.data, variables.count);
  Term term = parts.data[0]; /* a chain, since arity is limited */
  for (uint32_t i = 1; i < parts.count; i++) {
    Term pair[2] = {term, parts.data[i]};
    term = term_compound(terms, SYMBOL_IMPLIES, pair, 2);
  }
  vector_free(&parts);
  vector_free(&variables);
  vector_free(&names);
  return term;
}

static void doubt_duplicates(Doubts *doubts) {
  VECTOR(uint32_t) seen = {0}; /* by term: the rule's number + 1 */
  for (uint32_t r = 0; r < doubts->rules->list.count; r++) {
    const Rule *rule = &doubts->rules->list.data[r];
    Term term = canonical(doubts, rule);
    while (seen.count <= term) vector_push(&seen, 0);
    if (seen.data[term]) {
      const Rule *other = &doubts->rules->list.data[seen.data[term] - 1];
      report_warning(doubts->report, rule->form->offset, "duplicate",
                     "the same %s is on line %u", rule->count ? "rule" : "fact",
                     source_line(doubts->report->source, other->form->offset));
    } else {
      seen.data[term] = r + 1;
    }
  }
  vector_free(&seen);
}

void doubt_rules(Rules *rules, const Dependencies *dependencies,
                 Report *report) {
  Doubts doubts = {rules, &rules->terms, dependencies, report};
  doubt_undefined(&doubts);
  doubt_unused(&doubts);
  doubt_impossible(&doubts);
  doubt_duplicates(&doubts);
}
