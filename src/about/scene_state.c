/* A state as JSON: what lies on the boards, what changed, and everything else
   in words. Texts are bounded: of very many facts the first are told. */
#include "about/scene_parts.h"
#include "game/remarks.h"

enum { MOST_FACTS = 4000, MOST_REMARKS = 24 };

/* ---- boards ---- */

static json_t *cell_json(const SceneCell *cell) {
  if (!cell->count) return json_integer(0);
  if (cell->count == 1) return json_integer(cell->pieces[0] + 1);
  json_t *list = json_array();
  for (uint32_t i = 0; i < cell->count; i++)
    json_array_append_new(list, json_integer(cell->pieces[i] + 1));
  return list;
}

static json_t *board_json(const SceneBoard *board, const SceneCell *cells) {
  json_t *list = json_array();
  uint32_t count = scene_shown_places(board);
  for (uint32_t p = 0; p < count; p++)
    json_array_append_new(list, board->shown ? json_integer(0)
                                             : cell_json(&cells[p]));
  for (uint32_t p = 0; board->shown && p < board->places; p++)
    if (cells[p].count)
      json_array_set_new(list, board->shown[p], cell_json(&cells[p]));
  return list;
}

static json_t *cells_json(const Scene *scene, SceneCell **cells) {
  json_t *boards = json_array();
  for (uint32_t b = 0; b < scene->boards.count; b++)
    json_array_append_new(boards, board_json(&scene->boards.data[b], cells[b]));
  return boards;
}

static json_t *changed_json(const Scene *scene, SceneCell **now,
                            SceneCell **before) {
  json_t *boards = json_array();
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    const SceneBoard *board = &scene->boards.data[b];
    json_t *list = json_array();
    for (uint32_t p = 0; before && p < board->places; p++)
      if (!scene_cell_equal(&now[b][p], &before[b][p]))
        json_array_append_new(list, json_integer(scene_shown(board, p)));
    json_array_append_new(boards, list);
  }
  return boards;
}

/* ---- words ---- */

static bool is_on_board(const Scene *scene, uint32_t family) {
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    const SceneBoard *board = &scene->boards.data[b];
    if (board->shape == SCENE_TOWER || board->shape == SCENE_CUBE) {
      if (board->family == family) return true;
      continue;
    }
    const NumberVector *members = &scene_picture(scene, board)->members;
    for (uint32_t m = 0; m < members->count; m++)
      if (members->data[m] == family) return true;
  }
  return false;
}

static json_t *remarks_json(const Scene *scene, const Term *facts,
                            uint32_t count, bool over) {
  const Layout *layout = &scene->layout;
  uint32_t families = layout->families.list.count;
  bool *listed = memory_new((families + 1) * sizeof *listed);
  BoardsStyle style = {.width = 100, .over = over};
  TextVector texts = {0};
  json_t *list = json_array();
  for (uint32_t f = 0; f < families; f++)
    listed[f] = layout->atlas.uses[f] != USE_HELPER && !is_on_board(scene, f);
  Remarks remarks = {.families = &layout->families,
                     .glyphs = &layout->glyphs,
                     .style = &style,
                     .listed = listed,
                     .turn = layout->turn,
                     .brief = true};
  remarks_list(&remarks, facts, count, &texts);
  for (uint32_t i = 0; i < texts.count && i < MOST_REMARKS; i++)
    json_array_append_new(list, json_plain(text_string(&texts.data[i])));
  text_vector_free(&texts);
  memory_delete(listed);
  return list;
}

static json_t *facts_json(const Terms *terms, const Term *facts,
                          uint32_t count) {
  TermVector sorted = {0};
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++) vector_push(&sorted, facts[i]);
  if (count) term_sort(terms, sorted.data, count);
  for (uint32_t i = 0; i < count && i < MOST_FACTS; i++)
    json_array_append_new(list, scene_term_json(terms, sorted.data[i]));
  vector_free(&sorted);
  return list;
}

static json_t *goals_json(Game *game) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < game->role_count; role++) {
    int goal = game_goal(game, role);
    json_array_append_new(list, goal < 0 ? json_null() : json_integer(goal));
  }
  return list;
}

/* ---- all ---- */

json_t *scene_state(Scene *scene, Game *game, const Term *before,
                    uint32_t before_count) {
  const Term *list;
  TermVector facts = {0};
  bool over = game_terminal(game);
  uint32_t count = game_facts(game, &list);
  for (uint32_t i = 0; i < count; i++) vector_push(&facts, list[i]);
  if (before) scene_meet(scene, before, before_count);
  scene_meet(scene, facts.data, count);
  if (before) scene_look_at_towers(scene, before, before_count);
  scene_look_at_towers(scene, facts.data, count);
  SceneCell **old = before ? scene_cells(scene, before, before_count) : NULL;
  SceneCell **now = scene_cells(scene, facts.data, count);
  json_t *state = json_pack(
      "{s:o, s:o, s:o, s:o, s:b, s:o}", "cells", cells_json(scene, now),
      "changed", changed_json(scene, now, old), "remarks",
      remarks_json(scene, facts.data, count, over), "facts",
      facts_json(scene_terms(scene), facts.data, count), "terminal", over,
      "goals", over ? goals_json(game) : json_null());
  scene_cells_delete(scene, old);
  scene_cells_delete(scene, now);
  vector_free(&facts);
  return state;
}
