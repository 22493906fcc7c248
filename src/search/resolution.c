/* Five properties of a state, each a level of the table: the number of legal
   moves, of facts, of relations that have facts, of facts in each relation, and
   a hash of each relation, equation 6: the sum over its facts of 2^i I(r_i), I
   being the code of 16 bits of the symbol in argument i. They are mixed into 64
   bits, which is where a table of tables would lead.

   The hash adds up arguments one by one, so that it does not see which symbols
   stand together: all positions of an eight-puzzle with as many legal moves
   have the same. */
#include "search/resolution.h"

#include "base/hash.h"

void resolution_init(Resolution *resolution, const Terms *terms,
                     const Net *net) {
  *resolution = (Resolution){0};
  facts_init(&resolution->facts, terms, net);
}

void resolution_free(Resolution *resolution) {
  facts_free(&resolution->facts);
  vector_free(&resolution->relations);
  vector_free(&resolution->numbers);
}

static uint64_t fact_hash(const Terms *terms, Term fact) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < term_arity(terms, fact); i++) {
    Term argument = term_argument(terms, fact, i);
    uint64_t code =
        term_arity(terms, argument) ? argument : term_symbol(terms, argument);
    hash += (code & 0xffff) << ((i + 1) & 31);
  }
  return hash;
}

/* Counts and hashes of all relations. */
static void add_up(Resolution *resolution) {
  const Facts *facts = &resolution->facts;
  uint32_t count = facts_relation_count(facts);
  vector_resize(&resolution->relations, count);
  for (uint32_t i = 0; i < count; i++)
    resolution->relations.data[i] = (ResolutionRelation){0};
  for (uint32_t i = 0; i < resolution->numbers.count; i++) {
    const Fact *fact = &facts->list.data[resolution->numbers.data[i]];
    ResolutionRelation *relation = &resolution->relations.data[fact->relation];
    relation->count++;
    relation->hash += fact_hash(facts->terms, fact->term);
  }
}

static uint64_t legal_moves(Game *game) {
  uint64_t count = 0;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *list;
    count += game_legal(game, role, &list);
  }
  return count;
}

uint64_t resolution_key(Resolution *resolution, Game *game) {
  const uint64_t *words;
  uint32_t count = game_state(game, &words);
  uint64_t key, filled = 0;
  facts_list(&resolution->facts, words, count, &resolution->numbers);
  add_up(resolution);
  key = hash_pair(legal_moves(game), resolution->numbers.count);
  for (uint32_t i = 0; i < resolution->relations.count; i++) {
    const ResolutionRelation *relation = &resolution->relations.data[i];
    if (!relation->count) continue; /* relations may come to be known later */
    filled++;
    key = hash_pair(key,
                    hash_pair(i, hash_pair(relation->count, relation->hash)));
  }
  return hash_pair(key, filled);
}
