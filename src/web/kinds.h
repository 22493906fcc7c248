/* Kinds of messages (web/wire.h) between the server and the process of a match.
 */
#ifndef TAFL_WEB_KINDS_H
#define TAFL_WEB_KINDS_H

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
                           steps, {"outlook": "as in player/outlook.h",
                           "step": n}, {"end": "why"} */
};

#endif
