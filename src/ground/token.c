/* A token is something that is in one place at a time, such as a king: of its
   facts at most one holds. It is proved by induction over the steps of a match.
   The initial state must obey. A rule for the next state either keeps a fact
   that holds, or writes one that a single move determines. So two facts can
   come to hold only if a move writes one and another is kept. Each move that
   writes must have a source: a fact of the token that every rule for its
   legality asks for, and so the only one that holds. No rule may keep the
   source when that move is made: its own moves must be others, or of another
   role that cannot make them at the same time. Whose turn it is decides that:
   legality asks for different facts of a functor, such as `control`, of which
   one holds at a time because each rule makes it from another fact of the same
   functor, and no two rules make different facts from one.

   What a body says is only used as far as static relations and single literals
   go: a body counts as possible if its static literals can be true. */
#include "ground/token.h"

#include "base/trial.h"

enum { MOST_TURNS = 64 }; /* facts that say whose turn it is */

typedef struct Token {
  Ground *ground;
  uint32_t relation;
  bool *member;      /* by fluent */
  uint32_t *written; /* by move: fluent + 1 */
  uint32_t writer;   /* role + 1, 0: none yet */
  struct {
    uint32_t role, class, other_role, other_class;
    bool exclude;
  } turns; /* the newest answer about classes of moves */
} Token;

static Term role_term(const Ground *ground, uint32_t role) {
  return ground->description->rules.roles.data[role];
}

static bool equate_all(Unifier *unifier, const Term *a, const Term *b,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!unifier_equate(unifier, a[i], b[i])) return false;
  return true;
}

/* ---- is a body possible? ---- */

/* The static literals of a body under bindings, as sources of a join. */
typedef struct Filter {
  Ground *ground;
  Arena arena;
  VECTOR(JoinSource) sources;
  VECTOR(JoinRange) ranges;
  TermVector variables;
} Filter;

static bool is_static(const Ground *ground, const GroundLiteral *literal) {
  return literal->sign == UNEQUAL ||
         ground_relation(ground, literal->relation)->kind == HOLDS_ALWAYS;
}

static bool apply_columns(const Filter *filter, const Unifier *unifier,
                          const GroundLiteral *literal, Term *columns) {
  for (uint32_t i = 0; i < ground_columns(filter->ground, literal); i++) {
    columns[i] = unifier_apply(unifier, literal->columns[i]);
    if (!columns[i]) return false;
  }
  return true;
}

/* Adds a literal; tests only if positive literals bind their variables. */
static void add_source(Filter *filter, const Unifier *unifier,
                       const GroundLiteral *literal) {
  Ground *ground = filter->ground;
  uint32_t count = ground_columns(ground, literal);
  JoinSource source = {SOURCE_UNEQUAL, NULL,
                       arena_new(&filter->arena, (count + 1) * sizeof(Term))};
  JoinRange range = {0, 0};
  TermVector own = {0};
  bool bound = apply_columns(filter, unifier, literal, source.columns);
  for (uint32_t i = 0; i < count && bound; i++)
    term_collect_variables(ground->terms, source.columns[i], &own);
  if (literal->sign != UNEQUAL) {
    GroundRelation *relation = ground_relation(ground, literal->relation);
    source.kind = literal->sign == POSITIVE ? SOURCE_ROWS : SOURCE_ABSENT;
    source.relation = &relation->rows;
    range.high = relation->rows.count;
  }
  for (uint32_t i = 0; i < own.count && bound; i++) {
    bool known = term_vector_contains(&filter->variables, own.data[i]);
    if (literal->sign != POSITIVE)
      bound = known;
    else if (!known)
      vector_push(&filter->variables, own.data[i]);
  }
  vector_free(&own);
  if (!bound) return;
  vector_push(&filter->sources, source);
  vector_push(&filter->ranges, range);
}

static bool stop(void *context, const Term *environment, const uint32_t *rows) {
  (void)environment, (void)rows;
  *(bool *)context = true;
  return false;
}

