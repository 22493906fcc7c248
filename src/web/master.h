/* The game master of one match on the page, in a process of its own: it reads
   the rules, asks agents and persons for moves, and tells the server everything
   that happens (docs/api.md: HEAD, STEP, TURN, THOUGHT). When the match ends it
   is written to the store. */
#ifndef TAFL_WEB_MASTER_H
#define TAFL_WEB_MASTER_H

#include "agent/spec.h"
#include "io/json.h"

/* Kinds of messages (web/wire.h). */
enum {
  /* from the process; data are JSON */
  MASTER_HEAD = 'h',  /* HEAD; steps stay as they are */
  MASTER_STEP = 's',  /* STEP */
  MASTER_BACK = 'b',  /* {"step": n} */
  MASTER_TURN = 't',  /* TURN */
  MASTER_LIVE = 'l',  /* a byte with the role, then THOUGHT */
  MASTER_NOTE = 'n',  /* a line for the log, plain text */
  MASTER_BRIEF = 'i', /* what GET /api/matches says of the match, without "id",
                         "kind", "watchers" and "age" */
  /* before a TURN, when it changes; without data */
  MASTER_BUSY = 'B', /* it uses a processor, or will soon */
  MASTER_IDLE = 'I', /* it waits for persons */
  MASTER_OVER = 'O', /* nothing will happen unless a person takes back */
  /* to the process; data are the JSON of the request */
  MASTER_MOVE = 'm',
  MASTER_UNDO = 'u',
  MASTER_HINT = 'e',
  MASTER_RESIGN = 'r',
  MASTER_THREADS = 'p', /* {"threads": n}: share the processors */
  MASTER_FEED = 'f'     /* of a match that is played elsewhere: {"moves": "one a
                           line"} were made, {"back": n} there are only so many
                           steps, {"end": "why"} */
};

typedef struct MasterPlan {
  const char *id;
  const char *game; /* its name; "": none */
  const char *rules;
  size_t rules_length;
  const char *name;          /* of the source, for diagnostics */
  const char *title;         /* for people; "": the first line of the rules */
  const AgentSpecs *players; /* by role; those missing are the last */
  const char *role;          /* that the first player has in a match that is
                                played elsewhere and only shown; NULL: it is
                                played here */
  double start, play;        /* clocks of agents, seconds */
  json_t *moves;             /* joint moves to begin with, or NULL */
  uint64_t seed;
  bool stylesheet;
  const char *db;      /* the store; NULL: none */
  const char *version; /* of the program, for the store */
  BookLimits limits;
  uint32_t processors, threads; /* as in player/start.h */
} MasterPlan;

/* Runs until the link is closed; returns the exit code. */
int master_run(const MasterPlan *plan, int link);

#endif
