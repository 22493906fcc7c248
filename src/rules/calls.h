/* Calls of procedures and their answers, kept for one lifetime: for ever, for a
   state, or for a state and its moves. Forgetting all takes constant time. */
#ifndef TAFL_RULES_CALLS_H
#define TAFL_RULES_CALLS_H

#include "base/map.h"
#include "rules/plan.h"

typedef enum {
  CALL_NEW,         /* nothing known */
  CALL_ACTIVE,      /* being evaluated */
  CALL_PROVISIONAL, /* evaluated, but depends on an active call */
  CALL_COMPLETE
} CallStatus;

/* A procedure called with certain keys. Its answers are a list in the pool,
   each the number of the next answer and a term for each column of the rest. A
   procedure without a rest has at most one answer, kept as a count only. */
typedef struct Call {
  const Procedure *procedure;
  uint32_t keys;        /* in the pool */
  uint32_t first, last; /* answers in the pool, 0: none */
  uint32_t count;
  uint32_t depth; /* ACTIVE: its own; PROVISIONAL: the lowest it depends on */
  uint32_t round; /* PROVISIONAL: in which it was evaluated */
  CallStatus status;
} Call;

typedef struct CallTable {
  VECTOR(Call) calls;
  TermVector pool;
  Map by_key;    /* call + 1 */
  Map by_answer; /* answers, of calls with many */
} CallTable;

void calls_init(CallTable *table);
void calls_free(CallTable *table);
void calls_forget(CallTable *table);
size_t calls_memory(const CallTable *table);

/* Returns the number of the call, which is added if it is new. */
uint32_t calls_call(CallTable *table, const Procedure *procedure,
                    const Term *keys);
/* Adds an answer; returns false if it is there already. */
bool calls_answer(CallTable *table, uint32_t call, const Term *rest);

static inline const Term *calls_terms(const CallTable *table, uint32_t answer) {
  return table->pool.data + answer + 1;
}
static inline uint32_t calls_next(const CallTable *table, uint32_t answer) {
  return table->pool.data[answer];
}

#endif
