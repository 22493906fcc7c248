/* The slots that moves have, where they are seen and chosen.

   In a leg (wide/legs.h) only the moves that may be legal have one. Without
   legs, two roles that take turns never choose in the same state: their moves
   share slots, two and two, and one choice is made for both.

   A guard is a fluent, plain or negated, without which a role has only one
   legal move, its wait, and with which it does not have that. */
#ifndef TAFL_GPU_PAIRING_H
#define TAFL_GPU_PAIRING_H

#include "wide/legs.h"

typedef struct PairingRole {
  uint32_t fluent; /* of the guard */
  bool negated;
  uint32_t wait; /* move */
} PairingRole;

#define PAIRING_NONE UINT32_MAX

/* Slots among which one move is chosen; those that are nobody's must be zero.
 */
typedef struct PairingChoice {
  uint32_t first, count;
} PairingChoice;

typedef struct Pairing {
  bool paired;
  PairingRole roles[2]; /* if paired */
  uint32_t *slot;       /* by move, or PAIRING_NONE */
  uint32_t slots;
  PairingChoice *choices; /* one if paired; else one for each role */
} Pairing;

/* The slots of a choice between several moves are a multiple of `unit`. `leg`:
   NULL if the roles' turns are to be found in the net. */
void pairing_init(Pairing *pairing, const Net *net, const Leg *leg,
                  uint32_t unit);
void pairing_free(Pairing *pairing);

/* Returns whether the move's slot is shared with another role's. */
static inline bool pairing_shares(const Pairing *pairing, uint32_t move) {
  return pairing->paired && pairing->slot[move] < pairing->choices[0].count;
}

#endif
