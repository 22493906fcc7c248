/* Nodes have the numbers of their states in the store. A node is in the bucket
   of its f when it was put there; a node that was reached on a shorter way
   since then is in another one, too, and the old place is stale: what counts is
   whether it is closed. */
#include "solve/frontier.h"

#include <string.h>

enum { BUCKETS = 1 << 14, DEAD = UINT16_MAX };

void frontier_init(Frontier *frontier, Method *method, Game *game,
                   Packing *packing, size_t memory, uint64_t seed) {
  *frontier = (Frontier){.method = method,
                         .game = game,
                         .packing = packing,
                         .weight_depth = 1,
                         .weight_plan = 1,
                         .timeless = packing->timed_count > 0};
  random_seed(&frontier->random, seed);
  frontier->words = packing->words + (packing->timed_count > 0);
  /* The rest is for the buckets. */
  frontier->store = store_new(frontier->words, memory / 2);
  frontier->most = (uint32_t)(memory / 4 / sizeof *frontier->nodes);
  frontier->pages = memory_pages_new(frontier->most * sizeof *frontier->nodes);
  if (!frontier->pages) trial_fail("no addresses for the nodes of a search");
  frontier->nodes = frontier->pages->address;
  frontier->state = memory_new(packing->state_words * sizeof(uint64_t));
  frontier->key = memory_new(frontier->words * sizeof(uint64_t));
}

static void free_buckets(Frontier *frontier) {
  for (uint32_t i = 0; i < frontier->buckets.count; i++)
    vector_free(&frontier->buckets.data[i]);
  vector_free(&frontier->buckets);
}

void frontier_free(Frontier *frontier) {
  relax_delete(frontier->relax);
  if (frontier->store) store_delete(frontier->store);
  if (frontier->pages) memory_pages_delete(frontier->pages);
  free_buckets(frontier);
  memory_delete(frontier->state);
  memory_delete(frontier->key);
  vector_free(&frontier->moves);
  vector_free(&frontier->path);
}

/* ---- the open list ---- */

static void open_node(Frontier *frontier, uint32_t number) {
  FrontierNode *node = &frontier->nodes[number];
  uint32_t h = node->h;
  if (frontier->noise) h += random_below(&frontier->random, frontier->noise);
  uint64_t f = (uint64_t)frontier->weight_depth * node->depth +
               (uint64_t)frontier->weight_plan * h;
  uint32_t bucket = f < BUCKETS ? (uint32_t)f : BUCKETS - 1;
  while (frontier->buckets.count <= bucket)
    vector_push(&frontier->buckets, (FrontierBucket){0});
  vector_push(&frontier->buckets.data[bucket], number);
  node->closed = false;
  if (bucket < frontier->lowest) frontier->lowest = bucket;
  if (node->h < frontier->nodes[frontier->nearest].h)
    frontier->nearest = number;
}

/* Takes the node with the lowest f, the last that came; returns false if there
   is none. */
static bool take_node(Frontier *frontier, uint32_t *number) {
  for (; frontier->lowest < frontier->buckets.count; frontier->lowest++) {
    FrontierBucket *bucket = &frontier->buckets.data[frontier->lowest];
    while (bucket->count) {
      *number = bucket->data[--bucket->count];
      if (!frontier->nodes[*number].closed) return true;
    }
  }
  return false;
}

/* ---- states ---- */

/* Adds the engine's state, if it is new or was farther from the start. */
static void add_state(Frontier *frontier, uint32_t parent, Move move,
                      uint32_t depth) {
  const uint64_t *words;
  bool fresh;
  game_state(frontier->game, &words);
  packing_pack(frontier->packing, words, frontier->key);
  if (frontier->words > frontier->packing->words)
    frontier->key[frontier->words - 1] = frontier->timeless ? 0 : depth;
  if (store_count(frontier->store) >= frontier->most &&
      store_find(frontier->store, frontier->key) == STORE_FULL) {
    frontier->full = true;
    return;
  }
  uint32_t number = store_add(frontier->store, frontier->key, &fresh);
  if (number == STORE_FULL) {
    frontier->full = true;
    return;
  }
  FrontierNode *node = &frontier->nodes[number];
  if (fresh) {
    uint32_t h = relax_plan(frontier->relax, words);
    frontier->work++;
    node->h = h >= DEAD ? DEAD : (uint16_t)h;
  } else if (depth >= node->depth) {
    return;
  }
  node->parent = parent == STORE_FULL ? number : parent;
  node->move = move;
  node->depth = depth;
  node->closed = true;
  if (node->h != DEAD) open_node(frontier, number);
}

