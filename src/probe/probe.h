/* The compliance test for players: named probes, in order, each of one or a few
   exchanges that check one thing game masters rely on. */
#ifndef TAFL_PROBE_PROBE_H
#define TAFL_PROBE_PROBE_H

#include "base/text.h"
#include "base/vector.h"
#include "io/json.h"
#include "io/socket.h"

typedef enum {
  PROBE_PASSED,
  PROBE_FAILED,
  PROBE_SKIPPED, /* a probe that it depends on did not pass */
  PROBE_NOTED    /* it failed, but what it checks is optional */
} ProbeResult;

enum { PROBE_RESULTS = PROBE_NOTED + 1 };

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
/* As tafl ping --json prints it; `whole`: with the bytes of all exchanges. */
json_t *probe_json(const ProbeFinding *finding, bool whole);
json_t *probe_json_summary(const uint32_t counts[PROBE_RESULTS]);

/* Runs all probes and calls `begun` and `found` for each. Returns false and
   sets `error` if it cannot connect. */
bool probe_player(SocketPlace *place, const ProbeOptions *options, Text *error);

#endif
