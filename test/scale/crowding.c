#include "scale/crowding.h"

#include <math.h>

#include "scale/moments.h"
#include "scale/station.h"
#include "scale/variate.h"

enum {
  LEVELS_MOST = 24,    /* of the main line that are told apart, */
  WIDTH_MOST = 16,     /* with so many moves each */
  NOWHERE = UINT32_MAX /* in no node that is told apart */
};

static const double least_share = 0.02; /* of the descents, in such a node */

typedef enum { DOWN, EXPAND, PLAY, UP, DESK, PHASES } Phase;

typedef enum { STEP, CLOSE, OPEN } CrowdEvent;

/* Lessons of one node that follow each other. */
typedef struct Lesson {
  uint32_t node, count;
} Lesson;

typedef struct Thread {
  Phase phase;
  uint32_t leaf, level;   /* within the phase */
  uint32_t made;          /* nodes since the last chunk */
  bool inside;            /* the tree */
  uint32_t *left;         /* by leaf: the level at which it leaves the line, */
  uint32_t *side;         /* and the other child there */
  VECTOR(Lesson) lessons; /* of the level, going up: runs of them */
  uint32_t next;          /* of those */
} Thread;

typedef struct Crowd {
  const CrowdPlan *plan;
  Moments moments;
  Random random;
  uint32_t levels, width;
  VECTOR(Station) nodes; /* by level: that of the line, and the others */
  bool *seen;            /* scratch, by child: it was taught */
  Station allocator, memory, desk;
  Thread *threads;
  uint32_t inside;      /* threads in the tree */
  bool closing;         /* nobody may enter it */
  NumberVector outside; /* threads that want to */
  double worked;        /* seconds without waiting, of all threads */
  CrowdResult result;
} Crowd;

/* ---- the tree ---- */

double crowding_stay(const CrowdPlan *plan, uint32_t level) {
  if (!level) return plan->best;
  return plan->line > plan->best ? 1 - plan->best / plan->line : 0;
}

uint32_t crowding_levels(const CrowdPlan *plan) {
  double share = 1;
  uint32_t levels = 0;
  while (levels < LEVELS_MOST && share >= least_share &&
         (!levels || levels < plan->depth))
    share *= crowding_stay(plan, levels++);
  return levels;
}

/* Level `levels` has only other children, of the line's last node. */
static void make_tree(Crowd *crowd) {
  const CrowdPlan *plan = crowd->plan;
  crowd->levels = crowding_levels(plan);
  crowd->width = plan->width < 1            ? 1
                 : plan->width > WIDTH_MOST ? WIDTH_MOST
                                            : plan->width;
  uint32_t count = (crowd->levels + 1) * crowd->width;
  vector_resize(&crowd->nodes, count);
  memset(crowd->nodes.data, 0, count * sizeof *crowd->nodes.data);
  for (uint32_t i = 0; i < count; i++) crowd->nodes.data[i].owner = UINT32_MAX;
  crowd->seen = memory_new(crowd->width * sizeof *crowd->seen);
}

static void choose_way(Crowd *crowd, Thread *thread, uint32_t leaf) {
  uint32_t level = 1;
  while (level < crowd->levels &&
         (crowd->width == 1 ||
          variate_unit(&crowd->random) < crowding_stay(crowd->plan, level - 1)))
    level++;
  thread->left[leaf] = level;
  thread->side[leaf] =
      crowd->width > 1 ? 1 + random_below(&crowd->random, crowd->width - 1) : 0;
}

/* The station of a leaf's way at a level. */
static uint32_t node_at(const Crowd *crowd, const Thread *thread, uint32_t leaf,
                        uint32_t level) {
  uint32_t left = thread->left[leaf];
  if (level < left) return level * crowd->width;
  if (level > left || left == crowd->levels) return NOWHERE;
  return level * crowd->width + thread->side[leaf];
}

/* ---- who is in the tree ---- */

/* Returns false if the thread has to wait; it will be asked again. */
static bool enter(Crowd *crowd, uint32_t number) {
  Thread *thread = &crowd->threads[number];
  if (crowd->closing) {
    vector_push(&crowd->outside, number);
    return false;
  }
  thread->inside = true;
  crowd->inside++;
  return true;
}

static void leave(Crowd *crowd, uint32_t number, double now) {
  crowd->threads[number].inside = false;
  if (--crowd->inside == 0 && crowd->closing)
    moments_add(&crowd->moments, now + crowd->plan->clear, OPEN, 0);
}

static void close_tree(Crowd *crowd, double now) {
  crowd->closing = true;
  if (!crowd->inside)
    moments_add(&crowd->moments, now + crowd->plan->clear, OPEN, 0);
}

