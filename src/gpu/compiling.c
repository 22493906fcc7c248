/* The driver cannot be stopped while it compiles, so the thread is left alone:
   the last of both, thread or owner, frees everything. The thread also loads
   the module, since that may wait for what the card is doing. */
#include "gpu/compiling.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"

enum { STACK = 64 << 20 }; /* compilers recurse */

struct Compiling {
  const Card *card;
  Text ptx, code, why;
  int optimisation;
  CUmodule module;
  double seconds;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t change;
  bool over, dropped;
};

static void destroy(Compiling *compiling) {
  if (compiling->module && card_enter(compiling->card))
    compiling->card->driver.cuModuleUnload(compiling->module);
  pthread_mutex_destroy(&compiling->lock);
  pthread_cond_destroy(&compiling->change);
  text_free(&compiling->ptx);
  text_free(&compiling->code);
  text_free(&compiling->why);
  memory_delete(compiling);
}

static void *compile(void *argument) {
  Compiling *compiling = argument;
  double start = clock_now();
  const Card *card = compiling->card;
  if (card_translate(card, text_string(&compiling->ptx),
                     compiling->optimisation, &compiling->code,
                     &compiling->why) &&
      card_enter(card))
    compiling->module =
        card_compile(card, text_string(&compiling->code), 0, &compiling->why);
  compiling->seconds = clock_now() - start;
  pthread_mutex_lock(&compiling->lock);
  compiling->over = true;
  bool last = compiling->dropped;
  pthread_cond_broadcast(&compiling->change);
  pthread_mutex_unlock(&compiling->lock);
  if (last) destroy(compiling);
  return NULL;
}

Compiling *compiling_new(const Card *card, Text *ptx, int optimisation) {
  Compiling *compiling = memory_new(sizeof *compiling);
  pthread_t thread;
  *compiling =
      (Compiling){.card = card, .ptx = *ptx, .optimisation = optimisation};
  *ptx = (Text){0};
  pthread_mutex_init(&compiling->lock, NULL);
  pthread_cond_init(&compiling->change, NULL);
  if (!thread_start(&thread, STACK, compile, compiling)) {
    destroy(compiling);
    return NULL;
  }
  pthread_detach(thread);
  return compiling;
}

void compiling_drop(Compiling *compiling) {
  pthread_mutex_lock(&compiling->lock);
  bool last = compiling->over;
  compiling->dropped = true;
  pthread_mutex_unlock(&compiling->lock);
  if (last) destroy(compiling);
}

bool compiling_over(Compiling *compiling, bool wait) {
  pthread_mutex_lock(&compiling->lock);
  while (wait && !compiling->over)
    pthread_cond_wait(&compiling->change, &compiling->lock);
  bool over = compiling->over;
  pthread_mutex_unlock(&compiling->lock);
  return over;
}

CUmodule compiling_take(Compiling *compiling, Text *why) {
  CUmodule module = compiling->module;
  compiling->module = NULL;
  if (!module) text_add(why, text_string(&compiling->why));
  return module;
}

double compiling_seconds(const Compiling *compiling) {
  return compiling->seconds;
}
