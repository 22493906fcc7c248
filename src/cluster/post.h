/* Messages between the ranks of a job (cluster/talk.h), also to oneself. For
   tests, each may be held back for a random time; those to one rank stay in
   order. */
#ifndef TAFL_CLUSTER_POST_H
#define TAFL_CLUSTER_POST_H

#include "base/random.h"
#include "cluster/ranks.h"

typedef struct PostHeld {
  uint32_t to;
  double due; /* by clock_now */
  Text body;
} PostHeld;

typedef struct Post {
  Ranks *ranks;       /* borrowed */
  double least, most; /* delay in seconds; 0: none */
  Random random;
  VECTOR(PostHeld) held; /* in the order of sending */
  VECTOR(Text) own;      /* to oneself, to be received */
} Post;

void post_init(Post *post, Ranks *ranks, double least, double most);
void post_free(Post *post);

/* Moves the message out of `body`. */
void post_send(Post *post, uint32_t to, Text *body);
/* Sends what was held back long enough. */
void post_move(Post *post);
/* Takes a message; returns false if there is none. */
bool post_receive(Post *post, uint32_t *from, Text *body);
/* Nothing is left to be sent. */
bool post_empty(Post *post);

#endif
