/* The programs are those of the net on keys, so that loading states is a
   transposition of the keys' bits into lane vectors, and so is reading the
   successors. A batch is looked at once; the legal moves of each of its states
   then are transposed into rows of bits. A round takes the next pairs of state
   and move, as many as there are lanes, loads them and runs `next`: lanes are
   full however different the numbers of moves are. */
#include "solve/fan.h"

#include "base/bits.h"
#include "scalar/scalar.h"
#include "wide/lanes.h"

enum { WORDS = 8, LANES = 64 * WORDS, CONVERTED = 256 };
static const uint64_t LAST_BIT = (uint64_t)1 << 63;

/* 64 lane vectors. Lane i is bit i / WORDS of word i % WORDS, so that
   transposed, a block has a word for each lane, in order. */
typedef struct Block {
  _Alignas(64) uint64_t vectors[64 * WORDS];
} Block;

/* A set of moves that is skipped, and the same by live move. */
typedef struct Converted {
  const uint64_t *set;
  uint64_t *bits;
} Converted;

typedef struct FanInside {
  Packing *packing;
  Net net; /* on keys */
  Cones *cones;
  uint64_t *memory;
  uint32_t *next;        /* by bit in use: vector of its next value */
  uint32_t *timed;       /* autonomous fluents, in order */
  uint32_t *timed_place; /* by fluent: its place in `timed` */
  uint32_t depth;        /* of the autonomous fluents in memory */
  bool depth_set;        /* they are the same in all lanes */
  FanBatch batch;
  NumberVector live; /* moves that are legal in some lane */
  Block *rows;       /* by 64 live moves: bits of those to be made */
  Converted converted[CONVERTED];
  uint64_t *converted_bits;
  uint32_t lane, row; /* where the next pair is looked for */
  /* First words of the pairs' keys; see take_pairs. */
  _Alignas(64) uint64_t pairs[LANES + 1];
  uint64_t ended[WORDS];    /* terminal lanes */
  uint64_t terminal[WORDS]; /* the same, lane i is bit i */
  int goals[LANES];
  bool had_goals; /* some are not -1 */
  uint64_t *keys;
  uint16_t lanes[LANES + 1];
  uint16_t depths[LANES];
  uint32_t moves[LANES + 1];
  uint32_t count; /* of successors */
  Game *game;
  uint64_t *state, *key;
} FanInside;

static void add_lane(uint64_t *vector, uint32_t lane) {
  vector[lane % WORDS] |= bits_of(lane / WORDS);
}

