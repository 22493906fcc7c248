/* Our seat in a match, as the server sees it: who waits for what until when,
   and the process that thinks. Whatever becomes of the process, everyone who
   waits is answered in time, with the best move that was published. */
#ifndef TAFL_SERVER_SEAT_H
#define TAFL_SERVER_SEAT_H

#include <sys/types.h>

#include "io/http.h"
#include "player/flow.h"
#include "server/journal.h"

typedef struct Seat Seat;

/* What all seats share. */
typedef struct SeatHost {
  int (*flow)(const FlowStart *start, int link);
  const AgentSpec *agent;
  BookLimits limits;
  size_t memory; /* bytes of data that a process may have */
  uint64_t seed;
  Http *http;
  int folder;   /* of journals; -1: none */
  bool verbose; /* reports of thinking go to the log */
} SeatHost;

/* From a START, which it takes over; the request is answered when the start
   clock has been used. */
Seat *seat_new(const SeatHost *host, Message *start, HttpRequest *request);
/* From a journal; takes over both. */
Seat *seat_restore(const SeatHost *host, Journal *journal, JournalMatch *match);
/* Everyone who waits has an answer; the journal stays unless the match is over.
 */
void seat_delete(Seat *seat);

const char *seat_id(const Seat *seat);
/* Whether a START is the one that the seat began with, once more, and no move
   has been asked for. */
bool seat_started_by(const Seat *seat, const Message *start);
void seat_start_again(Seat *seat, HttpRequest *request);
void seat_play(Seat *seat, const Message *play, HttpRequest *request);
/* The match is over: with its last moves, or NULL if it was aborted. */
void seat_stop(Seat *seat, const Message *stop);

/* Over for the game master, whatever the process still has to say. */
bool seat_is_leaving(const Seat *seat);
bool seat_is_over(const Seat *seat);

int seat_file(const Seat *seat); /* to read from; -1: none */
void seat_read(Seat *seat);
/* When seat_tick has something to do. */
double seat_due(const Seat *seat);
void seat_tick(Seat *seat);
pid_t seat_process(const Seat *seat);
/* Its process has been taken leave of; what it said is still to be read. */
void seat_lost_process(Seat *seat);

#endif
