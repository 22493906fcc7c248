/* (true (cell ?x ?y b)) becomes a literal on the relation of all facts cell/3
   with columns ?x ?y b; (does ?r (move ?a ?b)) one on the relation of all moves
   move/2 with columns ?r ?a ?b; (true ?f) and (does ?r ?m) read relations of
   whole terms. */
#include "ground/flatten.h"

static void flatten_true(Ground *ground, Term fact, GroundLiteral *literal) {
  if (term_is_variable(ground->terms, fact)) {
    if (!ground->all_fluents)
      ground->all_fluents = ground_add_relation(ground, HOLDS_FLUENT, 1);
    literal->relation = ground->all_fluents;
    literal->columns = ground_copy_terms(ground, &fact, 1);
    return;
  }
  literal->relation = ground_fluent_class(ground, fact);
  literal->columns =
      ground_copy_terms(ground, term_arguments(ground->terms, fact),
                        term_arity(ground->terms, fact));
}

static void flatten_move(Ground *ground, Term role, Term action,
                         GroundLiteral *literal) {
  Term columns[TERM_LARGEST_ARITY + 1] = {role, action};
  uint32_t count = 2;
  if (term_is_variable(ground->terms, action)) {
    if (!ground->all_moves)
      ground->all_moves = ground_add_relation(ground, HOLDS_MOVE, 2);
    literal->relation = ground->all_moves;
  } else {
    count = term_arity(ground->terms, action) + 1;
    for (uint32_t i = 1; i < count; i++)
      columns[i] = term_argument(ground->terms, action, i - 1);
    literal->relation = ground_move_class(ground, action);
  }
  literal->columns = ground_copy_terms(ground, columns, count);
}

static void flatten_literal(Ground *ground, const Literal *from,
                            GroundLiteral *to) {
  const Terms *terms = ground->terms;
  Symbol symbol = term_symbol(terms, from->atom);
  const Term *arguments = term_arguments(terms, from->atom);
  *to = (GroundLiteral){.sign = from->sign, .legality = symbol == SYMBOL_LEGAL};
  if (from->sign == UNEQUAL) {
    to->columns = ground_copy_terms(ground, arguments, 2);
  } else if (symbol == SYMBOL_TRUE) {
    flatten_true(ground, arguments[0], to);
  } else if (symbol == SYMBOL_DOES || symbol == SYMBOL_LEGAL) {
    flatten_move(ground, arguments[0], arguments[1], to);
  } else {
    uint32_t p =
        dependencies_of(&ground->description->dependencies, terms, from->atom);
    to->relation = ground->of_predicate[p];
    to->columns =
        ground_copy_terms(ground, arguments, term_arity(terms, from->atom));
  }
}

GroundRule *flatten_rule(Ground *ground, HeadKind kind, uint32_t relation,
                         const Term *head, uint32_t head_count,
                         const LiteralVector *literals,
                         const GroundLiteralVector *calls) {
  uint32_t count = literals->count + calls->count;
  GroundLiteral *body = arena_new(&ground->arena, (count + 1) * sizeof *body);
  for (uint32_t i = 0; i < literals->count; i++)
    flatten_literal(ground, &literals->data[i], &body[i]);
  for (uint32_t i = 0; i < calls->count; i++)
    body[literals->count + i] = calls->data[i];
  return ground_make_rule(ground, kind, relation,
                          ground_copy_terms(ground, head, head_count),
                          head_count, body, count);
}
