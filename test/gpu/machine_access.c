/* Loads, stores and atomic updates of a warp. Words of shared memory carry
   marks of who touched them since the last barrier. Local memory is kept as
   words of a whole warp, as registers are. */
#include "machine_run.h"

static void find_addresses(const Warp *warp, const Step *step,
                           uint64_t *addresses) {
  uint64_t offset = (uint64_t)step->offset;
  if (step->fixed)
    for (uint32_t i = 0; i < LANES; i++) addresses[i] = offset;
  else if (step->wide)
    for (uint32_t i = 0; i < LANES; i++)
      addresses[i] = warp->wide[step->a].lane[i] + offset;
  else
    for (uint32_t i = 0; i < LANES; i++)
      addresses[i] = (uint32_t)(warp->narrow[step->a].lane[i] + offset);
}

static bool need_address(Run *run, const Warp *warp, const Step *step,
                         uint32_t mask) {
  return step->fixed ||
         run_need(run, warp, step, step->wide ? 'w' : 'n', step->a, mask);
}

/* ---- marks ---- */

enum { MARK_READ, MARK_WRITE, MARK_STRONG_WRITE, MARK_UPDATE };
enum { MARK_SEVERAL = 63 };

static bool race(Run *run, const Warp *warp, const Step *step, uint32_t lane,
                 uint32_t word, uint32_t mark) {
  uint32_t other = mark & 63;
  if (other == MARK_SEVERAL)
    return run_fail(run, warp, step, lane, MACHINE_FAILED,
                    "a race: several warps use the word at %u of shared "
                    "memory with no barrier between",
                    SHARED_START + 4 * word);
  return run_fail(run, warp, step, lane, MACHINE_FAILED,
                  "a race: warp %u uses the word at %u of shared memory with "
                  "no barrier between",
                  other, SHARED_START + 4 * word);
}

static bool mark(Run *run, const Warp *warp, const Step *step, uint32_t lane,
                 uint32_t word, int how) {
  uint32_t own = 64 * run->epoch + warp->number, now = 64 * run->epoch;
  uint32_t *reader = &run->readers[word], *writer = &run->writers[word];
  uint32_t *updater = &run->updaters[word];
  if (*writer >= now && *writer != own)
    return race(run, warp, step, lane, word, *writer);
  bool write = how == MARK_WRITE || how == MARK_STRONG_WRITE;
  if (!write && *writer < 64 * run->block_epoch)
    return run_fail(run, warp, step, lane, MACHINE_FAILED,
                    "reads the word at %u of shared memory, which was never "
                    "written",
                    SHARED_START + 4 * word);
  if (how == MARK_READ) {
    *reader = *reader < now || *reader == own ? own : now + MARK_SEVERAL;
  } else if (how != MARK_WRITE) {
    *updater = *updater < now || *updater == own ? own : now + MARK_SEVERAL;
    if (*writer < 64 * run->block_epoch) *writer = 64 * run->block_epoch;
  } else {
    if (*reader >= now && *reader != own)
      return race(run, warp, step, lane, word, *reader);
    if (*updater >= now && *updater != own)
      return race(run, warp, step, lane, word, *updater);
    *writer = own;
  }
  return true;
}

/* The same for a row of words that a whole warp reads or writes. Returns false
   if one of them needs a closer look. */
