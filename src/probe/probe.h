/* The compliance test for players: named probes, in order, each of one or a few
   exchanges that check one thing game masters rely on. */
#ifndef TAFL_PROBE_PROBE_H
#define TAFL_PROBE_PROBE_H

#include "base/text.h"
#include "base/vector.h"
#include "io/socket.h"

typedef enum {
  PROBE_PASSED,
  PROBE_FAILED,
  PROBE_SKIPPED, /* a probe that it depends on did not pass */
  PROBE_NOTED    /* it failed, but what it checks is optional */
} ProbeResult;

typedef struct ProbeExchange {
  Text sent, received;    /* the essential part, usually the bodies */
  Text request, response; /* the bytes; of long ones the beginning */
  double seconds;         /* from the first byte sent to the last received */
} ProbeExchange;

typedef struct ProbeFinding {
  const char *name, *wants;
  ProbeResult result;
  Text why; /* it failed or was skipped, or a remark */
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

/* Runs all probes and calls `begun` and `found` for each. Returns false and
   sets `error` if it cannot connect. */
bool probe_player(SocketPlace *place, const ProbeOptions *options, Text *error);

#endif
