/* The player: one process with one thread that speaks HTTP with game masters
   and keeps a seat, with a process of its own, for each match. */
#ifndef TAFL_SERVER_SERVER_H
#define TAFL_SERVER_SERVER_H

#include "player/start.h"

typedef struct ServerSettings {
  const char *bind, *name;
  unsigned port;     /* 0: any free one */
  const char *state; /* folder for journals */
  size_t body;       /* longest message, bytes */
  size_t memory;     /* memory limit of each match process, bytes */
  uint32_t matches;  /* at once */
  const char *allow_host, *allow_origin; /* lists; see io/guard.h */
  double longest_start, longest_play;    /* longer clocks are taken as these */
  double patience; /* seconds until a seat is given up; see server/seat.h */
  const AgentSpec *agent;
  BookLimits limits;
  uint32_t processors; /* shared by the matches; 0: each has one */
  uint64_t seed;
  bool verbose; /* log reports of thinking */
  int (*flow)(const Start *start, int link);
} ServerSettings;

/* Serves until SIGTERM or SIGINT; prints the address once it is listening.
   Returns false and sets `error` if it cannot listen, or the list of origins is
   wrong. */
bool server_run(const ServerSettings *settings, Text *error);

#endif
