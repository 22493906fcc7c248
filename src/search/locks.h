/* Who may be where while several threads think. Going about in the tree, where
   nodes have locks of their own (tree_share.h), is `in the tree`; what concerns
   the whole tree, such as recycling, is for one thread that is alone there. The
   report, the budget and the MAST table of all threads are at the `desk`. A
   single thread takes no locks at all. */
#ifndef TAFL_SEARCH_LOCKS_H
#define TAFL_SEARCH_LOCKS_H

#include "search/batch.h"

struct Locks {
  pthread_rwlock_t tree; /* read: in the tree; written: alone in it */
  pthread_mutex_t desk;
  bool shared; /* there are several threads now */
};

void locks_init(Locks *locks);
void locks_free(Locks *locks);

void locks_enter_tree(Batch *batch);
/* Waits until no other thread is in the tree. */
void locks_clear_tree(Batch *batch);
void locks_leave_tree(Batch *batch);
void locks_enter_desk(Batch *batch);
void locks_leave_desk(Batch *batch);

#endif
