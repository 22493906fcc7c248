/* The rules as a self-contained Prolog program (the KIF-to-Prolog step of
   CadiaPlayer, thesis section 3.2), for an independent implementation to run.
 */
#ifndef TAFL_GDL_PROLOG_H
#define TAFL_GDL_PROLOG_H

#include "gdl/description.h"

void prolog_write(const Description *description, Text *text);

#endif
