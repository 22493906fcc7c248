/* A move as JSON: its text, what people would say, and the places to click. A
   move whose arguments cannot be read has no path. */
#include "about/scene_parts.h"

#include <stdlib.h>

#include "about/spell.h"
#include "engine/moves.h"
#include "game/words.h"

enum { LONGEST_SAY = 200, MOST_MOVES = 4000, MOST_TRIED = 250 };

/* ---- the path ---- */

static json_t *element_json(const SceneBoard *board, const bool *places,
                            uint32_t found) {
  json_t *list = found > 1 ? json_array() : NULL;
  for (uint32_t p = 0; p < board->places; p++) {
    if (!places[p]) continue;
    json_t *place = json_integer(scene_shown(board, p));
    if (!list) return place;
    json_array_append_new(list, place);
  }
  return list;
}

/* Returns NULL if some argument cannot be read. */
static json_t *path_json(Scene *scene, const SceneForm *form,
                         const SceneLeaves *leaves, SceneCell **cells) {
  json_t *path = json_array();
  for (uint32_t i = 0; path && i < form->chosen.count; i++) {
    const SceneReading *reading = &form->chosen.data[i];
    const SceneBoard *board = &scene->boards.data[reading->board];
    bool *named = memory_new(board->places + 1);
    uint32_t found = scene_read(scene, form, reading, leaves, cells, named);
    json_t *element = found ? element_json(board, named, found) : NULL;
    size_t count = json_array_size(path);
    if (!element) {
      json_decref(path);
      path = NULL;
    } else if (count && json_equal(json_array_get(path, count - 1), element)) {
      json_decref(element);
    } else {
      json_array_append_new(path, element);
    }
    memory_delete(named);
  }
  return path;
}

/* ---- moves that name no place ---- */

/* A piece that is at one place only, before a move and after it. */
typedef struct Journey {
  uint32_t board, from, to;
} Journey;

/* Writes where each piece is on the board: place + 1, or `no_place` if it is at
   several. */
static void find_pieces(const SceneBoard *board, const SceneCell *cells,
                        uint32_t *where) {
  for (uint32_t p = 0; p < board->places; p++)
    for (uint32_t i = 0; i < cells[p].count; i++) {
      uint32_t *own = &where[cells[p].pieces[i]];
      *own = *own ? no_place : p + 1;
    }
}

/* Returns whether the role may move the piece: it is its own, or everything
   is. */
static bool may_move(const Scene *scene, const Game *game, uint32_t role,
                     uint32_t piece) {
  const ScenePiece *own = &scene->pieces.data[piece];
  if (own->source != PIECE_GLYPH) return false;
  if (game->role_count == 1) return true;
  const Glyphs *glyphs = &scene->layout.glyphs;
  const char *side = glyphs->pieces.data[own->glyph].side;
  return *side && glyphs_side(glyphs, side) == glyphs_role_side(glyphs, role);
}

/* Finds the one piece that goes from one place to another. */
static bool find_journey(const Scene *scene, const Game *game, uint32_t role,
                         SceneCell **before, SceneCell **after,
                         Journey *journey) {
  uint32_t found = 0, pieces = scene->pieces.count;
  uint32_t *from = memory_new((pieces + 1) * sizeof *from);
  uint32_t *to = memory_new((pieces + 1) * sizeof *to);
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    const SceneBoard *board = &scene->boards.data[b];
    memset(from, 0, pieces * sizeof *from);
    memset(to, 0, pieces * sizeof *to);
    find_pieces(board, before[b], from);
    find_pieces(board, after[b], to);
    for (uint32_t i = 0; i < pieces; i++)
      if (from[i] && to[i] && from[i] != to[i] && from[i] != no_place &&
          to[i] != no_place && may_move(scene, game, role, i)) {
        *journey = (Journey){b, scene_shown(board, from[i] - 1),
                             scene_shown(board, to[i] - 1)};
        found++;
      }
  }
  memory_delete(from);
  memory_delete(to);
  return found == 1;
}

