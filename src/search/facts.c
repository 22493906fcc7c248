#include "search/facts.h"

#include "base/bits.h"
#include "base/hash.h"

/* Returns the number of a mark, which is added if it is new. */
static uint32_t mark_number(Facts *facts, const FactsMark *kind) {
  uint64_t hash = hash_pair(hash_pair(kind->relation, kind->arity),
                            hash_pair(kind->place, kind->symbol));
  MapCursor at = {0};
  for (uint32_t e = map_first(&facts->kinds_map, hash, &at); e;
       e = map_next(&facts->kinds_map, &at)) {
    const FactsMark *known = &facts->kinds.data[e - 1];
    if (known->relation == kind->relation && known->arity == kind->arity &&
        known->place == kind->place && known->symbol == kind->symbol)
      return e - 1;
  }
  vector_push(&facts->kinds, *kind);
  map_add(&facts->kinds_map, hash, facts->kinds.count);
  vector_push(&facts->relation_of, facts->relations.count);
  if (!kind->place) vector_push(&facts->relations, facts->kinds.count - 1);
  return facts->kinds.count - 1;
}

static void add_fact(Facts *facts, Term term) {
  Fact fact = {.term = term, .first = facts->marks.count};
  FactsMark kind = {.relation = term_symbol(facts->terms, term),
                    .arity = term_arity(facts->terms, term)};
  uint32_t relation = mark_number(facts, &kind);
  fact.relation = facts->relation_of.data[relation];
  vector_push(&facts->marks, relation);
  for (uint32_t i = 0; i < kind.arity; i++) {
    kind.place = i + 1;
    kind.symbol = term_argument(facts->terms, term, i);
    uint32_t mark = mark_number(facts, &kind);
    vector_push(&facts->marks, mark);
  }
  fact.count = facts->marks.count - fact.first;
  vector_push(&facts->list, fact);
}

/* Returns the number of a fact of the rules engine. */
static uint32_t term_number_of(Facts *facts, Term term) {
  uint64_t hash = hash_mix(term);
  MapCursor at = {0};
  for (uint32_t e = map_first(&facts->terms_map, hash, &at); e;
       e = map_next(&facts->terms_map, &at))
    if (facts->list.data[e - 1].term == term) return e - 1;
  add_fact(facts, term);
  map_add(&facts->terms_map, hash, facts->list.count);
  return facts->list.count - 1;
}

void facts_init(Facts *facts, const Terms *terms, const Net *net) {
  *facts = (Facts){.terms = terms, .net = net};
  for (uint32_t i = 0; net && i < net->fluents.count; i++)
    add_fact(facts, net->fluents.data[i].term);
}

void facts_free(Facts *facts) {
  vector_free(&facts->list);
  vector_free(&facts->kinds);
  vector_free(&facts->marks);
  vector_free(&facts->relations);
  vector_free(&facts->relation_of);
  map_free(&facts->terms_map);
  map_free(&facts->kinds_map);
}

void facts_list(Facts *facts, const uint64_t *words, uint32_t count,
                NumberVector *numbers) {
  vector_clear(numbers);
  for (uint32_t w = 0; w < count; w++) {
    if (!facts->net) {
      uint32_t number = term_number_of(facts, (Term)words[w]);
      vector_push(numbers, number);
      continue;
    }
    for (uint64_t bits = words[w]; bits;) {
      uint32_t bit = bits_take(&bits);
      vector_push(numbers, w * 64 + bit);
    }
  }
}
