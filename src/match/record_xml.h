/* The last step of a recorded match as XML, in the form that the Dresden game
   controller gives its steps and that the field's stylesheets show. */
#ifndef TAFL_MATCH_RECORD_XML_H
#define TAFL_MATCH_RECORD_XML_H

#include "match/record.h"

void record_write_xml(const Record *record, Text *text);

#endif
