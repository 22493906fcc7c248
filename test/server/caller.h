/* Messages to a player on this machine over plain sockets, as old game masters
   send them: HTTP/1.0, one connection each. */
#ifndef TAFL_TEST_SERVER_CALLER_H
#define TAFL_TEST_SERVER_CALLER_H

#include "base/text.h"
#include "support/unit.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Connects and sends the text; returns the connection. */
int caller_send(unsigned port, const char *text, size_t length);

/* Receives everything and closes the connection. */
void caller_receive(int file, Text *reply);

int caller_post(unsigned port, const char *message);

/* Returns the body, if a game master would accept the reply. */
const char *caller_body(const Text *reply);

/* Expects this status and body, and closes the connection. */
void caller_expect(int file, const char *status, const char *body);

void caller_ask(unsigned port, const char *message, const char *body);

#endif