static bool mark_row(Run *run, const Warp *warp, uint32_t word, int how) {
  uint32_t own = 64 * run->epoch + warp->number, now = 64 * run->epoch;
  uint32_t first = 64 * run->block_epoch, several = now + MARK_SEVERAL;
  uint32_t *reader = run->readers + word, *writer = run->writers + word;
  uint32_t *updater = run->updaters + word, bad = 0;
  for (uint32_t i = 0; i < LANES; i++)
    bad |= (uint32_t)(writer[i] >= now) & (uint32_t)(writer[i] != own);
  if (how == MARK_READ)
    for (uint32_t i = 0; i < LANES; i++)
      bad |= ((uint32_t)(reader[i] >= now) & (uint32_t)(reader[i] != own) &
              (uint32_t)(reader[i] != several)) |
             (uint32_t)(writer[i] < first);
  else if (how == MARK_WRITE)
    for (uint32_t i = 0; i < LANES; i++)
      bad |= ((uint32_t)(reader[i] >= now) & (uint32_t)(reader[i] != own)) |
             (uint32_t)(updater[i] >= now);
  else
    for (uint32_t i = 0; i < LANES; i++)
      bad |= (uint32_t)(updater[i] >= now) & (uint32_t)(updater[i] != own);
  if (bad) return false;
  if (how == MARK_READ)
    for (uint32_t i = 0; i < LANES; i++)
      reader[i] = reader[i] == several ? several : own;
  else if (how == MARK_WRITE)
    for (uint32_t i = 0; i < LANES; i++) writer[i] = own;
  else
    for (uint32_t i = 0; i < LANES; i++) {
      updater[i] = own;
      writer[i] = writer[i] < first ? first : writer[i];
    }
  return true;
}

/* ---- places ---- */

static bool in_shared(const Run *run, uint64_t address, uint32_t size) {
  return (address >= SHARED_START && address + size <= run->shared_declared) ||
         (address >= SHARED_DYNAMIC && address + size <= run->shared_end);
}

