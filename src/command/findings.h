/* An analysis as JSON. */
#ifndef TAFL_COMMAND_FINDINGS_H
#define TAFL_COMMAND_FINDINGS_H

#include "analyse/analysis.h"
#include "command/command.h"

/* Returns an object with a member for each kind of finding. Evidence is "no",
   "sampled" or "proved", arguments count from 1, facts and roles are text. */
json_t *findings_json(const Analysis *analysis);

#endif
