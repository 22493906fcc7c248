/* FAST, the Features-to-Action Sampling Technique (Finnsson and Björnsson
   2010, sections 3.4 and 3.5): values of piece types or of cells are learned by
   TD(λ) from simulations, and playouts prefer moves by them. */
#ifndef TAFL_SEARCH_FAST_H
#define TAFL_SEARCH_FAST_H

#include "game/features.h"

typedef struct FastOptions {
  double lambda, alpha; /* 0.99, 0.01 */
  double cell_factor;   /* c = 5 */
  double guard;         /* weights closer to zero are not used yet */
} FastOptions;

typedef struct Fast Fast;

/* Values express the advantage of `role`. The features are borrowed. */
Fast *fast_new(const Features *features, uint32_t role,
               const FastOptions *options);
void fast_delete(Fast *fast);

/* An episode: its states in order (bits by fluent), the terminal one last, then
   the reward: own goal minus the other's. Weights change only at the end; an
   episode that was cut off may be left without one. */
void fast_begin(Fast *fast);
void fast_state(Fast *fast, const uint64_t *state);
void fast_end(Fast *fast, double reward);

/* Sets `scores` to Q_FAST(a) of these moves of a role in a state. Returns false
   if no feature is active there, so that the scores mean nothing. */
bool fast_scores(const Fast *fast, const uint64_t *state, uint32_t role,
                 const uint32_t *moves, uint32_t count, double *scores);

uint32_t fast_feature_count(const Fast *fast);
double fast_weight(const Fast *fast, uint32_t feature);
/* Writes a feature like "rook of white". */
void fast_write_feature(const Fast *fast, uint32_t feature, Text *text);

#endif
