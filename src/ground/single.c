/* A body such as

     … (true (cell ?kx ?ky ?king)) (owner ?king ?p)
     (blocks ?x ?kx ?ky) (not (attacked ?p ?kx ?ky ?u ?v ?x))

   asks of every place of the king whether it is attacked after every move. If
   at most one of the facts (cell ?kx ?ky ?king) holds at a time for each
   ?king, every literal speaks of the same place, so

     EXISTS k (fact AND a AND NOT b) =
     EXISTS k (fact AND a) AND NOT EXISTS k (fact AND b)

   The literals that read the place become predicates of their own. The rules
   of a negative call are inlined there, together with those of the static
   calls that they make: splitting then removes the place first, before anything
   is multiplied by the move. Guards keep these predicates to what is asked of
   them. That at most one of the facts holds is a claim, which ground/token.c
   proves once all facts are known. */
#include "ground/single.h"

#include "ground/flatten.h"
#include "ground/unfold.h"

enum {
  FEWEST_ARGUMENTS = 5, /* of a wide predicate */
  STATIC_ARGUMENTS = 4, /* of a static call that is inlined in turn */
  STATIC_RULES = 4,
  MOST_RULES = 200, /* for one call */
  DEEPEST = 20
};

typedef struct Single {
  Ground *ground;
  Term head;
  LiteralVector *body;
  RuleVector *parts;
  uint32_t fact;    /* the literal */
  TermVector place; /* its variables that wide calls read */
  TermVector keys;  /* its other variables */
} Single;

/* ---- what literals read ---- */

static bool reads_any(const Single *single, Term atom, const TermVector *set) {
  for (uint32_t i = 0; i < set->count; i++)
    if (term_contains(single->ground->terms, atom, set->data[i])) return true;
  return false;
}

static const Predicate *predicate_of(const Ground *ground, Term atom) {
  return ground_predicate(
      ground,
      dependencies_of(&ground->description->dependencies, ground->terms, atom));
}

/* The kind of relation that a predicate's literal reads; of other literals
   HOLDS_MOVE. */
static HoldsKind kind_of(const Ground *ground, const Literal *literal) {
  if (literal->sign == UNEQUAL) return HOLDS_MOVE;
  uint32_t relation = ground->of_predicate[dependencies_of(
      &ground->description->dependencies, ground->terms, literal->atom)];
  return relation ? ground_relation(ground, relation)->kind : HOLDS_MOVE;
}

/* Can the predicate's rules be inlined? */
static bool has_bodies(const Ground *ground, const Predicate *predicate) {
  if (predicate->recursive || predicate->name < SYMBOL_FIRST_FREE) return false;
  for (uint32_t i = 0; i < predicate->rules.count; i++)
    if (!ground->description->rules.list.data[predicate->rules.data[i]].count)
      return false;
  return predicate->rules.count > 0;
}

static bool is_wide(const Ground *ground, const Literal *literal) {
  return literal->sign != UNEQUAL &&
         kind_of(ground, literal) == HOLDS_DERIVED &&
         predicate_of(ground, literal->atom)->arity >= FEWEST_ARGUMENTS;
}

static bool is_wide_negation(const Ground *ground, const Literal *literal) {
  return literal->sign == NEGATIVE && is_wide(ground, literal) &&
         has_bodies(ground, predicate_of(ground, literal->atom));
}

static bool is_static(const Ground *ground, const Literal *literal) {
  return literal->sign == POSITIVE && kind_of(ground, literal) == HOLDS_ALWAYS;
}

static bool is_fact(const Ground *ground, const Literal *literal) {
  const Terms *terms = ground->terms;
  if (literal->sign != POSITIVE ||
      term_symbol(terms, literal->atom) != SYMBOL_TRUE)
    return false;
  Term fluent = term_argument(terms, literal->atom, 0);
  return !term_is_variable(terms, fluent) &&
         !ground->constant_functor[term_symbol(terms, fluent)];
}

/* ---- the fact ---- */

