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

/* Down, a lock that others want stays for a row of leaves. */
double bounds_root_hold(const CrowdPlan *plan) {
  return plan->held * (plan->descend + plan->backup) / nodes(plan) +
         2 * plan->lock + plan->transfer * (1 + 1.0 / plan->row);
}

double bounds_leaf_time(const CrowdPlan *plan) {
  double work = plan->descend + plan->expand + plan->playout + plan->backup;
  if (plan->one_lock) return work;
  if (plan->threads > 1) work += plan->insert;
  return work + plan->lock * 2 * nodes(plan);
}

Bound bounds_threads(const CrowdPlan *plan) {
  Bound bound = {plan->threads / bounds_leaf_time(plan), "threads"};
  if (plan->threads == 1) return bound;
  if (plan->one_lock)
    lower(&bound, 1 / (plan->descend + plan->expand / 2 + plan->backup),
          "lock");
  else
    lower(&bound, 1 / bounds_root_hold(plan), "root");
  lower(&bound, plan->leaves / (plan->desk + plan->transfer), "desk");
  if (plan->bytes > 0) lower(&bound, plan->rate / plan->bytes, "memory");
  return bound;
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
