/* First SIW (Lipovetzky and Geffner 2012): breadth-first search that drops
   states in which no atom (IW(1)), or no pair of atoms (IW(2)), is new, from
   the puzzle's state to one with a better guide, from there to a better one and
   so on. That ends quickly, with a plan or without one. Then best-first search
   by novelty and guide (BFWS, 2017), which drops nothing; as in greedy, orders
   take turns, with more states each time. */
#include "solve/novelty.h"

#include <inttypes.h>

#include "solve/bestfirst.h"

typedef struct Novelty {
  Method method;
  Nodes nodes;
  BestFirst *bestfirst;
  Atoms *atoms;
  uint64_t seed;
  uint32_t runs; /* so far */
  uint64_t limit;
  uint32_t blind; /* orders that see no differences, as bits */
  /* SIW: */
  uint32_t width, widest;
  uint32_t reached; /* the guide of the state that it set out from */
  NumberVector queue;
  uint32_t at; /* in the queue: states before it have been expanded */
  uint32_t advances;
} Novelty;

typedef struct Plans {
  Guide guide;
  Measure measure;
  bool serial, oldest;
} Plans;

/* SIW first, then BFWS. */
static const Plans plans[] = {
    {.guide = GUIDE_GOAL, .measure = MEASURE_STEPS, .serial = true},
    {.guide = GUIDE_SCORE, .measure = MEASURE_STEPS, .serial = true},
    {.guide = GUIDE_GOAL, .measure = MEASURE_DEEP, .serial = true},
    {.guide = GUIDE_GOAL, .measure = MEASURE_STEPS, .oldest = true},
    {.guide = GUIDE_SCORE, .measure = MEASURE_STEPS, .oldest = true},
    {.guide = GUIDE_GOAL, .measure = MEASURE_DEEP, .oldest = true},
    {.guide = GUIDE_GOAL, .oldest = true},
    {.guide = GUIDE_GOAL, .measure = MEASURE_STEPS},
    {.guide = GUIDE_END, .measure = MEASURE_STEPS, .oldest = true},
};

enum {
  PLANS = sizeof plans / sizeof *plans,
  SERIAL = 3,        /* the first of them are */
  PAIR_FIELDS = 400, /* with more fields, pairs take too long */
  FIRST_LIMIT = 1 << 12
};

/* The first run goes through all, later ones through what is not serial. */
static uint32_t plan_of(const Novelty *novelty) {
  uint32_t run = novelty->runs - 1;
  return run < PLANS ? run : SERIAL + (run - PLANS) % (PLANS - SERIAL);
}

static uint32_t round_of(const Novelty *novelty) {
  uint32_t run = novelty->runs - 1;
  return run < PLANS ? 0 : 1 + (run - PLANS) / (PLANS - SERIAL);
}

/* ---- SIW ---- */

static void set_out(Novelty *novelty, uint32_t node, uint32_t width) {
  novelty->width = width;
  vector_clear(&novelty->queue);
  vector_push(&novelty->queue, node);
  novelty->at = 0;
  atoms_clear(novelty->atoms, width);
  atoms_note(novelty->atoms, 0, nodes_key(&novelty->nodes, node), NULL);
}

static void begin_serial(Novelty *novelty) {
  const Plans *plan = &plans[plan_of(novelty)];
  Distance *distance = novelty->nodes.distance;
  distance_measure(distance, plan->measure);
  nodes_clear(&novelty->nodes);
  Rating rating;
  distance_rate(distance, nodes_key(&novelty->nodes, 0), novelty->nodes.words,
                novelty->nodes.depths, 1, &rating);
  novelty->reached = distance_guide(&rating, plan->guide);
  novelty->advances = 0;
  set_out(novelty, 0, 1);
}

/* Queues the children that are new; returns the best one that is better than
   what was reached, as child + 1. */
static uint32_t sift(Novelty *novelty) {
  Nodes *nodes = &novelty->nodes;
  Guide guide = plans[plan_of(novelty)].guide;
  uint32_t best = 0, least = novelty->reached;
  for (uint32_t i = 0; i < nodes->child_count; i++) {
    uint32_t value = distance_guide(&nodes->ratings.data[i], guide);
    if (value < least) {
      least = value;
      best = i + 1;
    }
    uint32_t new = atoms_note(novelty->atoms, 0, nodes_child(nodes, i),
                              nodes_key(nodes, nodes->from.data[i]));
    if (new <= novelty->width)
      vector_push(&novelty->queue, nodes->numbers.data[i]);
  }
  novelty->reached = least;
  return best;
}

