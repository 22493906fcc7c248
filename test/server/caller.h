/* Sends messages to a player on this machine through plain sockets, as old game
   masters do: HTTP/1.0, one connection for each message. */
#ifndef TAFL_TEST_SERVER_CALLER_H
#define TAFL_TEST_SERVER_CALLER_H

#include "base/text.h"
#include "support/unit.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Connects and sends `text`; returns the connection. */
int caller_send(unsigned port, const char *text, size_t length);

/* Receives everything until the end and closes the connection. */
void caller_receive(int file, Text *reply);

/* Posts the message; returns the connection. */
int caller_post(unsigned port, const char *message);

/* Returns the body, and checks what game masters need in the head. */
const char *caller_body(const Text *reply);

/* Expects the status and the body as the reply. */
void caller_expect(int file, const char *status, const char *body);

/* Posts the message and expects the body. */
void caller_ask(unsigned port, const char *message, const char *body);

#endif
