/* What the shared object `build/tafl-mpi.so` exports: MPI as a table of
   functions, under the name TRANSPORT_SYMBOL. Neither side uses symbols of the
   other besides. Every function is called by one thread at a time. */
#ifndef TAFL_CLUSTER_TRANSPORT_H
#define TAFL_CLUSTER_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRANSPORT_SYMBOL "mpi_transport"

enum {
  TRANSPORT_VERSION = 2,
  TRANSPORT_HOST = 256,    /* bytes of a host's name */
  TRANSPORT_TAGS = 1 << 15 /* every MPI has as many */
};

typedef struct Envelope {
  uint32_t from, tag;
  size_t length;
} Envelope;

typedef struct Transport {
  uint32_t version; /* TRANSPORT_VERSION */
  /* Joins the job; `local` ranks are on this host. Returns NULL, or why it
     cannot, in static memory. */
  const char *(*join)(uint32_t *own, uint32_t *count, uint32_t *local,

                      char host[TRANSPORT_HOST]);
  /* Leaves it, once all ranks do. */
  void (*leave)(void);
  void (*abort)(int status);
  /* Begins to send bytes that stay where they are until `sent` returns true
     for what is returned here, which is the end of that. Messages are at most
     INT_MAX bytes long. Returns NULL if there is no memory. */
  void *(*send)(uint32_t to, uint32_t tag, const char *bytes, size_t length);
  bool (*sent)(void *request);
  /* Looks for a message that has arrived. If there is one, `take` must follow,
     with room for its bytes. */
  bool (*look)(Envelope *envelope);
  void (*take)(char *bytes);
  /* Tells the others that this rank has nothing more to send; returns true when
     all have. */
  bool (*finished)(void);
} Transport;

#endif
