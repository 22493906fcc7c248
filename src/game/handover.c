/* The taker copies without the lock, since running out of memory may end its
   trial there; closing then tells the other side that nobody copies any more.
 */
#include "game/handover.h"

#include <pthread.h>

typedef enum { EMPTY, OFFERED, TAKEN } State;

struct Handover {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  State state;
  bool closed; /* by one side */
  const Net *net;
  const Terms *terms;
};

Handover *handover_new(void) {
  Handover *handover = memory_new(sizeof *handover);
  pthread_mutex_init(&handover->lock, NULL);
  pthread_cond_init(&handover->changed, NULL);
  return handover;
}

void handover_close(Handover *handover) {
  pthread_mutex_lock(&handover->lock);
  bool both = handover->closed;
  handover->closed = true;
  pthread_cond_signal(&handover->changed);
  pthread_mutex_unlock(&handover->lock);
  if (!both) return;
  pthread_mutex_destroy(&handover->lock);
  pthread_cond_destroy(&handover->changed);
  memory_delete(handover);
}

void handover_offer(Handover *handover, const Net *net, const Terms *terms) {
  pthread_mutex_lock(&handover->lock);
  if (handover->state == EMPTY) {
    handover->net = net;
    handover->terms = terms;
    handover->state = OFFERED;
    pthread_cond_signal(&handover->changed);
    while (handover->state == OFFERED && !handover->closed)
      pthread_cond_wait(&handover->changed, &handover->lock);
    handover->state = TAKEN;
  }
  pthread_mutex_unlock(&handover->lock);
}

/* ---- copying ---- */

/* From one store of terms to another. */
typedef struct Translation {
  const Terms *from;
  Terms *to;
  Term *known; /* by term of `from`; 0: not yet */
} Translation;

static Term translate(Translation *t, Term term) {
  if (t->known[term]) return t->known[term];
  Term arguments[TERM_LARGEST_ARITY];
  uint32_t arity = term_arity(t->from, term);
  const char *name = symbol_text(&t->from->symbols, term_symbol(t->from, term));
  for (uint32_t i = 0; i < arity; i++)
    arguments[i] = translate(t, term_argument(t->from, term, i));
  Symbol symbol = symbol_intern(&t->to->symbols, name, strlen(name));
  return t->known[term] = term_compound(t->to, symbol, arguments, arity);
}

#define COPY(to, from) \
  do { \
    vector_resize(to, (from)->count); \
    if ((from)->count) \
      memcpy((to)->data, (from)->data, (from)->count * sizeof *(to)->data); \
  } while (0)

/* The table of ANDs stays behind: nothing is added to the copy. */
static void copy_net(const Net *from, Net *to) {
  net_init(to, from->role_count);
  COPY(&to->gates, &from->gates);
  COPY(&to->inputs, &from->inputs);
  COPY(&to->fluents, &from->fluents);
  COPY(&to->moves, &from->moves);
  COPY(&to->role_first, &from->role_first);
  COPY(&to->goals, &from->goals);
  COPY(&to->loops, &from->loops);
  to->terminal = from->terminal;
  to->beyond_base = from->beyond_base;
  to->beyond_input = from->beyond_input;
}

static void translate_net(Net *net, const Terms *from, Terms *to) {
  Translation t = {from, to, memory_new(from->nodes.count * sizeof(Term))};
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net->fluents.data[i].term = translate(&t, net->fluents.data[i].term);
  for (uint32_t i = 0; i < net->moves.count; i++)
    net->moves.data[i].term = translate(&t, net->moves.data[i].term);
  for (uint32_t i = 0; i < net->goals.count; i++)
    net->goals.data[i].term = translate(&t, net->goals.data[i].term);
  memory_delete(t.known);
}

bool handover_take(Handover *handover, Net *net, Terms *terms) {
  pthread_mutex_lock(&handover->lock);
  while (handover->state == EMPTY && !handover->closed)
    pthread_cond_wait(&handover->changed, &handover->lock);
  bool offered = handover->state == OFFERED;
  pthread_mutex_unlock(&handover->lock);
  if (!offered) return false;
  copy_net(handover->net, net);
  translate_net(net, handover->terms, terms);
  pthread_mutex_lock(&handover->lock);
  handover->state = TAKEN;
  pthread_cond_signal(&handover->changed);
  pthread_mutex_unlock(&handover->lock);
  return true;
}
