/* The inside of the page's server, for web.c (the guest), web_routes.c (who
   answers what) and web_answer.c (how). */
#ifndef TAFL_WEB_WEB_PARTS_H
#define TAFL_WEB_WEB_PARTS_H

#include "io/json.h"
#include "web/rate.h"
#include "web/web.h"

struct Web {
  const WebSettings *settings;
  Http *http;
  Text token;       /* "": none is needed */
  uint32_t threads; /* for each process that thinks */
  Rate rate;
};

/* ---- web_answer.c ---- */

/* Answers {"error": why}. */
void web_fail(HttpRequest *request, unsigned status, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Answers with the value, which is released. */
void web_answer(HttpRequest *request, unsigned status, json_t *value);
void web_answer_text(HttpRequest *request, unsigned status, const Text *json);

/* ---- web_routes.c ---- */

/* Answers a request whose path begins with "api". */
void web_route(Web *web, HttpRequest *request, Text *body);

#endif
