/* Messages are read token by token. Nothing here recurses: a form is skipped by
   counting parentheses, so depth costs nothing. Ids, roles and moves are copied
   by tokens, so that spaces and comments do not matter.

   The rules are passed on as the text they were, and only skimmed for their
   end, in pieces: parentheses are counted and comments skipped, a nanosecond or
   so per byte. What comes before and after the rules is read token by token,
   but must lie within WINDOW bytes. */
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

enum { WINDOW = 64 << 10 };

static const double longest_clock = 1e6; /* seconds */

typedef struct Reader {
  Source source;
  Report report;
  Lexer lexer;
  bool cut;    /* the text goes on beyond the source */
  Token token; /* the next one */
} Reader;

/* A message ends at the first thing that is not a token, or not a whole one. */
static void reader_step(Reader *reader) {
  reader->token = lex_next(&reader->lexer);
  bool last =
      reader->token.offset + reader->token.length == reader->source.length;
  if (reader->report.errors || (reader->cut && last))
    reader->token.kind = TOKEN_END;
}

/* Reads the first `window` bytes of the text at most. */
static void reader_init(Reader *reader, const char *text, size_t length,
                        size_t window) {
  reader->cut = length > window;
  source_init(&reader->source, "message", text, reader->cut ? window : length);
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

static bool take_name(Reader *reader, Text *name, const char *what,
                      Text *error) {
  bool cut = reader->cut && reader->token.length > MESSAGE_LONGEST_NAME;
  bool fine = take_form(reader, name);
  if (fine && name->length <= MESSAGE_LONGEST_NAME) return true;
  if (fine || cut)
    text_format(error, "a %s of more than %d bytes", what,
                MESSAGE_LONGEST_NAME);
  else
    text_format(error, "no %s", what);
  return false;
}

static bool take_id(Reader *reader, Message *message, Text *error) {
  return take_name(reader, &message->id, "match id", error);
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

static bool take_arguments(Reader *reader, Message *message, Text *error) {
  switch (message->kind) {
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

static bool take_opening(Reader *reader, MessageKind *kind, Text *error) {
  if (reader->token.kind == TOKEN_WORD)
    return take_kind(reader, kind, error) &&
           (*kind == MESSAGE_INFO || wrong(error, "no list"));
  if (reader->token.kind != TOKEN_OPEN) return wrong(error, "no list");
  reader_step(reader);
  return take_kind(reader, kind, error);
}

static bool take_message(Reader *reader, Message *message, Text *error) {
  bool bare = reader->token.kind == TOKEN_WORD;
  return take_opening(reader, &message->kind, error) &&
         (bare ||
          (take_arguments(reader, message, error) && take_end(reader, error)));
}

/* ---- messages with rules, in pieces ---- */

static bool has_rules(MessageKind kind) {
  return kind == MESSAGE_START || kind == MESSAGE_PREVIEW;
}

/* Frees the reader; what is not a token is the first thing wrong. */
static bool close_reader(Reader *reader, bool fine, Text *error) {
  if (reader->report.errors) {
    text_clear(error);
    fine = wrong(error, reader->report.list.data[0].message);
  }
  reader_free(reader);
  return fine;
}

static bool take_names(Reader *reader, Message *message, Text *error) {
  return message->kind != MESSAGE_START ||
         (take_id(reader, message, error) &&
          take_name(reader, &message->role, "role", error));
}

/* Finds where the rules begin. If their list begins with a word, it is a rule
   itself, and the rules are all lists up to the next word. */
static bool open_rules(MessageReader *whole, Reader *reader, Text *error) {
  if (reader->token.kind != TOKEN_OPEN) return wrong(error, "no rules");
  size_t list = reader->token.offset;
  reader_step(reader);
  if (reader->token.kind == TOKEN_END)
    return wrong(error, "rules that do not end");
  whole->bare = reader->token.kind == TOKEN_WORD;
  whole->at = whole->from = whole->bare ? list : reader->token.offset;
  whole->depth = whole->bare ? 0 : 1;
  whole->stage = MESSAGE_RULES;
  return true;
}

/* Reads all of a short message, or one with rules up to them. */
static bool read_head(MessageReader *whole) {
  Reader reader;
  Message *message = &whole->message;
  Text *error = &whole->error;
  reader_init(&reader, whole->text, whole->length, WINDOW);
  bool fine = take_opening(&reader, &message->kind, error);
  if (fine && has_rules(message->kind))
    return close_reader(&reader,
                        take_names(&reader, message, error) &&
                            open_rules(whole, &reader, error),
                        error);
  if (!close_reader(&reader, fine, error)) return false;
  reader_init(&reader, whole->text, whole->length, whole->length);
  whole->stage = MESSAGE_DONE;
  return close_reader(&reader, take_message(&reader, message, error), error);
}

/* Reads the clocks after the rules. */
static bool read_clocks(MessageReader *whole) {
  Reader reader;
  Message *message = &whole->message;
  Text *error = &whole->error;
  reader_init(&reader, whole->text + whole->at, whole->length - whole->at,
              WINDOW);
  bool fine = message->kind == MESSAGE_PREVIEW && !is_name(reader.token.kind);
  fine = fine || take_clock(&reader, &message->start, error);
  if (fine && message->kind == MESSAGE_START)
    fine = take_clock(&reader, &message->play, error);
  whole->at += reader.token.offset;
  whole->depth = 1;
  whole->bare = false;
  whole->stage = MESSAGE_REST;
  return close_reader(&reader, fine, error);
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_mark(char c) {
  return c == '(' || c == ')' || c == ';';
}

/* Goes on to `end` at most; returns true if the list, or the row of lists, that
   the text is in ends before: at `at`. */
static bool skim(MessageReader *whole, size_t end) {
  const char *text = whole->text;
  size_t at = whole->at, depth = whole->depth;
  bool found = false;
  while (at < end && !found) {
    if (whole->comment) {
      const char *line = memchr(text + at, '\n', end - at);
      at = line ? (size_t)(line - text) : end;
      whole->comment = !line;
      continue;
    }
    if (depth)
      while (at < end && !is_mark(text[at])) at++;
    else
      while (at < end && is_blank(text[at])) at++;
    if (at == end) break;
    char c = text[at];
    whole->comment = c == ';';
    found =
        depth ? c == ')' && depth == 1 && !whole->bare : c != '(' && c != ';';
    if (c == '(') depth++;
    if (c == ')' && depth) depth--;
    if (!found) at++;
  }
  whole->at = at;
  whole->depth = depth;
  return found;
}

static MessageProgress progress(MessageReader *whole, bool fine) {
  if (!fine) {
    message_free(&whole->message);
    return MESSAGE_WRONG;
  }
  return whole->stage == MESSAGE_DONE ? MESSAGE_WHOLE : MESSAGE_PART;
}

void message_begin(MessageReader *reader, const char *text, size_t length) {
  *reader = (MessageReader){.text = text, .length = length};
}

/* The rules and what is after the clocks, in pieces of `bytes`. */
static bool read_piece(MessageReader *reader, size_t bytes) {
  size_t left = reader->length - reader->at;
  bool rules = reader->stage == MESSAGE_RULES;
  if (skim(reader, reader->at + (bytes < left ? bytes : left))) {
    reader->to = rules ? reader->at : reader->to;
    reader->at += rules && !reader->bare;
    reader->stage++;
    return true;
  }
  return reader->at < reader->length ||
         wrong(&reader->error,
               rules ? "rules that do not end" : "unclosed parenthesis");
}

MessageProgress message_read(MessageReader *reader, size_t bytes) {
  switch (reader->stage) {
  case MESSAGE_HEAD: return progress(reader, read_head(reader));
  case MESSAGE_CLOCKS: return progress(reader, read_clocks(reader));
  case MESSAGE_RULES:
  case MESSAGE_REST: return progress(reader, read_piece(reader, bytes));
  default: return MESSAGE_WHOLE;
  }
}

/* NUL bytes become spaces, so that the rules are a string. */
void message_take_rules(MessageReader *reader, Text *body) {
  Text *rules = &reader->message.rules;
  size_t length = reader->to - reader->from;
  if (!length) return;
  *rules = *body;
  *body = (Text){0};
  memmove(rules->bytes, rules->bytes + reader->from, length);
  rules->length = length;
  rules->bytes[length] = '\0';
  for (char *c = rules->bytes, *end = c + length;
       (c = memchr(c, '\0', (size_t)(end - c)));)
    *c = ' ';
}

/* ---- messages ---- */

bool message_parse(Message *message, const char *text, size_t length,
                   Text *error) {
  MessageReader reader;
  MessageProgress progress;
  message_begin(&reader, text, length);
  do progress = message_read(&reader, length);
  while (progress == MESSAGE_PART);
  if (progress == MESSAGE_WRONG) {
    text_add(error, text_string(&reader.error));
    text_free(&reader.error);
    return false;
  }
  Text copy = {0};
  if (reader.to > reader.from) text_add_bytes(&copy, text, reader.to);
  message_take_rules(&reader, &copy);
  *message = reader.message;
  return true;
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
  reader_init(&reader, text, length, length);
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
