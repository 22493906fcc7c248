/* Open addressing with linear probing; a slot of an older era counts as empty,
   so that forgetting needs no sweep. The first few answers of a call are
   compared one by one, later ones through an index over all answers. */
#include "rules/table.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 1024, COMPARED = 8 };

static void index_init(TableIndex *index) {
  index->slot_count = FIRST_SLOTS;
  index->slots = memory_new(FIRST_SLOTS * sizeof *index->slots);
  index->used = 0;
}

void table_init(Table *table) {
  *table = (Table){.era = 1};
  index_init(&table->by_key);
  index_init(&table->by_answer);
  vector_push(&table->pool, 0); /* 0 means none */
}

void table_free(Table *table) {
  vector_free(&table->calls);
  vector_free(&table->pool);
  memory_delete(table->by_key.slots);
  memory_delete(table->by_answer.slots);
}

void table_forget(Table *table) {
  vector_clear(&table->calls);
  table->pool.count = 1;
  table->by_key.used = table->by_answer.used = 0;
  if (++table->era == 0) { /* once in four thousand million states */
    memset(table->by_key.slots, 0,
           table->by_key.slot_count * sizeof(TableSlot));
    memset(table->by_answer.slots, 0,
           table->by_answer.slot_count * sizeof(TableSlot));
    table->era = 1;
  }
}

size_t table_memory(const Table *table) {
  return table->calls.capacity * sizeof(Call) +
         table->pool.capacity * sizeof(Term) +
         (table->by_key.slot_count + table->by_answer.slot_count) *
             sizeof(TableSlot);
}

static inline uint32_t hash_terms(uint32_t hash, const Term *list,
                                  uint32_t count) {
  for (uint32_t i = 0; i < count; i++) hash = (hash ^ list[i]) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

static inline uint32_t hash_call(const Procedure *procedure, const Term *keys) {
  return hash_terms(procedure->number * 0x85ebca6bu, keys,
                    procedure->columns.key_count);
}

static inline uint32_t hash_answer(uint32_t call, const Term *rest,
                                   uint32_t count) {
  return hash_terms(call * 0xc2b2ae35u + 1, rest, count);
}

static inline bool same(const Term *a, const Term *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static void place(TableIndex *index, uint32_t era, uint32_t hash,
                  uint32_t entry) {
  uint32_t mask = index->slot_count - 1, at = hash & mask;
  while (index->slots[at].era == era) at = (at + 1) & mask;
  index->slots[at] = (TableSlot){era, entry};
  index->used++;
}

static void double_slots(TableIndex *index) {
  memory_delete(index->slots);
  index->slot_count *= 2;
  index->slots = memory_new(index->slot_count * sizeof *index->slots);
  index->used = 0;
}

static void grow_keys(Table *table) {
  double_slots(&table->by_key);
  for (uint32_t i = 0; i < table->calls.count; i++) {
    const Call *call = &table->calls.data[i];
    place(&table->by_key, table->era,
          hash_call(call->procedure, table->pool.data + call->keys), i);
  }
}

uint32_t table_call(Table *table, const Procedure *procedure,
                    const Term *keys) {
  TableIndex *index = &table->by_key;
  uint32_t count = procedure->columns.key_count;
  uint32_t mask = index->slot_count - 1;
  uint32_t at = hash_call(procedure, keys) & mask;
  for (; index->slots[at].era == table->era; at = (at + 1) & mask) {
    const Call *call = &table->calls.data[index->slots[at].entry];
    if (call->procedure == procedure &&
        same(table->pool.data + call->keys, keys, count))
      return index->slots[at].entry;
  }
  uint32_t number = table->calls.count;
  index->slots[at] = (TableSlot){table->era, number};
  index->used++;
  vector_push(&table->calls,
              ((Call){.procedure = procedure, .keys = table->pool.count}));
  for (uint32_t i = 0; i < count; i++) vector_push(&table->pool, keys[i]);
  if (index->used * 2 > index->slot_count) grow_keys(table);
  return number;
}

/* Before an answer stands the number of the call it belongs to. */
static uint32_t owner(const Table *table, uint32_t answer) {
  return table->pool.data[answer - 1];
}

static void index_answers(Table *table, uint32_t number) {
  const Call *call = &table->calls.data[number];
  uint32_t width = call->procedure->columns.rest_count;
  for (uint32_t a = call->first; a; a = table_next(table, a))
    place(&table->by_answer, table->era,
          hash_answer(number, table_terms(table, a), width), a);
}

static void grow_answers(Table *table) {
  double_slots(&table->by_answer);
  for (uint32_t i = 0; i < table->calls.count; i++)
    if (table->calls.data[i].count >= COMPARED) index_answers(table, i);
}

static bool known(const Table *table, uint32_t number, const Term *rest) {
  const Call *call = &table->calls.data[number];
  uint32_t width = call->procedure->columns.rest_count;
  if (call->count < COMPARED) {
    for (uint32_t a = call->first; a; a = table_next(table, a))
      if (same(table_terms(table, a), rest, width)) return true;
    return false;
  }
  const TableIndex *index = &table->by_answer;
  uint32_t mask = index->slot_count - 1;
  uint32_t at = hash_answer(number, rest, width) & mask;
  for (; index->slots[at].era == table->era; at = (at + 1) & mask) {
    uint32_t answer = index->slots[at].entry;
    if (owner(table, answer) == number &&
        same(table_terms(table, answer), rest, width))
      return true;
  }
  return false;
}

bool table_answer(Table *table, uint32_t number, const Term *rest) {
  uint32_t width = table->calls.data[number].procedure->columns.rest_count;
  if (known(table, number, rest)) return false;
  vector_push(&table->pool, number);
  uint32_t answer = table->pool.count;
  vector_push(&table->pool, 0);
  for (uint32_t i = 0; i < width; i++) vector_push(&table->pool, rest[i]);
  Call *call = &table->calls.data[number];
  if (call->last)
    table->pool.data[call->last] = answer;
  else
    call->first = answer;
  call->last = answer;
  call->count++;
  if (call->count == COMPARED)
    index_answers(table, number);
  else if (call->count > COMPARED)
    place(&table->by_answer, table->era, hash_answer(number, rest, width),
          answer);
  if (table->by_answer.used * 2 > table->by_answer.slot_count)
    grow_answers(table);
  return true;
}
