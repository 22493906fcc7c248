/* Fields are chosen greedily: the proved group that saves most bits first, each
   fluent in one field. They are laid out by decreasing size, each in the first
   word that has room. */
#include "solve/packing.h"

#include <stdlib.h>

#include "base/bits.h"
#include "scalar/scalar.h"
#include "solve/fixed.h"

enum { ROWS = 63, LONGEST_PERIOD = 16 }; /* of alternating fluents */

/* ---- choosing fields ---- */

/* Bits of a number below `values`. */
static uint32_t bits_for(uint32_t values) {
  uint32_t bits = 0;
  while (bits < 32 && (uint64_t)1 << bits < values) bits++;
  return bits;
}

/* Returns whether the values of a fluent in the rows repeat after a few of
   them; false if they are all the same. */
static bool is_periodic(const uint64_t *rows, uint32_t words, uint32_t fluent) {
  uint64_t history = 0, ones = 0;
  for (uint32_t i = 0; i < ROWS; i++) {
    uint64_t value = bits_has(rows + (size_t)i * words, fluent);
    history |= value << i;
    ones += value;
  }
  for (uint32_t p = 2; p <= LONGEST_PERIOD && ones && ones < ROWS; p++)
    if (((history ^ history >> p) & (bits_of(ROWS - p) - 1)) == 0) return true;
  return false;
}

/* Autonomous fluents that merely alternate belong in the key: where they are
   the only ones, a state is its key. */
static void keep_periodic(Packing *packing) {
  uint32_t words = packing->state_words;
  if (!packing->timed_count) return;
  const uint64_t *last = packing_time(packing, ROWS - 1);
  const uint64_t *rows = last - (size_t)(ROWS - 1) * words;
  packing->timed_count = 0;
  for (uint32_t i = 0; i < packing->net->fluents.count; i++) {
    if (!bits_has(packing->timed, i)) continue;
    if (is_periodic(rows, words, i))
      bits_flip(packing->timed, i);
    else
      packing->timed_count++;
  }
  for (uint32_t i = 0; i < packing->times.count; i++)
    packing->times.data[i] &= packing->timed[i % words];
}

static void find_fixed(Packing *packing, const Analysis *analysis,
                       const uint64_t *state) {
  const Net *net = packing->net;
  Fixed fixed;
  fixed_init(&fixed, net, state);
  packing->fixed = fixed.fluents;
  memory_delete(fixed.gates);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    const Evidence *stays =
        !analysis ? NULL
                  : (bits_has(state, i) ? analysis->changes.stays_true
                                        : analysis->changes.stays_false);
    if (stays && stays[i] == EVIDENCE_PROVED) bits_add(packing->fixed, i);
  }
  fixed_autonomous(net, packing->timed);
  for (uint32_t w = 0; w < packing->state_words; w++) {
    packing->timed[w] &= ~packing->fixed[w];
    packing->constant[w] = state[w] & packing->fixed[w];
    packing->timed_count += (uint32_t)__builtin_popcountll(packing->timed[w]);
  }
}

/* The members of a group that are not in a field; sets `whole` if the others
   are all fixed to be false. */
static uint32_t count_free(const Packing *packing, const OneHot *onehot,
                           const OneHotGroup *group, const uint64_t *covered,
                           bool *whole) {
  const uint32_t *members = onehot_members(onehot, group);
  uint32_t count = 0;
  *whole = true;
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t fluent = members[i];
    if (!bits_has(covered, fluent))
      count++;
    else if (!bits_has(packing->fixed, fluent) ||
             bits_has(packing->constant, fluent))
      *whole = false;
  }
  return count;
}

static void add_field(Packing *packing, const uint32_t *fluents, uint32_t count,
                      bool exactly, uint64_t *covered) {
  PackingField field = {.exactly = exactly};
  field.first = packing->members.count; /* until they are laid out */
  for (uint32_t i = 0; i < count; i++) {
    if (bits_has(covered, fluents[i])) continue;
    bits_add(covered, fluents[i]);
    vector_push(&packing->members, fluents[i]);
    field.count++;
  }
  field.bits = bits_for(field.count + !exactly);
  vector_push(&packing->fields, field);
}

/* Adds the group that saves most bits; returns false if none does. */
static bool add_best_group(Packing *packing, const OneHot *onehot,
                           uint64_t *covered) {
  uint32_t best = 0, most = 0;
  bool exactly = false, whole;
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    if (group->at_most != EVIDENCE_PROVED) continue;
    uint32_t count = count_free(packing, onehot, group, covered, &whole);
    whole = whole && group->at_least == EVIDENCE_PROVED;
    uint32_t bits = bits_for(count + !whole);
    uint32_t saved = bits > 32 || count < bits ? 0 : count - bits;
    if (saved <= most) continue;
    most = saved;
    best = g;
    exactly = whole;
  }
  if (!most) return false;
  const OneHotGroup *group = &onehot->groups.data[best];
  add_field(packing, onehot_members(onehot, group), group->count, exactly,
            covered);
  return true;
}

