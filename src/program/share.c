/* Greedy common pairs (Paar 1997): the pair of signals that occurs in most
   lists becomes a gate and replaces both in each of them, until no pair occurs
   twice. A pair that occurs twice or more has a record, whose count only falls.
   A record is in the bucket of the count that it had when it was put there, and
   moves on if its count is lower when its turn comes. Records of a new gate
   never count more than the bucket being emptied. Lists longer than a limit are
   ignored so that the work is bounded. */
#include "program/share.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/trial.h"

enum {
  LIST_LIMIT = 4096,
  PAIR_BUDGET = 10000000,  /* pairs to count initially */
  WORK_BUDGET = 20000000,  /* counts to lower before remaining pairs are left */
  RECORD_BUDGET = 4000000, /* beyond it, no new pairs are looked for */
  BUCKETS = 1024
};

typedef struct Record {
  Signal a, b; /* a < b; b = 0: the empty record */
  uint32_t count;
} Record;

typedef struct Place {
  uint32_t list, next; /* next: index + 1 in places */
} Place;

typedef struct Work {
  Share *share;
  uint32_t limit;         /* of a list */
  VECTOR(Record) records; /* from 1 */
  Map index;              /* of the records, by pair */
  uint32_t done;
  NumberVector occurrences;  /* of each signal, initially */
  NumberVector heads;        /* of each signal: index + 1 in places */
  NumberVector place_counts; /* of each signal */
  VECTOR(Place) places;
  NumberVector together;         /* of each signal: scratch of enter_pairs */
  NumberVector partners;         /* signals where that is not 0 */
  NumberVector buckets[BUCKETS]; /* records */
} Work;

/* ---- records ---- */

static uint64_t hash_signals(Signal a, Signal b) {
  return hash_mix((uint64_t)a << 32 | b);
}

/* Returns the pair's record, or the empty one. */
static Record *find(const Work *work, Signal a, Signal b) {
  MapCursor at;
  for (uint32_t e = map_first(&work->index, hash_signals(a, b), &at); e;
       e = map_next(&work->index, &at)) {
    Record *record = &work->records.data[e];
    if (record->a == a && record->b == b) return record;
  }
  return &work->records.data[0];
}

static void put_in_bucket(Work *work, uint32_t record) {
  uint32_t count = work->records.data[record].count;
  if (count < 2) return;
  vector_push(&work->buckets[count < BUCKETS ? count : BUCKETS - 1], record);
}

static void add_record(Work *work, Signal a, Signal b, uint32_t count) {
  map_add(&work->index, hash_signals(a, b), work->records.count);
  vector_push(&work->records, ((Record){a, b, count}));
  put_in_bucket(work, work->records.count - 1);
}

static void count_down(Work *work, Signal a, Signal b) {
  Record *record = a < b ? find(work, a, b) : find(work, b, a);
  if (record->b) record->count--;
  work->done++;
}

/* ---- lists ---- */

static uint32_t find_element(const Share *share, const ShareList *list,
                             Signal signal) {
  for (uint32_t i = 0; i < list->count; i++)
    if (share->elements.data[list->first + i] == signal) return i;
  return UINT32_MAX;
}

static void add_place(Work *work, Signal signal, uint32_t list) {
  vector_push(&work->places, ((Place){list, work->heads.data[signal]}));
  work->heads.data[signal] = work->places.count;
  work->place_counts.data[signal]++;
}

/* A signal in only one list has no common pairs. */
static bool is_common(const Work *work, Signal signal) {
  return work->occurrences.data[signal] > 1;
}

static void enter_list(Work *work, uint32_t index) {
  const ShareList *list = &work->share->lists.data[index];
  const Signal *elements = work->share->elements.data + list->first;
  if (list->count > work->limit) return;
  for (uint32_t i = 0; i < list->count; i++)
    if (is_common(work, elements[i])) add_place(work, elements[i], index);
}

/* Counts how often the signal occurs with each lower one; pairs that occur
   twice or more get a record. */
static void enter_pairs(Work *work, Signal signal) {
  const Share *share = work->share;
  if (work->records.count > RECORD_BUDGET) return;
  for (uint32_t at = work->heads.data[signal]; at;) {
    Place place = work->places.data[at - 1];
    const ShareList *list = &share->lists.data[place.list];
    for (uint32_t i = 0; i < list->count; i++) {
      Signal other = share->elements.data[list->first + i];
      if (other >= signal || !is_common(work, other)) continue;
      if (work->together.data[other]++ == 0)
        vector_push(&work->partners, other);
    }
    at = place.next;
  }
  for (uint32_t i = work->partners.count; i-- > 0;) {
    Signal other = work->partners.data[i];
    if (work->together.data[other] > 1)
      add_record(work, other, signal, work->together.data[other]);
    work->together.data[other] = 0;
  }
  vector_clear(&work->partners);
}