/* Can the static literals of the rule be true under the bindings? */
static bool is_possible(Ground *ground, const GroundRule *rule,
                        const Unifier *unifier) {
  Filter filter = {.ground = ground};
  bool found = false;
  for (int positive = 1; positive >= 0; positive--)
    for (uint32_t i = 0; i < rule->count; i++)
      if (is_static(ground, &rule->body[i]) &&
          (rule->body[i].sign == POSITIVE) == positive)
        add_source(&filter, unifier, &rule->body[i]);
  Join *join = join_new(ground->terms, &filter.variables, filter.sources.data,
                        filter.sources.count, JOIN_NO_FIRST);
  bool done = join_run(join, filter.ranges.data, &ground->budget, stop, &found);
  join_delete(join);
  vector_free(&filter.sources);
  vector_free(&filter.ranges);
  vector_free(&filter.variables);
  arena_free(&filter.arena);
  return found || !done;
}

/* ---- facts of a rule ---- */

/* The fluent that the positive literal reads under the bindings, + 1; 0 if it
   reads none, or is not ground. */
static uint32_t fluent_read(Ground *ground, const GroundLiteral *literal,
                            const Unifier *unifier) {
  Term columns[RELATION_KEYS];
  if (literal->sign != POSITIVE) return 0;
  GroundRelation *relation = ground_relation(ground, literal->relation);
  if (relation->kind != HOLDS_FLUENT) return 0;
  for (uint32_t i = 0; i < relation->rows.arity; i++) {
    columns[i] = unifier_apply(unifier, literal->columns[i]);
    if (!columns[i] || !term_is_ground(ground->terms, columns[i])) return 0;
  }
  uint32_t row = relation_find(&relation->rows, columns);
  return row == RELATION_END ? 0 : relation->ids.data[row] + 1;
}

static bool is_does(const Ground *ground, const GroundLiteral *literal) {
  return literal->sign == POSITIVE && !literal->legality &&
         ground_relation(ground, literal->relation)->kind == HOLDS_MOVE;
}

/* Does the rule keep the fact that it makes? */
static bool keeps(const Token *token, const GroundRule *rule) {
  const Terms *terms = token->ground->terms;
  if (term_is_variable(terms, rule->head[0])) return false;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (literal->sign == POSITIVE && literal->relation == token->relation &&
        memcmp(literal->columns, term_arguments(terms, rule->head[0]),
               ground_columns(token->ground, literal) * sizeof(Term)) == 0)
      return true;
  }
  return false;
}

/* Can the rule make a fact of the relation's functor? A variable can be
   anything. */
static bool makes_functor(const Ground *ground, const GroundRule *rule,
                          uint32_t relation) {
  const Terms *terms = ground->terms;
  const GroundRelation *facts = ground_relation(ground, relation);
  if (rule->kind != HEAD_NEXT) return false;
  if (term_is_variable(terms, rule->head[0])) return true;
  Term sample = ground->fluents.data[facts->ids.data[0]].term;
  return term_symbol(terms, rule->head[0]) == term_symbol(terms, sample) &&
         term_arity(terms, rule->head[0]) == facts->rows.arity;
}

/* ---- whose turn it is ---- */

/* Marks what each fact becomes by this rule; returns false if it makes a fact
   from none, or two from one. */
static bool study_turn(Ground *ground, const GroundRule *rule,
                       uint32_t relation, uint32_t *becomes) {
  GroundRelation *facts = ground_relation(ground, relation);
  const GroundLiteral *source = NULL;
  bool fine = !term_is_variable(ground->terms, rule->head[0]);
  for (uint32_t i = 0; i < rule->count && !source; i++)
    if (rule->body[i].sign == POSITIVE && rule->body[i].relation == relation)
      source = &rule->body[i];
  if (!source) return false;
  for (uint32_t i = 0; i < facts->rows.count && fine; i++)
    for (uint32_t j = 0; j < facts->rows.count && fine; j++) {
      Unifier unifier = ground_unifier(ground);
      if (equate_all(&unifier, source->columns, relation_row(&facts->rows, i),
                     facts->rows.arity) &&
          equate_all(&unifier, term_arguments(ground->terms, rule->head[0]),
                     relation_row(&facts->rows, j), facts->rows.arity) &&
          is_possible(ground, rule, &unifier)) {
        fine = !becomes[i] || becomes[i] == j + 1;
        becomes[i] = j + 1;
      }
      fine &= !unifier.too_large;
      unifier_free(&unifier);
    }
  return fine;
}

