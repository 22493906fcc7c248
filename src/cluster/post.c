#include "cluster/post.h"

#include "base/clock.h"

enum { TAG = 1 }; /* one for all, so that messages arrive in order */

void post_init(Post *post, Ranks *ranks, double least, double most) {
  *post = (Post){.ranks = ranks, .least = least, .most = most};
  random_seed(&post->random, ranks_own(ranks) + 1);
}

void post_free(Post *post) {
  for (uint32_t i = 0; i < post->held.count; i++)
    text_free(&post->held.data[i].body);
  for (uint32_t i = 0; i < post->own.count; i++) text_free(&post->own.data[i]);
  vector_free(&post->held);
  vector_free(&post->own);
}

static void deliver(Post *post, uint32_t to, Text *body) {
  if (to == ranks_own(post->ranks)) {
    vector_push(&post->own, *body);
    *body = (Text){0};
  } else {
    ranks_send(post->ranks, to, TAG, body);
  }
}

/* When a message to this rank may go: not before an earlier one. */
static double due_after(Post *post, uint32_t to) {
  double part = (double)random_below(&post->random, 1 << 20) / (1 << 20);
  double due = clock_now() + post->least + part * (post->most - post->least);
  for (uint32_t i = 0; i < post->held.count; i++)
    if (post->held.data[i].to == to && post->held.data[i].due > due)
      due = post->held.data[i].due;
  return due;
}

void post_send(Post *post, uint32_t to, Text *body) {
  if (post->most <= 0) {
    deliver(post, to, body);
    return;
  }
  PostHeld held = {.to = to, .due = due_after(post, to), .body = *body};
  *body = (Text){0};
  vector_push(&post->held, held);
}

void post_move(Post *post) {
  double now = clock_now();
  uint32_t kept = 0;
  for (uint32_t i = 0; i < post->held.count; i++) {
    PostHeld *held = &post->held.data[i];
    if (held->due <= now)
      deliver(post, held->to, &held->body);
    else
      post->held.data[kept++] = *held;
  }
  post->held.count = kept;
}

bool post_receive(Post *post, uint32_t *from, Text *body) {
  RankMessage message;
  text_free(body);
  if (post->own.count) {
    *from = ranks_own(post->ranks);
    *body = post->own.data[0];
    post->own.count--;
    memmove(post->own.data, post->own.data + 1,
            post->own.count * sizeof *post->own.data);
    return true;
  }
  if (!ranks_receive(post->ranks, &message)) return false;
  *from = message.from;
  *body = message.body;
  return true;
}

bool post_empty(Post *post) {
  return !post->held.count && !ranks_unsent(post->ranks);
}
