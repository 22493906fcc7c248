/* An analysis as JSON. */
#ifndef TAFL_COMMAND_FINDINGS_H
#define TAFL_COMMAND_FINDINGS_H

#include "analyse/analysis.h"
#include "command/command.h"

/* Evidence is "no", "sampled" or "proved", arguments are counted from 1,
   facts and roles are text. */
json_t *findings_json(const Analysis *analysis);

#endif