/* Are all keys in static literals that do not read the place? */
static bool keys_are_static(const Single *single) {
  TermVector bound = {0};
  bool all = true;
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *literal = &single->body->data[i];
    if (is_static(single->ground, literal) &&
        !reads_any(single, literal->atom, &single->place))
      term_collect_variables(single->ground->terms, literal->atom, &bound);
  }
  for (uint32_t i = 0; i < single->keys.count; i++)
    all &= term_vector_contains(&bound, single->keys.data[i]);
  vector_free(&bound);
  return all;
}

/* Does the rule keep a fact, or does one of its moves determine the fact? */
static bool is_simple(const Ground *ground, const Rule *rule, Term fluent) {
  const Terms *terms = ground->terms;
  TermVector variables = {0};
  bool simple = false;
  term_collect_variables(terms, fluent, &variables);
  for (uint32_t i = 0; i < rule->count && !simple; i++) {
    const Literal *literal = &rule_body(&ground->description->rules, rule)[i];
    Symbol symbol =
        literal->sign == POSITIVE ? term_symbol(terms, literal->atom) : 0;
    bool all = symbol == SYMBOL_DOES;
    for (uint32_t v = 0; v < variables.count && all; v++)
      all = term_contains(terms, literal->atom, variables.data[v]);
    simple = all || (symbol == SYMBOL_TRUE &&
                     term_argument(terms, literal->atom, 0) == fluent);
  }
  vector_free(&variables);
  return simple;
}

/* Is it worth trying to prove that one such fact holds at a time? */
static bool is_promising(const Ground *ground, Term fact) {
  const Terms *terms = ground->terms;
  const Dependencies *dependencies = &ground->description->dependencies;
  const Predicate *next =
      ground_predicate(ground, dependencies_find(dependencies, SYMBOL_NEXT, 1));
  for (uint32_t i = 0; i < next->rules.count; i++) {
    const Rule *rule =
        &ground->description->rules.list.data[next->rules.data[i]];
    Term fluent = term_argument(terms, rule->head, 0);
    if (term_is_variable(terms, fluent)) return false;
    if (term_symbol(terms, fluent) == term_symbol(terms, fact) &&
        term_arity(terms, fluent) == term_arity(terms, fact) &&
        !is_simple(ground, rule, fluent))
      return false;
  }
  return true;
}

/* Tries a fact as the one whose place the wide call reads. */
static bool study_fact(Single *single, uint32_t fact, Term call) {
  const Terms *terms = single->ground->terms;
  const Literal *literal = &single->body->data[fact];
  TermVector own = {0};
  if (!is_fact(single->ground, literal)) return false;
  single->fact = fact;
  vector_clear(&single->place);
  vector_clear(&single->keys);
  term_collect_variables(terms, literal->atom, &own);
  for (uint32_t i = 0; i < own.count; i++) {
    bool place = term_contains(terms, call, own.data[i]) &&
                 !term_contains(terms, single->head, own.data[i]);
    if (place)
      vector_push(&single->place, own.data[i]);
    else
      vector_push(&single->keys, own.data[i]);
  }
  vector_free(&own);
  return single->place.count && keys_are_static(single) &&
         is_promising(single->ground, term_argument(terms, literal->atom, 0));
}

/* Inequalities about the place cannot be taken apart from the fact. */
static bool literals_fit(const Single *single) {
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *literal = &single->body->data[i];
    if (i != single->fact && literal->sign == UNEQUAL &&
        reads_any(single, literal->atom, &single->place))
      return false;
  }
  return true;
}

static uint32_t count_readers(const Single *single) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < single->body->count; i++)
    count += i != single->fact &&
             reads_any(single, single->body->data[i].atom, &single->place);
  return count;
}

/* Finds a fact whose place wide negations read; or, which needs no claim, one
   whose place is read by a wide call alone. */
