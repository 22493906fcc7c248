/* HTTP for a server with one thread (libmicrohttpd, polled by the caller):
   requests are delivered whole, and replies may be given at any later time.
   What clients can use up is limited: bytes of a body and of all bodies,
   connections, and the time until a request is complete. */
#ifndef TAFL_IO_HTTP_H
#define TAFL_IO_HTTP_H

#include "base/text.h"

typedef struct Http Http;
typedef struct HttpRequest HttpRequest; /* one per connection */

/* Called by http_handle with a whole message: the body of a POST or the decoded
   path of a GET. The handler must call http_reply once, now or later. */
typedef void HttpHandler(void *context, HttpRequest *request, const Text *body);

typedef struct HttpSettings {
  const char *bind;
  unsigned port;     /* 0: any free one */
  size_t body;       /* bytes of one body */
  size_t bodies;     /* bytes of all bodies together */
  double seconds;    /* until a request must be complete */
  unsigned clients;  /* connections at once */
  const char *type;  /* content type of replies */
  const char *about; /* reply to an empty GET */
  HttpHandler *handler;
  void *context;
} HttpSettings;

/* Returns NULL and sets `error` if it cannot listen. */
Http *http_new(const HttpSettings *settings, Text *error);
void http_delete(Http *http); /* after all requests have been replied to */

unsigned http_port(const Http *http);
const char *http_url(const Http *http);
/* When the descriptor is readable, or that time is past, http_run has something
   to do. */
int http_file(const Http *http);
double http_due(Http *http);
void http_run(Http *http);
/* Hands complete requests to the handler if it is likely to finish before
   `deadline`, for a few milliseconds at most. Returns true if there are more
   that could be handled in time. */
bool http_handle(Http *http, double deadline);

void http_reply(HttpRequest *request, unsigned status, const char *text);
/* When its first bytes arrived, and the round-trip time to the client, as
   measured by the kernel. */
double http_arrival(const HttpRequest *request);
double http_trip(const HttpRequest *request);
/* The worst recent time from http_reply until all was sent. */
double http_delay(const Http *http);

#endif
