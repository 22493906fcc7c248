/* What the arguments of moves name is guessed from their values and then tried:
   in some random games, what a reading names must change when the move is made.

   A reading fits a move if its arguments have values that it could name: those
   of a place are on the axes of the board. All readings that fit most moves of
   a form are tried; then the best ones that do not overlap are chosen: whole
   places before parts of them, and more certain ones first. Once one place is
   known, others that never change may be on the way (a piece jumps over them).

   If nothing else is found and what changes can be told from the value of one
   argument, as with the quadrants of a board that are turned, that argument
   names the region which changed. */
#include "about/scene_parts.h"

enum {
  MOST_FORMS = 64,
  MOST_READINGS = 200,
  MOST_REGIONS = 16,
  MOST_MOVES = 20000 /* of the net that are looked at */
};

/* ---- forms ---- */

static SceneForm *find_form(Scene *scene, const SceneLeaves *leaves) {
  for (uint32_t i = 0; i < scene->forms.count; i++)
    if (scene->forms.data[i].functor == leaves->functor &&
        scene->forms.data[i].leaves == leaves->count)
      return &scene->forms.data[i];
  return NULL;
}

const SceneForm *scene_form(Scene *scene, const SceneLeaves *leaves) {
  return find_form(scene, leaves);
}

static void add_reading(SceneForm *form, SceneReads reads, uint32_t board,
                        uint32_t at, uint32_t span, uint32_t axes) {
  if (at + span > form->leaves || form->readings.count == MOST_READINGS) return;
  vector_push(&form->readings, ((SceneReading){.reads = reads,
                                               .board = board,
                                               .at = at,
                                               .span = span,
                                               .axes = axes}));
}

static uint32_t bits(uint32_t number) {
  return (uint32_t)__builtin_popcount(number);
}

static void add_picture_readings(const Scene *scene, SceneForm *form,
                                 uint32_t board, uint32_t at) {
  const SceneBoard *own = &scene->boards.data[board];
  uint32_t dimension = scene_picture(scene, own)->dimension;
  uint32_t all = ((uint32_t)1 << dimension) - 1;
  bool split = scene->layout.families.list.data[own->family].split;
  add_reading(form, READ_PLACE, board, at, split ? 1 : dimension, all);
  for (uint32_t axes = 1; axes < all && !split; axes++)
    add_reading(form, READ_PART, board, at, bits(axes), axes);
  add_reading(form, READ_THING, board, at, 1, 0);
  add_reading(form, READ_GROUP, board, at, 1, 0);
}

static void add_readings(const Scene *scene, SceneForm *form) {
  for (uint32_t b = 0; b < scene->boards.count; b++)
    for (uint32_t at = 0; at < form->leaves; at++) {
      SceneShape shape = scene->boards.data[b].shape;
      if (shape == SCENE_TOWER)
        add_reading(form, READ_PILE, b, at, 1, 0);
      else if (shape == SCENE_CUBE)
        add_reading(form, READ_FACE, b, at, 1, 0);
      else
        add_picture_readings(scene, form, b, at);
    }
}

/* Returns the form of the arguments, or NULL if they are not looked at. */
static SceneForm *find_or_add(Scene *scene, const SceneLeaves *leaves) {
  if (!leaves->count || leaves->count > SCENE_LEAVES) return NULL;
  SceneForm *form = find_form(scene, leaves);
  if (form || scene->forms.count == MOST_FORMS) return form;
  vector_push(&scene->forms, ((SceneForm){.functor = leaves->functor,
                                          .leaves = leaves->count}));
  form = &vector_last(&scene->forms);
  add_readings(scene, form);
  return form;
}

/* ---- what fits ---- */

/* Returns whether some piece is called so. */
static bool names_piece(const Scene *scene, Term value) {
  for (uint32_t i = 0; i < scene->layout.glyphs.pieces.count; i++) {
    const Piece *piece = &scene->layout.glyphs.pieces.data[i];
    if (piece->count == 1 && piece->contents[0] == value && !piece->blank)
      return true;
  }
  return false;
}

