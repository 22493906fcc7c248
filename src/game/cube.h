/* The cubies of a cube, as facts such as (at uf rb) place them: the cubie that
   belongs at up and front is at right and back, its first side to the right.
   They are drawn as the six faces, unfolded. */
#ifndef TAFL_GAME_CUBE_H
#define TAFL_GAME_CUBE_H

#include "game/family.h"
#include "game/style.h"

/* Returns whether the family's facts place the twelve edges and eight corners
   of a cube whose faces are u, d, f, b, l and r. */
bool cube_possible(const Families *families, const Family *family);
enum { CUBE_FACES = 6, CUBE_STICKERS = 54 };

/* Writes what is seen: nine stickers for each of the faces u, l, f, r, b and d,
   row by row from above as they lie in the drawing; each is the index in that
   list of the face where it belongs, or CUBE_FACES if that is not known. */
void cube_see(const Families *families, const Family *family, const Term *facts,
              uint32_t count, uint8_t stickers[CUBE_STICKERS]);
/* Appends a block with the faces. */
void cube_draw(const Families *families, const Family *family,
               const Term *facts, uint32_t count, const BoardsStyle *style,
               TextVector *blocks);

#endif