static void open_tree(Crowd *crowd, double now) {
  crowd->closing = false;
  for (uint32_t i = 0; i < crowd->outside.count; i++)
    moments_add(&crowd->moments, now, STEP, crowd->outside.data[i]);
  vector_clear(&crowd->outside);
  moments_add(&crowd->moments, now + crowd->plan->clear_every, CLOSE, 0);
}

/* ---- a thread's steps; each returns when it is over ---- */

static double work(Crowd *crowd, double now, double seconds) {
  crowd->worked += seconds;
  return now + seconds;
}

static double lock(Crowd *crowd, Station *station, double now, uint32_t number,
                   double held) {
  const CrowdPlan *plan = crowd->plan;
  held += plan->lock;
  crowd->worked += held;
  return station_lock(station, now, number, held, plan->transfer);
}

static void next_phase(Crowd *crowd, Thread *thread) {
  thread->phase = (Phase)((thread->phase + 1) % PHASES);
  thread->leaf = 0;
  thread->level = thread->phase == UP ? crowd->levels : 0;
}

static double nodes(const CrowdPlan *plan) {
  return plan->depth < 1 ? 1 : plan->depth;
}

/* Leaves from this one on that pass the same node, as far as one thread keeps a
   lock. */
static uint32_t count_row(const Crowd *crowd, const Thread *thread,
                          uint32_t node) {
  const CrowdPlan *plan = crowd->plan;
  uint32_t most = thread->level ? plan->turn : plan->row, row = 1;
  while (row < most && thread->leaf + row < plan->leaves &&
         node_at(crowd, thread, thread->leaf + row, thread->level) == node)
    row++;
  return row;
}

/* What is below the nodes that are told apart, for all leaves of the round. */
static double pass_rest(Crowd *crowd, double now) {
  const CrowdPlan *plan = crowd->plan;
  double below = nodes(plan) - crowd->levels;
  if (below <= 0) return now;
  return work(crowd, now,
              plan->leaves * below *
                  (plan->descend / nodes(plan) + plan->lock));
}

static void begin_round(Crowd *crowd, Thread *thread) {
  crowd->result.begun += crowd->plan->leaves;
  for (uint32_t i = 0; i < crowd->plan->leaves; i++)
    choose_way(crowd, thread, i);
}

/* All descents of a round take turns: each level is passed by all of them. The
   root's lock is taken once for a row, that of another node for each leaf. */
static double go_down(Crowd *crowd, uint32_t number, double now) {
  const CrowdPlan *plan = crowd->plan;
  Thread *thread = &crowd->threads[number];
  double each = plan->descend / nodes(plan);
  if (!thread->level && !thread->leaf) begin_round(crowd, thread);
  uint32_t node = node_at(crowd, thread, thread->leaf, thread->level);
  uint32_t row = count_row(crowd, thread, node);
  uint32_t locks = thread->level ? row : 1;
  if (node == NOWHERE) {
    now = work(crowd, now, row * (each + plan->lock));
  } else {
    now = work(crowd, now, row * each * (1 - plan->held));
    now = lock(crowd, &crowd->nodes.data[node], now, number,
               row * each * plan->held + (locks - 1) * plan->lock);
  }
  thread->leaf += row;
  if (thread->leaf < plan->leaves) return now;
  thread->leaf = 0;
  if (++thread->level < crowd->levels) return now;
  next_phase(crowd, thread);
  return pass_rest(crowd, now);
}

/* Leaves are expanded together, then entered one by one. */
static double expand(Crowd *crowd, uint32_t number, double now) {
  const CrowdPlan *plan = crowd->plan;
  Thread *thread = &crowd->threads[number];
  if (!thread->leaf) {
    double shared = plan->threads > 1 ? plan->insert : 0;
    now = work(crowd, now, plan->leaves * (plan->expand + shared));
    thread->made += plan->leaves;
    thread->leaf = plan->leaves;
  }
  if (thread->made >= plan->chunk) {
    thread->made -= plan->chunk;
    return lock(crowd, &crowd->allocator, now, number, plan->allocate);
  }
  next_phase(crowd, thread);
  return now;
}

/* What the round has read and written comes through the memory meanwhile. */
static double play(Crowd *crowd, uint32_t number, double now) {
  const CrowdPlan *plan = crowd->plan;
  double moved = station_serve(&crowd->memory, now,
                               plan->leaves * plan->bytes / plan->rate);
  double end = work(crowd, now, plan->leaves * plan->playout);
  next_phase(crowd, &crowd->threads[number]);
  return end > moved ? end : moved;
}

/* Adds a lesson, to the last run if that is of the same node. Elsewhere nobody
   waits: it ends a run. */