static bool names_thing(const SceneBoard *board, Term value) {
  for (int i = 0; i < board->things.count; i++)
    if (board->things.things[i].term == value) return true;
  return false;
}

static bool fits(const Scene *scene, const SceneForm *form,
                 const SceneReading *reading, const SceneLeaves *leaves,
                 bool *places) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  Term value = leaves->list[reading->at];
  if (reading->reads == READ_THING || reading->reads == READ_GROUP)
    return names_piece(scene, value);
  if (reading->reads == READ_PILE) return names_thing(board, value);
  memset(places, 0, board->places);
  return scene_read(scene, form, reading, leaves, NULL, places) > 0;
}

static void note_move(Scene *scene, Term move, bool *places) {
  SceneLeaves leaves;
  scene_leaves(scene_terms(scene), move, &leaves);
  SceneForm *form = find_or_add(scene, &leaves);
  if (!form) return;
  form->known++;
  for (uint32_t i = 0; i < form->readings.count; i++)
    form->readings.data[i].fits +=
        fits(scene, form, &form->readings.data[i], &leaves, places);
}

/* Drops readings that fit too few moves: of constants, some are no places. */
static void drop_readings(SceneForm *form) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < form->readings.count; i++) {
    SceneReading reading = form->readings.data[i];
    if (reading.fits * 10 >= form->known * (form->functor ? 8 : 4))
      form->readings.data[kept++] = reading;
  }
  form->readings.count = kept;
}

static uint32_t most_places(const Scene *scene) {
  uint32_t most = 1;
  for (uint32_t b = 0; b < scene->boards.count; b++)
    if (scene->boards.data[b].places > most)
      most = scene->boards.data[b].places;
  return most;
}

/* ---- trying ---- */

typedef struct Trial {
  Scene *scene;
  const SceneSample *sample;
  SceneCell **before, **after;
  uint32_t boards;
  bool *changed[SCENE_BOARDS]; /* by place */
  bool any[SCENE_BOARDS];
  bool *places;
} Trial;

static void find_changes(Trial *trial) {
  for (uint32_t b = 0; b < trial->boards; b++) {
    trial->any[b] = false;
    for (uint32_t p = 0; p < trial->scene->boards.data[b].places; p++) {
      trial->changed[b][p] =
          !scene_cell_equal(&trial->before[b][p], &trial->after[b][p]);
      trial->any[b] |= trial->changed[b][p];
    }
  }
}

static void try_reading(Trial *trial, const SceneForm *form,
                        SceneReading *reading, const SceneLeaves *leaves) {
  uint32_t b = reading->board, places = trial->scene->boards.data[b].places;
  memset(trial->places, 0, places);
  reading->tried++;
  if (!scene_read(trial->scene, form, reading, leaves, trial->before,
                  trial->places))
    return;
  bool changed = false;
  for (uint32_t p = 0; p < places && !changed; p++)
    changed = trial->places[p] && trial->changed[b][p];
  reading->changed += changed;
}

/* Notes which places change with which value; only of the first board. */
static void note_region(Trial *trial, SceneForm *form, uint32_t leaf,
                        Term value) {
  SceneRegions *regions = &form->regions[leaf];
  uint32_t at = 0, places = trial->scene->boards.data[0].places;
  while (at < regions->count && regions->data[at].value != value) at++;
  if (at == MOST_REGIONS) return;
  if (at == regions->count) {
    vector_push(regions, ((SceneRegion){.value = value}));
    regions->data[at].places = memory_new(places + 1);
  }
  for (uint32_t p = 0; p < places; p++)
    regions->data[at].places[p] |= trial->changed[0][p];
}

static void try_move(Trial *trial, Term move) {
  SceneLeaves leaves;
  scene_leaves(scene_terms(trial->scene), move, &leaves);
  SceneForm *form = find_form(trial->scene, &leaves);
  if (!form || leaves.count > SCENE_LEAVES) return;
  for (uint32_t i = 0; i < form->readings.count; i++)
    try_reading(trial, form, &form->readings.data[i], &leaves);
  bool grid = trial->boards && trial->scene->boards.data[0].shape == SCENE_GRID;
  for (uint32_t i = 0; grid && form->functor && i < leaves.count; i++)
    note_region(trial, form, i, leaves.list[i]);
}

