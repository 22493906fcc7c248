/* Agreement without talking (setting even). Where two roles choose at once and
   both gain by agreeing, each can expect that the other finds the same best
   agreement, and the first of those that are even. */
#ifndef TAFL_SEARCH_AGREE_H
#define TAFL_SEARCH_AGREE_H

#include "search/parts.h"

/* Returns true and the role's part in the root's best agreement, or false if
   there is none. */
bool agree_choose(const Search *search, uint32_t *choice);

#endif
