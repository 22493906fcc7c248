/* Things upon each other: facts such as (on disc1 disc2) and (on disc2 peg1)
   drawn as towers side by side. */
#ifndef TAFL_GAME_TOWER_H
#define TAFL_GAME_TOWER_H

#include "game/family.h"
#include "game/style.h"

/* Returns whether the facts of the family may say what is upon what. */
bool tower_possible(const Families *families, const Family *family);
/* Appends a block if they do so in this state: nothing is upon two things, and
   nothing but a base bears two. `before` may be NULL. */
bool tower_draw(const Families *families, const Family *family,
                const Term *facts, uint32_t count, const Term *before,
                uint32_t before_count, const BoardsStyle *style,
                TextVector *blocks);

#endif
