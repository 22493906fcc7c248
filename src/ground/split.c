/* Variable elimination: a variable that the head does not need is projected out
   with all literals that have it (its bucket), through an auxiliary predicate
   over what the bucket shares with the rest. Each step takes the variable whose
   auxiliary predicate has the fewest columns, preferably none of the head's,
   and is made only if it leaves out a variable of the rest, which the bucket's
   instances are then not multiplied by. A shared variable that no positive
   literal of the bucket binds is bound by a guard: the projection of a positive
   literal of the rest, which counts as true because the rest implies it. */
#include "ground/split.h"

#include "ground/instances.h"

enum { WIDE_PART = 5, TIGHT_PART = 3 };

/* A rule while it is taken apart. */
typedef struct Splitter {
  Ground *ground;
  GroundRule *rule; /* the plain one */
  VECTOR(GroundLiteral) body;
  TermVector head; /* variables */
  uint32_t component;
  RuleVector *before, *own;

} Splitter;

static GroundRelation *relation_of(const Splitter *splitter, uint32_t number) {
  return splitter->ground->relations.data[number];
}

static void collect(const Splitter *splitter, const GroundLiteral *literal,
                    TermVector *variables) {
  for (uint32_t i = 0; i < ground_columns(splitter->ground, literal); i++)
    term_collect_variables(splitter->ground->terms, literal->columns[i],
                           variables);
}

static bool has(const Splitter *splitter, const GroundLiteral *literal,
                Term variable) {
  for (uint32_t i = 0; i < ground_columns(splitter->ground, literal); i++)
    if (term_contains(splitter->ground->terms, literal->columns[i], variable))
      return true;
  return false;
}

/* What eliminating a variable would do. */
typedef struct Elimination {
  TermVector scope;   /* shared with the head or the rest */
  TermVector inside;  /* all variables of the bucket */
  TermVector unbound; /* of the scope, bound by no positive literal of it */
  TermVector loose;   /* of the scope, bound by static literals of it only */
  uint32_t positive, dynamic, widest;
  bool of_head;    /* the scope has a variable of the head */
  bool multiplies; /* the rest or the head has a variable that it lacks */
} Elimination;

static void elimination_free(Elimination *elimination) {
  vector_free(&elimination->scope);
  vector_free(&elimination->inside);
  vector_free(&elimination->unbound);
  vector_free(&elimination->loose);
}

static void study(const Splitter *splitter, Term variable,
                  Elimination *elimination) {
  TermVector outside = {0}, bound = {0}, growing = {0};
  *elimination = (Elimination){0};
  for (uint32_t i = 0; i < splitter->head.count; i++)
    vector_push(&outside, splitter->head.data[i]);
  for (uint32_t i = 0; i < splitter->body.count; i++) {
    const GroundLiteral *literal = &splitter->body.data[i];
    if (!has(splitter, literal, variable)) {
      collect(splitter, literal, &outside);
      continue;
    }
    collect(splitter, literal, &elimination->inside);
    if (literal->sign == UNEQUAL) continue;
    bool always =
        relation_of(splitter, literal->relation)->kind == HOLDS_ALWAYS;
    elimination->dynamic += !always;
    if (literal->sign != POSITIVE) continue;
    elimination->positive++;
    collect(splitter, literal, &bound);
    if (!always) collect(splitter, literal, &growing);
    TermVector own = {0};
    collect(splitter, literal, &own);
    if (own.count > elimination->widest) elimination->widest = own.count;
    vector_free(&own);
  }
  for (uint32_t i = 0; i < outside.count; i++) {
    if (!term_vector_contains(&elimination->inside, outside.data[i])) {
      elimination->multiplies = true;
      continue;
    }
    vector_push(&elimination->scope, outside.data[i]);
    elimination->of_head |=
        term_vector_contains(&splitter->head, outside.data[i]);
    if (!term_vector_contains(&bound, outside.data[i]))
      vector_push(&elimination->unbound, outside.data[i]);
    else if (!term_vector_contains(&growing, outside.data[i]))
      vector_push(&elimination->loose, outside.data[i]);
  }
  vector_free(&growing);
  vector_free(&outside);
  vector_free(&bound);
}

