/* Families are placed one after the other: each on a board that is there
   already and has its places, or on a new one if it deserves one. Families with
   no doubt about their coordinates come first, so that others can be compared
   with them: of (bomb 3 x y), the last two arguments are on the board of (at x
   y). */
#include "game/atlas.h"

#include <stdlib.h>

#include "game/cube.h"
#include "game/tower.h"
#include "game/words.h"

enum {
  FEWEST_PLACES = 4,
  FEWEST_IN_ROW = 3,
  LONGEST_LABEL = 3, /* of a row */
  SPARSEST = 3,      /* a board has at least a place of so many, */
  SPARSEST_SPACE = 6 /* one with layers, such as a pyramid, fewer */
};

uint32_t atlas_place(const Picture *picture, const Family *family,
                     const Terms *terms, Term fact) {
  uint32_t coordinates[FAMILY_AXES];
  for (uint32_t d = 0; d < family->dimension; d++)
    coordinates[d] = family_coordinate(family, terms, d, fact);
  return picture_place(picture, coordinates);
}

bool atlas_numbers(const Family *family, const Terms *terms) {
  if (!family->contents) return false;
  for (uint32_t a = 0; a < FAMILY_ARGUMENTS; a++)
    for (uint32_t i = 0;
         family->contents >> a & 1 && i < family->values[a].count; i++)
      if (term_number(terms, family->values[a].data[i]) < 0) return false;
  return true;
}

/* Sets places[p] where facts of the family may be; returns how many. */
static uint32_t find_places(const Families *families, const Family *family,
                            const Picture *picture, bool *places) {
  const Terms *terms = &families->rules->terms;
  uint32_t count = 0;
  for (uint32_t i = 0; i < families->facts.count; i++) {
    Term fact = families->facts.data[i];
    if (!family_has(family, terms, fact)) continue;
    uint32_t place = atlas_place(picture, family, terms, fact);
    if (place == no_place) continue;
    count += !places[place];
    places[place] = true;
  }
  return count;
}

/* ---- boards ---- */

static void make_picture(const Family *family, const Terms *terms,
                         Picture *picture) {
  *picture = (Picture){.dimension = family->dimension};
  for (uint32_t d = 0; d < 2; d++)
    picture->layer += family->argument[d] < family->argument[2];
  for (uint32_t d = 0; d < family->dimension; d++)
    family_axis(family, terms, d, &picture->axes[d]);
}

static bool has_short_labels(const Picture *picture, const Terms *terms) {
  bool fine = true;
  for (uint32_t i = 0; i < picture->axes[0].values.count; i++) {
    Text label = {0};
    axis_write(&picture->axes[0], terms, i, &label);
    fine &= label.length <= LONGEST_LABEL;
    text_free(&label);
  }
  return fine;
}

/* Returns whether the family may have a board of its own. */
static bool deserves_board(const Families *families, const Family *family,
                           const Picture *picture) {
  const Terms *terms = &families->rules->terms;
  uint32_t places = picture_places(picture);
  if (places > PICTURE_PLACES) return false;
  if (picture->dimension == 1)
    return family->contents && (family->groups || !families->analysed) &&
           places >= FEWEST_IN_ROW && places <= FAMILY_LONGEST_AXIS &&
           has_short_labels(picture, terms);
  for (uint32_t d = 0; d < picture->dimension; d++)
    if (picture->axes[d].values.count < 2) return false;
  if (places < FEWEST_PLACES) return false;
  if (!families->closed) return picture->dimension < 4 || family->contents;
  bool *seen = memory_new((places + 1) * sizeof *seen);
  uint32_t count = find_places(families, family, picture, seen);
  memory_delete(seen);
  return count * (picture->dimension == 3 ? SPARSEST_SPACE : SPARSEST) >=
         places;
}

/* Returns whether both have the same places, or one has half of the other's
   coordinates at least; facts that only name places may be few. */
static bool matches(const Picture *own, const Picture *board, bool few) {
  if (own->dimension != board->dimension || own->dimension < 2) return false;
  bool within = true, around = true;
  for (uint32_t d = 0; d < own->dimension; d++) {
    const Axis *a = &own->axes[d], *b = &board->axes[d];
    within &=
        axis_within(a, b) && (few || a->values.count * 2 >= b->values.count);
    around &= axis_within(b, a) && b->values.count * 2 >= a->values.count;
  }
  return within || around;
}

