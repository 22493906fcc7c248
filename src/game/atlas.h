/* Which families of facts are drawn on which board, which are listed, and which
   are hidden; game/boards.h has the rules. */
#ifndef TAFL_GAME_ATLAS_H
#define TAFL_GAME_ATLAS_H

#include "game/family.h"
#include "game/picture.h"

typedef enum {
  USE_LISTED,
  USE_DRAWN, /* by a picture */
  USE_TOWER, /* game/tower.h */
  USE_CUBE,  /* game/cube.h */
  USE_HELPER /* hidden */
} Use;

typedef struct Atlas {
  VECTOR(Picture) pictures;
  Use *uses; /* by family */
} Atlas;

/* Lays out the families, too. */
void atlas_init(Atlas *atlas, Families *families);
void atlas_free(Atlas *atlas);
/* Returns the place of the fact on the picture, or no_place. */
uint32_t atlas_place(const Picture *picture, const Family *family,
                     const Terms *terms, Term fact);
/* Returns whether the contents of the family are numbers only. */
bool atlas_numbers(const Family *family, const Terms *terms);

#endif
