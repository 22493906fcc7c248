/* A claim says that of the facts of a relation that differ in one column only,
   at most one holds at a time. It is proved by induction over the steps of a
   match. The initial state must obey it. Each rule for the next state must
   either keep a fact that holds, or write one that a single move of one role
   determines. At most one rule may write, and whenever its move is legal, no
   fact may hold that differs from the written one in the claim's column only:
   every instance of a rule for the move's legality must have a negative literal
   on that fact, or a positive one on an atom of which the same is true. Only
   legal moves are made. */
#include "ground/claim.h"

#include "base/trial.h"

enum { DEEPEST_PROOF = 3 };

typedef struct Proof {
  Ground *ground;
  GroundRelation *relation;
  GroundClaim claim;
  const GroundRule *writer;  /* NULL: not found yet */
  const GroundLiteral *move; /* of the writer */
} Proof;

static bool same_key(const Proof *proof, const Term *a, const Term *b) {
  for (uint32_t i = 0; i < proof->relation->rows.arity; i++)
    if (i != proof->claim.column && a[i] != b[i]) return false;
  return true;
}

/* The first row with the row's key, possibly itself, by an index over the key.
 */
static uint32_t first_row(const Proof *proof, const Term *row,
                          uint32_t *index) {
  Relation *rows = &proof->relation->rows;
  ColumnSet columns = 0;
  Term key[RELATION_KEYS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < rows->arity; i++)
    if (i != proof->claim.column) {
      columns |= (ColumnSet)1 << i;
      key[count++] = row[i];
    }
  *index = relation_index(rows, columns);
  return relation_first(rows, *index, key);
}

static bool initial_obeys(const Proof *proof) {
  const GroundRelation *relation = proof->relation;
  for (uint32_t row = 0; row < relation->rows.count; row++) {
    if (!proof->ground->fluents.data[relation->ids.data[row]].initial) continue;
    const Term *cells = relation_row(&relation->rows, row);
    uint32_t index, other = first_row(proof, cells, &index);
    for (; other != RELATION_END;
         other = relation_next(&relation->rows, index, other))
      if (other != row &&
          proof->ground->fluents.data[relation->ids.data[other]].initial &&
          same_key(proof, cells, relation_row(&relation->rows, other)))
        return false;
  }
  return true;
}

/* ---- what legality excludes ---- */

static bool atom_excludes(const Proof *proof, HeadKind kind, uint32_t relation,
                          const Term *atom, const Term *fact, uint32_t depth);

/* Does the literal, under the bindings, say that the fact does not hold? */
static bool literal_excludes(const Proof *proof, const Unifier *unifier,
                             const GroundLiteral *literal, const Term *fact,
                             uint32_t depth) {
  const Ground *ground = proof->ground;
  if (literal->sign == UNEQUAL || literal->legality) return false;
  bool direct =
      literal->sign == NEGATIVE && literal->relation == proof->claim.relation;
  bool derived =
      literal->sign == POSITIVE && depth < DEEPEST_PROOF &&
      ground_relation(ground, literal->relation)->kind == HOLDS_DERIVED;
  if (!direct && !derived) return false;
  Term columns[RELATION_KEYS];
  for (uint32_t i = 0; i < ground_columns(ground, literal); i++) {
    columns[i] = unifier_apply(unifier, literal->columns[i]);
    if (!columns[i] || !term_is_ground(ground->terms, columns[i])) return false;
    if (direct && columns[i] != fact[i]) return false;
  }
  return direct || atom_excludes(proof, HEAD_ROW, literal->relation, columns,
                                 fact, depth + 1);
}

static bool rule_excludes(const Proof *proof, const GroundRule *rule,
                          const Term *atom, const Term *fact, uint32_t depth) {
  trial_check();
  Unifier unifier = ground_unifier(proof->ground);
  bool matches = true, excludes = false;
  for (uint32_t i = 0; i < rule->head_count && matches; i++)
    matches = unifier_equate(&unifier, rule->head[i], atom[i]);
  for (uint32_t i = 0; i < rule->count && matches && !excludes; i++)
    excludes = literal_excludes(proof, &unifier, &rule->body[i], fact, depth);
  excludes |= !matches && !unifier.too_large;
  unifier_free(&unifier);
  return excludes;
}

/* Does the fact not hold whenever the atom does? */
static bool atom_excludes(const Proof *proof, HeadKind kind, uint32_t relation,
                          const Term *atom, const Term *fact, uint32_t depth) {
  const Ground *ground = proof->ground;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    if (rule->kind == kind &&
        (kind != HEAD_ROW || rule->relation == relation) &&
        !rule_excludes(proof, rule, atom, fact, depth))
      return false;
  }
  return true;
}

