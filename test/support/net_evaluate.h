/* The twin of every engine: slow and obvious evaluation of a net. */
#ifndef TAFL_TEST_SUPPORT_NET_EVALUATE_H
#define TAFL_TEST_SUPPORT_NET_EVALUATE_H

#include "net/net.h"

/* Writes the value of every gate for one state and joint move to
   values[gate]. */
void net_evaluate(const Net *net, const bool *fluents, const bool *moves,
                  bool *values);

#endif
