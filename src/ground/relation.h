/* A relation: rows of terms, with an index for each set of columns that rows
   are looked up by. */
#ifndef TAFL_GROUND_RELATION_H
#define TAFL_GROUND_RELATION_H

#include "gdl/term.h"

/* Columns as a bit set; columns from 64 on are never part of a key. */
typedef uint64_t ColumnSet;
enum { RELATION_KEYS = 64 };

typedef struct RelationIndex {
  ColumnSet columns;
  uint32_t indexed;           /* rows that are in it */
  uint32_t slot_count;        /* a power of two, or 0 */
  uint32_t *slots;            /* first row of a chain + 1, 0: none */
  VECTOR(uint32_t) next;      /* by row: next row of its chain + 1 */
  uint32_t distinct, counted; /* keys, and the rows they were counted in */
} RelationIndex;

typedef struct Relation {
  uint32_t arity, count; /* rows */
  TermVector cells;      /* row by row */
  VECTOR(RelationIndex) indexes;
} Relation;

#define RELATION_END UINT32_MAX

void relation_free(Relation *relation);
void relation_clear(Relation *relation); /* keeps the indexes' memory */
void relation_add(Relation *relation, const Term *row);
/* Adds the row unless it is present; sets its number in either case. Arity at
   most 64. */
bool relation_insert(Relation *relation, const Term *row, uint32_t *number);
/* The number of a row, or RELATION_END if it is not present. Arity at most
   64. */
uint32_t relation_find(Relation *relation, const Term *row);
/* The number of the index over `columns`, made if there is none. */
uint32_t relation_index(Relation *relation, ColumnSet columns);
/* The first row that may have the key (one term for each column of the index,
   in order), and the next; RELATION_END after the last. Rows of other keys can
   be among them: compare. */
uint32_t relation_first(Relation *relation, uint32_t index, const Term *key);
static inline uint32_t relation_next(const Relation *relation, uint32_t index,
                                     uint32_t row) {
  return relation->indexes.data[index].next.data[row] - 1;
}
/* The number of different keys in these columns. */
uint32_t relation_distinct(Relation *relation, ColumnSet columns);

static inline const Term *relation_row(const Relation *relation, uint32_t row) {
  return relation->cells.data + (size_t)row * relation->arity;
}

size_t relation_bytes(const Relation *relation); /* allocated */

#endif
