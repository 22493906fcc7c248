/* What a valid description says but hardly means. */
#ifndef TAFL_GDL_DOUBT_H
#define TAFL_GDL_DOUBT_H

#include "gdl/depend.h"

/* Warn of predicates that are undefined or unused, of facts and moves that can
   never be, and of rules that stand twice. */
void doubt_rules(Rules *rules, const Dependencies *dependencies,
                 Report *report);

#endif
