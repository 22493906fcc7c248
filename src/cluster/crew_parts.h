/* The inside of a crew: what the search's thread and the crew's share, under
   one lock that nobody holds for long.

   The search's thread allocates nothing but what it is given, since it may be
   in a trial: it writes into places that were made before, and what it does not
   need any more is `trash` that the crew's thread frees. */
#ifndef TAFL_CLUSTER_CREW_PARTS_H
#define TAFL_CLUSTER_CREW_PARTS_H

#include <pthread.h>
#include <time.h>

#include "cluster/crew.h"
#include "cluster/talk.h"

enum {
  CREW_TASKS = 512,  /* under way at once; the search has half as many */
  CREW_OUT = 8 << 20 /* bytes of tasks that wait for the crew's thread */
};

/* A message that has arrived. */
typedef struct Packet {
  struct Packet *next;
  uint32_t first; /* of a result: its first leaf */
  Text message;
} Packet;

typedef enum { CREW_FREE, CREW_SENT, CREW_DONE, CREW_LOST } CrewTaskState;

typedef struct CrewTask {
  CrewTaskState state;
  uint32_t number, leaves, got;
  Packet *packets; /* of what it got, by leaf */
} CrewTask;

struct Crew {
  Ally ally;
  const Scheme *scheme;
  Text job; /* message */
  void (*note)(void *context, const char *line);
  void *context;
  pthread_t thread;
  int poke; /* eventfd that wakes the crew's thread */
  pthread_mutex_t lock;
  pthread_cond_t changed;

  /* The net; words 0: not known yet. */
  uint32_t words, moves, roles;
  uint64_t print;

  bool ending, woken;
  bool left;                  /* nobody else knows the crew any more */
  bool working;               /* tasks are taken */
  bool settled;               /* all workers are ready, or cannot be */
  bool damaged;               /* a message was none */
  uint32_t epoch;             /* 0: the search never stood anywhere */
  uint32_t wanted, under_way; /* leaves */

  CrewTask tasks[CREW_TASKS];
  uint32_t done[CREW_TASKS], done_count; /* tasks to be taken, in order */
  Text out;                              /* tasks as frames of a channel */
  bool stand_new, rest_new, scores_new;  /* to be sent */
  bool resting;
  Stand stand;
  double *scores, scored; /* when they were last given */
  Packet *roots;          /* the latest */
  bool roots_new;
  uint64_t roots_simulations, roots_states; /* counted of these roots */
  Packet *trash;
  CrewCounts counts;
};

extern const AllyOperations crew_operations;

void crew_lock(Crew *crew);
void crew_unlock(Crew *crew);
void crew_poke(Crew *crew); /* wakes the crew's thread */
/* So many seconds from now, as condition variables of a crew take it. */
struct timespec crew_moment(double seconds);

/* ---- with the lock held ---- */

/* Moves the list to the trash. */
void crew_drop(Crew *crew, Packet **list);
/* Nothing of the state before will be taken. */
void crew_forget(Crew *crew);
/* Tasks that are under way are lost, and nothing is taken any more. */
void crew_lose(Crew *crew);
/* A result has arrived; returns false if it is damaged. */
bool crew_receive(Crew *crew, Packet *packet);

/* ---- in the crew's thread ---- */

void crew_free(Crew *crew); /* also by whoever has joined that */
void *crew_supervise(void *crew);

#endif
