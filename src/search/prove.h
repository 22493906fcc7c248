/* Exact values backed up in the tree (after Winands, Björnsson and Saito 2008,
   for any number of roles), and how many steps the proofs take to the end. */
#ifndef TAFL_SEARCH_PROVE_H
#define TAFL_SEARCH_PROVE_H

#include "search/aim.h"
#include "search/tree.h"

/* Tries to prove a node from its children. It is proved if

   - at most one role has a choice, and a child is proved to give that role the
     best value the rules allow, or all children are proved and those that are
     best for the role agree in all roles' goals; or
   - several roles have a choice, and all joint moves lead to proved children
     with the same goals.

   Returns true if it is newly proved; its goals and distance are then set. Sets
   `exact` and `distance` of actions that lead to proved children. */
bool prove_node(Tree *tree, Node *node, const Aim *aim);

/* Looks whether the children of a proved node have come closer to the end, or a
   shorter way has been proved. Returns true if the node's distance changed. */
bool prove_shorten(Tree *tree, Node *node, const Aim *aim);

#endif
