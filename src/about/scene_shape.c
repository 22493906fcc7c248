/* What a board looks like beyond its size, told by how pieces come onto it:
   - discs that are only dropped into columns: holes;
   - discs that are only placed, on many places: points, as in Go;
   - pieces that move, on a square board with an even side: checkered.
   A board is hexagonal if its places have six neighbours each, by the moves of
   one step or by a relation of the rules (about/scene_hex.c). */
#include "about/scene_parts.h"
#include "game/words.h"

enum { FEWEST_POINTS = 9 };

typedef struct Ways {
  bool moves, places, drops;
} Ways;

static Ways find_ways(const Scene *scene, uint32_t board) {
  Ways ways = {false};
  for (uint32_t f = 0; f < scene->forms.count; f++) {
    const SceneForm *form = &scene->forms.data[f];
    uint32_t whole = 0;
    if (!form->chosen.count || form->chosen.data[0].board != board) continue;
    for (uint32_t i = 0; i < form->chosen.count; i++)
      whole += form->chosen.data[i].reads == READ_PLACE;
    ways.moves |= whole > 1;
    ways.places |= whole == 1;
    ways.drops |=
        form->chosen.data[0].reads == READ_PART && form->chosen.count == 1;
  }
  return ways;
}

/* Returns whether all pieces are sides and nothing else. */
static bool are_discs(const Scene *scene) {
  const Glyphs *glyphs = &scene->layout.glyphs;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (!piece->blank && !words_wall(piece->name) &&
        (!piece->side[0] || piece->kind[0]))
      return false;
  }
  return glyphs->sides.count > 1;
}

static bool are_numbers(const Scene *scene, const SceneBoard *board) {
  return layout_numbers(&scene->layout, scene_picture(scene, board));
}

void scene_shape_boards(Scene *scene) {
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    SceneBoard *board = &scene->boards.data[b];
    if (board->shape != SCENE_GRID) continue;
    Ways ways = find_ways(scene, b);
    bool flat = board->places == board->columns * board->rows;
    bool only_discs = are_discs(scene);
    int slant = 0;
    if (scene_centre_rows(scene, board)) continue;
    if (scene_is_hex(scene, b, &slant)) {
      board->shape = SCENE_HEX;
      board->slant = slant;
    }
    scene_turn_board(scene, board);
    if (board->shape == SCENE_HEX) continue;
    board->checkered = ways.moves && flat && board->columns == board->rows &&
                       board->columns % 2 == 0 && !are_numbers(scene, board);
    if (ways.drops && !ways.places && !ways.moves && only_discs)
      board->style = SCENE_HOLES;
    else if (ways.places && !ways.moves && only_discs && flat &&
             board->columns >= FEWEST_POINTS && board->rows >= FEWEST_POINTS)
      board->style = SCENE_POINTS;
  }
}
