/* The link between the server and the process of a match: packets over a socket
   pair (SOCK_SEQPACKET), one frame each, delivered whole or not at all.

   The server numbers its requests; moves from the process carry the number of
   the request that they answer. Times are those of clock_now, which is the same
   in all processes of a machine. */
#ifndef TAFL_PLAYER_LINK_H
#define TAFL_PLAYER_LINK_H

#include "base/text.h"

typedef enum {
  /* to the process */
  LINK_PLAY,    /* PLAY: its moves, one per line, as the game master wrote them,
                   empty for NIL; answer before `time` */
  LINK_AGAIN,   /* answer (again) for the current state, before `time` */
  LINK_STOP,    /* STOP: its moves; report the goals and exit */
  LINK_THREADS, /* use `number` threads, as others need the processors, or no
                   longer do */
  LINK_WATCH, /* somebody watches, or no longer does if `number` is 0: from the
                 next move on, LINK_OUTLOOK is sent */
  /* from the process */
  LINK_READY, /* the start clock has been used */
  LINK_STEP, /* joint move `number` (from 0) of the match, one move per line, as
                the process understood it; a replacement process replays it */
  LINK_MOVE, /* the best legal move so far for request `number`; 0: for any
                that it cannot answer */
  LINK_FINAL,  /* the same, and there will be no better one */
  LINK_NOTE,   /* a line for the log */
  LINK_REPORT, /* what the last thinking did, as lines of text */
  LINK_OUTLOOK /* what is thought about the state after `number` steps
                  (player/outlook.h) */
} LinkKind;

enum { LINK_LARGEST = 1 << 16 }; /* bytes of a frame's text */

typedef struct LinkFrame {
  LinkKind kind;
  uint32_t number;
  double time;
  Text text; /* replaced by each link_receive; the caller frees it */
} LinkFrame;

typedef enum { LINK_GOT, LINK_EMPTY, LINK_CLOSED } LinkEvent;

/* Returns false if the other end is closed or its buffer is full. */
bool link_send(int end, LinkKind kind, uint32_t number, double time,
               const char *text);
LinkEvent link_receive(int end, LinkFrame *frame);

#endif
