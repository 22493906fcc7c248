/* Every name of the game is a quoted atom; a predicate p becomes 'gdl p', so
   that it never clashes with a built-in. The state is kept as facts of holds/1,
   the moves as facts of does/2. Literals stay in the order of the text, except
   that negations and `distinct` wait until their variables are bound. Recursive
   predicates are tabled, and the tables dropped with every change of state. */
#include "gdl/prolog.h"

static const char interface[] =
    "\n"
    "% Queries about the state that was set last. A state is a list of "
    "facts,\n"
    "% a joint move a list of Role-Move.\n"
    "set_state(Facts) :-\n"
    "    retractall(holds(_)), retractall(does(_, _)), abolish_all_tables,\n"
    "    forall(member(F, Facts), assertz(holds(F))).\n"
    "set_moves(Moves) :-\n"
    "    retractall(does(_, _)), abolish_all_tables,\n"
    "    forall(member(R-M, Moves), assertz(does(R, M))).\n"
    "roles(Roles) :- findall(R, 'gdl role'(R), Roles).\n"
    "initial_state(Facts) :-\n"
    "    set_state([]), findall(F, 'gdl init'(F), L), sort(L, Facts).\n"
    "legal_moves(Role, Moves) :-\n"
    "    findall(M, 'gdl legal'(Role, M), L), sort(L, Moves).\n"
    "next_state(Moves, Facts) :-\n"
    "    set_moves(Moves), findall(F, 'gdl next'(F), L), sort(L, Facts).\n"
    "is_terminal :- once('gdl terminal').\n"
    "goals(Role, Values) :-\n"
    "    findall(V, 'gdl goal'(Role, V), L), sort(L, Values).\n";

typedef struct Writer {
  const Rules *rules;
  const Terms *terms;
  Text *text;
  TermVector variables; /* of the rule, numbered by place */
} Writer;

static void write_quoted(Text *text, const char *prefix, const char *name) {
  text_add_byte(text, '\'');
  text_add(text, prefix);
  for (; *name; name++) {
    if (*name == '\'' || *name == '\\') text_add_byte(text, '\\');
    text_add_byte(text, *name);
  }
  text_add_byte(text, '\'');
}

static const char *name_of(const Writer *writer, Symbol symbol) {
  return symbol_text(&writer->terms->symbols, symbol);
}

static void write_term(Writer *writer, Term term);

static void write_arguments(Writer *writer, Term term) {
  uint32_t arity = term_arity(writer->terms, term);
  for (uint32_t i = 0; i < arity; i++) {
    text_add(writer->text, i ? ", " : "(");
    write_term(writer, term_argument(writer->terms, term, i));
  }
  if (arity) text_add_byte(writer->text, ')');
}

static void write_term(Writer *writer, Term term) {
  if (term_is_variable(writer->terms, term)) {
    uint32_t i = 0;
    while (i < writer->variables.count && writer->variables.data[i] != term)
      i++;
    if (i == writer->variables.count) vector_push(&writer->variables, term);
    text_format(writer->text, "V%u", i);
    return;
  }
  write_quoted(writer->text, "",
               name_of(writer, term_symbol(writer->terms, term)));
  write_arguments(writer, term);
}

static void write_atom(Writer *writer, Term atom) {
  Symbol symbol = term_symbol(writer->terms, atom);
  if (symbol == SYMBOL_TRUE)
    text_add(writer->text, "holds");
  else if (symbol == SYMBOL_DOES)
    text_add(writer->text, "does");
  else
    write_quoted(writer->text, "gdl ", name_of(writer, symbol));
  write_arguments(writer, atom);
}

static void write_literal(Writer *writer, const Literal *literal) {
  text_add(writer->text, "\n    ");
  if (literal->sign == UNEQUAL) {
    write_term(writer, term_argument(writer->terms, literal->atom, 0));
    text_add(writer->text, " \\== ");
    write_term(writer, term_argument(writer->terms, literal->atom, 1));
    return;
  }
  if (literal->sign == NEGATIVE) text_add(writer->text, "\\+ ");
  write_atom(writer, literal->atom);
}

static bool is_bound(const Writer *writer, Term atom, const TermVector *bound) {
  TermVector own = {0};
  term_collect_variables(writer->terms, atom, &own);
  bool all = true;
  for (uint32_t i = 0; i < own.count; i++)
    all &= term_vector_contains(bound, own.data[i]);
  vector_free(&own);
  return all;
}

/* The first literal, in the order of the text, that may be evaluated now. */
static uint32_t next_literal(const Writer *writer, const Literal *body,
                             uint32_t count, const bool *done,
                             const TermVector *bound) {
  for (uint32_t i = 0; i < count; i++)
    if (!done[i] &&
        (body[i].sign == POSITIVE || is_bound(writer, body[i].atom, bound)))
      return i;
  uint32_t first = 0; /* an unsafe rule: in its order */
  while (done[first]) first++;
  return first;
}

static void write_rule(Writer *writer, const Rule *rule) {
  const Literal *body = rule_body(writer->rules, rule);
  bool *done = memory_new(rule->count * sizeof *done);
  TermVector bound = {0};
  vector_clear(&writer->variables);
  write_atom(writer, rule->head);
  for (uint32_t n = 0; n < rule->count; n++) {
    uint32_t i = next_literal(writer, body, rule->count, done, &bound);
    text_add(writer->text, n ? "," : " :-");
    write_literal(writer, &body[i]);
    done[i] = true;
    if (body[i].sign == POSITIVE)
      term_collect_variables(writer->terms, body[i].atom, &bound);
  }
  text_add(writer->text, ".\n");
  vector_free(&bound);
  memory_delete(done);
}

static void write_declaration(Writer *writer, const Predicate *predicate) {
  const char *word = predicate->recursive     ? "table"
                     : predicate->rules.count ? "discontiguous"
                                              : "dynamic";
  text_format(writer->text, ":- %s ", word);
  write_quoted(writer->text, "gdl ", name_of(writer, predicate->name));
  text_format(writer->text, "/%u.\n", predicate->arity);
}

void prolog_write(const Description *description, Text *text) {
  const Rules *rules = &description->rules;
  const Dependencies *dependencies = &description->dependencies;
  Writer writer = {.rules = rules, .terms = &rules->terms, .text = text};
  text_add(text, ":- style_check(-singleton).\n:- use_module(library(lists)).\n"
                 ":- dynamic holds/1, does/2.\n");
  if (!dependencies_find(dependencies, SYMBOL_INIT, 1))
    text_add(text, ":- dynamic 'gdl init'/1.\n");
  if (!dependencies_find(dependencies, SYMBOL_NEXT, 1))
    text_add(text, ":- dynamic 'gdl next'/1.\n");
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    if (predicate->name != SYMBOL_TRUE && predicate->name != SYMBOL_DOES)
      write_declaration(&writer, predicate);
  }
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    text_add_byte(text, '\n');
    for (uint32_t i = 0; i < predicate->rules.count; i++)
      write_rule(&writer, &rules->list.data[predicate->rules.data[i]]);
  }
  text_add(text, interface);
  vector_free(&writer.variables);
}
