#include "search/score.h"

/* ---- what goals read ---- */

static bool same_predicate(const Terms *terms, Term a, Term b) {
  return term_symbol(terms, a) == term_symbol(terms, b) &&
         term_arity(terms, a) == term_arity(terms, b);
}

/* Returns true if facts like this may be scores. */
static bool may_score(const Rules *rules, Term fact) {
  uint32_t arity = term_arity(&rules->terms, fact);
  return rules->roles.count == 1 ? arity == 1 || arity == 2 : arity == 2;
}

static void add_predicate(const Terms *terms, TermVector *list, Term atom) {
  for (uint32_t i = 0; i < list->count; i++)
    if (same_predicate(terms, list->data[i], atom)) return;
  vector_push(list, atom);
}

/* Collects facts from the bodies of the rules for a predicate, and the
   predicates that they call. */
static void follow(Score *score, Term predicate, TermVector *called) {
  const Rules *rules = score->rules;
  const Terms *terms = &rules->terms;
  for (uint32_t i = 0; i < rules->list.count; i++) {
    const Rule *rule = &rules->list.data[i];
    if (!same_predicate(terms, rule->head, predicate)) continue;
    for (uint32_t j = 0; j < rule->count; j++) {
      const Literal *literal = &rule_body(rules, rule)[j];
      if (literal->sign == UNEQUAL) continue;
      if (term_symbol(terms, literal->atom) != SYMBOL_TRUE) {
        add_predicate(terms, called, literal->atom);
        continue;
      }
      Term fact = term_argument(terms, literal->atom, 0);
      if (!term_is_variable(terms, fact) && may_score(rules, fact))
        add_predicate(terms, &score->atoms, fact);
    }
  }
}

static void find_atoms(Score *score) {
  TermVector called = {0};
  const Rules *rules = score->rules;
  for (uint32_t i = 0; i < rules->list.count; i++)
    if (term_symbol(&rules->terms, rules->list.data[i].head) == SYMBOL_GOAL)
      add_predicate(&rules->terms, &called, rules->list.data[i].head);
  for (uint32_t i = 0; i < called.count; i++)
    follow(score, called.data[i], &called);
  vector_free(&called);
}

/* ---- facts ---- */

static uint32_t role_number(const Rules *rules, Term term) {
  for (uint32_t role = 0; role < rules->roles.count; role++)
    if (rules->roles.data[role] == term) return role;
  return UINT32_MAX;
}

static ScoreFact look_at(const Score *score, Term fact) {
  const Terms *terms = &score->rules->terms;
  ScoreFact result = {.known = true, .role = UINT32_MAX};
  uint32_t i = 0, arity = term_arity(terms, fact);
  while (i < score->atoms.count &&
         !same_predicate(terms, score->atoms.data[i], fact))
    i++;
  if (i == score->atoms.count) return result;
  int64_t points = term_number(terms, term_argument(terms, fact, arity - 1));
  uint32_t role =
      arity == 1 ? 0 : role_number(score->rules, term_argument(terms, fact, 0));
  if (points < 0 || role == UINT32_MAX) return result;
  result.role = role;
  result.points = (double)points;
  return result;
}

static const ScoreFact *fact_of(Score *score, uint32_t number) {
  while (score->list.count <= number)
    vector_push(&score->list, (ScoreFact){.known = false});
  ScoreFact *fact = &score->list.data[number];
  if (!fact->known)
    *fact = look_at(score, score->facts->list.data[number].term);
  return fact;
}

/* Returns true if a fact that is known so far is a score; without a net facts
   become known only in play. */
static bool has_scores(Score *score) {
  if (!score->facts->net) return score->atoms.count;
  for (uint32_t i = 0; i < score->facts->list.count; i++)
    if (fact_of(score, i)->role != UINT32_MAX) return true;
  return false;
}

bool score_init(Score *score, const Rules *rules, Facts *facts) {
  *score = (Score){.rules = rules, .facts = facts};
  find_atoms(score);
  if (has_scores(score)) return true;
  score_free(score);
  return false;
}

void score_free(Score *score) {
  vector_free(&score->atoms);
  vector_free(&score->list);
  vector_free(&score->numbers);
}

double score_value(Score *score, const uint64_t *words, uint32_t count,
                   uint32_t role) {
  double points = 0;
  facts_list(score->facts, words, count, &score->numbers);
  for (uint32_t i = 0; i < score->numbers.count; i++) {
    const ScoreFact *fact = fact_of(score, score->numbers.data[i]);
    if (fact->role == role) points += fact->points;
  }
  return points;
}
