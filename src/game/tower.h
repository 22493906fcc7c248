/* Things upon each other: facts such as (on disc1 disc2) and (on disc2 peg1)
   drawn as towers side by side. */
#ifndef TAFL_GAME_TOWER_H
#define TAFL_GAME_TOWER_H

#include "game/family.h"
#include "game/style.h"

enum { TOWER_THINGS = 40 };

/* A thing or a base; bases are never upon anything. */
typedef struct TowerThing {
  Term term;
  bool base;
  int below;     /* the thing that it is upon, or -1 */
  int above;     /* the thing that is upon it, or -1; of a base: the first */
  int bearing;   /* how many things are upon it */
  uint32_t disc; /* its number, or 0 */
} TowerThing;

typedef struct Towers {
  TowerThing things[TOWER_THINGS]; /* in the same order in every state */
  int count;
  bool discs; /* all but bases are numbered */
} Towers;

/* Returns whether the facts of the family may say what is upon what. */
bool tower_possible(const Families *families, const Family *family);
/* Finds what stands where in this state; returns false if the facts do not say
   what is upon what. */
bool tower_stand(const Families *families, const Family *family,
                 const Term *facts, uint32_t count, Towers *towers);
/* Appends a block if they do so in this state: nothing is upon two things, and
   nothing but a base bears two. `before` may be NULL. */
bool tower_draw(const Families *families, const Family *family,
                const Term *facts, uint32_t count, const Term *before,
                uint32_t before_count, const BoardsStyle *style,
                TextVector *blocks);

#endif
