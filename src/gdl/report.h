/* What is wrong with a text, where: collected first, shown afterwards, so that
   one run tells of several errors. */
#ifndef TAFL_GDL_REPORT_H
#define TAFL_GDL_REPORT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

typedef struct Source {
  const char *name; /* shown before the line number */
  const char *text;
  uint32_t length;
  VECTOR(uint32_t) lines; /* where each begins */
} Source;

typedef struct Place {
  uint32_t line, column; /* from 1; a column is a UTF-8 character */
} Place;

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
  uint32_t errors, warnings; /* all of them, also those beyond the limit */
} Report;

enum { REPORT_LIMIT = 100 }; /* diagnostics of each severity that are kept */

void report_init(Report *report, const Source *source);
void report_free(Report *report);
void report_error(Report *report, uint32_t offset, const char *id,
                  const char *format, ...) PRINTF_LIKE(4, 5);
void report_warning(Report *report, uint32_t offset, const char *id,
                    const char *format, ...) PRINTF_LIKE(4, 5);

void source_init(Source *source, const char *name, const char *text,
                 size_t length);
void source_free(Source *source);
uint32_t source_line(const Source *source, uint32_t offset); /* from 1 */
Place source_place(const Source *source, uint32_t offset);
/* In order of place: file:line:col: error: text [id], the line and a caret. */
void report_write(Report *report, bool errors_only, Text *text);
void report_sort(Report *report);

#endif
