/* One thread passes messages on: between ranks, to the threads that work
   (cluster/hand.h) and, in rank 0, to the master (cluster/foreman.h). It waits
   for nothing, and so is always heard of.

   A rank ends when it is told to, when the foreman is silent, or when the
   process that started it is gone: what is stopped or cut off does not stay. */
#include "cluster/worker.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cluster/foreman.h"
#include "cluster/hand.h"
#include "cluster/launch.h"
#include "options.h"

static const double beat_interval = 0.25;
static const double foreman_patience = 10; /* seconds without a word from it */
static const double busy_tick = 0.5e-3, idle_tick = 5e-3, sleep_tick = 50e-3;
static const double lively = 1; /* seconds after a message in which more come */
enum { END_PATIENCE = 3 };      /* seconds for all ranks to end */

typedef struct Worker {
  Ranks *ranks;
  Post post;
  Foreman *foreman; /* of rank 0; else NULL */
  Hand *hand;       /* NULL: no job yet, or it sleeps */
  int file;         /* eventfd: the hand has something to say */
  pid_t parent;
  double heard, beaten; /* of the foreman; and when it was told of us */
  double active;        /* when there was last something to do */
  bool over;
  Text message; /* buffer */
} Worker;

/* ---- messages ---- */

static void introduce(Worker *worker) {
  Mate mate = {.pid = (uint32_t)getpid(), .processors = thread_processors()};
  Text message = {0};
  text_add(&mate.host, ranks_host(worker->ranks));
  talk_write_mate(&message, &mate);
  post_send(&worker->post, 0, &message);
  text_free(&mate.host);
}

/* A job that cannot be begun is one that has failed. */
static void begin(Worker *worker) {
  Ready ready = {0};
  Text message = {0};
  if (!worker->hand) worker->hand = hand_new(&worker->message, worker->file);
  if (worker->hand) return;
  text_add(&ready.why, "the job cannot be begun");
  talk_write_ready(&message, &ready);
  post_send(&worker->post, 0, &message);
  text_free(&ready.why);
}

/* A message of the foreman to this rank. */
static void obey(Worker *worker, double now) {
  worker->heard = now;
  switch (talk_kind(&worker->message)) {
  case TALK_JOB: begin(worker); break;
  case TALK_END: worker->over = true; break;
  case TALK_BEAT: break;
  default:
    if (worker->hand) hand_tell(worker->hand, &worker->message);
    break;
  }
}

/* Messages from ranks to the foreman, and from it to them, are of different
   kinds, but for roots: those that rank 0 sends itself come from its hand if
   they were not sent yet. */
static bool is_for_foreman(const Worker *worker, uint32_t from) {
  switch (talk_kind(&worker->message)) {
  case TALK_MATE:
  case TALK_READY:
  case TALK_RESULT: return true;
  case TALK_BEAT:
  case TALK_ROOTS: return from != 0;
  default: return false;
  }
}

static void receive(Worker *worker, double now) {
  uint32_t from;
  post_move(&worker->post);
  while (post_receive(&worker->post, &from, &worker->message)) {
    worker->active = now;
    if (worker->foreman && is_for_foreman(worker, from))
      foreman_hear(worker->foreman, from, &worker->message, now);
    else
      obey(worker, now);
  }
}

/* What the hand says goes to the foreman; in its own rank, straight to it. */
static void pass_on(Worker *worker, double now) {
  while (worker->hand && hand_take(worker->hand, &worker->message)) {
    worker->active = now;
    if (worker->foreman)
      foreman_hear(worker->foreman, 0, &worker->message, now);
    else
      post_send(&worker->post, 0, &worker->message);
  }
}

static void beat(Worker *worker, double now) {
  if (worker->foreman || now < worker->beaten + beat_interval) return;
  Text message = {0};
  talk_begin(&message, TALK_BEAT);
  post_send(&worker->post, 0, &message);
  worker->beaten = now;
}

/* ---- the loop ---- */

/* MPI has to be asked whether there are messages; the files wake us up. */
static void wait_for(const Worker *worker, double now) {
  struct pollfd files[2] = {{worker->file, POLLIN, 0}, {-1, 0, 0}};
  uint64_t count;
  double seconds = !worker->foreman && !worker->hand ? sleep_tick
                   : now < worker->active + lively   ? busy_tick
                                                     : idle_tick;
  if (worker->foreman) {
    files[1].fd = foreman_file(worker->foreman);
    files[1].events = POLLIN;
    if (foreman_waits(worker->foreman)) files[1].events |= POLLOUT;
  }
  struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
  ppoll(files, 2, &time, NULL);
  if (read(worker->file, &count, sizeof count) < 0) { /* nothing was said */
  }
}

static void tell_end(Worker *worker) {
  for (uint32_t i = 1; i < ranks_count(worker->ranks); i++) {
    Text message = {0};
    talk_begin(&message, TALK_END);
    post_send(&worker->post, i, &message);
  }
}

static void loop(Worker *worker) {
  worker->heard = clock_now();
  introduce(worker);
  while (!worker->over) {
    double now = clock_now();
    receive(worker, now);
    pass_on(worker, now);
    beat(worker, now);
    if (worker->foreman && !foreman_step(worker->foreman, now)) {
      tell_end(worker);
      return;
    }
    if (getppid() != worker->parent ||
        (!worker->foreman && now > worker->heard + foreman_patience))
      ranks_abort(worker->ranks, EXIT_PLAYER);
    wait_for(worker, now);
  }
}

/* Whoever does not end in time is killed by the alarm, and with it all others
   by their launcher. */
static void end(Worker *worker) {
  alarm(END_PATIENCE);
  if (worker->hand) hand_delete(worker->hand);
  while (!post_empty(&worker->post)) {
    post_move(&worker->post);
    poll(NULL, 0, 1);
  }
  if (worker->foreman) foreman_delete(worker->foreman);
  post_free(&worker->post);
  text_free(&worker->message);
  close(worker->file);
}

/* ---- the verb ---- */

static bool open_foreman(Worker *worker, const WorkerPlan *plan) {
  Text error = {0};
  if (ranks_own(worker->ranks)) return true;
  worker->foreman = foreman_new(&worker->post, getenv(LAUNCH_VARIABLE),
                                plan->version, plan->apart, &error);
  if (!worker->foreman)
    log_error("the master cannot be reached: %s", text_string(&error));
  text_free(&error);
  return worker->foreman;
}

static void work(Ranks *ranks, const WorkerPlan *plan) {
  Worker worker = {.ranks = ranks,
                   .file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                   .parent = getppid()};
  post_init(&worker.post, ranks, plan->least, plan->most);
  if (worker.file < 0 || !open_foreman(&worker, plan))
    ranks_abort(ranks, EXIT_PLAYER);
  loop(&worker);
  end(&worker);
}

int worker_run(const WorkerPlan *plan) {
  Text why = {0};
  const char *place = getenv(LAUNCH_VARIABLE);
  if (!plan->probe && (!place || !*place)) {
    log_error("worker is a rank of a cluster: tafl serve --cluster starts it");
    return EXIT_USAGE;
  }
  Ranks *ranks = ranks_open(&why);
  if (!ranks) log_error("%s", text_string(&why));
  text_free(&why);
  if (!ranks) return EXIT_LIMIT;
  if (plan->probe)
    puts("tafl: here");
  else
    work(ranks, plan);
  fflush(stdout);
  ranks_close(ranks);
  return EXIT_FINE;
}
