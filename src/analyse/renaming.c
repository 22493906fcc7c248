/* Boards come first: for each two axes of one size their seven symmetries, then
   exchanges of neighbouring values, those of small axes first. */
#include "analyse/renaming.h"

#include "base/bits.h"
#include "base/hash.h"

enum {
  MOST_RENAMINGS = 64,
  MOST_BOARDS = 40, /* of them */
  MOST_FLUENTS = 5000,
  MOST_ARITY = 8,    /* fluents with more arguments stay */
  MOST_VALUES = 100, /* of an axis */
  MOST_AXES = 3
};

/* ---- ranks ---- */

static uint32_t family_of(Renamings *renamings, const Terms *terms, Term term) {
  Symbol functor = term_symbol(terms, term);
  uint32_t arity = term_arity(terms, term);
  for (uint32_t i = 0; i < renamings->families.count; i++) {
    const RenamingFamily *family = &renamings->families.data[i];
    if (family->functor == functor && family->arity == arity) return i;
  }
  RenamingFamily made = {functor, arity, renamings->places.count};
  vector_push(&renamings->families, made);
  for (uint32_t i = 0; i < arity; i++)
    vector_push(&renamings->places, ((RenamingPlace){0}));
  return renamings->families.count - 1;
}

static uint32_t rank_of(const RenamingPlace *place, Term value) {
  uint32_t rank = 0;
  while (rank < place->values.count && place->values.data[rank] != value)
    rank++;
  return rank;
}

static void add_values(Renamings *renamings, const Terms *terms) {
  for (uint32_t f = 0; f < renamings->net->fluents.count; f++) {
    Term term = renamings->net->fluents.data[f].term;
    uint32_t family = family_of(renamings, terms, term);
    vector_push(&renamings->family, family);
    for (uint32_t i = 0; i < term_arity(terms, term); i++) {
      RenamingPlace *place =
          &renamings->places.data[renamings->families.data[family].first + i];
      Term value = term_argument(terms, term, i);
      if (rank_of(place, value) == place->values.count)
        vector_push(&place->values, value);
    }
  }
  for (uint32_t i = 0; i < renamings->places.count; i++) {
    RenamingPlace *place = &renamings->places.data[i];
    term_sort(terms, place->values.data, place->values.count);
  }
}

static uint64_t hash_row(uint32_t family, const uint32_t *row, uint32_t count) {
  uint64_t hash = family;
  for (uint32_t i = 0; i < count; i++) hash = hash_pair(hash, row[i]);
  return hash;
}

/* Returns the fluent with these ranks + 1, or 0. */
static uint32_t find_row(const Renamings *renamings, uint32_t family,
                         const uint32_t *row, uint64_t hash, MapCursor *at) {
  uint32_t arity = renamings->families.data[family].arity;
  for (uint32_t e = map_first(&renamings->map, hash, at); e;
       e = map_next(&renamings->map, at)) {
    const uint32_t *other =
        renamings->ranks.data + renamings->first.data[e - 1];
    if (renamings->family.data[e - 1] == family &&
        (!arity || !memcmp(other, row, arity * sizeof *row)))
      return e;
  }
  return 0;
}

static void add_ranks(Renamings *renamings, const Terms *terms) {
  for (uint32_t f = 0; f < renamings->net->fluents.count; f++) {
    Term term = renamings->net->fluents.data[f].term;
    uint32_t family = renamings->family.data[f];
    const RenamingFamily *own = &renamings->families.data[family];
    uint32_t first = renamings->ranks.count;
    vector_push(&renamings->first, first);
    for (uint32_t i = 0; i < own->arity; i++) {
      const RenamingPlace *place = &renamings->places.data[own->first + i];
      uint32_t rank = rank_of(place, term_argument(terms, term, i));
      vector_push(&renamings->ranks, rank);
    }
    MapCursor at;
    const uint32_t *row = renamings->ranks.data + first;
    uint64_t hash = hash_row(family, row, own->arity);
    if (!find_row(renamings, family, row, hash, &at))
      map_insert(&renamings->map, &at, f + 1);
  }
}

/* ---- what is tried ---- */

/* Fills in the arguments that are axes of this size; returns their number. */
static uint32_t list_axes(const Renamings *renamings, uint32_t family,
                          uint32_t size, uint32_t axes[MOST_ARITY]) {
  const RenamingFamily *own = &renamings->families.data[family];
  uint32_t count = 0;
  for (uint32_t i = 0; own->arity <= MOST_ARITY && i < own->arity; i++)
    if (renamings->places.data[own->first + i].values.count == size)
      axes[count++] = i;
  return count;
}

/* The most axes of this size that fluents have; `lone`: some have one. */
static uint32_t most_axes(const Renamings *renamings, uint32_t size,
                          uint32_t *lone) {
  uint32_t most = 0, axes[MOST_ARITY];
  *lone = 0;
  for (uint32_t i = 0; i < renamings->families.count; i++) {
    uint32_t count = list_axes(renamings, i, size, axes);
    if (count > most) most = count;
    *lone += count == 1;
  }
  return most < MOST_AXES ? most : MOST_AXES;
}

static void add(Renamings *renamings, uint32_t most, const Renaming *renaming) {
  if (renamings->list.count < most) vector_push(&renamings->list, *renaming);
}

