/* Messages are read token by token. Nothing here recurses: a form is skipped by
   counting parentheses, so depth costs nothing. The rules are passed on as the
   text they were; ids, roles and moves are copied by tokens, so that spaces and
   comments do not matter. */
#include "match/message.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gdl/lex.h"

static const char *const names[] = {
    [MESSAGE_INFO] = "INFO",   [MESSAGE_START] = "START",
    [MESSAGE_PLAY] = "PLAY",   [MESSAGE_STOP] = "STOP",
    [MESSAGE_ABORT] = "ABORT", [MESSAGE_PREVIEW] = "PREVIEW"};

#define KINDS (sizeof names / sizeof *names)

static const double longest_clock = 1e6; /* seconds */

typedef struct Reader {
  Source source;
  Report report;
  Lexer lexer;
  Token token; /* the next one */
} Reader;

/* A message ends at the first thing that is not a token. */
static void reader_step(Reader *reader) {
  reader->token = lex_next(&reader->lexer);
  if (reader->report.errors) reader->token.kind = TOKEN_END;
}

static void reader_init(Reader *reader, const char *text, size_t length) {
  source_init(&reader->source, "message", text, length);
  report_init(&reader->report, &reader->source);
  reader->lexer = (Lexer){&reader->source, &reader->report, 0};
  reader_step(reader);
}

static void reader_free(Reader *reader) {
  report_free(&reader->report);
  source_free(&reader->source);
}

static const char *token_text(const Reader *reader) {
  return reader->source.text + reader->token.offset;
}

static bool is_name(TokenKind kind) {
  return kind == TOKEN_WORD || kind == TOKEN_VARIABLE;
}

/* Takes one form and appends it to `text` unless that is NULL. Returns false if
   there is none or it does not end. */
static bool take_form(Reader *reader, Text *text) {
  size_t depth = 0;
  TokenKind before = TOKEN_OPEN;
  do {
    TokenKind kind = reader->token.kind;
    if (kind == TOKEN_END) return false;
    if (kind == TOKEN_CLOSE && depth-- == 0) return false;
    if (kind == TOKEN_OPEN) depth++;
    if (text) {
      if (kind != TOKEN_CLOSE && before != TOKEN_OPEN) text_add_byte(text, ' ');
      text_add_bytes(text, token_text(reader), reader->token.length);
    }
    before = kind;
    reader_step(reader);
  } while (depth);
  return true;
}

static bool wrong(Text *error, const char *what) {
  text_add(error, what);
  return false;
}

/* ---- the parts ---- */

static bool take_kind(Reader *reader, MessageKind *kind, Text *error) {
  if (reader->token.kind != TOKEN_WORD) return wrong(error, "no keyword");
  const char *text = token_text(reader);
  size_t length = reader->token.length;
  *kind = MESSAGE_INFO;
  bool found = length == 4 && !strncasecmp(text, "PING", 4);
  for (MessageKind each = 0; each < KINDS && !found; each++) {
    found = strlen(names[each]) == length &&
            !strncasecmp(text, names[each], length);
    *kind = each;
  }
  if (!found) return wrong(error, "unknown keyword");
  reader_step(reader);
  return true;
}

static bool take_id(Reader *reader, Message *message, Text *error) {
  return take_form(reader, &message->id) || wrong(error, "no match id");
}

static bool take_clock(Reader *reader, double *clock, Text *error) {
  char digits[32], *end;
  size_t length = reader->token.length;
  if (reader->token.kind != TOKEN_WORD || length >= sizeof digits)
    return wrong(error, "a clock that is not a number");
  memcpy(digits, token_text(reader), length);
  digits[length] = 0;
  *clock = strtod(digits, &end);
  if (*end || !(*clock >= 0 && *clock <= longest_clock))
    return wrong(error, "a clock that is not a number of seconds");
  reader_step(reader);
  return true;
}

/* Copies the text of the forms that follow: while they begin with `more`, or
   for TOKEN_END up to a closing parenthesis. NUL bytes, which only comments may
   have, become spaces, so that the rules are a string. */
static bool copy_rules(Reader *reader, Message *message, TokenKind more,
                       Text *error) {
  uint32_t from = reader->token.offset, to = from;
  while (reader->token.kind == more ||
         (more == TOKEN_END && reader->token.kind != TOKEN_CLOSE)) {
    if (!take_form(reader, NULL)) return wrong(error, "rules that do not end");
    to = reader->token.offset;
  }
  text_add_bytes(&message->rules, reader->source.text + from, to - from);
  for (size_t i = 0; i < message->rules.length; i++)
    if (!message->rules.bytes[i]) message->rules.bytes[i] = ' ';
  return true;
}

/* Takes a list of rules. If that list begins with a word, it is a rule itself,
   and the rules are all lists up to the next word. */
