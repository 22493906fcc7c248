/* A condition holds in a phase: it is a gate of the net, so making a sheet with
   this gate fixed tells everything. A fluent is frozen if its next value is
   itself after every move that can still be legal; the condition stays true if
   all fluents that it reads are frozen. Of the frozen fluents, those whose
   fields of the key have no others are merged. Kind: the values of the cuts
   between them and everything that can still be asked.

   Which states are in the phase is computed for 256 keys at once, on the net of
   keys; the kind of a state that is, once for each combination of its frozen
   fields. */
#include "solve/phases.h"

#include "base/bits.h"
#include "base/hash.h"
#include "solve/sheet.h"
#include "solve/slate.h"

enum {
  MOST_PHASES = 8,
  MOST_CANDIDATES = 64,
  MOST_CUTS = 64,
  MOST_WORK = 1 << 19 /* candidates times moves times gates */
};

typedef struct Phase {
  Signal on;      /* of the net of keys */
  uint64_t *mask; /* bits of the key that are merged */
  uint32_t bits;
  Sheet sheet; /* with the condition put in */
  NumberVector cuts;
  Slate slate; /* of the cuts */
  /* Combinations of the frozen fields that were seen: `words` words, masked,
     and the number of the first of its kind. */
  VECTOR(uint64_t) seen;
  Map seen_map;
  NumberVector kinds; /* by combination: itself, if it is the first */
  VECTOR(uint64_t) cut_values;
  Map kind_map; /* of combinations that are the first, by cut values */
} Phase;

struct Phases {
  Packing *packing;
  Net keys;
  Slate slate; /* of the conditions */
  Phase list[MOST_PHASES];
  uint32_t count;
  uint64_t *state, *masked; /* scratch */
};

/* ---- finding them ---- */

typedef struct Finder {
  Phases *phases;
  const Net *net;
  Signal *fixed;  /* by gate */
  bool *frozen;   /* by fluent */
  uint64_t *sets; /* by fluent: 1: merged, 2: other */
  NumberVector tried;
} Finder;

static bool is_frozen(const Sheet *sheet, uint32_t fluent) {
  Signal own = gate_signal(sheet->net.fluents.data[fluent].gate);
  for (uint32_t m = 0; m < sheet->from->moves.count; m++) {
    Signal next = sheet_next(sheet, m, fluent);
    if (sheet->legal[m] != SIGNAL_FALSE && next != own &&
        next != sheet->known[fluent])
      return false;
  }
  return true;
}

/* Returns whether all fluents that the gate reads are merged ones. */
static bool reads_merged(const Finder *finder, Gate gate) {
  const Net *net = finder->net;
  const Packing *packing = finder->phases->packing;
  bool *wanted = memory_new((gate + 1) * sizeof(bool)), merged = true;
  wanted[gate] = true;
  for (Gate at = gate + 1; at-- > 1 && merged;) {
    const NetGate *g = &net->gates.data[at];
    if (!wanted[at]) continue;
    if (g->kind == GATE_FLUENT)
      merged =
          finder->sets[g->first] == 1 || bits_has(packing->fixed, g->first);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      wanted[signal_gate(net_inputs(net, at)[i])] = true;
  }
  memory_delete(wanted);
  return merged;
}

/* Fields of frozen fluents are merged. */
static void find_merged(Finder *finder, Phase *phase) {
  const Packing *packing = finder->phases->packing;
  for (uint32_t i = 0; i < finder->net->fluents.count; i++) finder->sets[i] = 2;
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    bool frozen = true;
    for (uint32_t i = 0; i < field->count && frozen; i++)
      frozen = is_frozen(&phase->sheet, field->fluents[i]);
    if (!frozen) continue;
    for (uint32_t i = 0; i < field->count; i++)
      finder->sets[field->fluents[i]] = 1;
    for (uint32_t b = 0; b < field->bits; b++)
      bits_add(phase->mask, field->first + b);
    phase->bits += field->bits;
  }
}

static void find_cuts(Finder *finder, Phase *phase) {
  Sheet *sheet = &phase->sheet;
  uint64_t *below = sheet_below(sheet, finder->sets);
  sheet_cuts(sheet, below, sheet->terminal, 1, &phase->cuts);
  for (uint32_t i = 0; i < sheet->goals.count; i++)
    sheet_cuts(sheet, below, sheet->goals.data[i], 1, &phase->cuts);
  for (uint32_t m = 0; m < sheet->from->moves.count; m++) {
    if (sheet->legal[m] == SIGNAL_FALSE) continue;
    sheet_cuts(sheet, below, sheet->legal[m], 1, &phase->cuts);
    for (uint32_t i = 0; i < finder->net->fluents.count; i++)
      if (finder->sets[i] != 1)
        sheet_cuts(sheet, below, sheet_next(sheet, m, i), 1, &phase->cuts);
  }
  memory_delete(below);
}