/* Does one fact of the relation hold at a time, at most? */
static bool takes_turns(Ground *ground, uint32_t relation) {
  GroundRelation *facts = ground_relation(ground, relation);
  uint32_t initial = 0, becomes[MOST_TURNS] = {0};
  if (facts->rows.count > MOST_TURNS) return false;
  for (uint32_t i = 0; i < facts->rows.count; i++)
    initial += ground->fluents.data[facts->ids.data[i]].initial;
  if (initial > 1) return false;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    if (makes_functor(ground, rule, relation) &&
        !study_turn(ground, rule, relation, becomes))
      return false;
  }
  return true;
}

/* Binds the rule's head to any move of the class by this role, whose terms are
   fresh; returns false if there is none. */
static bool equate_class(Ground *ground, const GroundRule *rule, uint32_t role,
                         uint32_t class, Unifier *unifier) {
  const GroundRelation *moves = ground_relation(ground, class);
  Term head = rule->head[1];
  if (!unifier_equate(unifier, rule->head[0], role_term(ground, role)))
    return false;
  if (term_is_variable(ground->terms, head) || class == ground->all_moves ||
      !moves->rows.count)
    return true;
  Term sample = ground->moves.data[moves->ids.data[0]].term;
  return term_symbol(ground->terms, head) ==
             term_symbol(ground->terms, sample) &&
         term_arity(ground->terms, head) == term_arity(ground->terms, sample);
}

/* Does every rule for the legality of such a move ask for a fact of the
   relation? Then sets `fluent` if it is the same for all. */
static bool asks_for(Ground *ground, uint32_t role, uint32_t class,
                     uint32_t relation, uint32_t *fluent) {
  *fluent = 0;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    Unifier unifier = ground_unifier(ground);
    uint32_t found = 0;
    bool matches = rule->kind == HEAD_LEGAL &&
                   equate_class(ground, rule, role, class, &unifier);
    for (uint32_t i = 0; i < rule->count && matches && !found; i++)
      if (rule->body[i].sign == POSITIVE && rule->body[i].relation == relation)
        found = fluent_read(ground, &rule->body[i], &unifier);
    bool fine = !unifier.too_large &&
                (!matches || (found && (!*fluent || *fluent == found)));
    unifier_free(&unifier);
    if (!fine) return false;
    if (matches) *fluent = found;
  }
  return *fluent != 0;
}

/* Can moves of these classes by the two roles never be made together? */
static bool exclude(Ground *ground, uint32_t role, uint32_t class,
                    uint32_t other_role, uint32_t other_class) {
  for (uint32_t r = 1; r < ground->relations.count; r++) {
    uint32_t a, b;
    const GroundRelation *relation = ground_relation(ground, r);
    if (relation->kind != HOLDS_FLUENT || !relation->rows.count ||
        r == ground->all_fluents)
      continue;
    if (asks_for(ground, role, class, r, &a) &&
        asks_for(ground, other_role, other_class, r, &b) && a != b &&
        takes_turns(ground, r))
      return true;
  }
  return false;
}

/* The same; most questions repeat the last one. */
static bool exclude_known(Token *token, uint32_t role, uint32_t class,
                          uint32_t other_role, uint32_t other_class) {
  if (token->turns.class != class || token->turns.role != role ||
      token->turns.other_class != other_class ||
      token->turns.other_role != other_role) {
    token->turns.exclude =
        exclude(token->ground, role, class, other_role, other_class);
    token->turns.role = role;
    token->turns.class = class;
    token->turns.other_role = other_role;
    token->turns.other_class = other_class;
  }
  return token->turns.exclude;
}

/* ---- what moves write ---- */

static bool note_write(Token *token, uint32_t move, uint32_t fluent) {
  uint32_t role = token->ground->moves.data[move].role;
  if (token->writer && token->writer != role + 1) return false;
  if (token->written[move] && token->written[move] != fluent + 1) return false;
  token->writer = role + 1;
  token->written[move] = fluent + 1;
  return true;
}

/* The head under the bindings, as a fluent + 1; 0 if it is no fact of the
   token. Returns false if it is not ground. */
static bool fact_made(const Token *token, const GroundRule *rule,
                      const Unifier *unifier, uint32_t *fluent) {
  Ground *ground = token->ground;
  Term head = unifier_apply(unifier, rule->head[0]);
  if (!head || !term_is_ground(ground->terms, head)) return false;
  *fluent = head < ground->fluent_of.count ? ground->fluent_of.data[head] : 0;
  if (*fluent && !token->member[*fluent - 1]) *fluent = 0;
  return true;
}

