#include "scale/leafwork.h"

#include "scale/bounds.h"
#include "scale/crowding.h"
#include "scale/moments.h"
#include "scale/station.h"
#include "scale/variate.h"

typedef enum {
  COURIER_FREE, /* item: thread */
  PIECE_LEAVES, /* the master; item: piece */
  PIECE_COMES,  /* to the foreman */
  PIECE_THERE,  /* at its rank */
  PIECE_DONE,   /* there */
  RESULT_COMES, /* to the foreman */
  RESULT_THERE  /* at the master */
} LeafEvent;

typedef struct LeafPiece {
  uint32_t thread;
  double left; /* when the courier sent it */
} LeafPiece;

typedef struct Site {
  const LeafPlan *plan;
  Moments moments;
  Random random;
  Station to_foreman, to_ranks, from_ranks, to_master; /* wires */
  Station foreman;
  Station *threads;
  uint32_t *loads; /* pieces under way, by thread */
  VECTOR(LeafPiece) pieces;
  NumberVector free;    /* pieces that are not in use */
  NumberVector waiting; /* results at the master */
  bool idle;            /* the courier has nothing to do */
  uint32_t next;        /* thread to begin with */
  uint32_t open;        /* pieces under way */
  double worked;        /* seconds of the courier */
  double turnarounds, area, since;
  uint64_t sent, returned;
} Site;

static double piece_bytes(const LeafPlan *plan) {
  return plan->piece_head + plan->leaves * plan->piece_leaf;
}

static double result_bytes(const LeafPlan *plan) {
  return plan->result_head + plan->leaves * plan->result_leaf;
}

/* Puts a message on a wire, to arrive as this event. */
static void carry(Site *site, Station *wire, double now, double bytes,
                  LeafEvent event, uint32_t piece) {
  const LeafPlan *plan = site->plan;
  double end = station_serve(wire, now, bytes / plan->rate);
  moments_add(&site->moments, end + plan->latency, event, piece);
}

/* Time passes with this many leaves under way. */
static void count_open(Site *site, double now, int change) {
  site->area += (now - site->since) * site->open;
  site->since = now;
  site->open = (uint32_t)((int)site->open + change);
}

/* ---- the courier ---- */

static double work(Site *site, double now, double seconds) {
  site->worked += seconds;
  return now + seconds;
}

static double back_up(Site *site, double now) {
  const LeafPlan *plan = site->plan;
  uint32_t piece = site->waiting.data[0];
  memmove(site->waiting.data, site->waiting.data + 1,
          --site->waiting.count * sizeof piece);
  now = work(site, now,
             plan->message + result_bytes(plan) * plan->byte +
                 plan->leaves * plan->back);
  site->turnarounds += now - site->pieces.data[piece].left;
  site->returned += plan->leaves;
  vector_push(&site->free, piece);
  return now;
}

static uint32_t new_piece(Site *site) {
  if (site->free.count) return site->free.data[--site->free.count];
  vector_push(&site->pieces, (LeafPiece){0});
  return site->pieces.count - 1;
}

static double send_piece(Site *site, double now) {
  const LeafPlan *plan = site->plan;
  count_open(site, now, 1);
  uint32_t piece = new_piece(site);
  now = work(site, now,
             plan->leaves * plan->make + plan->message +
                 piece_bytes(plan) * plan->byte);
  site->pieces.data[piece].left = now;
  site->sent += plan->leaves;
  moments_add(&site->moments, now, PIECE_LEAVES, piece);
  return now;
}

/* Pieces that may be under way. */
static uint32_t room(const LeafPlan *plan) {
  uint32_t pieces = plan->most / plan->leaves;
  if (pieces > plan->threads * plan->stock)
    pieces = plan->threads * plan->stock;
  return pieces ? pieces : 1;
}

static void run_courier(Site *site, double now) {
  if (site->waiting.count) {
    count_open(site, now, -1);
    now = back_up(site, now);
  } else if (site->open < room(site->plan)) {
    now = send_piece(site, now);
  } else {
    site->idle = true;
    return;
  }
  moments_add(&site->moments, now, COURIER_FREE, 0);
}

/* ---- the foreman and the ranks ---- */

/* Deals a piece to the thread that has the fewest. */
static void deal(Site *site, double now, uint32_t piece) {
  const LeafPlan *plan = site->plan;
  uint32_t best = site->next++ % plan->threads;
  for (uint32_t i = 0; i < plan->threads && site->loads[best]; i++) {
    uint32_t thread = (site->next + i) % plan->threads;
    if (site->loads[thread] < site->loads[best]) best = thread;
  }
  site->loads[best]++;
  site->pieces.data[piece].thread = best;
  double end = station_serve(&site->foreman, now,
                             plan->relay + piece_bytes(plan) * plan->byte);
  carry(site, &site->to_ranks, end, piece_bytes(plan), PIECE_THERE, piece);
}

static void begin_piece(Site *site, double now, uint32_t piece) {
  const LeafPlan *plan = site->plan;
  uint32_t thread = site->pieces.data[piece].thread;
  double mean = plan->start + plan->leaves * plan->repeat * plan->playout;
  if (thread < plan->slow_share * plan->threads) mean *= plan->slow_factor;
  double seconds = variate_around(&site->random, mean, plan->spread);
  moments_add(&site->moments,
              station_serve(&site->threads[thread], now, seconds), PIECE_DONE,
              piece);
}

static void end_piece(Site *site, double now, uint32_t piece) {
  carry(site, &site->from_ranks, now, result_bytes(site->plan), RESULT_COMES,
        piece);
}

