/* The programs are those of the net on keys, so that loading a batch is a
   transposition of the keys' bits into lane vectors, and so is reading the
   successors. `next` preserves its inputs: the state of a lane stays where it
   is while its moves are made one after the other. */
#include "solve/fan.h"

#include "base/bits.h"
#include "reduce/reduce.h"
#include "scalar/scalar.h"
#include "wide/lanes.h"

enum { WORDS = 8, LANES = 64 * WORDS, COUNT_PLANES = 16 };

typedef struct Block {
  _Alignas(64) uint64_t vectors[64 * WORDS];
} Block;

typedef struct FanInside {
  Packing *packing;
  Net net; /* on keys */
  Cones *cones;
  uint64_t *memory;
  uint32_t *next;      /* by bit in use: vector of its next value */
  uint32_t *timed;     /* autonomous fluents, in order */
  uint32_t depth;      /* of the autonomous fluents in memory */
  bool depth_set;      /* they are the same in all lanes */
  uint64_t *remaining; /* by move: lanes that are still to make it */
  NumberVector live;   /* moves that some lane is still to make */
  NumberVector made;   /* vectors of the moves that the last round made */
  uint64_t *skips;     /* by move: lanes that skip it */
  _Alignas(64) uint64_t taken[WORDS]; /* lanes of the last round */
  _Alignas(64) uint64_t terminal[WORDS];
  int goals[LANES];
  bool had_goals; /* some are not -1 */
  uint64_t *keys;
  uint16_t lanes[LANES];
  uint32_t moves[LANES];
  uint32_t count; /* of successors */
  Game *game;
  uint64_t *state, *key;
} FanInside;

/* ---- making ---- */

static void compile(FanInside *inside) {
  TuneOptions options = tune_default;
  options.words = WORDS;
  options.seconds = 0.005;
  inside->cones =
      cones_new(&inside->net, &(ProgramMode){ISA_PLAIN, false, WORDS});
  tune_cones(inside->cones, &options);
}

