/* Up to two searches by layers (solve/layers.h), one after the other:

     across   a key is dropped if it was met in any earlier layer. Cheap, and
              exact for scores above the floor of solve/dominance.h: for all
              where time does not matter, for none where nothing is proved
     exact    a key is dropped only within its layer, since a state is a key and
              its depth; where `across` cannot prove what is wanted

   An exact search that ends has seen every state that can be reached: the best
   goal of them is the bound. And layers come in order: if no state of the
   layers before d has a score, plans with that score have d moves at least. */
#include "solve/breadth.h"

#include "solve/dominance.h"
#include "solve/layers.h"
#include "solve/symmetry.h"

typedef struct Breadth {
  Method method;
  size_t memory;
  Packing packing;
  Fan *fan;
  Phases *phases; /* or NULL */
  Commute commute;
  bool commutes; /* there is something in `commute` */
  Symmetry symmetry;
  Layers *layers;
  bool across;
  int floor;       /* what is said about scores above it is proved */
  int offered;     /* the best goal for which a plan was offered */
  uint64_t before; /* states of an earlier search */
} Breadth;

/* ---- searches ---- */

static void end_search(Breadth *breadth) {
  if (breadth->layers) {
    breadth->before += layers_states(breadth->layers);
    layers_delete(breadth->layers);
  }
  if (breadth->commutes) commute_free(&breadth->commute);
  breadth->layers = NULL;
  breadth->commutes = false;
}

static bool begin_search(Breadth *breadth, bool across, int floor) {
  const Book *book = breadth->method.puzzle->book;
  breadth->across = across;
  breadth->floor = floor;
  breadth->offered = -1;
  breadth->commutes =
      commute_init(&breadth->commute, book, &breadth->packing, across);
  LayersOptions options = {.across = across,
                           .commute =
                               breadth->commutes ? &breadth->commute : NULL,
                           .later = breadth->symmetry.later,
                           .phases = breadth->phases,
                           .memory = breadth->memory};
  breadth->layers = layers_new(&breadth->packing, breadth->fan, &options);
  return breadth->layers;
}

/* Goes on to the exact search; returns false if there is nothing that it could
   add. */
static bool begin_exact(Breadth *breadth) {
  bool was_across = breadth->across, was_exact = breadth->floor < 0;
  end_search(breadth);
  if (!was_across || was_exact) return false;
  return begin_search(breadth, false, -1);
}

/* ---- what is known ---- */

static void offer(Breadth *breadth) {
  Puzzle *puzzle = breadth->method.puzzle;
  Layers *layers = breadth->layers;
  int known = atomic_load(&puzzle->score);
  if (layers->best <= breadth->offered) return;
  breadth->offered = layers->best;
  if (layers->best < known ||
      (layers->best == known &&
       layers->best_depth >= atomic_load(&puzzle->length)))
    return;
  MoveVector moves = {0};
  layers_plan(layers, &moves);
  puzzle_offer(puzzle, breadth_method.name, layers->best, moves.data,
               moves.count);
  vector_free(&moves);
}

/* All layers before `depth` have been looked at. */
static void prove_least(Breadth *breadth, uint32_t depth) {
  Puzzle *puzzle = breadth->method.puzzle;
  const Layers *layers = breadth->layers;
  int bound = atomic_load(&puzzle->bound);
  if (bound <= breadth->floor) return;
  if (layers->best < bound)
    puzzle_prove_least(puzzle, bound, depth);
  else if (layers->best == bound)
    puzzle_prove_least(puzzle, bound, layers->best_depth);
}

static void prove_bound(Breadth *breadth) {
  int best = breadth->layers->best;
  if (best < breadth->floor) best = breadth->floor;
  puzzle_prove_bound(breadth->method.puzzle, breadth_method.name,
                     best < 0 ? 0 : best);
}

/* Returns whether the search can find nothing more: it has a plan with the
   highest score, and that is as short as the search can make it. */
