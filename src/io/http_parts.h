/* The inside of a request, for http.c (connections and limits), http_request.c
   (what is asked, and whether it may be), http_answer.c and http_stream.c. */
#ifndef TAFL_IO_HTTP_PARTS_H
#define TAFL_IO_HTTP_PARTS_H

#include <arpa/inet.h>
#include <microhttpd.h>

#include "io/http.h"

/* Events that wait to be sent. */
typedef struct HttpStream {
  HttpGone *gone; /* NULL: it was called, or nobody wants to know */
  void *context;
  Text queue;
  size_t sent; /* bytes of the queue */
  bool idle;   /* suspended until there is more */
  bool ended;  /* nothing more will come */
} HttpStream;

struct HttpRequest {
  Http *http;
  struct MHD_Connection *connection;
  HttpRequest *older, *newer;
  int socket;
  double opened, arrival, trip;
  char peer[INET6_ADDRSTRLEN + 16]; /* with the scope of a link's address */
  Text message;                     /* of a GET by a game master */
  Text path, body;
  size_t limit; /* bytes of the body */
  size_t received;
  size_t charged; /* bytes of the body that count as large */
  bool begun, complete, cut, suspended;
  size_t starved; /* suspended for lack of so many bytes; 0: it is not */
  double last;    /* when bytes were taken, or it began to starve */
  double waited;  /* seconds that it starved */
  bool ready;     /* for the handler */
  bool other;     /* no message of a game master */
  HttpMethod method;
  bool head;       /* without the body of the reply */
  bool options;    /* it only asks what it may do */
  Text passive;    /* why it may change nothing */
  unsigned status; /* of the reply; 0: none yet */
  struct MHD_Response *response;
  double replied;
  HttpStream *stream; /* or NULL */
};

struct Http {
  HttpSettings settings;
  struct MHD_Daemon *daemon;
  int files; /* epoll: libmicrohttpd's own, and the sockets of streams */
  unsigned port, count, streams;
  size_t bodies;
  HttpRequest ends;     /* head of the list: .newer is the oldest */
  HttpRequest *current; /* large, and handled in part */
  unsigned starved;     /* how many are */
  bool resumed;         /* some request was; libmicrohttpd does not report it */
  double delay;
  Text url;
};

/* ---- http.c ---- */

void http_resume(HttpRequest *request);

/* ---- http_request.c ---- */

/* Takes the first line: all of `uri` is the message of a game master. */
void http_take_line(HttpRequest *request, const char *uri);
/* Returns false if the method is unknown. */
bool http_take_method(HttpRequest *request, const char *method);
void http_take_peer(HttpRequest *request);
/* Returns the status of a refusal, with its text in `why`, or 0. */
unsigned http_judge(HttpRequest *request, const char *version, Text *why);

/* ---- http_answer.c ---- */

extern const char http_allowed[]; /* methods of game masters */

void http_add_headers(const HttpRequest *request, struct MHD_Response *response,
                      const HttpAnswer *answer);
/* Lets the response be sent. */
void http_respond(HttpRequest *request, unsigned status,
                  struct MHD_Response *response);
/* Answers that the request is refused; `text` says why. */
void http_refuse(HttpRequest *request, unsigned status, const char *text);

/* ---- http_stream.c ---- */

/* The connection is closed, or about to be. */
void http_stream_close(HttpRequest *request);
void http_stream_free(HttpRequest *request);
/* Finds clients that are gone. */
void http_stream_look(Http *http);

#endif
