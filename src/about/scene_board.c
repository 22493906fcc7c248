/* Each picture of the layout is a board, each tower and cube too. Rows that
   turn out to have several facts about one place are none.

   The columns of a tower are the same in all states, so that a pile does not
   move when another one comes or goes: a pile on a wide base, or on none, is in
   the column of its lowest thing. */
#include "about/scene_parts.h"
#include "game/words.h"

/* ---- finding ---- */

static uint32_t axis_length(const Picture *picture, uint32_t d) {
  return d < picture->dimension ? picture->axes[d].values.count : 1;
}

static bool are_bars(const Layout *layout, const Picture *picture) {
  enum { MOST = 10, LONGEST = 50 };
  const Terms *terms = &layout->families.rules->terms;
  const Family *family = &layout->families.list.data[picture->members.data[0]];
  if (picture->dimension != 1 || axis_length(picture, 0) > MOST ||
      !layout_numbers(layout, picture))
    return false;
  for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++)
    for (uint32_t i = 0;
         family->contents >> a & 1 && i < family->values[a].count; i++)
      if (term_number(terms, family->values[a].data[i]) > LONGEST) return false;
  return true;
}

static void add_picture(Scene *scene, uint32_t p) {
  const Picture *picture = &scene->layout.atlas.pictures.data[p];
  if (!picture->members.count) return;
  bool nested = picture->dimension == 4;
  SceneBoard board = {.shape = picture->dimension == 1 ? SCENE_ROW : SCENE_GRID,
                      .picture = p,
                      .family = picture->members.data[0],
                      .columns = axis_length(picture, 0),
                      .rows = axis_length(picture, 1),
                      .layers =
                          picture->dimension == 3 ? axis_length(picture, 2) : 1,
                      .outer_columns = nested ? axis_length(picture, 2) : 1,
                      .outer_rows = nested ? axis_length(picture, 3) : 1,
                      .places = picture_places(picture),
                      .up = true,
                      .bars = are_bars(&scene->layout, picture)};
  vector_push(&scene->boards, board);
}

static void add_form(Scene *scene, uint32_t family) {
  Use use = scene->layout.atlas.uses[family];
  if (use == USE_CUBE)
    vector_push(&scene->boards, ((SceneBoard){.shape = SCENE_CUBE,
                                              .family = family,
                                              .columns = 3,
                                              .rows = 3,
                                              .layers = CUBE_FACES,
                                              .outer_columns = 1,
                                              .outer_rows = 1,
                                              .places = CUBE_STICKERS}));
  else if (use == USE_TOWER)
    vector_push(&scene->boards, ((SceneBoard){.shape = SCENE_TOWER,
                                              .family = family,
                                              .layers = 1,
                                              .outer_columns = 1,
                                              .outer_rows = 1,
                                              .up = true}));
}

void scene_forget_boards(Scene *scene) {
  for (uint32_t b = 0; b < scene->boards.count; b++)
    memory_delete(scene->boards.data[b].shown);
  vector_clear(&scene->boards);
}

/* ---- rows of marks ---- */

static bool has_boards(const Layout *layout) {
  for (uint32_t f = 0; f < layout->families.list.count; f++)
    if (layout->atlas.uses[f] != USE_LISTED &&
        layout->atlas.uses[f] != USE_HELPER)
      return true;
  return false;
}

/* Returns whether the facts say of things in an order which of them have some
   mark, as (lit p) does of lamps. */
static bool are_marks(const Families *families, const Family *family) {
  enum { FEWEST = 3 };
  return families->closed && family->arity == 1 && family->ordered == 1 &&
         family->values[0].count >= FEWEST &&
         family->values[0].count <= FAMILY_LONGEST_AXIS && !family->single;
}

/* In a game without boards, makes rows of marks: they are of no use beside a
   board, where they are helpers or counters. */
static void add_marks(Scene *scene) {
  Layout *layout = &scene->layout;
  const Terms *terms = scene_terms(scene);
  for (uint32_t f = 0; f < layout->families.list.count; f++) {
    Family *family = &layout->families.list.data[f];
    if (layout->atlas.uses[f] != USE_LISTED || f == layout->turn ||
        !are_marks(&layout->families, family))
      continue;
    Picture picture = {.dimension = 1};
    family->dimension = 1;
    family->argument[0] = family->contents = 0;
    family_axis(family, terms, 0, &picture.axes[0]);
    vector_push(&picture.members, f);
    vector_push(&layout->atlas.pictures, picture);
    layout->atlas.uses[f] = USE_DRAWN;
  }
}

