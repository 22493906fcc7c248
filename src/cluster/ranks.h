/* The ranks of a job and the messages between them, by MPI. The program is not
   linked with MPI: `build/tafl-mpi.so` (src/cluster/mpi.c) is, and is loaded by
   ranks_open; where it was not built, everything but the cluster works.

   Nothing here waits for another rank, except ranks_open and ranks_close. One
   thread uses the ranks. */
#ifndef TAFL_CLUSTER_RANKS_H
#define TAFL_CLUSTER_RANKS_H

#include "base/text.h"

typedef struct Ranks Ranks;

typedef struct RankMessage {
  uint32_t from;
  uint32_t tag;
  Text body; /* bytes, perhaps with zeros among them */
} RankMessage;

/* Joins the job that this process was started in (mpirun, srun). Returns NULL
   and says why if there is no MPI in this build or it cannot start; a process
   that nobody started as a rank is the only rank of a job of its own. */
Ranks *ranks_open(Text *why);
/* Returns false, and says why, if there is no MPI in this build; joins nothing.
 */
bool ranks_available(Text *why);
/* Waits until all ranks close. */
void ranks_close(Ranks *ranks);
/* Ends all ranks at once, with this exit status; does not return. */
_Noreturn void ranks_abort(Ranks *ranks, int status);

uint32_t ranks_own(const Ranks *ranks);
uint32_t ranks_count(const Ranks *ranks);
uint32_t ranks_local(const Ranks *ranks);   /* on this process's host */
const char *ranks_host(const Ranks *ranks); /* of this process */

/* Begins to send a message, whose bytes are moved out of `body`. Messages from
   one rank to another with the same tag arrive in order. */
void ranks_send(Ranks *ranks, uint32_t to, uint32_t tag, Text *body);
/* Bytes that are not sent yet. */
size_t ranks_unsent(Ranks *ranks);
/* Takes a message that has arrived; returns false if there is none. The body
   is the caller's to free. */
bool ranks_receive(Ranks *ranks, RankMessage *message);
/* Sleeps until a message has arrived or so many seconds have passed; returns
   true if one has. */
bool ranks_wait(Ranks *ranks, double seconds);

#endif
