/* Bidirectional search where the end is one state or a few and acts can be
   undone (solve/factor.h): layers around the start and around the end, the
   smaller one next, until a new state of one is inside the other. As long as
   there is none, a plan is longer than both depths together; so the first
   meeting gives a shortest plan. If one side has no more states, or the layers
   are as many as the clock has moves, there is none. */
#include "solve/meet.h"

#include "solve/perimeter.h"

typedef struct Meet {
  Method method;
  Factor factor;
  Perimeter sides[2]; /* around the start and the end */
  Perimeter *growing;
} Meet;

static Method *new_method(const MethodTask *task) {
  Meet *meet = memory_new(sizeof *meet);
  bool fit = factor_init(&meet->factor, task->puzzle);
  if (!fit || meet->factor.goal_states > PERIMETER_ENDS) {
    if (fit) factor_free(&meet->factor);
    memory_delete(meet);
    return NULL;
  }
  meet->method = (Method){.kind = &meet_method, .puzzle = task->puzzle};
  /* what is left is for the acts, two bytes a state */
  for (int side = 0; side < 2; side++)
    perimeter_init(&meet->sides[side], &meet->factor, side == 0,
                   task->memory / 5 * 2);
  for (int side = 0; side < 2; side++)
    meet->sides[side].other = &meet->sides[!side];
  return &meet->method;
}

static void delete_method(Method *method) {
  Meet *meet = (Meet *)method;
  for (int side = 0; side < 2; side++) perimeter_free(&meet->sides[side]);
  factor_free(&meet->factor);
  memory_delete(meet);
}

/* ---- sides ---- */

static uint32_t last_layer(const Perimeter *side) {
  return side->first.data[side->first.count - 1] -
         side->first.data[side->first.count - 2];
}

/* The side that is to grow: the one that has begun, or has the smaller layer.
 */
static Perimeter *choose_side(Meet *meet) {
  Perimeter *start = &meet->sides[0], *end = &meet->sides[1];
  if (meet->growing && perimeter_grows(meet->growing)) return meet->growing;
  if (!perimeter_grows(start)) return perimeter_grows(end) ? end : NULL;
  if (!perimeter_grows(end)) return start;
  return last_layer(start) <= last_layer(end) ? start : end;
}

static void say_least(Meet *meet, uint32_t least) {
  factor_prove(&meet->factor, meet->method.puzzle, meet_method.name, least);
}

static void offer(Meet *meet, const uint8_t *row) {
  NumberVector acts = {0};
  perimeter_follow(&meet->sides[0], row, &acts);
  perimeter_follow(&meet->sides[1], row, &acts);
  factor_offer(&meet->factor, meet->method.puzzle, meet_method.name, acts.data,
               acts.count);
  say_least(meet, acts.count);
  vector_free(&acts);
}

/* ---- slices ---- */

/* Looks at what the last piece of work brought. Returns false if there is
   nothing left to find. */
static bool look(Meet *meet, Perimeter *side, bool complete) {
  uint32_t depth = meet->sides[0].depth + meet->sides[1].depth;
  if (side->met) {
    offer(meet, side->near);
    return false;
  }
  if (complete) {
    meet->growing = NULL;
    say_least(meet, depth + 1);
  }
  if (side->closed) say_least(meet, FACTOR_NEVER);
  return !side->closed && depth < factor_longest(&meet->factor);
}

/* Returns true if the start itself is an end, and only time has to pass. */
static bool at_end(Meet *meet) {
  const Perimeter *start = &meet->sides[0], *end = &meet->sides[1];
  if (start->depth + end->depth || !start->store || !end->store) return false;
  factor_start(&meet->factor, start->near);
  return perimeter_has(&meet->sides[1], start->near);
}

static MethodStatus run(Method *method, const Slice *slice) {
  Meet *meet = (Meet *)method;
  uint64_t done = 0;
  factor_ask_time(&meet->factor, method->puzzle);
  if (at_end(meet)) {
    offer(meet, meet->sides[0].near);
    return METHOD_DONE;
  }
  do {
    Perimeter *side = choose_side(meet);
    if (!side) return METHOD_DONE;
    meet->growing = side;
    uint64_t states = 256, made = side->acts.count;
    bool complete = perimeter_grow(side, UINT32_MAX - 1, &states);
    done += 256 - states;
    method_count(method, 256 - states, side->acts.count - made);
    if (!look(meet, side, complete)) return METHOD_DONE;
  } while (!method_slice_over(slice, done));
  return METHOD_WORKING;
}

static void explain(Method *method, Text *text) {
  const Meet *meet = (const Meet *)method;
  text_format(text,
              "%u states within %u moves of the start, %u within %u of the end",
              meet->sides[0].acts.count, meet->sides[0].depth,
              meet->sides[1].acts.count, meet->sides[1].depth);
}

const MethodKind meet_method = {
    .name = "meet",
    .origin = "Pohl 1971",
    .help = "breadth-first from both ends, where the end is a state or a few",
    .pace = 5000,
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete_method,
};
