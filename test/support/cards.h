/* Playouts on a card in tests: on the card of this machine if CARD=real is in
   the environment, else on one made of software, which lies beside the test
   programs. */
#ifndef TAFL_TEST_SUPPORT_CARDS_H
#define TAFL_TEST_SUPPORT_CARDS_H

#include "gpu/gpu.h"
#include "support/playouts.h"

bool cards_real(void);
/* Of the three numbers that for the software, that for it in the long run, or
   that for a real card. */
uint32_t cards_number(uint32_t software, uint32_t longer, uint32_t real);

/* Makes sure that card_open finds the software unless a real card is wanted. */
void cards_find(void);
/* Open and close the card of a group of tests. */
int cards_begin(void **state);
int cards_end(void **state);
const Card *cards_card(void);

/* Fails the test, and says why, if the card does not take the net. */
Gpu *cards_new(const Cones *cones, const GpuOptions *options);
/* Waits for the second kernel, which plays from then on if it can. Returns
   whether there is one. */
bool cards_second(Gpu *gpu);
/* Plays a batch to its end; fails the test if the card does. */
void cards_play(Gpu *gpu, const uint64_t *rows, uint32_t count,
                uint32_t repeat);

/* ---- cards that fail ---- */

/* How far a process came; higher codes are lines of the file (CARDS_CHECK).
   Sanitizers exit with 1. */
typedef enum {
  NO_CARD = 2,
  NO_KERNEL,
  NO_EXPANSION,
  FAILED,
  HANGS,
  FINE,
  LINES
} CardsCode;

#define CARDS_CHECK(condition) \
  if (!(condition)) return LINES + __LINE__ % (250 - LINES)

/* Returns how far it came, and says why not farther; `poll`: it must not wait
   for the card. */
typedef int CardsRun(const void *context, bool poll, Text *why);

/* Runs that in a process of its own, in which a variable has this value: a card
   that has failed is of no more use. What is said must have the word, in one
   line. Fails the test if the process has another code. */
int cards_try(const char *variable, uint32_t value, const char *word,
              CardsRun *run, const void *context);

/* ---- sums of many playouts ---- */

typedef struct CardSums {
  uint32_t roles;
  double gamma; /* of the returns */
  uint64_t ended, cut_off, stuck, states;
  double steps, step_squares; /* of those that ended; no squares of a card */
  uint64_t scored[REPLAY_ROLES];
  double goals[REPLAY_ROLES], goal_squares[REPLAY_ROLES];
  double returns[REPLAY_ROLES], return_squares[REPLAY_ROLES]; /* the same */
} CardSums;

/* A listener for the wide engine; the context is the sums. */
void cards_listen(void *context, const WidePlayout *playout);
/* Adds up all starts of a batch. */
void cards_add(CardSums *sums, const Gpu *gpu, uint32_t starts);
/* Fails if the card's sums are not those of as many, or more, playouts on the
   processor: shares of outcomes, lengths, goals and returns may be five
   standard errors apart, which happens by chance once in 1.7 million
   comparisons. */
void cards_compare(const char *what, const CardSums *card,
                   const CardSums *host);

#endif
