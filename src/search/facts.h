/* The facts of states as numbers from 0, with what strategies count in them:
   their relation, and each symbol in its place. On a net a fact's number is
   that of its fluent; the rules engine's facts are terms and get numbers when
   they are first seen.

   A mark is something to count: a relation, or a symbol in one argument of a
   relation. */
#ifndef TAFL_SEARCH_FACTS_H
#define TAFL_SEARCH_FACTS_H

#include "base/map.h"
#include "gdl/term.h"
#include "net/net.h"

typedef struct Fact {
  Term term;
  uint32_t relation;
  uint32_t first, count; /* its marks, in Facts.marks */
} Fact;

typedef struct FactsMark {
  Symbol relation;
  uint32_t arity;
  uint32_t place; /* of the argument, from 1; 0: the relation */
  Term symbol;
} FactsMark;

typedef struct Facts {
  const Terms *terms;
  const Net *net; /* NULL: words of states are terms */
  VECTOR(Fact) list;
  VECTOR(FactsMark) kinds;  /* by mark */
  NumberVector marks;       /* of the facts, one after the other */
  NumberVector relations;   /* by relation: its mark */
  NumberVector relation_of; /* by mark of a relation: its number */
  Map terms_map, kinds_map;
} Facts;

void facts_init(Facts *facts, const Terms *terms, const Net *net);
void facts_free(Facts *facts);
/* Lists the facts that are true in a state, given by its words. */
void facts_list(Facts *facts, const uint64_t *words, uint32_t count,
                NumberVector *numbers);

static inline uint32_t facts_mark_count(const Facts *facts) {
  return facts->kinds.count;
}
static inline uint32_t facts_relation_count(const Facts *facts) {
  return facts->relations.count;
}

#endif
