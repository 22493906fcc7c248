#include "solve/crowds.h"

#include "base/bits.h"
#include "base/hash.h"

/* ---- rows ---- */

static uint64_t *row_at(const CrowdSide *side, uint32_t row) {
  return side->rows.data + (size_t)row * side->row_words;
}

static uint32_t row_count(const CrowdSide *side) {
  return side->rows.count / side->row_words;
}

static uint64_t hash_state(const CrowdSide *side, const uint64_t *words) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < side->words; w++) hash = hash_pair(hash, words[w]);
  return hash;
}

/* Returns the row of the state among those from `first`, or no_crowd. */
static uint32_t find_row(const CrowdSide *side, uint32_t first,
                         const uint64_t *words, MapCursor *cursor) {
  uint32_t entry = map_first(&side->map, hash_state(side, words), cursor);
  for (; entry; entry = map_next(&side->map, cursor))
    if (memcmp(row_at(side, first + entry - 1), words,
               side->words * sizeof *words) == 0)
      return first + entry - 1;
  return no_crowd;
}

static void add_row(CrowdSide *side, uint32_t first, const uint64_t *words,
                    uint32_t parent, uint32_t class) {
  MapCursor cursor;
  if (find_row(side, first, words, &cursor) != no_crowd) return;
  uint32_t row = row_count(side);
  for (uint32_t w = 0; w < side->words; w++) vector_push(&side->rows, words[w]);
  vector_push(&side->rows, 0);
  vector_push(&side->rows, (uint64_t)parent << 32 | class);
  map_insert(&side->map, &cursor, row - first + 1);
}

/* ---- evaluation ---- */

/* Appends the autonomous fluents' values after one more step. */
static void add_time(Crowds *crowds) {
  const Division *division = crowds->division;
  uint32_t words = crowds->state_words;
  uint32_t last = crowds->times.count - words;
  for (uint32_t w = 0; w < words; w++) vector_push(&crowds->times, 0);
  const uint64_t *from = crowds->times.data + last;
  uint64_t *to = crowds->times.data + last + words;
  for (uint32_t i = 0; i < division->clock.count; i++) {
    uint32_t fluent = division->clock.data[i];
    uint64_t *input = slate_input(
        &crowds->clock, division->sheet.net.fluents.data[fluent].gate);
    if (input) input[0] = bits_has(from, fluent);
  }
  slate_run(&crowds->clock);
  for (uint32_t i = 0; i < division->clock.count; i++)
    if (slate_word(&crowds->clock, division->advance.data[i], 0) & 1)
      bits_add(to, division->clock.data[i]);
}

uint32_t crowds_clock(Crowds *crowds, uint32_t steps) {
  uint32_t words = crowds->state_words;
  while (!crowds->round && crowds->times.count / words <= steps) {
    add_time(crowds);
    uint32_t last = crowds->times.count / words - 1;
    const uint64_t *now = crowds->times.data + (size_t)last * words;
    for (uint32_t i = 0; i < last && !crowds->round; i++)
      if (memcmp(crowds->times.data + (size_t)i * words, now,
                 words * sizeof *now) == 0) {
        crowds->again = i;
        crowds->round = last - i;
      }
  }
  return crowds->round && steps > crowds->again
             ? crowds->again + (steps - crowds->again) % crowds->round
             : steps;
}

const uint64_t *crowds_time(Crowds *crowds, uint32_t steps) {
  return crowds->times.data +
         (size_t)crowds_clock(crowds, steps) * crowds->state_words;
}

/* Writes up to SLATE_LANES rows into the slate and evaluates it. */
static void load(Crowds *crowds, CrowdSide *side, uint32_t first,
                 uint32_t count, uint32_t time) {
  const Division *division = crowds->division;
  const NumberVector *fluents = &side->part->fluents;
  uint64_t block[64];
  for (uint32_t w = 0; w < side->words; w++)
    for (uint32_t group = 0; group < SLATE_WORDS; group++) {
      for (uint32_t i = 0; i < 64; i++) {
        uint32_t lane = group * 64 + i;
        block[i] = lane < count ? row_at(side, first + lane)[w] : 0;
      }
      slate_transpose(block);
      for (uint32_t i = 0; i < 64 && w * 64 + i < fluents->count; i++) {
        uint32_t fluent = fluents->data[w * 64 + i];
        uint64_t *input = slate_input(
            &side->slate, division->sheet.net.fluents.data[fluent].gate);
        if (input) input[group] = block[i];
      }
    }
  const uint64_t *now = crowds_time(crowds, time);
  for (uint32_t i = 0; i < division->clock.count; i++) {
    uint32_t fluent = division->clock.data[i];
    uint64_t *input = slate_input(
        &side->slate, division->sheet.net.fluents.data[fluent].gate);
    for (uint32_t w = 0; input && w < SLATE_WORDS; w++)
      input[w] = bits_has(now, fluent) ? UINT64_MAX : 0;
  }
  slate_run(&side->slate);
}

