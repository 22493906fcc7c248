/* New nodes, and room for them. */
#ifndef TAFL_SEARCH_GROW_H
#define TAFL_SEARCH_GROW_H

#include "search/parts.h"

/* Returns the node of the game's current state at a depth, which is added if it
   is new, open; 0 if there is no room or a role has no legal move. */
NodeId grow_node(Search *search, Game *game, uint32_t depth, bool *added);
/* Continues the hash of a way by these moves (transpose=none). */
uint64_t grow_way(uint64_t way, const uint32_t *moves, uint32_t count);
/* Returns a state's key in the tree. */
uint64_t grow_key(const Search *search, uint64_t key, uint32_t depth);
/* Recycles the least useful nodes if the tree is full. */
void grow_make_room(Search *search);

#endif