static bool same_contents(const Family *a, const Family *b) {
  uint32_t i = 0, j = 0;
  for (;; i++, j++) {
    while (i < FAMILY_ARGUMENTS && !(a->contents >> i & 1)) i++;
    while (j < FAMILY_ARGUMENTS && !(b->contents >> j & 1)) j++;
    if (i == FAMILY_ARGUMENTS || j == FAMILY_ARGUMENTS) return i == j;
    if (a->values[i].count != b->values[j].count) return false;
    for (uint32_t v = 0; v < a->values[i].count; v++)
      if (!term_vector_contains(&b->values[j], a->values[i].data[v]))
        return false;
  }
}

static bool share_places(const Families *families, const Family *a,
                         const Family *b, const Picture *picture) {
  uint32_t places = picture_places(picture);
  bool *of_a = memory_new((places + 1) * sizeof *of_a);
  bool *of_b = memory_new((places + 1) * sizeof *of_b);
  bool shared = !families->closed;
  find_places(families, a, picture, of_a);
  find_places(families, b, picture, of_b);
  for (uint32_t i = 0; i < places; i++) shared |= of_a[i] && of_b[i];
  memory_delete(of_a);
  memory_delete(of_b);
  return shared;
}

static bool says_what_is_where(const Family *family) {
  return family->contents && !family->mover;
}

/* Returns whether the family is another board of the same kind, as cell2 is
   beside cell1, rather than more about the same places. */
static bool is_sibling(const Families *families, const Family *family,
                       const Picture *picture) {
  for (uint32_t m = 0; m < picture->members.count; m++) {
    const Family *member = &families->list.data[picture->members.data[m]];
    if (says_what_is_where(family) && says_what_is_where(member) &&
        same_contents(family, member) &&
        share_places(families, family, member, picture))
      return true;
  }
  return false;
}

/* Takes over axes of the other that are longer. */
static void widen(Picture *picture, Picture *other) {
  for (uint32_t d = 0; d < picture->dimension; d++)
    if (other->axes[d].values.count > picture->axes[d].values.count) {
      Axis own = picture->axes[d];
      picture->axes[d] = other->axes[d];
      other->axes[d] = own;
    }
}

/* Returns the picture that the family belongs on, or NULL. */
static Picture *find_board(Atlas *atlas, const Families *families,
                           const Family *family, const Picture *own) {
  if (picture_places(own) > PICTURE_PLACES) return NULL;
  for (uint32_t p = 0; p < atlas->pictures.count; p++) {
    Picture *picture = &atlas->pictures.data[p];
    if (matches(own, picture, !family->contents) &&
        !is_sibling(families, family, picture))
      return picture;
  }
  return NULL;
}

/* Returns whether the family points at boards on a board. */
static bool points_at_boards(const Atlas *atlas, const Family *family,
                             const Picture *own) {
  for (uint32_t p = 0; p < atlas->pictures.count; p++) {
    const Picture *picture = &atlas->pictures.data[p];
    if (picture->dimension == 4 && own->dimension == 2 && !family->contents &&
        axis_within(&own->axes[0], &picture->axes[2]) &&
        axis_within(&own->axes[1], &picture->axes[3]))
      return true;
  }
  return false;
}

static bool values_within(const TermVector *values, const TermVector *others) {
  for (uint32_t i = 0; i < values->count; i++)
    if (!term_vector_contains(others, values->data[i])) return false;
  return true;
}

/* Returns whether the facts are about two places, such as a wall or a line
   between them. */
static bool is_link(const Family *family) {
  uint32_t count = 0;
  for (uint32_t a = 0; a < FAMILY_ARGUMENTS; a++)
    for (uint32_t d = 0; d < family->dimension; d++)
      if (family->contents >> a & 1 && family->ordered >> a & 1 &&
          values_within(&family->values[a],
                        &family->values[family->argument[d]])) {
        count++;
        break;
      }
  uint32_t all = ((uint32_t)1 << family->arity) - 1;
  return count >= 2 || (count && family->arity >= 4 && family->ordered == all);
}