/* After load: fills side->next with the states after a class. */
static void follow(CrowdSide *side, uint32_t class) {
  uint32_t fluents = side->part->fluents.count;
  const Signal *next = side->part->next.data + (size_t) class * fluents;
  uint64_t block[64];
  for (uint32_t w = 0; w < side->words; w++)
    for (uint32_t group = 0; group < SLATE_WORDS; group++) {
      for (uint32_t i = 0; i < 64; i++)
        block[i] = w * 64 + i < fluents
                       ? slate_word(&side->slate, next[w * 64 + i], group)
                       : 0;
      slate_transpose(block);
      for (uint32_t i = 0; i < 64; i++)
        side->next[(size_t)(group * 64 + i) * side->words + w] = block[i];
    }
}

static bool lane_set(const Slate *slate, Signal signal, uint32_t lane) {
  return slate_word(slate, signal, lane >> 6) >> (lane & 63) & 1;
}

/* ---- crowds ---- */

/* Makes successors of a batch of rows. */
static void expand_batch(Crowds *crowds, CrowdSide *side, const Crowd *crowd,
                         uint32_t at, uint32_t count, uint32_t first) {
  const DivisionPart *part = side->part;
  uint32_t row = crowd->first + at;
  uint64_t generated = 0;
  load(crowds, side, row, count, crowd->time);
  for (uint32_t c = 0; c < part->class_count; c++) {
    if (part->legal.data[c] == SIGNAL_FALSE) continue;
    if (!crowds->division->together && c + 1 == part->null) continue;
    follow(side, c);
    for (uint32_t lane = 0; lane < count; lane++) {
      if (!lane_set(&side->slate, part->legal.data[c], lane)) continue;
      add_row(side, first, side->next + (size_t)lane * side->words, row + lane,
              c);
      generated++;
    }
  }
  method_count(crowds->method, count, generated);
}

/* Evaluates the cuts of new rows. */
static void judge(Crowds *crowds, CrowdSide *side, uint32_t first,
                  uint32_t time) {
  const NumberVector *cuts = &side->part->cuts;
  for (uint32_t end = row_count(side); first < end; first += SLATE_LANES) {
    uint32_t count = end - first < SLATE_LANES ? end - first : SLATE_LANES;
    load(crowds, side, first, count, time);
    for (uint32_t lane = 0; lane < count; lane++)
      for (uint32_t i = 0; i < cuts->count; i++)
        if (lane_set(&side->slate, cuts->data[i], lane))
          row_at(side, first + lane)[side->words] |= (uint64_t)1 << i;
  }
}

static void add_outcome(Crowd *crowd, uint64_t cuts, uint32_t row) {
  for (uint32_t i = 0; i < crowd->outcomes.count; i++)
    if (crowd->outcomes.data[i].cuts == cuts) return;
  vector_push(&crowd->outcomes, ((CrowdOutcome){cuts, row}));
}

/* Returns whether the new rows are the states of a crowd. The map has them. */
static bool same_states(const CrowdSide *side, const Crowd *crowd,
                        uint32_t first, uint32_t count) {
  MapCursor cursor;
  if (crowd->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t row =
        find_row(side, first, row_at(side, crowd->first + i), &cursor);
    if (row == no_crowd) return false;
  }
  return true;
}

static uint32_t find_crowd(const Crowds *crowds, const Crowd *crowd) {
  for (uint32_t i = 0; i < crowds->list.count; i++) {
    const Crowd *known = &crowds->list.data[i];
    if (known->part == crowd->part && known->hash == crowd->hash &&
        (known->time == crowd->time || !crowds->division->together) &&
        same_states(&crowds->sides[crowd->part], known, crowd->first,
                    crowd->count))
      return i;
  }
  return no_crowd;
}

