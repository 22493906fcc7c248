/* Is it valid GDL? The checks of the language specification (Love et al. 2008)
   that need no playing. */
#ifndef TAFL_GDL_CHECK_H
#define TAFL_GDL_CHECK_H

#include "gdl/dependencies.h"

/* Reports everything wrong with the rules. */
void check_rules(Rules *rules, const Dependencies *dependencies,
                 Report *report);

#endif
