/* The inside of a seat, for seat.c (messages, answers, time) and seat_process.c
   (the process that thinks). */
#ifndef TAFL_SERVER_SEAT_PARTS_H
#define TAFL_SERVER_SEAT_PARTS_H

#include "player/link.h"
#include "server/margin.h"
#include "server/seat.h"

typedef enum {
  STARTING, /* a START waits for its answer */
  ASKED,    /* a PLAY does */
  IDLE,
  LEAVING, /* the process may report the goals, then it is killed */
  OVER
} SeatPhase;

/* The process that thinks, and how its predecessors did. */
typedef struct SeatProcess {
  Process process;
  StartLevel level;
  uint32_t failures;  /* crashed or hung, since the count was reset */
  uint32_t retries;   /* attempts at a higher level */
  uint32_t answers;   /* by this process */
  double begun;       /* when this one was started */
  double next;        /* when to start the next one, if there is none */
  bool shown;         /* this one has published something */
  double check;       /* when it must have, for the request; INFINITY: never */
  double check_set;   /* when `check` was set, */
  ProcessTimes times; /* and its times by then */
} SeatProcess;

struct Seat {
  const SeatHost *host;
  Message start;
  TextVector history;
  Journal journal;
  Margin margin;
  SeatPhase phase;
  VECTOR(HttpRequest *) waiting;
  double begun;    /* when it was made */
  double expected; /* when the game master should call again */
  bool asleep;     /* it did not: there is no process */
  SeatProcess worker;

  uint32_t number;   /* of the request */
  uint32_t reported; /* the last request whose report was logged */
  Text moves;        /* of the request */
  TextVector untold; /* moves of this and earlier requests that no process has
                        confirmed */
  double arrival;    /* of the request */
  double soft, hard; /* when the process must have finished; when to reply */
  double last;       /* when to reply with a guess */
  bool watched;      /* as in LINK_WATCH */
  Text outlook;      /* the last LINK_OUTLOOK, */
  uint32_t outlooks; /* how many there were, */
  uint32_t looked;   /* and the step that it is about */
  Text move, guess;  /* last published for this request; for any */
  bool has_move;
};

/* ---- seat.c ---- */

void seat_answer_start(Seat *seat, const char *why);
/* `final`: the process has finished. */
void seat_answer_play(Seat *seat, bool final, const char *why);
/* Logs a failed write to the journal; frees the error. */
void seat_wrote(Seat *seat, bool fine, Text *error);

/* ---- seat_process.c ---- */

void seat_begin_process(Seat *seat);
/* Ends it; the next request starts another one. */
void seat_end_process(Seat *seat);
/* Sends it the request; starts a process if there is none. */
void seat_ask_process(Seat *seat);
/* Counts an answer of the process. */
void seat_count_answer(Seat *seat);
/* Logs for each request before `number` that has no report yet that there is
   none: its process has ended. */
void seat_miss_reports(Seat *seat, uint32_t number);
/* Replaces it if it hangs, starts one if that is due. */
void seat_tend_process(Seat *seat, double now);
double seat_process_due(const Seat *seat);

#endif
