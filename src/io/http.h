/* HTTP for a server with one thread (libmicrohttpd, polled by the caller):
   requests are delivered whole, and replies may be given at any later time.
   What clients can use up is limited: bytes of a body and of all bodies,
   connections, and the time until a request is complete. Small messages come
   before large ones, and are never cut for lack of memory. */
#ifndef TAFL_IO_HTTP_H
#define TAFL_IO_HTTP_H

#include "io/guard.h"

typedef struct Http Http;
typedef struct HttpRequest HttpRequest; /* one per connection */

typedef enum {
  HTTP_TAKEN, /* replied to, or it will be */
  HTTP_PART,  /* call again: there is more to do */
  HTTP_LATER  /* call again when something else has happened */
} HttpTurn;

/* Called by http_handle with a whole message: the body of a POST or the decoded
   path of a GET; for other requests, with the body, if any. The handler may
   take the body over, and must reply once, now or later. Between calls for a
   large message that it has not taken it may be called for small ones, but for
   no other large one. */
typedef HttpTurn HttpHandler(void *context, HttpRequest *request, Text *body);

typedef struct HttpSettings {
  const char *bind;
  unsigned port;     /* 0: any free one */
  size_t body;       /* bytes of one body */
  size_t small;      /* bytes of a body that is small */
  size_t bodies;     /* bytes of all others together */
  double seconds;    /* until a request must be complete */
  unsigned clients;  /* connections at once */
  const char *type;  /* content type of replies */
  const char *about; /* reply to an empty GET */
  Guard *guard;      /* who may ask; borrowed */
  HttpHandler *handler;
  /* Tells requests that are no messages of game masters, and may have other
     methods than GET and POST, when the headers are there: returns the most
     bytes that the body may have, or 0 for a message. NULL: all are messages.
     `refuse` must then answer such requests in place of the handler. */
  size_t (*other)(void *context, const HttpRequest *request);
  void (*refuse)(void *context, HttpRequest *request, unsigned status,
                 const char *why);
  void *context;
} HttpSettings;

/* Returns NULL and sets `error` if it cannot listen. */
Http *http_new(const HttpSettings *settings, Text *error);
void http_delete(Http *http); /* requests without a reply are cut */

unsigned http_port(const Http *http);
const char *http_url(const Http *http);
/* When the descriptor is readable, or that time is past, http_run has something
   to do. */
int http_file(const Http *http);
double http_due(Http *http);
void http_run(Http *http);
/* Hands complete requests to the handler, small ones first, until `deadline`
   and for a few milliseconds at most. Returns true if there are more that could
   be handled now. */
bool http_handle(Http *http, double deadline);
/* False if the request may change nothing: then `why` says why. */
bool http_may_act(const HttpRequest *request, const char **why);

void http_reply(HttpRequest *request, unsigned status, const char *text);

/* ---- beyond messages of game masters ---- */

typedef enum { HTTP_GET, HTTP_POST, HTTP_DELETE } HttpMethod; /* HEAD is GET */

HttpMethod http_method(const HttpRequest *request);
/* Behind the first slash, decoded, without the query. */
const char *http_path(const HttpRequest *request);
/* The value of a parameter of the query, decoded, or NULL. */
const char *http_query(const HttpRequest *request, const char *name);
/* The path and the query, decoded as one. */
const char *http_target(const HttpRequest *request);
/* The value of a header, or NULL. */
const char *http_header(const HttpRequest *request, const char *name);
/* The numeric address of the client. */
const char *http_peer(const HttpRequest *request);

typedef struct HttpAnswer {
  unsigned status;
  const char *type; /* content type */
  const char *bytes;
  size_t length;
  bool lasting; /* the bytes stay until the program ends: they are not copied */
  const char *const *headers; /* name, value, … NULL; or NULL */
} HttpAnswer;

/* Takes the place of http_reply. */
void http_answer(HttpRequest *request, const HttpAnswer *answer);

/* A reply without an end, for events: takes the place of http_reply. Only
   `type` and `headers` of the answer count. `gone` is called once, from
   http_run or http_delete, when the client has closed the connection or cannot
   be reached; the request is not valid after that. */
typedef void HttpGone(void *context, HttpRequest *request);
void http_stream(HttpRequest *request, const HttpAnswer *answer, HttpGone *gone,
                 void *context);
void http_stream_send(HttpRequest *request, const char *bytes, size_t length);
size_t http_stream_queued(const HttpRequest *request); /* bytes not sent yet */
/* Closes the connection when all has been sent. `gone` is not called any more,
   and the request is no longer valid. */
void http_stream_end(HttpRequest *request);
unsigned http_streams(const Http *http); /* how many are open */

/* When its first bytes arrived, and the round-trip time to the client, as
   measured by the kernel. */
double http_arrival(const HttpRequest *request);
double http_trip(const HttpRequest *request);
/* The worst recent time from http_reply until all was sent. */
double http_delay(const Http *http);

#endif
