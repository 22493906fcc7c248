/* An analysis as JSON. */
#ifndef TAFL_ABOUT_FINDINGS_H
#define TAFL_ABOUT_FINDINGS_H

#include "analyse/analysis.h"
#include "io/json.h"

/* Returns an object with a member for each kind of finding. Evidence is "no",
   "sampled" or "proved", arguments count from 1, facts and roles are text. */
json_t *findings_json(const Analysis *analysis);

#endif