static bool find_fact(Single *single, bool negation) {
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *literal = &single->body->data[i];
    if (negation
            ? !is_wide_negation(single->ground, literal)
            : literal->sign != POSITIVE || !is_wide(single->ground, literal))
      continue;
    for (uint32_t j = 0; j < single->body->count; j++)
      if (study_fact(single, j, literal->atom) && literals_fit(single) &&
          (negation || count_readers(single) == 1))
        return true;
  }
  return false;
}

/* ---- parts ---- */

/* The variables that a part for this literal has as columns. */
static void collect_columns(const Single *single, Term atom, bool keys,
                            TermVector *columns) {
  TermVector own = {0};
  term_collect_variables(single->ground->terms, atom, &own);
  for (uint32_t i = 0; i < own.count; i++)
    if (!term_vector_contains(&single->place, own.data[i]))
      vector_push(columns, own.data[i]);
  for (uint32_t i = 0; i < single->keys.count && keys; i++)
    if (!term_vector_contains(columns, single->keys.data[i]))
      vector_push(columns, single->keys.data[i]);
  vector_free(&own);
}

/* The fact, and the static literals about its keys. */
static void add_fact(const Single *single, LiteralVector *literals) {
  vector_push(literals, single->body->data[single->fact]);
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *literal = &single->body->data[i];
    if (is_static(single->ground, literal) &&
        !reads_any(single, literal->atom, &single->place) &&
        reads_any(single, literal->atom, &single->keys))
      vector_push(literals, *literal);
  }
}

static uint32_t count_missing(const Single *single, Term atom,
                              const TermVector *wanted,
                              const TermVector *bound) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < wanted->count; i++)
    count += !term_vector_contains(bound, wanted->data[i]) &&
             term_contains(single->ground->terms, atom, wanted->data[i]);
  return count;
}

/* The positive literal without the place that has most of the variables that
   are not bound yet, or NULL. */
static const Literal *find_binder(const Single *single,
                                  const TermVector *wanted,
                                  const TermVector *bound) {
  const Literal *best = NULL;
  uint32_t most = 0;
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *literal = &single->body->data[i];
    if (literal->sign != POSITIVE ||
        reads_any(single, literal->atom, &single->place))
      continue;
    uint32_t missing = count_missing(single, literal->atom, wanted, bound);
    if (missing <= most) continue;
    most = missing;
    best = literal;
  }
  return best;
}

/* Adds a rule to the guard that says what can be asked of a part: what the
   literals that bind the columns can be. */
static void add_guard_rule(Single *single, uint32_t guard,
                           const TermVector *wanted) {
  TermVector bound = {0};
  LiteralVector literals = {0};
  GroundLiteralVector none = {0};
  for (;;) {
    const Literal *binder = find_binder(single, wanted, &bound);
    if (!binder) break;
    vector_push(&literals, *binder);
    term_collect_variables(single->ground->terms, binder->atom, &bound);
  }
  vector_push(single->parts,
              flatten_rule(single->ground, HEAD_ROW, guard, wanted->data,
                           wanted->count, &literals, &none));
  vector_free(&bound);
  vector_free(&literals);
}

/* A rule for a part while calls are inlined. Its terms are the columns of its
   head, then those of the other literals, one after the other. */
typedef struct Inlining {
  Single *single;
  uint32_t relation, columns, terms;
  const GroundLiteralVector *others;
  uint32_t made;
} Inlining;

/* Moves a static call that should be inlined to the end; returns false if there
   is none. */
static bool static_call_last(const Ground *ground, LiteralVector *body) {
  for (uint32_t i = 0; i < body->count; i++) {
    Literal literal = body->data[i];
    if (!is_static(ground, &literal)) continue;
    const Predicate *predicate = predicate_of(ground, literal.atom);
    if (predicate->arity < STATIC_ARGUMENTS ||
        predicate->rules.count > STATIC_RULES || !has_bodies(ground, predicate))
      continue;
    memmove(body->data + i, body->data + i + 1,
            (body->count - i - 1) * sizeof *body->data);
    body->data[body->count - 1] = literal;
    return true;
  }
  return false;
}

