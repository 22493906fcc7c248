/* No order is good for all puzzles, so orders take turns. Each begins anew and
   may expand a number of states, four times as many when all have had their
   turn; an order that sees no differences between states is not tried again. */
#include "solve/greedy.h"

#include <inttypes.h>

#include "solve/bestfirst.h"

typedef struct Greedy {
  Method method;
  Nodes nodes;
  BestFirst *bestfirst;
  uint64_t seed;
  uint32_t runs;  /* so far */
  uint64_t limit; /* states of this run */
  uint32_t blind; /* orders that are not tried again, as bits */
} Greedy;

static const BestFirstOrder orders[] = {
    {.guide = GUIDE_GOAL, .weight = 1, .measure = MEASURE_STEPS},
    {.guide = GUIDE_SCORE, .weight = 1, .measure = MEASURE_STEPS},
    {.guide = GUIDE_GOAL, .weight = 1, .measure = MEASURE_DEEP},
    {.guide = GUIDE_GOAL,
     .weight = 3,
     .depth = 1,
     .measure = MEASURE_STEPS,
     .oldest = true},
    {.guide = GUIDE_GOAL, .weight = 1},
    {.guide = GUIDE_END, .weight = 1, .measure = MEASURE_STEPS},
    {.guide = GUIDE_GOAL, .weight = 1, .depth = 1, .oldest = true},
};

enum { ORDERS = sizeof orders / sizeof *orders, FIRST_LIMIT = 1 << 12 };

/* ---- runs ---- */

static uint32_t order_of(const Greedy *greedy) {
  return (greedy->runs - 1) % ORDERS;
}

static void begin(Greedy *greedy) {
  do greedy->runs++;
  while (greedy->blind >> order_of(greedy) & 1);
  uint32_t round = (greedy->runs - 1) / ORDERS;
  greedy->limit = (uint64_t)FIRST_LIMIT << 2 * (round < 16 ? round : 16);
  BestFirstOrder order = orders[order_of(greedy)];
  order.seed = greedy->seed + greedy->runs;
  distance_aim(greedy->nodes.distance, greedy->method.puzzle->bound);
  bestfirst_begin(greedy->bestfirst, &order);
}

/* The first order is tried however it fares. */
static void judge(Greedy *greedy) {
  uint32_t order = order_of(greedy);
  if (order &&
      bestfirst_best(greedy->bestfirst) == bestfirst_worst(greedy->bestfirst))
    greedy->blind |= 1u << order;
}

static MethodStatus run(Method *method, const Slice *slice) {
  Greedy *greedy = (Greedy *)method;
  nodes_start_slice(&greedy->nodes);
  do {
    if (!greedy->runs) begin(greedy);
    BestFirstStatus status = bestfirst_step(greedy->bestfirst);
    if (status == BESTFIRST_EXHAUSTED && nodes_finish(&greedy->nodes))
      return METHOD_DONE;
    if (status != BESTFIRST_WORKING ||
        bestfirst_expanded(greedy->bestfirst) >= greedy->limit) {
      judge(greedy);
      begin(greedy);
    }
  } while (!nodes_slice_over(&greedy->nodes, slice));
  return METHOD_WORKING;
}

static void explain(Method *method, Text *text) {
  Greedy *greedy = (Greedy *)method;
  if (!greedy->runs) return;
  text_format(text,
              "run %" PRIu32 ", order %" PRIu32 ", guide %" PRIu32
              " to %" PRIu32 ", %" PRIu32 " states",
              greedy->runs, order_of(greedy), bestfirst_best(greedy->bestfirst),
              bestfirst_worst(greedy->bestfirst),
              store_count(greedy->nodes.store));
}

/* ---- making ---- */

static void delete (Method *method) {
  Greedy *greedy = (Greedy *)method;
  bestfirst_delete(greedy->bestfirst);
  nodes_free(&greedy->nodes);
  memory_delete(greedy);
}

static Method *new_method(const MethodTask *task) {
  Greedy *greedy = memory_new(sizeof *greedy);
  greedy->method = (Method){.kind = &greedy_method, .puzzle = task->puzzle};
  greedy->seed = task->seed;
  if (!nodes_init(&greedy->nodes, &greedy->method, task->memory / 8 * 7,
                  BESTFIRST_NODE)) {
    memory_delete(greedy);
    return NULL;
  }
  greedy->bestfirst = bestfirst_new(&greedy->nodes, NULL);
  if (greedy->bestfirst) return &greedy->method;
  delete (&greedy->method);
  return NULL;
}

const MethodKind greedy_method = {
    .name = "greedy",
    .origin = "Felner, Kraus and Korf 2003",
    .help = "best-first search by the distance from the goal",
    .pace = 8192,
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete,
};
