/* Exact values backed up in the tree (after Winands, Björnsson and Saito 2008,
   for any number of roles). */
#ifndef TAFL_SEARCH_PROVE_H
#define TAFL_SEARCH_PROVE_H

#include "search/tree.h"

/* A node whose children may have been proved since. It is proved if
   - one role at most has a choice and one of its children is proved to give it
     `best` (the highest goal the rules know for it), or all its children are
     proved and those that are best for it agree in all roles' goals; or
   - several roles have a choice and all joint moves lead to proved children
     with the same goals.
   True if it is proved now and was not; its goals are then set and the actions
   that lead to proved children have it as `exact`. */
bool prove_node(Tree *tree, Node *node, const int *best);

#endif