static bool study_writes(Token *token, const GroundRule *rule,
                         const GroundLiteral *does) {
  Ground *ground = token->ground;
  const GroundRelation *moves = ground_relation(ground, does->relation);
  bool fine = true;
  for (uint32_t row = 0; row < moves->rows.count && fine; row++) {
    uint32_t fluent = 0;
    Unifier unifier = ground_unifier(ground);
    trial_check();
    if (equate_all(&unifier, does->columns, relation_row(&moves->rows, row),
                   moves->rows.arity)) {
      fine = fact_made(token, rule, &unifier, &fluent);
      if (fluent && is_possible(ground, rule, &unifier))
        fine = note_write(token, moves->ids.data[row], fluent - 1);
    }
    fine &= !unifier.too_large;
    unifier_free(&unifier);
  }
  return fine;
}

/* Can the rule not make a fact of the token? */
static bool makes_none(const Token *token, const GroundRule *rule) {
  Ground *ground = token->ground;
  bool none = true;
  for (uint32_t f = 0; f < ground->fluents.count && none; f++) {
    if (!token->member[f]) continue;
    Unifier unifier = ground_unifier(ground);
    none = !unifier_equate(&unifier, rule->head[0],
                           ground->fluents.data[f].term) &&
           !unifier.too_large;
    unifier_free(&unifier);
  }
  return none;
}

/* Finds what every move writes; returns false if a rule has another form. */
static bool study_rules(Token *token) {
  Ground *ground = token->ground;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    const GroundLiteral *does = NULL;
    if (!makes_functor(ground, rule, token->relation) || keeps(token, rule) ||
        makes_none(token, rule))
      continue;
    for (uint32_t i = 0; i < rule->count && !does; i++)
      if (is_does(ground, &rule->body[i])) does = &rule->body[i];
    if (!does || !study_writes(token, rule, does)) return false;
  }
  return true;
}

/* ---- what moves leave ---- */

/* The fact of the token that the move's legality asks for, + 1; 0: none. */
static uint32_t source_of(const Token *token, uint32_t move) {
  Ground *ground = token->ground;
  uint32_t source = 0;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    Term atom[] = {role_term(ground, ground->moves.data[move].role),
                   ground->moves.data[move].term};
    Unifier unifier = ground_unifier(ground);
    uint32_t found = 0;
    bool matches = rule->kind == HEAD_LEGAL &&
                   equate_all(&unifier, rule->head, atom, 2) &&
                   is_possible(ground, rule, &unifier);
    for (uint32_t i = 0; i < rule->count && matches && !found; i++) {
      found = fluent_read(ground, &rule->body[i], &unifier);
      if (found && !token->member[found - 1]) found = 0;
    }
    bool fine = !unifier.too_large &&
                (!matches || (found && (!source || source == found)));
    unifier_free(&unifier);
    if (!fine) return 0;
    if (matches) source = found;
  }
  return source;
}

static bool takes_other_roles(Token *token, uint32_t move,
                              const GroundLiteral *does,
                              const Unifier *unifier) {
  Ground *ground = token->ground;
  uint32_t role = ground->moves.data[move].role;
  uint32_t class = ground_move_class(ground, ground->moves.data[move].term);
  Term asked = unifier_apply(unifier, does->columns[0]);
  for (uint32_t other = 0; other < ground->description->rules.roles.count;
       other++)
    if (other != role &&
        (!term_is_ground(ground->terms, asked) ||
         asked == role_term(ground, other)) &&
        !exclude_known(token, role, class, other, does->relation))
      return true;
  return false;
}

