/* Requests that wait for the card (minimax/breeder.h): a ring, from whose head
   they are taken. When it is full, others are dropped: those that were asked
   first are needed first. But what is urgent is put before the head, and drives
   out the last. */
#ifndef TAFL_MINIMAX_REQUESTS_H
#define TAFL_MINIMAX_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Requests {
  uint32_t room, words; /* of a state */
  uint64_t *rows;
  uint32_t *moves;
  uint64_t head, count; /* the first, and how many there are, */
  uint64_t urgent;      /* of which so many at the head */
} Requests;

void requests_init(Requests *requests, uint32_t room, uint32_t words);
void requests_free(Requests *requests);
void requests_clear(Requests *requests);

/* Returns false if one was dropped for it, or if it was dropped itself. */
bool requests_add(Requests *requests, const uint64_t *state, uint32_t move,
                  bool urgent);
/* Takes `most` at most, nothing but urgent ones if there are any. Returns how
   many. */
uint32_t requests_take(Requests *requests, uint32_t most, uint64_t *rows,
                       uint32_t *moves);

#endif