/* Makes the third coordinate part of the contents if no place has two. */
static void flatten(const Families *families, Family *family) {
  Family flat = *family;
  Picture wide, deep;
  if (family->dimension != 3 || !families->closed ||
      !family_lay_out_at(&flat, 0))
    return;
  make_picture(family, &families->rules->terms, &deep);
  make_picture(&flat, &families->rules->terms, &wide);
  if (picture_places(&deep) <= PICTURE_PLACES) {
    bool *seen = memory_new((PICTURE_PLACES + 1) * sizeof *seen);
    uint32_t high = find_places(families, family, &deep, seen);
    memset(seen, 0, (PICTURE_PLACES + 1) * sizeof *seen);
    if (find_places(families, &flat, &wide, seen) == high) *family = flat;
    memory_delete(seen);
  }
  picture_free(&deep);
  picture_free(&wide);
}

/* Tries pairs of arguments until one lies on a known board. */
static bool lay_out_on_board(Atlas *atlas, const Families *families,
                             Family *family) {
  Family saved = *family;
  for (uint32_t first = 0; first + 2 <= family->arity; first++) {
    Picture own;
    if (!family_lay_out_at(family, first)) continue;
    make_picture(family, &families->rules->terms, &own);
    bool found =
        !is_link(family) && find_board(atlas, families, family, &own) != NULL;
    picture_free(&own);
    if (found) return true;
  }
  *family = saved;
  return false;
}

static void place_family(Atlas *atlas, Families *families, uint32_t f) {
  Family *family = &families->list.data[f];
  Picture own;
  if (is_link(family)) return;
  flatten(families, family);
  make_picture(family, &families->rules->terms, &own);
  if (points_at_boards(atlas, family, &own)) {
    picture_free(&own);
    return;
  }
  Picture *board = find_board(atlas, families, family, &own);
  if (!board && family->arity > 2 &&
      lay_out_on_board(atlas, families, family)) {
    picture_free(&own);
    make_picture(family, &families->rules->terms, &own);
    board = find_board(atlas, families, family, &own);
  }
  if (board) {
    widen(board, &own);
    picture_free(&own);
  } else if (deserves_board(families, family, &own)) {
    vector_push(&atlas->pictures, own);
    board = &vector_last(&atlas->pictures);
  } else {
    picture_free(&own);
    return;
  }
  vector_push(&board->members, f);
  atlas->uses[f] = USE_DRAWN;
}

/* ---- what is drawn on a board ---- */

static bool is_floor(const Families *families, const Family *family,
                     const Picture *picture) {
  uint32_t places = picture_places(picture);
  return !family->contents && families->closed &&
         family->known * 4 > places * 3;
}

/* Returns whether facts that only name places are worth drawing beside a board
   that says what is on its places. */
static bool is_worth_drawing(const Families *families, const Family *family,
                             const Picture *picture) {
  if (family->contents) return true;
  if (family->single) return family->always;
  return families->analysed && !is_floor(families, family, picture);
}

static bool has_board_of_contents(const Families *families,
                                  const Picture *picture) {
  for (uint32_t m = 0; m < picture->members.count; m++)
    if (says_what_is_where(&families->list.data[picture->members.data[m]]))
      return true;
  return false;
}

/* Returns whether the family is about the sides of places: by its name, or by
   contents that are points of the compass. */
static bool is_direction(const Families *families, const Family *family) {
  const Symbols *symbols = &families->rules->terms.symbols;
  Text words = {0};
  words_write(symbol_text(symbols, family->functor), &words);
  bool found = !family->contents && words_direction(text_string(&words));
  text_free(&words);
  for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++) {
    if (family->contents != (uint32_t)1 << a) continue;
    found = family->values[a].count > 0;
    for (uint32_t i = 0; found && i < family->values[a].count; i++)
      found = words_direction(
          symbol_text(symbols, term_symbol(&families->rules->terms,
                                           family->values[a].data[i])));
  }
  return found;
}

/* Returns whether the family numbers places that another says more about. */
static bool is_numbering(const Families *families, const Family *family,
                         const Picture *picture) {
  const Terms *terms = &families->rules->terms;
  if (family->mover || !atlas_numbers(family, terms)) return false;
  for (uint32_t m = 0; m < picture->members.count; m++) {
    const Family *member = &families->list.data[picture->members.data[m]];
    if (says_what_is_where(member) && !atlas_numbers(member, terms))
      return true;
  }
  return false;
}

