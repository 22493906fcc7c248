/* The compliance test of a player: named probes, in order, each an exchange or
   a few that look for one thing that game masters rely on. */
#ifndef TAFL_PROBE_PROBE_H
#define TAFL_PROBE_PROBE_H

#include "base/text.h"
#include "base/vector.h"
#include "io/socket.h"

typedef enum {
  PROBE_PASSED,
  PROBE_FAILED,
  PROBE_SKIPPED, /* one that it builds on did not pass */
  PROBE_NOTED    /* what it looks for is missing, and nobody must have it */
} ProbeResult;

typedef struct ProbeExchange {
  Text sent, received;    /* what matters of it: mostly the bodies */
  Text request, response; /* as bytes, the beginning of long ones */
  double seconds;         /* from the first byte sent to the last received */
} ProbeExchange;

typedef struct ProbeFinding {
  const char *name, *wants;
  ProbeResult result;
  Text why; /* it failed or was skipped; or a remark */
  VECTOR(ProbeExchange) exchanges;
  double seconds;
} ProbeFinding;

typedef struct ProbeOptions {
  double start, play; /* clocks, seconds */
  void *context;
  void (*begun)(void *context, uint32_t number, const char *name);
  void (*found)(void *context, const ProbeFinding *finding);
} ProbeOptions;

uint32_t probe_count(void);
const char *probe_result_name(ProbeResult result);

/* All probes, each told of when it begins and when it is over. False, with the
   reason in `error`, if there is nobody at that place. */
bool probe_player(SocketPlace *place, const ProbeOptions *options, Text *error);

#endif