static void phase_free(Phase *phase) {
  memory_delete(phase->mask);
  sheet_free(&phase->sheet);
  vector_free(&phase->cuts);
  if (phase->slate.values) slate_free(&phase->slate);
  vector_free(&phase->seen);
  map_free(&phase->seen_map);
  vector_free(&phase->kinds);
  vector_free(&phase->cut_values);
  map_free(&phase->kind_map);
}

/* Looks at the phase that begins when the signal, the legality of a move or its
   contrary, becomes true. */
static void try_phase(Finder *finder, uint32_t move, bool negated) {
  Phases *phases = finder->phases;
  Signal on = finder->net->moves.data[move].legal ^ negated;
  Phase *phase = &phases->list[phases->count];
  Gate gate = signal_gate(on);
  *phase = (Phase){.on = phases->keys.moves.data[move].legal ^ negated};
  finder->fixed[gate] = signal_negated(on) ? SIGNAL_FALSE : SIGNAL_TRUE;
  bool made = sheet_init(&phase->sheet, finder->net, finder->fixed);
  finder->fixed[gate] = sheet_unknown;
  if (!made) return;
  phase->mask = memory_new(phases->packing->words * sizeof(uint64_t));
  find_merged(finder, phase);
  bool good = phase->bits && reads_merged(finder, gate);
  if (good) find_cuts(finder, phase);
  if (good && phase->cuts.count <= MOST_CUTS &&
      phase->cuts.count < phase->bits) {
    slate_init(&phase->slate, &phase->sheet.net, phase->cuts.data,
               phase->cuts.count);
    phases->count++;
  } else {
    phase_free(phase);
  }
}

/* A net of the same game on keys has legal moves of the same numbers. */
static void find_phases(Finder *finder) {
  const Net *net = finder->net;
  uint64_t work = (uint64_t)net->moves.count * net->gates.count;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    Signal legal = net->moves.data[m].legal;
    bool known = !net_is_and(net, legal); /* too simple to end anything */
    for (uint32_t i = 0; i < finder->tried.count && !known; i++)
      known = finder->tried.data[i] == signal_gate(legal);
    if (known || finder->tried.count == MOST_CANDIDATES ||
        work * (finder->tried.count + 1) > MOST_WORK)
      continue;
    vector_push(&finder->tried, signal_gate(legal));
    for (uint32_t negated = 0; negated < 2; negated++)
      if (finder->phases->count < MOST_PHASES) try_phase(finder, m, negated);
  }
}

Phases *phases_new(Packing *packing) {
  const Net *net = packing->net;
  if (net->loops.count || net->role_count != 1) return NULL;
  Phases *phases = memory_new(sizeof *phases);
  phases->packing = packing;
  packing_net(packing, &phases->keys);
  Finder finder = {.phases = phases,
                   .net = net,
                   .fixed = memory_new(net->gates.count * sizeof(Signal)),
                   .sets = memory_new(net->fluents.count * sizeof(uint64_t))};
  for (Gate gate = 0; gate < net->gates.count; gate++)
    finder.fixed[gate] = sheet_unknown;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (bits_has(packing->fixed, i))
      finder.fixed[net->fluents.data[i].gate] = bits_has(packing->constant, i);
  find_phases(&finder);
  memory_delete(finder.fixed);
  memory_delete(finder.sets);
  vector_free(&finder.tried);
  Signal on[MOST_PHASES];
  for (uint32_t i = 0; i < phases->count; i++) on[i] = phases->list[i].on;
  slate_init(&phases->slate, &phases->keys, on, phases->count);
  phases->state =
      memory_new((bits_words(net->fluents.count) + 1) * sizeof(uint64_t));
  phases->masked = memory_new(packing->words * sizeof(uint64_t));
  if (phases->count) return phases;
  phases_delete(phases);
  return NULL;
}

void phases_delete(Phases *phases) {
  if (!phases) return;
  for (uint32_t i = 0; i < phases->count; i++) phase_free(&phases->list[i]);
  slate_free(&phases->slate);
  net_free(&phases->keys);
  memory_delete(phases->state);
  memory_delete(phases->masked);
  memory_delete(phases);
}

