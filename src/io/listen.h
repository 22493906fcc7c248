/* A socket that can be called, and how. */
#ifndef TAFL_IO_LISTEN_H
#define TAFL_IO_LISTEN_H

#include "base/text.h"

/* At a port of this machine's address `host`, 0 for any that is free. -1, with
   the reason in `error`, if that cannot be had. */
int listen_open(const char *host, unsigned port, Text *error);
unsigned listen_port(int file);
void listen_write_url(int file, Text *url);

#endif
