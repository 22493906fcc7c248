/* All ways to make the literals of a body true, given the rows of relations. */
#ifndef TAFL_GROUND_JOIN_H
#define TAFL_GROUND_JOIN_H

#include "ground/pattern.h"
#include "ground/relation.h"

typedef enum {
  SOURCE_ROWS,   /* a row of the relation matches */
  SOURCE_ABSENT, /* no row of the relation matches; other literals bind it */
  SOURCE_UNEQUAL /* the two columns differ; other literals bind them */
} SourceKind;

/* A literal as a join sees it. */
typedef struct JoinSource {
  SourceKind kind;
  Relation *relation;
  Term *columns; /* one for each column of the relation; two of UNEQUAL */
} JoinSource;

typedef struct JoinRange {
  uint32_t low, high; /* rows low … high - 1 */
} JoinRange;

typedef struct Join Join;

/* What joins may spend together: rows looked at, and time. */
typedef struct JoinBudget {
  uint64_t ticks, most_ticks;
  double deadline; /* of clock_now; 0: none */
} JoinBudget;

/* Called for each way, with the variables' values by slot and the row of each
   SOURCE_ROWS literal by its number. Returns false to stop the join. */
typedef bool (*JoinFound)(void *context, const Term *environment,
                          const uint32_t *rows);

#define JOIN_NO_FIRST UINT32_MAX

/* Compiles a join that begins with literal `first`. `variables` are the rule's,
   in slot order. The order of the other literals depends on the current sizes
   of relations. */
Join *join_new(const Terms *terms, const TermVector *variables,
               const JoinSource *sources, uint32_t count, uint32_t first);
void join_delete(Join *join);
/* Runs it over the rows ranges[i] of each literal i. Returns false if `found`
   or the budget stopped it. */
bool join_run(Join *join, const JoinRange *ranges, JoinBudget *budget,
              JoinFound found, void *context);
bool join_budget_spent(const JoinBudget *budget);
/* An estimate of how many ways there are. */
double join_estimate(const Join *join);

#endif