/* A positive literal outside the bucket that has the variable, or NULL:
   preferably static, or only one that grows if `growing`. */
static const GroundLiteral *find_binder(const Splitter *splitter, Term bucket,
                                        Term variable, bool growing) {
  const GroundLiteral *best = NULL;
  for (uint32_t i = 0; i < splitter->body.count; i++) {
    const GroundLiteral *literal = &splitter->body.data[i];
    if (literal->sign != POSITIVE || has(splitter, literal, bucket) ||
        !has(splitter, literal, variable))
      continue;
    bool always =
        relation_of(splitter, literal->relation)->kind == HOLDS_ALWAYS;
    if (growing ? !always && !best : always || !best) best = literal;
  }
  return best;
}

static bool worthwhile(const Splitter *splitter, Term variable,
                       const Elimination *elimination) {
  if (!elimination->multiplies || !elimination->positive ||
      elimination->scope.count > RELATION_KEYS)
    return false;
  /* static joins are not materialised unless they are no wider than a literal
   */
  if (!elimination->dynamic &&
      (elimination->scope.count > elimination->widest ||
       elimination->unbound.count))
    return false;
  for (uint32_t i = 0; i < elimination->unbound.count; i++)
    if (!find_binder(splitter, variable, elimination->unbound.data[i], false))
      return false;
  return true;
}

/* ---- parts ---- */

static Term *copy_variables(const Splitter *splitter,
                            const TermVector *variables) {
  Term *copy = arena_new(&splitter->ground->arena,
                         (variables->count + 1) * sizeof *copy);
  for (uint32_t i = 0; i < variables->count; i++) copy[i] = variables->data[i];
  return copy;
}

static bool is_recursive(const Splitter *splitter, const GroundLiteral *body,
                         uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (body[i].sign == UNEQUAL) continue;
    if (body[i].legality ? splitter->rule->kind == HEAD_LEGAL
                         : relation_of(splitter, body[i].relation)->component ==
                               splitter->component)
      return true;
  }
  return false;
}

/* Makes a predicate with one rule; returns the literal that calls it. */
static GroundLiteral make_part(Splitter *splitter, HoldsKind kind,
                               const TermVector *variables, GroundLiteral *body,
                               uint32_t count) {
  Ground *ground = splitter->ground;
  uint32_t relation = ground_add_relation(ground, kind, variables->count);
  Term *head = copy_variables(splitter, variables);
  GroundRule *part = ground_make_rule(ground, HEAD_ROW, relation, head,
                                      variables->count, body, count);
  part->owner = splitter->rule;
  for (uint32_t i = 0; i < count && kind == HOLDS_ALWAYS; i++)
    relation_of(splitter, relation)->late |=
        body[i].sign != UNEQUAL &&
        relation_of(splitter, body[i].relation)->late;
  bool recursive = kind != HOLDS_GUARD && is_recursive(splitter, body, count);
  if (recursive)
    relation_of(splitter, relation)->component = splitter->component;
  RuleVector *to = recursive ? splitter->own : splitter->before;
  if (splitter->ground->tight && kind == HOLDS_DERIVED)
    split_rule(ground, part, to, to);
  else
    vector_push(to, part);
  return (GroundLiteral){
      .sign = POSITIVE, .relation = relation, .columns = head};
}