static bool is_satisfied(const Breadth *breadth) {
  Puzzle *puzzle = breadth->method.puzzle;
  return breadth->layers->best >= atomic_load(&puzzle->bound) ||
         puzzle_shortest(puzzle);
}

/* ---- the method ---- */

static Method *breadth_new(const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal || puzzle->net->role_count != 1)
    return NULL;
  Breadth *breadth = memory_new(sizeof *breadth);
  breadth->method = (Method){.kind = &breadth_method, .puzzle = puzzle};
  breadth->memory = task->memory / 8 * 7;
  packing_init(&breadth->packing, puzzle->book, puzzle->start);
  breadth->fan = fan_new(puzzle->book, &breadth->packing);
  breadth->phases = phases_new(&breadth->packing);
  symmetry_init(&breadth->symmetry, puzzle);
  int floor = dominance_floor(puzzle->book, &breadth->packing);
  if (!begin_search(breadth, true, floor)) {
    breadth_method.delete(&breadth->method);
    return NULL;
  }
  return &breadth->method;
}

/* Ends one search; returns true if there is another. */
static bool conclude(Breadth *breadth, LayersStatus status) {
  Puzzle *puzzle = breadth->method.puzzle;
  if (status == LAYERS_ENDED) {
    prove_bound(breadth);
    prove_least(breadth, breadth->layers->depth + 1);
  }
  return !puzzle_shortest(puzzle) && begin_exact(breadth);
}

static MethodStatus breadth_run(Method *method, const Slice *slice) {
  Breadth *breadth = (Breadth *)method;
  uint64_t start = method->expanded;
  while (breadth->layers) {
    Layers *layers = breadth->layers;
    uint64_t expanded = layers->expanded, generated = layers->generated;
    LayersStatus status = layers_step(layers);
    method_count(method, layers->expanded - expanded,
                 layers->generated - generated);
    offer(breadth);
    if (layers_at_start(layers)) prove_least(breadth, layers->depth);
    if (status != LAYERS_GOING || is_satisfied(breadth)) {
      prove_least(breadth, layers->depth);
      if (!conclude(breadth, status)) return METHOD_DONE;
    }
    if (method_slice_over(slice, method->expanded - start))
      return METHOD_WORKING;
  }
  return METHOD_DONE;
}

static void breadth_explain(Method *method, Text *text) {
  Breadth *breadth = (Breadth *)method;
  const Packing *packing = &breadth->packing;
  text_format(text, "keys of %u bits", packing->bits);
  if (breadth->phases)
    text_format(text, ", %u phases", phases_count(breadth->phases));
  if (breadth->commutes)
    text_format(text, ", %u pairs of moves commute, %u undo",
                breadth->commute.pairs, breadth->commute.inverse);
  if (breadth->symmetry.skipped)
    text_format(text, ", %u first moves are images of others",
                breadth->symmetry.skipped);
  if (!breadth->layers) {
    text_format(text, "; %llu states", (unsigned long long)breadth->before);
    return;
  }
  text_format(text, "; %s: depth %u, %llu states in %zu MiB",
              breadth->across ? "across layers" : "exact",
              breadth->layers->depth,
              (unsigned long long)layers_states(breadth->layers),
              layers_bytes(breadth->layers) >> 20);
}

static void breadth_delete(Method *method) {
  Breadth *breadth = (Breadth *)method;
  end_search(breadth);
  symmetry_free(&breadth->symmetry);
  phases_delete(breadth->phases);
  fan_delete(breadth->fan);
  packing_free(&breadth->packing);
  memory_delete(breadth);
}

const MethodKind breadth_method = {
    .name = "breadth",
    .origin = "breadth-first search with duplicate detection",
    .help = "looks at all states, those that are nearest first",
    .pace = 100000,
    .usual = true,
    .new = breadth_new,
    .run = breadth_run,
    .explain = breadth_explain,
    .delete = breadth_delete,
};
