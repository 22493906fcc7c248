/* The parts of a scene: its boards, the pieces on them, and how moves are read
   as places. For the files of the scene alone. */
#ifndef TAFL_ABOUT_SCENE_PARTS_H
#define TAFL_ABOUT_SCENE_PARTS_H

#include "about/scene.h"
#include "game/cube.h"
#include "game/layout.h"
#include "game/tower.h"

enum {
  SCENE_BOARDS = 24,
  SCENE_STACK = 6,   /* pieces on one place */
  SCENE_LEAVES = 16, /* arguments of a move that are looked at */
  SCENE_SIDES = 6
};

typedef struct SceneSample SceneSample;

/* ---- boards ---- */

typedef enum {
  SCENE_GRID,
  SCENE_HEX,
  SCENE_ROW,
  SCENE_TOWER,
  SCENE_CUBE,
  SCENE_RING
} SceneShape;

typedef enum {
  SCENE_SQUARES,
  SCENE_POINTS,
  SCENE_HOLES,
  SCENE_DISCS
} SceneStyle;

/* Places are numbered as in docs/api.md, which is how a picture numbers them.
 */
typedef struct SceneBoard {
  SceneShape shape;
  SceneStyle style;
  uint32_t picture; /* of a grid or row, in the layout's atlas */
  uint32_t family;  /* of a tower or cube; of others, the first that is drawn */
  uint32_t columns, rows, layers;
  uint32_t outer_columns, outer_rows; /* 1 if the board is on none */
  uint32_t places;
  bool up, checkered;
  uint32_t *shown; /* by place: its number on the page; NULL: the same */
  /* If there is `shown`: the size on the page, and which axes label it; none
     labels columns if rows are centred. */
  uint32_t width, height, x_axis, y_axis;
  bool bars;                        /* the numbers of a row are lengths */
  uint32_t part_columns, part_rows; /* of parts that move as a whole; 0: none */
  int slant;                        /* of a hexagonal one, see docs/api.md */

  /* Of a tower: where piles begin. A base that bears one thing at most has a
     column, a wide one has one for each thing that may lie on it; things
     without anything below have one each. */
  bool wide[TOWER_THINGS], loose;
  uint32_t first[TOWER_THINGS]; /* by base: its first column */
  uint32_t first_loose;
  Towers things; /* in the last state that was looked at */
} SceneBoard;

/* What lies on a place, the lowest first, as numbers of pieces. */
typedef struct SceneCell {
  uint32_t count;
  uint32_t pieces[SCENE_STACK];
} SceneCell;

/* ---- pieces ---- */

typedef enum { PIECE_GLYPH, PIECE_BAR, PIECE_THING, PIECE_FACE } SceneSource;

/* Known by what facts say of it, so that its number never changes. */
typedef struct ScenePiece {
  SceneSource source;
  Symbol functor;
  Term contents[GLYPH_CONTENTS]; /* of a thing, the first; of a face, none */
  uint32_t count;                /* of a face: its number */
  uint32_t glyph;                /* in the layout's glyphs, if it is of these */
} ScenePiece;

/* ---- moves ---- */

/* What an argument of a move names, or several in a row do. */
typedef enum {
  READ_PLACE, /* all coordinates of a place */
  READ_PART,  /* some of them: a column, a pillar, a board on a board */
  READ_THING, /* a piece that is at one place of the board */
  READ_GROUP, /* a piece that may be at several */
  READ_PILE,  /* a thing of a tower, or a base */
  READ_FACE,  /* a face of a cube */
  READ_REGION /* places that change with the argument's value */
} SceneReads;

typedef struct SceneReading {
  SceneReads reads;
  uint32_t board;
  uint32_t at, span; /* arguments */
  uint32_t axes;     /* of a part, as bits */
  /* How often it could be read so, by moves that may be made; and of those that
     were tried, how often what it names changed. */
  uint32_t fits, tried, changed;
} SceneReading;

typedef struct SceneRegion {
  Term value;
  bool *places; /* of the board, that changed */
} SceneRegion;

typedef VECTOR(SceneRegion) SceneRegions;

/* Moves of one functor and number of arguments. */
typedef struct SceneForm {
  Symbol functor;  /* 0: constants */
  uint32_t leaves; /* arguments, those of terms within included */
  uint32_t known;
  VECTOR(SceneReading) readings; /* that may be */
  VECTOR(SceneReading) chosen;   /* in the order of the arguments */
  SceneRegions regions[SCENE_LEAVES];
} SceneForm;

/* The arguments of a move. */
typedef struct SceneLeaves {
  Symbol functor;
  Term list[SCENE_LEAVES];
  uint32_t count; /* SCENE_LEAVES + 1: too many */
} SceneLeaves;

/* ---- random games ---- */