/* ---- rules for the next state ---- */

static bool keeps(const Proof *proof, const GroundRule *rule) {
  const Terms *terms = proof->ground->terms;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (literal->sign == POSITIVE &&
        literal->relation == proof->claim.relation &&
        memcmp(literal->columns, term_arguments(terms, rule->head[0]),
               proof->relation->rows.arity * sizeof(Term)) == 0)
      return true;
  }
  return false;
}

/* The move of one role that determines the head, or NULL. */
static const GroundLiteral *writing_move(const Proof *proof,
                                         const GroundRule *rule) {
  const Ground *ground = proof->ground;
  TermVector head = {0};
  const GroundLiteral *found = NULL;
  term_collect_variables(ground->terms, rule->head[0], &head);
  for (uint32_t i = 0; i < rule->count && !found; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (literal->sign != POSITIVE || literal->legality ||
        ground_relation(ground, literal->relation)->kind != HOLDS_MOVE ||
        !term_is_ground(ground->terms, literal->columns[0]))
      continue;
    TermVector own = {0};
    bool all = true;
    for (uint32_t c = 0; c < ground_columns(ground, literal); c++)
      term_collect_variables(ground->terms, literal->columns[c], &own);
    for (uint32_t v = 0; v < head.count; v++)
      all &= term_vector_contains(&own, head.data[v]);
    if (all) found = literal;
    vector_free(&own);
  }
  vector_free(&head);
  return found;
}

/* Finds the writer; returns false if a rule has another form. */
static bool study_rules(Proof *proof) {
  const Ground *ground = proof->ground;
  const GroundRelation *relation = proof->relation;
  Term sample = ground->fluents.data[relation->ids.data[0]].term;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    if (rule->kind != HEAD_NEXT) continue;
    if (term_is_variable(ground->terms, rule->head[0])) return false;
    if (term_symbol(ground->terms, rule->head[0]) !=
            term_symbol(ground->terms, sample) ||
        term_arity(ground->terms, rule->head[0]) != relation->rows.arity ||
        keeps(proof, rule))
      continue;
    if (proof->writer) return false;
    proof->writer = rule;
    proof->move = writing_move(proof, rule);
    if (!proof->move) return false;
  }
  return true;
}

/* If the move is legal, does no other fact with the written one's key hold? */
static bool move_obeys(const Proof *proof, const GroundMove *move,
                       const Term *written) {
  const GroundRelation *relation = proof->relation;
  Term atom[] = {proof->ground->description->rules.roles.data[move->role],
                 move->term};
  uint32_t index, row = first_row(proof, written, &index);
  for (; row != RELATION_END;
       row = relation_next(&relation->rows, index, row)) {
    const Term *fact = relation_row(&relation->rows, row);
    if (same_key(proof, fact, written) &&
        fact[proof->claim.column] != written[proof->claim.column] &&
        !atom_excludes(proof, HEAD_LEGAL, 0, atom, fact, 0))
      return false;
  }
  return true;
}

static bool writes_obey(const Proof *proof) {
  Ground *ground = proof->ground;
  const GroundRelation *moves = ground_relation(ground, proof->move->relation);
  bool fine = true;
  for (uint32_t row = 0; row < moves->rows.count && fine; row++) {
    if (join_budget_spent(&ground->budget)) return false;
    const Term *cells = relation_row(&moves->rows, row);
    Unifier unifier = ground_unifier(ground);
    bool matches = true;
    for (uint32_t i = 0; i < moves->rows.arity && matches; i++)
      matches = unifier_equate(&unifier, proof->move->columns[i], cells[i]);
    Term fluent = matches ? unifier_apply(&unifier, proof->writer->head[0]) : 0;
    fine = fluent ? move_obeys(proof, &ground->moves.data[moves->ids.data[row]],
                               term_arguments(ground->terms, fluent))
                  : !unifier.too_large && !matches;
    unifier_free(&unifier);
  }
  return fine;
}

static bool holds(Ground *ground, GroundClaim claim) {
  Proof proof = {.ground = ground,
                 .relation = ground_relation(ground, claim.relation),
                 .claim = claim};
  if (!proof.relation->rows.count) return true;
  return initial_obeys(&proof) && study_rules(&proof) &&
         (!proof.writer || writes_obey(&proof));
}

bool claim_all_hold(Ground *ground) {
  for (uint32_t i = 0; i < ground->claims.count; i++)
    if (!holds(ground, ground->claims.data[i])) return false;
  return true;
}
