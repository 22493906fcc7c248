/* Inputs that several ANDs have in common become an AND of their own. First all
   signals that are read by exactly the same ANDs: groups of any size, found by
   hashing the lists of readers, in linear time. Then pairs, the pair that most
   ANDs share first (as in common subexpression elimination by Potkonjak et al.
   1996); a pair made is a signal like any other and takes part.

   ANDs are lists of signals in an array of their own, which only shrink.
   Signals from 2 × gates on are new: number n is the AND of a slice of
   `pieces`, whose members are all read by one AND and so come before it.
   Counts of pairs in the heap are upper bounds; the true count is found by
   going through the readers of the rarer signal. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/marks.h"
#include "base/trial.h"
#include "reduce/heap.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

enum { WIDEST = 128 }; /* ANDs in which pairs are looked for */
static const Signal NOT_YET = UINT32_MAX;
static const uint64_t WORK = 300000000; /* literals looked at: about a second */

typedef struct Slice {
  uint32_t first, count;
} Slice;

typedef struct Factorer {
  Rebuild rebuild;
  NumberVector inputs;  /* the shrinking lists of ANDs */
  Slice *ands;          /* by gate of `from` */
  uint64_t *marks;      /* by gate: the marks of its inputs */
  VECTOR(Slice) users;  /* by signal, in `readers`; some no longer read it */
  NumberVector readers; /* gates */
  VECTOR(Slice) pieces; /* of new signals, in `members` */
  NumberVector members; /* signals */
  NumberVector made;    /* by new signal: its signal in `to`, or NOT_YET */
  Heap heap;
  uint32_t *together; /* by signal: ANDs it shares with the current one */
  uint32_t together_size;
  NumberVector touched; /* signals with `together` */
  NumberVector common;  /* ANDs with both signals of a pair */
  uint64_t work;
} Factorer;

static uint32_t first_new(const Factorer *f) {
  return f->rebuild.from->gates.count * 2;
}

/* A new signal, the AND of what is pushed to `members` next. */
static Signal new_signal(Factorer *f) {
  vector_push(&f->pieces, ((Slice){f->members.count, 0}));
  vector_push(&f->made, NOT_YET);
  vector_push(&f->users, ((Slice){f->readers.count, 0}));
  return first_new(f) + f->pieces.count - 1;
}

/* A bit that other signals may have, too. */
static uint64_t signal_mark(Signal signal) {
  return (uint64_t)1 << (signal * 0x9e3779b1u >> 26);
}

/* ---- the working lists ---- */

static void copy_lists(Factorer *f) {
  const Net *from = f->rebuild.from;
  f->ands = memory_new(from->gates.count * sizeof *f->ands);
  f->marks = memory_new(from->gates.count * sizeof *f->marks);
  for (Gate gate = 0; gate < from->gates.count; gate++) {
    if (!rebuild_is_and(&f->rebuild, gate)) continue;
    f->ands[gate] = (Slice){f->inputs.count, from->gates.data[gate].count};
    for (uint32_t i = 0; i < f->ands[gate].count; i++)
      vector_push(&f->inputs, net_inputs(from, gate)[i]);
  }
}

static void list_users(Factorer *f) {
  uint32_t *first;
  Gate *list;
  reads_list(f->rebuild.from, f->rebuild.live, &first, &list);
  for (Signal s = 0; s < first_new(f); s++)
    vector_push(&f->users, ((Slice){first[s], first[s + 1] - first[s]}));
  for (uint32_t i = 0; i < first[first_new(f)]; i++)
    vector_push(&f->readers, list[i]);
  memory_delete(first);
  memory_delete(list);
}

/* ---- groups with equal readers ---- */

typedef struct Key {
  uint64_t hash; /* of the readers */
  Signal signal;
} Key;

static int by_hash(const void *left, const void *right) {
  const Key *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->signal > b->signal) - (a->signal < b->signal);
}

static bool same_users(const Factorer *f, Signal a, Signal b) {
  Slice x = f->users.data[a], y = f->users.data[b];
  return x.count == y.count &&
         memcmp(f->readers.data + x.first, f->readers.data + y.first,
                x.count * sizeof(Gate)) == 0;
}

static Key key_of(const Factorer *f, Signal signal) {
  Slice users = f->users.data[signal];
  uint64_t hash = users.count;
  for (uint32_t i = 0; i < users.count; i++)
    hash = hash_pair(hash, f->readers.data[users.first + i]);
  return (Key){hash, signal};
}

