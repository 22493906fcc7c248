/* Tournament systems: who meets whom in the next round, given what was played
   so far, and who is where in the end. All is decided by the results and the
   seed, so a tournament that was stopped goes on as it would have gone. */
#ifndef TAFL_CONTEST_PAIRING_H
#define TAFL_CONTEST_PAIRING_H

#include <stdbool.h>

#include "contest/meeting.h"

typedef enum {
  PAIRING_ROUND_ROBIN, /* every pair, all in one round */
  PAIRING_GAUNTLET,    /* the first player against each other one */
  PAIRING_SWISS,       /* contest/swiss.h */
  PAIRING_ELIMINATION  /* contest/bracket.h */
} PairingSystem;

enum { PAIRING_SYSTEMS = PAIRING_ELIMINATION + 1 };

typedef struct Pairing {
  PairingSystem system;
  uint32_t players;
  uint32_t rounds; /* of the Swiss system; 0: pairing_rounds */
  uint64_t seed;
} Pairing;

typedef struct PairingStanding {
  uint32_t place;    /* from 1; equal players share the better one */
  uint32_t meetings; /* without byes, which count nothing */
  double points;     /* sum */
  double mean;       /* points for each meeting; 1/2 without any */
  double opponents;  /* mean of the opponents' means; 1/2 without any */
} PairingStanding;

const char *pairing_name(PairingSystem system); /* "round-robin", … */
/* Returns false if no system has this name. */
bool pairing_find(const char *name, PairingSystem *system);
/* Rounds until a Swiss tournament has one winner if the better always wins:
   ceil(log2(players)). */
uint32_t pairing_rounds(uint32_t players);

/* Replaces `next` by the meetings of the next round, byes included; returns
   false, with none, when the tournament is over. All meetings of earlier rounds
   have been played. */
bool pairing_next(const Pairing *pairing, const Meetings *played,
                  Meetings *next);

/* Sets the standings by player. Places are by mean points, then, in the Swiss
   system, by those of the opponents, which is Buchholz's rule; in elimination
   by how long the player stayed in.
 */
void pairing_rank(const Pairing *pairing, const Meetings *played,
                  PairingStanding *standings);

#endif
