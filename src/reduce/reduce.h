/* Making a net smaller without changing what it says. */
#ifndef TAFL_REDUCE_REDUCE_H
#define TAFL_REDUCE_REDUCE_H

#include "reduce/reduction.h"

/* The size after a pass. */
typedef struct ReduceStep {
  const char *name;
  uint32_t ands;
  uint64_t edges;
  double seconds; /* that it took */
} ReduceStep;

typedef struct ReduceReport {
  VECTOR(ReduceStep) steps; /* the first is the net as it was */
  uint32_t unread_fluents;  /* that no output depends on, kept as facts */
} ReduceReport;

/* Replaces a net that is too large to be played on as it was built: alexChess
   from 7,460,000 edges to 1,780,000, in a fifth of the time that reducing it
   takes. Leaves others as they are. */
void reduce_huge(Net *net);
/* Runs all reductions in a good order; `report` may be NULL. */
void reduce_net(const Net *in, Net *out, const ReduceOptions *options,
                ReduceReport *report);
void reduce_report_free(ReduceReport *report);
void reduce_report_write(const ReduceReport *report, Text *text);

#endif
