/* What the tree and the tables learn from a simulation. */
#ifndef TAFL_SEARCH_BACKUP_H
#define TAFL_SEARCH_BACKUP_H

#include "search/parts.h"

/* Turns goals into returns, by role. */
void backup_returns(const Search *search, const int *goals, double *values);
/* The same for the goals of a node, into own->values. */
void backup_known(const Search *search, Scratch *own, const int8_t *goals);
/* Teaches tree, RAVE and MAST a path that ended with own->values. */
void backup_path(Search *search, Scratch *own, const Path *path);
/* Marks moves as coming after the path's (RAVE). */
void backup_stamp(const Search *search, Scratch *own, const uint32_t *moves,
                  uint32_t count);
/* Proves what can be proved along a path, from the bottom. */
void backup_proofs(Search *search, const Path *path);

#endif
