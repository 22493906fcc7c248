/* One HTTP exchange over a plain socket, for callers that must send what no
   HTTP library would: trickling bytes, truncated bodies, wrong lengths.

   Nothing blocks beyond its deadline (by clock_now). Replies are read leniently
   (without a length they end with the connection, chunks are joined, too large
   a length is accepted): callers that check the head see what is wrong, callers
   that read the body need not care. */
#ifndef TAFL_IO_SOCKET_H
#define TAFL_IO_SOCKET_H

#include <stdint.h>

#include "base/text.h"

typedef struct SocketPlace {
  Text host, port, path;
  struct addrinfo *addresses, *good; /* looked up for the first connection;
                                        `good` is the one that answered */
} SocketPlace;

enum { SOCKET_LARGEST = 1 << 20 }; /* bytes of a reply */

typedef struct SocketReply {
  Text bytes;        /* everything received */
  size_t head;       /* length of the head, with the empty line */
  int status;        /* 0: no head was received */
  int64_t announced; /* Content-Length, or -1 */
  bool chunked;
  bool closed; /* the other side closed the connection */
  Text body;
} SocketReply;

typedef enum {
  SOCKET_WHOLE,  /* a complete reply, as far as one can tell */
  SOCKET_LATE,   /* it was not complete at the deadline */
  SOCKET_CLOSED, /* the connection was closed before a reply */
  SOCKET_LARGE   /* more than SOCKET_LARGEST */
} SocketEnd;

/* Parses http://HOST[:PORT][/PATH]; `port` is the default. Returns false and
   sets `error` if it is not such a URL; nothing to free. */
bool socket_place_read(SocketPlace *place, const char *url, const char *port,
                       Text *error);
void socket_place_free(SocketPlace *place);

/* Returns a connection, to be closed by close, or -1 and sets `error`. */
int socket_connect(SocketPlace *place, double deadline, Text *error);
/* Returns false if not all could be sent. */
bool socket_send(int socket, const char *bytes, size_t length, double deadline);
SocketEnd socket_receive(int socket, SocketReply *reply, double deadline);
/* Counts the bytes after a complete reply, until `deadline` or the end. */
size_t socket_count_surplus(int socket, double deadline);
bool socket_has_input(int socket); /* true also if it was closed */

/* Appends the value of a header, trimmed; returns false if there is none. */
bool socket_header(const SocketReply *reply, const char *name, Text *value);
void socket_reply_free(SocketReply *reply);

#endif
