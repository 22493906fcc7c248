#include <stdarg.h>
#include <stdio.h>

#include "web/site.h"
#include "web/web_parts.h"

void web_answer_text(HttpRequest *request, unsigned status, const Text *json) {
  static const char *const more[] = {"Cache-Control", "no-store", NULL};
  static const char *const refused[] = {"Cache-Control", "no-store",
                                        "WWW-Authenticate", "Bearer", NULL};
  const char *headers[SITE_HEADERS];
  HttpAnswer answer = {.status = status,
                       .type = "application/json",
                       .bytes = text_string(json),
                       .length = json->length,
                       .headers = headers};
  site_write_headers(NULL, status == 401 ? refused : more, headers);
  http_answer(request, &answer);
}

void web_answer(HttpRequest *request, unsigned status, json_t *value) {
  Text text = {0};
  json_add_text(value, JSON_COMPACT, &text);
  json_decref(value);
  web_answer_text(request, status, &text);
  text_free(&text);
}

void web_fail(HttpRequest *request, unsigned status, const char *format, ...) {
  char why[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  json_t *value = json_object();
  json_object_set_new(value, "error", json_plain(why));
  web_answer(request, status, value);
}
