/* Diagnostics. Memory is bounded: beyond REPORT_LIMIT of a severity they are
   only counted, and a source line is clipped to a window around its caret. */
#include "gdl/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 100, MESSAGE = 512 };

void report_init(Report *report, const Source *source) {
  *report = (Report){.source = source};
}

void report_free(Report *report) {
  arena_free(&report->arena);
  vector_free(&report->list);
}

/* A rule is read once for each alternative of its `or`: an error behind that
   must not be reported each time. */
static bool is_repeated(const Report *report, uint32_t offset, const char *id,
                        const char *message) {
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *d = &report->list.data[i];
    if (d->offset == offset && strcmp(d->id, id) == 0 &&
        strcmp(d->message, message) == 0)
      return true;
  }
  return false;
}

static void add(Report *report, Severity severity, uint32_t offset,
                const char *id, const char *format, va_list arguments) {
  char message[MESSAGE];
  int length = vsnprintf(message, sizeof message, format, arguments);
  if (length >= MESSAGE) { /* cut between characters */
    length = MESSAGE - 4;
    while (length > 0 && source_continues(message[length])) length--;
    memcpy(message + length, "...", 4);
    length += 3;
  }
  if (is_repeated(report, offset, id, message)) return;
  uint32_t *count = severity == ERROR ? &report->errors : &report->warnings;
  if ((*count)++ >= REPORT_LIMIT) return;
  Diagnostic diagnostic = {
      severity, offset, id,
      arena_copy(&report->arena, message, length < 0 ? 0 : (size_t)length)};
  vector_push(&report->list, diagnostic);
}

void report_error(Report *report, uint32_t offset, const char *id,
                  const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(report, ERROR, offset, id, format, arguments);
  va_end(arguments);
}

void report_warning(Report *report, uint32_t offset, const char *id,
                    const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(report, WARNING, offset, id, format, arguments);
  va_end(arguments);
}

static void write_excerpt(const Source *source, uint32_t offset, Text *text) {
  uint32_t start = offset, end = offset;
  while (start > 0 && source->text[start - 1] != '\n' &&
         offset - start < WINDOW)
    start--;
  while (start < offset && source_continues(source->text[start])) start++;
  while (end < source->length && source->text[end] != '\n' &&
         source->text[end] != '\r' && end - offset < WINDOW)
    end++;
  while (end > offset && end < source->length &&
         source_continues(source->text[end]))
    end--;
  text_add(text, "  ");
  for (uint32_t i = start; i < end; i++) {
    char byte = source->text[i];
    bool control = ((unsigned char)byte < 32 && byte != '\t') || byte == 127;
    text_add_byte(text, control ? '?' : byte);
  }
  text_add(text, "\n  ");
  for (uint32_t i = start; i < offset; i++) {
    if (source->text[i] == '\t')
      text_add_byte(text, '\t');
    else if (!source_continues(source->text[i]))
      text_add_byte(text, ' ');
  }
  text_add(text, "^\n");
}

static int by_place(const void *left, const void *right) {
  const Diagnostic *a = left, *b = right;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  if (a->severity != b->severity) return a->severity == ERROR ? -1 : 1;
  int order = strcmp(a->id, b->id);
  return order ? order : strcmp(a->message, b->message);
}

void report_sort(Report *report) {
  if (report->list.count)
    qsort(report->list.data, report->list.count, sizeof(Diagnostic), by_place);
}

static void write_rest(const Report *report, uint32_t count, const char *what,
                       Text *text) {
  if (count > REPORT_LIMIT)
    text_format(text, "%s: %u more %s not shown\n", report->source->name,
                count - REPORT_LIMIT, what);
}

void report_write(Report *report, bool errors_only, Text *text) {
  report_sort(report);
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *d = &report->list.data[i];
    if (errors_only && d->severity != ERROR) continue;
    Place place = source_place(report->source, d->offset);
    text_format(text, "%s:%u:%u: %s: %s [%s]\n", report->source->name,
                place.line, place.column,
                d->severity == ERROR ? "error" : "warning", d->message, d->id);
    write_excerpt(report->source, d->offset, text);
  }
  write_rest(report, report->errors, "errors", text);
  if (!errors_only) write_rest(report, report->warnings, "warnings", text);
}