static void make_rule(Inlining *inlining, const LiteralVector *body,
                      Term *terms) {
  Ground *ground = inlining->single->ground;
  GroundLiteralVector others = {0};
  Term *next = terms + inlining->columns;
  for (uint32_t i = 0; i < inlining->others->count; i++) {
    GroundLiteral other = inlining->others->data[i];
    other.columns = next;
    next += ground_columns(ground, &other);
    vector_push(&others, other);
  }
  inlining->made++;
  vector_push(inlining->single->parts,
              flatten_rule(ground, HEAD_ROW, inlining->relation, terms,
                           inlining->columns, body, &others));
  vector_free(&others);
}

/* Replaces the last literal by the body of each of its predicate's rules, and
   goes on with static calls. `depth` makes new variables differ. */
static void inline_last(Inlining *inlining, const LiteralVector *literals,
                        const Term *terms, uint32_t depth) {
  Ground *ground = inlining->single->ground;
  const Predicate *predicate = predicate_of(ground, vector_last(literals).atom);
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    const Rule *rule =
        &ground->description->rules.list.data[predicate->rules.data[i]];
    LiteralVector body = {0};
    Term *own = ground_copy_terms(ground, terms, inlining->terms);
    if (unfold_last(ground, literals, rule, depth, own, inlining->terms,
                    &body)) {
      if (inlining->made < MOST_RULES && depth < DEEPEST &&
          static_call_last(ground, &body))
        inline_last(inlining, &body, own, depth + 1);
      else
        make_rule(inlining, &body, own);
    }
    vector_free(&body);
  }
}

/* The rules of a part for a wide call: its rules together with the others. */
static void inline_call(Single *single, Term call, uint32_t relation,
                        const TermVector *columns,
                        const GroundLiteralVector *others) {
  Ground *ground = single->ground;
  LiteralVector literals = {0};
  TermVector terms = {0};
  for (uint32_t i = 0; i < columns->count; i++)
    vector_push(&terms, columns->data[i]);
  for (uint32_t i = 0; i < others->count; i++)
    for (uint32_t c = 0; c < ground_columns(ground, &others->data[i]); c++)
      vector_push(&terms, others->data[i].columns[c]);
  vector_push(&literals, ((Literal){.sign = POSITIVE, .atom = call}));
  Inlining inlining = {single,      relation, columns->count,
                       terms.count, others,   0};
  inline_last(&inlining, &literals, terms.data, 1);
  vector_free(&literals);
  vector_free(&terms);
}

/* The fact and the static literals about its keys as a predicate: else a split
   would look at the places of every key. */
static GroundLiteral make_holder(Single *single) {
  Ground *ground = single->ground;
  LiteralVector literals = {0};
  GroundLiteralVector none = {0};
  TermVector columns = {0};
  add_fact(single, &literals);
  for (uint32_t i = 0; i < literals.count; i++)
    term_collect_variables(ground->terms, literals.data[i].atom, &columns);
  uint32_t relation = ground_add_relation(ground, HOLDS_DERIVED, columns.count);
  Term *own = ground_copy_terms(ground, columns.data, columns.count);
  for (uint32_t i = 0; i < columns.count && i < RELATION_KEYS; i++)
    if (term_vector_contains(&single->place, columns.data[i]))
      ground_relation(ground, relation)->place |= (ColumnSet)1 << i;
  vector_push(single->parts, flatten_rule(ground, HEAD_ROW, relation, own,
                                          columns.count, &literals, &none));
  vector_free(&literals);
  vector_free(&columns);
  return (GroundLiteral){
      .sign = POSITIVE, .relation = relation, .columns = own};
}

/* Adds the static literals that say how variables of the literal and of the
   fact go together. */
