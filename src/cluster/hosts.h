/* Where the ranks of a job are to run: so many on this machine, or on the hosts
   of a file in the form of Open MPI's: a name on each line, perhaps with
   slots=N, and comments after #. A host that does not answer is left out, until
   it does again. */
#ifndef TAFL_CLUSTER_HOSTS_H
#define TAFL_CLUSTER_HOSTS_H

#include "base/text.h"

typedef struct Host {
  Text name;
  uint32_t slots;
  bool dead;
  double asked; /* when it was last asked whether it is there, by clock_now */
} Host;

typedef struct Hosts {
  uint32_t ranks; /* if the list is empty */
  VECTOR(Host) list;
} Hosts;

enum { HOSTS_RANKS = 65536 }; /* at most */

/* Reads a number of ranks, or the file of that name. Returns false and sets
   `error` if it is neither; nothing to free. */
bool hosts_read(Hosts *hosts, const char *what, Text *error);
void hosts_copy(Hosts *hosts, const Hosts *from);
void hosts_free(Hosts *hosts);

/* Of those that are not dead. */
uint32_t hosts_ranks(const Hosts *hosts);
uint32_t hosts_living(const Hosts *hosts);
/* Appends the names of the dead ones, with commas. */
void hosts_write_dead(const Hosts *hosts, Text *text);
/* True if there is no other host than this machine. */
bool hosts_local(const Hosts *hosts);

#endif