/* Writes to group[signal] the new signal that replaces it, or 0. */
static void find_groups(Factorer *f, Signal *group) {
  VECTOR(Key) keys = {0};
  uint32_t signals = first_new(f);
  for (Signal s = 0; s < signals; s++)
    if (f->users.data[s].count > 1) vector_push(&keys, key_of(f, s));
  if (keys.count) qsort(keys.data, keys.count, sizeof *keys.data, by_hash);
  for (uint32_t i = 0, end; i < keys.count; i = end) {
    Signal first = keys.data[i].signal;
    for (end = i + 1; end < keys.count; end++)
      if (keys.data[end].hash != keys.data[i].hash ||
          !same_users(f, first, keys.data[end].signal))
        break;
    if (end - i < 2) continue;
    Signal made = new_signal(f);
    f->users.data[made] = f->users.data[first];
    for (uint32_t j = i; j < end; j++) {
      group[keys.data[j].signal] = made;
      f->users.data[keys.data[j].signal].count = 0;
      vector_push(&f->members, keys.data[j].signal);
      vector_last(&f->pieces).count++;
    }
  }
  vector_free(&keys);
}

/* Replaces members by their group, once in each AND. */
static void replace_groups(Factorer *f, const Signal *group) {
  Marks seen = {0};
  for (Gate gate = 0; gate < f->rebuild.from->gates.count; gate++) {
    Slice *and = &f->ands[gate];
    uint32_t kept = 0;
    marks_clear(&seen);
    for (uint32_t i = 0; i < and->count; i++) {
      Signal s = f->inputs.data[ and->first + i];
      Signal put = group[s] ? group[s] : s;
      if (group[s] && marks_has(&seen, put)) continue;
      if (group[s]) marks_add(&seen, put);
      f->inputs.data[ and->first + kept++] = put;
    }
    and->count = kept;
  }
  marks_free(&seen);
}

static void extract_groups(Factorer *f) {
  Signal *group = memory_new(first_new(f) * sizeof *group);
  find_groups(f, group);
  replace_groups(f, group);
  memory_delete(group);
}

/* ---- pairs ---- */

static void make_room(Factorer *f) {
  if (f->users.count <= f->together_size) return;
  uint32_t size = f->users.count * 2;
  f->together = memory_resize(f->together, size * sizeof *f->together);
  memset(f->together + f->together_size, 0,
         (size - f->together_size) * sizeof *f->together);
  f->together_size = size;
}

/* Counts the signals above `least` in the AND. */
static void count_together(Factorer *f, Gate gate, Signal least) {
  trial_check();
  Slice and = f->ands[gate];
  if (and.count > WIDEST) return;
  f->work += and.count;
  for (uint32_t i = 0; i < and.count; i++) {
    Signal s = f->inputs.data[and.first + i];
    if (s > least && f->together[s]++ == 0) vector_push(&f->touched, s);
  }
}

static void push_pairs(Factorer *f, Signal signal) {
  for (uint32_t i = 0; i < f->touched.count; i++) {
    Signal other = f->touched.data[i];
    if (f->together[other] > 1 && other != signal)
      heap_push(&f->heap, (HeapEntry){f->together[other], signal, other});
    f->together[other] = 0;
  }
  vector_clear(&f->touched);
}

static void note_inputs(Factorer *f, Gate gate) {
  Slice and = f->ands[gate];
  f->marks[gate] = 0;
  for (uint32_t i = 0; i < and.count; i++)
    f->marks[gate] |= signal_mark(f->inputs.data[and.first + i]);
}

static void find_pairs(Factorer *f) {
  uint32_t signals = f->users.count;
  make_room(f);
  for (Gate gate = 0; gate < f->rebuild.from->gates.count; gate++)
    note_inputs(f, gate);
  for (Signal s = 0; s < signals && f->work < WORK; s++) {
    Slice users = f->users.data[s];
    for (uint32_t i = 0; users.count > 1 && i < users.count; i++) {
      Gate gate = f->readers.data[users.first + i];
      count_together(f, gate, s);
    }
    push_pairs(f, s);
  }
}

static uint32_t place(const Factorer *f, Slice and, Signal signal) {
  for (uint32_t i = 0; i < and.count; i++)
    if (f->inputs.data[and.first + i] == signal) return i;
  return UINT32_MAX;
}

static bool has_both(const Factorer *f, Gate gate, Signal a, Signal b) {
  uint64_t marks = signal_mark(a) | signal_mark(b);
  Slice and = f->ands[gate];
  uint32_t found = 0;
  if ((f->marks[gate] & marks) != marks) return false;
  for (uint32_t i = 0; i < and.count && found < 2; i++) {
    Signal s = f->inputs.data[and.first + i];
    found += (s == a) | (s == b);
  }
  return found == 2;
}

