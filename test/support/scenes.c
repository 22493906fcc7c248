#include "support/scenes.h"

#include "support/unit.h"

/* ---- reading documents ---- */

json_t *scenes_member(json_t *object, const char *name) {
  json_t *value = json_object_get(object, name);
  if (!value) fail_msg("there is no \"%s\"", name);
  return value;
}

long scenes_number(json_t *object, const char *name) {
  json_t *value = scenes_member(object, name);
  if (!json_is_integer(value)) fail_msg("\"%s\" is no number", name);
  return (long)json_integer_value(value);
}

const char *scenes_string(json_t *object, const char *name) {
  json_t *value = scenes_member(object, name);
  if (!json_is_string(value)) fail_msg("\"%s\" is no text", name);
  return json_string_value(value);
}

static bool is_one_of(const char *word, const char *list) {
  Text padded = {0}, wanted = {0};
  text_format(&padded, " %s ", list);
  text_format(&wanted, " %s ", word);
  bool found = strstr(padded.bytes, wanted.bytes) != NULL;
  text_free(&padded);
  text_free(&wanted);
  return found;
}

static void check_in(const char *word, const char *list) {
  if (!is_one_of(word, list)) fail_msg("%s is none of %s", word, list);
}

/* ---- the checker ---- */

static long places_of(json_t *board) {
  json_t *outer = scenes_member(board, "outer");
  long places = scenes_number(board, "columns") * scenes_number(board, "rows") *
                scenes_number(board, "layers");
  if (json_is_object(outer))
    places *= scenes_number(outer, "columns") * scenes_number(outer, "rows");
  return places;
}

static bool has(json_t *list, long wanted) {
  size_t i;
  json_t *value;
  json_array_foreach(list, i, value) if (json_integer_value(value) ==
                                         wanted) return true;
  return false;
}

static void check_places(json_t *list, long places) {
  size_t i;
  json_t *value;
  json_array_foreach(list, i, value) {
    assert_true(json_is_integer(value));
    assert_in_range(json_integer_value(value), 0, places - 1);
  }
}

static void check_labels(json_t *board, const char *axis, long length) {
  json_t *labels = scenes_member(board, axis);
  if (json_is_null(labels)) return;
  assert_int_equal(json_array_size(labels), length);
}

static void check_board(json_t *board) {
  check_in(scenes_string(board, "shape"), "grid hex row tower cube ring");
  check_in(scenes_string(board, "style"), "squares points holes discs");
  scenes_string(board, "name");
  assert_true(json_is_boolean(scenes_member(board, "up")));
  assert_true(json_is_boolean(scenes_member(board, "checkered")));
  assert_in_range(scenes_number(board, "slant") + 1, 0, 2);
  assert_true(places_of(board) > 0);
  check_labels(board, "x", scenes_number(board, "columns"));
  check_labels(board, "y", scenes_number(board, "rows"));
  check_labels(board, "z", scenes_number(board, "layers"));
  check_places(scenes_member(board, "missing"), places_of(board));
}

static void check_piece(json_t *piece) {
  const char *shape = scenes_string(piece, "shape");
  scenes_string(piece, "name");
  check_in(shape,
           "pawn rook knight bishop queen king man crown disc ring cross "
           "square wall dot bar token letter number lamp bomb fire none");
  json_t *side = scenes_member(piece, "side");
  if (!json_is_null(side)) assert_in_range(json_integer_value(side), 0, 5);
  if (strcmp(shape, "letter") == 0) scenes_string(piece, "letter");
  if (strcmp(shape, "number") == 0) scenes_string(piece, "text");
  if (strcmp(shape, "bar") == 0) scenes_number(piece, "value");
}

void scenes_check(json_t *scene, uint32_t roles) {
  size_t i;
  json_t *value;
  json_array_foreach(scenes_member(scene, "boards"), i, value)
      check_board(value);
  json_array_foreach(scenes_member(scene, "pieces"), i, value)
      check_piece(value);
  assert_int_equal(json_array_size(scenes_member(scene, "roles")), roles);
}

static void check_cell(json_t *cell, json_t *pieces) {
  size_t i;
  json_t *value;
  long count = (long)json_array_size(pieces);
  if (json_is_integer(cell)) {
    assert_in_range(json_integer_value(cell), 0, count);
    return;
  }
  assert_true(json_array_size(cell) > 1);
  json_array_foreach(cell, i, value)
      assert_in_range(json_integer_value(value), 1, count);
}

void scenes_check_state(json_t *scene, json_t *state) {
  json_t *boards = scenes_member(scene, "boards");
  json_t *cells = scenes_member(state, "cells"),
         *changed = scenes_member(state, "changed");
  assert_int_equal(json_array_size(cells), json_array_size(boards));
  assert_int_equal(json_array_size(changed), json_array_size(boards));
  for (size_t b = 0; b < json_array_size(boards); b++) {
    json_t *board = json_array_get(boards, b), *cell;
    json_t *missing = scenes_member(board, "missing");
    size_t p;
    long places = places_of(board);
    assert_int_equal(json_array_size(json_array_get(cells, b)), places);
    check_places(json_array_get(changed, b), places);
    json_array_foreach(json_array_get(cells, b), p, cell) {
      check_cell(cell, scenes_member(scene, "pieces"));
      if (has(missing, (long)p) &&
          !(json_is_integer(cell) && !json_integer_value(cell)))
        fail_msg("something is on a place that does not exist");
    }
  }
  assert_true(json_is_array(scenes_member(state, "remarks")));
  assert_true(json_is_array(scenes_member(state, "facts")));
  bool terminal = json_is_true(scenes_member(state, "terminal"));
  assert_int_equal(json_is_array(scenes_member(state, "goals")), terminal);
}

static void check_element(json_t *element, json_t *board) {
  json_t *missing = scenes_member(board, "missing");
  if (json_is_integer(element)) {
    assert_in_range(json_integer_value(element), 0, places_of(board) - 1);
    assert_false(has(missing, (long)json_integer_value(element)));
    return;
  }
  assert_true(json_array_size(element) > 1);
  check_places(element, places_of(board));
}

void scenes_check_move(json_t *scene, json_t *move) {
  json_t *path = scenes_member(move, "path"),
         *board = scenes_member(move, "board"), *element;
  size_t i;
  assert_true(*scenes_string(move, "move") && *scenes_string(move, "say"));
  assert_int_equal(json_is_null(board), json_array_size(path) == 0);
  if (json_is_null(board)) return;
  json_t *own = json_array_get(scenes_member(scene, "boards"),
                               (size_t)json_integer_value(board));
  assert_non_null(own);
  json_array_foreach(path, i, element) check_element(element, own);
}

void scenes_check_apart(json_t *moves) {
  json_t *seen = json_object(), *move;
  size_t i;
  json_array_foreach(moves, i, move) {
    Text key = {0};
    json_add_text(scenes_member(move, "path"), JSON_COMPACT, &key);
    text_add(&key, scenes_string(move, "say"));
    if (json_object_get(seen, key.bytes)) fail_msg("twice: %s", key.bytes);
    json_object_set_new(seen, key.bytes, json_true());
    text_free(&key);
  }
  json_decref(seen);
}
