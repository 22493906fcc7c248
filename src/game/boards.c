/* To draw is to fill the cells of every board
   from the state, to choose glyphs for the pieces, and to put the boards beside
   each other, with a legend and remarks below. */
#include "game/boards.h"

#include "game/canvas.h"
#include "game/cube.h"
#include "game/layout.h"
#include "game/remarks.h"
#include "game/tower.h"
#include "game/words.h"

enum {
  PROMPT_LINES = 6, /* of the screen that the dialogue needs */
  MOST_PICTURES = 24
};

struct Boards {
  Layout layout;
};

Boards *boards_new(Description *description, const Analysis *analysis) {
  Boards *boards = memory_new(sizeof *boards);
  layout_init(&boards->layout, description, analysis);
  return boards;
}

void boards_delete(Boards *boards) {
  layout_free(&boards->layout);
  memory_delete(boards);
}

/* ---- cells ---- */

typedef struct State {
  const Term *facts;
  uint32_t count;
} State;

typedef struct Drawing {
  Boards *boards;
  const BoardsStyle *style;
  State now, before;
  bool marks; /* there is a state before */
  TextVector blocks;
  bool *used;  /* by piece */
  bool *shown; /* by family */
} Drawing;

/* Counts how often each piece is on the picture. */
static void count_pieces(Boards *boards, const Picture *picture,
                         const Family *family, const State *state,
                         NumberVector *counts) {
  const Terms *terms = &boards->layout.families.rules->terms;
  for (uint32_t i = 0; i < state->count; i++) {
    if (!family_has(family, terms, state->facts[i])) continue;
    uint32_t piece =
        layout_piece(&boards->layout, picture, family, state->facts[i]);
    while (counts->count <= piece) vector_push(counts, 0);
    counts->data[piece]++;
  }
}

/* Puts the family's facts on the cells. Of several on one place the rarest is
   seen; what says that nothing is there never hides anything. */
static void fill_family(Boards *boards, const Picture *picture,
                        const Family *family, const State *state,
                        uint32_t *cells) {
  const Terms *terms = &boards->layout.families.rules->terms;
  uint32_t places = picture_places(picture);
  uint32_t *own = memory_new((places + 1) * sizeof *own);
  NumberVector counts = {0};
  count_pieces(boards, picture, family, state, &counts);
  for (uint32_t i = 0; i < state->count; i++) {
    Term fact = state->facts[i];
    if (!family_has(family, terms, fact)) continue;
    uint32_t place = atlas_place(picture, family, terms, fact);
    if (place == no_place) continue;
    uint32_t piece = layout_piece(&boards->layout, picture, family, fact);
    if (boards->layout.glyphs.pieces.data[piece].blank) continue;
    if (!own[place] || counts.data[piece] < counts.data[own[place] - 1])
      own[place] = piece + 1;
  }
  for (uint32_t i = 0; i < places; i++)
    if (own[i]) cells[i] = own[i];
  vector_free(&counts);
  memory_delete(own);
}

static void fill(Boards *boards, const Picture *picture, const State *state,
                 uint32_t *cells) {
  for (uint32_t m = picture->members.count; m-- > 0;)
    fill_family(boards, picture,
                &boards->layout.families.list.data[picture->members.data[m]],
                state, cells);
}

/* Marks cells that changed, unless most did. */
static bool *find_changes(Boards *boards, const Picture *picture,
                          const State *before, const uint32_t *now) {
  enum { FEW = 8 };
  uint32_t places = picture_places(picture), count = 0;
  uint32_t *old = memory_new((places + 1) * sizeof *old);
  bool *changed = memory_new((places + 1) * sizeof *changed);
  fill(boards, picture, before, old);
  for (uint32_t i = 0; i < places; i++) {
    changed[i] = old[i] != now[i];
    count += changed[i];
  }
  memory_delete(old);
  if (count <= FEW || count * 2 <= places) return changed;
  memory_delete(changed);
  return NULL;
}

/* Returns whether there is something to see: a fact is true now, or the board
   is one with contents. */
static bool is_worth_drawing(const Drawing *drawing, const Picture *picture) {
  const Families *families = &drawing->boards->layout.families;
  if (!picture->members.count ||
      layout_crowded(&drawing->boards->layout, picture, drawing->now.facts,
                     drawing->now.count))
    return false;
  for (uint32_t m = 0; m < picture->members.count; m++) {
    const Family *family = &families->list.data[picture->members.data[m]];
    if (picture->dimension > 1 && family->contents) return true;
    for (uint32_t i = 0; i < drawing->now.count; i++)
      if (family_has(family, &families->rules->terms, drawing->now.facts[i]))
        return true;
  }
  return false;
}

/* The family's name is above its board if there are several. */
static void write_heading(const Drawing *drawing, const Picture *picture,
                          Text *heading) {
  const Boards *boards = drawing->boards;
  uint32_t drawn = 0;
  for (uint32_t p = 0; p < boards->layout.atlas.pictures.count; p++)
    drawn += is_worth_drawing(drawing, &boards->layout.atlas.pictures.data[p]);
  if (drawn < 2) return;
  const Family *family =
      &boards->layout.families.list.data[picture->members.data[0]];
  words_write(symbol_text(&boards->layout.families.rules->terms.symbols,
                          family->functor),
              heading);
}

