/* The working data of grounding: relations filled with rows, rules over them,
   and the fluents and moves found so far. The modules of this folder work on
   it, and the net is built from it. */
#ifndef TAFL_GROUND_GROUND_DATA_H
#define TAFL_GROUND_GROUND_DATA_H

#include "gdl/description.h"
#include "gdl/parse.h"
#include "gdl/unifier.h"
#include "ground/join.h"

/* What a relation's rows are. */
typedef enum {
  HOLDS_ALWAYS,  /* static: every row is true in every state */
  HOLDS_GUARD,   /* grows, but counts as true: other literals imply it */
  HOLDS_DERIVED, /* a predicate that depends on state or moves */
  HOLDS_FLUENT,  /* facts of the state: ids are fluents */
  HOLDS_MOVE     /* moves: ids are moves, of `does` or `legal` */
} HoldsKind;

typedef struct GroundRelation {
  Relation rows;
  HoldsKind kind;
  bool late;          /* of ALWAYS: depends on facts of the initial state */
  uint32_t predicate; /* of ALWAYS and DERIVED; 0: made by a split */
  uint32_t component; /* order of evaluation, callees first */
  ColumnSet place;    /* columns that splits remove first (ground/single.c) */
  NumberVector ids;   /* by row, of FLUENT and MOVE */
  uint32_t done, end; /* rows before this round, rows of this round */
  NumberVector users; /* rules that read it positively: rule, literal, … */
} GroundRelation;

typedef struct GroundLiteral {
  Sign sign;
  bool legality; /* of a move: reads `legal`, not `does` */
  uint32_t relation;
  Term *columns; /* of UNEQUAL: two */
} GroundLiteral;

typedef enum {
  HEAD_ROW,  /* a row of a relation */
  HEAD_INIT, /* a fluent of the initial state */
  HEAD_NEXT, /* a fluent of the successor */
  HEAD_LEGAL /* a move */
} HeadKind;

typedef struct GroundRule {
  HeadKind kind;
  uint32_t relation; /* of HEAD_ROW */
  Term *head;        /* the row's columns; the fluent; role and action */
  uint32_t head_count;
  GroundLiteral *body;
  uint32_t count;
  TermVector variables;
  struct GroundRule *plain; /* the rule before it was split, or NULL */
  struct GroundRule *owner; /* of a part: that plain rule */
  bool use_plain;           /* of a plain rule: it has fewer instances */
  double parts_cost;        /* of a plain rule: instances of its parts */
  Pattern *patterns;        /* of the head, all variables bound */
  Join **joins;             /* by first literal; the last: none is first */
  uint32_t *compiled_size;
} GroundRule;

typedef VECTOR(GroundRule *) RuleVector;
typedef VECTOR(GroundLiteral) GroundLiteralVector;

typedef struct GroundFluent {
  Term term;
  bool initial, constant; /* constant: always true, rules do not read it */
} GroundFluent;

typedef struct GroundMove {
  uint32_t role;
  Term term;
} GroundMove;

/* What the form of a rule relies on: at most one value of the column holds at a
   time for each choice of the other columns. */
typedef struct GroundClaim {
  uint32_t relation, column;
} GroundClaim;

/* The same of all facts that match `fact` with the key variables' values taken
   from a row of `keys`: at most one of them holds at a time. */
typedef struct GroundToken {
  Term fact;
  uint32_t relation, keys;
  Term *variables; /* by column of `keys` */
} GroundToken;

/* A predicate made of such a fact and a literal, which rules share. */
typedef struct GroundPart {
  Term *key; /* what it is made of, with standard variables */
  uint32_t count;
  bool negative;            /* it is called in a negation */
  uint32_t relation, guard; /* guard: what is asked of it, 0: anything */
} GroundPart;

typedef struct Ground {
  Description *description;
  Terms *terms;
  Arena arena;
  VECTOR(GroundRelation *) relations; /* from 1 */
  RuleVector rules;                   /* by component, callees first */
  RuleVector made;        /* every rule, also those before they were split */
  uint32_t *of_predicate; /* by predicate: relation, 0: none */
  NumberVector fluent_class, move_class; /* by functor: newest class relation */
  NumberVector class_other;              /* by relation: older, same functor */
  uint32_t all_fluents, all_moves; /* relations of whole terms, 0: not needed */
  bool *constant_functor;          /* by symbol: a fluent that never changes */
  VECTOR(GroundFluent) fluents;
  VECTOR(GroundMove) moves;
  NumberVector fluent_of; /* by term: fluent + 1 */
  NumberVector *move_of;  /* by role, by term: move + 1 */
  JoinBudget budget;
  double seconds;             /* the limit, for messages; 0: none */
  bool narrow;                /* see GroundLimits */
  uint32_t base, input;       /* relations to narrow by, 0: none */
  bool distributes;           /* rules may take forms that make claims */
  bool tight;                 /* wide calls: look for what is asked of them */
  VECTOR(GroundClaim) claims; /* all proved once grounding is done */
  VECTOR(GroundToken) tokens; /* the same */
  VECTOR(GroundPart) parts;
  uint32_t component_count; /* of predicates, and of parts made by splits */
  Text *error;
} Ground;

static inline GroundRelation *ground_relation(const Ground *ground,
                                              uint32_t number) {
  return ground->relations.data[number];
}
static inline const Predicate *ground_predicate(const Ground *ground,
                                                uint32_t number) {
  return &ground->description->dependencies.list.data[number];
}
/* Sets the error unless there is one already; returns false. */
bool ground_fail(Ground *ground, const char *what);
bool ground_fail_budget(Ground *ground);
/* A copy in the ground's arena. */
Term *ground_copy_terms(Ground *ground, const Term *terms, uint32_t count);

/* Adds a relation of that kind and arity, in a component of its own. */
uint32_t ground_add_relation(Ground *ground, HoldsKind kind, uint32_t arity);
/* The relation of all facts (moves) with the same functor and arity. */
uint32_t ground_fluent_class(Ground *ground, Term fluent);
uint32_t ground_move_class(Ground *ground, Term action);
/* Inserts what is not there yet; `id` is for relations of fluents and moves. */
void ground_insert_row(GroundRelation *relation, const Term *row, uint32_t id);
void ground_insert_fluent(Ground *ground, Term fluent, bool initial);
void ground_insert_move(Ground *ground, Term role, Term action);
/* Makes a rule, but does not add it to Ground.rules. Head and body are
   borrowed. */
GroundRule *ground_make_rule(Ground *ground, HeadKind kind, uint32_t relation,
                             Term *head, uint32_t head_count,
                             GroundLiteral *body, uint32_t count);
uint32_t ground_columns(const Ground *ground, const GroundLiteral *literal);
/* The component of the rule's head. */
uint32_t ground_component(const Ground *ground, const GroundRule *rule);

/* The rule as it was before it was split. */
static inline const GroundRule *ground_whole(const GroundRule *rule) {
  return rule->plain ? rule->plain : rule;
}

/* A unifier without bindings, for terms of the description's size at most. */
static inline Unifier ground_unifier(const Ground *ground) {
  return (Unifier){.terms = ground->terms,
                   .largest = RULE_TERM_SIZE,
                   .deepest = PARSE_DEEPEST};
}

#endif
