/* Messages to players over HTTP, several at once, each with a deadline:
   HTTP/1.0 POST, a connection for each message, the headers that game masters
   of the field send. Plain http only; no proxies, no redirects. */
#ifndef TAFL_IO_CLIENT_H
#define TAFL_IO_CLIENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/text.h"

enum { CLIENT_LARGEST_REPLY = 1 << 16 }; /* bytes; more is a failure */

typedef enum {
  CLIENT_ANSWERED,
  CLIENT_LATE,
  CLIENT_FAILED, /* no connection, an HTTP error, a reply too large */
  CLIENT_STOPPED /* by the flag */
} ClientEnd;

typedef struct ClientRequest {
  const char *url;
  const char *body;
  double seconds; /* to wait for the whole reply */
  /* what came of it */
  ClientEnd end;
  Text reply; /* the body, bytes as they came */
  Text why;   /* it failed */
  double took;
} ClientRequest;

/* All of them at the same time; returns when each has ended. `stop` may be
   NULL. */
void client_exchange(ClientRequest *requests, uint32_t count,
                     const atomic_bool *stop);
/* Forget what came of it. */
void client_request_free(ClientRequest *request);

#endif