static void extend(NumberVector *vector, uint32_t count, uint32_t value) {
  uint32_t before = vector->count;
  vector_resize(vector, count);
  for (uint32_t i = before; i < count; i++) vector->data[i] = value;
}

/* Makes room for signals up to `count`. */
static void know_signals(Work *work, uint32_t count, uint32_t occurrences) {
  extend(&work->occurrences, count, occurrences);
  extend(&work->together, count, 0);
  extend(&work->heads, count, 0);
  extend(&work->place_counts, count, 0);
}

static void count_occurrences(Work *work) {
  const Share *share = work->share;
  know_signals(work, 2 * share->gate_count, 0);
  for (uint32_t i = 0; i < share->lists.count; i++) {
    const ShareList *list = &share->lists.data[i];
    for (uint32_t j = 0; j < list->count; j++)
      work->occurrences.data[share->elements.data[list->first + j]]++;
  }
}

/* Returns the greatest length of lists whose pairs fit the budget. */
static uint32_t choose_limit(const Work *work) {
  const Share *share = work->share;
  for (uint32_t limit = LIST_LIMIT;; limit /= 2) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < share->lists.count; i++) {
      const ShareList *list = &share->lists.data[i];
      uint64_t count = 0;
      if (list->count > limit) continue;
      for (uint32_t j = 0; j < list->count; j++)
        count += is_common(work, share->elements.data[list->first + j]);
      total += count * (count + 1) / 2;
    }
    if (total <= PAIR_BUDGET || limit <= 2) return limit;
  }
}

/* ---- replacing ---- */

/* Replaces the pair in one list, if it has both. */
static void replace_in(Work *work, uint32_t index, SharePair pair,
                       Signal with) {
  Share *share = work->share;
  ShareList *list = &share->lists.data[index];
  Signal *elements = share->elements.data + list->first;
  uint32_t a = find_element(share, list, pair.a);
  uint32_t b = find_element(share, list, pair.b);
  if (a == UINT32_MAX || b == UINT32_MAX) return;
  for (uint32_t i = 0; i < list->count; i++) {
    if (i == a || i == b || !is_common(work, elements[i])) continue;
    count_down(work, elements[i], pair.a);
    count_down(work, elements[i], pair.b);
  }
  count_down(work, pair.a, pair.b);
  elements[a < b ? a : b] = with;
  elements[a < b ? b : a] = elements[--list->count];
  add_place(work, with, index);
}

static void extract(Work *work, SharePair pair, uint32_t count) {
  trial_check();
  Share *share = work->share;
  Signal with = gate_signal(share->gate_count + share->pairs.count);
  vector_push(&share->pairs, pair);
  know_signals(work, signal_not(with) + 1, count);
  Signal rare =
      work->place_counts.data[pair.a] < work->place_counts.data[pair.b]
          ? pair.a
          : pair.b;
  for (uint32_t at = work->heads.data[rare]; at;) {
    Place place = work->places.data[at - 1];
    replace_in(work, place.list, pair, with);
    at = place.next;
  }
  enter_pairs(work, with);
}

static void empty_bucket(Work *work, uint32_t count) {
  while (work->buckets[count].count && work->done < WORK_BUDGET) {
    uint32_t number = vector_last(&work->buckets[count]);
    Record record = work->records.data[number];
    work->buckets[count].count--;
    if (record.count < count)
      put_in_bucket(work, number);
    else
      extract(work, (SharePair){record.a, record.b}, record.count);
  }
}

void share_pairs(Share *share) {
  Work *work = memory_new(sizeof *work);
  work->share = share;
  count_occurrences(work);
  work->limit = choose_limit(work);
  vector_push(&work->records, ((Record){0}));
  for (uint32_t i = 0; i < share->lists.count; i++) enter_list(work, i);
  for (Signal signal = work->heads.count; signal-- > 0;)
    enter_pairs(work, signal);
  for (uint32_t count = BUCKETS; count-- > 2;) empty_bucket(work, count);
  vector_free(&work->records);
  map_free(&work->index);
  vector_free(&work->occurrences);
  vector_free(&work->heads);
  vector_free(&work->place_counts);
  vector_free(&work->places);
  vector_free(&work->together);
  vector_free(&work->partners);
  for (uint32_t i = 0; i < BUCKETS; i++) vector_free(&work->buckets[i]);
  memory_delete(work);
}

void share_free(Share *share) {
  vector_free(&share->elements);
  vector_free(&share->lists);
  vector_free(&share->pairs);
}
