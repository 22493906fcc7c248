/* What a seat is made of, for the files that make it: seat.c (messages,
   answers, time) and seat_life.c (the process). */
#ifndef TAFL_SERVER_SEAT_PARTS_H
#define TAFL_SERVER_SEAT_PARTS_H

#include "io/process.h"
#include "server/margin.h"
#include "server/seat.h"

typedef enum {
  STARTING, /* a START waits for its answer */
  ASKED,    /* a PLAY does */
  IDLE,
  LEAVING, /* the process may say the goals, then it is killed */
  OVER
} SeatPhase;

/* The process that thinks, and those before it. */
typedef struct SeatLife {
  Process process;
  FlowLevel level;
  uint32_t deaths, retries;
  uint32_t answers;   /* by this one */
  double born, begin; /* begin: when the next one does, if there is none */
  bool shown;         /* this one has published something */
  double check;       /* when it must have, for the request; INFINITY: never */
  double set;         /* when that was set, */
  ProcessTimes times; /* and what it had done by then */
} SeatLife;

struct Seat {
  const SeatHost *host;
  Message start;
  TextVector history;
  Journal journal;
  Margin margin;
  SeatPhase phase;
  VECTOR(HttpRequest *) waiting;
  double touched; /* the last message */
  SeatLife life;

  uint32_t number;   /* of the request */
  Text moves;        /* that it told */
  TextVector untold; /* moves of this and earlier ones that no process is known
                        to have heard */
  double arrival, soft, hard, last;
  Text move, guess; /* published for this request; for any */
  bool has_move;
};

/* ---- seat.c ---- */

void seat_answer_start(Seat *seat, const char *why);
/* `final`: the process has finished. */
void seat_answer_play(Seat *seat, bool final, const char *why);
void seat_wrote(Seat *seat, bool fine, Text *error); /* to the journal */

/* ---- seat_life.c ---- */

void seat_begin_process(Seat *seat);
/* Tell it of the request, or begin one that is told. */
void seat_ask_process(Seat *seat);
/* It has answered once more. */
void seat_praise_process(Seat *seat);
/* Replace it if it hangs, begin it if it is time. */
void seat_tend_process(Seat *seat, double now);
double seat_process_due(const Seat *seat);

#endif
