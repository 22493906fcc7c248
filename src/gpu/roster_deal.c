/* A warp reads or writes the slots of several gates at once, as many as make 32
   words: a handful. Memory has as many ways as a handful has gates; slot s is
   on way s mod that. Two slots of a handful on the same way, but not the same
   slot, are read one after the other. So gates of one kind are put together
   whose inputs are on different ways, and their results get slots on different
   ways. */
#include "gpu/roster_parts.h"

#include <stdlib.h>

#include "base/trial.h"

enum { WAYS_MOST = 32, CANDIDATES = 48 };

typedef struct Stream {
  VECTOR(uint8_t) kinds;
  VECTOR(uint16_t) operands;
} Stream;

typedef struct Dealing {
  Work *work;
  uint32_t ways;
  NumberVector unused[WAYS_MOST]; /* slots, by way */
  NumberVector *ends;             /* by level: slots that are free after it */
  uint32_t freed;                 /* levels whose slots are in `unused` */
  Stream *streams;
  uint32_t warp;     /* whose turn it is */
  NumberVector left; /* gates of a level and kind that are not dealt yet */
} Dealing;

/* ---- slots ---- */

static void free_slots(Dealing *dealing, uint32_t level) {
  for (; dealing->freed < level; dealing->freed++) {
    const NumberVector *ends = &dealing->ends[dealing->freed];
    for (uint32_t i = 0; i < ends->count; i++)
      vector_push(&dealing->unused[ends->data[i] % dealing->ways],
                  ends->data[i]);
  }
}

/* Returns a way on which a slot is free and that the handful uses least. */
static uint32_t choose_way(const Dealing *dealing, const uint8_t *used) {
  uint32_t best = dealing->ways;
  for (uint32_t way = 0; way < dealing->ways; way++) {
    uint32_t count = dealing->unused[way].count;
    if (!count) continue;
    if (best == dealing->ways || used[way] < used[best] ||
        (used[way] == used[best] && count > dealing->unused[best].count))
      best = way;
  }
  return best;
}

static void add_slots(Dealing *dealing) {
  Work *work = dealing->work;
  for (uint32_t i = 0; i < dealing->ways; i++) {
    uint32_t slot = work->base + work->scratch++;
    vector_push(&dealing->unused[slot % dealing->ways], slot);
  }
}

static void give_slot(Dealing *dealing, const Deal *deal, uint8_t *used) {
  Work *work = dealing->work;
  uint32_t *slot = &work->slot.data[deal->result];
  if (*slot == ROSTER_NOWHERE) {
    uint32_t last = work->last.data[deal->result];
    uint32_t way = choose_way(dealing, used);
    if (way == dealing->ways || used[way] > 1) add_slots(dealing);
    way = choose_way(dealing, used);
    *slot = dealing->unused[way].data[--dealing->unused[way].count];
    if (last < deal->level) last = deal->level;
    if (last <= work->levels) vector_push(&dealing->ends[last], *slot);
  }
  used[*slot % dealing->ways]++;
}

/* ---- handfuls ---- */

typedef struct Handful {
  uint32_t count;
  uint32_t gates[WAYS_MOST]; /* numbers of deals */
  uint8_t used[3][WAYS_MOST];
} Handful;

static uint32_t input_slot(const Dealing *dealing, uint32_t gate, uint32_t k) {
  const Work *work = dealing->work;
  return work->slot.data[work->deals.data[gate].inputs[k]];
}

static bool reads(const Dealing *dealing, const Handful *handful, uint32_t k,
                  uint32_t slot) {
  for (uint32_t i = 0; i < handful->count; i++)
    if (input_slot(dealing, handful->gates[i], k) == slot) return true;
  return false;
}

/* Returns how much longer the handful would take with this gate. */
static uint32_t cost(const Dealing *dealing, const Handful *handful,
                     uint32_t gate) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t slot = input_slot(dealing, gate, k);
    uint8_t used = handful->used[k][slot % dealing->ways];
    if (used && !reads(dealing, handful, k, slot)) sum += used;
  }
  return sum;
}

static void take_gate(const Dealing *dealing, Handful *handful, uint32_t gate) {
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t slot = input_slot(dealing, gate, k);
    if (!reads(dealing, handful, k, slot))
      handful->used[k][slot % dealing->ways]++;
  }
  handful->gates[handful->count++] = gate;
}

/* Takes gates that fit together from the first ones that are left. */
static void fill_handful(Dealing *dealing, Handful *handful) {
  NumberVector *left = &dealing->left;
  *handful = (Handful){0};
  while (handful->count < dealing->ways && left->count) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < left->count && i < CANDIDATES && least; i++) {
      uint32_t found = cost(dealing, handful, left->data[i]);
      if (found >= least) continue;
      least = found;
      best = i;
    }
    take_gate(dealing, handful, left->data[best]);
    memmove(left->data + best, left->data + best + 1,
            (left->count - best - 1) * sizeof *left->data);
    left->count--;
  }
}

