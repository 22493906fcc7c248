/* What the server and the process of a match say to each other: packets over a
   socket pair (SOCK_SEQPACKET), each one frame, whole or not at all.

   The server numbers its requests; what the process says of a move carries the
   number of the request that it is an answer to. Times are of clock_now, which
   all processes of a machine share. */
#ifndef TAFL_PLAYER_LINK_H
#define TAFL_PLAYER_LINK_H

#include "base/text.h"

typedef enum {
  /* to the process */
  LINK_PLAY,  /* a PLAY has come: its moves, one a line, as the game master
                 wrote them, none for NIL; answer before `time` */
  LINK_AGAIN, /* answer (once more) where the match stands, before `time` */
  LINK_STOP,  /* a STOP has come: its moves; say the goals and end */
  /* from the process */
  LINK_READY, /* the start clock has been used */
  LINK_STEP,  /* joint move `number` (from 0) of the match, one a line, as the
                 process understood it: to be replayed by its successor */
  LINK_MOVE,  /* the best legal move so far for request `number` */
  LINK_FINAL, /* the same, and no better one will come */
  LINK_NOTE,  /* a line for the log */
  LINK_REPORT /* what the last thinking did, as lines of text */
} LinkKind;

enum { LINK_LARGEST = 1 << 16 }; /* bytes of a frame's text */

typedef struct LinkFrame {
  LinkKind kind;
  uint32_t number;
  double time;
  Text text; /* cleared and filled anew by each link_receive */
} LinkFrame;

typedef enum { LINK_GOT, LINK_EMPTY, LINK_CLOSED } LinkEvent;

/* False if it could not be sent: the other end is gone or reads nothing. */
bool link_send(int end, LinkKind kind, uint32_t number, double time,
               const char *text);
LinkEvent link_receive(int end, LinkFrame *frame);

#endif
