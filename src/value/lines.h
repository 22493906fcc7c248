/* Progress towards ends and goals: the conjunctions of facts that make a goal
   or the end of the game true, such as four cells of one colour in a row, and
   how many of the facts of each are true already, unless something is in the
   way. Lines whose facts are of the same kinds are counted together. */
#ifndef TAFL_VALUE_LINES_H
#define TAFL_VALUE_LINES_H

#include "value/kinds.h"

enum {
  LINES_MOST = 2048,  /* more: none */
  LINES_LONGEST = 12, /* facts of a line */
  LINES_KINDS = 64,   /* kinds of lines; more: none */
  LINES_CROWD = 64    /* lines with a fact, on average; more: none */
};

/* What facts a line consists of: kinds, or fluents without a kind. */
typedef struct LineKind {
  uint32_t length;
  uint32_t example[LINES_LONGEST]; /* fluents of one such line, sorted by
                                      kind */
  uint32_t slot;                   /* of no true facts; those of more follow */
} LineKind;

/* A fluent in a line. */
typedef struct LineUse {
  uint32_t line;
  int32_t step; /* of the line's count */
} LineUse;

/* The count of a line is the number of its true facts, and this for each fact
   that is in its way. */
enum { LINES_BARRED = 256 };

typedef struct Lines {
  VECTOR(LineKind) kinds;
  NumberVector slots;   /* by line: where the slots of its kind begin, one for
                           each number of true facts from 0 on */
  NumberVector counted; /* by slot: the feature; that of 0 facts is none,
                           UINT32_MAX */
  uint32_t features;    /* by kind of line and number of true facts from 1 on */
  uint32_t *first;      /* by fluent and one more: where its uses begin */
  VECTOR(LineUse) uses; /* by fluent */
} Lines;

void lines_init(Lines *lines, const Kinds *kinds);
void lines_free(Lines *lines);

/* Brings the counts of the fluent's lines up to date after it has become true
   (`sign` 1) or false (-1), and adds what their weights change by. `weights`
   are by slot and row, 0 for no facts. */
void lines_add(const Lines *lines, uint32_t fluent, int32_t sign,
               const int32_t *weights, uint32_t rows, int32_t *counts,
               int32_t *sums);
/* Adds the numbers of lines by feature, for counts that are up to date. */
void lines_count(const Lines *lines, const int32_t *counts, float *numbers);

#endif