static void add_lesson(Thread *thread, uint32_t node) {
  uint32_t count = thread->lessons.count;
  if (node != NOWHERE && count && thread->lessons.data[count - 1].node == node)
    thread->lessons.data[count - 1].count++;
  else
    vector_push(&thread->lessons, ((Lesson){node, 1}));
}

/* In the order of the leaves. In a node of the line those who go to the same
   child have one lesson in common. */
static void gather(Crowd *crowd, Thread *thread, uint32_t level) {
  vector_clear(&thread->lessons);
  thread->next = 0;
  memset(crowd->seen, 0, crowd->width * sizeof *crowd->seen);
  for (uint32_t i = 0; i < crowd->plan->leaves; i++) {
    uint32_t node = node_at(crowd, thread, i, level);
    if (level < thread->left[i]) {
      uint32_t child = level + 1 < thread->left[i] ? 0 : thread->side[i];
      if (crowd->seen[child]) continue;
      crowd->seen[child] = true;
    }
    add_lesson(thread, node);
  }
}

static double lesson_time(const CrowdPlan *plan) {
  return plan->lessons > 0 ? plan->taught * plan->backup / plan->lessons : 0;
}

/* What a round's backup takes besides lessons, and those of nodes that are not
   told apart. */
static double begin_up(Crowd *crowd, Thread *thread, double now) {
  const CrowdPlan *plan = crowd->plan;
  double lessons = plan->leaves * plan->lessons;
  for (uint32_t level = crowd->levels; level-- > 0;) {
    gather(crowd, thread, level);
    for (uint32_t i = 0; i < thread->lessons.count; i++)
      if (thread->lessons.data[i].node != NOWHERE)
        lessons -= thread->lessons.data[i].count;
  }
  now = work(crowd, now, plan->leaves * plan->backup * (1 - plan->taught));
  if (lessons <= 0) return now;
  return work(crowd, now, lessons * (lesson_time(plan) + plan->lock));
}

/* Teaches a run of lessons. */
static double teach(Crowd *crowd, uint32_t number, double now) {
  Thread *thread = &crowd->threads[number];
  const Lesson *run = &thread->lessons.data[thread->next++];
  if (run->node == NOWHERE) return now;
  return lock(crowd, &crowd->nodes.data[run->node], now, number,
              run->count * lesson_time(crowd->plan));
}

/* Level by level; `level` is the one whose lessons were gathered last. */
static double go_up(Crowd *crowd, uint32_t number, double now) {
  Thread *thread = &crowd->threads[number];
  if (thread->level == crowd->levels) {
    now = begin_up(crowd, thread, now);
    gather(crowd, thread, --thread->level);
  }
  now = teach(crowd, number, now);
  while (thread->next == thread->lessons.count && thread->level)
    gather(crowd, thread, --thread->level);
  if (thread->next < thread->lessons.count) return now;
  crowd->result.done += crowd->plan->leaves;
  next_phase(crowd, thread);
  return now;
}

static double visit_desk(Crowd *crowd, uint32_t number, double now) {
  next_phase(crowd, &crowd->threads[number]);
  if (crowd->plan->threads == 1) return now;
  return lock(crowd, &crowd->desk, now, number, crowd->plan->desk);
}

/* With one lock a phase is one piece of work; half of expanding needs the
   tree. */
static double step_whole(Crowd *crowd, uint32_t number, double now) {
  const CrowdPlan *plan = crowd->plan;
  Thread *thread = &crowd->threads[number];
  Station *root = &crowd->nodes.data[0];
  Phase phase = thread->phase;
  if (phase == PLAY) return play(crowd, number, now);
  next_phase(crowd, thread);
  if (phase == DESK) return now;
  if (phase == DOWN) {
    crowd->result.begun += plan->leaves;
    return lock(crowd, root, now, number, plan->leaves * plan->descend);
  }
  if (phase == EXPAND) {
    now = work(crowd, now, plan->leaves * plan->expand / 2);
    return lock(crowd, root, now, number, plan->leaves * plan->expand / 2);
  }
  now = lock(crowd, root, now, number, plan->leaves * plan->backup);
  crowd->result.done += plan->leaves;
  return now;
}

static bool in_tree(const CrowdPlan *plan, Phase phase) {
  return !plan->one_lock && (phase == DOWN || phase == UP);
}

