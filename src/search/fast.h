/* FAST, the Features-to-Action Sampling Technique (Finnsson and Björnsson
   2010, sections 3.4 and 3.5): values of piece types or of cells are learned by
   TD(λ) from simulations and tell the playouts which moves to prefer. */
#ifndef TAFL_SEARCH_FAST_H
#define TAFL_SEARCH_FAST_H

#include "game/features.h"

typedef struct FastOptions {
  double lambda, alpha; /* 0.99, 0.01 */
  double cell_factor;   /* c = 5 */
  double guard;         /* weights nearer to zero are not used yet */
} FastOptions;

typedef struct Fast Fast;

/* Features of the game, by the templates of the paper; `role` is the one whose
   advantage the values express. The features are borrowed. */
Fast *fast_new(const Features *features, uint32_t role,
               const FastOptions *options);
void fast_delete(Fast *fast);

/* An episode: its states in order (rows of bits by fluent), the terminal one
   last, then the reward: own goal less the other's. Weights change at the end
   only; an episode that was broken off may be left without one. */
void fast_begin(Fast *fast);
void fast_state(Fast *fast, const uint64_t *state);
void fast_end(Fast *fast, double reward);

/* Q_FAST(a) of these moves of a role in a state, into `scores`; false if no
   feature is active there, so that it would say nothing. */
bool fast_scores(const Fast *fast, const uint64_t *state, uint32_t role,
                 const uint32_t *moves, uint32_t count, double *scores);

uint32_t fast_feature_count(const Fast *fast);
double fast_weight(const Fast *fast, uint32_t feature);
/* "rook of white" and the like: the fact's arguments that make the feature. */
void fast_write_feature(const Fast *fast, uint32_t feature, Text *text);

#endif
