/* An automorphism g is proved for all states that have the one-hot groups
   proved by the analysis, which reachable states have. If g leaves a reachable
   state as it is, so do its powers and products with others that do, and they
   map paths from there to paths from there. Products of automorphisms that move
   the state need more: g h is proved if images under h have the groups again.
   That is so if h maps groups to groups, and only such h are composed.

   Of the moves of a list, m is left out if some g of the state maps it to a
   lower one of the list. That one may be left out as well, for an even lower
   one: the last of these stands for all. */
#include "game/symmetries.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"

enum {
  MOST_MOVES = 4096, /* as in automorphism.c; more are not reduced */
  MOST_WORK = 1500000,
  MORE_STATES = 250
};
static const uint32_t NO_ROLE = UINT32_MAX;

typedef struct Maker {
  Symmetries *symmetries;
  const uint64_t *start;
  bool composes[SYMMETRIES_MOST]; /* maps groups to groups */
  uint64_t *groups, *images;      /* scratch: by proved group */
  uint32_t *fluents, *moves;      /* scratch: a product */
} Maker;

/* ---- the set ---- */

static bool is_known(const Symmetries *symmetries, const uint32_t *fluents,
                     const uint32_t *moves) {
  const Net *net = symmetries->net;
  for (uint32_t i = 0; i < symmetries->count; i++)
    if (!memcmp(symmetries->list[i].fluents, fluents,
                net->fluents.count * sizeof *fluents) &&
        !memcmp(symmetries->list[i].moves, moves,
                net->moves.count * sizeof *moves))
      return true;
  return false;
}

static bool is_identity(const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] != i) return false;
  return true;
}

static bool fixes(const Automorphism *image, const uint64_t *state,
                  uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = state[w]; bits;)
      if (!bits_has(state, image->fluents[w * 64 + bits_take(&bits)]))
        return false;
  return true;
}

static void add(Maker *maker, const uint32_t *fluents, const uint32_t *moves,
                bool composes) {
  Symmetries *symmetries = maker->symmetries;
  const Net *net = symmetries->net;
  if (symmetries->count == SYMMETRIES_MOST) return;
  Automorphism *made = &symmetries->list[symmetries->count];
  made->fluents = memory_new((net->fluents.count + 1) * sizeof *made->fluents);
  made->moves = memory_new((net->moves.count + 1) * sizeof *made->moves);
  memcpy(made->fluents, fluents, net->fluents.count * sizeof *fluents);
  memcpy(made->moves, moves, net->moves.count * sizeof *moves);
  maker->composes[symmetries->count++] = composes;
  symmetries->starting +=
      fixes(made, maker->start, (uint32_t)bits_words(net->fluents.count));
}

/* ---- products ---- */

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Lists hashes of the proved groups, or of their images, sorted. */
static uint32_t hash_groups(const OneHot *onehot, const uint32_t *fluents,
                            uint64_t *hashes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    uint64_t proved = group->at_most == EVIDENCE_PROVED ? 1 : 0;
    if (group->at_least == EVIDENCE_PROVED) proved |= 2;
    if (!proved) continue;
    uint64_t sum = hash_mix(proved);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      sum += hash_mix((fluents ? fluents[fluent] : fluent) + 7);
    }
    hashes[count++] = sum;
  }
  qsort(hashes, count, sizeof *hashes, by_value);
  return count;
}

static bool maps_groups(const Maker *maker, const uint32_t *fluents) {
  const OneHot *onehot = &maker->symmetries->analysis->onehot;
  uint32_t count = hash_groups(onehot, NULL, maker->groups);
  hash_groups(onehot, fluents, maker->images);
  return !count ||
         !memcmp(maker->groups, maker->images, count * sizeof *maker->groups);
}

static void multiply(const uint32_t *a, const uint32_t *b, uint32_t count,
                     uint32_t *product) {
  for (uint32_t i = 0; i < count; i++) product[i] = a[b[i]];
}

static void add_product(Maker *maker, uint32_t a, uint32_t b) {
  Symmetries *symmetries = maker->symmetries;
  const Net *net = symmetries->net;
  const Automorphism *list = symmetries->list;
  multiply(list[a].fluents, list[b].fluents, net->fluents.count,
           maker->fluents);
  multiply(list[a].moves, list[b].moves, net->moves.count, maker->moves);
  if (is_identity(maker->fluents, net->fluents.count) &&
      is_identity(maker->moves, net->moves.count))
    return;
  if (!is_known(symmetries, maker->fluents, maker->moves))
    add(maker, maker->fluents, maker->moves, true);
}

