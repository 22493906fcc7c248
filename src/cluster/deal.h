/* Which worker plays out which leaves. Tasks wait in a queue, in order; pieces
   of them go to workers so that each thread has about two under way: one that
   it works on and one that follows without a pause. A piece has as many leaves
   as that worker should need about ten milliseconds for, by how long its last
   ones took, but at least as many as fill its lanes: fewer take as long. */
#ifndef TAFL_CLUSTER_DEAL_H
#define TAFL_CLUSTER_DEAL_H

#include "cluster/talk.h"

typedef struct DealWorker {
  uint32_t threads; /* 0: it cannot work */
  uint32_t lanes;   /* playouts that a thread makes at once */
  uint32_t pieces;  /* under way */
  double pace;      /* seconds for a leaf */
} DealWorker;

typedef struct DealTask {
  Text message;
  Piece piece;   /* its states lie in the message */
  uint32_t next; /* first leaf that was not dealt */
} DealTask;

typedef struct Deal {
  VECTOR(DealWorker) workers; /* by rank */
  VECTOR(DealTask) tasks;     /* from `first` on */
  uint32_t first;
  uint32_t repeat; /* playouts from a leaf of the latest task */
} Deal;

void deal_init(Deal *deal, uint32_t ranks);
void deal_free(Deal *deal);

/* The worker can work, with so many threads of so many lanes. */
void deal_enter(Deal *deal, uint32_t worker, uint32_t threads, uint32_t lanes);
/* Adds a task, whose bytes are moved out of `message`; returns false if it is
   none. */
bool deal_add(Deal *deal, Text *message);
/* Drops all tasks that wait. */
void deal_clear(Deal *deal);
/* Writes the next piece, and who is to play it; returns false if there is none,
   or nobody for it. */
bool deal_next(Deal *deal, uint32_t *worker, Text *piece);
/* A piece of so many leaves has come back; 0: it was dropped. */
void deal_done(Deal *deal, uint32_t worker, uint32_t leaves, double seconds);
/* Leaves under way and waiting that keep all workers busy. */
uint32_t deal_wanted(const Deal *deal);

#endif
