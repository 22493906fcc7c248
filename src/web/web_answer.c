#include <stdarg.h>
#include <stdio.h>

#include "web/site.h"
#include "web/web_parts.h"

/* `name` and `value`: one more header, or NULL. */
static void answer(HttpRequest *request, unsigned status, const Text *json,
                   const char *name, const char *value) {
  const char *const more[] = {"Cache-Control", "no-store", name, value, NULL};
  const char *headers[SITE_HEADERS];
  HttpAnswer given = {.status = status,
                      .type = "application/json",
                      .bytes = text_string(json),
                      .length = json->length,
                      .headers = headers};
  site_write_headers(NULL, more, headers);
  http_answer(request, &given);
}

void web_answer_text(HttpRequest *request, unsigned status, const Text *json) {
  answer(request, status, json, NULL, NULL);
}

void web_answer(HttpRequest *request, unsigned status, json_t *value) {
  Text text = {0};
  json_add_text(value, JSON_COMPACT, &text);
  json_decref(value);
  web_answer_text(request, status, &text);
  text_free(&text);
}

void web_fail_with(HttpRequest *request, unsigned status, const char *name,
                   const char *value, const char *why) {
  Text text = {0};
  json_t *error = json_object();
  json_object_set_new(error, "error", json_plain(why));
  json_add_text(error, JSON_COMPACT, &text);
  json_decref(error);
  answer(request, status, &text, name, value);
  text_free(&text);
}

void web_fail(HttpRequest *request, unsigned status, const char *format, ...) {
  char why[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  web_fail_with(request, status, NULL, NULL, why);
}
