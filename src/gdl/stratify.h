/* Negation through recursion. */
#ifndef TAFL_GDL_STRATIFY_H
#define TAFL_GDL_STRATIFY_H

#include "gdl/depend.h"

typedef enum {
  STRATIFIED,         /* the negated predicate does not depend on the head's */
  STRATIFIED_BY_RULE, /* it does, but no chain of rules leads back */
  NOT_STRATIFIED
} Stratification;

typedef struct Stratifier {
  const Rules *rules;
  const Dependencies *dependencies;
  uint32_t *component; /* of rules that call each other; by rule */
  uint64_t work;       /* done; beyond a limit predicates decide */
} Stratifier;

void stratifier_init(Stratifier *stratifier, const Rules *rules,
                     const Dependencies *dependencies);
void stratifier_free(Stratifier *stratifier);
/* Of a negative literal in rule number `rule`. */
Stratification stratifier_judge(Stratifier *stratifier, uint32_t rule,
                                const Literal *literal);

#endif