static uint32_t lane_of(uint32_t word, uint32_t bit) {
  return bit * WORDS + word;
}

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
  inside->timed_place =
      memory_new((packing->net->fluents.count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0, count = 0; i < packing->net->fluents.count; i++)
    if (bits_has(packing->timed, i)) {
      inside->timed_place[i] = count;
      inside->timed[count++] = i;
    }
  size_t set = bits_words(moves) + 1;
  inside->converted_bits = memory_new(CONVERTED * set * sizeof(uint64_t));
  for (uint32_t i = 0; i < CONVERTED; i++)
    inside->converted[i].bits = inside->converted_bits + i * set;
  vector_grow(&inside->live, moves + 64); /* all can be read */
  memset(inside->live.data, 0, inside->live.capacity * sizeof(uint32_t));
  inside->rows = memory_new_aligned((moves + 64) / 64 * sizeof(Block));
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
               .moves = inside->moves,
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
  memory_delete(inside->timed_place);
  memory_delete(inside->rows);
  memory_delete(inside->converted_bits);
  vector_free(&inside->live);
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

static void transpose(const FanInside *inside, uint64_t *vectors) {
  inside->cones->sliced->transpose(WORDS, vectors);
}

/* ---- loading ---- */

/* Transposes a word of the keys of `count` lanes into its bits' vectors. */
static void load_block(FanInside *inside, uint64_t *block, uint32_t count,
                       uint32_t first, uint32_t used) {
  memset(block + count, 0, (LANES - count) * sizeof(uint64_t));
  transpose(inside, block);
  memcpy(vector(inside, first), block, used * WORDS * sizeof(uint64_t));
}

static void load_batch(FanInside *inside) {
  const Packing *packing = inside->packing;
  uint32_t words = packing->words, count = inside->batch.count, first = 0;
  Block block;
  for (uint32_t w = 0; w < words; first += packing->used[w++]) {
    const uint64_t *keys = inside->batch.keys + w;
    for (uint32_t i = 0; i < count; i++, keys += words)
      block.vectors[i] = *keys;
    load_block(inside, block.vectors, count, first, packing->used[w]);
  }
}

/* Loads the states of the pairs; take_pairs has put the first words of their
   keys into the block. */
static void load_pairs(FanInside *inside) {
  const Packing *packing = inside->packing;
  uint32_t words = packing->words, count = inside->count, first = 0;
  for (uint32_t w = 0; w < words; first += packing->used[w++]) {
    const uint64_t *keys = inside->batch.keys + w;
    for (uint32_t i = 0; w && i < count; i++)
      inside->pairs[i] = keys[(size_t)inside->lanes[i] * words];
    load_block(inside, inside->pairs, count, first, packing->used[w]);
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

static void load_times(FanInside *inside, const uint16_t *depths,
                       uint32_t count) {
  Packing *packing = inside->packing;
  uint64_t *first = vector(inside, packing->bits);
  memset(first, 0, (size_t)packing->timed_count * WORDS * sizeof(uint64_t));
  inside->depth_set = false;
  for (uint32_t lane = 0; packing->timed_count && lane < count; lane++) {
    const uint64_t *time = packing_time(packing, depths[lane]);
    for (uint32_t w = 0; w < packing->state_words; w++)
      for (uint64_t left = time[w]; left;) {
        uint32_t place = inside->timed_place[64 * w + bits_take(&left)];
        add_lane(first + (size_t)place * WORDS, lane);
      }
  }
}

/* Lists what is legal in lanes that go on, and transposes it into rows. */
static void find_moves(FanInside *inside, const uint64_t *lanes) {
  const Cones *cones = inside->cones;
  vector_clear(&inside->live);
  for (uint32_t m = 0; m < inside->net.moves.count; m++) {
    const uint64_t *legal =
        cones_vector(cones, inside->memory, cones->legal[m]);
    uint32_t at = inside->live.count;
    uint64_t *to = inside->rows[at / 64].vectors + at % 64 * WORDS, some = 0;
    for (uint32_t w = 0; w < WORDS; w++) some |= to[w] = legal[w] & lanes[w];
    if (some) vector_push(&inside->live, m);
  }
  uint32_t count = inside->live.count;
  if (count % 64)
    memset(inside->rows[count / 64].vectors + count % 64 * WORDS, 0,
           (64 - count % 64) * WORDS * sizeof(uint64_t));
  for (uint32_t i = 0; i < count; i += 64)
    transpose(inside, inside->rows[i / 64].vectors);
  inside->lane = inside->row = 0;
}

/* A set of moves as bits of live ones. */
static const uint64_t *live_set(FanInside *inside, const uint64_t *set) {
  if (inside->live.count == inside->net.moves.count) return set;
  uint32_t at = (uint32_t)((uintptr_t)set >> 3) % CONVERTED;
  Converted *known = &inside->converted[at];
  if (known->set == set) return known->bits;
  known->set = set;
  memset(known->bits, 0, (inside->live.count + 63) / 64 * sizeof *known->bits);
  for (uint32_t i = 0; i < inside->live.count; i++)
    if (bits_has(set, inside->live.data[i])) bits_add(known->bits, i);
  return known->bits;
}

/* Removes the moves that are to be skipped. */
static void skip_moves(FanInside *inside) {
  const FanBatch *batch = &inside->batch;
  uint32_t rows = (inside->live.count + 63) / 64;
  for (uint32_t i = 0; i < CONVERTED; i++) inside->converted[i].set = NULL;
  for (uint32_t lane = 0; lane < batch->count; lane++) {
    const uint64_t *set = live_set(inside, batch->skip[lane]);
    for (uint32_t row = 0; row < rows; row++)
      inside->rows[row].vectors[lane] &= ~set[row];
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
      for (uint64_t left = holds[w] & inside->ended[w]; left;) {
        int *own = &inside->goals[lane_of(w, bits_take(&left))];
        if (*own < 0) *own = goal->value;
      }
  }
  inside->had_goals = true;
}

static void list_terminal(FanInside *inside) {
  memset(inside->terminal, 0, sizeof inside->terminal);
  for (uint32_t w = 0; w < WORDS; w++)
    for (uint64_t left = inside->ended[w]; left;)
      bits_add(inside->terminal, lane_of(w, bits_take(&left)));
}

void fan_load(Fan *fan, const FanBatch *batch) {
  FanInside *inside = fan->inside;
  const Cones *cones = inside->cones;
  uint64_t lanes[WORDS], ended = 0;
  inside->batch = *batch;
  load_batch(inside);
  if (batch->depths)
    load_times(inside, batch->depths, batch->count);
  else
    load_one_time(inside, batch->depth);
  cones_run_look(cones, inside->memory);
  const uint64_t *terminal =
      cones_vector(cones, inside->memory, cones->terminal);
  for (uint32_t w = 0; w < WORDS; w++) {
    uint32_t count = (batch->count + WORDS - 1 - w) / WORDS;
    lanes[w] = count == 64 ? ~(uint64_t)0 : bits_of(count) - 1;
    ended |= inside->ended[w] = terminal[w] & lanes[w];
    lanes[w] &= ~terminal[w];
  }
  find_moves(inside, lanes);
  if (batch->skip) skip_moves(inside);
  for (uint32_t i = 0; inside->had_goals && i < LANES; i++)
    inside->goals[i] = -1;
  inside->had_goals = false;
  if (ended || fan->any_terminal) list_terminal(inside);
  fan->any_terminal = ended;
  if (ended) find_goals(inside);
}

void fan_count(Fan *fan, uint16_t *counts) {
  const FanInside *inside = fan->inside;
  uint32_t rows = (inside->live.count + 63) / 64;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows && lane < inside->batch.count; row++)
      count += (uint32_t)__builtin_popcountll(inside->rows[row].vectors[lane]);
    counts[lane] = (uint16_t)count;
  }
}

/* ---- rounds ---- */

static uint32_t ones(uint64_t bits) {
  return (uint32_t)__builtin_popcountll(bits);
}

/* Takes the next pairs of lane and move; those of one lane and row stay
   together. Four are written at a time, however many there are, since a branch
   on their number cannot be predicted. */
static void take_pairs(FanInside *inside) {
  uint32_t count = 0, rows = (inside->live.count + 63) / 64;
  uint32_t lane = inside->lane, row = inside->row;
  size_t words = inside->packing->words;
  while (lane < inside->batch.count && rows) {
    const uint32_t *live = inside->live.data + 64 * row;
    uint64_t left = inside->rows[row].vectors[lane];
    uint64_t key = inside->batch.keys[lane * words];
    if (count + 64 > LANES && count + ones(left) > LANES) break;
    do {
      for (uint32_t i = 0; i < 4; i++, left &= left - 1) {
        inside->lanes[count] = (uint16_t)lane;
        inside->moves[count] = live[__builtin_ctzll(left | LAST_BIT)];
        inside->pairs[count] = key;
        count += left != 0;
      }
    } while (left);
    if (++row < rows) continue;
    row = 0;
    lane++;
  }
  inside->lane = lane;
  inside->row = row;
  inside->count = count;
}

static void set_moves(FanInside *inside) {
  uint64_t *moves = vector(inside, inside->net.fluents.count);
  for (uint32_t i = 0; i < inside->count; i++)
    add_lane(moves + (size_t)inside->moves[i] * WORDS, i);
}

static void clear_moves(FanInside *inside) {
  uint64_t *moves = vector(inside, inside->net.fluents.count);
  for (uint32_t i = 0; i < inside->live.count; i++)
    memset(moves + (size_t)inside->live.data[i] * WORDS, 0,
           WORDS * sizeof(uint64_t));
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
  transpose(inside, block.vectors);
  uint64_t *to = inside->keys + w;
  if (words == 1)
    memcpy(to, block.vectors, inside->count * sizeof *to);
  else
    for (uint32_t i = 0; i < inside->count; i++, to += words)
      *to = block.vectors[i];
}

uint32_t fan_round(Fan *fan) {
  FanInside *inside = fan->inside;
  const Packing *packing = inside->packing;
  const FanBatch *batch = &inside->batch;
  take_pairs(inside);
  if (!inside->count) return 0;
  load_pairs(inside);
  if (batch->depths) {
    for (uint32_t i = 0; i < inside->count; i++)
      inside->depths[i] = batch->depths[inside->lanes[i]];
    load_times(inside, inside->depths, inside->count);
  }
  set_moves(inside);
  cones_run_next(inside->cones, inside->memory);
  for (uint32_t w = 0, first = 0; w < packing->words;
       first += packing->used[w++])
    read_word(inside, first, w);
  clear_moves(inside);
  return inside->count;
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