static inline uint8_t *find_global(Run *run, uint64_t address, uint32_t size) {
  if (address - run->last.address < run->last.size &&
      size <= run->last.size - (address - run->last.address))
    return run->last.bytes + (address - run->last.address);
  uint32_t low = 0, high = run->machine->blocks.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (run->machine->blocks.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  const Block *block = &run->machine->blocks.data[low - 1];
  uint64_t place = address - block->address;
  if (place >= block->size || size > block->size - place) return NULL;
  run->last = *block;
  return block->bytes + place;
}

static Space resolve(const Step *step, uint64_t *address) {
  if (step->space != SPACE_GENERIC) return step->space;
  if (*address >= SHARED_WINDOW && *address < LOCAL_WINDOW) {
    *address -= SHARED_WINDOW;
    return SPACE_SHARED;
  }
  if (*address >= LOCAL_WINDOW && *address < LOCAL_WINDOW + SHARED_WINDOW) {
    *address -= LOCAL_WINDOW;
    return SPACE_LOCAL;
  }
  return SPACE_GLOBAL;
}

static bool outside(Run *run, const Warp *warp, const Step *step, uint32_t lane,
                    uint64_t address, const char *which) {
  return run_fail(run, warp, step, lane, MACHINE_ILLEGAL_ADDRESS,
                  "address 0x%llx is outside of the %s memory",
                  (unsigned long long)address, which);
}

/* One access of a lane: where its bytes are. Local memory is not in a row. */
typedef struct Place {
  uint8_t *bytes;
  bool local;
  uint32_t offset; /* in local memory */
} Place;

static bool find_place(Run *run, const Warp *warp, const Step *step,
                       uint32_t lane, uint64_t address, int how, Place *place) {
  uint32_t size = (uint32_t)step->bytes * step->count;
  Space space = resolve(step, &address);
  *place = (Place){0};
  if (address % size)
    return run_fail(run, warp, step, lane, MACHINE_MISALIGNED,
                    "address 0x%llx is not aligned to %u bytes",
                    (unsigned long long)address, size);
  switch (space) {
  case SPACE_SHARED:
    if (!in_shared(run, address, size))
      return outside(run, warp, step, lane, address, "shared");
    place->bytes = run->shared + (address - SHARED_START);
    if (run->launch->ignore_races) return true;
    for (uint32_t at = 0; at < size; at += 4)
      if (!mark(run, warp, step, lane,
                (uint32_t)(address - SHARED_START + at) / 4, how))
        return false;
    return true;
  case SPACE_LOCAL:
    if (address < LOCAL_START ||
        address + size > LOCAL_START + (uint64_t)run->module->local)
      return outside(run, warp, step, lane, address, "local");
    place->local = true;
    place->offset = (uint32_t)address - LOCAL_START;
    return true;
  case SPACE_PARAM:
    place->bytes = (uint8_t *)(uintptr_t)run->launch->parameters + address;
    return true;
  default:
    place->bytes = find_global(run, address, size);
    if (!place->bytes)
      return outside(run, warp, step, lane, address, "allocated");
    return true;
  }
}

/* Copies of a size that the compiler knows. */
static inline uint64_t get_bytes(const uint8_t *from, uint32_t bytes) {
  uint16_t half;
  uint32_t word;
  uint64_t twice;
  switch (bytes) {
  case 1: return *from;
  case 2: memcpy(&half, from, 2); return half;
  case 4: memcpy(&word, from, 4); return word;
  default: memcpy(&twice, from, 8); return twice;
  }
}

static uint64_t read_bytes(const Warp *warp, const Place *place, uint32_t lane,
                           uint32_t at, uint32_t bytes) {
  uint64_t value = 0;
  if (!place->local) return get_bytes(place->bytes + at, bytes);
  uint32_t offset = place->offset + at;
  value = warp->local[offset / 4].lane[lane] >> 8 * (offset % 4);
  if (bytes == 8)
    return value | (uint64_t)warp->local[offset / 4 + 1].lane[lane] << 32;
  return bytes == 4 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void write_bytes(Warp *warp, const Place *place, uint32_t lane,
                        uint32_t at, uint32_t bytes, uint64_t value) {
  if (!place->local) {
    memcpy(place->bytes + at, &value, bytes);
    return;
  }
  uint32_t offset = place->offset + at;
  uint32_t *word = &warp->local[offset / 4].lane[lane];
  if (bytes < 4) {
    uint32_t mask = ((UINT32_C(1) << 8 * bytes) - 1) << 8 * (offset % 4);
    *word = (*word & ~mask) | ((uint32_t)value << 8 * (offset % 4) & mask);
    return;
  }
  *word = (uint32_t)value;
  if (bytes == 8)
    warp->local[offset / 4 + 1].lane[lane] = (uint32_t)(value >> 32);
}

/* ---- rows ---- */

/* Returns the row of words that a whole warp accesses, lane by lane, or NULL if
   the access is of another kind. */
static uint32_t *find_row(Run *run, Warp *warp, const Step *step, uint32_t mask,
                          int how) {
  if (step->bytes != 4 || step->count != 1 || mask != UINT32_MAX) return NULL;
  if (step->space == SPACE_LOCAL && step->fixed && step->offset % 4 == 0 &&
      step->offset >= LOCAL_START &&
      step->offset + 4 <= LOCAL_START + (int64_t)run->module->local)
    return warp->local[(step->offset - LOCAL_START) / 4].lane;
  if (step->space != SPACE_SHARED || step->fixed || step->wide) return NULL;
  const uint32_t *base = warp->narrow[step->a].lane;
  uint32_t first = base[0], differ = 0;
  for (uint32_t i = 0; i < LANES; i++) differ |= base[i] ^ (first + 4 * i);
  first += (uint32_t)step->offset;
  if (differ || first % 4 || !in_shared(run, first, 4 * LANES)) return NULL;
  if (!run->launch->ignore_races &&
      !mark_row(run, warp, (first - SHARED_START) / 4, how))
    return NULL;
  return (uint32_t *)(void *)(run->shared + (first - SHARED_START));
}

/* ---- words of shared memory ---- */

/* These two do what find_place does, for words only and faster. Where anything
   is wrong they return false, with nothing or a part done: the slow way then
   finds it again. */

static bool is_wordwise(const Step *step) {
  return step->space == SPACE_SHARED && step->bytes == 4;
}

static inline bool find_word(const Run *run, const Step *step, uint64_t address,
                             uint32_t *word) {
  uint32_t size = 4u * step->count;
  if (address & (size - 1) || !in_shared(run, address, size)) return false;
  *word = (uint32_t)(address - SHARED_START) / 4;
  return true;
}

static bool load_words(Run *run, Warp *warp, const Step *step, uint32_t mask,
                       const uint64_t *addresses, const int32_t *list) {
  uint32_t own = 64 * run->epoch + warp->number, now = 64 * run->epoch;
  uint32_t first = 64 * run->block_epoch, several = now + MARK_SEVERAL;
  const uint32_t *words = (const uint32_t *)(const void *)run->shared;
  bool races = !run->launch->ignore_races;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), word;
    if (!find_word(run, step, addresses[lane], &word)) return false;
    for (uint32_t k = 0; k < step->count; k++) {
      uint32_t writer = run->writers[word + k],
               *reader = &run->readers[word + k];
      if (races && (writer < first || (writer >= now && writer != own)))
        return false;
      if (races && *reader != own) *reader = *reader < now ? own : several;
      warp->narrow[list[k]].lane[lane] = words[word + k];
    }
  }
  return true;
}