static SceneCell **cells_of(const Trial *trial, uint32_t at) {
  const SceneStep *step = &trial->sample->steps.data[at];
  return scene_cells(trial->scene, trial->sample->facts.data + step->first,
                     step->count);
}

static void try_step(Trial *trial, uint32_t at) {
  const SceneSample *sample = trial->sample;
  trial->before = cells_of(trial, at);
  trial->after = cells_of(trial, at + 1);
  find_changes(trial);
  /* towers are to be as they were */
  scene_cells_delete(trial->scene, trial->before);
  trial->before = cells_of(trial, at);
  for (uint32_t role = 0; role < sample->roles; role++)
    try_move(trial, sample->moves.data[at * sample->roles + role]);
  scene_cells_delete(trial->scene, trial->before);
  scene_cells_delete(trial->scene, trial->after);
}

static void try_moves(Scene *scene, const SceneSample *sample) {
  Trial trial = {
      .scene = scene, .sample = sample, .boards = scene->boards.count};
  uint32_t most = most_places(scene);
  for (uint32_t b = 0; b < trial.boards; b++)
    trial.changed[b] = memory_new(most + 1);
  trial.places = memory_new(most + 1);
  for (uint32_t i = 0; i + 1 < sample->steps.count; i++)
    if (!sample->steps.data[i].last) try_step(&trial, i);
  for (uint32_t b = 0; b < trial.boards; b++) memory_delete(trial.changed[b]);
  memory_delete(trial.places);
}

/* ---- choosing ---- */

static double rate(const SceneReading *reading) {
  return reading->tried ? (double)reading->changed / reading->tried : 0;
}

static bool overlaps(const SceneForm *form, const SceneReading *reading) {
  for (uint32_t i = 0; i < form->chosen.count; i++) {
    const SceneReading *other = &form->chosen.data[i];
    if (other->board != reading->board ||
        (reading->at < other->at + other->span &&
         other->at < reading->at + reading->span))
      return true;
  }
  return false;
}

/* Places of boards with two coordinates or more are believed unless they were
   tried; everything else must have been seen to change. */
static bool is_likely(const Scene *scene, const SceneReading *reading) {
  static const double least = 0.4, sure = 0.6;
  const SceneBoard *board = &scene->boards.data[reading->board];
  if (reading->reads == READ_PLACE && board->shape != SCENE_ROW)
    return !reading->tried || rate(reading) >= least;
  return rate(reading) >= sure;
}

/* Compares how good readings of the same kind are. */
static bool is_better(const Scene *scene, const SceneReading *a,
                      const SceneReading *b) {
  uint32_t rows_a = scene->boards.data[a->board].shape == SCENE_ROW;
  uint32_t rows_b = scene->boards.data[b->board].shape == SCENE_ROW;
  if (rows_a != rows_b) return rows_a < rows_b;
  if (a->span != b->span) return a->span > b->span;
  if (rate(a) > rate(b) + 0.05 || rate(b) > rate(a) + 0.05)
    return rate(a) > rate(b);
  return false; /* the first */
}

/* Chooses all readings of a kind that are likely and fit beside each other. */
static void choose_kind(const Scene *scene, SceneForm *form, SceneReads reads) {
  for (;;) {
    const SceneReading *best = NULL;
    for (uint32_t i = 0; i < form->readings.count; i++) {
      const SceneReading *reading = &form->readings.data[i];
      if (reading->reads == reads && !overlaps(form, reading) &&
          is_likely(scene, reading) &&
          (!best || is_better(scene, reading, best)))
        best = reading;
    }
    if (!best) return;
    vector_push(&form->chosen, *best);
  }
}

/* Returns whether the arguments name something that changes on another board.
 */
static bool is_elsewhere(const Scene *scene, const SceneForm *form,
                         const SceneReading *reading) {
  for (uint32_t i = 0; i < form->readings.count; i++) {
    const SceneReading *other = &form->readings.data[i];
    if (other->board != reading->board && other->at == reading->at &&
        other->tried && is_likely(scene, other))
      return true;
  }
  return false;
}

