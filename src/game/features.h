/* The features whose values FAST learns, by the templates of Finnsson and
   Björnsson 2010, section 3.4: piece types, if some role has several on a
   board, and else cells with a role's piece on them. */
#ifndef TAFL_GAME_FEATURES_H
#define TAFL_GAME_FEATURES_H

#include "analyse/analysis.h"

typedef enum { FAST_NONE, FAST_PIECES, FAST_CELLS } FastKind;

typedef struct Feature {
  uint32_t owner;  /* role */
  uint32_t fluent; /* that it is read from; of a piece type, any of them */
} Feature;

/* Fluents of a place in one word of the state. */
typedef struct PlaceWord {
  uint32_t word;
  uint64_t mask;
} PlaceWord;

/* Where a move goes from and to, as place + 1; 0: nowhere. */
typedef struct MoveFeature {
  uint32_t from, to;
  uint32_t cell; /* feature + 1 that the move makes true, of cells */
} MoveFeature;

typedef struct Features {
  FastKind kind;
  const Analysis *analysis; /* borrowed */
  uint32_t words;           /* of a state */
  uint64_t *mask;           /* by word: fluents with a feature */
  uint32_t *of_fluent;      /* feature + 1; 0: none */
  VECTOR(Feature) list;
  MoveFeature *moves; /* by move */
  NumberVector first; /* by place and one more: where its words begin */
  VECTOR(PlaceWord) place_words;
} Features;

void features_init(Features *features, const Analysis *analysis);
void features_free(Features *features);
/* "whiteRook of white", "rook of white" where the fact names the role too, or
   "3 4 of white". */
void features_write(const Features *features, uint32_t feature, Text *text);

/* Returns the feature on the place in this state, + 1; 0: none. */
static inline uint32_t features_at(const Features *features,
                                   const uint64_t *state, uint32_t place) {
  for (uint32_t i = features->first.data[place];
       i < features->first.data[place + 1]; i++) {
    const PlaceWord *part = &features->place_words.data[i];
    uint64_t set = state[part->word] & part->mask;
    if (set)
      return features
          ->of_fluent[part->word * 64 + (uint32_t)__builtin_ctzll(set)];
  }
  return 0;
}

#endif