void scene_find_boards(Scene *scene) {
  scene_forget_boards(scene);
  if (!has_boards(&scene->layout)) add_marks(scene);
  for (uint32_t p = 0; p < scene->layout.atlas.pictures.count &&
                       scene->boards.count < SCENE_BOARDS;
       p++)
    add_picture(scene, p);
  for (uint32_t f = 0; f < scene->layout.families.list.count &&
                       scene->boards.count < SCENE_BOARDS;
       f++)
    add_form(scene, f);
}

bool scene_drop_crowded(Scene *scene, const Term *facts, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    SceneBoard board = scene->boards.data[b];
    bool crowded = board.shape == SCENE_ROW &&
                   layout_crowded(&scene->layout, scene_picture(scene, &board),
                                  facts, count);
    if (!crowded) scene->boards.data[kept++] = board;
  }
  bool dropped = kept < scene->boards.count;
  scene->boards.count = kept;
  return dropped;
}

/* Counts the states in which something is on the boards. */
static void count_used(Scene *scene, const SceneStep *step, const Term *facts,
                       uint32_t *used) {
  SceneCell **cells = scene_cells(scene, facts + step->first, step->count);
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    bool any = false;
    for (uint32_t p = 0; p < scene->boards.data[b].places; p++)
      any |= cells[b][p].count > 0;
    used[b] += any;
  }
  scene_cells_delete(scene, cells);
}

void scene_drop_empty(Scene *scene, const SceneSample *sample) {
  uint32_t used[SCENE_BOARDS] = {0}, kept = 0;
  for (uint32_t i = 0; i < sample->steps.count; i++)
    count_used(scene, &sample->steps.data[i], sample->facts.data, used);
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    SceneShape shape = scene->boards.data[b].shape;
    bool grid = shape == SCENE_GRID;
    if ((b == 0 && grid) || (grid && used[b]) ||
        used[b] * 5 > sample->steps.count * 2)
      scene->boards.data[kept++] = scene->boards.data[b];
  }
  scene->boards.count = kept;
}

/* ---- towers ---- */

static uint32_t count_things(const Towers *towers) {
  uint32_t count = 0;
  for (int i = 0; i < towers->count; i++) count += !towers->things[i].base;
  return count;
}

static void lay_out_tower(SceneBoard *board) {
  const Towers *towers = &board->things;
  uint32_t things = count_things(towers), columns = 0;
  for (int i = 0; i < towers->count; i++) {
    if (!towers->things[i].base) continue;
    board->first[i] = columns;
    columns += board->wide[i] ? things : 1;
  }
  board->first_loose = columns;
  board->columns = columns + (board->loose ? things : 0);
  board->rows = things;
  board->places = board->columns * board->rows;
}

static void look_at_tower(Scene *scene, SceneBoard *board, const Term *facts,
                          uint32_t count) {
  const Families *families = &scene->layout.families;
  Towers *towers = memory_new(sizeof *towers);
  if (tower_stand(families, &families->list.data[board->family], facts, count,
                  towers)) {
    bool changed = towers->count != board->things.count;
    board->things = *towers;
    for (int i = 0; i < towers->count; i++) {
      const TowerThing *thing = &towers->things[i];
      bool wide = thing->base && thing->bearing > 1 && !board->wide[i];
      bool loose = !thing->base && thing->below < 0 && !board->loose;
      changed |= wide || loose;
      board->wide[i] |= wide;
      board->loose |= loose;
    }
    if (changed) {
      lay_out_tower(board);
      scene->version++;
    }
  }
  memory_delete(towers);
}

void scene_look_at_towers(Scene *scene, const Term *facts, uint32_t count) {
  for (uint32_t b = 0; b < scene->boards.count; b++)
    if (scene->boards.data[b].shape == SCENE_TOWER)
      look_at_tower(scene, &scene->boards.data[b], facts, count);
}

/* ---- as JSON ---- */

static json_t *axis_json(const Scene *scene, const Picture *picture,
                         uint32_t d) {
  if (d >= picture->dimension) return json_null();
  json_t *labels = json_array();
  for (uint32_t i = 0; i < picture->axes[d].values.count; i++) {
    Text label = {0};
    axis_write(&picture->axes[d], scene_terms(scene), i, &label);
    json_array_append_new(labels, json_plain(text_string(&label)));
    text_free(&label);
  }
  return labels;
}

