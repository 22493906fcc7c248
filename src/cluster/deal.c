#include "cluster/deal.h"

#include <math.h>

enum {
  FIRST = 64, /* leaves of a worker's first piece */
  LEAST = 8,
  MOST = 16384,
  AHEAD = 2, /* pieces for each thread that are under way, */
  STOCK = 3  /* and with those that wait for it */
};

/* What a piece is to take: long against the 12 to 50 µs that the foreman needs
   to relay one, short against a move. */
static const double piece_seconds = 0.010, newest = 0.3;

void deal_init(Deal *deal, uint32_t ranks) {
  *deal = (Deal){.repeat = 1};
  DealWorker worker = {.pace = piece_seconds / FIRST};
  for (uint32_t i = 0; i < ranks; i++) vector_push(&deal->workers, worker);
}

void deal_free(Deal *deal) {
  deal_clear(deal);
  vector_free(&deal->workers);
  vector_free(&deal->tasks);
}

void deal_enter(Deal *deal, uint32_t worker, uint32_t threads, uint32_t lanes) {
  deal->workers.data[worker].threads = threads;
  deal->workers.data[worker].lanes = lanes;
}

void deal_clear(Deal *deal) {
  for (uint32_t i = deal->first; i < deal->tasks.count; i++)
    text_free(&deal->tasks.data[i].message);
  vector_clear(&deal->tasks);
  deal->first = 0;
}

bool deal_add(Deal *deal, Text *message) {
  DealTask task = {.message = *message};
  if (!talk_read_piece(&task.message, &task.piece)) return false;
  *message = (Text){0};
  deal->repeat = task.piece.repeat;
  vector_push(&deal->tasks, task);
  return true;
}

static uint32_t piece_leaves(const Deal *deal, const DealWorker *worker) {
  double leaves = piece_seconds / worker->pace;
  double least = fmin((double)worker->lanes / deal->repeat, MOST);
  return (uint32_t)fmin(fmax(fmax(leaves, least), LEAST), MOST);
}

/* The worker that has least to do for its threads; returns false if all have
   enough. */
static bool find_worker(const Deal *deal, uint32_t *found) {
  double least = AHEAD;
  bool any = false;
  for (uint32_t i = 0; i < deal->workers.count; i++) {
    const DealWorker *worker = &deal->workers.data[i];
    if (!worker->threads) continue;
    double load = (double)worker->pieces / worker->threads;
    if (load >= least) continue;
    least = load;
    *found = i;
    any = true;
  }
  return any;
}

static void drop_first(Deal *deal) {
  text_free(&deal->tasks.data[deal->first++].message);
  if (deal->first < deal->tasks.count) return;
  vector_clear(&deal->tasks);
  deal->first = 0;
}

/* The rest of a task is not left over if it is small. */
bool deal_next(Deal *deal, uint32_t *worker, Text *piece) {
  if (deal->first == deal->tasks.count || !find_worker(deal, worker))
    return false;
  DealTask *task = &deal->tasks.data[deal->first];
  DealWorker *who = &deal->workers.data[*worker];
  Piece part = task->piece;
  uint32_t left = task->piece.leaves - task->next,
           most = piece_leaves(deal, who);
  part.first = task->next;
  part.leaves = left < most + most / 2 ? left : most;
  part.states += (size_t)part.first * part.words * sizeof(uint64_t);
  talk_write_piece(piece, &part);
  task->next += part.leaves;
  who->pieces++;
  if (part.leaves == left) drop_first(deal);
  return true;
}

void deal_done(Deal *deal, uint32_t worker, uint32_t leaves, double seconds) {
  DealWorker *who = &deal->workers.data[worker];
  if (who->pieces) who->pieces--;
  if (leaves && seconds > 0)
    who->pace += newest * (seconds / leaves - who->pace);
}

uint32_t deal_wanted(const Deal *deal) {
  double wanted = 0;
  for (uint32_t i = 0; i < deal->workers.count; i++) {
    const DealWorker *worker = &deal->workers.data[i];
    wanted += (double)worker->threads * STOCK * piece_leaves(deal, worker);
  }
  return wanted < UINT32_MAX / 2 ? (uint32_t)wanted : UINT32_MAX / 2;
}
