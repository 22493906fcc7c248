/* The order of the reductions is a table. What is known about the state comes
   first, since it makes gates equal; then rounds of local laws on wide gates,
   as long as a round gains a hundredth; last, common inputs are factored, which
   hides from the local laws what they look for. All of it is repeated as long
   as it gains a hundredth. A pass that makes the net larger is undone. Size is
   edges less gates: the number of gates with two inputs. A pass is left out if
   the net has hardly changed since it ran last: less than a hundredth, in all
   that was gained since. Time is nominal,
   counted in edges that a pass was given, so that the same rules give the same
   net on every machine, however busy. */
#include "reduce/reduce.h"

#include <math.h>

#include "base/clock.h"
#include "reduce/reads.h"

typedef enum {
  FIRST,
  LOCAL, /* repeated */
  LAST,
  FINAL /* after all rounds of everything */
} Stage;

/* When a pass runs, apart from having time. */
typedef enum {
  ALWAYS,
  ON_LARGE_NETS,     /* more than LARGE */
  IN_FIRST_IF_LEGAL, /* in the first local round, if moves are legal */
} Condition;

typedef struct Pass {
  const char *name;
  Reduction *reduce;
  double cost; /* seconds for each edge of the net that goes in: the mean over
                  244 public games, weighted by their edges */
  Stage stage;
  Condition when;
  double share; /* of the time, after which it is left out */
} Pass;

/* A net of this size is first reduced by what may gain most, since time may
   run out: quarto from 1,360,000 edges to 137,000. */
static const uint64_t LARGE = 200000;

/* The share of the time that local laws may use; the rest is left to what comes
   after them: factoring takes amazons from 1,372,000 edges to 868,000. */
#define MOST 0.6

/* clang-format off */
static const Pass passes[] = {
  {"constant",   reduce_constant,    70e-9, FIRST, ALWAYS,            1},
  {"single use", reduce_single_use,  40e-9, FIRST, ALWAYS,            1},
  {"distribute", reduce_distribute,  80e-9, FIRST, ON_LARGE_NETS,     1},
  {"equal",      reduce_equal,      320e-9, FIRST, ALWAYS,            MOST},
  {"absorb",     reduce_absorb,     180e-9, LOCAL, ALWAYS,            MOST},
  {"exclusive",  reduce_exclusive,   90e-9, LOCAL, ALWAYS,            MOST},
  {"forced",     reduce_forced,      60e-9, LOCAL, IN_FIRST_IF_LEGAL, MOST},
  {"distribute", reduce_distribute,  80e-9, LOCAL, ALWAYS,            MOST},
  {"single use", reduce_single_use,  40e-9, LOCAL, ALWAYS,            MOST},
  {"select",     reduce_select,     160e-9, LOCAL, ALWAYS,            MOST},
  {"factor",     reduce_factor,     320e-9, LAST,  ALWAYS,            1},
  {"single use", reduce_single_use,  40e-9, LAST,  ALWAYS,            1},
  {"dead",       reduce_dead,        40e-9, FINAL, ALWAYS,            INFINITY},
};
/* clang-format on */

enum {
  PASSES = sizeof passes / sizeof *passes,
  ROUNDS = 5 /* at most, of the local laws and of everything */
};

typedef struct Reducer {
  Net net; /* as it is now */
  const ReduceOptions *options;
  ReduceReport *report;
  uint64_t seen[PASSES]; /* by pass: the size when it had run; 0: not yet */
  uint32_t version;      /* of the net, from 1 */
  uint32_t idle[PASSES]; /* by pass: the version that it left as it was */
  double spent;          /* nominal seconds */
  uint32_t ands;         /* of the net, that are live */
  uint64_t edges;
  uint64_t size;
} Reducer;

static void measure(const Net *net, uint32_t *ands, uint64_t *edges) {
  bool *live = memory_new(net->gates.count * sizeof *live);
  reads_mark_live(net, live);
  *ands = 0;
  *edges = 0;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!live[gate] || net->gates.data[gate].kind != GATE_AND) continue;
    ++*ands;
    *edges += net->gates.data[gate].count;
  }
  memory_delete(live);
}

static void note(Reducer *reducer, const char *name, uint32_t ands,
                 uint64_t edges, double seconds) {
  if (!reducer->report) return;
  ReduceStep step = {name, ands, edges, seconds};
  vector_push(&reducer->report->steps, step);
}

static bool has_time(const Reducer *reducer, double share) {
  double limit = reducer->options->seconds;
  return limit <= 0 || reducer->spent < limit * share;
}

