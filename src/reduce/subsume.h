/* Clauses of one AND that others imply or shorten. */
#ifndef TAFL_REDUCE_SUBSUME_H
#define TAFL_REDUCE_SUBSUME_H

#include "base/marks.h"
#include "net/net.h"

/* An input of an AND that is being made. */
typedef struct Part {
  Signal signal;
  bool own; /* nothing else reads its gate */
} Part;

/* A clause that has been kept, in the list of one of its literals. */
typedef struct SubsumeEntry {
  uint32_t part, next;
} SubsumeEntry;

typedef struct Subsumer {
  NumberVector frequency; /* by signal, in the clauses of this AND */
  NumberVector head;      /* by signal: its first entry, or 0 */
  NumberVector touched;   /* signals with either */
  VECTOR(SubsumeEntry) entries;
  VECTOR(uint64_t) order; /* size << 32 | part */
  Marks literals;         /* of the current clause; also gates of all */
  Marks twice;            /* gates of two clauses */
  uint64_t budget;        /* of comparisons */
} Subsumer;

void subsume_free(Subsumer *subsumer);
/* Drops clauses that others imply, and literals that two clauses dispute;
   returns the new count of parts. */
uint32_t subsume_parts(Subsumer *subsumer, Net *net, Part *parts,
                       uint32_t count);

#endif