static void add_filters(const Single *single, const Literal *literal,
                        LiteralVector *literals) {
  const Ground *ground = single->ground;
  TermVector inside = {0};
  LiteralVector fact = {0};
  add_fact(single, &fact);
  term_collect_variables(ground->terms, literal->atom, &inside);
  for (uint32_t i = 0; i < fact.count; i++)
    term_collect_variables(ground->terms, fact.data[i].atom, &inside);
  for (uint32_t i = 0; i < single->body->count; i++) {
    const Literal *other = &single->body->data[i];
    TermVector own = {0};
    term_collect_variables(ground->terms, other->atom, &own);
    bool all = is_static(ground, other) && own.count > 1 &&
               !reads_any(single, other->atom, &single->keys);
    for (uint32_t v = 0; v < own.count && all; v++)
      all = term_vector_contains(&inside, own.data[v]);
    if (all) vector_push(literals, *other);
    vector_free(&own);
  }
  vector_free(&inside);
  vector_free(&fact);
}

/* Makes the rules of a new part. */
static void fill_part(Single *single, const Literal *literal,
                      const GroundPart *part, const TermVector *columns,
                      const TermVector *asked) {
  Ground *ground = single->ground;
  LiteralVector literals = {0};
  GroundLiteralVector others = {0};
  vector_push(&others, make_holder(single));
  if (part->guard)
    vector_push(&others,
                ((GroundLiteral){.sign = POSITIVE,
                                 .relation = part->guard,
                                 .columns = ground_copy_terms(
                                     ground, asked->data, asked->count)}));
  vector_push(&literals, ((Literal){.sign = POSITIVE, .atom = literal->atom}));
  add_filters(single, literal, &literals);
  if (is_wide_negation(ground, literal))
    inline_call(single, literal->atom, part->relation, columns, &others);
  else
    vector_push(single->parts,
                flatten_rule(ground, HEAD_ROW, part->relation, columns->data,
                             columns->count, &literals, &others));
  vector_free(&literals);
  vector_free(&others);
}

/* What a part is made of and asked, with variables named by their order. */
static GroundPart part_key(Single *single, const Literal *literal,
                           const TermVector *asked) {
  Ground *ground = single->ground;
  LiteralVector literals = {0};
  TermVector from = {0}, to = {0};
  vector_push(&literals, *literal);
  add_fact(single, &literals);
  if (!is_wide_negation(ground, literal))
    add_filters(single, literal, &literals);
  for (uint32_t i = 0; i < literals.count; i++)
    term_collect_variables(ground->terms, literals.data[i].atom, &from);
  for (uint32_t i = 0; i < from.count; i++) {
    Text name = {0};
    text_format(&name, "?%u", i);
    Symbol symbol =
        symbol_intern(&ground->terms->symbols, name.bytes, name.length);
    vector_push(&to, term_variable(ground->terms, symbol));
    text_free(&name);
  }
  for (uint32_t i = 0; i < asked->count; i++)
    vector_push(&literals, ((Literal){.atom = asked->data[i]}));
  GroundPart part = {
      .key = arena_new(&ground->arena, literals.count * sizeof(Term)),
      .count = literals.count,
      .negative = literal->sign == NEGATIVE};
  for (uint32_t i = 0; i < literals.count; i++)
    part.key[i] = term_substitute(ground->terms, literals.data[i].atom,
                                  from.data, to.data, from.count);
  vector_free(&literals);
  vector_free(&from);
  vector_free(&to);
  return part;
}

/* The part for the literal, and whether it is new. */
static GroundPart find_part(Single *single, const Literal *literal,
                            uint32_t columns, const TermVector *asked,
                            bool *new) {
  Ground *ground = single->ground;
  GroundPart own = part_key(single, literal, asked);
  *new = false;
  for (uint32_t i = 0; i < ground->parts.count; i++) {
    const GroundPart *part = &ground->parts.data[i];
    if (part->count == own.count && part->negative == own.negative &&
        memcmp(part->key, own.key, own.count * sizeof(Term)) == 0)
      return *part;
  }
  *new = true;
  own.relation = ground_add_relation(ground, HOLDS_DERIVED, columns);
  if (asked->count)
    own.guard = ground_add_relation(ground, HOLDS_GUARD, asked->count);
  vector_push(&ground->parts, own);
  return own;
}

