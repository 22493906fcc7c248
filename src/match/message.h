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

enum { MESSAGE_LONGEST_NAME = 256 }; /* bytes of an id or a role */

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

/* A message that is read piece by piece, so that megabytes of rules need not be
   read in one go. The text is borrowed. */
typedef struct MessageReader {
  Message message; /* without its rules */
  Text error;      /* why it is none; the caller frees it */
  const char *text;
  size_t length, at;
  enum {
    MESSAGE_HEAD, /* all, or what is before the rules */
    MESSAGE_RULES,
    MESSAGE_CLOCKS,
    MESSAGE_REST,
    MESSAGE_DONE
  } stage;
  size_t from, to; /* of the rules, in the text */
  size_t depth;    /* of parentheses, in rules and rest */
  bool bare;       /* rules without parentheses around them */
  bool comment;    /* in one */
} MessageReader;

typedef enum {
  MESSAGE_PART,  /* there is more to read */
  MESSAGE_WHOLE, /* the caller owns the message */
  MESSAGE_WRONG  /* nothing to free but the error */
} MessageProgress;

void message_begin(MessageReader *reader, const char *text, size_t length);
/* Reads on, through `bytes` bytes of rules at most. */
MessageProgress message_read(MessageReader *reader, size_t bytes);
/* Makes the text, which `body` holds, the rules of a whole message. Takes it
   over if there are any. */
void message_take_rules(MessageReader *reader, Text *body);

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
