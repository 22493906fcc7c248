/* The player: one process with one thread that speaks HTTP with game masters
   and keeps a seat, with a process of its own, for each match. */
#ifndef TAFL_SERVER_SERVER_H
#define TAFL_SERVER_SERVER_H

#include "player/flow.h"

typedef struct ServerSettings {
  const char *bind, *name;
  unsigned port;     /* 0: any that is free */
  const char *state; /* folder for journals */
  size_t body;       /* bytes of a message */
  size_t memory;     /* bytes of data for each match */
  uint32_t matches;  /* at once */
  const AgentSpec *agent;
  BookLimits limits;
  uint64_t seed;
  bool verbose; /* log what was thought */
  int (*flow)(const FlowStart *start, int link);
} ServerSettings;

/* Serve until SIGTERM or SIGINT; prints the address once it can be called.
   False, with the reason in `error`, if it cannot. */
bool server_run(const ServerSettings *settings, Text *error);

#endif