/* The projection of a literal to those of its variables that are wanted. */
static GroundLiteral make_guard(Splitter *splitter, const GroundLiteral *binder,
                                const TermVector *wanted) {
  TermVector own = {0}, kept = {0};
  collect(splitter, binder, &own);
  for (uint32_t i = 0; i < own.count; i++)
    if (term_vector_contains(wanted, own.data[i]))
      vector_push(&kept, own.data[i]);
  HoldsKind kind = relation_of(splitter, binder->relation)->kind == HOLDS_ALWAYS
                       ? HOLDS_ALWAYS
                       : HOLDS_GUARD;
  GroundLiteral *body = arena_new(&splitter->ground->arena, sizeof *body);
  *body = *binder;
  GroundLiteral guard = make_part(splitter, kind, &kept, body, 1);
  vector_free(&own);
  vector_free(&kept);
  return guard;
}

/* Guards for the variables that are not bound in the bucket, and in wide parts
   for those that only static literals bind there while a fact or a move of the
   rest does: on a board of 8 places with numbers up to 50, a pair of directions
   would otherwise be found for all 50 (mummymaze1p: 1.6 million rows of a part
   become 77,000). In games with wide calls (ground/single.c) a guard also says
   how these variables and the others of the part go together, such as the two
   ends of a move. */
static uint32_t add_guards(Splitter *splitter, Term variable,
                           const Elimination *elimination,
                           GroundLiteral *body) {
  uint32_t count = 0;
  TermVector bound = {0};
  bool tight = splitter->ground->tight;
  for (uint32_t i = 0; i < elimination->unbound.count; i++) {
    Term unbound = elimination->unbound.data[i];
    if (term_vector_contains(&bound, unbound)) continue;
    const GroundLiteral *binder =
        find_binder(splitter, variable, unbound, false);
    body[count] = make_guard(
        splitter, binder, tight ? &elimination->scope : &elimination->unbound);
    collect(splitter, &body[count++], &bound);
  }
  bool wide = elimination->dynamic &&
              elimination->scope.count >= (tight ? TIGHT_PART : WIDE_PART);
  for (uint32_t i = 0; i < elimination->loose.count && wide; i++) {
    Term loose = elimination->loose.data[i];
    const GroundLiteral *binder = find_binder(splitter, variable, loose, true);
    if (!binder || term_vector_contains(&bound, loose)) continue;
    body[count] = make_guard(splitter, binder, &elimination->loose);
    collect(splitter, &body[count++], &bound);
  }
  vector_free(&bound);
  return count;
}

/* Does a static literal of the rest say how variables of the bucket go
   together? */
static bool filters(const Splitter *splitter, const GroundLiteral *literal,
                    const Elimination *elimination) {
  if (literal->sign != POSITIVE ||
      relation_of(splitter, literal->relation)->kind != HOLDS_ALWAYS)
    return false;
  TermVector own = {0};
  collect(splitter, literal, &own);
  bool all = own.count > 1;
  for (uint32_t i = 0; i < own.count && all; i++)
    all = term_vector_contains(&elimination->inside, own.data[i]);
  vector_free(&own);
  return all;
}

/* Replaces the variable's bucket by a call of a new predicate. */
static void eliminate(Splitter *splitter, Term variable,
                      const Elimination *elimination) {
  uint32_t most = splitter->body.count + elimination->unbound.count +
                  elimination->loose.count;
  GroundLiteral *body =
      arena_new(&splitter->ground->arena, (most + 1) * sizeof *body);
  uint32_t count = add_guards(splitter, variable, elimination, body), kept = 0;
  for (uint32_t i = 0; i < splitter->body.count; i++) {
    GroundLiteral literal = splitter->body.data[i];
    if (has(splitter, &literal, variable))
      body[count++] = literal;
    else
      splitter->body.data[kept++] = literal;
  }
  splitter->body.count = kept;
  for (uint32_t i = 0; i < kept && splitter->ground->tight; i++)
    if (filters(splitter, &splitter->body.data[i], elimination))
      body[count++] = splitter->body.data[i];
  HoldsKind kind = elimination->dynamic ? HOLDS_DERIVED : HOLDS_ALWAYS;
  GroundLiteral call =
      make_part(splitter, kind, &elimination->scope, body, count);
  vector_push(&splitter->body, call);
}

