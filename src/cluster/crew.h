/* The ranks that help one search, as its ally. A thread of the crew starts
   their job, talks with its foreman and starts it again when it dies; whatever
   happens there, the search that calls the ally never waits for it. */
#ifndef TAFL_CLUSTER_CREW_H
#define TAFL_CLUSTER_CREW_H

#include "cluster/scheme.h"
#include "game/book.h"
#include "search/ally.h"
#include "search/settings.h"

typedef struct Crew Crew;

/* What the ranks are to work on. Everything is copied. */
typedef struct CrewWork {
  const char *rules;
  size_t rules_length;
  uint32_t role;
  const Settings *settings;
  BookLimits limits; /* of each worker's book */
  uint64_t seed;
  /* Called by the crew's thread with lines for people; may be NULL. */
  void (*note)(void *context, const char *line);
  void *context;
} CrewWork;

typedef struct CrewCounts {
  uint32_t ranks, hosts;        /* now; 0: there is no job */
  uint32_t ready;               /* workers that can work */
  uint32_t starts;              /* of jobs */
  uint64_t tasks, leaves;       /* that were done, */
  uint64_t lost;                /* tasks that were lost */
  uint64_t simulations, states; /* of workers, that the search has taken */
  uint64_t bytes_out, bytes_in; /* between master and foreman */
  uint64_t pieces;              /* that the foreman relayed, */
  double foreman;               /* and its seconds of processor time */
} CrewCounts;

/* The scheme is borrowed and must outlive the crew. Returns NULL and sets
   `error` if it cannot begin; that the job cannot is said in notes. */
Crew *crew_new(const Scheme *scheme, const CrewWork *work, Text *error);
/* Ends the job; takes some seconds at most. No search may use the ally any
   more. */
void crew_delete(Crew *crew);

/* The same, without waiting for it: the crew frees itself. */
void crew_leave(Crew *crew);

/* The ally for searches with this book, which must have a net. */
Ally *crew_ally(Crew *crew, const Book *book);
void crew_count(Crew *crew, CrewCounts *counts);
/* Waits until all workers are ready, or one cannot be, or so many seconds. */
void crew_wait(Crew *crew, double seconds);

#endif
