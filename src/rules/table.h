/* Calls of procedures and their answers, remembered for one lifetime: for ever,
   for a state, or for a state and its moves. Forgetting all is one addition. */
#ifndef TAFL_RULES_TABLE_H
#define TAFL_RULES_TABLE_H

#include "base/map.h"
#include "rules/plan.h"

typedef enum {
  CALL_NEW,         /* nothing known */
  CALL_ACTIVE,      /* being evaluated */
  CALL_PROVISIONAL, /* evaluated, but waits for an active call */
  CALL_COMPLETE
} CallStatus;

/* A procedure asked with certain keys. Its answers are a list in the pool, each
   the number of the next answer and one term for each column of the rest. A
   procedure without a rest has at most one answer, kept as a count only. */
typedef struct Call {
  const Procedure *procedure;
  uint32_t keys;        /* in the pool */
  uint32_t first, last; /* answers in the pool, 0: none */
  uint32_t count;
  uint32_t depth; /* ACTIVE: its own; PROVISIONAL: the lowest it waits for */
  uint32_t round; /* PROVISIONAL: in which it was evaluated */
  CallStatus status;
} Call;

typedef struct Table {
  VECTOR(Call) calls;
  TermVector pool;
  Map by_key;    /* call + 1 */
  Map by_answer; /* answers, of calls with many */
} Table;

void table_init(Table *table);
void table_free(Table *table);
void table_forget(Table *table);
size_t table_memory(const Table *table);

/* The number of the call, made if it is new. */
uint32_t table_call(Table *table, const Procedure *procedure, const Term *keys);
/* Add an answer; false if it is there already. */
bool table_answer(Table *table, uint32_t call, const Term *rest);

static inline const Term *table_terms(const Table *table, uint32_t answer) {
  return table->pool.data + answer + 1;
}
static inline uint32_t table_next(const Table *table, uint32_t answer) {
  return table->pool.data[answer];
}

#endif