static void fill_map(CrowdSide *side, uint32_t first, uint32_t end) {
  map_clear(&side->map);
  for (uint32_t row = first; row < end; row++)
    map_add(&side->map, hash_state(side, row_at(side, row)), row - first + 1);
}

/* Makes a crowd of the last rows, which have the same ending cuts; returns its
   number. */
static uint32_t add_crowd(Crowds *crowds, uint32_t part, uint32_t first,
                          uint32_t time) {
  CrowdSide *side = &crowds->sides[part];
  uint32_t end = row_count(side);
  Crowd crowd = {.part = part,
                 .first = first,
                 .count = end - first,
                 .time = crowds_clock(crowds, time)};
  for (uint32_t row = first; row < end; row++)
    crowd.hash += hash_state(side, row_at(side, row));
  fill_map(side, first, end);
  uint32_t known = find_crowd(crowds, &crowd);
  if (known != no_crowd) {
    side->rows.count = first * side->row_words;
    return known;
  }
  for (uint32_t row = first; row < end; row++)
    add_outcome(&crowd, row_at(side, row)[side->words], row);
  vector_push(&crowds->list, crowd);
  return crowds->list.count - 1;
}

/* Divides the rows from `first` into crowds by their ending cuts: these rows
   are taken out and come back crowd by crowd. */
static void split(Crowds *crowds, uint32_t number, uint32_t first) {
  uint32_t part = crowds->list.data[number].part;
  uint32_t time = crowds->list.data[number].time + 1;
  CrowdSide *side = &crowds->sides[part];
  uint32_t words = side->row_words, count = row_count(side) - first;
  uint64_t *rows = memory_new(((size_t)count * words + 1) * sizeof *rows);
  bool *taken = memory_new((count + 1) * sizeof *taken);
  judge(crowds, side, first, time);
  if (count)
    memcpy(rows, row_at(side, first), (size_t)count * words * sizeof *rows);
  side->rows.count = first * words;
  for (uint32_t i = 0; i < count; i++) {
    if (taken[i]) continue;
    uint32_t begin = row_count(side);
    uint64_t ending =
        rows[(size_t)i * words + side->words] & side->part->ending;
    for (uint32_t j = i; j < count; j++) {
      const uint64_t *row = rows + (size_t)j * words;
      if (taken[j] || (row[side->words] & side->part->ending) != ending)
        continue;
      taken[j] = true;
      for (uint32_t w = 0; w < words; w++) vector_push(&side->rows, row[w]);
    }
    uint32_t crowd = add_crowd(crowds, part, begin, time);
    vector_push(&crowds->list.data[number].after, crowd);
  }
  memory_delete(rows);
  memory_delete(taken);
}

bool crowds_grow(Crowds *crowds, uint32_t number, const Slice *slice,
                 uint64_t begun) {
  CrowdGrowth *growth = &crowds->growth;
  if (crowds->list.data[number].grown) return true;
  Crowd crowd = crowds->list.data[number];
  CrowdSide *side = &crowds->sides[crowd.part];
  if (growth->crowd != number) {
    *growth = (CrowdGrowth){number, 0, row_count(side)};
    map_clear(&side->map);
  }
  while (growth->at < crowd.count) {
    uint32_t left = crowd.count - growth->at;
    uint32_t count = left < SLATE_LANES ? left : SLATE_LANES;
    if (method_slice_over(slice, crowds->method->expanded - begun))
      return false;
    expand_batch(crowds, side, &crowd, growth->at, count, growth->first);
    growth->at += count;
  }
  split(crowds, number, growth->first);
  crowds->list.data[number].grown = true;
  growth->crowd = no_crowd;
  return true;
}

/* ---- plans ---- */

