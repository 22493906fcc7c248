/* How well a finding is known. */
#ifndef TAFL_ANALYSE_EVIDENCE_H
#define TAFL_ANALYSE_EVIDENCE_H

typedef enum {
  EVIDENCE_NONE,    /* false in some sampled state, or unknown */
  EVIDENCE_SAMPLED, /* true in all states of random games */
  EVIDENCE_PROVED   /* true in all reachable states */
} Evidence;

const char *evidence_name(Evidence evidence);

#endif