Fan *fan_new(const Book *book, Packing *packing) {
  Fan *fan = memory_new(sizeof *fan);
  FanInside *inside = memory_new_aligned((sizeof *inside + 63) / 64 * 64);
  inside->packing = packing;
  packing_net(packing, &inside->net);
  compile(inside);
  uint32_t moves = inside->net.moves.count;
  inside->memory = cones_memory_new(inside->cones);
  inside->next = memory_new((packing->bits + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < packing->bits; i++)
    inside->next[i] = program_output(inside->cones->next, i);
  inside->timed = memory_new((packing->timed_count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0, count = 0; i < packing->net->fluents.count; i++)
    if (bits_has(packing->timed, i)) inside->timed[count++] = i;
  inside->remaining = cones_vectors_new(inside->cones, moves + 1);
  inside->skips = cones_vectors_new(inside->cones, (moves + 63) / 64 * 64 + 1);
  inside->keys = memory_new((size_t)LANES * packing->words * sizeof(uint64_t));
  inside->game = scalar_engine_new(book->description, &book->net);
  inside->state = memory_new(packing->state_words * sizeof(uint64_t));
  inside->key = memory_new(packing->words * sizeof(uint64_t));
  for (uint32_t i = 0; i < LANES; i++) inside->goals[i] = -1;
  *fan = (Fan){.most = LANES,
               .goals = inside->goals,
               .terminal = inside->terminal,
               .keys = inside->keys,
               .lanes = inside->lanes,
               .inside = inside};
  return fan;
}

void fan_delete(Fan *fan) {
  FanInside *inside = fan->inside;
  cones_delete(inside->cones);
  net_free(&inside->net);
  memory_delete(inside->memory);
  memory_delete(inside->next);
  memory_delete(inside->timed);
  memory_delete(inside->remaining);
  memory_delete(inside->skips);
  vector_free(&inside->live);
  vector_free(&inside->made);
  memory_delete(inside->keys);
  memory_delete(inside->state);
  memory_delete(inside->key);
  game_delete(inside->game);
  memory_delete(inside);
  memory_delete(fan);
}

static uint64_t *vector(FanInside *inside, uint32_t number) {
  return inside->memory + (size_t)number * WORDS;
}

static uint64_t *move_vector(FanInside *inside, uint32_t move) {
  return vector(inside, inside->net.fluents.count + move);
}

static void transpose(const FanInside *inside, Block *block) {
  inside->cones->sliced->transpose(WORDS, block->vectors);
}

static bool is_zero(const uint64_t *lanes) {
  uint64_t some = 0;
  for (uint32_t w = 0; w < WORDS; w++) some |= lanes[w];
  return !some;
}

/* ---- loading ---- */

static void load_keys(FanInside *inside, const FanBatch *batch) {
  const Packing *packing = inside->packing;
  uint32_t words = packing->words, first = 0;
  Block block;
  for (uint32_t w = 0; w < words; first += packing->used[w++]) {
    const uint64_t *keys = batch->keys + w;
    for (uint32_t lane = 0; lane < LANES; lane++)
      block.vectors[(lane & 63) * WORDS + (lane >> 6)] =
          lane < batch->count ? keys[(size_t)lane * words] : 0;
    transpose(inside, &block);
    memcpy(vector(inside, first), block.vectors,
           packing->used[w] * WORDS * sizeof(uint64_t));
  }
}

static void load_one_time(FanInside *inside, uint32_t depth) {
  if (inside->depth_set && inside->depth == depth) return;
  const uint64_t *time = packing_time(inside->packing, depth);
  for (uint32_t i = 0; i < inside->packing->timed_count; i++)
    memset(vector(inside, inside->packing->bits + i),
           bits_has(time, inside->timed[i]) ? -1 : 0, WORDS * sizeof(uint64_t));
  inside->depth_set = true;
  inside->depth = depth;
}

static void load_times(FanInside *inside, const FanBatch *batch) {
  uint32_t count = inside->packing->timed_count;
  if (!batch->depths) {
    load_one_time(inside, batch->depth);
    return;
  }
  uint64_t *first = vector(inside, inside->packing->bits);
  memset(first, 0, (size_t)count * WORDS * sizeof(uint64_t));
  inside->depth_set = false;
  for (uint32_t lane = 0; lane < batch->count; lane++) {
    const uint64_t *time = packing_time(inside->packing, batch->depths[lane]);
    for (uint32_t i = 0; i < count; i++)
      if (bits_has(time, inside->timed[i]))
        bits_add(first + (size_t)i * WORDS, lane);
  }
}

static void load_skips(FanInside *inside, const FanBatch *batch) {
  uint32_t moves = inside->net.moves.count;
  Block block;
  for (uint32_t first = 0; first < moves; first += 64) {
    uint32_t word = first / 64;
    for (uint32_t lane = 0; lane < LANES; lane++)
      block.vectors[(lane & 63) * WORDS + (lane >> 6)] =
          lane < batch->count ? batch->skip[lane][word] : 0;
    transpose(inside, &block);
    memcpy(inside->skips + (size_t)first * WORDS, block.vectors,
           sizeof block.vectors);
  }
}

/* What is legal in lanes that go on. */
static void find_moves(FanInside *inside, const FanBatch *batch,
                       const uint64_t *lanes) {
  const Cones *cones = inside->cones;
  vector_clear(&inside->live);
  for (uint32_t m = 0; m < inside->net.moves.count; m++) {
    const uint64_t *legal =
        cones_vector(cones, inside->memory, cones->legal[m]);
    const uint64_t *skip = inside->skips + (size_t)m * WORDS;
    uint64_t *remaining = inside->remaining + (size_t)m * WORDS;
    uint64_t some = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
      remaining[w] = legal[w] & lanes[w];
      if (batch->skip) remaining[w] &= ~skip[w];
      some |= remaining[w];
    }
    if (some) vector_push(&inside->live, m);
  }
}

static void find_goals(FanInside *inside) {
  const Cones *cones = inside->cones;
  const Net *net = &inside->net;
  cones_run_goals(cones, inside->memory);
  for (uint32_t g = 0; g < net->goals.count; g++) {
    const NetGoal *goal = &net->goals.data[g];
    const uint64_t *holds = cones_vector(cones, inside->memory, cones->goal[g]);
    for (uint32_t w = 0; goal->role == 0 && w < WORDS; w++)
      for (uint64_t left = holds[w] & inside->terminal[w]; left;) {
        int *own = &inside->goals[64 * w + bits_take(&left)];
        if (*own < 0) *own = goal->value;
      }
  }
  inside->had_goals = true;
}

static void clear_moves(FanInside *inside) {
  for (uint32_t i = 0; i < inside->made.count; i++)
    memset(vector(inside, inside->made.data[i]), 0, WORDS * sizeof(uint64_t));
  vector_clear(&inside->made);
}

void fan_load(Fan *fan, const FanBatch *batch) {
  FanInside *inside = fan->inside;
  const Cones *cones = inside->cones;
  uint64_t lanes[WORDS] = {0};
  clear_moves(inside);
  load_keys(inside, batch);
  load_times(inside, batch);
  if (batch->skip) load_skips(inside, batch);
  cones_run_look(cones, inside->memory);
  const uint64_t *terminal =
      cones_vector(cones, inside->memory, cones->terminal);
  for (uint32_t w = 0; w < WORDS; w++) {
    uint32_t rest = batch->count > 64 * w ? batch->count - 64 * w : 0;
    lanes[w] = rest >= 64 ? ~(uint64_t)0 : bits_of(rest) - 1;
    inside->terminal[w] = terminal[w] & lanes[w];
    lanes[w] &= ~terminal[w];
  }
  find_moves(inside, batch, lanes);
  for (uint32_t i = 0; inside->had_goals && i < LANES; i++)
    inside->goals[i] = -1;
  inside->had_goals = false;
  fan->any_terminal = !is_zero(inside->terminal);
  if (fan->any_terminal) find_goals(inside);
}

/* Adds up the moves in planes, bit j of all counts in plane j. */
void fan_count(Fan *fan, uint16_t *counts) {
  FanInside *inside = fan->inside;
  _Alignas(64) uint64_t planes[COUNT_PLANES * WORDS] = {0};
  for (uint32_t i = 0; i < inside->live.count; i++) {
    const uint64_t *remaining =
        inside->remaining + (size_t)inside->live.data[i] * WORDS;
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t *plane = &planes[w], carry = remaining[w]; carry;
           plane += WORDS) {
        uint64_t both = *plane & carry;
        *plane ^= carry;
        carry = both;
      }
  }
  inside->cones->sliced->spread(planes, WORDS, COUNT_PLANES, counts);
}

