/* A description may be wrong about itself, so narrowing counts only if it is
   proved to change nothing: the net is built with two more outputs, true where
   a fact outside `base` comes to be or a move outside `input` is legal, and
   both are proved never to be true. They are dropped afterwards. Of the 128
   public games with `base` and `input`, 21 have rules that seem to go beyond
   them; 10 of those are proved not to, and get smaller: mineClearingSmall from
   101,900 to 1,700 two-input gates, snakeParallel from 11,500 to 460, pacman3p
   from 3,900 to 2,100, checkersBarrelNoKings from 3,200 to 2,300. */
#include "game/narrow.h"

#include "analyse/beyond.h"
#include "base/trial.h"
#include "net/build.h"

/* The work that an attempt may take. */
enum {
  NARROW_TICKS = 50000000, /* rows looked at; about half a second */
  NARROW_EDGES = 300000    /* of a net that needs a proof */
};

typedef struct Narrowing {
  Description *description;
  GroundLimits limits;
  const ReduceOptions *options;
  Handover *offer;
  Tasks *tasks;
  Net *net, *built;
  ReduceReport *report;
} Narrowing;

static bool has_rules(const Description *description, Symbol keyword) {
  const Dependencies *d = &description->dependencies;
  uint32_t p =
      dependencies_find(d, keyword, (uint32_t)rule_keyword_arity(keyword));
  return d->list.data[p].rules.count > 0;
}

static bool needs_proof(const Net *net) {
  return net->beyond_base != SIGNAL_FALSE || net->beyond_input != SIGNAL_FALSE;
}

static void attempt(void *context) {
  Narrowing *narrowing = context;
  Text error = {0};
  Ground ground;
  Net *built = narrowing->built;
  tasks_enter(narrowing->tasks, TASK_GROUNDING);
  if (!ground_init(&ground, narrowing->description, &narrowing->limits, &error))
    trial_fail("not grounded");
  tasks_enter(narrowing->tasks, TASK_BUILDING);
  if (!build_net(built, &ground, &error)) trial_fail("not built");
  ground_free(&ground);
  if (needs_proof(built) && net_count_edges(built) > NARROW_EDGES)
    trial_fail("too large to prove");
  if (needs_proof(built) && beyond_happens(built)) trial_fail("disproved");
  reduce_huge(built);
  if (narrowing->offer && !needs_proof(built))
    handover_offer(narrowing->offer, built,
                   &narrowing->description->rules.terms);
  tasks_enter(narrowing->tasks, TASK_REDUCING);
  reduce_net(built, narrowing->net, narrowing->options, narrowing->report);
  tasks_enter(narrowing->tasks, TASK_NARROWING);
  if (!beyond_never(narrowing->net, &narrowing->description->rules.terms))
    trial_fail("not proved");
}

static void drop_proof(Net *net) {
  Net without;
  net->beyond_base = net->beyond_input = SIGNAL_FALSE;
  reduce_dead(net, &without, &(ReduceOptions){0});
  net_free(net);
  *net = without;
}

bool narrow_net(Description *description, const GroundLimits *limits,
                const ReduceOptions *options, Handover *offer, Tasks *tasks,
                Net *net, Net *built, ReduceReport *report) {
  if (!has_rules(description, SYMBOL_BASE) &&
      !has_rules(description, SYMBOL_INPUT))
    return false;
  Narrowing narrowing = {description, *limits, options, offer,
                         tasks,       net,     built,   report};
  narrowing.limits.narrow = true;
  if (!limits->ticks || limits->ticks > NARROW_TICKS)
    narrowing.limits.ticks = NARROW_TICKS;
  TermsMark mark = terms_mark(&description->rules.terms);
  if (trial_run(SIZE_MAX, attempt, &narrowing)) {
    drop_proof(net);
    return true;
  }
  terms_restore(&description->rules.terms, &mark);
  *report = (ReduceReport){0};
  if (trial_deadline_passed()) trial_check();
  return false;
}