static bool store_words(Run *run, Warp *warp, const Step *step, uint32_t mask,
                        const uint64_t *addresses, const int32_t *list) {
  uint32_t own = 64 * run->epoch + warp->number, now = 64 * run->epoch;
  uint32_t *words = (uint32_t *)(void *)run->shared;
  bool races = !run->launch->ignore_races;
  if (step->strong) return false;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), word;
    if (!find_word(run, step, addresses[lane], &word)) return false;
    for (uint32_t k = 0; k < step->count; k++) {
      uint32_t writer = run->writers[word + k];
      uint32_t reader = run->readers[word + k];
      uint32_t updater = run->updaters[word + k];
      if (races && ((writer >= now && writer != own) ||
                    (reader >= now && reader != own) ||
                    (updater >= now && updater != own)))
        return false;
      run->writers[word + k] = own;
      words[word + k] = warp->narrow[list[k]].lane[lane];
    }
  }
  return true;
}

/* The same for global memory of any type. */
static bool load_global(Run *run, Warp *warp, const Step *step, uint32_t mask,
                        const uint64_t *addresses, const int32_t *list) {
  uint32_t bytes = step->bytes, count = step->count, size = bytes * count;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    if (addresses[lane] & (size - 1)) return false;
    const uint8_t *from = find_global(run, addresses[lane], size);
    if (!from) return false;
    for (uint32_t k = 0; k < count; k++, from += bytes)
      if (step->wide_data)
        warp->wide[list[k]].lane[lane] = get_bytes(from, bytes);
      else
        warp->narrow[list[k]].lane[lane] = (uint32_t)get_bytes(from, bytes);
  }
  return true;
}

/* ---- instructions ---- */

static uint64_t extended(const Step *step, uint64_t value) {
  if (!step->is_signed || step->bytes == 8) return value;
  uint32_t unused = 64 - 8u * step->bytes;
  value = (uint64_t)((int64_t)(value << unused) >> unused);
  return step->more ? value & 0xffff : value;
}

bool access_load(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  uint64_t addresses[LANES];
  const int32_t *list = run->module->lists.data + step->extra;
  if (!need_address(run, warp, step, mask)) return false;
  uint32_t *row = find_row(run, warp, step, mask, MARK_READ);
  if (row) {
    memcpy(&warp->narrow[list[0]], row, sizeof(Narrow));
    warp->narrow_known[list[0]] = UINT32_MAX;
    return true;
  }
  find_addresses(warp, step, addresses);
  bool done = false;
  if (is_wordwise(step))
    done = load_words(run, warp, step, mask, addresses, list);
  else if (step->space == SPACE_GLOBAL && !step->is_signed)
    done = load_global(run, warp, step, mask, addresses, list);
  for (uint32_t rest = done ? 0 : mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    Place place;
    if (!find_place(run, warp, step, lane, addresses[lane], MARK_READ, &place))
      return false;
    for (uint32_t k = 0; k < step->count; k++) {
      uint64_t value = extended(
          step, read_bytes(warp, &place, lane, k * step->bytes, step->bytes));
      if (step->wide_data)
        warp->wide[list[k]].lane[lane] = value;
      else
        warp->narrow[list[k]].lane[lane] = (uint32_t)value;
    }
  }
  for (uint32_t k = 0; k < step->count; k++)
    *(step->wide_data ? &warp->wide_known[list[k]]
                      : &warp->narrow_known[list[k]]) |= mask;
  return true;
}

