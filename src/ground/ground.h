/* Grounding: the atoms that can ever be true. Rules become literals over
   relations, and semi-naive evaluation fills every relation. */
#ifndef TAFL_GROUND_GROUND_H
#define TAFL_GROUND_GROUND_H

#include "ground/ground_data.h"

typedef struct GroundLimits {
  double seconds; /* 0: no limit */
  uint64_t ticks; /* rows looked at; 0: no limit */
  size_t memory;  /* bytes; the book bounds every stage by it */
  bool narrow;    /* leave out facts outside `base`, moves outside `input` */
} GroundLimits;

/* Returns false and sets `error` if a limit was reached or the rules cannot be
   ground; the description's terms are then as they were. Free in either
   case. */
bool ground_init(Ground *ground, Description *description,
                 const GroundLimits *limits, Text *error);
void ground_free(Ground *ground);
/* Writes every relation's rows as text. */
void ground_write(const Ground *ground, Text *text);

#endif
