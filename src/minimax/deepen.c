/* Each thread searches the moves of the root to one depth after the other. The
   first one's results count; the others' only reach it by way of the table
   (lazy SMP). A move that somebody searches is put off by the others, so that
   they are elsewhere (minimax/busy.h). */
#include "minimax/deepen.h"

#include <math.h>

#include "base/clock.h"
#include "base/thread.h"
#include "minimax/alphabeta.h"
#include "minimax/several.h"

enum { THREADS_MOST = 256 };

void deepen_publish(Minimax *minimax) {
  const Move *moves;
  const RootMoves *list = &minimax->workers[0]->moves;
  if (minimax->turn.role == minimax->role && list->count)
    atomic_store(&minimax->best, list->data[0].move);
  else if (game_legal(minimax->game, minimax->role, &moves))
    atomic_store(&minimax->best, moves[0]);
}

/* Puts the move at `at` first; those before it move back. */
static void bring_first(RootMoves *moves, uint32_t at) {
  RootMove move = moves->data[at];
  memmove(moves->data + 1, moves->data, at * sizeof *moves->data);
  moves->data[0] = move;
}

/* Searches a move in a window from the view of the role in turn. */
static Result search_move(Worker *worker, RootMove *move, uint32_t depth,
                          Score low, Score high) {
  const Minimax *minimax = worker->minimax;
  bool other = minimax->turn.movers && minimax->mover != minimax->role;
  if (minimax->maxn)
    return several_search_move(worker, move->move, depth, &move->own);
  Result result =
      other ? alphabeta_search_move(worker, move->move, depth, -high, -low)
            : alphabeta_search_move(worker, move->move, depth, low, high);
  move->own = result.score;
  if (other) result.score = -result.score;
  return result;
}

static void search_root_move(Worker *worker, RootMove *move, uint32_t depth,
                             bool first, Score best) {
  Result result;
  if (first) {
    result = search_move(worker, move, depth, -SCORE_INFINITE, SCORE_INFINITE);
  } else {
    RootMove before = *move;
    result = search_move(worker, move, depth, best, best + 1);
    if (!worker->stopped && result.score > best && !worker->minimax->maxn)
      result = search_move(worker, move, depth, best, SCORE_INFINITE);
    if (worker->stopped) *move = before;
  }
  if (worker->stopped) return;
  move->score = result.score;
  move->exact = result.exact;
  move->bound = first || result.score > best ? BOUND_EXACT : BOUND_UPPER;
  move->line = worker->plies[1].line;
}

/* Returns true if time will be left after a depth that begins now. */
static bool will_go_on(const Worker *worker, double now) {
  static const double least = 1.5, most = 4, usual = 3;
  const Limit *limit = &worker->minimax->limit;
  double factor = worker->before > 0 ? worker->lasted / worker->before : usual;
  if (limit->budget.seconds <= 0) return true;
  factor = factor < least ? least : factor > most ? most : factor;
  return now + factor * worker->lasted < limit->deadline;
}

/* The best of the root's moves so far, whether all of them were exact, and how
   many were put off. */
typedef struct Sweep {
  Score best;
  bool exact;
  uint32_t late;
} Sweep;

static uint64_t mark_of(const Worker *worker, uint32_t i, uint32_t depth) {
  return busy_mark(worker->plies[0].key, worker->moves.data[i].move, depth);
}

/* Returns true if another thread searches the move at `i`, so that it comes
   after the others. */
static bool put_off(Worker *worker, uint32_t i, uint32_t depth, Sweep *sweep) {
  RootMove *move = &worker->moves.data[i];
  move->late = i && busy_has(&worker->minimax->busy, mark_of(worker, i, depth));
  sweep->late += move->late;
  return move->late;
}

/* Searches the move at `i`; if it is better than all before, it comes first.
   Returns false if it was broken off. */
static bool try_root_move(Worker *worker, uint32_t i, uint32_t depth,
                          Sweep *sweep) {
  Minimax *minimax = worker->minimax;
  RootMove *move = &worker->moves.data[i];
  uint64_t mark = mark_of(worker, i, depth);
  move->late = false;
  busy_add(&minimax->busy, mark);
  search_root_move(worker, move, depth, !i, sweep->best);
  busy_remove(&minimax->busy, mark);
  if (worker->stopped) return false;
  sweep->exact &= move->exact;
  if (move->score <= sweep->best) return true;
  sweep->best = move->score;
  bring_first(&worker->moves, i);
  if (worker->number) return true;
  minimax->score = worker->moves.data[0].own;
  deepen_publish(minimax);
  return true;
}

