/* The atoms of a recursive component, which read each other. */
#ifndef TAFL_NET_LOOPS_H
#define TAFL_NET_LOOPS_H

#include "net/net.h"

/* A way to make an atom true. */
typedef struct LoopInstance {
  uint32_t head;         /* that atom */
  Signal signal;         /* of what is read outside the component */
  uint32_t first, count; /* in Loops.atoms */
} LoopInstance;

typedef struct Loops {
  uint32_t count; /* atoms */
  VECTOR(LoopInstance) instances;
  NumberVector atoms;   /* that instances read, as number << 1 | negated */
  uint32_t block_count; /* of loops in the net, all components */
  Net *net;
  NumberVector list, any; /* scratch: inputs of an instance, of an atom */
} Loops;

void loops_add(Loops *loops, uint32_t head, Signal signal,
               const uint32_t *atoms, uint32_t count);
/* Gives every atom its signal, by number. Returns false if an atom depends on
   its own negation. */
bool loops_define(Loops *loops, Net *net, Signal *signals);
void loops_clear(Loops *loops); /* for the next component */
void loops_free(Loops *loops);

#endif
