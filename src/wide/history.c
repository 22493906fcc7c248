/* A step is kept bit-sliced, as it was chosen: for each role the list of moves
   that were legal in some lane, and in planes the place of each lane's move in
   that list. Writing this costs half a nanosecond for a move and 512 lanes.
   When a step is first read, its places are spread out lane by lane, since most
   steps are read for many lanes (reversi, reading all moves of all playouts: 75
   M states a second; 40 M if each lane's bits are picked from the planes).
   Slots are a ring that grows when the longest current playout needs more. */
#include "wide/history.h"

#include "wide/lanes.h"

void history_init(History *record, const Cones *cones) {
  *record = (History){.cones = cones, .capacity = 64};
  record->slots = memory_new((size_t)record->capacity * cones->net->role_count *
                             sizeof *record->slots);
  record->first = cones_vectors_new(cones, 32);
}

void history_free(History *record) {
  size_t count = (size_t)record->capacity * record->cones->net->role_count;
  for (size_t i = 0; i < count; i++) {
    vector_free(&record->slots[i].moves);
    memory_delete(record->slots[i].places);
    memory_delete(record->slots[i].spread);
  }
  memory_delete(record->slots);
  memory_delete(record->first);
}

static HistoryRole *slot(const History *record, uint64_t step) {
  return record->slots +
         (step & (record->capacity - 1)) * record->cones->net->role_count;
}

/* Assumes that the playout began less than 2^32 steps ago. */
uint64_t history_first(const History *record, uint32_t lane) {
  uint32_t low =
      lanes_number(record->first, record->cones->mode.words, 32, lane);
  return record->now - (uint32_t)((uint32_t)record->now - low);
}

/* Finds the lanes whose first step, in 32 bits, is greater than `number`. */
static void find_greater(const History *record, uint32_t number,
                         uint64_t *lanes) {
  uint32_t words = record->cones->mode.words;
  memset(lanes, 0, words * sizeof *lanes);
  for (uint32_t j = 0; j < 32; j++)
    for (uint32_t i = 0; i < words; i++) {
      uint64_t plane = record->first[j * words + i];
      lanes[i] = number >> j & 1 ? lanes[i] & plane : lanes[i] | plane;
    }
}

static bool intersect(uint32_t words, const uint64_t *a, const uint64_t *b,
                      uint64_t flip, uint64_t *both) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < words; i++) any |= both[i] = a[i] & (b[i] ^ flip);
  return any;
}

/* Forgets steps before the least first step of `lanes`, which is found from the
   highest plane down. Numbers greater than `now` are from before the last
   multiple of 2^32. */
static void forget(History *record, const uint64_t *lanes) {
  uint32_t words = record->cones->mode.words, least = 0;
  _Alignas(64) uint64_t kept[16], part[16];
  memcpy(kept, lanes, words * sizeof *kept);
  find_greater(record, (uint32_t)record->now, part);
  if (intersect(words, kept, part, 0, part))
    memcpy(kept, part, words * sizeof *kept);
  for (uint32_t j = 32; j-- > 0;)
    if (intersect(words, kept, record->first + j * words, ~UINT64_C(0), part))
      memcpy(kept, part, words * sizeof *kept);
    else
      least |= 1u << j;
  record->oldest = record->now - (uint32_t)((uint32_t)record->now - least);
}

static void grow(History *record) {
  size_t roles = record->cones->net->role_count;
  HistoryRole *old = record->slots;
  uint32_t capacity = record->capacity;
  record->capacity *= 2;
  record->slots =
      memory_new((size_t)record->capacity * roles * sizeof *record->slots);
  for (uint64_t step = record->oldest; step < record->now; step++)
    memcpy(slot(record, step), old + (step & (capacity - 1)) * roles,
           roles * sizeof *old);
  memory_delete(old);
}

static void keep_role(History *record, const SlicedLive *live,
                      const uint64_t *memory, HistoryRole *role) {
  const Cones *cones = record->cones;
  uint32_t planes = 0;
  while (live->count > 1u << planes) planes++;
  if (planes > role->capacity) {
    memory_delete(role->places);
    role->places = cones_vectors_new(cones, planes);
    role->capacity = planes;
  }
  role->planes = planes;
  role->is_spread = false;
  vector_resize(&role->moves, live->count);
  if (live->count)
    memcpy(role->moves.data, live->vectors,
           live->count * sizeof *live->vectors);
  if (planes)
    cones->sliced->encode(memory, cones->mode.words, live, planes,
                          role->places);
}

void history_step(History *record, const Choose *choose, const uint64_t *memory,
                  const uint64_t *lanes) {
  if (record->now - record->oldest == record->capacity) forget(record, lanes);
  if (record->now - record->oldest == record->capacity) grow(record);
  HistoryRole *kept = slot(record, record->now++);
  for (uint32_t role = 0; role < record->cones->net->role_count; role++)
    keep_role(record, &choose->roles[role].live, memory, &kept[role]);
}

void history_begin(History *record, const uint64_t *lanes) {
  const Cones *cones = record->cones;
  cones->sliced->assign(cones->mode.words, 32, lanes, (uint32_t)record->now,
                        record->first);
}

static void spread(const Cones *cones, HistoryRole *role) {
  uint32_t words = cones->mode.words;
  if (!role->spread)
    role->spread = memory_new((size_t)64 * words * sizeof *role->spread);
  cones->sliced->spread(role->places, words, role->planes, role->spread);
  role->is_spread = true;
}

static uint32_t place(const Cones *cones, HistoryRole *role, uint32_t lane) {
  if (!role->planes) return 0;
  if (role->planes > 16)
    return lanes_number(role->places, cones->mode.words, role->planes, lane);
  if (!role->is_spread) spread(cones, role);
  return role->spread[lane];
}

uint32_t history_move(const History *record, uint64_t step, uint32_t lane,
                      uint32_t role) {
  HistoryRole *kept = slot(record, step) + role;
  return kept->moves.data[place(record->cones, kept, lane)] -
         record->cones->net->fluents.count;
}