/* Collects the ANDs that have both in `common`. */
static void find_common(Factorer *f, Signal a, Signal b) {
  if (f->users.data[b].count < f->users.data[a].count) {
    Signal swap = a;
    a = b, b = swap;
  }
  Slice users = f->users.data[a];
  vector_clear(&f->common);
  for (uint32_t i = 0; i < users.count; i++) {
    Gate gate = f->readers.data[users.first + i];
    Slice and = f->ands[gate];
    if (and.count > WIDEST) continue;
    f->work += and.count;
    if (has_both(f, gate, a, b)) vector_push(&f->common, gate);
  }
}

static void replace_pair(Factorer *f, Gate gate, Signal a, Signal b,
                         Signal made) {
  Slice *and = &f->ands[gate];
  Signal *list = f->inputs.data + and->first;
  list[place(f, *and, a)] = made;
  list[place(f, *and, b)] = list[ and->count - 1];
  and->count--;
  note_inputs(f, gate);
}

static void extract_pair(Factorer *f, Signal a, Signal b) {
  trial_check();
  Signal made = new_signal(f);
  vector_push(&f->members, a);
  vector_push(&f->members, b);
  vector_last(&f->pieces).count = 2;
  make_room(f);
  for (uint32_t i = 0; i < f->common.count; i++) {
    Gate gate = f->common.data[i];
    replace_pair(f, gate, a, b, made);
    vector_push(&f->readers, gate);
    count_together(f, gate, 0);
  }
  f->users.data[made].count = f->common.count;
  push_pairs(f, made);
}

static void extract_pairs(Factorer *f) {
  find_pairs(f);
  while (f->heap.count && f->work < WORK) {
    HeapEntry entry = heap_pop(&f->heap);
    find_common(f, entry.a, entry.b);
    if (f->common.count < 2) continue;
    if (f->common.count < entry.count)
      heap_push(&f->heap, (HeapEntry){f->common.count, entry.a, entry.b});
    else
      extract_pair(f, entry.a, entry.b);
  }
}

/* ---- the new net ---- */

static bool is_made(const Factorer *f, Signal s) {
  return s < first_new(f) || f->made.data[s - first_new(f)] != NOT_YET;
}

static Signal signal_of(const Factorer *f, Signal s) {
  return s < first_new(f) ? rebuild_signal(&f->rebuild, s)
                          : f->made.data[s - first_new(f)];
}

/* Writes the slice's signals to the list of the new net's next AND. */
static void list_slice(Factorer *f, const NumberVector *from, Slice slice) {
  vector_clear(&f->rebuild.list);
  for (uint32_t i = 0; i < slice.count; i++)
    vector_push(&f->rebuild.list, signal_of(f, from->data[slice.first + i]));
}

/* Makes the new signal and those that it needs. */
static void make_new(Factorer *f, Signal wanted) {
  NumberVector stack = {0};
  vector_push(&stack, wanted);
  while (stack.count) {
    uint32_t number = vector_last(&stack) - first_new(f);
    Slice piece = f->pieces.data[number];
    uint32_t waiting = stack.count;
    for (uint32_t i = 0; i < piece.count; i++)
      if (!is_made(f, f->members.data[piece.first + i]))
        vector_push(&stack, f->members.data[piece.first + i]);
    if (stack.count > waiting) continue;
    list_slice(f, &f->members, piece);
    f->made.data[number] =
        net_and(f->rebuild.to, f->rebuild.list.data, f->rebuild.list.count);
    stack.count--;
  }
  vector_free(&stack);
}

static void make(Factorer *f, Gate gate) {
  Slice and = f->ands[gate];
  for (uint32_t i = 0; i < and.count; i++) {
    Signal s = f->inputs.data[and.first + i];
    if (!is_made(f, s)) make_new(f, s);
  }
  list_slice(f, &f->inputs, and);
  rebuild_make(&f->rebuild, gate);
}

void reduce_factor(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Factorer f = {0};
  rebuild_begin(&f.rebuild, in, out);
  copy_lists(&f);
  list_users(&f);
  extract_groups(&f);
  extract_pairs(&f);
  for (Gate gate = 0; gate < in->gates.count; gate++)
    if (rebuild_is_and(&f.rebuild, gate)) make(&f, gate);
  vector_free(&f.inputs);
  vector_free(&f.users);
  vector_free(&f.readers);
  vector_free(&f.pieces);
  vector_free(&f.members);
  vector_free(&f.made);
  vector_free(&f.heap);
  vector_free(&f.touched);
  vector_free(&f.common);
  memory_delete(f.ands);
  memory_delete(f.marks);
  memory_delete(f.together);
  rebuild_end(&f.rebuild);
}
