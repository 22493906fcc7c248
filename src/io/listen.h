/* A listening socket and its address. */
#ifndef TAFL_IO_LISTEN_H
#define TAFL_IO_LISTEN_H

#include "base/text.h"

/* Listens at the local address `host`; port 0 takes any free one. Returns the
   socket, or -1 and sets `error` and errno. */
int listen_open(const char *host, unsigned port, Text *error);
enum { LISTEN_ADDRESS = 64 };
void listen_address(int file, char address[LISTEN_ADDRESS]); /* numeric */
unsigned listen_port(int file);
void listen_write_url(int file, Text *url);

#endif
