/* The last step of a recorded match as XML, in the form that the Dresden game
   controller gives its steps and that the field's stylesheets show. */
#ifndef TAFL_GGP_CHRONICLE_XML_H
#define TAFL_GGP_CHRONICLE_XML_H

#include "ggp/chronicle.h"

void chronicle_write_xml(const Chronicle *record, Text *text);

#endif
