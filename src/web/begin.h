/* What a client wants to play (POST /api/matches, docs/api.md): read, checked,
   and made into a plan. */
#ifndef TAFL_WEB_BEGIN_H
#define TAFL_WEB_BEGIN_H

#include "web/master.h"
#include "web/web.h"

typedef struct Begin {
  MasterPlan plan; /* borrows from below; without `threads` */
  unsigned status; /* of a refusal, */
  Text error;      /* with the reason */
  Text id, game, rules, source, title;
  AgentSpecs players;
  json_t *moves; /* or NULL */
} Begin;

/* Returns false with `status` and `error` if the text makes no sense. Free
   either way. */
bool begin_read(Begin *begin, const WebSettings *settings, const char *text,
                size_t length);
void begin_free(Begin *begin);

#endif
