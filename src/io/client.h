/* HTTP requests, several at once, each with a deadline: HTTP/1.0 POST, one
   connection per request. Plain http only; no proxies, no redirects. */
#ifndef TAFL_IO_CLIENT_H
#define TAFL_IO_CLIENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/text.h"

enum { CLIENT_LARGEST_REPLY = 1 << 16 }; /* bytes; more is a failure */

typedef enum {
  CLIENT_ANSWERED,
  CLIENT_LATE,
  CLIENT_FAILED, /* no connection, an HTTP error, or too large a reply */
  CLIENT_STOPPED /* by the flag */
} ClientEnd;

typedef struct ClientRequest {
  const char *url;
  const char *body;
  double seconds; /* to wait for the whole reply */
  /* the outcome */
  ClientEnd end;
  Text reply; /* the body as received */
  Text why;   /* it failed */
  double took;
} ClientRequest;

/* Sends all of them at once, each with the header lines `headers` (NULL ends
   the list), and returns when each has ended. `stop` may be NULL. */
void client_exchange(ClientRequest *requests, uint32_t count,
                     const char *const *headers, const atomic_bool *stop);
/* Frees the outcome. */
void client_request_free(ClientRequest *request);

#endif
