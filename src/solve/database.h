/* Database databases (Culberson and Schaeffer 1998) on the units of a puzzle: a
   pattern is some of the units, and its database has for each combination of
   their values the number of moves to the nearest one that an end may have, as
   if the other units allowed everything. So no entry is more than the distance
   in the puzzle, and entries of neighbours differ by at most one move. */
#ifndef TAFL_SOLVE_DATABASE_H
#define TAFL_SOLVE_DATABASE_H

#include "base/random.h"
#include "solve/factor.h"

enum {
  DATABASE_FAR = 255, /* there is no way; distances end one below */
  DATABASE_UNITS = 24
};

typedef struct Database {
  uint32_t count;                  /* units */
  uint8_t units[DATABASE_UNITS];   /* in ascending order */
  uint32_t stride[DATABASE_UNITS]; /* of their values in the database */
  uint32_t size;                   /* combinations of values */
  uint32_t reached;                /* of them that have a way */
  uint8_t highest;                 /* distance */
  uint8_t *distance;
} Database;
typedef VECTOR(Database) DatabaseVector;

/* Makes the database: takes as many bytes as there are combinations, and four
   times as much while it is made. */
void database_init(Database *database, const Factor *factor,
                   const uint8_t *units, uint32_t count);
void database_free(Database *database);

/* The entry of a state. */
static inline uint32_t database_index(const Database *database,
                                      const uint8_t *row) {
  uint32_t index = 0;
  for (uint32_t i = 0; i < database->count; i++)
    index += database->stride[i] * row[database->units[i]];
  return index;
}

/* Divides all units at random into patterns with at most `most` combinations
   each (a unit may have more than that by itself). Appends patterns without
   databases. */
void database_divide(const Factor *factor, Random *random, uint32_t most,
                     DatabaseVector *databases);

#endif
