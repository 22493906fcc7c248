#include "web/rate.h"

#include <arpa/inet.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

/* A page is some forty files; a person acts a few times a second at most. */
static const double burst[RATE_KINDS] = {[RATE_LOOK] = 1000, [RATE_ACT] = 60};
static const double a_second[RATE_KINDS] = {[RATE_LOOK] = 100, [RATE_ACT] = 10};

uint64_t rate_network(const char *address) {
  struct in6_addr six;
  bool long_one =
      inet_pton(AF_INET6, address, &six) == 1 && !IN6_IS_ADDR_V4MAPPED(&six);
  uint64_t hash = long_one ? hash_bytes((const char *)six.s6_addr, 8)
                           : hash_bytes(address, strlen(address));
  return hash ? hash : 1;
}

static RateClient *find(Rate *rate, uint64_t network, double now) {
  RateClient *oldest = rate->clients;
  for (uint32_t i = 0; i < RATE_CLIENTS; i++) {
    RateClient *each = &rate->clients[i];
    if (each->network == network) return each;
    if (oldest->network && (!each->network || each->last < oldest->last))
      oldest = each;
  }
  *oldest = (RateClient){.network = network, .last = now};
  memcpy(oldest->left, burst, sizeof burst);
  return oldest;
}

bool rate_take(Rate *rate, const char *address, RateKind kind, double now) {
  RateClient *client = find(rate, rate_network(address), now);
  for (int i = 0; i < RATE_KINDS; i++)
    client->left[i] =
        fmin(burst[i], client->left[i] + a_second[i] * (now - client->last));
  client->last = now;
  if (client->left[kind] < 1) return false;
  client->left[kind]--;
  return true;
}
