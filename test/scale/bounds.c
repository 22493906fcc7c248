#include "scale/bounds.h"

#include <math.h>

/* ---- queues ---- */

double bounds_repairman(uint32_t customers, double away, double service) {
  double queue = 0, rate = 0;
  for (uint32_t count = 1; count <= customers; count++) {
    double stay = service * (1 + queue);
    rate = count / (away + stay);
    queue = rate * stay;
  }
  return rate;
}

double bounds_wait(double arrivals, double service) {
  double load = arrivals * service;
  return load < 1 ? load * service / (2 * (1 - load)) : INFINITY;
}

static void lower(Bound *bound, double rate, const char *where) {
  if (rate >= bound->rate) return;
  bound->rate = rate;
  bound->where = where;
}

/* ---- threads ---- */

static double nodes(const CrowdPlan *plan) {
  return plan->depth < 1 ? 1 : plan->depth;
}

/* Share of the descents that pass the main line's node of this level. */
static double share(const CrowdPlan *plan, uint32_t level) {
  double passing = 1;
  for (uint32_t i = 0; i < level; i++) passing *= crowding_stay(plan, i);
  return passing;
}

/* Moves that so many descents make in a node in which the share `best` makes
   the first, and any other is as likely as the next. */
static double moves_made(double best, double width, double descents) {
  double others = width - 1;
  if (others < 1) return 1;
  return 1 - pow(1 - best, descents) +
         others * (1 - pow(1 - (1 - best) / others, descents));
}

/* Leaves for which a lock is kept on the way down. */
static double row(const CrowdPlan *plan, uint32_t level) {
  return level ? plan->turn : plan->row;
}

/* Down, the root's lock is taken once for a row, that of another node for each
   leaf; its lines come over once for a row. Up, each different move is a
   lesson, and the lock is taken once a round. */
double bounds_hold(const CrowdPlan *plan, uint32_t level) {
  double passing = share(plan, level), rows = row(plan, level);
  double down = plan->held * plan->descend / nodes(plan) +
                plan->lock / (level ? 1 : rows) + plan->transfer / rows;
  double lessons = moves_made(crowding_stay(plan, level), plan->width,
                              passing * plan->leaves);
  double each =
      plan->lessons > 0 ? plan->taught * plan->backup / plan->lessons : 0;
  return passing * down +
         (lessons * each + plan->lock + plan->transfer) / plan->leaves;
}

double bounds_leaf_time(const CrowdPlan *plan) {
  double work = plan->descend + plan->expand + plan->playout + plan->backup;
  if (plan->one_lock) return work;
  if (plan->threads > 1) work += plan->insert;
  return work + plan->lock * (nodes(plan) + plan->lessons);
}

double bounds_sharing_down(const CrowdPlan *plan) {
  return plan->insert + plan->lock * nodes(plan) +
         plan->transfer * (1.0 / plan->row + plan->line / plan->turn);
}

double bounds_sharing_up(const CrowdPlan *plan) {
  return plan->lock * plan->lessons +
         plan->transfer * crowding_levels(plan) / plan->leaves;
}

Bound bounds_threads(const CrowdPlan *plan) {
  Bound bound = {plan->threads / bounds_leaf_time(plan), "threads"};
  if (plan->threads == 1) return bound;
  if (plan->one_lock)
    lower(&bound, 1 / (plan->descend + plan->expand / 2 + plan->backup),
          "lock");
  for (uint32_t i = 0; i < crowding_levels(plan) && !plan->one_lock; i++)
    lower(&bound, 1 / bounds_hold(plan, i), i ? "main line" : "root");
  lower(&bound, plan->leaves / (plan->desk + plan->transfer), "desk");
  if (plan->bytes > 0) lower(&bound, plan->rate / plan->bytes, "memory");
  return bound;
}

double bounds_saturation(const CrowdPlan *plan) {
  double most = 0;
  for (uint32_t i = 0; i < crowding_levels(plan); i++)
    most = fmax(most, bounds_hold(plan, i));
  return bounds_leaf_time(plan) / most;
}

