/* HTTP for a server of one thread (libmicrohttpd, polled by us): requests come
   whole, replies may be given at any later time, and what clients can take is
   bounded: bytes of a body and of all bodies, connections, and the time until a
   request is complete. */
#ifndef TAFL_IO_HTTP_H
#define TAFL_IO_HTTP_H

#include "base/text.h"

typedef struct Http Http;
typedef struct HttpRequest HttpRequest; /* one for each connection */

/* A whole message: the body of a POST or the path of a GET, decoded. It is to
   be answered by http_reply, once, now or later. Called by http_handle. */
typedef void HttpHandler(void *context, HttpRequest *request, const Text *body);

typedef struct HttpSettings {
  const char *bind;
  unsigned port;     /* 0: any that is free */
  size_t body;       /* bytes of one */
  size_t bodies;     /* of all together */
  double seconds;    /* until a request is complete */
  unsigned clients;  /* connections at once */
  const char *about; /* what an empty GET is told */
  HttpHandler *handler;
  void *context;
} HttpSettings;

/* NULL, with the reason in `error`. */
Http *http_new(const HttpSettings *settings, Text *error);
void http_delete(Http *http); /* all requests have been replied to */

unsigned http_port(const Http *http);
const char *http_url(const Http *http);
/* A descriptor that is readable, and a time that is past, when http_run has
   something to do. */
int http_file(const Http *http);
double http_due(Http *http);
void http_run(Http *http);
/* Hand requests that are complete to the handler, as long as that is likely to
   be done before `deadline`, and for some milliseconds only. True if there are
   more for which there would be time. */
bool http_handle(Http *http, double deadline);

void http_reply(HttpRequest *request, unsigned status, const char *text);
/* When its first bytes came, and how long it takes to the client and back, as
   the system measured it. */
double http_arrival(const HttpRequest *request);
double http_trip(const HttpRequest *request);
/* How long it took lately from http_reply until all was sent, at worst. */
double http_delay(const Http *http);

#endif
