/* How often clients may ask: each address has a bucket of permissions that
   fills at a constant rate, for each kind of request. Addresses of IPv6 count
   by their first 64 bits, of which one client has many. */
#ifndef TAFL_WEB_RATE_H
#define TAFL_WEB_RATE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { RATE_LOOK, RATE_ACT, RATE_KINDS } RateKind;

enum {
  RATE_CLIENTS = 512
}; /* at once; who was here longest ago is forgotten */

typedef struct RateClient {
  uint64_t network; /* 0: nobody */
  double last;      /* when it asked */
  double left[RATE_KINDS];
} RateClient;

typedef struct Rate {
  RateClient clients[RATE_CLIENTS];
} Rate;

/* Takes a permission of the client with the numeric address; returns false if
   there is none left. */
bool rate_take(Rate *rate, const char *address, RateKind kind, double now);
/* The same number for all addresses of a client; never 0. */
uint64_t rate_network(const char *address);

#endif
