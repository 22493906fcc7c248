/* What a board looks like beyond its size, told by how pieces come onto it:
   - discs that are only dropped into columns: holes;
   - discs that are only placed, on many places: points, as in Go;
   - pieces that move, on a square board with an even side: checkered;
   - discs that move on a board of another outline: round holes.
   A row is a ring if a relation of the rules leads from each place to the next
   one and from the last to the first. Moves that name regions, as turning a
   quarter does, tell the parts of a board if these are rectangles side by side.
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

/* ---- rings ---- */

/* Returns whether the facts of the relation go once around the axis. */
static bool goes_around(const Rules *rules, Symbol predicate,
                        const Axis *axis) {
  const Terms *terms = &rules->terms;
  uint32_t length = axis->values.count, steps = 0;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    Term head = rules->list.data[r].head;
    if (term_symbol(terms, head) != predicate || term_arity(terms, head) != 2)
      continue;
    uint32_t a = axis_index(axis, term_argument(terms, head, 0));
    uint32_t b = axis_index(axis, term_argument(terms, head, 1));
    if (a == length || b != (a + 1) % length) return false;
    steps++;
  }
  return steps == length;
}

static bool is_ring(const Scene *scene, const SceneBoard *board) {
  enum { FEWEST = 4, MOST = 40 };
  const Rules *rules = &scene->book->description->rules;
  const Terms *terms = &rules->terms;
  const Axis *axis = &scene_picture(scene, board)->axes[0];
  uint32_t length = axis->values.count;
  if (board->bars || axis->kind != AXIS_TERMS || length < FEWEST ||
      length > MOST)
    return false;
  Term first = axis->values.data[0], last = axis->values.data[length - 1];
  for (uint32_t r = 0; r < rules->list.count; r++) {
    Term head = rules->list.data[r].head;
    if (term_arity(terms, head) == 2 && term_argument(terms, head, 0) == last &&
        term_argument(terms, head, 1) == first &&
        goes_around(rules, term_symbol(terms, head), axis))
      return true;
  }
  return false;
}

/* ---- parts ---- */

typedef struct Box {
  uint32_t left, top, right, bottom, places;
} Box;

static Box box_of(const SceneBoard *board, const bool *places) {
  Box box = {board->columns, board->rows, 0, 0, 0};
  for (uint32_t p = 0; p < board->places; p++) {
    uint32_t x = p % board->columns, y = p / board->columns;
    if (!places[p]) continue;
    box.left = x < box.left ? x : box.left;
    box.right = x > box.right ? x : box.right;
    box.top = y < box.top ? y : box.top;
    box.bottom = y > box.bottom ? y : box.bottom;
    box.places++;
  }
  return box;
}

/* Sets the size of the parts if the regions are boxes of one size that stand
   where a grid of such boxes has them, and are all of these. What turns around
   its middle may not change there, hence some places may be missing. */
static bool set_parts(SceneBoard *board, const SceneRegions *regions) {
  uint32_t columns = 0, rows = 0;
  for (uint32_t i = 0; i < regions->count; i++) {
    Box box = box_of(board, regions->data[i].places);
    uint32_t w = box.right - box.left + 1, h = box.bottom - box.top + 1;
    if (!box.places || box.places * 2 <= w * h ||
        (i && (w != columns || h != rows)))
      return false;
    if (box.left % w || box.top % h) return false;
    columns = w;
    rows = h;
  }
  if (columns < 2 || rows < 2 ||
      columns * rows * regions->count != board->places)
    return false;
  board->part_columns = columns;
  board->part_rows = rows;
  return true;
}

static void find_parts(const Scene *scene, uint32_t b, SceneBoard *board) {
  for (uint32_t f = 0; f < scene->forms.count; f++) {
    const SceneForm *form = &scene->forms.data[f];
    for (uint32_t i = 0; i < form->chosen.count; i++) {
      const SceneReading *reading = &form->chosen.data[i];
      const SceneRegions *regions = &form->regions[reading->at];
      if (reading->reads == READ_REGION && reading->board == b &&
          regions->count > 1 && set_parts(board, regions))
        return;
    }
  }
}

/* ---- all ---- */

static bool has_gaps(const Scene *scene, const SceneBoard *board) {
  const bool *exists = scene_picture(scene, board)->exists;
  for (uint32_t i = 0; exists && i < board->places; i++)
    if (!exists[i]) return true;
  return false;
}

void scene_shape_boards(Scene *scene) {
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    SceneBoard *board = &scene->boards.data[b];
    if (board->shape == SCENE_ROW && is_ring(scene, board))
      board->shape = SCENE_RING;
    if (board->shape != SCENE_GRID) continue;
    Ways ways = find_ways(scene, b);
    bool flat = board->places == board->columns * board->rows;
    bool only_discs = are_discs(scene);
    bool round = ways.moves && scene_pieces_round(scene);
    int slant = 0;
    if (flat) find_parts(scene, b, board);
    if (scene_centre_rows(scene, board)) {
      if (round) board->style = SCENE_DISCS;
      continue;
    }
    if (scene_is_hex(scene, b, &slant)) {
      board->shape = SCENE_HEX;
      board->slant = slant;
    }
    scene_turn_board(scene, board);
    if (board->shape == SCENE_HEX) {
      if (round) board->style = SCENE_DISCS;
      continue;
    }
    board->checkered = ways.moves && flat && board->columns == board->rows &&
                       board->columns % 2 == 0 && !are_numbers(scene, board);
    if (round && !board->checkered && has_gaps(scene, board))
      board->style = SCENE_DISCS;
    else if (ways.drops && !ways.places && !ways.moves && only_discs)
      board->style = SCENE_HOLES;
    else if (ways.places && !ways.moves && only_discs && flat &&
             board->columns >= FEWEST_POINTS && board->rows >= FEWEST_POINTS)
      board->style = SCENE_POINTS;
  }
}
