/* An open-addressing hash table of numbers: the index of a list that is kept
   elsewhere. An entry is a number from 1 (0 means none); what it stands for,
   its hash and what equality means are the owner's business:

     MapCursor at;
     for (uint32_t e = map_first(&map, hash, &at); e; e = map_next(&map, &at))
       if (list[e] is what we look for) return e;
     map_insert(&map, &at, new_entry);

   Entries with equal hashes may both be present. Clearing takes constant time:
   a stored number at or below `floor` is of an earlier life and reads as
   empty. */
#ifndef TAFL_BASE_MAP_H
#define TAFL_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct MapSlot {
  uint32_t tag;    /* low half of the entry's hash */
  uint32_t stored; /* entry + floor at the time it was added */
} MapSlot;

typedef struct Map {
  MapSlot *slots;
  uint32_t slot_count; /* a power of two, or 0 */
  uint32_t used;       /* at most half of them */
  uint32_t floor;
  uint32_t top; /* the greatest entry since the last clearing */
} Map;

/* A cursor's place in the table, and the tag that it looks for. */
typedef struct MapCursor {
  uint32_t at, tag;
} MapCursor;

static inline uint32_t map_next(const Map *map, MapCursor *cursor) {
  uint32_t mask = map->slot_count - 1;
  for (;; cursor->at++) {
    const MapSlot *slot = &map->slots[cursor->at & mask];
    if (slot->stored <= map->floor) return 0;
    if (slot->tag != cursor->tag) continue;
    cursor->at++;
    return slot->stored - map->floor;
  }
}

static inline uint32_t map_first(const Map *map, uint64_t hash,
                                 MapCursor *cursor) {
  cursor->at = cursor->tag = (uint32_t)hash;
  return map->slot_count ? map_next(map, cursor) : 0;
}

/* Adds an entry, whether or not an equal one is present. */
void map_add(Map *map, uint64_t hash, uint32_t entry);
/* The same after a search that found nothing, without another one. */
static inline void map_insert(Map *map, const MapCursor *cursor,
                              uint32_t entry) {
  if (2 * (map->used + 1) > map->slot_count) {
    map_add(map, cursor->tag, entry);
    return;
  }
  map->slots[cursor->at & (map->slot_count - 1)] =
      (MapSlot){cursor->tag, entry + map->floor};
  map->used++;
  if (entry > map->top) map->top = entry;
}
void map_clear(Map *map);
/* Empties the table and makes it just large enough for that many entries. */
void map_reset(Map *map, uint32_t entries);
void map_free(Map *map);
size_t map_bytes(const Map *map); /* allocated */

#endif
