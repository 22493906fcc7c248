/* The order of the reductions. What is known of the state comes first, since it
   makes gates equal; then rounds of the local laws, on wide gates, as long as a
   round gains a hundredth; at last common inputs are factored, which hides from
   the local laws what they look for. A pass that makes the net larger is
   undone. Size is edges less gates: the number of gates with two inputs. Time
   is nominal, counted in edges that a pass was given, so that the same rules
   give the same net on every machine, however busy. */
#include "reduce/reduce.h"

#include "base/clock.h"
#include "reduce/rebuild.h"

typedef struct Reducer {
  Net net; /* as it is now */
  const ReduceOptions *options;
  ReduceReport *report;
  double spent;   /* nominal seconds */
  uint64_t edges; /* of the net */
  uint64_t size;
} Reducer;

/* A net of this size is made smaller at once by what may gain most, since time
   may run out: quarto from 1,360,000 edges to 137,000. */
static const uint64_t LARGE = 200000;

/* A reduction, and the seconds that it takes for each edge of the net that goes
   in: the mean over 244 public games, weighted by their edges. */
typedef struct Pass {
  const char *name;
  void (*reduce)(const Net *in, Net *out, const ReduceOptions *options);
  double cost;
} Pass;

enum { ROUNDS = 5 }; /* at most, of the local laws and of everything */

/* Local laws leave this share of the time to what comes after them: factoring
   takes amazons from 1,372,000 edges to 868,000. */
static const double LOCAL_SHARE = 0.6;

/* ---- the passes in one form ---- */

static void constant(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_constant(in, out);
}

static void equal(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_equal(in, out);
}

static void single_use(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_single_use(in, out);
}

static void absorb(const Net *in, Net *out, const ReduceOptions *options) {
  reduce_absorb(in, out, options->groups, options->legal);
}

static void exclusive(const Net *in, Net *out, const ReduceOptions *options) {
  reduce_exclusive(in, out, options->groups, options->legal);
}

static void forced(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_forced(in, out);
}

static void selections(const Net *in, Net *out, const ReduceOptions *options) {
  reduce_select(in, out, options->legal);
}

static void distribute(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_distribute(in, out);
}

static void factor(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_factor(in, out);
}

static void dead(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  reduce_dead(in, out);
}

static const Pass pass_constant = {"constant", constant, 70e-9},
                  pass_equal = {"equal", equal, 320e-9},
                  pass_single_use = {"single use", single_use, 40e-9},
                  pass_absorb = {"absorb", absorb, 180e-9},
                  pass_exclusive = {"exclusive", exclusive, 90e-9},
                  pass_forced = {"forced", forced, 60e-9},
                  pass_select = {"select", selections, 160e-9},
                  pass_distribute = {"distribute", distribute, 80e-9},
                  pass_factor = {"factor", factor, 320e-9},
                  pass_dead = {"dead", dead, 40e-9};

/* ---- running them ---- */

static void measure(const Net *net, uint32_t *ands, uint64_t *edges) {
  bool *live = memory_new(net->gates.count * sizeof *live);
  net_mark_live(net, live);
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

static void run(Reducer *reducer, const Pass *pass) {
  double start = clock_now();
  Net made;
  uint32_t ands;
  uint64_t edges;
  reducer->spent += (double)reducer->edges * pass->cost;
  pass->reduce(&reducer->net, &made, reducer->options);
  measure(&made, &ands, &edges);
  if (edges - ands > reducer->size) {
    net_free(&made);
    return;
  }
  net_free(&reducer->net);
  reducer->net = made;
  reducer->edges = edges;
  reducer->size = edges - ands;
  note(reducer, pass->name, ands, edges, clock_now() - start);
}

static void run_within(Reducer *reducer, const Pass *pass, double share) {
  if (has_time(reducer, share)) run(reducer, pass);
}

static void run_local_laws(Reducer *reducer) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t before = reducer->size;
    run_within(reducer, &pass_absorb, LOCAL_SHARE);
    run_within(reducer, &pass_exclusive, LOCAL_SHARE);
    if (round == 0 && reducer->options->legal)
      run_within(reducer, &pass_forced, LOCAL_SHARE);
    run_within(reducer, &pass_distribute, LOCAL_SHARE);
    run_within(reducer, &pass_single_use, LOCAL_SHARE);
    run_within(reducer, &pass_select, LOCAL_SHARE);
    if (before - reducer->size < before / 100 + 1) break;
  }
}

static void run_all(Reducer *reducer) {
  run_within(reducer, &pass_constant, 1);
  run_within(reducer, &pass_single_use, 1);
  if (reducer->size > LARGE) run_within(reducer, &pass_distribute, 1);
  run_within(reducer, &pass_equal, LOCAL_SHARE);
  run_local_laws(reducer);
  run_within(reducer, &pass_factor, 1);
  run_within(reducer, &pass_single_use, 1);
}

static uint32_t count_unread(const Net *net) {
  uint32_t unread = 0;
  bool *live = memory_new(net->gates.count * sizeof *live);
  net_mark_live(net, live);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    unread += !live[net->fluents.data[i].gate];
  memory_delete(live);
  return unread;
}

void net_reduce(const Net *in, Net *out, const ReduceOptions *options,
                ReduceReport *report) {
  Reducer reducer = {.options = options, .report = report};
  double start = clock_now();
  uint32_t ands;
  measure(in, &ands, &reducer.edges);
  reducer.size = reducer.edges - ands;
  note(&reducer, "before", net_count_ands(in), net_count_edges(in), 0);
  reduce_dead(in, &reducer.net);
  note(&reducer, "dead", ands, reducer.edges, clock_now() - start);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t before = reducer.size;
    run_all(&reducer);
    if (before - reducer.size < before / 100 + 1) break;
  }
  run(&reducer, &pass_dead);
  *out = reducer.net;
  if (report) report->unread_fluents = count_unread(out);
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