uint32_t phases_count(const Phases *phases) {
  return phases->count;
}

/* ---- merging ---- */

/* The values of the cuts for the key. */
static uint64_t cut_values(Phases *phases, Phase *phase, const uint64_t *key) {
  const Net *net = &phase->sheet.net;
  uint64_t values = 0;
  packing_unpack(phases->packing, key, 0, phases->state);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint64_t *input = slate_input(&phase->slate, net->fluents.data[i].gate);
    if (input) input[0] = bits_has(phases->state, i);
  }
  slate_run(&phase->slate);
  for (uint32_t i = 0; i < phase->cuts.count; i++)
    values |= (slate_word(&phase->slate, phase->cuts.data[i], 0) & 1) << i;
  return values;
}

static uint32_t find_kind(Phase *phase, uint32_t number, uint64_t values) {
  MapCursor at;
  uint32_t entry = map_first(&phase->kind_map, hash_mix(values), &at);
  for (; entry; entry = map_next(&phase->kind_map, &at))
    if (phase->cut_values.data[entry - 1] == values) return entry - 1;
  map_insert(&phase->kind_map, &at, number + 1);
  return number;
}

static void merge_key(Phases *phases, Phase *phase, uint64_t *key) {
  uint32_t words = phases->packing->words;
  uint64_t hash = 0, *masked = phases->masked;
  for (uint32_t w = 0; w < words; w++) {
    masked[w] = key[w] & phase->mask[w];
    hash = hash_pair(hash, masked[w]);
  }
  MapCursor at;
  uint32_t entry = map_first(&phase->seen_map, hash, &at);
  for (; entry; entry = map_next(&phase->seen_map, &at))
    if (memcmp(phase->seen.data + (size_t)(entry - 1) * words, masked,
               words * sizeof *masked) == 0)
      break;
  if (!entry) {
    uint64_t values = cut_values(phases, phase, key);
    uint32_t number = phase->kinds.count;
    for (uint32_t w = 0; w < words; w++) vector_push(&phase->seen, masked[w]);
    vector_push(&phase->cut_values, values);
    map_insert(&phase->seen_map, &at, entry = number + 1);
    uint32_t kind = find_kind(phase, number, values);
    vector_push(&phase->kinds, kind);
  }
  const uint64_t *first =
      phase->seen.data + (size_t)phase->kinds.data[entry - 1] * words;
  for (uint32_t w = 0; w < words; w++)
    key[w] = (key[w] & ~phase->mask[w]) | first[w];
}

/* Evaluates the conditions for up to SLATE_LANES keys. */
static void load(Phases *phases, const uint64_t *keys, uint32_t count) {
  const Packing *packing = phases->packing;
  uint64_t block[64];
  uint32_t fluent = 0;
  for (uint32_t w = 0; w < packing->words; w++) {
    for (uint32_t group = 0; group < SLATE_WORDS; group++) {
      for (uint32_t i = 0; i < 64; i++) {
        uint32_t lane = group * 64 + i;
        block[i] = lane < count ? keys[(size_t)lane * packing->words + w] : 0;
      }
      slate_transpose(block);
      for (uint32_t i = 0; i < packing->used[w]; i++) {
        uint64_t *input = slate_input(
            &phases->slate, phases->keys.fluents.data[fluent + i].gate);
        if (input) input[group] = block[i];
      }
    }
    fluent += packing->used[w];
  }
  slate_run(&phases->slate);
}

void phases_merge(Phases *phases, uint64_t *keys, uint32_t count) {
  uint32_t words = phases->packing->words;
  for (; count; keys += (size_t)SLATE_LANES * words) {
    uint32_t batch = count < SLATE_LANES ? count : SLATE_LANES;
    load(phases, keys, batch);
    count -= batch;
    for (uint32_t p = 0; p < phases->count; p++)
      for (uint32_t group = 0; group * 64 < batch; group++) {
        uint64_t lanes = slate_word(&phases->slate, phases->list[p].on, group);
        if (batch - group * 64 < 64)
          lanes &= ((uint64_t)1 << (batch - group * 64)) - 1;
        while (lanes)
          merge_key(phases, &phases->list[p],
                    keys + (size_t)(group * 64 + bits_take(&lanes)) * words);
      }
    if (!count) break;
  }
}
