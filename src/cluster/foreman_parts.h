/* The inside of a foreman. */
#ifndef TAFL_CLUSTER_FOREMAN_PARTS_H
#define TAFL_CLUSTER_FOREMAN_PARTS_H

#include "cluster/channel.h"
#include "cluster/deal.h"
#include "cluster/foreman.h"
#include "cluster/sums.h"

/* A rank. */
typedef struct ForemanMate {
  bool known;       /* it has said where it is */
  uint32_t threads; /* as a worker; 0: it sleeps, or is not yet one */
  uint32_t lanes;   /* of each thread */
  bool reported;    /* its book is made, or cannot be */
  bool ready;       /* it works */
  uint64_t print;   /* of its net; 0: none */
  double heard;     /* when we last heard of it */
  Text host;
  RootSums sums; /* its latest, at the current state */
} ForemanMate;

struct Foreman {
  Post *post; /* borrowed */
  bool apart, assigned;
  uint32_t count;
  ForemanMate *mates; /* by rank */
  uint32_t hosts, workers, ready, failed;
  Channel master;
  double heard, beaten, rooted; /* when it was last heard of, told of us, and
                                   told of roots */
  SchemeKind scheme;
  Text job, stand, scores; /* messages; empty: none yet */
  uint64_t print;          /* of the master's net; 0: not known yet */
  uint32_t epoch;
  bool resting, roots_new;
  Deal deal;
  uint64_t pieces, leaves;
  Text message; /* buffer */
};

/* Gives the job to workers, once it and all ranks are known. Returns false if
   it is none. */
bool foreman_assign(Foreman *foreman);
/* Lets a worker work if it can, and its net is the master's. */
void foreman_admit(Foreman *foreman, uint32_t rank);
/* Sends a message to all that work. */
void foreman_tell_workers(Foreman *foreman, const Text *message);
/* Tells each what the others found, all together being `all`. */
void foreman_tell_others(Foreman *foreman, const RootSums *all);
/* The host's name is borrowed. */
void foreman_status(const Foreman *foreman, double now, Status *status);

#endif
