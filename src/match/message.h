/* Messages of a game master, read from the text of a request; and written, for
   the referee's side.

     message = "(" word argument* ")" | word
     INFO | PING
     START   id role rules clock clock
     PLAY    id moves
     STOP    id moves
     ABORT   id
     PREVIEW rules clock
     rules   = "(" rule* ")" | rule*      (the latter begins no list with a
   list) moves   = NIL | "(" move* ")" | nothing

   Keywords may be in any case; arguments beyond these are ignored. Names are
   kept as they are spelled. */
#ifndef TAFL_MATCH_MESSAGE_H
#define TAFL_MATCH_MESSAGE_H

#include "base/text.h"
#include "base/vector.h"

typedef enum {
  MESSAGE_INFO,
  MESSAGE_START,
  MESSAGE_PLAY,
  MESSAGE_STOP,
  MESSAGE_ABORT,
  MESSAGE_PREVIEW
} MessageKind;

typedef struct Message {
  MessageKind kind;
  Text id;            /* of the match */
  Text role;          /* START */
  Text rules;         /* START, PREVIEW: as they were written, without NUL */
  double start, play; /* START; PREVIEW has only the first; seconds */
  TextVector moves;   /* PLAY, STOP: by role; none: NIL */
} Message;

/* False, with the reason in `error` and nothing to free, if it is none. */
bool message_parse(Message *message, const char *text, size_t length,
                   Text *error);
void message_free(Message *message);
const char *message_name(MessageKind kind);

/* The first term of a text, single spaces between its words; false if there is
   none: what a game master takes for a player's move. */
bool message_first_term(const char *text, size_t length, Text *term);

void message_write_start(Text *text, const char *id, const char *role,
                         const char *rules, double start, double play);
void message_write_preview(Text *text, const char *rules, double clock);
void message_write_abort(Text *text, const char *id);
/* Moves by role; NULL: NIL. */
void message_write_moves(Text *text, MessageKind kind, const char *id,
                         const Text *moves, uint32_t count);

#endif
