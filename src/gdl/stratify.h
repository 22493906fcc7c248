/* Negation through recursion. */
#ifndef TAFL_GDL_STRATIFY_H
#define TAFL_GDL_STRATIFY_H

#include "gdl/depend.h"

typedef enum {
  STRATIFIED,         /* the negated predicate does not depend on the head's */
  STRATIFIED_BY_RULE, /* it does, but no chain of rules leads back */
  NOT_STRATIFIED
} Stratification;

/* Of the negative literal `literal` in rule number `rule`. */
Stratification stratify_literal(const Rules *rules,
                                const Dependencies *dependencies,
                                uint32_t rule, const Literal *literal);

#endif
