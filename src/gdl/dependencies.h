/* Which predicate depends on which: the predicates of the rules, their strongly
   connected components, and whether they depend on state or moves. */
#ifndef TAFL_GDL_DEPENDENCIES_H
#define TAFL_GDL_DEPENDENCIES_H

#include "gdl/rule.h"

/* Each kind includes the ones before it. */
typedef enum { ON_NOTHING, ON_STATE, ON_MOVES } Dependence;

typedef struct Predicate {
  Symbol name;
  uint32_t arity;
  VECTOR(uint32_t) rules; /* that define it, including facts, in Rules.list */
  uint32_t component;     /* components are numbered callees first */
  bool recursive;         /* calls itself, directly or through others */
  bool used;              /* occurs in a body */
  Dependence depends;
} Predicate;

typedef struct Dependencies {
  VECTOR(Predicate) list; /* from 1 */
  uint32_t component_count;
  Map map; /* predicates by name and arity */
} Dependencies;

void dependencies_init(Dependencies *dependencies, const Rules *rules);
void dependencies_free(Dependencies *dependencies);
/* The number of a predicate, or of an atom's predicate; 0 if it does not
   occur. */
uint32_t dependencies_find(const Dependencies *dependencies, Symbol name,
                           uint32_t arity);
uint32_t dependencies_of(const Dependencies *dependencies, const Terms *terms,
                         Term atom);

/* Returns the predicates' numbers, callees before callers outside their
   component; the caller frees the list. */
uint32_t *dependencies_order(const Dependencies *dependencies);

#endif