static void make_path(Frontier *frontier, uint32_t number) {
  vector_clear(&frontier->path);
  while (frontier->nodes[number].parent != number) {
    vector_push(&frontier->path, frontier->nodes[number].move);
    number = frontier->nodes[number].parent;
  }
  for (uint32_t i = 0, j = frontier->path.count; i + 1 < j; i++) {
    Move move = frontier->path.data[--j];
    frontier->path.data[j] = frontier->path.data[i];
    frontier->path.data[i] = move;
  }
}

/* The engine is in a terminal state, one move beyond the node. Returns true if
   it is the end that is looked for. */
static bool end_plan(Frontier *frontier, uint32_t number, Move move) {
  Puzzle *puzzle = frontier->method->puzzle;
  int score = game_goal(frontier->game, 0);
  if (score < 0 || score < atomic_load(&puzzle->score)) return false;
  make_path(frontier, number);
  vector_push(&frontier->path, move);
  puzzle_offer(puzzle, frontier->method->kind->name, score, frontier->path.data,
               frontier->path.count);
  return score >= frontier->target;
}

/* ---- searching ---- */

void frontier_begin(Frontier *frontier, int target) {
  Puzzle *puzzle = frontier->method->puzzle;
  if (!frontier->relax || frontier->target != target) {
    relax_delete(frontier->relax);
    frontier->relax = relax_new(puzzle->net, target);
  }
  frontier->target = target;
  store_clear(frontier->store);
  free_buckets(frontier);
  frontier->lowest = BUCKETS;
  frontier->nearest = 0;
  frontier->full = false;
  frontier->nodes[0].h = DEAD;
  game_enter(frontier->game, frontier->packing->start,
             frontier->packing->state_words);
  add_state(frontier, STORE_FULL, 0, 0);
}

static bool expand(Frontier *frontier, uint32_t number) {
  FrontierNode *node = &frontier->nodes[number];
  const Move *legal;
  bool found = false;
  node->closed = true;
  packing_unpack(frontier->packing, store_key(frontier->store, number),
                 node->depth, frontier->state);
  game_enter(frontier->game, frontier->state, frontier->packing->state_words);
  uint32_t count = game_legal(frontier->game, 0, &legal);
  vector_resize(&frontier->moves, count);
  if (count) memcpy(frontier->moves.data, legal, count * sizeof *legal);
  for (uint32_t i = 0; i < count && !found; i++) {
    Move move = frontier->moves.data[i];
    game_make(frontier->game, &move);
    if (game_terminal(frontier->game))
      found = end_plan(frontier, number, move);
    else
      add_state(frontier, number, move, node->depth + 1);
    game_retract(frontier->game);
  }
  method_count(frontier->method, 1, count);
  frontier->work++;
  return found;
}

FrontierStatus frontier_step(Frontier *frontier) {
  uint32_t number;
  if (frontier->full) return FRONTIER_FULL;
  if (!take_node(frontier, &number)) return FRONTIER_EMPTY;
  return expand(frontier, number) ? FRONTIER_FOUND : FRONTIER_WORKING;
}

bool frontier_move(const Frontier *frontier, Move *move) {
  uint32_t number = frontier->nearest;
  if (!store_count(frontier->store) || frontier->nodes[number].h == DEAD ||
      frontier->nodes[number].parent == number)
    return false;
  for (;; number = frontier->nodes[number].parent) {
    *move = frontier->nodes[number].move;
    uint32_t parent = frontier->nodes[number].parent;
    if (frontier->nodes[parent].parent == parent) return true;
  }
}
