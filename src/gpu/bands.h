/* A program cut into bands, and each band into a share for every warp of a
   block. Between two bands is a barrier. Within a band, a gate reads gates of
   its own share alone, so a share is code without waiting; what other shares or
   later bands read goes through memory.

   A program may be cut into parts first, one after the other: values are used
   soon after they are computed, so a part needs less memory than the whole. */
#ifndef TAFL_GPU_BANDS_H
#define TAFL_GPU_BANDS_H

#include "base/vector.h"
#include "program/order.h"

/* A gate, or a copy of a value that needs a place of its own. */
typedef struct BandStep {
  uint8_t table;
  uint32_t result, inputs[3]; /* values */
  bool last;                  /* must be in the last band */
} BandStep;

typedef VECTOR(BandStep) BandSteps;

#define BANDS_NONE UINT32_MAX

typedef struct Bands {
  uint32_t count, warps, parts;
  uint32_t *part;  /* the first band of each part; and the end */
  uint32_t *list;  /* numbers of steps, share by share */
  uint32_t *first; /* of each share, by band and warp; and the end */
  uint32_t *band;  /* by value; BANDS_NONE: an input */
  uint32_t *warp;  /* by value that a step computes */
} Bands;

/* Steps come after those that compute their inputs, and those that must be in
   the last band after all others; values below `inputs` are computed by none.
 */
void bands_init(Bands *bands, const BandSteps *steps, uint32_t inputs,
                uint32_t values, uint32_t warps, uint32_t parts);
void bands_free(Bands *bands);

#endif
