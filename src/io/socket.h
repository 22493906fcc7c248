/* One HTTP exchange over a plain socket, for those who must send what no HTTP
   library would: bytes that trickle, bodies cut short, lengths that lie.

   Nothing blocks beyond its deadline (by clock_now). A reply is taken as
   generously as can be (without a length it ends with the connection, chunks
   are put together, a length too great is no matter), so that who looks at its
   head can say what is wrong with it and who looks at its body need not care.
 */
#ifndef TAFL_IO_SOCKET_H
#define TAFL_IO_SOCKET_H

#include <stdint.h>

#include "base/text.h"

typedef struct SocketPlace {
  Text host, port, path;
  struct addrinfo *addresses, *good; /* looked up when the first connection is
                                        made; `good` is the one that answered */
} SocketPlace;

enum { SOCKET_LARGEST = 1 << 20 }; /* bytes of a reply */

typedef struct SocketReply {
  Text bytes;        /* all that came */
  size_t head;       /* bytes of its head, with the empty line */
  int status;        /* 0: no head came */
  int64_t announced; /* Content-Length; -1: none */
  bool chunked;
  bool closed; /* the other side closed the connection */
  Text body;
} SocketReply;

typedef enum {
  SOCKET_WHOLE,  /* a reply, whole as far as one can tell */
  SOCKET_LATE,   /* it was not whole at the deadline */
  SOCKET_CLOSED, /* the connection ended before there was a reply */
  SOCKET_LARGE   /* more than SOCKET_LARGEST */
} SocketEnd;

/* Read http://HOST[:PORT][/PATH], port 9147 if there is none; false, with the
   reason in `error` and nothing to free, if it is no such URL. */
bool socket_place_read(SocketPlace *place, const char *url, Text *error);
void socket_place_free(SocketPlace *place);

/* A connection, or -1 with the reason in `error`. Close it with close. */
int socket_connect(SocketPlace *place, double deadline, Text *error);
/* False if not all could be sent. */
bool socket_send(int socket, const char *bytes, size_t length, double deadline);
SocketEnd socket_receive(int socket, SocketReply *reply, double deadline);
/* How many bytes come after a whole reply until `deadline` or the end. */
size_t socket_count_surplus(int socket, double deadline);
bool socket_has_input(int socket); /* something can be read, or it is closed */

/* The value of a header, without blanks around it; false if there is none. */
bool socket_header(const SocketReply *reply, const char *name, Text *value);
void socket_reply_free(SocketReply *reply);

#endif
