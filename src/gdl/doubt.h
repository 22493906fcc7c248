/* Warnings about what is valid but probably not meant. */
#ifndef TAFL_GDL_DOUBT_H
#define TAFL_GDL_DOUBT_H

#include "gdl/dependencies.h"

/* Warns about undefined and unused predicates, impossible facts and moves, and
   duplicate rules. */
void doubt_rules(Rules *rules, const Dependencies *dependencies,
                 Report *report);

#endif
