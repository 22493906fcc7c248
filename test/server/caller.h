/* Messages sent to a player on this machine through plain sockets, as a game
   master of old does: HTTP/1.0, one connection each. */
#ifndef TAFL_TEST_SERVER_CALLER_H
#define TAFL_TEST_SERVER_CALLER_H

#include "base/text.h"
#include "support/unit.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* A connection, and `text` sent through it. */
int caller_send(unsigned port, const char *text, size_t length);

/* All that comes back; the connection is closed. */
void caller_receive(int file, Text *reply);

int caller_post(unsigned port, const char *message);

/* The body, if the reply is one that a game master takes. */
static const char *caller_body(const Text *reply) {
  const char *text = text_string(reply);
  const char *head_end = strstr(text, "\r\n\r\n");
  const char *length = strstr(text, "Content-Length: ");
  if (!head_end || !length || length > head_end) return "(no reply)";
  assert_non_null(strstr(text, "Access-Control-Allow-Origin: *"));
  assert_non_null(strstr(text, "Content-Type: text/acl"));
  assert_null(strstr(text, "chunked"));
  assert_int_equal(strtoul(length + 16, NULL, 10), strlen(head_end + 4));
  return head_end + 4;
}

/* What is to come back through `file`. */
void caller_expect(int file, const char *status, const char *body);

void caller_ask(unsigned port, const char *message, const char *body);

#endif
