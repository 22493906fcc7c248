/* Diagnostics. Memory is bounded: beyond REPORT_LIMIT of a severity they are
   only counted; a source line is shown clipped to a window around its caret. */
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

static bool continues_character(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The alternatives of an `or` are read once each: what is wrong behind it must
   not be told once each. */
static bool said_before(const Report *report, uint32_t offset, const char *id,
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
  if (length >= MESSAGE) { /* cut before a character, not inside it */
    length = MESSAGE - 4;
    while (length > 0 && continues_character(message[length])) length--;
    memcpy(message + length, "...", 4);
    length += 3;
  }
  if (said_before(report, offset, id, message)) return;
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

void source_init(Source *source, const char *name, const char *text,
                 size_t length) {
  *source = (Source){name, text, (uint32_t)length, {0}};
  vector_push(&source->lines, 0);
  for (uint32_t i = 0; i < source->length; i++)
    if (text[i] == '\n') vector_push(&source->lines, i + 1);
}

void source_free(Source *source) {
  vector_free(&source->lines);
}

uint32_t source_line(const Source *source, uint32_t offset) {
  uint32_t low = 0, high = source->lines.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines.data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

Place source_place(const Source *source, uint32_t offset) {
  Place place = {source_line(source, offset), 1};
  for (uint32_t i = source->lines.data[place.line - 1]; i < offset; i++)
    if (!continues_character(source->text[i])) place.column++;
  return place;
}

static void write_excerpt(const Source *source, uint32_t offset, Text *text) {
  uint32_t start = offset, end = offset;
  while (start > 0 && source->text[start - 1] != '\n' &&
         offset - start < WINDOW)
    start--;
  while (start < offset && continues_character(source->text[start])) start++;
  while (end < source->length && source->text[end] != '\n' &&
         source->text[end] != '\r' && end - offset < WINDOW)
    end++;
  while (end > offset && end < source->length &&
         continues_character(source->text[end]))
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
    else if (!continues_character(source->text[i]))
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
