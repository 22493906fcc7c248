/* Perfect matchings of a graph: ways to pair everybody with somebody allowed.
   One is found first; then pairs are asked for one by one, and each is granted
   if everybody else can still be paired. */
#ifndef TAFL_CONTEST_MATCHING_H
#define TAFL_CONTEST_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#define MATCHING_NONE UINT32_MAX

typedef struct Matching {
  uint32_t count;
  bool *edges;    /* count × count, symmetric */
  uint32_t *mate; /* by vertex; MATCHING_NONE: alone */
  bool *fixed;    /* by vertex: its pair was granted */
} Matching;

void matching_init(Matching *matching, uint32_t count); /* without edges */
void matching_free(Matching *matching);
void matching_allow(Matching *matching, uint32_t a, uint32_t b);

/* Pairs as many as possible; returns whether that is everybody. */
bool matching_complete(Matching *matching);
/* Pairs a with b for good if the matching, which is perfect, can stay so;
   otherwise returns false and changes nothing. */
bool matching_fix(Matching *matching, uint32_t a, uint32_t b);

#endif