/* The variables that other literals bind. */
static void collect_asked(const Single *single, const Literal *literal,
                          TermVector *asked) {
  TermVector own = {0}, none = {0};
  collect_columns(single, literal->atom, false, &own);
  for (uint32_t i = 0; i < own.count; i++) {
    TermVector one = {.data = &own.data[i], .count = 1};
    if (find_binder(single, &one, &none)) vector_push(asked, own.data[i]);
  }
  vector_free(&own);
}

/* Makes a predicate of the fact and the literal; returns the literal that calls
   it. */
static GroundLiteral make_part(Single *single, const Literal *literal) {
  Ground *ground = single->ground;
  TermVector columns = {0}, asked = {0};
  bool new;
  collect_columns(single, literal->atom, true, &columns);
  collect_asked(single, literal, &asked);
  GroundPart part = find_part(single, literal, columns.count, &asked, &new);
  if (new) fill_part(single, literal, &part, &columns, &asked);
  if (part.guard) add_guard_rule(single, part.guard, &asked);
  GroundLiteral call = {
      .sign = literal->sign,
      .relation = part.relation,
      .columns = ground_copy_terms(ground, columns.data, columns.count)};
  vector_free(&columns);
  vector_free(&asked);
  return call;
}

/* ---- the claim ---- */

/* The values of the keys, as rows of a guard. */
static uint32_t make_keys(Single *single) {
  Ground *ground = single->ground;
  LiteralVector literals = {0};
  GroundLiteralVector none = {0};
  add_fact(single, &literals);
  uint32_t relation =
      ground_add_relation(ground, HOLDS_GUARD, single->keys.count);
  vector_push(single->parts,
              flatten_rule(ground, HEAD_ROW, relation, single->keys.data,
                           single->keys.count, &literals, &none));
  vector_free(&literals);
  return relation;
}

static void add_claim(Single *single) {
  Ground *ground = single->ground;
  Term fact =
      term_argument(ground->terms, single->body->data[single->fact].atom, 0);
  GroundToken token = {.fact = fact,
                       .relation = ground_fluent_class(ground, fact),
                       .keys = make_keys(single),
                       .variables = ground_copy_terms(ground, single->keys.data,
                                                      single->keys.count)};
  vector_push(&ground->tokens, token);
}

/* Replaces the literals that read the place by calls of parts. */
static void take_apart(Single *single, GroundLiteralVector *calls) {
  LiteralVector *body = single->body;
  uint32_t kept = 0, positive = 0;
  for (uint32_t i = 0; i < body->count; i++) {
    if (i == single->fact ||
        !reads_any(single, body->data[i].atom, &single->place))
      continue;
    vector_push(calls, make_part(single, &body->data[i]));
    positive += body->data[i].sign == POSITIVE;
  }
  for (uint32_t i = 0; i < body->count; i++)
    if (i == single->fact
            ? !positive
            : !reads_any(single, body->data[i].atom, &single->place))
      body->data[kept++] = body->data[i];
  body->count = kept;
}

void single_body(Ground *ground, Term head, LiteralVector *body,
                 GroundLiteralVector *calls, RuleVector *parts) {
  Single single = {
      .ground = ground, .head = head, .body = body, .parts = parts};
  if (!ground->tight) return;
  if (find_fact(&single, true)) {
    add_claim(&single);
    take_apart(&single, calls);
  } else if (find_fact(&single, false)) {
    take_apart(&single, calls);
  }
  vector_free(&single.place);
  vector_free(&single.keys);
}

bool single_applies(Ground *ground) {
  const Rules *rules = &ground->description->rules;
  bool applies = false;
  for (uint32_t r = 0; r < rules->list.count && !applies; r++) {
    const Rule *rule = &rules->list.data[r];
    LiteralVector body = {0};
    for (uint32_t i = 0; i < rule->count; i++)
      vector_push(&body, rule_body(rules, rule)[i]);
    Single single = {.ground = ground, .head = rule->head, .body = &body};
    applies = find_fact(&single, true);
    vector_free(&single.place);
    vector_free(&single.keys);
    vector_free(&body);
  }
  return applies;
}
