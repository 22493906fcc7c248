/* Linear probing, at most half full. A table that grows is resized in place, so
   that a trial which is given up leaves its owner a valid block. */
#include "base/map.h"

#include <string.h>

#include "base/memory.h"

enum { SMALLEST = 16 };

static void place(Map *map, uint32_t tag, uint32_t stored) {
  uint32_t mask = map->slot_count - 1, at = tag;
  while (map->slots[at & mask].stored > map->floor) at++;
  map->slots[at & mask] = (MapSlot){tag, stored};
}

static void grow(Map *map) {
  uint32_t before = map->slot_count;
  uint32_t count = before ? 2 * before : SMALLEST;
  MapSlot *old = memory_new((before + 1) * sizeof *old);
  if (before) memcpy(old, map->slots, before * sizeof *old);
  map->slots = memory_resize(map->slots, (size_t)count * sizeof *map->slots);
  memset(map->slots, 0, (size_t)count * sizeof *map->slots);
  map->slot_count = count;
  for (uint32_t i = 0; i < before; i++)
    if (old[i].stored > map->floor) place(map, old[i].tag, old[i].stored);
  memory_delete(old);
}

void map_add(Map *map, uint64_t hash, uint32_t entry) {
  if (2 * (map->used + 1) > map->slot_count) grow(map);
  place(map, (uint32_t)hash, entry + map->floor);
  map->used++;
  if (entry > map->top) map->top = entry;
}

void map_clear(Map *map) {
  map->floor += map->top;
  map->used = map->top = 0;
  if (map->floor < UINT32_MAX / 2) return;
  memset(map->slots, 0, map->slot_count * sizeof *map->slots);
  map->floor = 0;
}

void map_reset(Map *map, uint32_t entries) {
  uint32_t count = SMALLEST;
  while (count / 2 < entries) count *= 2;
  size_t size = count * sizeof *map->slots;
  if (map->slots) {
    map->slots = memory_resize(map->slots, size);
    memset(map->slots, 0, size);
  } else {
    map->slots = memory_new(size);
  }
  *map = (Map){.slots = map->slots, .slot_count = count};
}

void map_free(Map *map) {
  memory_delete(map->slots);
  *map = (Map){0};
}

size_t map_bytes(const Map *map) {
  return map->slot_count * sizeof *map->slots;
}
