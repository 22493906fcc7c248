/* The layout of game/layout.h gives the boards and pieces. Some random games
   teach it what the facts are if there is no analysis, and show what moves
   change. Numbers of pieces never change; boards do only if a state has facts
   of a new kind. */
#include "about/scene_parts.h"
#include "base/hash.h"

static void forget_glyphs(Scene *scene) {
  vector_clear(&scene->of_glyph[0]);
  vector_clear(&scene->of_glyph[1]);
}

static void forget(Scene *scene) {
  scene_free_forms(scene);
  forget_glyphs(scene);
}

static uint64_t mix_numbers(uint64_t hash, const uint32_t *list,
                            uint32_t count) {
  hash = hash_mix(hash ^ count);
  for (uint32_t i = 0; i < count; i++) hash = hash_mix(hash ^ list[i]);
  return hash;
}

/* Returns a hash of what the boards are, without the pieces on them. */
static uint64_t sign_layout(const Layout *layout) {
  uint64_t hash = layout->atlas.pictures.count;
  for (uint32_t p = 0; p < layout->atlas.pictures.count; p++) {
    const Picture *picture = &layout->atlas.pictures.data[p];
    hash = mix_numbers(hash, picture->members.data, picture->members.count);
    for (uint32_t d = 0; d < picture->dimension; d++)
      hash = mix_numbers(hash, picture->axes[d].values.data,
                         picture->axes[d].values.count);
  }
  for (uint32_t f = 0; f < layout->families.list.count; f++)
    if (layout->atlas.uses[f] > USE_DRAWN)
      hash = mix_numbers(hash, (uint32_t[]){f, layout->atlas.uses[f]}, 2);
  return hash;
}

/* Finds everything of the layout again. */
static void find(Scene *scene) {
  forget(scene);
  scene->version++;
  scene->signature = sign_layout(&scene->layout);
  glyphs_understand(&scene->layout.glyphs);
  scene_find_boards(scene);
  scene->pictures = scene->layout.atlas.pictures.count;
  for (uint32_t i = 0; i < scene->sample.steps.count; i++) {
    const SceneStep *step = &scene->sample.steps.data[i];
    const Term *facts = scene->sample.facts.data + step->first;
    scene_drop_crowded(scene, facts, step->count);
    scene_look_at_towers(scene, facts, step->count);
  }
  scene_drop_empty(scene, &scene->sample);
  scene_learn_moves(scene, &scene->sample);
  scene_shape_boards(scene);
}

/* A new value of a counter, or a new piece, leaves the boards what they are. */
void scene_meet(Scene *scene, const Term *facts, uint32_t count) {
  if (!layout_learn(&scene->layout, facts, count)) return;
  uint32_t pictures = scene->layout.atlas.pictures.count;
  if (scene->pictures == pictures &&
      scene->signature == sign_layout(&scene->layout))
    forget_glyphs(scene);
  else
    find(scene);
}

Scene *scene_new(Book *book) {
  Scene *scene = memory_new(sizeof *scene);
  scene->book = book;
  scene_sample_init(&scene->sample, book);
  layout_init(&scene->layout, book->description, book_analysis(book));
  for (uint32_t i = 0; i < scene->sample.steps.count; i++)
    layout_learn(&scene->layout,
                 scene->sample.facts.data + scene->sample.steps.data[i].first,
                 scene->sample.steps.data[i].count);
  find(scene);
  return scene;
}

void scene_delete(Scene *scene) {
  if (!scene) return;
  forget(scene);
  scene_sample_free(&scene->sample);
  layout_free(&scene->layout);
  vector_free(&scene->of_glyph[0]);
  vector_free(&scene->of_glyph[1]);
  scene_forget_boards(scene);
  vector_free(&scene->boards);
  vector_free(&scene->pieces);
  memory_delete(scene);
}

json_t *scene_json(Scene *scene) {
  json_t *boards = json_array();
  glyphs_understand(&scene->layout.glyphs);
  scene_colour_sides(scene);
  for (uint32_t b = 0; b < scene->boards.count; b++)
    json_array_append_new(boards,
                          scene_board_json(scene, &scene->boards.data[b]));
  return json_pack("{s:o, s:o, s:o}", "boards", boards, "pieces",
                   scene_pieces_json(scene), "roles", scene_roles_json(scene));
}

uint32_t scene_version(const Scene *scene) {
  return scene->version;
}

json_t *scene_term_json(const Terms *terms, Term term) {
  enum { LARGEST = 2000 };
  Text text = {0};
  if (term_size(terms, term) > LARGEST)
    text_format(&text, "(%s ...)",
                symbol_text(&terms->symbols, term_symbol(terms, term)));
  else
    term_write(terms, term, &text);
  json_t *string = json_plain(text_string(&text));
  text_free(&text);
  return string;
}