/* ---- streams ---- */

static void push_gate(const Work *work, Stream *stream, const Deal *deal) {
  const RosterShape *shape = &work->roster->shape;
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t value = k < 3 ? deal->inputs[k] : deal->result;
    vector_push(&stream->operands,
                (uint16_t)roster_place(shape, work->slot.data[value]));
  }
}

static void push_mark(const Dealing *dealing, uint8_t kind) {
  const Roster *roster = dealing->work->roster;
  for (uint32_t i = 0; i < roster->shape.warps; i++) {
    vector_push(&dealing->streams[i].kinds, kind);
    for (uint32_t k = 0; k < 4 * roster->gates; k++)
      vector_push(&dealing->streams[i].operands, 0);
  }
}

static void mark_loops(const Dealing *dealing, uint32_t level, bool begin) {
  for (uint32_t k = 0; k < dealing->work->loops.count; k++) {
    const Loop *loop = &dealing->work->loops.data[k];
    if (begin && loop->first == level) push_mark(dealing, ROSTER_LOOP);
    if (!begin && loop->last == level) push_mark(dealing, ROSTER_AGAIN);
  }
}

/* Deals what is left, entry by entry. Places for which there is no gate repeat
   one. */
static void deal_kind(Dealing *dealing, uint32_t kind) {
  Work *work = dealing->work;
  const Roster *roster = work->roster;
  while (dealing->left.count) {
    trial_check();
    Stream *stream = &dealing->streams[dealing->warp++ % roster->shape.warps];
    vector_push(&stream->kinds, (uint8_t)kind);
    Handful handful = {0};
    for (uint32_t i = 0; i < roster->gates; i++) {
      uint32_t at = i % dealing->ways;
      if (at == 0 && dealing->left.count) {
        uint8_t used[WAYS_MOST] = {0};
        fill_handful(dealing, &handful);
        for (uint32_t k = 0; k < handful.count; k++)
          give_slot(dealing, &work->deals.data[handful.gates[k]], used);
      }
      uint32_t gate =
          handful.gates[at < handful.count ? at : handful.count - 1];
      push_gate(work, stream, &work->deals.data[gate]);
    }
  }
}

static void deal_level(Dealing *dealing, uint32_t from, uint32_t to) {
  const Work *work = dealing->work;
  while (from < to) {
    uint32_t kind = work->deals.data[from].kind;
    vector_clear(&dealing->left);
    for (; from < to && work->deals.data[from].kind == kind; from++)
      vector_push(&dealing->left, from);
    deal_kind(dealing, kind);
  }
}

static void join_streams(Dealing *dealing, RosterProgram program) {
  Roster *roster = dealing->work->roster;
  for (uint32_t i = 0; i < roster->shape.warps; i++) {
    Stream *stream = &dealing->streams[i];
    roster->streams[program * roster->shape.warps + i] = roster->kinds.count;
    for (uint32_t k = 0; k < stream->kinds.count; k++)
      vector_push(&roster->kinds, stream->kinds.data[k]);
    for (uint32_t k = 0; k < stream->operands.count; k++)
      vector_push(&roster->operands, stream->operands.data[k]);
    vector_free(&stream->kinds);
    vector_free(&stream->operands);
  }
}

static int compare_deals(const void *a, const void *b) {
  const Deal *x = a, *y = b;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->result < y->result ? -1 : x->result > y->result;
}

void roster_deal(Work *work, RosterProgram program) {
  Roster *roster = work->roster;
  Dealing dealing = {
      .work = work,
      .ways = 32 / roster->shape.words,
      .ends = memory_new((work->levels + 2) * sizeof *dealing.ends),
      .streams = memory_new(roster->shape.warps * sizeof *dealing.streams)};
  if (work->deals.count)
    qsort(work->deals.data, work->deals.count, sizeof *work->deals.data,
          compare_deals);
  for (uint32_t level = 1, at = 0; level <= work->levels; level++) {
    uint32_t from = at;
    while (at < work->deals.count && work->deals.data[at].level == level) at++;
    free_slots(&dealing, level);
    mark_loops(&dealing, level, true);
    deal_level(&dealing, from, at);
    push_mark(&dealing, ROSTER_BARRIER);
    mark_loops(&dealing, level, false);
  }
  push_mark(&dealing, ROSTER_END);
  join_streams(&dealing, program);
  if (work->base + work->scratch > roster->slots)
    roster->slots = work->base + work->scratch;
  for (uint32_t i = 0; i < work->levels + 2; i++) vector_free(&dealing.ends[i]);
  for (uint32_t i = 0; i < dealing.ways; i++) vector_free(&dealing.unused[i]);
  vector_free(&dealing.left);
  memory_delete(dealing.ends);
  memory_delete(dealing.streams);
}