/* Is the variable the place of something that is in one place at a time? */
static bool is_place(const Splitter *splitter, Term variable) {
  for (uint32_t i = 0; i < splitter->body.count; i++) {
    const GroundLiteral *literal = &splitter->body.data[i];
    if (literal->sign != POSITIVE) continue;
    for (ColumnSet rest = relation_of(splitter, literal->relation)->place; rest;
         rest &= rest - 1)
      if (literal->columns[__builtin_ctzll(rest)] == variable) return true;
  }
  return false;
}

/* A part that has nothing in common with the head is the same for all of its
   instances: hex shrinks from 132,829 edges to 103,548. */
static bool is_narrower(const Elimination *a, const Elimination *b) {
  return a->scope.count != b->scope.count ? a->scope.count < b->scope.count
                                          : a->of_head < b->of_head;
}

/* Eliminates the variable with the narrowest scope, places first; returns false
   if none is worth it. */
static bool eliminate_best(Splitter *splitter) {
  TermVector variables = {0};
  Term best = 0;
  bool best_place = false;
  Elimination chosen = {0};
  for (uint32_t i = 0; i < splitter->body.count; i++)
    collect(splitter, &splitter->body.data[i], &variables);
  for (uint32_t i = 0; i < variables.count; i++) {
    Elimination own;
    if (term_vector_contains(&splitter->head, variables.data[i])) continue;
    bool place = is_place(splitter, variables.data[i]);
    study(splitter, variables.data[i], &own);
    if (worthwhile(splitter, variables.data[i], &own) &&
        (!best || place > best_place ||
         (place == best_place && is_narrower(&own, &chosen)))) {
      elimination_free(&chosen);
      chosen = own;
      best = variables.data[i];
      best_place = place;
    } else {
      elimination_free(&own);
    }
  }
  if (best) eliminate(splitter, best, &chosen);
  elimination_free(&chosen);
  vector_free(&variables);
  return best != 0;
}

void split_rule(Ground *ground, GroundRule *rule, RuleVector *before,
                RuleVector *own) {
  Splitter splitter = {.ground = ground,
                       .rule = rule,
                       .component = ground_component(ground, rule),
                       .before = before,
                       .own = own};
  for (uint32_t i = 0; i < rule->head_count; i++)
    term_collect_variables(ground->terms, rule->head[i], &splitter.head);
  for (uint32_t i = 0; i < rule->count; i++)
    vector_push(&splitter.body, rule->body[i]);
  bool split = false;
  if (rule->count > 1 && rule->count <= 64)
    while (eliminate_best(&splitter)) split = true;
  if (split) {
    GroundLiteral *body =
        arena_new(&ground->arena, (splitter.body.count + 1) * sizeof *body);
    memcpy(body, splitter.body.data, splitter.body.count * sizeof *body);
    GroundRule *rest =
        ground_make_rule(ground, rule->kind, rule->relation, rule->head,
                         rule->head_count, body, splitter.body.count);
    rest->plain = rule;
    rest->owner = rule->owner;
    vector_push(own, rest);
  } else {
    vector_push(own, rule);
  }
  vector_free(&splitter.body);
  vector_free(&splitter.head);
}

/* ---- choice ---- */

static double estimate(const Ground *ground, const GroundRule *rule) {
  Join *join = instances_join(ground, rule, JOIN_NO_FIRST);
  double result = join_estimate(join);
  join_delete(join);
  return result;
}

void split_choose(Ground *ground) {
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    GroundRule *rule = ground->rules.data[r];
    bool counts = rule->kind != HEAD_ROW ||
                  ground->relations.data[rule->relation]->kind == HOLDS_DERIVED;
    if (rule->owner && counts)
      rule->owner->parts_cost += estimate(ground, rule);
    if (!rule->plain) continue;
    double split = rule->plain->parts_cost + estimate(ground, rule);
    rule->plain->use_plain = estimate(ground, rule->plain) <= split;
  }
}