/* ---- rounds ---- */

/* Sets each lane's next move, and removes it from what remains. */
static void pick_moves(FanInside *inside) {
  uint32_t kept = 0;
  memset(inside->taken, 0, sizeof inside->taken);
  clear_moves(inside);
  for (uint32_t i = 0; i < inside->live.count; i++) {
    uint32_t m = inside->live.data[i];
    uint64_t *remaining = inside->remaining + (size_t)m * WORDS;
    uint64_t *move = move_vector(inside, m), picked = 0, left = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
      uint64_t pick = remaining[w] & ~inside->taken[w];
      inside->taken[w] |= pick;
      remaining[w] ^= pick;
      move[w] = pick;
      picked |= pick;
      left |= remaining[w];
    }
    if (picked) vector_push(&inside->made, inside->net.fluents.count + m);
    if (left) inside->live.data[kept++] = m;
  }
  inside->live.count = kept;
}

/* Transposes one word of the successors' keys. */
static void read_word(FanInside *inside, uint32_t first, uint32_t w) {
  const Packing *packing = inside->packing;
  uint32_t words = packing->words, used = packing->used[w];
  Block block;
  for (uint32_t i = 0; i < used; i++)
    memcpy(block.vectors + (size_t)i * WORDS,
           vector(inside, inside->next[first + i]), WORDS * sizeof(uint64_t));
  memset(block.vectors + (size_t)used * WORDS, 0,
         (64 - used) * WORDS * sizeof(uint64_t));
  transpose(inside, &block);
  uint64_t *to = inside->keys + w;
  for (uint32_t i = 0; i < inside->count; i++, to += words) {
    uint32_t lane = inside->lanes[i];
    *to = block.vectors[(lane & 63) * WORDS + (lane >> 6)];
  }
}

uint32_t fan_round(Fan *fan) {
  FanInside *inside = fan->inside;
  const Packing *packing = inside->packing;
  inside->count = 0;
  if (!inside->live.count) return 0;
  pick_moves(inside);
  cones_run_next(inside->cones, inside->memory);
  for (uint32_t w = 0; w < WORDS; w++)
    for (uint64_t left = inside->taken[w]; left;)
      inside->lanes[inside->count++] = (uint16_t)(64 * w + bits_take(&left));
  for (uint32_t w = 0, first = 0; w < packing->words;
       first += packing->used[w++])
    read_word(inside, first, w);
  return inside->count;
}

const uint32_t *fan_moves(Fan *fan) {
  FanInside *inside = fan->inside;
  uint32_t by_lane[LANES];
  for (uint32_t i = 0; i < inside->made.count; i++) {
    uint32_t number = inside->made.data[i];
    const uint64_t *lanes = vector(inside, number);
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = lanes[w]; left;)
        by_lane[64 * w + bits_take(&left)] = number - inside->net.fluents.count;
  }
  for (uint32_t i = 0; i < inside->count; i++)
    inside->moves[i] = by_lane[inside->lanes[i]];
  return inside->moves;
}

/* ---- plans ---- */

Move fan_move(Fan *fan, const uint64_t *from, uint32_t depth,
              const uint64_t *to) {
  FanInside *inside = fan->inside;
  Packing *packing = inside->packing;
  const Move *legal;
  const uint64_t *state;
  packing_unpack(packing, from, depth, inside->state);
  game_enter(inside->game, inside->state,
             (packing->net->fluents.count + 63) / 64);
  uint32_t count = game_legal(inside->game, 0, &legal);
  for (uint32_t i = 0; i < count; i++) {
    Move move = legal[i];
    game_make(inside->game, &move);
    game_state(inside->game, &state);
    packing_pack(packing, state, inside->key);
    game_retract(inside->game);
    game_legal(inside->game, 0, &legal);
    if (!memcmp(inside->key, to, packing->words * sizeof *to)) return move;
  }
  return FAN_NONE;
}
