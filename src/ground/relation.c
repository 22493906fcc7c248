/* Rows in one flat array. An index is a table of chains: slots[hash] is the
   newest row of a chain, next[row] the one before it. It is updated when it is
   queried, so rows may be added at any time. Chains give the newest row first,
   which joins rely on, and their lengths count as work: that is why this is not
   a base/map. */
#include "ground/relation.h"

#include "base/hash.h"

void relation_free(Relation *relation) {
  for (uint32_t i = 0; i < relation->indexes.count; i++) {
    memory_delete(relation->indexes.data[i].slots);
    vector_free(&relation->indexes.data[i].next);
  }
  vector_free(&relation->indexes);
  vector_free(&relation->cells);
}

void relation_clear(Relation *relation) {
  relation->count = 0;
  vector_clear(&relation->cells);
  for (uint32_t i = 0; i < relation->indexes.count; i++) {
    RelationIndex *index = &relation->indexes.data[i];
    if (index->indexed)
      memset(index->slots, 0, index->slot_count * sizeof *index->slots);
    index->indexed = index->counted = 0;
  }
}

void relation_add(Relation *relation, const Term *row) {
  if (!relation->cells.data) vector_grow(&relation->cells, 1); /* arity 0 */
  for (uint32_t i = 0; i < relation->arity; i++)
    vector_push(&relation->cells, row[i]);
  relation->count++;
}

uint32_t relation_index(Relation *relation, ColumnSet columns) {
  for (uint32_t i = 0; i < relation->indexes.count; i++)
    if (relation->indexes.data[i].columns == columns) return i;
  vector_push(&relation->indexes, ((RelationIndex){.columns = columns}));
  return relation->indexes.count - 1;
}

static inline uint32_t hash_step(uint32_t hash, Term term) {
  return (hash ^ term) * 0x9e3779b1u;
}

static inline uint32_t hash_end(uint32_t hash) {
  return hash ^ hash >> 15;
}

static uint32_t hash_row(const Relation *relation, ColumnSet columns,
                         uint32_t row) {
  const Term *cells = relation_row(relation, row);
  uint32_t hash = 0;
  for (ColumnSet rest = columns; rest; rest &= rest - 1)
    hash = hash_step(hash, cells[__builtin_ctzll(rest)]);
  return hash_end(hash);
}

static void insert(const Relation *relation, RelationIndex *index,
                   uint32_t row) {
  uint32_t at =
      hash_row(relation, index->columns, row) & (index->slot_count - 1);
  index->next.data[row] = index->slots[at];
  index->slots[at] = row + 1;
}

static void update(const Relation *relation, RelationIndex *index) {
  vector_resize(&index->next, relation->count);
  if (index->slot_count < relation->count) {
    uint32_t slot_count = index->slot_count ? index->slot_count : 16;
    while (slot_count < relation->count * 2) slot_count *= 2;
    memory_delete(index->slots);
    index->slots = memory_new(slot_count * sizeof *index->slots);
    index->slot_count = slot_count;
    index->indexed = 0;
  }
  while (index->indexed < relation->count)
    insert(relation, index, index->indexed++);
}

uint32_t relation_first(Relation *relation, uint32_t number, const Term *key) {
  RelationIndex *index = &relation->indexes.data[number];
  if (index->indexed < relation->count) update(relation, index);
  if (!index->slot_count) return RELATION_END;
  uint32_t hash = 0;
  for (ColumnSet rest = index->columns; rest; rest &= rest - 1)
    hash = hash_step(hash, *key++);
  return index->slots[hash_end(hash) & (index->slot_count - 1)] - 1;
}

static bool same_key(const Relation *relation, ColumnSet columns, uint32_t a,
                     uint32_t b) {
  const Term *row_a = relation_row(relation, a);
  const Term *row_b = relation_row(relation, b);
  for (ColumnSet rest = columns; rest; rest &= rest - 1) {
    int column = __builtin_ctzll(rest);
    if (row_a[column] != row_b[column]) return false;
  }
  return true;
}

uint32_t relation_distinct(Relation *relation, ColumnSet columns) {
  if (!columns) return relation->count ? 1 : 0;
  uint32_t number = relation_index(relation, columns);
  RelationIndex *index = &relation->indexes.data[number];
  if (index->indexed < relation->count) update(relation, index);
  if (index->counted == relation->count) return index->distinct;
  uint32_t distinct = 0;
  for (uint32_t row = 0; row < relation->count; row++) {
    uint32_t older = index->next.data[row];
    while (older && !same_key(relation, columns, row, older - 1))
      older = index->next.data[older - 1];
    distinct += !older;
  }
  index->distinct = distinct;
  index->counted = relation->count;
  return distinct;
}

static ColumnSet all_columns(const Relation *relation) {
  return relation->arity >= RELATION_KEYS
             ? ~(ColumnSet)0
             : ((ColumnSet)1 << relation->arity) - 1;
}

uint32_t relation_find(Relation *relation, const Term *row) {
  if (!relation->arity) return relation->count ? 0 : RELATION_END;
  uint32_t index = relation_index(relation, all_columns(relation));
  uint32_t at = relation_first(relation, index, row);
  for (; at != RELATION_END; at = relation_next(relation, index, at))
    if (memcmp(relation_row(relation, at), row,
               relation->arity * sizeof *row) == 0)
      break;
  return at;
}

bool relation_insert(Relation *relation, const Term *row, uint32_t *number) {
  *number = relation_find(relation, row);
  if (*number != RELATION_END) return false;
  *number = relation->count;
  relation_add(relation, row);
  return true;
}

size_t relation_bytes(const Relation *relation) {
  size_t bytes = relation->cells.capacity * sizeof(Term);
  for (uint32_t i = 0; i < relation->indexes.count; i++) {
    const RelationIndex *index = &relation->indexes.data[i];
    bytes += (index->slot_count + index->next.capacity) * sizeof(uint32_t);
  }
  return bytes;
}
