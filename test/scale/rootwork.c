#include "scale/rootwork.h"

#include "scale/bounds.h"
#include "scale/crowding.h"
#include "scale/moments.h"
#include "scale/station.h"
#include "scale/variate.h"

typedef enum {
  RANK_TELLS,   /* item: rank */
  SUMS_COME,    /* to the foreman; item: message */
  SUMS_TAKEN,   /* it has added them */
  FOREMAN_TELLS /* the master, and perhaps the ranks */
} RootEvent;

typedef struct RootNews {
  uint32_t rank;
  double left;
} RootNews;

typedef struct Assembly {
  const RootPlan *plan;
  Moments moments;
  Station foreman, in, out; /* in and out: its wires */
  VECTOR(RootNews) news;
  NumberVector free;
  double *known; /* by rank: when the sums left that the foreman has */
  double ages;
  uint64_t tellings, sent, taken, heard;
} Assembly;

static double handling(const RootPlan *plan) {
  return plan->message + plan->bytes * plan->byte;
}

static void tell(Assembly *assembly, double now, uint32_t rank) {
  const RootPlan *plan = assembly->plan;
  uint32_t item = assembly->news.count;
  if (assembly->free.count)
    item = assembly->free.data[--assembly->free.count];
  else
    vector_push(&assembly->news, (RootNews){0});
  assembly->news.data[item] = (RootNews){rank, now};
  assembly->sent++;
  double end = station_serve(&assembly->in, now, plan->bytes / plan->speed);
  moments_add(&assembly->moments, end + plan->latency, SUMS_COME, item);
  moments_add(&assembly->moments, now + plan->interval, RANK_TELLS, rank);
}

static void take(Assembly *assembly, double now, uint32_t item) {
  assembly->known[assembly->news.data[item].rank] =
      assembly->news.data[item].left;
  assembly->taken++;
  vector_push(&assembly->free, item);
  (void)now;
}

/* What the master learns now it knows until it is told again: half an interval
   older on the average. */
static void pass_on(Assembly *assembly, double now) {
  const RootPlan *plan = assembly->plan;
  double end = station_serve(&assembly->foreman, now,
                             plan->ranks * plan->sum + plan->report +
                                 plan->bytes * plan->byte);
  if (plan->back)
    for (uint32_t rank = 0; rank < plan->ranks; rank++) {
      double sent =
          station_serve(&assembly->foreman, now, handling(plan) + plan->sum);
      station_serve(&assembly->out, sent, plan->bytes / plan->speed);
      assembly->heard++;
    }
  if (now >= plan->seconds / 5) {
    double known = 0;
    for (uint32_t rank = 0; rank < plan->ranks; rank++)
      known += assembly->known[rank] / plan->ranks;
    assembly->ages += end + plan->latency + plan->telling / 2 - known;
    assembly->tellings++;
  }
  moments_add(&assembly->moments, now + plan->telling, FOREMAN_TELLS, 0);
}

static void handle(Assembly *assembly, const Event *event) {
  const RootPlan *plan = assembly->plan;
  switch ((RootEvent)event->kind) {
  case RANK_TELLS: tell(assembly, event->time, event->item); break;
  case SUMS_COME:
    moments_add(&assembly->moments,
                station_serve(&assembly->foreman, event->time, handling(plan)),
                SUMS_TAKEN, event->item);
    break;
  case SUMS_TAKEN: take(assembly, event->time, event->item); break;
  case FOREMAN_TELLS: pass_on(assembly, event->time); break;
  }
}

RootResult rootwork_run(const RootPlan *plan) {
  Assembly assembly = {.plan = plan,
                       .known = memory_new(plan->ranks * sizeof(double))};
  Random random;
  random_seed(&random, plan->seed);
  for (uint32_t rank = 0; rank < plan->ranks; rank++)
    moments_add(&assembly.moments, plan->interval * variate_unit(&random),
                RANK_TELLS, rank);
  moments_add(&assembly.moments, plan->telling, FOREMAN_TELLS, 0);
  Event event;
  while (moments_take(&assembly.moments, &event) && event.time < plan->seconds)
    handle(&assembly, &event);
  double messages = (double)(assembly.sent + assembly.heard);
  RootResult result = {
      .rate =
          plan->rate * (plan->ranks - messages * plan->lost / plan->seconds),
      .foreman = assembly.foreman.used / plan->seconds,
      .age = assembly.tellings ? assembly.ages / (double)assembly.tellings : 0,
      .sent = assembly.sent,
      .taken = assembly.taken,
      .open = assembly.news.count - assembly.free.count};
  memory_delete(assembly.known);
  vector_free(&assembly.news);
  vector_free(&assembly.free);
  moments_free(&assembly.moments);
  return result;
}

/* Messages have 28 bytes, and 20 for each of the
   root's actions; roles that wait have one. Ranks tell every tenth of a second
   (src/game/budget.h), the foreman every twentieth.
   Adding up looks at each action, which another core wrote. */
RootPlan rootwork_plan(const Costs *costs, const GameCosts *game,
                       uint32_t ranks, uint32_t threads, bool back) {
  const MachineCosts *machine = &costs->machine;
  CrowdPlan crowd = crowding_plan(machine, game, threads, BOUNDS_REPEAT);
  return (RootPlan){.ranks = ranks,
                    .interval = 0.1,
                    .telling = 0.05,
                    .back = back,
                    .rate = BOUNDS_REPEAT * bounds_threads(&crowd).rate,
                    .lost = machine->mpi_message + game->width * machine->line,
                    .message =
                        machine->mpi_message + game->width * machine->line,
                    .report = machine->tcp_message,
                    .sum = 5e-9 * game->width,
                    .byte = 1 / machine->copy,
                    .bytes = 28 + 20 * (game->width + 1),
                    .latency = costs->network.latency,
                    .speed = costs->network.rate,
                    .seconds = 5,
                    .seed = 1};
}