typedef struct SceneStep {
  uint32_t first, count; /* of its facts */
  bool last;             /* of a game; else the next one follows it */
} SceneStep;

struct SceneSample {
  uint32_t roles;
  VECTOR(SceneStep) steps;
  TermVector facts;
  TermVector moves; /* by step and role, those made; 0 after the last */
  TermVector legal; /* that were seen, if there is no net */
};

/* scene_sample.c: plays some, on an engine of its own. */
void scene_sample_init(SceneSample *sample, Book *book);
void scene_sample_free(SceneSample *sample);

/* ---- the whole ---- */

struct Scene {
  Book *book;
  Layout layout;
  VECTOR(SceneBoard) boards;
  VECTOR(ScenePiece) pieces;
  NumberVector of_glyph[2]; /* by glyph's piece, plain or bar: piece + 1 */
  VECTOR(SceneForm) forms;
  uint32_t sides[GLYPH_MOST]; /* by side of the glyphs: its colour */
  SceneSample sample;
  uint64_t signature; /* of the layout, before rows of marks were added */
  uint32_t pictures;  /* of the layout, with them */
  uint32_t version;
};

/* scene.c: takes notice of new facts. */
void scene_meet(Scene *scene, const Term *facts, uint32_t count);
/* Very large terms are shortened. */
json_t *scene_term_json(const Terms *terms, Term term);

static inline const Terms *scene_terms(const Scene *scene) {
  return &scene->book->description->rules.terms;
}

static inline const Picture *scene_picture(const Scene *scene,
                                           const SceneBoard *board) {
  return &scene->layout.atlas.pictures.data[board->picture];
}

/* scene_board.c: the boards of the layout. */
void scene_find_boards(Scene *scene);
void scene_forget_boards(Scene *scene);
/* Drops rows that are none. */
bool scene_drop_crowded(Scene *scene, const Term *facts, uint32_t count);
/* Drops boards on which nothing was ever seen, but the first; and rows and
   towers on which there mostly was nothing. */
void scene_drop_empty(Scene *scene, const SceneSample *sample);
/* Widens towers if they need it in this state. */
void scene_look_at_towers(Scene *scene, const Term *facts, uint32_t count);
json_t *scene_board_json(const Scene *scene, const SceneBoard *board);

/* scene_piece.c: numbers of pieces, new ones included, and what they look like.
 */
uint32_t scene_piece_of_glyph(Scene *scene, uint32_t glyph, bool bar);
uint32_t scene_piece_of_thing(Scene *scene, Term thing);
uint32_t scene_piece_of_face(Scene *scene, uint32_t face);
/* Returns whether all pieces are round and have no kinds beside each other. */
bool scene_pieces_round(const Scene *scene);
void scene_colour_sides(Scene *scene);
json_t *scene_pieces_json(Scene *scene);
json_t *scene_roles_json(const Scene *scene);

/* The places on the page, and the one that this is. */
static inline uint32_t scene_shown_places(const SceneBoard *board) {
  return board->shown ? board->width * board->height : board->places;
}
static inline uint32_t scene_shown(const SceneBoard *board, uint32_t place) {
  return board->shown ? board->shown[place] : place;
}

/* scene_cells.c: what lies where. Returns a list by board and place; the caller
   deletes it with scene_cells_delete. */
SceneCell **scene_cells(Scene *scene, const Term *facts, uint32_t count);
void scene_cells_delete(Scene *scene, SceneCell **cells);
bool scene_cell_equal(const SceneCell *a, const SceneCell *b);

/* scene_form.c: what the moves of the game name. */
void scene_learn_moves(Scene *scene, const SceneSample *sample);
void scene_free_forms(Scene *scene);
/* Returns the form, or NULL if it is not known. */
const SceneForm *scene_form(Scene *scene, const SceneLeaves *leaves);
/* scene_read.c: the arguments of a move, and the places that they name. */
void scene_leaves(const Terms *terms, Term move, SceneLeaves *leaves);
/* Sets `places[p]` for those that the reading names; returns how many. Cells
   are those of the state. */
uint32_t scene_read(const Scene *scene, const SceneForm *form,
                    const SceneReading *reading, const SceneLeaves *leaves,
                    SceneCell **cells, bool *places);

/* scene_shape.c: what a board looks like, by the moves and the pieces. */
void scene_shape_boards(Scene *scene);
/* scene_turn.c: which way the coordinates of a board run. */
void scene_turn_board(Scene *scene, SceneBoard *board);
/* Returns true if rows of different lengths are numbered from their ends, and
   makes them a hexagonal board with their middles above each other. */
bool scene_centre_rows(Scene *scene, SceneBoard *board);
/* scene_hex.c: returns whether the places of the board have six neighbours. */
bool scene_is_hex(Scene *scene, uint32_t board, int *slant);

#endif