/* Makes the move, with any of the others, and looks what it does. */
static bool try_move(Scene *scene, Game *game, uint32_t role, Move move,
                     SceneCell **cells, Journey *journey) {
  Move joint[RULE_ROLES];
  const Move *moves;
  const Term *facts;
  for (uint32_t r = 0; r < game->role_count; r++) {
    if (!game_legal(game, r, &moves)) return false;
    joint[r] = r == role ? move : *moves;
  }
  game_make(game, joint);
  uint32_t count = game_facts(game, &facts), version = scene->version;
  SceneCell **after = scene_cells(scene, facts, count);
  bool found = version == scene->version &&
               find_journey(scene, game, role, cells, after, journey);
  scene_cells_delete(scene, after);
  game_retract(game);
  return found;
}

/* Returns the path of what a move such as (move north) does, or NULL. */
static json_t *journey_json(Scene *scene, Game *game, uint32_t role, Move move,
                            SceneCell **cells, json_t **board) {
  Journey journey;
  if (!scene->boards.count || game_terminal(game) ||
      !moves_contain(game, role, move) ||
      !try_move(scene, game, role, move, cells, &journey))
    return NULL;
  *board = json_integer(journey.board);
  return json_pack("[i, i]", (int)journey.from, (int)journey.to);
}

/* ---- words ---- */

static void add_word(Text *text, const char *word) {
  if (text->length) text_add_byte(text, ' ');
  text_add(text, word);
}

/* Names of one letter keep their case. */
static void add_leaf(const Terms *terms, Term leaf, Text *text) {
  const char *name = symbol_text(&terms->symbols, term_symbol(terms, leaf));
  Text words = {0};
  if (name[0] && name[1]) words_write(name, &words);
  add_word(text, words.length ? words.bytes : name);
  text_free(&words);
}

/* Letters and numbers of a place stand together: e4. */
static void say_place(const Scene *scene, const SceneReading *reading,
                      const SceneLeaves *leaves, Text *text) {
  const Terms *terms = scene_terms(scene);
  add_leaf(terms, leaves->list[reading->at], text);
  for (uint32_t i = 1; i < reading->span; i++) {
    Term leaf = leaves->list[reading->at + i];
    bool letter = term_number(terms, leaves->list[reading->at + i - 1]) < 0;
    if (letter && term_number(terms, leaf) >= 0)
      text_add(text, symbol_text(&terms->symbols, term_symbol(terms, leaf)));
    else
      add_leaf(terms, leaf, text);
  }
}

static void say_reading(const Scene *scene, const SceneForm *form, uint32_t i,
                        const SceneLeaves *leaves, bool after, Text *text) {
  const SceneReading *reading = &form->chosen.data[i];
  const SceneBoard *board = &scene->boards.data[reading->board];
  bool flat = board->places == board->columns * board->rows;
  if (i)
    add_word(text, "to");
  else if (after && reading->reads == READ_PLACE && form->chosen.count == 1)
    add_word(text, "at");
  else if (reading->reads == READ_PART && flat && reading->span == 1)
    add_word(text, reading->axes & 1 ? "in column" : "in row");
  say_place(scene, reading, leaves, text);
}

/* `form` says what the arguments name; NULL: nothing. */
static void say_leaves(const Scene *scene, const SceneForm *form,
                       const SceneLeaves *leaves, Text *text) {
  const Terms *terms = scene_terms(scene);
  const char *functor =
      leaves->functor ? symbol_text(&terms->symbols, leaves->functor) : "";
  uint32_t next = 0, chosen = form ? form->chosen.count : 0;
  if (strcmp(functor, "move") != 0 || chosen < 2) words_write(functor, text);
  bool after = false;
  for (uint32_t at = 0; at < leaves->count;) {
    if (next < chosen && form->chosen.data[next].at == at) {
      say_reading(scene, form, next, leaves, after, text);
      at += form->chosen.data[next++].span;
    } else {
      add_leaf(terms, leaves->list[at++], text);
      after = true;
    }
  }
}