/* Names the columns of a tower by their bases. */
static json_t *bases_json(const Scene *scene, const SceneBoard *board) {
  json_t *labels = json_array();
  const Towers *towers = &board->things;
  const Terms *terms = scene_terms(scene);
  for (uint32_t x = 0; x < board->columns; x++) {
    const char *name = "";
    for (int i = 0; i < towers->count; i++)
      if (towers->things[i].base && board->first[i] == x)
        name = symbol_text(&terms->symbols,
                           term_symbol(terms, towers->things[i].term));
    json_array_append_new(labels, json_plain(name));
  }
  return labels;
}

static json_t *faces_json(void) {
  static const char *const names[] = {"u", "l", "f", "r", "b", "d"};
  json_t *labels = json_array();
  for (uint32_t i = 0; i < CUBE_FACES; i++)
    json_array_append_new(labels, json_string(names[i]));
  return labels;
}

static json_t *missing_json(const Scene *scene, const SceneBoard *board) {
  json_t *list = json_array();
  if (board->shape == SCENE_TOWER || board->shape == SCENE_CUBE) return list;
  const bool *exists = scene_picture(scene, board)->exists;
  for (uint32_t i = 0; exists && i < board->places; i++)
    if (!exists[i] && !board->shown)
      json_array_append_new(list, json_integer(i));
  if (!board->shown) return list;
  uint32_t places = scene_shown_places(board);
  bool *known = memory_new(places + 1);
  for (uint32_t i = 0; i < board->places; i++)
    if (!exists || exists[i]) known[board->shown[i]] = true;
  for (uint32_t i = 0; i < places; i++)
    if (!known[i]) json_array_append_new(list, json_integer(i));
  memory_delete(known);
  return list;
}

static void add_labels(const Scene *scene, const SceneBoard *board,
                       json_t *object) {
  const Picture *picture =
      board->shape == SCENE_TOWER || board->shape == SCENE_CUBE
          ? NULL
          : scene_picture(scene, board);
  uint32_t along = board->shown ? board->x_axis : 0;
  uint32_t across = board->shown ? board->y_axis : 1;
  json_t *x = picture                       ? axis_json(scene, picture, along)
              : board->shape == SCENE_TOWER ? bases_json(scene, board)
                                            : json_null();
  json_t *z = board->shape == SCENE_CUBE ? faces_json()
              : board->layers > 1        ? axis_json(scene, picture, 2)
                                         : json_null();
  json_object_set_new(object, "x", x);
  json_object_set_new(
      object, "y", picture ? axis_json(scene, picture, across) : json_null());
  json_object_set_new(object, "z", z);
}

static void add_parts(const SceneBoard *board, json_t *object) {
  bool turned = board->shown && board->x_axis == 1;
  int columns = (int)(turned ? board->part_rows : board->part_columns);
  int rows = (int)(turned ? board->part_columns : board->part_rows);
  json_object_set_new(
      object, "parts",
      columns ? json_pack("{s:i, s:i}", "columns", columns, "rows", rows)
              : json_null());
}

json_t *scene_board_json(const Scene *scene, const SceneBoard *board) {
  static const char *const shapes[] = {"grid",  "hex",  "row",
                                       "tower", "cube", "ring"};
  static const char *const styles[] = {"squares", "points", "holes", "discs"};
  const Family *family = &scene->layout.families.list.data[board->family];
  Text name = {0};
  words_write(symbol_text(&scene_terms(scene)->symbols, family->functor),
              &name);
  bool nested = board->outer_columns * board->outer_rows > 1;
  json_t *outer =
      nested ? json_pack("{s:i, s:i}", "columns", (int)board->outer_columns,
                         "rows", (int)board->outer_rows)
             : json_null();
  json_t *object = json_pack(
      "{s:o, s:s, s:i, s:i, s:i, s:o, s:b, s:b, s:s, s:i, s:o}", "name",
      json_plain(text_string(&name)), "shape", shapes[board->shape], "columns",
      (int)(board->shown ? board->width : board->columns), "rows",
      (int)(board->shown ? board->height : board->rows), "layers",
      (int)board->layers, "outer", outer, "up", board->up, "checkered",
      board->checkered, "style", styles[board->style], "slant", board->slant,
      "missing", missing_json(scene, board));
  add_labels(scene, board, object);
  add_parts(board, object);
  text_free(&name);
  return object;
}
