/* Errors and warnings about a text: collected first, shown afterwards, so that
   one run reports several. */
#ifndef TAFL_GDL_REPORT_H
#define TAFL_GDL_REPORT_H

#include "base/arena.h"
#include "base/text.h"
#include "gdl/source.h"

typedef enum { WARNING, ERROR } Severity;

typedef struct Diagnostic {
  Severity severity;
  uint32_t offset; /* into the source's text */
  const char *id;  /* the check, such as "arity" */
  const char *message;
} Diagnostic;

typedef struct Report {
  const Source *source;
  Arena arena;
  VECTOR(Diagnostic) list;
  uint32_t errors, warnings; /* including those beyond the limit */
} Report;

enum { REPORT_LIMIT = 100 }; /* diagnostics kept of each severity */

void report_init(Report *report, const Source *source);
void report_free(Report *report);
void report_error(Report *report, uint32_t offset, const char *id,
                  const char *format, ...) PRINTF_LIKE(4, 5);
void report_warning(Report *report, uint32_t offset, const char *id,
                    const char *format, ...) PRINTF_LIKE(4, 5);

/* Writes the diagnostics in order of place, each as file:line:col: error: text
   [id], with the line and a caret. */
void report_write(Report *report, bool errors_only, Text *text);
void report_sort(Report *report);

#endif
