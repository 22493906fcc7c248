/* The rank 0 of a job: it talks with the master over a socket, and with the
   ranks by messages. Of the ranks of a host, the first is the host's worker
   with a thread for each of them, unless all are to be workers of their own;
   this rank may be a worker, too. */
#ifndef TAFL_CLUSTER_FOREMAN_H
#define TAFL_CLUSTER_FOREMAN_H

#include "cluster/post.h"
#include "cluster/talk.h"

typedef struct Foreman Foreman;

/* Connects to the master, whose place is that of LAUNCH_VARIABLE. Returns NULL
   and sets `error` if it cannot. */
Foreman *foreman_new(Post *post, const char *place, const char *version,
                     bool apart, Text *error);
void foreman_delete(Foreman *foreman);

int foreman_file(const Foreman *foreman); /* of the master's socket */
/* There is something to send to the master. */
bool foreman_waits(const Foreman *foreman);
/* Hears the master, deals pieces, and says what is due. Returns false if the
   job is to end. */
bool foreman_step(Foreman *foreman, double now);
/* Hears a rank: a message to the foreman. */
void foreman_hear(Foreman *foreman, uint32_t from, Text *message, double now);

#endif