double bounds_threads_least(const CrowdPlan *plan) {
  double held = 0, lines = 0;
  for (uint32_t i = 0; i < crowding_levels(plan); i++) {
    held += bounds_hold(plan, i);
    lines +=
        plan->transfer * (share(plan, i) / row(plan, i) + 1.0 / plan->leaves);
  }
  double away = bounds_leaf_time(plan) + lines - held;
  return bounds_repairman(plan->threads, away > 0 ? away : 0, held);
}

/* ---- leaf scheme ---- */

typedef struct LeafTimes {
  double courier, foreman, wire; /* seconds a leaf */
  double thread;                 /* leaves per second of one */
  double most;                   /* leaves per second, by what is under way */
} LeafTimes;

static LeafTimes leaf_times(const LeafPlan *plan) {
  double out = plan->piece_head + plan->leaves * plan->piece_leaf;
  double back = plan->result_head + plan->leaves * plan->result_leaf;
  double piece = plan->start + plan->leaves * plan->repeat * plan->playout;
  piece *= 1 + plan->slow_share * (plan->slow_factor - 1);
  double work = 2 * plan->message + (out + back) * plan->byte +
                plan->leaves * (plan->make + plan->back);
  double relay = 2 * plan->relay + (out + back) * plan->byte;
  double way = 4 * plan->latency + 2 * (out + back) / plan->rate + relay + work;
  double cycle = (piece + way) / plan->stock;
  if (cycle < piece) cycle = piece;
  uint32_t pieces = plan->most / plan->leaves;
  double larger = out > back ? out : back;
  return (LeafTimes){.courier = work / plan->leaves,
                     .foreman = relay / plan->leaves,
                     .wire = larger / plan->rate / plan->leaves,
                     .thread = plan->leaves / cycle,
                     .most =
                         (pieces ? pieces : 1) * plan->leaves / (piece + way)};
}

Bound bounds_leaf(const LeafPlan *plan) {
  LeafTimes times = leaf_times(plan);
  Bound bound = {plan->threads * times.thread, "ranks"};
  lower(&bound, 1 / times.courier, "courier");
  lower(&bound, 1 / times.foreman, "foreman");
  lower(&bound, 1 / times.wire, "wire");
  lower(&bound, times.most, "leaves under way");
  return bound;
}

LeafLimits bounds_leaf_threads(const LeafPlan *plan) {
  LeafTimes times = leaf_times(plan);
  return (LeafLimits){.courier = 1 / times.courier / times.thread,
                      .foreman = 1 / times.foreman / times.thread,
                      .wire = 1 / times.wire / times.thread,
                      .most = times.most / times.thread};
}

double bounds_courier(const LeafPlan *plan) {
  return 1 / leaf_times(plan).courier;
}

double bounds_rank(const LeafPlan *plan) {
  return plan->leaves /
         (plan->start + plan->leaves * plan->repeat * plan->playout);
}

/* ---- root schemes ---- */

static double root_handling(const RootPlan *plan) {
  return plan->message + plan->bytes * plan->byte;
}

/* A second of the foreman: messages of ranks; and what it tells. */
static double root_hearing(const RootPlan *plan) {
  return plan->ranks * root_handling(plan) / plan->interval;
}

static double root_telling(const RootPlan *plan) {
  double each = plan->sum;
  if (plan->back) each += root_handling(plan) + plan->sum;
  return (plan->ranks * each + plan->report + plan->bytes * plan->byte) /
         plan->telling;
}

double bounds_foreman(const RootPlan *plan) {
  return root_hearing(plan) + root_telling(plan);
}

double bounds_root_ranks(const RootPlan *plan) {
  double fixed = (plan->report + plan->bytes * plan->byte) / plan->telling;
  return (1 - fixed) / ((bounds_foreman(plan) - fixed) / plan->ranks);
}

/* Sums leave at any moment of an interval, and so are half an interval old on
   the average when the foreman tells them, and half of its own older until it
   tells the next. */
double bounds_age(const RootPlan *plan) {
  double wait = bounds_wait(plan->ranks / plan->interval, root_handling(plan));
  return (plan->interval + plan->telling) / 2 + 2 * plan->latency +
         plan->bytes / plan->speed + wait + root_handling(plan) +
         plan->ranks * plan->sum + plan->report + plan->bytes * plan->byte;
}
