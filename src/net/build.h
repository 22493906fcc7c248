/* Ground rules become a net, instance by instance: nothing is stored but gates.
 */
#ifndef TAFL_NET_BUILD_H
#define TAFL_NET_BUILD_H

#include "ground/ground.h"
#include "net/net.h"

/* Returns false and sets `error` if a limit was reached or negation is not
   stratified even among ground atoms. Free the net in either case. */
bool build_net(Net *net, Ground *ground, Text *error);

#endif