/* Adds all products, as far as there is room. */
static void close_set(Maker *maker) {
  Symmetries *symmetries = maker->symmetries;
  for (uint32_t a = 0; a < symmetries->count; a++)
    for (uint32_t b = 0; b <= a && symmetries->count < SYMMETRIES_MOST; b++) {
      if (!maker->composes[a] || !maker->composes[b]) continue;
      add_product(maker, a, b);
      add_product(maker, b, a);
    }
}

/* ---- finding them ---- */

static bool is_new(void *context, const Automorphism *image) {
  const Maker *maker = context;
  return maker->symmetries->count < SYMMETRIES_MOST &&
         !is_known(maker->symmetries, image->fluents, image->moves);
}

static void add_found(void *context, const Automorphism *image) {
  Maker *maker = context;
  add(maker, image->fluents, image->moves, maps_groups(maker, image->fluents));
  close_set(maker);
}

/* Returns true if some candidates were neither refuted by samples nor
   proved. */
static bool find(Maker *maker, Game *game, const Net *proof) {
  Symmetries *symmetries = maker->symmetries;
  const Analysis *analysis = symmetries->analysis;
  uint32_t words = (uint32_t)bits_words(symmetries->net->fluents.count);
  AutomorphismSearch search = {.net = symmetries->net,
                               .proof = proof,
                               .terms = &analysis->description->rules.terms,
                               .analysis = analysis,
                               .game = game,
                               .start = maker->start,
                               .words = words,
                               .more = MORE_STATES +
                                       symmetries->net->moves.count / 2,
                               .most_work = MOST_WORK,
                               .wanted = is_new,
                               .found = add_found,
                               .context = maker};
  game_reset(game);
  automorphism_search(&search);
  symmetries->candidates = search.candidates;
  symmetries->sampled += search.sampled;
  symmetries->proved += search.proved;
  symmetries->work += search.work;
  return search.sampled > search.proved;
}

/* True if the fluents and moves of the nets have the same numbers. */
static bool numbered_alike(const Net *a, const Net *b) {
  if (a->fluents.count != b->fluents.count || a->moves.count != b->moves.count)
    return false;
  for (uint32_t f = 0; f < a->fluents.count; f++)
    if (a->fluents.data[f].term != b->fluents.data[f].term) return false;
  for (uint32_t m = 0; m < a->moves.count; m++)
    if (a->moves.data[m].term != b->moves.data[m].term ||
        a->moves.data[m].role != b->moves.data[m].role)
      return false;
  return true;
}

void symmetries_init(Symmetries *symmetries, const Analysis *analysis,
                     const Net *built, Game *game) {
  const Net *net = analysis->net;
  uint32_t groups = analysis->onehot.groups.count;
  uint64_t *start =
      memory_new((bits_words(net->fluents.count) + 1) * sizeof *start);
  *symmetries = (Symmetries){.analysis = analysis, .net = net};
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (net->fluents.data[f].initial) bits_add(start, f);
  Maker maker = {
      .symmetries = symmetries,
      .start = start,
      .groups = memory_new((groups + 1) * sizeof(uint64_t)),
      .images = memory_new((groups + 1) * sizeof(uint64_t)),
      .fluents = memory_new((net->fluents.count + 1) * sizeof(uint32_t)),
      .moves = memory_new((net->moves.count + 1) * sizeof(uint32_t))};
  /* Conditions look alike in the net as built, but it may differ in states that
     are not reachable; what the reductions prove of these helps then. */
  if (symmetries_hold(symmetries, start) &&
      (!numbered_alike(net, built) || find(&maker, game, built)))
    find(&maker, game, net);
  memory_delete(start);
  memory_delete(maker.groups);
  memory_delete(maker.images);
  memory_delete(maker.fluents);
  memory_delete(maker.moves);
}

void symmetries_free(Symmetries *symmetries) {
  for (uint32_t i = 0; i < symmetries->count; i++) {
    memory_delete(symmetries->list[i].fluents);
    memory_delete(symmetries->list[i].moves);
  }
}