/* Chooses places on the way, which need not change. */
static void choose_on_the_way(const Scene *scene, SceneForm *form) {
  if (!form->chosen.count || form->chosen.data[0].span < 2) return;
  for (uint32_t i = 0; i < form->readings.count; i++) {
    const SceneReading *reading = &form->readings.data[i];
    if (reading->reads == READ_PLACE && reading->fits == form->known &&
        !overlaps(form, reading) && !is_elsewhere(scene, form, reading))
      vector_push(&form->chosen, *reading);
  }
}

/* Returns whether the values of the argument change different places. */
static bool tells_regions(const SceneForm *form, uint32_t leaf,
                          uint32_t places) {
  const SceneRegions *regions = &form->regions[leaf];
  if (regions->count < 2 || regions->count == MOST_REGIONS) return false;
  for (uint32_t i = 0; i < regions->count; i++) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < places; p++) {
      count += regions->data[i].places[p];
      for (uint32_t j = 0; j < i; j++)
        if (regions->data[i].places[p] && regions->data[j].places[p])
          return false;
    }
    if (!count) return false;
  }
  return true;
}

static void choose_region(const Scene *scene, SceneForm *form) {
  if (!scene->boards.count) return;
  for (uint32_t leaf = 0; leaf < form->leaves; leaf++)
    if (tells_regions(form, leaf, scene->boards.data[0].places)) {
      vector_push(
          &form->chosen,
          ((SceneReading){.reads = READ_REGION, .at = leaf, .span = 1}));
      return;
    }
}

static void sort_chosen(SceneForm *form) {
  for (uint32_t i = 1; i < form->chosen.count; i++)
    for (uint32_t j = i;
         j > 0 && form->chosen.data[j - 1].at > form->chosen.data[j].at; j--) {
      SceneReading other = form->chosen.data[j];
      form->chosen.data[j] = form->chosen.data[j - 1];
      form->chosen.data[j - 1] = other;
    }
}

static void choose(const Scene *scene, SceneForm *form) {
  static const SceneReads kinds[] = {READ_PLACE, READ_PILE, READ_FACE,
                                     READ_THING, READ_PART, READ_GROUP};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (form->chosen.count && kinds[i] != READ_THING) continue;
    choose_kind(scene, form, kinds[i]);
    if (kinds[i] == READ_PLACE) choose_on_the_way(scene, form);
  }
  if (!form->chosen.count) choose_region(scene, form);
  sort_chosen(form);
}

/* ---- all ---- */

/* Notes the moves of the net, or else those that were seen. */
static void note_moves(Scene *scene, const SceneSample *sample) {
  bool *places = memory_new(most_places(scene) + 1);
  const Net *net = &scene->book->net;
  uint32_t count = scene->book->has_net ? net->moves.count : 0;
  uint32_t stride = count / MOST_MOVES + 1;
  for (uint32_t i = 0; i < count; i += stride)
    note_move(scene, net->moves.data[i].term, places);
  for (uint32_t i = 0; !count && i < sample->legal.count; i++)
    note_move(scene, sample->legal.data[i], places);
  for (uint32_t i = 0; i < scene->forms.count; i++)
    drop_readings(&scene->forms.data[i]);
  memory_delete(places);
}

void scene_learn_moves(Scene *scene, const SceneSample *sample) {
  note_moves(scene, sample);
  if (scene->boards.count) try_moves(scene, sample);
  for (uint32_t i = 0; i < scene->forms.count; i++)
    choose(scene, &scene->forms.data[i]);
}

void scene_free_forms(Scene *scene) {
  for (uint32_t i = 0; i < scene->forms.count; i++) {
    SceneForm *form = &scene->forms.data[i];
    for (uint32_t leaf = 0; leaf < SCENE_LEAVES; leaf++) {
      for (uint32_t r = 0; r < form->regions[leaf].count; r++)
        memory_delete(form->regions[leaf].data[r].places);
      vector_free(&form->regions[leaf]);
    }
    vector_free(&form->readings);
    vector_free(&form->chosen);
  }
  vector_free(&scene->forms);
}
