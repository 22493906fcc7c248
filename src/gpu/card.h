/* A graphics card: its driver, and what is known of it. */
#ifndef TAFL_GPU_CARD_H
#define TAFL_GPU_CARD_H

#include "gpu/driver.h"

typedef struct Card {
  Driver driver;
  CUdevice device;
  CUcontext context;
  char name[96];
  uint32_t processors; /* multiprocessors */
  uint32_t shared;     /* bytes of shared memory that a block can have */
  double clock;        /* Hz */
  size_t memory;
} Card;

/* Opens the first card. Returns NULL, with a sentence in `why`, if there is
   none that can be used. */
Card *card_open(Text *why);
void card_close(Card *card);

/* Makes the card the calling thread's. Returns false if that fails. */
bool card_enter(const Card *card);

/* Compiles a module, with an optimisation from 0 to 4. Returns NULL and says
   why if that fails. */
CUmodule card_compile(const Card *card, const char *ptx, int optimisation,
                      Text *why);

/* Translates a module into the code of the card, which card_compile takes too,
   and then at once. Nothing else waits for it, while compiling keeps the
   threads of a card from beginning anything. Returns false and says why if that
   fails. For a thread that has nothing else to do with the card. */
bool card_translate(const Card *card, const char *ptx, int optimisation,
                    Text *code, Text *why);

/* Returns the functions of three inputs that the card computes in a second, at
   best: 64 lanes of 32 bits a clock and multiprocessor. */
double card_peak(const Card *card);

#endif
