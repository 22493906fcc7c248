/* A match of the store as the page shows it: a MATCH of docs/api.md that is
   over. The moves are played once more by the rules that are stored with them;
   where they do not fit, the match ends early and says so. */
#ifndef TAFL_WEB_WORKS_REPLAY_H
#define TAFL_WEB_WORKS_REPLAY_H

#include "store/archive.h"
#include "web/web.h"

typedef enum {
  REPLAY_DONE,
  REPLAY_NONE,  /* there is no such match */
  REPLAY_FAILED /* see `error` */
} ReplayEnd;

/* At most; what does not fit is left out, and the match says so. */
enum { REPLAY_BYTES = 24 << 20, REPLAY_SECONDS = 20 };

/* Appends the MATCH. */
ReplayEnd works_replay(Results *results, int64_t id,
                       const WebSettings *settings, Text *json, Text *error);

#endif