static void relay_result(Site *site, double now, uint32_t piece) {
  const LeafPlan *plan = site->plan;
  site->loads[site->pieces.data[piece].thread]--;
  double end = station_serve(&site->foreman, now,
                             plan->relay + result_bytes(plan) * plan->byte);
  carry(site, &site->to_master, end, result_bytes(plan), RESULT_THERE, piece);
}

static void take_result(Site *site, double now, uint32_t piece) {
  vector_push(&site->waiting, piece);
  if (site->idle) moments_add(&site->moments, now, COURIER_FREE, 0);
  site->idle = false;
}

/* ---- a run ---- */

static void handle(Site *site, const Event *event) {
  switch ((LeafEvent)event->kind) {
  case COURIER_FREE: run_courier(site, event->time); break;
  case PIECE_LEAVES:
    carry(site, &site->to_foreman, event->time, piece_bytes(site->plan),
          PIECE_COMES, event->item);
    break;
  case PIECE_COMES: deal(site, event->time, event->item); break;
  case PIECE_THERE: begin_piece(site, event->time, event->item); break;
  case PIECE_DONE: end_piece(site, event->time, event->item); break;
  case RESULT_COMES: relay_result(site, event->time, event->item); break;
  case RESULT_THERE: take_result(site, event->time, event->item); break;
  }
}

/* What is counted, so that the beginning can be taken off. */
typedef struct Counts {
  double worked, foreman, wires[4], ranks, area, turnarounds;
  uint64_t returned;
} Counts;

static Counts count(Site *site, double now) {
  count_open(site, now, 0);
  Counts counts = {
      .worked = site->worked,
      .foreman = site->foreman.used,
      .wires = {site->to_foreman.used, site->to_ranks.used,
                site->from_ranks.used, site->to_master.used},
      .area = site->area,
      .turnarounds = site->turnarounds,
      .returned = site->returned,
  };
  for (uint32_t i = 0; i < site->plan->threads; i++)
    counts.ranks += site->threads[i].used;
  return counts;
}

static LeafResult sum_up(const Site *site, const Counts *from, const Counts *to,
                         double seconds) {
  const LeafPlan *plan = site->plan;
  double returned = (double)(to->returned - from->returned);
  LeafResult result = {
      .rate = returned / seconds,
      .under_way = (to->area - from->area) * plan->leaves / seconds,
      .turnaround = returned > 0 ? (to->turnarounds - from->turnarounds) *
                                       plan->leaves / returned
                                 : 0,
      .courier = (to->worked - from->worked) / seconds,
      .foreman = (to->foreman - from->foreman) / seconds,
      .ranks = (to->ranks - from->ranks) / seconds / plan->threads,
      .sent = site->sent,
      .returned = site->returned,
  };
  for (uint32_t i = 0; i < 4; i++) {
    double share = (to->wires[i] - from->wires[i]) / seconds;
    if (share > result.wire) result.wire = share;
  }
  return result;
}

/* Leaves that left and are not backed up: pieces whose numbers are in use. */
static uint64_t count_missing(const Site *site) {
  return (uint64_t)(site->pieces.count - site->free.count) * site->plan->leaves;
}

static void release(Site *site) {
  memory_delete(site->threads);
  memory_delete(site->loads);
  vector_free(&site->pieces);
  vector_free(&site->free);
  vector_free(&site->waiting);
  moments_free(&site->moments);
}

/* The first fifth of the time does not count. */
LeafResult leafwork_run(const LeafPlan *plan) {
  Site site = {.plan = plan,
               .threads = memory_new(plan->threads * sizeof(Station)),
               .loads = memory_new(plan->threads * sizeof(uint32_t))};
  random_seed(&site.random, plan->seed);
  moments_add(&site.moments, 0, COURIER_FREE, 0);
  double warm = plan->seconds / 5;
  Counts from = {0};
  bool counting = false;
  Event event;
  while (moments_take(&site.moments, &event) && event.time < plan->seconds) {
    if (!counting && event.time >= warm) from = count(&site, warm);
    counting |= event.time >= warm;
    handle(&site, &event);
  }
  Counts to = count(&site, plan->seconds);
  LeafResult result = sum_up(&site, &from, &to, plan->seconds - warm);
  result.open = count_missing(&site);
  release(&site);
  return result;
}

/* The foreman makes pieces that take a thread about ten milliseconds. */
static uint32_t piece_leaves(const LeafPlan *plan) {
  double leaves = 0.010 / (plan->repeat * plan->playout);
  if (leaves > plan->most) leaves = plan->most;
  return leaves < 8 ? 8 : (uint32_t)leaves;
}

/* Messages: a piece has 28 bytes and its states;
   a result 60, what it says of moves, and for each leaf two numbers and two
   roles' sums. The courier shares the tree with the master's threads. */
LeafPlan leafwork_plan(const Costs *costs, const GameCosts *game,
                       uint32_t ranks, uint32_t threads, uint32_t repeat) {
  const MachineCosts *machine = &costs->machine;
  CrowdPlan crowd = crowding_plan(machine, game, threads + 1, BOUNDS_REPEAT);
  LeafPlan plan = {
      .threads = ranks * threads,
      .stock = 3,
      .most = 8192,
      .repeat = repeat,
      .make = game->descend + game->expand + bounds_sharing_down(&crowd),
      .back = game->backup + bounds_sharing_up(&crowd),
      .start = game->start,
      .playout = game->playout,
      .spread = game->spread,
      .slow_factor = 1,
      .message = machine->tcp_message,
      .relay = machine->tcp_message + machine->mpi_message,
      .byte = 2 / machine->copy,
      .latency = costs->network.latency,
      .rate = costs->network.rate,
      .piece_head = 28,
      .piece_leaf = game->state,
      .result_head = 60 + game->credit,
      .result_leaf = 24,
      .seconds = 1,
      .seed = 1,
  };
  plan.leaves = piece_leaves(&plan);
  return plan;
}