static bool take_rules(Reader *reader, Message *message, Text *error) {
  if (reader->token.kind != TOKEN_OPEN) return wrong(error, "no rules");
  Lexer ahead = reader->lexer;
  if (lex_next(&ahead).kind == TOKEN_WORD)
    return copy_rules(reader, message, TOKEN_OPEN, error);
  reader_step(reader);
  if (!copy_rules(reader, message, TOKEN_END, error)) return false;
  reader_step(reader);
  return true;
}

static bool is_nil(const Reader *reader) {
  return reader->token.kind == TOKEN_WORD && reader->token.length == 3 &&
         !strncasecmp(token_text(reader), "NIL", 3);
}

static bool take_moves(Reader *reader, Message *message, Text *error) {
  if (reader->token.kind == TOKEN_CLOSE) return true;
  if (is_nil(reader)) {
    reader_step(reader);
    return true;
  }
  if (reader->token.kind != TOKEN_OPEN) return wrong(error, "no list of moves");
  reader_step(reader);
  while (reader->token.kind != TOKEN_CLOSE) {
    Text move = {0};
    bool fine = take_form(reader, &move);
    vector_push(&message->moves, move);
    if (!fine) return wrong(error, "moves that do not end");
  }
  reader_step(reader);
  return true;
}

static bool take_start(Reader *reader, Message *message, Text *error) {
  if (!take_id(reader, message, error)) return false;
  if (!take_form(reader, &message->role)) return wrong(error, "no role");
  return take_rules(reader, message, error) &&
         take_clock(reader, &message->start, error) &&
         take_clock(reader, &message->play, error);
}

static bool take_preview(Reader *reader, Message *message, Text *error) {
  if (!take_rules(reader, message, error)) return false;
  return !is_name(reader->token.kind) ||
         take_clock(reader, &message->start, error);
}

static bool take_arguments(Reader *reader, Message *message, Text *error) {
  switch (message->kind) {
  case MESSAGE_START: return take_start(reader, message, error);
  case MESSAGE_PREVIEW: return take_preview(reader, message, error);
  case MESSAGE_ABORT: return take_id(reader, message, error);
  case MESSAGE_PLAY:
  case MESSAGE_STOP:
    return take_id(reader, message, error) &&
           take_moves(reader, message, error);
  default: return true;
  }
}

static bool take_end(Reader *reader, Text *error) {
  while (reader->token.kind != TOKEN_CLOSE)
    if (!take_form(reader, NULL)) return wrong(error, "unclosed parenthesis");
  return true;
}

static bool take_message(Reader *reader, Message *message, Text *error) {
  if (reader->token.kind == TOKEN_WORD)
    return take_kind(reader, &message->kind, error) &&
           (message->kind == MESSAGE_INFO || wrong(error, "no list"));
  if (reader->token.kind != TOKEN_OPEN) return wrong(error, "no list");
  reader_step(reader);
  return take_kind(reader, &message->kind, error) &&
         take_arguments(reader, message, error) && take_end(reader, error);
}

/* ---- messages ---- */

bool message_parse(Message *message, const char *text, size_t length,
                   Text *error) {
  Reader reader;
  *message = (Message){0};
  reader_init(&reader, text, length);
  bool fine = take_message(&reader, message, error);
  if (reader.report.errors) {
    text_clear(error);
    fine = wrong(error, reader.report.list.data[0].message);
  }
  reader_free(&reader);
  if (!fine) message_free(message);
  return fine;
}

void message_free(Message *message) {
  text_free(&message->id);
  text_free(&message->role);
  text_free(&message->rules);
  text_vector_free(&message->moves);
}

const char *message_name(MessageKind kind) {
  return names[kind];
}

bool message_first_term(const char *text, size_t length, Text *term) {
  Reader reader;
  reader_init(&reader, text, length);
  bool fine = take_form(&reader, term);
  reader_free(&reader);
  return fine;
}

void message_write_start(Text *text, const char *id, const char *role,
                         const char *rules, double start, double play) {
  text_format(text, "(START %s %s (%s\n) %.10g %.10g)", id, role, rules, start,
              play);
}

void message_write_preview(Text *text, const char *rules, double clock) {
  text_format(text, "(PREVIEW (%s\n) %.10g)", rules, clock);
}

void message_write_abort(Text *text, const char *id) {
  text_format(text, "(ABORT %s)", id);
}

void message_write_moves(Text *text, MessageKind kind, const char *id,
                         const Text *moves, uint32_t count) {
  text_format(text, "(%s %s ", message_name(kind), id);
  if (!moves) text_add(text, "NIL");
  for (uint32_t i = 0; moves && i < count; i++) {
    text_add_byte(text, i ? ' ' : '(');
    text_add(text, text_string(&moves[i]));
  }
  text_add(text, moves ? "))" : ")");
}
