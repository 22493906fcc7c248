/* A report is one block: the structure, the diagnostics, then all strings. */
#include "library/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/object.h"

struct tafl_report {
  uint32_t count;
  const char *text;
  tafl_diagnostic list[];
};

void report_collect(ReportParts *parts, Report *report) {
  report_sort(report);
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *d = &report->list.data[i];
    Place place = source_place(report->source, d->offset);
    tafl_diagnostic diagnostic = {.is_error = d->severity == ERROR,
                                  .line = place.line,
                                  .column = place.column,
                                  .id = d->id,
                                  .message = d->message};
    vector_push(&parts->list, diagnostic);
    if (diagnostic.is_error && !*parts->first)
      snprintf(parts->first, sizeof parts->first, "%s:%u:%u: %s",
               report->source->name, place.line, place.column, d->message);
  }
  report_write(report, false, &parts->text);
}

static const char *append(char **at, const char *string) {
  char *copy = *at;
  size_t size = strlen(string) + 1;
  memcpy(copy, string, size);
  *at += size;
  return copy;
}

tafl_report *report_make(const ReportParts *parts) {
  const char *text = text_string(&parts->text);
  size_t size = sizeof(tafl_report) + strlen(text) + 1;
  uint32_t count = parts->list.count;
  for (uint32_t i = 0; i < count; i++)
    size += sizeof(tafl_diagnostic) + strlen(parts->list.data[i].id) +
            strlen(parts->list.data[i].message) + 2;
  tafl_report *report = malloc(size);
  if (!report) {
    object_fail(TAFL_ERROR_MEMORY, "the system has no more memory");
    return NULL;
  }
  char *at = (char *)&report->list[count];
  report->count = count;
  for (uint32_t i = 0; i < count; i++) {
    report->list[i] = parts->list.data[i];
    report->list[i].id = append(&at, parts->list.data[i].id);
    report->list[i].message = append(&at, parts->list.data[i].message);
  }
  report->text = append(&at, text);
  return report;
}

uint32_t tafl_report_count(const tafl_report *report) {
  return report->count;
}

const tafl_diagnostic *tafl_report_get(const tafl_report *report,
                                       uint32_t index) {
  return index < report->count ? &report->list[index] : NULL;
}

const char *tafl_report_text(const tafl_report *report) {
  return report->text;
}

void tafl_report_close(tafl_report *report) {
  free(report);
}
