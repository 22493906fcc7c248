/* Exact values backed up in the tree (after Winands, Björnsson and Saito 2008,
   for any number of roles). */
#ifndef TAFL_SEARCH_PROVE_H
#define TAFL_SEARCH_PROVE_H

#include "search/tree.h"

/* Tries to prove a node from its children. It is proved if

   - at most one role has a choice, and a child is proved to give that role
     `best` (the highest goal the rules have for it), or all children are proved
     and those that are best for the role agree in all roles' goals; or
   - several roles have a choice, and all joint moves lead to proved children
     with the same goals.

   Returns true if it is newly proved; its goals are then set. Sets `exact` of
   actions that lead to proved children. */
bool prove_node(Tree *tree, Node *node, const int *best);

#endif