/* Expands a batch; returns false if it is stuck, or out of room. */
static bool step_serial(Novelty *novelty) {
  Nodes *nodes = &novelty->nodes;
  uint32_t left = novelty->queue.count - novelty->at;
  uint32_t count = left < nodes_batch(nodes) ? left : nodes_batch(nodes);
  nodes_expand(nodes, novelty->queue.data + novelty->at, count);
  novelty->at += count;
  bool room = nodes_enter(nodes, true);
  nodes_rate(nodes);
  nodes_harvest(nodes);
  uint32_t best = sift(novelty);
  if (best) {
    uint32_t node = nodes->numbers.data[best - 1];
    novelty->advances++;
    set_out(novelty, node, 1);
  } else if (novelty->at == novelty->queue.count) {
    if (novelty->width == novelty->widest) return false;
    set_out(novelty, novelty->queue.data[0], novelty->width + 1);
  }
  return room;
}

/* ---- runs ---- */

static void begin(Novelty *novelty) {
  do novelty->runs++;
  while (novelty->blind >> plan_of(novelty) & 1);
  const Plans *plan = &plans[plan_of(novelty)];
  uint32_t round = round_of(novelty);
  novelty->limit = (uint64_t)FIRST_LIMIT << 2 * (round < 16 ? round : 16);
  distance_aim(novelty->nodes.distance, novelty->method.puzzle->bound);
  BestFirstOrder order = {.guide = plan->guide,
                          .weight = 1,
                          .novelty = true,
                          .oldest = plan->oldest,
                          .measure = plan->measure,
                          .seed = novelty->seed + novelty->runs};
  if (plan->serial)
    begin_serial(novelty);
  else
    bestfirst_begin(novelty->bestfirst, &order);
}

/* Expands a batch; sets `over` if the run is. Returns false if every state was
   expanded. */
static bool step(Novelty *novelty, bool *over) {
  if (plans[plan_of(novelty)].serial) {
    *over = !step_serial(novelty);
    return true;
  }
  BestFirstStatus status = bestfirst_step(novelty->bestfirst);
  *over = status != BESTFIRST_WORKING ||
          bestfirst_expanded(novelty->bestfirst) >= novelty->limit;
  if (!*over) return true;
  uint32_t plan = plan_of(novelty);
  if (plan > SERIAL &&
      bestfirst_best(novelty->bestfirst) == bestfirst_worst(novelty->bestfirst))
    novelty->blind |= 1u << plan;
  return status != BESTFIRST_EXHAUSTED || !nodes_finish(&novelty->nodes);
}

static MethodStatus run(Method *method, const Slice *slice) {
  Novelty *novelty = (Novelty *)method;
  nodes_start_slice(&novelty->nodes);
  bool over = !novelty->runs;
  do {
    if (over) begin(novelty);
    if (!step(novelty, &over)) return METHOD_DONE;
  } while (!nodes_slice_over(&novelty->nodes, slice));
  if (over) begin(novelty);
  return METHOD_WORKING;
}

static void explain(Method *method, Text *text) {
  const Novelty *novelty = (Novelty *)method;
  if (!novelty->runs) return;
  if (plans[plan_of(novelty)].serial)
    text_format(text, "IW(%" PRIu32 "), %" PRIu32 " advances, guide %" PRIu32,
                novelty->width, novelty->advances, novelty->reached);
  else
    text_format(text, "run %" PRIu32 ", guide %" PRIu32 " to %" PRIu32,
                novelty->runs, bestfirst_best(novelty->bestfirst),
                bestfirst_worst(novelty->bestfirst));
}

/* ---- making ---- */

static void delete (Method *method) {
  Novelty *novelty = (Novelty *)method;
  bestfirst_delete(novelty->bestfirst);
  atoms_delete(novelty->atoms);
  nodes_free(&novelty->nodes);
  vector_free(&novelty->queue);
  memory_delete(novelty);
}

static Method *new_method(const MethodTask *task) {
  Novelty *novelty = memory_new(sizeof *novelty);
  novelty->method = (Method){.kind = &novelty_method, .puzzle = task->puzzle};
  novelty->seed = task->seed;
  if (!nodes_init(&novelty->nodes, &novelty->method, task->memory / 8 * 5,
                  BESTFIRST_NODE)) {
    memory_delete(novelty);
    return NULL;
  }
  novelty->widest = novelty->nodes.packing.fields.count > PAIR_FIELDS ? 1 : 2;
  novelty->atoms =
      atoms_new(&novelty->nodes.packing, novelty->widest, task->memory / 4);
  novelty->bestfirst =
      novelty->atoms ? bestfirst_new(&novelty->nodes, novelty->atoms) : NULL;
  if (novelty->bestfirst) return &novelty->method;
  delete (&novelty->method);
  return NULL;
}

const MethodKind novelty_method = {
    .name = "novelty",
    .origin = "Lipovetzky and Geffner 2012, 2017",
    .help = "SIW, then best-first search by novelty and distance (BFWS)",
    .pace = 4096,
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete,
};