static void add_boards(Renamings *renamings, uint32_t size) {
  uint32_t lone, axes = most_axes(renamings, size, &lone);
  for (uint32_t way = 1; way < 8; way++)
    for (uint32_t i = 0; i < axes; i++)
      for (uint32_t j = i + 1; j < axes; j++)
        for (uint32_t k = 0; k < (lone && way > 1 ? 3 : 1); k++) {
          Renaming board = {.size = size,
                            .axes = {i, j},
                            .swap = way & 1,
                            .flip = {way & 2, way & 4},
                            .lone = k};
          add(renamings, MOST_BOARDS, &board);
        }
  if (axes == 1)
    add(renamings, MOST_BOARDS,
        &(Renaming){.size = size, .flip = {true, false}});
}

static void add_exchanges(Renamings *renamings, uint32_t size) {
  uint32_t lone, axes = most_axes(renamings, size, &lone), row[MOST_ARITY];
  Renaming made = {.size = size, .exchange = true};
  for (made.rank = 0; axes && made.rank + 1 < size; made.rank++) {
    made.all = axes > 1;
    made.axes[0] = 0;
    made.only = 0;
    add(renamings, MOST_RENAMINGS, &made);
    made.all = false;
    for (uint32_t i = 0; axes > 1 && i < axes; i++) {
      made.axes[0] = i;
      add(renamings, MOST_RENAMINGS, &made);
    }
    for (uint32_t i = 0; lone > 1 && i < renamings->families.count; i++) {
      made.axes[0] = 0;
      made.only = i + 1;
      if (list_axes(renamings, i, size, row) == 1)
        add(renamings, MOST_RENAMINGS, &made);
    }
  }
}

void renaming_init(Renamings *renamings, const Net *net, const Terms *terms) {
  *renamings = (Renamings){.net = net};
  if (net->fluents.count > MOST_FLUENTS) return;
  add_values(renamings, terms);
  add_ranks(renamings, terms);
  for (uint32_t size = 2; size <= MOST_VALUES; size++)
    add_boards(renamings, size);
  for (uint32_t size = 2; size <= MOST_VALUES; size++)
    add_exchanges(renamings, size);
}

void renaming_free(Renamings *renamings) {
  for (uint32_t i = 0; i < renamings->places.count; i++)
    vector_free(&renamings->places.data[i].values);
  vector_free(&renamings->families);
  vector_free(&renamings->places);
  vector_free(&renamings->family);
  vector_free(&renamings->first);
  vector_free(&renamings->ranks);
  vector_free(&renamings->list);
  map_free(&renamings->map);
}

/* ---- one of them ---- */

static uint32_t flipped(const Renaming *renaming, bool flip, uint32_t rank) {
  return flip ? renaming->size - 1 - rank : rank;
}

static void rename_board(const Renaming *renaming, const uint32_t *axes,
                         uint32_t count, uint32_t *row) {
  uint32_t i = renaming->axes[0], j = renaming->axes[1];
  if (i == j && count > i) {
    row[axes[i]] = flipped(renaming, renaming->flip[0], row[axes[i]]);
  } else if (count > j) {
    uint32_t x = flipped(renaming, renaming->flip[0], row[axes[i]]);
    uint32_t y = flipped(renaming, renaming->flip[1], row[axes[j]]);
    row[axes[i]] = renaming->swap ? y : x;
    row[axes[j]] = renaming->swap ? x : y;
  } else if (count == 1 && renaming->lone) {
    bool flip = renaming->flip[renaming->lone - 1];
    row[axes[0]] = flipped(renaming, flip, row[axes[0]]);
  }
}

static void rename_values(const Renaming *renaming, const uint32_t *axes,
                          uint32_t count, uint32_t *row) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *rank = &row[axes[i]];
    if (!renaming->all && i != renaming->axes[0]) continue;
    if (*rank == renaming->rank)
      *rank = renaming->rank + 1;
    else if (*rank == renaming->rank + 1)
      *rank = renaming->rank;
  }
}

/* Returns what the fluent becomes + 1; 0: there is no such fluent. */
static uint32_t rename_fluent(const Renamings *renamings,
                              const Renaming *renaming, uint32_t fluent) {
  uint32_t family = renamings->family.data[fluent];
  uint32_t arity = renamings->families.data[family].arity;
  uint32_t axes[MOST_ARITY], row[MOST_ARITY];
  uint32_t count = list_axes(renamings, family, renaming->size, axes);
  if (!count || (renaming->only && renaming->only != family + 1))
    return fluent + 1;
  memcpy(row, renamings->ranks.data + renamings->first.data[fluent],
         arity * sizeof *row);
  if (renaming->exchange)
    rename_values(renaming, axes, count, row);
  else
    rename_board(renaming, axes, count, row);
  MapCursor at;
  return find_row(renamings, family, row, hash_row(family, row, arity), &at);
}

/* Renamings are one to one: what maps into the fluents is a permutation. */
bool renaming_apply(const Renamings *renamings, uint32_t which,
                    const uint64_t *state, uint32_t *fluents) {
  const Renaming *renaming = &renamings->list.data[which];
  bool moves = false;
  for (uint32_t f = 0; f < renamings->net->fluents.count; f++) {
    uint32_t to = rename_fluent(renamings, renaming, f);
    if (!to) return false;
    if (state && bits_has(state, f) != bits_has(state, to - 1)) return false;
    fluents[f] = to - 1;
    moves |= to - 1 != f;
  }
  return moves;
}
