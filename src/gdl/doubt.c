/* Warnings about what is valid but probably not meant, one function for each;
   every diagnostic carries the id of its check. */
#include "gdl/doubt.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/similar.h"

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

/* ---- unread: facts that are made true, and that nothing asks for ---- */

/* Kinds of facts: name and arity, such as cell/3. */
typedef struct Kinds {
  TermVector list; /* one fact of each */
  Map map;         /* places in the list, from 1 */
  bool any;        /* a variable stands for facts of every kind */
} Kinds;

static void kinds_free(Kinds *kinds) {
  vector_free(&kinds->list);
  map_free(&kinds->map);
}

static uint64_t kind_hash(const Doubts *doubts, Term fact) {
  return hash_pair(term_symbol(doubts->terms, fact),
                   term_arity(doubts->terms, fact));
}

static bool has_kind(const Doubts *doubts, const Kinds *kinds, Term fact) {
  const Terms *terms = doubts->terms;
  MapCursor at;
  uint32_t i = map_first(&kinds->map, kind_hash(doubts, fact), &at);
  for (; i; i = map_next(&kinds->map, &at)) {
    Term other = kinds->list.data[i - 1];
    if (term_symbol(terms, other) == term_symbol(terms, fact) &&
        term_arity(terms, other) == term_arity(terms, fact))
      return true;
  }
  return false;
}

static void add_kind(const Doubts *doubts, Kinds *kinds, Term fact) {
  if (term_is_variable(doubts->terms, fact)) {
    kinds->any = true;
  } else if (!has_kind(doubts, kinds, fact)) {
    vector_push(&kinds->list, fact);
    map_add(&kinds->map, kind_hash(doubts, fact), kinds->list.count);
  }
}

/* The kinds that `base` names. */
static void find_declared(const Doubts *doubts, Kinds *kinds) {
  uint32_t p = dependencies_find(doubts->dependencies, SYMBOL_BASE, 1);
  const Predicate *base = &doubts->dependencies->list.data[p];
  for (uint32_t i = 0; i < base->rules.count; i++) {
    const Rule *rule = &doubts->rules->list.data[base->rules.data[i]];
    add_kind(doubts, kinds, term_argument(doubts->terms, rule->head, 0));
  }
}

/* Does the rule only keep a fact, as in (<= (next ?f) (true ?f) ...)? */
static bool keeps(const Doubts *doubts, const Rule *rule, Term fact) {
  return term_is_variable(doubts->terms, fact) &&
         term_symbol(doubts->terms, rule->head) == SYMBOL_NEXT &&
         term_argument(doubts->terms, rule->head, 0) == fact;
}

/* The kinds that bodies ask for. */
static void find_read(const Doubts *doubts, Kinds *kinds) {
  for (uint32_t r = 0; r < doubts->rules->list.count; r++) {
    const Rule *rule = &doubts->rules->list.data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      const Literal *literal = &rule_body(doubts->rules, rule)[i];
      if (term_symbol(doubts->terms, literal->atom) != SYMBOL_TRUE) continue;
      Term fact = term_argument(doubts->terms, literal->atom, 0);
      if (!keeps(doubts, rule, fact)) add_kind(doubts, kinds, fact);
    }
  }
}

/* A kind of the list whose name resembles the fact's, or 0. */
static Term find_similar(const Doubts *doubts, const Kinds *kinds, Term fact) {
  enum { MANY = 1000 }; /* kinds, which would take long */
  const char *name = name_of(doubts, term_symbol(doubts->terms, fact));
  unsigned nearest = SIMILAR_FAR;
  Term found = 0;
  for (uint32_t i = 0; i < kinds->list.count && i < MANY; i++) {
    Term kind = kinds->list.data[i];
    unsigned distance = similar_distance(
        name, name_of(doubts, term_symbol(doubts->terms, kind)));
    if (distance >= nearest) continue;
    nearest = distance;
    found = kind;
  }
  return found;
}

static void doubt_fact(Doubts *doubts, const Rule *rule, Term fact,
                       const Kinds *declared, const Kinds *read) {
  Symbol name = term_symbol(doubts->terms, fact);
  Term similar = find_similar(doubts, read, fact);
  if (!similar) similar = find_similar(doubts, declared, fact);
  Text guess = {0};
  if (similar && term_symbol(doubts->terms, similar) == name)
    text_format(&guess, "; elsewhere it has %u argument%s, not %u",
                term_arity(doubts->terms, similar),
                term_arity(doubts->terms, similar) == 1 ? "" : "s",
                term_arity(doubts->terms, fact));
  else if (similar)
    text_format(&guess, "; did you mean '%s'?",
                name_of(doubts, term_symbol(doubts->terms, similar)));
  report_warning(doubts->report, rule->head_form->first->next->offset, "unread",
                 "nothing asks whether '%s' is true%s%s", name_of(doubts, name),
                 declared->list.count ? ", and 'base' does not have it" : "",
                 text_string(&guess));
  text_free(&guess);
}

static void doubt_unread(Doubts *doubts) {
  Kinds declared = {0}, read = {0}, told = {0};
  find_declared(doubts, &declared);
  find_read(doubts, &read);
  /* (true ?f) asks for any fact, but is not meant for those outside `base`. */
  bool silent = declared.any || (read.any && !declared.list.count);
  for (uint32_t r = 0; r < doubts->rules->list.count && !silent; r++) {
    const Rule *rule = &doubts->rules->list.data[r];
    Symbol head = term_symbol(doubts->terms, rule->head);
    if (head != SYMBOL_INIT && head != SYMBOL_NEXT) continue;
    Term fact = term_argument(doubts->terms, rule->head, 0);
    if (term_is_variable(doubts->terms, fact) ||
        has_kind(doubts, &declared, fact) || has_kind(doubts, &read, fact) ||
        has_kind(doubts, &told, fact))
      continue;
    add_kind(doubts, &told, fact);
    doubt_fact(doubts, rule, fact, &declared, &read);
  }
  kinds_free(&declared);
  kinds_free(&read);
  kinds_free(&told);
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

void doubt_rules(Rules *rules, const Dependencies *dependencies, Report *report,
                 bool complete) {
  Doubts doubts = {rules, &rules->terms, dependencies, report};
  if (complete) {
    doubt_undefined(&doubts);
    doubt_unused(&doubts);
    doubt_impossible(&doubts);
    doubt_unread(&doubts);
  }
  doubt_duplicates(&doubts);
}
