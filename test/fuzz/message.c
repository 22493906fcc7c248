/* The parser of game masters' messages on any bytes. A message must be the same
   when it is written and read again, and its ids, roles and moves must be
   single terms. What is not a message must be refused with a reason. The first
   term of a text must be its own first term. */
#include "match/message.h"

#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"

static bool is_one_term(const Text *text) {
  Text term = {0}, line = {0};
  text_add_byte(&line, '\n'); /* a byte order mark is a name elsewhere */
  text_add(&line, text_string(text));
  bool same = message_first_term(line.bytes, line.length, &term) &&
              strcmp(text_string(&term), text_string(text)) == 0;
  text_free(&term);
  text_free(&line);
  return same;
}

static void write_message(const Message *message, Text *text) {
  const char *id = text_string(&message->id);
  switch (message->kind) {
  case MESSAGE_INFO: text_add(text, "(INFO)"); break;
  case MESSAGE_START:
    message_write_start(text, id, text_string(&message->role),
                        text_string(&message->rules), message->start,
                        message->play);
    break;
  case MESSAGE_PREVIEW:
    text_format(text, "(PREVIEW (%s\n) %.10g)", text_string(&message->rules),
                message->start);
    break;
  case MESSAGE_ABORT: text_format(text, "(ABORT %s)", id); break;
  default:
    message_write_moves(text, message->kind, id, message->moves.data,
                        message->moves.count);
  }
}

static void check_parts(const Message *message) {
  bool has_id =
      message->kind != MESSAGE_INFO && message->kind != MESSAGE_PREVIEW;
  promise(!has_id || is_one_term(&message->id), "an id is one term");
  promise(message->kind != MESSAGE_START || is_one_term(&message->role),
          "a role is one term");
  promise(message->start >= 0 && message->play >= 0, "clocks run forward");
  for (uint32_t i = 0; i < message->moves.count; i++)
    promise(is_one_term(&message->moves.data[i]), "a move is one term");
}

static void check_written(const Message *message) {
  Message again;
  Text first = {0}, error = {0};
  write_message(message, &first);
  promise(message_parse(&again, text_string(&first), first.length, &error),
          "a written message is a message");
  promise(again.kind == message->kind &&
              again.moves.count == message->moves.count,
          "a message read back is of the same kind");
  promise(strcmp(text_string(&again.id), text_string(&message->id)) == 0 &&
              strcmp(text_string(&again.role), text_string(&message->role)) ==
                  0,
          "id and role read back are the same");
  size_t length = message->rules.length;
  promise(!length ||
              (again.rules.length >= length &&
               memcmp(again.rules.bytes, message->rules.bytes, length) == 0),
          "rules read back are the same rules");
  promise(fabs(again.start - message->start) <= 1e-9 * message->start &&
              fabs(again.play - message->play) <= 1e-9 * message->play,
          "clocks read back are the same to nine digits");
  for (uint32_t i = 0; i < message->moves.count; i++)
    promise(strcmp(text_string(&again.moves.data[i]),
                   text_string(&message->moves.data[i])) == 0,
            "moves read back are the same moves");
  check_parts(&again);
  message_free(&again);
  text_free(&first);
  text_free(&error);
}

static void check_first_term(const char *text, size_t length) {
  Text term = {0};
  if (message_first_term(text, length, &term))
    promise(is_one_term(&term), "a first term is its own first term");
  text_free(&term);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Message message;
  Text error = {0};
  const char *text = (const char *)data;
  check_first_term(text, size);
  if (message_parse(&message, text, size, &error)) {
    promise(!error.length, "no reason where nothing is wrong");
    check_parts(&message);
    check_written(&message);
    message_free(&message);
  } else {
    promise(error.length, "a reason where something is wrong");
  }
  text_free(&error);
  return 0;
}
