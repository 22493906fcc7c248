/* Boards for the page: what a state looks like as JSON, and which places of a
   board a move names. docs/api.md defines SCENE, STATE and MOVE.

   Boards are found as for the terminal (game/boards.h has the rules), but
   nothing is drawn: places are numbers, pieces are names with a shape. */
#ifndef TAFL_ABOUT_SCENE_H
#define TAFL_ABOUT_SCENE_H

#include "game/book.h"
#include "io/json.h"

typedef struct Scene Scene;

/* Finds the boards, by the book's analysis if there is one. */
Scene *scene_new(Book *book);
void scene_delete(Scene *scene);

/* Each returns a new value. The game is an engine of the scene's book. */
json_t *scene_json(Scene *scene);
/* The game's current state. Places whose contents differ from `before` (facts
   of an earlier state; NULL: none) are said to have changed. */
json_t *scene_state(Scene *scene, Game *game, const Term *before,
                    uint32_t before_count);
json_t *scene_move(Scene *scene, Game *game, uint32_t role, Move move);
json_t *scene_legal(Scene *scene, Game *game, uint32_t role);

/* Grows when a state or a move had something that the scene did not know, such
   as a new piece: scene_json is then to be asked again. */
uint32_t scene_version(const Scene *scene);

#endif
