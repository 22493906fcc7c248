/* Facts are told apart by family once; then every board takes those of its
   families. Of several pieces of one family on a place the rarest is on top, as
   it is the one that the terminal shows. */
#include "about/scene_parts.h"

typedef struct Facts {
  const Term *list;
  uint32_t count;
  uint32_t *family; /* by fact */
} Facts;

static void sort_facts(const Scene *scene, const Term *list, uint32_t count,
                       Facts *facts) {
  *facts =
      (Facts){list, count, memory_new((count + 1) * sizeof *facts->family)};
  for (uint32_t i = 0; i < count; i++)
    facts->family[i] = families_find(&scene->layout.families, list[i]);
}

/* ---- pictures ---- */

/* A fact on a board. */
typedef struct Found {
  uint32_t place, piece, rarity;
} Found;

typedef VECTOR(Found) FoundVector;

static void find_pieces(Scene *scene, const SceneBoard *board, uint32_t family,
                        const Facts *facts, FoundVector *found) {
  const Terms *terms = scene_terms(scene);
  const Picture *picture = scene_picture(scene, board);
  const Family *own = &scene->layout.families.list.data[family];
  NumberVector counts = {0};
  for (uint32_t i = 0; i < facts->count; i++) {
    if (facts->family[i] != family) continue;
    uint32_t place = atlas_place(picture, own, terms, facts->list[i]);
    if (place == no_place) continue;
    uint32_t glyph = layout_piece(&scene->layout, picture, own, facts->list[i]);
    uint32_t piece = scene_piece_of_glyph(scene, glyph, board->bars);
    while (counts.count <= piece) vector_push(&counts, 0);
    counts.data[piece]++;
    vector_push(found, ((Found){.place = place, .piece = piece}));
  }
  for (uint32_t i = 0; i < found->count; i++)
    found->data[i].rarity = counts.data[found->data[i].piece];
  vector_free(&counts);
}

static bool is_blank(const Scene *scene, uint32_t piece) {
  return scene->layout.glyphs.pieces.data[scene->pieces.data[piece].glyph]
      .blank;
}

static bool has_piece(const SceneCell *cell, uint32_t piece) {
  for (uint32_t i = 0; i < cell->count; i++)
    if (cell->pieces[i] == piece) return true;
  return false;
}

/* Puts a piece below the rarer ones of its family, which begin at `from`. */
static void put(SceneCell *cell, uint32_t from, const Found *found,
                const uint32_t *rarity) {
  if (cell->count == SCENE_STACK || has_piece(cell, found->piece)) return;
  uint32_t at = cell->count++;
  while (at > from && rarity[cell->pieces[at - 1]] < found->rarity) {
    cell->pieces[at] = cell->pieces[at - 1];
    at--;
  }
  cell->pieces[at] = found->piece;
}

static void fill_family(Scene *scene, const SceneBoard *board, uint32_t family,
                        const Facts *facts, SceneCell *cells) {
  FoundVector found = {0};
  find_pieces(scene, board, family, facts, &found);
  uint32_t *rarity = memory_new((scene->pieces.count + 1) * sizeof *rarity);
  uint32_t *from = memory_new((board->places + 1) * sizeof *from);
  for (uint32_t i = 0; i < found.count; i++) {
    rarity[found.data[i].piece] = found.data[i].rarity;
    from[found.data[i].place] = cells[found.data[i].place].count;
  }
  if (scene->layout.glyphs.understood != scene->layout.glyphs.pieces.count)
    glyphs_understand(&scene->layout.glyphs);
  for (uint32_t i = 0; i < found.count; i++)
    if (!is_blank(scene, found.data[i].piece))
      put(&cells[found.data[i].place], from[found.data[i].place],
          &found.data[i], rarity);
  memory_delete(rarity);
  memory_delete(from);
  vector_free(&found);
}

static void fill_picture(Scene *scene, const SceneBoard *board,
                         const Facts *facts, SceneCell *cells) {
  const Picture *picture = scene_picture(scene, board);
  for (uint32_t m = picture->members.count; m-- > 0;)
    fill_family(scene, board, picture->members.data[m], facts, cells);
}

/* ---- towers and cubes ---- */

static void fill_pile(Scene *scene, const SceneBoard *board, int bottom,
                      uint32_t column, SceneCell *cells) {
  uint32_t y = 0;
  for (int at = bottom; at >= 0 && y < board->rows;
       at = board->things.things[at].above, y++) {
    uint32_t piece = scene_piece_of_thing(scene, board->things.things[at].term);
    SceneCell *cell = &cells[y * board->columns + column];
    cell->count = 1;
    cell->pieces[0] = piece;
  }
}

static void fill_tower(Scene *scene, const SceneBoard *board,
                       SceneCell *cells) {
  uint32_t number = 0; /* among the things that are no bases */
  for (int i = 0; i < board->things.count; i++) {
    const TowerThing *thing = &board->things.things[i];
    if (thing->base) continue;
    int below = thing->below;
    if (below < 0)
      fill_pile(scene, board, i, board->first_loose + number, cells);
    else if (board->things.things[below].base)
      fill_pile(scene, board, i,
                board->first[below] + (board->wide[below] ? number : 0), cells);
    number++;
  }
}

static void fill_cube(Scene *scene, const SceneBoard *board, const Facts *facts,
                      SceneCell *cells) {
  const Families *families = &scene->layout.families;
  uint8_t stickers[CUBE_STICKERS];
  cube_see(families, &families->list.data[board->family], facts->list,
           facts->count, stickers);
  for (uint32_t i = 0; i < CUBE_STICKERS; i++)
    if (stickers[i] < CUBE_FACES)
      cells[i] = (SceneCell){1, {scene_piece_of_face(scene, stickers[i])}};
}

/* ---- all ---- */

SceneCell **scene_cells(Scene *scene, const Term *list, uint32_t count) {
  Facts facts;
  sort_facts(scene, list, count, &facts);
  scene_look_at_towers(scene, list, count);
  SceneCell **cells = memory_new((scene->boards.count + 1) * sizeof *cells);
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    const SceneBoard *board = &scene->boards.data[b];
    cells[b] = memory_new((board->places + 1) * sizeof **cells);
    if (board->shape == SCENE_TOWER)
      fill_tower(scene, board, cells[b]);
    else if (board->shape == SCENE_CUBE)
      fill_cube(scene, board, &facts, cells[b]);
    else
      fill_picture(scene, board, &facts, cells[b]);
  }
  memory_delete(facts.family);
  return cells;
}

void scene_cells_delete(Scene *scene, SceneCell **cells) {
  for (uint32_t b = 0; cells && b < scene->boards.count; b++)
    memory_delete(cells[b]);
  memory_delete(cells);
}

bool scene_cell_equal(const SceneCell *a, const SceneCell *b) {
  return a->count == b->count &&
         memcmp(a->pieces, b->pieces, a->count * sizeof *a->pieces) == 0;
}