/* Is it known that the reduction leaves the net as it is? */
static bool is_idle(const Reducer *reducer, const Pass *pass) {
  for (size_t i = 0; i < PASSES; i++)
    if (passes[i].reduce == pass->reduce &&
        reducer->idle[i] == reducer->version)
      return true;
  return false;
}

/* Returns false if the net would become larger; it then stays as it is. */
static bool apply(Reducer *reducer, const Pass *pass) {
  Net made;
  uint32_t ands;
  uint64_t edges;
  pass->reduce(&reducer->net, &made, reducer->options);
  if (net_equal(&reducer->net, &made)) {
    reducer->idle[pass - passes] = reducer->version;
    net_free(&made);
    return true;
  }
  measure(&made, &ands, &edges);
  if (edges - ands > reducer->size) {
    net_free(&made);
    return false;
  }
  net_free(&reducer->net);
  reducer->net = made;
  reducer->version++;
  reducer->ands = ands;
  reducer->edges = edges;
  reducer->size = edges - ands;
  return true;
}

static void run(Reducer *reducer, const Pass *pass) {
  double start = clock_now();
  reducer->spent += (double)reducer->edges * pass->cost;
  if (is_idle(reducer, pass) || apply(reducer, pass))
    note(reducer, pass->name, reducer->ands, reducer->edges,
         clock_now() - start);
}

/* Has the net become smaller by less than a hundredth? */
static bool is_settled(const Reducer *reducer, uint64_t before) {
  return before - reducer->size < before / 100 + 1;
}

static bool is_due(const Reducer *reducer, const Pass *pass, uint32_t round) {
  uint64_t seen = reducer->seen[pass - passes];
  if (seen && is_settled(reducer, seen)) return false;
  switch (pass->when) {
  case ALWAYS: break;
  case ON_LARGE_NETS:
    if (reducer->size <= LARGE) return false;
    break;
  case IN_FIRST_IF_LEGAL:
    if (round > 0 || !reducer->options->legal) return false;
    break;
  }
  return has_time(reducer, pass->share);
}

static void run_stage(Reducer *reducer, Stage stage, uint32_t round) {
  for (size_t i = 0; i < PASSES; i++) {
    if (passes[i].stage != stage || !is_due(reducer, &passes[i], round))
      continue;
    run(reducer, &passes[i]);
    reducer->seen[i] = reducer->size;
  }
}

static void run_local_laws(Reducer *reducer) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t before = reducer->size;
    run_stage(reducer, LOCAL, round);
    if (is_settled(reducer, before)) break;
  }
}

static uint32_t count_unread(const Net *net) {
  uint32_t unread = 0;
  bool *live = memory_new(net->gates.count * sizeof *live);
  reads_mark_live(net, live);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    unread += !live[net->fluents.data[i].gate];
  memory_delete(live);
  return unread;
}

void reduce_net(const Net *in, Net *out, const ReduceOptions *options,
                ReduceReport *report) {
  Reducer reducer = {.options = options, .report = report, .version = 1};
  double start = clock_now();
  measure(in, &reducer.ands, &reducer.edges);
  reducer.size = reducer.edges - reducer.ands;
  note(&reducer, "before", net_count_ands(in), net_count_edges(in), 0);
  reduce_dead(in, &reducer.net, options);
  note(&reducer, "dead", reducer.ands, reducer.edges, clock_now() - start);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t before = reducer.size;
    run_stage(&reducer, FIRST, round);
    run_local_laws(&reducer);
    run_stage(&reducer, LAST, round);
    if (is_settled(&reducer, before)) break;
  }
  run_stage(&reducer, FINAL, 0);
  *out = reducer.net;
  if (report) report->unread_fluents = count_unread(out);
}

void reduce_huge(Net *net) {
  static const uint64_t huge = 2000000; /* edges */
  Net distributed;
  if (net_count_edges(net) <= huge) return;
  reduce_distribute(net, &distributed, &(ReduceOptions){0});
  net_free(net);
  reduce_dead(&distributed, net, &(ReduceOptions){0});
  net_free(&distributed);
}

void reduce_report_free(ReduceReport *report) {
  vector_free(&report->steps);
}

void reduce_report_write(const ReduceReport *report, Text *text) {
  for (uint32_t i = 0; i < report->steps.count; i++) {
    const ReduceStep *step = &report->steps.data[i];
    text_format(text, "%-12s %9u gates %10llu edges %7.3f s\n", step->name,
                step->ands, (unsigned long long)step->edges, step->seconds);
  }
  text_format(text, "%u fluents are read by nothing\n", report->unread_fluents);
}
