/* The inside of a hand. Everything that threads share is under the lock, except
   the book, which no longer changes once it is made. */
#ifndef TAFL_CLUSTER_HAND_PARTS_H
#define TAFL_CLUSTER_HAND_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "cluster/hand.h"
#include "cluster/sums.h"
#include "search/outwork.h"
#include "search/search.h"

struct Hand {
  Job job;
  Settings settings;
  int file;
  pthread_t thread; /* that makes the book, and is the first that works */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Description description;
  Book book;

  bool ending;
  TextVector in; /* pieces to play, from `first` on */
  uint32_t first;
  TextVector out; /* to the foreman */
  uint32_t epoch; /* of the latest state */
  bool resting;

  /* leaves */
  VECTOR(Outwork *) outworks; /* one for each thread */
  Outwork *made;              /* that is to become one of them */
  VECTOR(double) scores;      /* the latest, */
  uint32_t scored;            /* and how often there were new ones */

  /* roots */
  Search *search;
  atomic_bool stop; /* there is something else to do than to think */
  bool stand_new;
  Stand stand;
  RootSums others, joined; /* what others have found; what was told of it */
  bool others_new;
  uint32_t at; /* epoch of the search's state; 0: none */
};

/* Puts a message where hand_take finds it; moves its bytes. */
void hand_say(Hand *hand, Text *message);

/* Make what a first thread needs, in the trial of the book; then what the
   others do. */
void hand_prepare_leaf(Hand *hand);
void hand_prepare_root(Hand *hand);
void hand_share_leaf(Hand *hand);
/* Playouts that a thread makes at once. */
uint32_t hand_lanes(const Hand *hand);
/* Work until the hand ends. */
void hand_work_leaf(Hand *hand);
void hand_work_root(Hand *hand);
void hand_free_leaf(Hand *hand);
void hand_free_root(Hand *hand);

#endif
