/* What the tree and the tables learn from a simulation. */
#ifndef TAFL_SEARCH_BACKUP_H
#define TAFL_SEARCH_BACKUP_H

#include "search/parts.h"

/* What paths that made the same joint move in the same node have to say. */
typedef struct Lesson {
  uint32_t step;                  /* of the paths */
  uint32_t count, pending;        /* of the paths; those that are pending */
  const uint32_t *choices;        /* by role: the action in the node, */
  const uint32_t *moves;          /* and its number in the search */
  const double *totals, *highest; /* by role: the sum of the returns, and the
                                     highest return of a playout */
} Lesson;

/* Turns goals into returns, by role. */
void backup_returns(const Search *search, const int *goals, double *values);
/* The same for the goals of a node, into own->values. */
void backup_known(const Search *search, Scratch *own, const int8_t *goals);
/* Teaches tree, RAVE and MAST a path that ended with own->values. */
void backup_path(Search *search, Scratch *own, const Path *path);
/* Marks moves as coming after the path's (RAVE). */
void backup_stamp(const Search *search, Scratch *own, const uint32_t *moves,
                  uint32_t count);
/* Teaches a node, whose lock is held. Returns true if the paths have a better
   value from here on, which is in own->values then. */
bool backup_teach(const Search *search, Scratch *own, Node *node,
                  const Lesson *lesson);
/* Teaches MAST the moves. */
void backup_teach_moves(const Search *search, Scratch *own,
                        const Lesson *lesson);
/* Proves what can be proved along a path, from the bottom. */
void backup_proofs(Search *search, const Path *path);

#endif
