/* What a request asks: its first line and headers, as they came. Paths are
   decoded, but no escape may stand for NUL, since paths are strings: it is kept
   as it was written. */
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "io/http_parts.h"

/* ---- the first line ---- */

static int hex(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/* Decodes %XX. */
static void decode(const char *uri, size_t length, char plus, bool whole,
                   Text *text) {
  for (size_t i = 0; i < length; i++) {
    bool escape = uri[i] == '%' && i + 2 < length && hex(uri[i + 1]) >= 0 &&
                  hex(uri[i + 2]) >= 0;
    int byte = escape ? 16 * hex(uri[i + 1]) + hex(uri[i + 2]) : 0;
    if (escape && (byte || whole)) {
      text_add_byte(text, (char)byte);
      i += 2;
    } else {
      text_add_byte(text, uri[i] == '+' ? plus : uri[i]);
    }
  }
}

void http_take_line(HttpRequest *request, const char *uri) {
  if (*uri == '/') uri++;
  text_clear(&request->message);
  text_clear(&request->path);
  decode(uri, strlen(uri), ' ', true, &request->message);
  decode(uri, strcspn(uri, "?"), '+', false, &request->path);
}

bool http_take_method(HttpRequest *request, const char *method) {
  static const struct {
    const char *name;
    HttpMethod method;
  } known[] = {{"GET", HTTP_GET},
               {"HEAD", HTTP_GET},
               {"POST", HTTP_POST},
               {"DELETE", HTTP_DELETE},
               {"OPTIONS", HTTP_GET}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(method, known[i].name) != 0) continue;
    request->method = known[i].method;
    request->head = strcmp(method, "HEAD") == 0;
    request->options = strcmp(method, "OPTIONS") == 0;
    return true;
  }
  return false;
}

HttpMethod http_method(const HttpRequest *request) {
  return request->method;
}

const char *http_path(const HttpRequest *request) {
  return text_string(&request->path);
}

const char *http_query(const HttpRequest *request, const char *name) {
  return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND,
                                     name);
}

const char *http_target(const HttpRequest *request) {
  return text_string(&request->message);
}

const char *http_header(const HttpRequest *request, const char *name) {
  return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                     name);
}

/* ---- the client ---- */

void http_take_peer(HttpRequest *request) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getpeername(request->socket, (struct sockaddr *)&address, &size) != 0 ||
      getnameinfo((struct sockaddr *)&address, size, request->peer,
                  sizeof request->peer, NULL, 0, NI_NUMERICHOST) != 0)
    snprintf(request->peer, sizeof request->peer, "unknown");
}

const char *http_peer(const HttpRequest *request) {
  return request->peer;
}

double http_arrival(const HttpRequest *request) {
  return request->arrival;
}

double http_trip(const HttpRequest *request) {
  return request->trip;
}

/* ---- whether it may be asked ---- */

static const struct {
  const char *name;
  size_t place;
} guarded[] = {{MHD_HTTP_HEADER_HOST, offsetof(GuardHeaders, host)},
               {MHD_HTTP_HEADER_ORIGIN, offsetof(GuardHeaders, origin)},
               {"Sec-Fetch-Site", offsetof(GuardHeaders, site)},
               {"Sec-Fetch-Mode", offsetof(GuardHeaders, mode)},
               {"Sec-Fetch-Dest", offsetof(GuardHeaders, dest)},
               {MHD_HTTP_HEADER_USER_AGENT, offsetof(GuardHeaders, agent)},
               {"Sender", offsetof(GuardHeaders, sender)}};

typedef struct Gathered {
  GuardHeaders headers;
  bool twice; /* some header, which can mean only one thing */
} Gathered;

static enum MHD_Result gather_header(void *context, enum MHD_ValueKind kind,
                                     const char *name, const char *value) {
  (void)kind;
  Gathered *gathered = context;
  for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++) {
    const char **place =
        (const char **)((char *)&gathered->headers + guarded[i].place);
    if (strcasecmp(name, guarded[i].name) != 0) continue;
    gathered->twice |= *place != NULL;
    *place = value ? value : "";
  }
  return MHD_YES;
}

unsigned http_judge(HttpRequest *request, const char *version, Text *why) {
  Gathered gathered = {.headers.old = strcmp(version, "HTTP/1.0") == 0,
                       .headers.page =
                           request->other && request->method == HTTP_GET};
  MHD_get_connection_values(request->connection, MHD_HEADER_KIND, gather_header,
                            &gathered);
  if (gathered.twice) {
    text_add(why, "refused: a header such as Host is there twice");
    return MHD_HTTP_BAD_REQUEST;
  }
  switch (guard_judge(request->http->settings.guard, &gathered.headers, why)) {
  case GUARD_REFUSED: return MHD_HTTP_FORBIDDEN;
  case GUARD_PASSIVE:
    request->passive = *why;
    *why = (Text){0};
    return 0;
  default: return 0;
  }
}

bool http_may_act(const HttpRequest *request, const char **why) {
  *why = text_string(&request->passive);
  return !request->passive.length;
}
