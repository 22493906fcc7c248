/* NST, the N-gram Selection Technique (Tak, Winands and Björnsson 2012): the
   average return of a move after the moves before it. An n-gram of a role ends
   with the role's move; each step back in time goes to the role before it, in
   rotation, so that with two roles in turns the moves that count are the ones
   made, and those of a role that waits are left out. */
#ifndef TAFL_SEARCH_NGRAM_H
#define TAFL_SEARCH_NGRAM_H

#include <stdbool.h>

#include "base/map.h"
#include "base/vector.h"
#include "search/path.h"

enum { NGRAM_LONGEST = 3 };

typedef struct Ngram {
  uint32_t moves[NGRAM_LONGEST]; /* the last first; NGRAM_NONE beyond */
  float visits, total;           /* fractions after a decay */
} Ngram;

#define NGRAM_NONE UINT32_MAX

typedef struct Ngrams {
  double least; /* visits from which on an n-gram is heard */
  Map map;
  VECTOR(Ngram) list; /* entry i of the map is list.data[i - 1] */
} Ngrams;

void ngrams_init(Ngrams *grams, double least);
void ngrams_free(Ngrams *grams);
/* Adds the return of a role's move at a step of a path to the n-grams of two
   moves and more that end there. */
void ngrams_add(Ngrams *grams, const Path *path, uint32_t roles, uint32_t step,
                uint32_t role, double value);
/* Returns the mean of `single`, the value of the move alone, and of the n-grams
   that were seen often enough and would end with the move, at the path's last
   step. */
double ngrams_value(const Ngrams *grams, const Path *path, uint32_t roles,
                    uint32_t role, uint32_t move, double single);
/* Keeps this share of all samples, and forgets n-grams that have hardly any. */
void ngrams_decay(Ngrams *grams, double share);

#endif