bool access_store(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  uint64_t addresses[LANES];
  const int32_t *list = run->module->lists.data + step->extra;
  if (!need_address(run, warp, step, mask)) return false;
  for (uint32_t k = 0; k < step->count; k++)
    if (!run_need(run, warp, step, step->wide_data ? 'w' : 'n', list[k], mask))
      return false;
  int how = step->strong ? MARK_STRONG_WRITE : MARK_WRITE;
  uint32_t *row = find_row(run, warp, step, mask, how);
  if (row) {
    memcpy(row, &warp->narrow[list[0]], sizeof(Narrow));
    return true;
  }
  find_addresses(warp, step, addresses);
  if (is_wordwise(step) && store_words(run, warp, step, mask, addresses, list))
    return true;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    Place place;
    if (!find_place(run, warp, step, lane, addresses[lane], how, &place))
      return false;
    for (uint32_t k = 0; k < step->count; k++)
      write_bytes(warp, &place, lane, k * step->bytes, step->bytes,
                  step->wide_data ? warp->wide[list[k]].lane[lane]
                                  : warp->narrow[list[k]].lane[lane]);
  }
  return true;
}

static uint64_t float_sum(uint64_t a, uint64_t b) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  float f, g;
  memcpy(&f, &x, 4);
  memcpy(&g, &y, 4);
  f += g;
  memcpy(&x, &f, 4);
  return x;
}

uint64_t access_updated(Update update, uint64_t old, uint64_t value,
                        uint64_t other, uint8_t bytes) {
  int64_t a = bytes == 4 ? (int32_t)old : (int64_t)old;
  int64_t b = bytes == 4 ? (int32_t)value : (int64_t)value;
  switch (update) {
  case DO_ADD: return old + value;
  case DO_ADD_F32: return float_sum(old, value);
  case DO_AND: return old & value;
  case DO_OR: return old | value;
  case DO_XOR: return old ^ value;
  case DO_MIN: return old < value ? old : value;
  case DO_MAX: return old > value ? old : value;
  case DO_MIN_S: return a < b ? old : value;
  case DO_MAX_S: return a > b ? old : value;
  case DO_EXCH: return value;
  case DO_CAS: return old == value ? other : old;
  case DO_INC: return old >= value ? 0 : old + 1;
  default: return old == 0 || old > value ? value : old - 1;
  }
}

bool access_update(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  uint64_t addresses[LANES];
  char file = step->wide_data ? 'w' : 'n';
  bool cas = step->kind == DO_CAS;
  if (!need_address(run, warp, step, mask) ||
      !run_need(run, warp, step, file, step->b, mask) ||
      (cas && !run_need(run, warp, step, file, step->c, mask)))
    return false;
  find_addresses(warp, step, addresses);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    Place place;
    if (!find_place(run, warp, step, lane, addresses[lane], MARK_UPDATE,
                    &place))
      return false;
    if (place.local)
      return run_fail(run, warp, step, lane, MACHINE_ILLEGAL_INSTRUCTION,
                      "an atomic update of local memory");
    uint64_t old = read_bytes(warp, &place, lane, 0, step->bytes), value, other;
    if (step->wide_data) {
      value = warp->wide[step->b].lane[lane];
      other = cas ? warp->wide[step->c].lane[lane] : 0;
    } else {
      value = warp->narrow[step->b].lane[lane];
      other = cas ? warp->narrow[step->c].lane[lane] : 0;
    }
    write_bytes(warp, &place, lane, 0, step->bytes,
                access_updated(step->kind, old, value, other, step->bytes));
    if (step->to == REG_NOWHERE) continue;
    if (step->wide_data)
      warp->wide[step->to].lane[lane] = old;
    else
      warp->narrow[step->to].lane[lane] = (uint32_t)old;
  }
  if (step->to != REG_NOWHERE)
    *(step->wide_data ? &warp->wide_known[step->to]
                      : &warp->narrow_known[step->to]) |= mask;
  return true;
}
