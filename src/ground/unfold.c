/* A static predicate with many arguments and a single rule, such as a relation
   of two places on a board, can have millions of rows, few of which are needed.
   With its rule's body inlined in place of the call, splitting keeps small what
   the full relation would multiply out. */
#include "ground/unfold.h"

#include "gdl/unifier.h"

enum { FEWEST_ARGUMENTS = 4, LONGEST_BODY = 60 };

typedef struct Unfolding {
  const Ground *ground;
  Unifier unifier;
  LiteralVector *body;
  uint32_t renamed; /* rules whose variables were renamed so far */
  char mark;        /* in new names: unlike that of an earlier unfolding */
} Unfolding;

/* The only rule of the atom's predicate if its calls should be unfolded, or
   NULL. */
static const Rule *rule_to_unfold(const Ground *ground, Term atom) {
  const Dependencies *dependencies = &ground->description->dependencies;
  const Rules *rules = &ground->description->rules;
  uint32_t p = dependencies_of(dependencies, ground->terms, atom);
  const Predicate *predicate = &dependencies->list.data[p];
  if (predicate->arity < FEWEST_ARGUMENTS || predicate->recursive ||
      predicate->rules.count != 1 || !ground->of_predicate[p] ||
      predicate->name < SYMBOL_FIRST_FREE ||
      ground->relations.data[ground->of_predicate[p]]->kind != HOLDS_ALWAYS)
    return NULL;
  const Rule *rule = &rules->list.data[predicate->rules.data[0]];
  return rule->count ? rule : NULL;
}

/* Renames the rule's variables so that no other rule has them. */
static void rename(Unfolding *unfolding, const Rule *rule, TermVector *from,
                   TermVector *to) {
  Terms *terms = unfolding->ground->terms;
  const Rules *rules = &unfolding->ground->description->rules;
  term_collect_variables(terms, rule->head, from);
  for (uint32_t i = 0; i < rule->count; i++)
    term_collect_variables(terms, rule_body(rules, rule)[i].atom, from);
  unfolding->renamed++;
  for (uint32_t i = 0; i < from->count; i++) {
    Text name = {0};
    text_format(&name, "%s%c%u",
                symbol_text(&terms->symbols, term_symbol(terms, from->data[i])),
                unfolding->mark, unfolding->renamed);
    Symbol symbol = symbol_intern(&terms->symbols, name.bytes, name.length);
    vector_push(to, term_variable(terms, symbol));
    text_free(&name);
  }
}

/* Puts the rule's body in place of a call; its literals may be unfolded in
   turn. Returns false if the call cannot be true. */
static bool unfold_call(Unfolding *unfolding, Term atom, const Rule *rule);

static bool add(Unfolding *unfolding, Literal literal) {
  const Rule *rule =
      literal.sign == POSITIVE && unfolding->body->count < LONGEST_BODY
          ? rule_to_unfold(unfolding->ground, literal.atom)
          : NULL;
  if (rule) return unfold_call(unfolding, literal.atom, rule);
  vector_push(unfolding->body, literal);
  return true;
}

static bool unfold_call(Unfolding *unfolding, Term atom, const Rule *rule) {
  Terms *terms = unfolding->ground->terms;
  const Rules *rules = &unfolding->ground->description->rules;
  TermVector from = {0}, to = {0};
  rename(unfolding, rule, &from, &to);
  Term head =
      term_substitute(terms, rule->head, from.data, to.data, from.count);
  bool fine = unifier_equate(&unfolding->unifier, head, atom);
  for (uint32_t i = 0; i < rule->count && fine; i++) {
    Literal literal = rule_body(rules, rule)[i];
    literal.atom =
        term_substitute(terms, literal.atom, from.data, to.data, from.count);
    fine = add(unfolding, literal);
  }
  vector_free(&from);
  vector_free(&to);
  return fine;
}

static void begin(Unfolding *unfolding, const Ground *ground,
                  LiteralVector *body, char mark) {
  *unfolding = (Unfolding){.ground = ground, .body = body, .mark = mark};
  unfolding->unifier = ground_unifier(ground);
}

/* Applies the bindings to the body and to other terms. */
static bool finish(Unfolding *unfolding, Term *terms, uint32_t count) {
  LiteralVector *body = unfolding->body;
  bool fine = true;
  for (uint32_t i = 0; i < count && fine; i++) {
    terms[i] = unifier_apply(&unfolding->unifier, terms[i]);
    fine = terms[i] != 0;
  }
  for (uint32_t i = 0; i < body->count && fine; i++) {
    body->data[i].atom = unifier_apply(&unfolding->unifier, body->data[i].atom);
    fine = body->data[i].atom != 0;
  }
  unifier_free(&unfolding->unifier);
  return fine;
}

bool unfold_rule(const Ground *ground, const Rule *rule, Term *head,
                 LiteralVector *body) {
  Unfolding unfolding;
  begin(&unfolding, ground, body, ' ');
  bool fine = true;
  for (uint32_t i = 0; i < rule->count && fine; i++)
    fine = add(&unfolding, rule_body(&ground->description->rules, rule)[i]);
  *head = rule->head;
  return finish(&unfolding, head, 1) && fine;
}

bool unfold_last(const Ground *ground, const LiteralVector *literals,
                 const Rule *rule, uint32_t depth, Term *terms, uint32_t count,
                 LiteralVector *body) {
  Unfolding unfolding;
  begin(&unfolding, ground, body, (char)depth);
  for (uint32_t i = 0; i + 1 < literals->count; i++)
    vector_push(body, literals->data[i]);
  bool fine = unfold_call(&unfolding, vector_last(literals).atom, rule);
  return finish(&unfolding, terms, count) && fine;
}
