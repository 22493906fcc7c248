/* Replies and answers: the response is made at once, with all its headers, and
   sent when libmicrohttpd asks for it. */
#include <string.h>

#include "base/clock.h"
#include "io/http_parts.h"

const char http_allowed[] = "GET, HEAD, POST, OPTIONS";
static const char all_methods[] = "GET, HEAD, POST, DELETE, OPTIONS";

/* ---- headers ---- */

/* What lets a page read the reply, and says before a request what it may be. */
static void add_permission(const HttpRequest *request,
                           struct MHD_Response *response) {
  const char *origin = http_header(request, MHD_HTTP_HEADER_ORIGIN);
  const char *const headers[][2] = {
      {"Access-Control-Allow-Origin", origin},
      {"Access-Control-Allow-Methods",
       request->other ? all_methods : http_allowed},
      {"Access-Control-Allow-Headers",
       request->other ? "Accept, Authorization, Content-Type"
                      : "Accept, Content-Type, Receiver, Sender"},
      {"Access-Control-Max-Age", "600"},
      {"Access-Control-Allow-Private-Network", "true"}};
  size_t count =
      !request->options                                                ? 1
      : http_header(request, "Access-Control-Request-Private-Network") ? 5
                                                                       : 4;
  if (!origin || !guard_allows_origin(request->http->settings.guard, origin))
    return;
  for (size_t i = 0; i < count; i++)
    MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

void http_add_headers(const HttpRequest *request, struct MHD_Response *response,
                      const HttpAnswer *answer) {
  if (answer->type)
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                            answer->type);
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Origin");
  for (const char *const *each = answer->headers; each && *each; each += 2)
    MHD_add_response_header(response, each[0], each[1]);
  add_permission(request, response);
}

/* ---- replies ---- */

void http_respond(HttpRequest *request, unsigned status,
                  struct MHD_Response *response) {
  request->status = status;
  request->response = response;
  request->replied = clock_now();
  if (!request->suspended) return;
  request->suspended = false;
  http_resume(request);
}

void http_answer(HttpRequest *request, const HttpAnswer *answer) {
  struct MHD_Response *response = MHD_create_response_from_buffer(
      answer->length, (void *)(uintptr_t)answer->bytes,
      answer->lasting ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
  if (response) http_add_headers(request, response, answer);
  http_respond(request, answer->status, response);
}

void http_reply(HttpRequest *request, unsigned status, const char *text) {
  static const char *const methods[] = {MHD_HTTP_HEADER_ALLOW, http_allowed,
                                        NULL};
  HttpAnswer answer = {
      .status = status,
      .type = request->http->settings.type,
      .bytes = text,
      .length = strlen(text),
      .headers = status == MHD_HTTP_METHOD_NOT_ALLOWED ? methods : NULL};
  http_answer(request, &answer);
}

void http_refuse(HttpRequest *request, unsigned status, const char *text) {
  const HttpSettings *settings = &request->http->settings;
  if (request->other)
    settings->refuse(settings->context, request, status, text);
  else
    http_reply(request, status, text);
}
