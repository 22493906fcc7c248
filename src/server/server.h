/* The player: one process with one thread that speaks HTTP with game masters
   and keeps a seat, with a process of its own, for each match. */
#ifndef TAFL_SERVER_SERVER_H
#define TAFL_SERVER_SERVER_H

#include "io/http.h"
#include "player/start.h"
#include "server/seat.h"

/* The matches that are played for game masters, for those who look on. */
typedef void ServerVisit(void *to, const SeatView *seat);
typedef struct ServerSeats {
  void *server;
  void (*visit)(const void *server, ServerVisit *visit, void *to);
  /* Somebody watches this one, or no longer does: its process says what it
     thinks. */
  void (*watch)(void *server, const char *id, bool watched);
} ServerSeats;

/* Somebody else who is served at the same port and in the same loop: the web
   page. Nothing here may take more than a few milliseconds. */
typedef struct ServerGuest {
  void *context; /* NULL: there is no guest */
  /* The server listens; `open`: reachable from other machines; `nice`: for
     processes of the guest, as in setpriority(2). */
  void (*begin)(void *context, Http *http, bool open, int nice);
  /* Comes before `begin`; may be NULL. */
  void (*meet)(void *context, const ServerSeats *seats);
  /* Returns how many bytes the body may have if the request is for the guest,
     who must then answer it, now or later; else 0. Called when the headers are
     there. */
  size_t (*wants)(void *context, const HttpRequest *request);
  void (*take)(void *context, HttpRequest *request, Text *body);
  /* Answers, at once, that such a request is refused. */
  void (*refuse)(void *context, HttpRequest *request, unsigned status,
                 const char *why);
  /* Calls `each` for every descriptor that wakes the guest up when it is
     readable. */
  void (*files)(void *context, void (*each)(void *to, int file), void *to);
  double (*due)(void *context); /* when `tick` has something to do */
  void (*tick)(void *context);
  void (*reaped)(void *context, pid_t pid);
  /* How many of its processes think. */
  uint32_t (*active)(void *context);
  /* Its processes may use that many threads each. */
  void (*share)(void *context, uint32_t threads);
  /* Streams of the guest end, and what waits is answered. */
  void (*end)(void *context);
} ServerGuest;

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
  const Scheme *scheme; /* as in player/start.h */
  uint32_t processors;  /* shared by the matches; 0: each has one */
  uint64_t seed;
  bool verbose; /* log reports of thinking */
  int (*flow)(const Start *start, int link);
  ServerGuest guest;
} ServerSettings;

/* Serves until SIGTERM or SIGINT; prints the address once it is listening.
   Returns false and sets `error` if it cannot listen, or the list of origins is
   wrong. */
bool server_run(const ServerSettings *settings, Text *error);

#endif
