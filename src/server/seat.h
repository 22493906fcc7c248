/* Our seat in a match, as the server sees it: which requests wait until when,
   and the process that thinks. Whatever happens to the process, every request
   is answered in time, with the best move that was published. */
#ifndef TAFL_SERVER_SEAT_H
#define TAFL_SERVER_SEAT_H

#include <sys/types.h>

#include "io/http.h"
#include "io/process.h"
#include "player/start.h"
#include "server/journal.h"

typedef struct Seat Seat;

/* Shared by all seats. */
typedef struct SeatHost {
  int (*flow)(const Start *start, int link);
  const AgentSpec *agent;
  BookLimits limits;
  const Scheme *scheme;  /* as in player/start.h */
  ProcessLimits process; /* of each match */
  uint32_t processors;   /* of the machine */
  uint32_t threads;      /* for each match: they share the processors */
  uint64_t seed;
  Http *http;
  int folder;      /* for journals; -1: none */
  double patience; /* seconds; see below */
  bool verbose;    /* log reports of thinking */
} SeatHost;

/* Starts a match; takes over the message. The request is answered when the
   start clock has been used. */
Seat *seat_new(const SeatHost *host, Message *start, HttpRequest *request);
/* Continues a match from its journal; takes over both. It sleeps on if it had
   fallen asleep, and is given up if its time is over. */
Seat *seat_restore(const SeatHost *host, Journal *journal, JournalMatch *match);
/* Answers whatever is waiting; the journal stays unless the match is over. */
void seat_delete(Seat *seat);

const char *seat_id(const Seat *seat);
/* A match for those who only look; borrowed until the server's next turn. */
typedef struct SeatView {
  const char *id, *role;
  const Text *rules;
  double start, play;        /* clocks */
  double begun;              /* by clock_now */
  const TextVector *history; /* joint moves made so far, one move per line */
  const Text *outlook;       /* last LINK_OUTLOOK, while somebody watches, */
  uint32_t outlooks;         /* how many there were, */
  uint32_t step;             /* and the step that it is about */
} SeatView;
SeatView seat_view(const Seat *seat);
/* True if this START repeats the one that the seat began with, and no move has
   been requested. */
bool seat_started_by(const Seat *seat, const Message *start);
void seat_start_again(Seat *seat, HttpRequest *request);
void seat_play(Seat *seat, const Message *play, HttpRequest *request);
/* The match is over: `stop` has its last moves, or is NULL if it was aborted.
 */
void seat_stop(Seat *seat, const Message *stop);

/* host->threads has changed. */
void seat_share(Seat *seat);
/* Somebody watches, or no longer does. */
void seat_watch(Seat *seat, bool watched);

/* Gives the seat up. */
void seat_leave(Seat *seat, const char *why);

/* A game master calls again when its clock has run out, at the latest. If it
   does not for a tenth of `patience`, the seat is asleep: its process is ended,
   and its place may be taken by another match, but a PLAY wakes it up. After
   all of `patience` it is given up. */
bool seat_is_asleep(const Seat *seat);
/* When the game master should have called. */
double seat_expected(const Seat *seat);

/* Over for the game master, though the process may still report the goals. */
bool seat_is_leaving(const Seat *seat);
bool seat_is_over(const Seat *seat);

int seat_file(const Seat *seat); /* to read from; -1: none */
void seat_read(Seat *seat);
/* When seat_tick has something to do. */
double seat_due(const Seat *seat);
void seat_tick(Seat *seat);
/* A child was reaped; does nothing if it is not ours. Its frames can still be
   read. */
void seat_reaped(Seat *seat, pid_t pid);

#endif