static void choose_fields(Packing *packing, const OneHot *onehot) {
  uint32_t fluents = packing->net->fluents.count;
  size_t bytes = packing->state_words * sizeof(uint64_t);
  uint64_t *covered = memory_new(bytes);
  for (uint32_t w = 0; w < packing->state_words; w++)
    covered[w] = packing->fixed[w] | packing->timed[w];
  while (onehot && add_best_group(packing, onehot, covered)) continue;
  for (uint32_t i = 0; i < fluents; i++)
    if (!bits_has(covered, i)) add_field(packing, &i, 1, false, covered);
  memory_delete(covered);
}

/* ---- laying them out ---- */

static int compare_fields(const void *a, const void *b) {
  const PackingField *x = a, *y = b;
  if (x->bits != y->bits) return x->bits < y->bits ? 1 : -1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void lay_out(Packing *packing) {
  uint32_t open = 0; /* words before it are full */
  NumberVector used = {0};
  vector_push(&used, 0);
  if (packing->fields.count)
    qsort(packing->fields.data, packing->fields.count,
          sizeof *packing->fields.data, compare_fields);
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    PackingField *field = &packing->fields.data[i];
    while (open < used.count && used.data[open] == 64) open++;
    uint32_t word = open;
    while (word < used.count && used.data[word] + field->bits > 64) word++;
    if (word == used.count) vector_push(&used, 0);
    field->fluents = packing->members.data + field->first;
    field->first = 64 * word + used.data[word];
    used.data[word] += field->bits;
    packing->bits += field->bits;
  }
  packing->words = used.count;
  packing->used = used.data;
}

void packing_init(Packing *packing, const Book *book, const uint64_t *state) {
  const Analysis *analysis = book->analysis;
  uint32_t words = book->words ? book->words : 1;
  *packing = (Packing){.net = &book->net, .state_words = words};
  packing->start = memory_new(words * sizeof(uint64_t));
  memcpy(packing->start, state, book->words * sizeof(uint64_t));
  packing->timed = memory_new(words * sizeof(uint64_t));
  packing->constant = memory_new(words * sizeof(uint64_t));
  packing->regular =
      analysis && onehot_holds(&analysis->onehot, packing->start);
  if (!packing->regular) analysis = NULL;
  find_fixed(packing, analysis, packing->start);
  packing->game = scalar_engine_new(book->description, &book->net);
  game_enter(packing->game, packing->start, book->words);
  for (uint32_t w = 0; w < words; w++)
    vector_push(&packing->times, packing->start[w] & packing->timed[w]);
  keep_periodic(packing);
  choose_fields(packing, analysis ? &analysis->onehot : NULL);
  lay_out(packing);
}

void packing_free(Packing *packing) {
  game_delete(packing->game);
  memory_delete(packing->start);
  memory_delete(packing->timed);
  memory_delete(packing->fixed);
  memory_delete(packing->constant);
  memory_delete(packing->used);
  vector_free(&packing->fields);
  vector_free(&packing->members);
  vector_free(&packing->times);
}

/* ---- keys ---- */

static uint64_t value_in(const PackingField *field, const uint64_t *state) {
  for (uint32_t i = 0; i < field->count; i++)
    if (bits_has(state, field->fluents[i])) return i + !field->exactly;
  return 0;
}

void packing_pack(const Packing *packing, const uint64_t *state,
                  uint64_t *key) {
  memset(key, 0, packing->words * sizeof *key);
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    const PackingField *field = &packing->fields.data[i];
    key[field->first >> 6] |= value_in(field, state) << (field->first & 63);
  }
}

void packing_unpack(Packing *packing, const uint64_t *key, uint32_t depth,
                    uint64_t *state) {
  const uint64_t *time = packing_time(packing, depth);
  for (uint32_t w = 0; w < packing->state_words; w++)
    state[w] = packing->constant[w] | time[w];
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    const PackingField *field = &packing->fields.data[i];
    uint32_t value = packing_value(field, key) + field->exactly;
    if (value) bits_add(state, field->fluents[value - 1]);
  }
}

/* Any move will do, since autonomous fluents do not depend on it. */
static void add_time(Packing *packing) {
  const Move *moves;
  const uint64_t *state;
  Move move = game_legal(packing->game, 0, &moves) ? moves[0] : 0;
  game_make(packing->game, &move);
  game_state(packing->game, &state);
  for (uint32_t w = 0; w < packing->state_words; w++)
    vector_push(&packing->times, state[w] & packing->timed[w]);
}

const uint64_t *packing_time(Packing *packing, uint32_t depth) {
  uint32_t words = packing->state_words;
  if (!packing->timed_count) return packing->times.data;
  while (packing->times.count / words <= depth) add_time(packing);
  return packing->times.data + (size_t)depth * words;
}