/* Does the literal say, under the bindings, that the move is not made? */
static bool is_another_move(Token *token, const GroundRule *rule,
                            const GroundLiteral *does, uint32_t move,
                            const Unifier *bindings, uint32_t source) {
  Ground *ground = token->ground;
  const GroundRelation *moves = ground_relation(ground, does->relation);
  Term row[RELATION_KEYS];
  Term action = ground->moves.data[move].term;
  if (does->relation != ground->all_moves &&
      does->relation != ground_move_class(ground, action))
    return !takes_other_roles(token, move, does, bindings);
  row[0] = role_term(ground, ground->moves.data[move].role);
  if (does->relation == ground->all_moves)
    row[1] = action;
  else
    memcpy(row + 1, term_arguments(ground->terms, action),
           term_arity(ground->terms, action) * sizeof(Term));
  Unifier unifier = ground_unifier(ground);
  bool same = unifier_equate(&unifier, rule->head[0],
                             ground->fluents.data[source].term) &&
              equate_all(&unifier, does->columns, row, moves->rows.arity) &&
              is_possible(ground, rule, &unifier);
  bool fine = !same && !unifier.too_large;
  unifier_free(&unifier);
  return fine && !takes_other_roles(token, move, does, bindings);
}

/* Is the source not kept by the rule if the move is made? */
static bool leaves(Token *token, const GroundRule *rule, uint32_t move,
                   uint32_t source) {
  Ground *ground = token->ground;
  Unifier unifier = ground_unifier(ground);
  bool left = !unifier_equate(&unifier, rule->head[0],
                              ground->fluents.data[source].term) &&
              !unifier.too_large;
  for (uint32_t i = 0; i < rule->count && !left && !unifier.too_large; i++)
    left = is_does(ground, &rule->body[i]) &&
           is_another_move(token, rule, &rule->body[i], move, &unifier, source);
  unifier_free(&unifier);
  return left;
}

static bool move_obeys(Token *token, uint32_t move) {
  Ground *ground = token->ground;
  uint32_t source = source_of(token, move);
  if (!source) return false;
  if (source == token->written[move]) return true;
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    const GroundRule *rule = ground_whole(ground->rules.data[r]);
    if (makes_functor(ground, rule, token->relation) && keeps(token, rule) &&
        !leaves(token, rule, move, source - 1))
      return false;
  }
  return true;
}

/* ---- the proof ---- */

/* Marks the facts that match; returns how many hold initially. */
static uint32_t find_members(Token *token, Term fact) {
  Ground *ground = token->ground;
  const GroundRelation *facts = ground_relation(ground, token->relation);
  uint32_t initial = 0;
  for (uint32_t row = 0; row < facts->rows.count; row++) {
    uint32_t fluent = facts->ids.data[row];
    Unifier unifier = ground_unifier(ground);
    token->member[fluent] =
        unifier_equate(&unifier, fact, ground->fluents.data[fluent].term);
    unifier_free(&unifier);
    initial += token->member[fluent] && ground->fluents.data[fluent].initial;
  }
  return initial;
}

static bool one_holds(Ground *ground, uint32_t relation, Term fact) {
  Token token = {.ground = ground, .relation = relation};
  token.member = memory_new((ground->fluents.count + 1) * sizeof(bool));
  token.written = memory_new((ground->moves.count + 1) * sizeof(uint32_t));
  bool fine = find_members(&token, fact) <= 1 && study_rules(&token);
  for (uint32_t m = 0; m < ground->moves.count && fine; m++)
    if (token.written[m]) fine = move_obeys(&token, m);
  memory_delete(token.member);
  memory_delete(token.written);
  return fine;
}

/* Was the same proved for an earlier token? */
static bool is_repeated(const Ground *ground, uint32_t number, Term fact) {
  for (uint32_t i = 0; i < number; i++) {
    const GroundToken *token = &ground->tokens.data[i];
    const Relation *keys = &ground_relation(ground, token->keys)->rows;
    for (uint32_t row = 0; row < keys->count; row++)
      if (term_substitute(ground->terms, token->fact, token->variables,
                          relation_row(keys, row), keys->arity) == fact)
        return true;
  }
  return false;
}

bool token_all_hold(Ground *ground) {
  for (uint32_t i = 0; i < ground->tokens.count; i++) {
    const GroundToken *token = &ground->tokens.data[i];
    const Relation *keys = &ground_relation(ground, token->keys)->rows;
    if (!ground_relation(ground, token->relation)->rows.count) continue;
    for (uint32_t row = 0; row < keys->count; row++) {
      Term fact = term_substitute(ground->terms, token->fact, token->variables,
                                  relation_row(keys, row), keys->arity);
      if (!is_repeated(ground, i, fact) &&
          !one_holds(ground, token->relation, fact))
        return false;
    }
  }
  return true;
}