/* Does the thread's next step and says when the one after it comes. */
static void step(Crowd *crowd, uint32_t number, double now) {
  const CrowdPlan *plan = crowd->plan;
  Thread *thread = &crowd->threads[number];
  if (thread->inside && !in_tree(plan, thread->phase))
    leave(crowd, number, now);
  if (!thread->inside && in_tree(plan, thread->phase) && !enter(crowd, number))
    return;
  if (plan->one_lock)
    now = step_whole(crowd, number, now);
  else
    switch (thread->phase) {
    case DOWN: now = go_down(crowd, number, now); break;
    case EXPAND: now = expand(crowd, number, now); break;
    case PLAY: now = play(crowd, number, now); break;
    case UP: now = go_up(crowd, number, now); break;
    default: now = visit_desk(crowd, number, now); break;
    }
  moments_add(&crowd->moments, now, STEP, number);
}

/* ---- a run ---- */

static void begin(Crowd *crowd) {
  const CrowdPlan *plan = crowd->plan;
  random_seed(&crowd->random, plan->seed);
  make_tree(crowd);
  crowd->threads = memory_new(plan->threads * sizeof *crowd->threads);
  double round = plan->leaves *
                 (plan->descend + plan->expand + plan->playout + plan->backup);
  for (uint32_t i = 0; i < plan->threads; i++) {
    crowd->threads[i].left = memory_new(plan->leaves * sizeof(uint32_t));
    crowd->threads[i].side = memory_new(plan->leaves * sizeof(uint32_t));
    moments_add(&crowd->moments, round * variate_unit(&crowd->random), STEP, i);
  }
  if (plan->clear_every > 0 && plan->threads > 1 && !plan->one_lock)
    moments_add(&crowd->moments, plan->clear_every, CLOSE, 0);
}

static void end(Crowd *crowd) {
  for (uint32_t i = 0; i < crowd->plan->threads; i++) {
    memory_delete(crowd->threads[i].left);
    memory_delete(crowd->threads[i].side);
    vector_free(&crowd->threads[i].lessons);
  }
  memory_delete(crowd->threads);
  memory_delete(crowd->seen);
  vector_free(&crowd->nodes);
  vector_free(&crowd->outside);
  moments_free(&crowd->moments);
}

/* The first fifth of the time does not count: threads begin out of step. */
CrowdResult crowding_run(const CrowdPlan *plan) {
  Crowd crowd = {.plan = plan};
  Event event;
  double warm = plan->seconds / 5, used = 0, worked = 0;
  uint64_t before = 0;
  bool counting = false;
  begin(&crowd);
  while (moments_take(&crowd.moments, &event) && event.time < plan->seconds) {
    if (!counting && event.time >= warm) {
      counting = true;
      before = crowd.result.done;
      used = crowd.nodes.data[0].used;
      worked = crowd.worked;
    }
    if (event.kind == STEP) step(&crowd, event.item, event.time);
    if (event.kind == CLOSE) close_tree(&crowd, event.time);
    if (event.kind == OPEN) open_tree(&crowd, event.time);
  }
  CrowdResult result = crowd.result;
  double counted = plan->seconds - warm;
  result.rate = (double)(result.done - before) / counted;
  result.root = (crowd.nodes.data[0].used - used) / counted;
  result.waiting = 1 - (crowd.worked - worked) / counted / plan->threads;
  result.under_way = result.begun - result.done;
  end(&crowd);
  return result;
}

/* What was not measured one by one is counted in cache lines that move: a node
   that another thread had brings its head, its actions and their bounds; a new
   node is put into the table and under its parent; the desk and the allocator
   have a few lines each. Of the nodes that a descent passes, the lower half is
   in no cache. A store takes 64 nodes at once, and the tree is cleared every 10
   ms (src/search/tree_layout.h, src/search/workers.c). */
CrowdPlan crowding_plan(const MachineCosts *machine, const GameCosts *game,
                        uint32_t threads, uint32_t repeat) {
  double line = threads > machine->near ? machine->far : machine->line;
  return (CrowdPlan){.threads = threads,
                     .descend = game->descend,
                     .expand = game->expand,
                     .backup = game->backup,
                     .playout = repeat * game->playout,
                     .held = 0.8,
                     .taught = 0.5,
                     .lock = machine->lock,
                     .transfer = 3 * line,
                     .insert = 2 * line,
                     .allocate = 4 * line,
                     .chunk = 64,
                     .desk = 8 * line,
                     .clear_every = 0.01,
                     .clear = 20e-6,
                     .depth = game->depth,
                     .best = game->best,
                     .line = game->line,
                     .lessons = game->lessons,
                     .width = (uint32_t)game->width,
                     .bytes = game->node + game->depth / 2 * 4 * 64,
                     .rate = machine->memory,
                     .leaves = CROWDING_LEAVES,
                     .row = 32,
                     .turn = 8,
                     .seconds = 0.05,
                     .seed = 1};
}
