/* The threads of a worker: they make the book of the job's game, then play out
   leaves (hand_leaf.c) or search (hand_root.c). The rank's own thread passes
   messages to them and takes theirs, and never waits. */
#ifndef TAFL_CLUSTER_HAND_H
#define TAFL_CLUSTER_HAND_H

#include "cluster/talk.h"

typedef struct Hand Hand;

/* Begins with a job (TALK_JOB); `file` is an eventfd that is written to when
   there is something to take. Returns NULL if the message is none, or the
   system refuses a thread. */
Hand *hand_new(const Text *job, int file);
/* Waits until the threads have ended what they are at. */
void hand_delete(Hand *hand);

/* Takes a message of the foreman, whose bytes are moved out of it. */
void hand_tell(Hand *hand, Text *message);
/* Takes a message for the foreman; returns false if there is none. */
bool hand_take(Hand *hand, Text *message);

#endif
