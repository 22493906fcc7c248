/* The backup of many paths at once. What they have in common is learned once:
   in a round of some ninety paths every other one (breakthrough) to five
   (Connect Four) make the same move in the same node. That is less work, and a
   node of a tree that several threads use goes from one to the other less
   often. */
#ifndef TAFL_SEARCH_MERGE_H
#define TAFL_SEARCH_MERGE_H

#include "search/parts.h"

/* Adds a path of the tree that ended with own->values. It must exist until
   merge_teach. Not with RAVE, which asks for the moves of each path apart. */
void merge_add(Search *search, Scratch *own, const Path *path);
/* Teaches the tree and MAST all paths that were added. */
void merge_teach(Search *search, Scratch *own);

#endif
