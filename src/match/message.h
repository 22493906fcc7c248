/* Messages of a game master, parsed for players and written for the referee.

     message = "(" word argument* ")" | word

     INFO | PING
     START   id role rules clock clock
     PLAY    id moves
     STOP    id moves
     ABORT   id
     PREVIEW rules clock

     rules   = "(" rule* ")" | rule*      the second if a word follows the "("
     moves   = NIL | "(" move* ")" | nothing

   Keywords may be in any case; extra arguments are ignored. Names keep their
   spelling. */
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
  Text rules;         /* START, PREVIEW: as written, without NUL bytes */
  double start, play; /* seconds; START; PREVIEW has only the first */
  TextVector moves;   /* PLAY, STOP: by role; empty for NIL */
} Message;

/* Returns false and sets `error` if the text is not a message; nothing to free
   then. */
bool message_parse(Message *message, const char *text, size_t length,
                   Text *error);
void message_free(Message *message);
const char *message_name(MessageKind kind);

/* Appends the first term of the text, with single spaces: what a game master
   takes for a player's move. Returns false if there is none. */
bool message_first_term(const char *text, size_t length, Text *term);

void message_write_start(Text *text, const char *id, const char *role,
                         const char *rules, double start, double play);
void message_write_preview(Text *text, const char *rules, double clock);
void message_write_abort(Text *text, const char *id);
/* Moves by role; NULL: NIL. */
void message_write_moves(Text *text, MessageKind kind, const char *id,
                         const Text *moves, uint32_t count);

#endif
