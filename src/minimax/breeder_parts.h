/* The inside of a breeder: what its threads and the search share. */
#ifndef TAFL_MINIMAX_BREEDER_PARTS_H
#define TAFL_MINIMAX_BREEDER_PARTS_H

#include <stdatomic.h>

#include "gpu/hatchery.h"
#include "gpu/pool.h"
#include "minimax/breeder.h"
#include "minimax/requests.h"

enum {
  BREEDER_HANDS = 2,        /* at most */
  BREEDER_RECENT = 1 << 18, /* requests that are known again */
  /* Of the nest: children for each node that is found by its key, at least;
     bytes for such a node and for a child, at most. */
  BREEDER_CHILDREN = 8,
  BREEDER_NODE_BYTES = 64,
  BREEDER_CHILD_BYTES = sizeof(HatchChild) + 8
};

typedef struct Hand {
  Breeder *breeder;
  uint32_t number;
  double begun; /* when the card was last asked, 0: it is not */
  /* of its thread: */
  Hatchery *hatchery;
  uint64_t *rows; /* of a batch */
  uint32_t *moves;
} Hand;

struct Breeder {
  bool started, holds, quit; /* as all below at the lock, but for what is */
  bool thinking, failed;     /* a thread's */
  bool fresh;                /* nothing was made since thinking began */
  bool blind;                /* ends are nobody's concern */
  const Cones *cones;        /* until they were asked for */
  PoolPlace *place;
  const uint64_t *keys;     /* of the book, until the thread has copied them, */
  const Features *features; /* and these, or NULL */
  uint32_t fluents, roles, words;
  size_t room;    /* children */
  Nest *nest;     /* what follows is there if the nest is */
  uint32_t queue; /* requests that may wait */
  Requests requests;
  _Atomic uint64_t *recent; /* what was asked lately, by its hash; at no lock
                               while thinking, */
  atomic_uint_fast64_t repeated; /* and how often it was again; */
  atomic_bool furnished;         /* that is there */
  atomic_bool scarce; /* broods were forgotten since thinking began */
  float *weights;     /* by role and fluent */
  bool weighed;       /* they are new */
  BreederReport report;
  Text why;
  double patience; /* seconds that the card may take */
  char said[80];
  Hand hands[BREEDER_HANDS];
  uint32_t hand_count; /* that there may be */
  uint32_t others;     /* hands that have a thread of their own */
  uint32_t hatching;   /* hands that are at a batch */
  bool turning;        /* one waits until it can turn the nest, or does */
  uint32_t batch;      /* requests that a batch may have */
  uint32_t needed;     /* room for its children, about */
  /* of the first hand: */
  uint64_t *own_keys;
  uint16_t *attacks; /* for the hatchery; NULL: not known */
  uint32_t nodes;    /* of a half of the nest that are found by their keys, at
                        most */
  float *own_weights;
};

/* The lock of all that is said to be at it, and the one of whoever adds to the
   nest. The first is that of the signal, too. */
void breeder_lock(const Breeder *breeder);
void breeder_unlock(const Breeder *breeder);
void breeder_lock_nest(const Breeder *breeder);
void breeder_unlock_nest(const Breeder *breeder);
void breeder_signal(const Breeder *breeder);
void breeder_wait(const Breeder *breeder);
void breeder_wait_for(const Breeder *breeder, double seconds);

/* The breeder's thread, which is its first hand. */
void *breeder_hand_work(void *breeder);
/* Its last act. */
void breeder_give_back(const Breeder *breeder);

#endif
