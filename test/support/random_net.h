/* Random nets: fluents, moves of one to three roles, ANDs and ORs over earlier
   signals, and recursive blocks that are monotone in their variables. Legal
   moves, goals and the end depend on the state alone. */
#ifndef TAFL_TEST_SUPPORT_RANDOM_NET_H
#define TAFL_TEST_SUPPORT_RANDOM_NET_H

#include "base/random.h"
#include "net/net.h"
#include "support/front.h"

typedef VECTOR(Signal) SignalVector;

/* Returns an AND or an OR of the signals. */
Signal random_net_join(Net *net, Random *random, Signal *list, uint32_t count);

/* Returns the term (NAME NUMBER). */
Term random_net_term(Terms *terms, const char *name, uint32_t number);

/* Makes a net; `blocks`: with recursion. */
void random_net(Net *net, Terms *terms, Random *random, bool blocks);

#endif
