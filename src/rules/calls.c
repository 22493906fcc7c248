/* The first few answers of a call are compared one by one, later ones found
   through an index over the answers of all calls. */
#include "rules/calls.h"

#include "base/hash.h"

enum { COMPARED = 8 };

void calls_init(CallTable *table) {
  *table = (CallTable){0};
  vector_push(&table->pool, 0); /* 0 means none */
}

void calls_free(CallTable *table) {
  vector_free(&table->calls);
  vector_free(&table->pool);
  map_free(&table->by_key);
  map_free(&table->by_answer);
}

void calls_forget(CallTable *table) {
  vector_clear(&table->calls);
  table->pool.count = 1;
  map_clear(&table->by_key);
  map_clear(&table->by_answer);
}

size_t calls_memory(const CallTable *table) {
  return table->calls.capacity * sizeof(Call) +
         table->pool.capacity * sizeof(Term) + map_bytes(&table->by_key) +
         map_bytes(&table->by_answer);
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

uint32_t calls_call(CallTable *table, const Procedure *procedure,
                    const Term *keys) {
  uint32_t count = procedure->columns.key_count;
  uint32_t hash = hash_call(procedure, keys);
  MapCursor at;
  for (uint32_t e = map_first(&table->by_key, hash, &at); e;
       e = map_next(&table->by_key, &at)) {
    const Call *call = &table->calls.data[e - 1];
    if (call->procedure == procedure &&
        same(table->pool.data + call->keys, keys, count))
      return e - 1;
  }
  uint32_t number = table->calls.count;
  map_insert(&table->by_key, &at, number + 1);
  vector_push(&table->calls,
              ((Call){.procedure = procedure, .keys = table->pool.count}));
  for (uint32_t i = 0; i < count; i++) vector_push(&table->pool, keys[i]);
  return number;
}

/* In front of an answer stands the number of its call. */
static uint32_t call_of(const CallTable *table, uint32_t answer) {
  return table->pool.data[answer - 1];
}

static void index_answers(CallTable *table, uint32_t number) {
  const Call *call = &table->calls.data[number];
  uint32_t width = call->procedure->columns.rest_count;
  for (uint32_t a = call->first; a; a = calls_next(table, a))
    map_add(&table->by_answer,
            hash_answer(number, calls_terms(table, a), width), a);
}

static bool known(const CallTable *table, uint32_t number, const Term *rest) {
  const Call *call = &table->calls.data[number];
  uint32_t width = call->procedure->columns.rest_count;
  if (call->count < COMPARED) {
    for (uint32_t a = call->first; a; a = calls_next(table, a))
      if (same(calls_terms(table, a), rest, width)) return true;
    return false;
  }
  MapCursor at;
  uint32_t hash = hash_answer(number, rest, width);
  for (uint32_t a = map_first(&table->by_answer, hash, &at); a;
       a = map_next(&table->by_answer, &at))
    if (call_of(table, a) == number && same(calls_terms(table, a), rest, width))
      return true;
  return false;
}

bool calls_answer(CallTable *table, uint32_t number, const Term *rest) {
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
    map_add(&table->by_answer, hash_answer(number, rest, width), answer);
  return true;
}
