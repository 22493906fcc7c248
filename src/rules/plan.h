/* How the rules engine derives the answers of a predicate: there is a procedure
   for each set of bound arguments, with a plan for each rule of the predicate:
   an ordered list of steps that look up rows, call procedures and test. */
#ifndef TAFL_RULES_PLAN_H
#define TAFL_RULES_PLAN_H

#include "gdl/description.h"
#include "ground/pattern.h"
#include "ground/relation.h"

typedef enum {
  STEP_SCAN,      /* rows of a relation */
  STEP_ABSENT,    /* no row of a relation matches; all arguments are bound */
  STEP_HOLDS,     /* a fact is true; its one column is bound */
  STEP_FAILS,     /* a fact is not true; its one column is bound */
  STEP_FACTS,     /* every true fact, its one column matched with it */
  STEP_CALL,      /* answers of a procedure */
  STEP_DERIVED,   /* a procedure has an answer; all arguments are bound */
  STEP_UNDERIVED, /* … has none */
  STEP_UNEQUAL    /* two columns, bound */
} StepKind;

/* Columns are either keys, bound before the step, or the rest. */
typedef struct Columns {
  uint32_t key_count, rest_count;
  uint16_t *keys, *rest;
} Columns;

typedef struct Procedure Procedure;

typedef struct Step {
  StepKind kind;
  bool once;         /* nothing later reads what this step binds */
  Pattern *patterns; /* one for each column */
  Columns columns;
  Relation *relation;   /* SCAN, ABSENT */
  uint32_t index;       /* of the relation; NO_INDEX scans all rows */
  Procedure *procedure; /* CALL, DERIVED, UNDERIVED */
} Step;

#define NO_INDEX UINT32_MAX

typedef struct Plan {
  Step *steps;
  uint32_t step_count;
  uint32_t slot_count; /* variables */
  Dependence depends;  /* of the rule's body */
  Pattern *head;       /* keys are matched first, the rest is built last */
} Plan;

/* A predicate called with a set of bound columns. */
struct Procedure {
  uint32_t number, predicate, arity;
  Procedure *other; /* of the same predicate */
  ColumnSet bound;
  Columns columns;
  bool compiled, recursive;
  Dependence depends;
  Plan *plans;
  uint32_t plan_count;
  Relation *facts; /* of the predicate, NULL if it has none */
  uint32_t facts_index;
};

/* The true facts of one functor and arity. Facts without arguments share the
   first class, since they are never scanned. */
enum { CLASS_OF_CONSTANTS = 1 };

typedef struct FactClass {
  uint32_t other; /* class of the same functor, 0: none */
  Relation relation;
} FactClass;

typedef struct Plans {
  Description *description;
  Arena arena;            /* patterns, steps, plans, procedures */
  Procedure **procedures; /* by predicate: the newest, or NULL */
  uint32_t procedure_count;
  Relation **facts;            /* by predicate: its facts, or NULL */
  VECTOR(Relation *) retired;  /* facts that became part of a larger relation */
  bool *derived;               /* by predicate: it has rules with a body */
  VECTOR(FactClass *) classes; /* from CLASS_OF_CONSTANTS */
  NumberVector by_functor;     /* by symbol: the newest class, 0: none */
  NumberVector class_of;       /* by term: the class of a fact, 0: not known */
  Relation moves;              /* what the roles do: (role move) */
} Plans;

void plans_init(Plans *plans, Description *description);
void plans_free(Plans *plans);
/* Returns the procedure for a predicate with these columns bound. */
Procedure *plans_procedure(Plans *plans, uint32_t predicate, ColumnSet bound);
/* Makes the predicate the relation plans->facts[predicate], empty at first; its
   rules are not used any more. */
void plans_begin_relation(Plans *plans, uint32_t predicate);
/* Makes the plans; estimates come from the relations as they are now. */
void plans_compile(Plans *plans, Procedure *procedure);
/* Returns the class of a fact, which is added if it is new. */
uint32_t plans_class(Plans *plans, Term fact);

#endif