/* Searches all moves to a depth. Returns false if it was broken off. */
static bool deepen(Worker *worker, uint32_t depth) {
  Minimax *minimax = worker->minimax;
  double start = clock_now();
  worker->asks = minimax->nest && minimax->breeder && will_go_on(worker, start);
  Sweep sweep = {-SCORE_INFINITE, true, 0};
  for (uint32_t i = 0; i < worker->moves.count; i++)
    if (!put_off(worker, i, depth, &sweep) &&
        !try_root_move(worker, i, depth, &sweep))
      return false;
  for (uint32_t i = 0; sweep.late && i < worker->moves.count; i++) {
    if (!worker->moves.data[i].late) continue;
    sweep.late--;
    if (!try_root_move(worker, i, depth, &sweep)) return false;
  }
  worker->before = worker->lasted;
  worker->lasted = clock_now() - start;
  if (worker->number) return true;
  minimax->depth = depth;
  minimax->proven =
      sweep.exact ||
      (!minimax->maxn && scale_decided(&minimax->scale, minimax->score));
  return true;
}

static void measure(Minimax *minimax, uint64_t spent) {
  if (minimax->depth_states)
    minimax->branching = (double)spent / (double)minimax->depth_states;
  minimax->depth_states = spent;
}

/* The first thread. */
static void lead(void *context) {
  Worker *worker = context;
  Minimax *minimax = worker->minimax;
  alphabeta_stand(worker);
  while (!minimax->proven && minimax->depth < minimax->depth_limit) {
    uint64_t before = worker->states;
    if (minimax->worker_count == 1) transpositions_grow(&minimax->table, 0);
    if (!deepen(worker, minimax->depth + 1)) break;
    measure(minimax, worker->states - before);
    worker->next_look = 0;
    if (alphabeta_stopped(worker)) break;
  }
  atomic_store(&minimax->halt, true);
}

static void help(void *context) {
  Worker *worker = context;
  alphabeta_stand(worker);
  for (uint32_t depth = 1 + worker->number % 3; depth < PLY_MOST; depth++)
    if (!deepen(worker, depth)) return;
}

static void *work(void *argument) {
  Worker *worker = argument;
  Minimax *minimax = worker->minimax;
  if (!trial_help(&worker->helper, worker->number ? help : lead, worker)) {
    atomic_store(&minimax->failed, true);
    atomic_store(&minimax->halt, true);
  }
  return NULL;
}

static void copy_moves(Minimax *minimax) {
  const RootMoves *from = &minimax->workers[0]->moves;
  for (uint32_t i = 1; i < minimax->worker_count; i++) {
    RootMoves *to = &minimax->workers[i]->moves;
    vector_resize(to, from->count);
    memcpy(to->data, from->data, from->count * sizeof *from->data);
  }
}

/* About as many nodes as several threads will enter: the table cannot grow
   while they do. */
static uint64_t nodes_ahead(const Minimax *minimax, uint32_t threads) {
  static const double rate = 1e5; /* of a thread, in a second */
  double seconds = fmin(minimax->limit.budget.seconds, 3600);
  return threads > 1 && seconds > 0 ? (uint64_t)(rate * seconds * threads) : 0;
}

bool deepen_think(Minimax *minimax, uint32_t threads) {
  pthread_t started[THREADS_MOST];
  uint32_t count = 1, most = minimax->worker_count;
  if (threads && threads < most) most = threads;
  if (minimax->nest && minimax->breeder)
    most = breeder_leaves(minimax->breeder, most);
  if (minimax->listener) most = 1;
  transpositions_grow(&minimax->table, nodes_ahead(minimax, most));
  if (most == 1) {
    lead(minimax->workers[0]);
    return true;
  }
  copy_moves(minimax);
  for (uint32_t i = 0; i < most; i++)
    trial_helper_init(&minimax->workers[i]->helper, most);
  while (count < most && thread_start(&started[count], THREAD_STACK, work,
                                      minimax->workers[count]))
    count++;
  work(minimax->workers[0]);
  while (count > 1) pthread_join(started[--count], NULL);
  for (uint32_t i = 0; i < most; i++) trial_join(&minimax->workers[i]->helper);
  return !atomic_load(&minimax->failed);
}
