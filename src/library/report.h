/* Diagnostics, copied out of the description that they were found in. */
#ifndef TAFL_LIBRARY_REPORT_H
#define TAFL_LIBRARY_REPORT_H

#include "gdl/report.h"
#include "library/tafl.h"

/* Made in the game's scope; read before that is released. */
typedef struct ReportParts {
  VECTOR(tafl_diagnostic) list;
  Text text;
  char first[512]; /* the first error, with its place */
} ReportParts;

void report_collect(ReportParts *parts, Report *report);
/* A report that is independent of the game; NULL, with the message set, if the
   system has no memory. */
tafl_report *report_make(const ReportParts *parts);

#endif
