/* The last step of a recorded match as XML, in the form of the Dresden game
   controller, for which public stylesheets exist. */
#ifndef TAFL_MATCH_RECORD_XML_H
#define TAFL_MATCH_RECORD_XML_H

#include "match/record.h"

void record_write_xml(const Record *record, Text *text);

#endif
