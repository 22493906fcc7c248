/* Negation through recursion. */
#ifndef TAFL_GDL_STRATIFIER_H
#define TAFL_GDL_STRATIFIER_H

#include "gdl/dependencies.h"

typedef enum {
  STRATIFIED,         /* the negated predicate does not depend on the head's */
  STRATIFIED_BY_RULE, /* it does, but no chain of rules leads back */
  NOT_STRATIFIED
} Stratification;

typedef struct Stratifier {
  const Rules *rules;
  const Dependencies *dependencies;
  uint32_t *component; /* of rules that call each other; by rule */
  uint64_t work;       /* done so far; beyond a limit, predicates decide */
} Stratifier;

void stratifier_init(Stratifier *stratifier, const Rules *rules,
                     const Dependencies *dependencies);
void stratifier_free(Stratifier *stratifier);
/* Judges a negative literal of rule number `rule`. */
Stratification stratifier_judge(Stratifier *stratifier, uint32_t rule,
                                const Literal *literal);

#endif