/* Removes helpers from the picture, unless nothing else is on it. */
static void remove_helpers(Atlas *atlas, const Families *families,
                           Picture *picture) {
  bool contents = has_board_of_contents(families, picture);
  NumberVector kept = {0};
  for (uint32_t m = 0; m < picture->members.count; m++) {
    uint32_t f = picture->members.data[m];
    const Family *family = &families->list.data[f];
    bool helper = contents && !is_worth_drawing(families, family, picture);
    helper |= is_numbering(families, family, picture);
    helper |= picture->members.count > 1 && is_direction(families, family);
    if (helper)
      atlas->uses[f] = USE_HELPER;
    else
      vector_push(&kept, f);
  }
  vector_free(&picture->members);
  picture->members = kept;
}

/* Returns how far up the family is drawn: things, contents, places. */
static uint32_t height_of(const Family *family) {
  if (family->mover) return 3;
  if (family->contents) return 2;
  return family->single ? 3 : 1;
}

static void sort_members(const Families *families, Picture *picture) {
  NumberVector *members = &picture->members;
  for (uint32_t i = 1; i < members->count; i++)
    for (uint32_t j = i; j > 0; j--) {
      uint32_t above = members->data[j - 1], own = members->data[j];
      if (height_of(&families->list.data[above]) >=
          height_of(&families->list.data[own]))
        break;
      members->data[j - 1] = own;
      members->data[j] = above;
    }
}

static void find_existing(const Families *families, Picture *picture) {
  if (!families->closed || picture->dimension < 2) return;
  uint32_t places = picture_places(picture);
  picture->exists = memory_new((places + 1) * sizeof *picture->exists);
  for (uint32_t m = 0; m < picture->members.count; m++)
    find_places(families, &families->list.data[picture->members.data[m]],
                picture, picture->exists);
}

/* ---- facts about things in towers ---- */

static bool are_among(const TermVector *values, const Family *family) {
  for (uint32_t i = 0; i < values->count; i++)
    if (!term_vector_contains(&family->values[0], values->data[i]) &&
        !term_vector_contains(&family->values[1], values->data[i]))
      return false;
  return values->count >= 2;
}

/* Hides facts that say of a thing what its tower shows: that nothing is upon
   it, or that it stands on the ground. */
static void hide_repetitions(Atlas *atlas, const Families *families) {
  for (uint32_t f = 0; f < families->list.count; f++)
    for (uint32_t t = 0; t < families->list.count; t++)
      if (atlas->uses[t] == USE_TOWER && atlas->uses[f] == USE_LISTED &&
          families->list.data[f].arity == 1 &&
          are_among(&families->list.data[f].values[0], &families->list.data[t]))
        atlas->uses[f] = USE_HELPER;
}

/* ---- all ---- */

static uint32_t bits(uint32_t number) {
  return (uint32_t)__builtin_popcount(number);
}

/* Returns when the family is placed: boards on boards first, then families
   with no doubt about their coordinates. */
static uint32_t turn_of(const Family *family) {
  if (family->dimension == 4) return 0;
  return family->dimension == 2 && (family->split || bits(family->ordered) == 2)
             ? 1
             : 2;
}

void atlas_init(Atlas *atlas, Families *families) {
  *atlas = (Atlas){
      .uses = memory_new((families->list.count + 1) * sizeof *atlas->uses)};
  for (uint32_t f = 0; f < families->list.count; f++) {
    Family *family = &families->list.data[f];
    if (cube_possible(families, family))
      atlas->uses[f] = USE_CUBE;
    else if (tower_possible(families, family))
      atlas->uses[f] = USE_TOWER;
    else
      family_lay_out(families, family);
  }
  hide_repetitions(atlas, families);
  for (uint32_t turn = 0; turn < 3; turn++)
    for (uint32_t f = 0; f < families->list.count; f++)
      if (families->list.data[f].dimension &&
          turn_of(&families->list.data[f]) == turn &&
          atlas->uses[f] == USE_LISTED)
        place_family(atlas, families, f);
  for (uint32_t p = 0; p < atlas->pictures.count; p++) {
    Picture *picture = &atlas->pictures.data[p];
    find_existing(families, picture);
    remove_helpers(atlas, families, picture);
    sort_members(families, picture);
  }
}

void atlas_free(Atlas *atlas) {
  for (uint32_t p = 0; p < atlas->pictures.count; p++)
    picture_free(&atlas->pictures.data[p]);
  vector_free(&atlas->pictures);
  memory_delete(atlas->uses);
}