static void draw_picture(Drawing *drawing, const Picture *picture) {
  Boards *boards = drawing->boards;
  uint32_t places = picture_places(picture);
  bool alone = boards->layout.atlas.pictures.count == 1 &&
               picture->members.count && picture->dimension > 1;
  if (!alone && !is_worth_drawing(drawing, picture)) return;
  PictureCells cells = {.now = memory_new((places + 1) * sizeof *cells.now)};
  Text heading = {0};
  fill(boards, picture, &drawing->now, cells.now);
  if (drawing->marks)
    cells.changed = find_changes(boards, picture, &drawing->before, cells.now);
  write_heading(drawing, picture, &heading);
  bool bars =
      picture->dimension == 1 && layout_numbers(&boards->layout, picture) &&
      picture_draw_bars(picture, &cells, &boards->layout.glyphs, drawing->style,
                        text_string(&heading), &drawing->blocks);
  bool drawn = bars || picture_draw(picture, &cells, &boards->layout.glyphs,
                                    drawing->style, text_string(&heading),
                                    &drawing->blocks);
  for (uint32_t m = 0; drawn && m < picture->members.count; m++)
    drawing->shown[picture->members.data[m]] = true;
  for (uint32_t i = 0; drawn && !bars && i < places; i++)
    if (cells.now[i]) drawing->used[cells.now[i] - 1] = true;
  memory_delete(cells.now);
  memory_delete(cells.changed);
  text_free(&heading);
}

/* Draws families that are not on boards but have a form of their own. */
static void draw_forms(Drawing *drawing) {
  const Families *families = &drawing->boards->layout.families;
  for (uint32_t f = 0; f < families->list.count; f++) {
    const Family *family = &families->list.data[f];
    Use use = drawing->boards->layout.atlas.uses[f];
    if (use == USE_CUBE) {
      cube_draw(families, family, drawing->now.facts, drawing->now.count,
                drawing->style, &drawing->blocks);
      drawing->shown[f] = true;
    } else if (use == USE_TOWER) {
      drawing->shown[f] =
          tower_draw(families, family, drawing->now.facts, drawing->now.count,
                     drawing->before.facts, drawing->before.count,
                     drawing->style, &drawing->blocks);
    }
  }
}

/* ---- a state ---- */

static uint32_t lines_left(const Drawing *drawing, const Text *text) {
  enum { FEWEST = 3 };
  if (!drawing->style->height) return 0;
  uint32_t used = canvas_height(text_string(text)) + PROMPT_LINES;
  return drawing->style->height > used + FEWEST ? drawing->style->height - used
                                                : FEWEST;
}

static void write_remarks(Drawing *drawing, Text *text) {
  const Boards *boards = drawing->boards;
  uint32_t families = boards->layout.families.list.count;
  bool *listed = memory_new((families + 1) * sizeof *listed);
  bool *left_out = memory_new((families + 1) * sizeof *left_out);
  for (uint32_t f = 0; f < families; f++)
    listed[f] =
        !drawing->shown[f] && boards->layout.atlas.uses[f] != USE_HELPER;
  Remarks remarks = {.families = &boards->layout.families,
                     .glyphs = &boards->layout.glyphs,
                     .style = drawing->style,
                     .listed = listed,
                     .turn = boards->layout.turn,
                     .lines = lines_left(drawing, text),
                     .brief = drawing->blocks.count > 0};
  remarks_write(&remarks, drawing->now.facts, drawing->now.count, left_out,
                text);
  for (uint32_t f = 0; f < families; f++)
    if (listed[f] && !left_out[f]) drawing->shown[f] = true;
  if (drawing->style->all)
    remarks_write_rest(&remarks, drawing->now.facts, drawing->now.count,
                       drawing->shown, text);
  memory_delete(listed);
  memory_delete(left_out);
}

/* Adds the pieces of the state, so that all have a glyph before one is drawn.
 */
static void meet_pieces(Boards *boards, const State *state) {
  NumberVector counts = {0};
  for (uint32_t p = 0; p < boards->layout.atlas.pictures.count; p++) {
    const Picture *picture = &boards->layout.atlas.pictures.data[p];
    for (uint32_t m = 0; m < picture->members.count; m++)
      count_pieces(boards, picture,
                   &boards->layout.families.list.data[picture->members.data[m]],
                   state, &counts);
  }
  vector_free(&counts);
}

static void draw(Drawing *drawing, Text *text) {
  Boards *boards = drawing->boards;
  glyphs_choose(&boards->layout.glyphs, drawing->style);
  drawing->used = memory_new((boards->layout.glyphs.pieces.count + 1) *
                             sizeof *drawing->used);
  drawing->shown = memory_new((boards->layout.families.list.count + 1) *
                              sizeof *drawing->shown);
  for (uint32_t p = 0;
       p < boards->layout.atlas.pictures.count && p < MOST_PICTURES; p++)
    draw_picture(drawing, &boards->layout.atlas.pictures.data[p]);
  draw_forms(drawing);
  canvas_arrange(&drawing->blocks, drawing->style->width, text);
  glyphs_explain(&boards->layout.glyphs, drawing->used, drawing->style, text);
  write_remarks(drawing, text);
  memory_delete(drawing->used);
  memory_delete(drawing->shown);
  text_vector_free(&drawing->blocks);
}

void boards_draw(Boards *boards, const BoardsStyle *style, const Term *facts,
                 uint32_t count, const Term *before, uint32_t before_count,
                 Text *text) {
  Drawing drawing = {.boards = boards,
                     .style = style,
                     .now = {facts, count},
                     .before = {before, before_count},
                     .marks = before != NULL};
  Text drawn = {0};
  layout_learn(&boards->layout, facts, count);
  if (before) layout_learn(&boards->layout, before, before_count);
  meet_pieces(boards, &drawing.now);
  if (before) meet_pieces(boards, &drawing.before);
  draw(&drawing, &drawn);
  canvas_cut(text_string(&drawn), style, text);
  text_free(&drawn);
}