void symmetries_write(const Symmetries *symmetries, Text *text) {
  if (symmetries->count)
    text_format(text,
                "symmetries: %u%s (proved), %u of them of the initial state\n",
                symmetries->count,
                symmetries->count == SYMMETRIES_MOST ? " or more" : "",
                symmetries->starting);
}

bool symmetries_hold(const Symmetries *symmetries, const uint64_t *state) {
  return onehot_holds(&symmetries->analysis->onehot, state);
}

/* ---- one state ---- */

bool symmetries_fix(const Symmetries *symmetries, uint32_t which,
                    const uint64_t *state) {
  return fixes(&symmetries->list[which], state,
               (uint32_t)bits_words(symmetries->net->fluents.count));
}

/* Returns the only role that has moves which the image changes, or NO_ROLE. */
static uint32_t changed_role(const Symmetries *symmetries,
                             const Automorphism *image, const uint32_t *moves,
                             const uint32_t *counts) {
  uint32_t changed = NO_ROLE;
  for (uint32_t role = 0; role < symmetries->net->role_count; role++) {
    uint32_t i = 0;
    while (i < counts[role] && image->moves[moves[i]] == moves[i]) i++;
    if (i < counts[role] && changed != NO_ROLE) return NO_ROLE;
    if (i < counts[role]) changed = role;
    moves += counts[role];
  }
  return changed;
}

/* Lowers the twins of the role's moves to those of their images. */
static void lower(const Automorphism *image, const uint32_t *moves,
                  uint32_t count, const uint64_t *listed, uint32_t *least) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t to = image->moves[moves[i]];
    if (to < least[moves[i]] && bits_has(listed, to)) least[moves[i]] = to;
  }
}

bool symmetries_twins(const Symmetries *symmetries, const uint64_t *state,
                      const uint32_t *moves, const uint32_t *counts,
                      uint32_t *twins) {
  const Net *net = symmetries->net;
  uint32_t words = (uint32_t)bits_words(net->fluents.count), all = 0;
  uint64_t listed[(MOST_MOVES + 63) / 64];
  uint32_t least[MOST_MOVES];
  bool found = false;
  for (uint32_t e = 0; e < symmetries->count; e++) {
    const Automorphism *image = &symmetries->list[e];
    if (!fixes(image, state, words)) continue;
    uint32_t role = changed_role(symmetries, image, moves, counts), first = 0;
    if (role == NO_ROLE) continue;
    if (!found) {
      memset(listed, 0, sizeof listed);
      for (uint32_t r = 0; r < net->role_count; r++) all += counts[r];
      for (uint32_t i = 0; i < all; i++) {
        bits_add(listed, moves[i]);
        least[moves[i]] = moves[i];
      }
      found = true;
    }
    for (uint32_t r = 0; r < role; r++) first += counts[r];
    lower(image, moves + first, counts[role], listed, least);
  }
  for (uint32_t i = 0; i < all; i++) /* lower ones are final already */
    twins[i] = least[moves[i]] = least[least[moves[i]]];
  return found;
}

uint32_t symmetries_reduce(const Symmetries *symmetries, const uint64_t *state,
                           uint32_t *moves, uint32_t *counts) {
  uint32_t twins[MOST_MOVES], all = 0, at = 0, kept = 0;
  uint32_t roles = symmetries->net->role_count;
  for (uint32_t role = 0; role < roles; role++) all += counts[role];
  if (!symmetries_twins(symmetries, state, moves, counts, twins)) return all;
  for (uint32_t role = 0; role < roles; role++) {
    uint32_t end = at + counts[role], first = kept;
    for (; at < end; at++)
      if (twins[at] == moves[at]) moves[kept++] = moves[at];
    counts[role] = kept - first;
  }
  return kept;
}

/* The only moves of the others are their own images. */
uint32_t symmetries_reduce_turn(const Symmetries *symmetries,
                                const uint64_t *state, uint32_t role,
                                uint32_t *moves, uint32_t count) {
  uint32_t words = (uint32_t)bits_words(symmetries->net->fluents.count), e = 0;
  while (e < symmetries->count && !fixes(&symmetries->list[e], state, words))
    e++;
  if (e == symmetries->count) return count; /* soon seen, in most states */
  uint32_t counts[RULE_ROLES] = {0};
  counts[role] = count;
  return symmetries_reduce(symmetries, state, moves, counts);
}