uint32_t crowds_parent(Crowds *crowds, uint32_t number, uint32_t row,
                       uint32_t *class) {
  const Crowd *crowd = &crowds->list.data[number];
  CrowdSide *side = &crowds->sides[crowd->part];
  uint64_t meta = row_at(side, row)[side->words + 1];
  uint32_t parent = (uint32_t)(meta >> 32);
  *class = (uint32_t)meta;
  if (parent >= crowd->first && parent < crowd->first + crowd->count)
    return parent;
  for (uint32_t at = 0; at < crowd->count; at += SLATE_LANES) {
    uint32_t left = crowd->count - at;
    uint32_t count = left < SLATE_LANES ? left : SLATE_LANES;
    load(crowds, side, crowd->first + at, count, crowd->time);
    for (uint32_t c = 0; c < side->part->class_count; c++) {
      if (!crowds->division->together && c + 1 == side->part->null) continue;
      follow(side, c);
      for (uint32_t lane = 0; lane < count; lane++) {
        if (!lane_set(&side->slate, side->part->legal.data[c], lane) ||
            memcmp(side->next + (size_t)lane * side->words, row_at(side, row),
                   side->words * sizeof(uint64_t)) != 0)
          continue;
        *class = c;
        return crowd->first + at + lane;
      }
    }
  }
  return no_crowd; /* never */
}

/* ---- start and end ---- */

static void make_side(Crowds *crowds, uint32_t p) {
  CrowdSide *side = &crowds->sides[p];
  const DivisionPart *part = &crowds->division->parts[p];
  NumberVector wanted = {0};
  side->part = part;
  side->words = (uint32_t)bits_words(part->fluents.count);
  side->row_words = side->words + 2;
  side->next = memory_new((size_t)SLATE_LANES * side->words * sizeof(uint64_t));
  for (uint32_t i = 0; i < part->legal.count; i++)
    vector_push(&wanted, part->legal.data[i]);
  for (uint32_t i = 0; i < part->next.count; i++)
    vector_push(&wanted, part->next.data[i]);
  for (uint32_t i = 0; i < part->cuts.count; i++)
    vector_push(&wanted, part->cuts.data[i]);
  slate_init(&side->slate, &crowds->division->sheet.net, wanted.data,
             wanted.count);
  vector_free(&wanted);
}

/* The clock of the start. */
static void start_clock(Crowds *crowds, const uint64_t *start) {
  const Division *division = crowds->division;
  slate_init(&crowds->clock, &division->sheet.net, division->advance.data,
             division->advance.count);
  for (uint32_t w = 0; w < crowds->state_words; w++)
    vector_push(&crowds->times, 0);
  for (uint32_t i = 0; i < division->clock.count; i++)
    if (bits_has(start, division->clock.data[i]))
      bits_add(crowds->times.data, division->clock.data[i]);
}

/* The crowd of the part's state in `start`. */
static void start_part(Crowds *crowds, uint32_t p, const uint64_t *start) {
  CrowdSide *side = &crowds->sides[p];
  uint64_t *words = memory_new(side->words * sizeof *words);
  for (uint32_t i = 0; i < side->part->fluents.count; i++)
    if (bits_has(start, side->part->fluents.data[i])) bits_add(words, i);
  add_row(side, 0, words, no_crowd, 0);
  judge(crowds, side, 0, 0);
  add_crowd(crowds, p, 0, 0);
  memory_delete(words);
}

void crowds_init(Crowds *crowds, Method *method, const Division *division,
                 const uint64_t *start, uint32_t state_words) {
  *crowds = (Crowds){.method = method,
                     .division = division,
                     .state_words = state_words,
                     .growth.crowd = no_crowd};
  start_clock(crowds, start);
  for (uint32_t p = 0; p < division->count; p++) {
    make_side(crowds, p);
    start_part(crowds, p, start);
  }
}

void crowds_free(Crowds *crowds) {
  for (uint32_t p = 0; p < crowds->division->count; p++) {
    CrowdSide *side = &crowds->sides[p];
    slate_free(&side->slate);
    vector_free(&side->rows);
    map_free(&side->map);
    memory_delete(side->next);
  }
  slate_free(&crowds->clock);
  vector_free(&crowds->times);
  for (uint32_t i = 0; i < crowds->list.count; i++) {
    vector_free(&crowds->list.data[i].outcomes);
    vector_free(&crowds->list.data[i].after);
  }
  vector_free(&crowds->list);
}

const uint64_t *crowds_row(const Crowds *crowds, uint32_t part, uint32_t row) {
  return row_at(&crowds->sides[part], row);
}

uint32_t crowds_rows(const Crowds *crowds, uint32_t part) {
  return row_count(&crowds->sides[part]);
}