/* Terms within terms are said as they are written. */
static void say(const Scene *scene, const SceneForm *form,
                const SceneLeaves *leaves, Term move, const char *raw,
                Text *text) {
  Text words = {0};
  bool plain = term_depth(scene_terms(scene), move) <= 1 &&
               leaves->count <= SCENE_LEAVES;
  if (strcmp(raw, "noop") == 0)
    text_add(&words, "wait");
  else if (form || plain)
    say_leaves(scene, form, leaves, &words);
  else
    spell_say(raw, &words);
  text_add_bytes(text, text_string(&words),
                 words.length < LONGEST_SAY ? words.length : LONGEST_SAY);
  text_free(&words);
}

/* ---- all ---- */

/* Moves that name no place are tried if `try` is set. */
static json_t *move_json(Scene *scene, Game *game, uint32_t role, Move move,
                         bool try, SceneCell **cells) {
  Text raw = {0}, words = {0};
  SceneLeaves leaves;
  moves_write(game, role, move, &raw);
  Term term = game_move_term(game, role, move);
  scene_leaves(scene_terms(scene), term, &leaves);
  const SceneForm *form = scene_form(scene, &leaves);
  json_t *path = form && form->chosen.count
                     ? path_json(scene, form, &leaves, cells)
                     : NULL;
  say(scene, path ? form : NULL, &leaves, term, text_string(&raw), &words);
  json_t *board = path ? json_integer(form->chosen.data[0].board) : NULL;
  if (!path && try) path = journey_json(scene, game, role, move, cells, &board);
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o}", "move", json_plain(text_string(&raw)), "say",
      json_plain(text_string(&words)), "board", board ? board : json_null(),
      "path", path ? path : json_array());
  text_free(&raw);
  text_free(&words);
  return object;
}

static SceneCell **cells_now(Scene *scene, Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  scene_meet(scene, facts, count);
  return scene_cells(scene, facts, count);
}

json_t *scene_move(Scene *scene, Game *game, uint32_t role, Move move) {
  SceneCell **cells = cells_now(scene, game);
  json_t *object = move_json(scene, game, role, move, true, cells);
  scene_cells_delete(scene, cells);
  return object;
}

typedef struct Said {
  const char *say;
  size_t move;
} Said;

static int by_words(const void *left, const void *right) {
  const Said *a = left, *b = right;
  return strcmp(a->say, b->say);
}

/* Moves that are said alike are told apart by their texts. */
static void tell_apart(json_t *moves) {
  size_t count = json_array_size(moves);
  Said *list = memory_new((count + 1) * sizeof *list);
  bool *twin = memory_new((count + 1) * sizeof *twin);
  for (size_t i = 0; i < count; i++)
    list[i] = (Said){
        json_string_value(json_object_get(json_array_get(moves, i), "say")), i};
  qsort(list, count, sizeof *list, by_words);
  for (size_t i = 1; i < count; i++)
    if (strcmp(list[i - 1].say, list[i].say) == 0)
      twin[list[i - 1].move] = twin[list[i].move] = true;
  for (size_t i = 0; i < count; i++) {
    json_t *move = json_array_get(moves, i);
    if (twin[i]) json_object_set(move, "say", json_object_get(move, "move"));
  }
  memory_delete(list);
  memory_delete(twin);
}

json_t *scene_legal(Scene *scene, Game *game, uint32_t role) {
  SceneCell **cells = cells_now(scene, game);
  MoveVector sorted = {0};
  json_t *list = json_array();
  moves_sorted(game, role, &sorted);
  for (uint32_t i = 0; i < sorted.count && i < MOST_MOVES; i++)
    json_array_append_new(
        list, move_json(scene, game, role, sorted.data[i],
                        sorted.count > 1 && sorted.count <= MOST_TRIED, cells));
  tell_apart(list);
  vector_free(&sorted);
  scene_cells_delete(scene, cells);
  return list;
}
