/* Warnings about what is valid but probably not meant. */
#ifndef TAFL_GDL_DOUBT_H
#define TAFL_GDL_DOUBT_H

#include "gdl/dependencies.h"

/* Warns about duplicate rules and, if the text was read completely, about
   undefined and unused predicates, impossible facts and moves, and facts that
   nothing asks for. */
void doubt_rules(Rules *rules, const Dependencies *dependencies, Report *report,
                 bool complete);

#endif
