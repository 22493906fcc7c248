/* The foreman and the ranks. */
#include <strings.h>

#include "base/clock.h"
#include "cluster/foreman_parts.h"

/* ---- telling ---- */

static void send_copy(Foreman *foreman, uint32_t rank, const Text *message) {
  Text copy = {0};
  text_add_bytes(&copy, message->bytes, message->length);
  post_send(foreman->post, rank, &copy);
}

void foreman_tell_workers(Foreman *foreman, const Text *message) {
  for (uint32_t i = 0; i < foreman->count; i++)
    if (foreman->mates[i].ready) send_copy(foreman, i, message);
}

void foreman_tell_others(Foreman *foreman, const RootSums *all) {
  RootSums rest = {0};
  for (uint32_t i = 0; i < foreman->count; i++) {
    const ForemanMate *mate = &foreman->mates[i];
    Text message = {0};
    if (!mate->ready) continue;
    sums_clear(&rest);
    sums_add(&rest, all);
    sums_subtract(&rest, &mate->sums);
    talk_write_roots(&message, foreman->epoch, &rest);
    post_send(foreman->post, i, &message);
  }
  sums_free(&rest);
}

static void tell_master(Foreman *foreman, const char *line) {
  Text message = {0};
  talk_write(&message, TALK_NOTE, line);
  channel_send(&foreman->master, &message);
  text_free(&message);
}

void foreman_status(const Foreman *foreman, double now, Status *status) {
  *status =
      (Status){.ranks = foreman->count,
               .hosts = foreman->hosts,
               .ready = foreman->ready,
               .failed = foreman->failed,
               .complete = foreman->assigned &&
                           foreman->ready + foreman->failed == foreman->workers,
               .wanted = deal_wanted(&foreman->deal),
               .pieces = foreman->pieces,
               .leaves = foreman->leaves,
               .busy = clock_thread()};
  for (uint32_t i = 0; i < foreman->count; i++) {
    const ForemanMate *mate = &foreman->mates[i];
    double silence = i ? now - mate->heard : 0;
    if (mate->ready) status->threads += mate->threads;
    if (silence <= status->silence) continue;
    status->silence = silence;
    status->silent = i;
    status->host = mate->host;
  }
}

/* ---- who works ---- */

/* The first rank of the same host. */
static uint32_t first_of_host(const Foreman *foreman, uint32_t rank) {
  const char *host = text_string(&foreman->mates[rank].host);
  for (uint32_t i = 0; i < rank; i++)
    if (strcasecmp(text_string(&foreman->mates[i].host), host) == 0) return i;
  return rank;
}

static void share_threads(Foreman *foreman) {
  for (uint32_t i = 0; i < foreman->count; i++) {
    uint32_t first = first_of_host(foreman, i);
    foreman->hosts += first == i;
    foreman->mates[foreman->apart ? i : first].threads++;
  }
  for (uint32_t i = 0; i < foreman->count; i++)
    foreman->workers += foreman->mates[i].threads > 0;
}

bool foreman_assign(Foreman *foreman) {
  Job job;
  bool all = !foreman->assigned && foreman->job.length;
  for (uint32_t i = 0; i < foreman->count; i++) all &= foreman->mates[i].known;
  if (!all) return true;
  if (!talk_read_job(&foreman->job, &job)) return false;
  uint64_t seed = job.seed;
  foreman->scheme = job.scheme;
  foreman->assigned = true;
  share_threads(foreman);
  for (uint32_t i = 0; i < foreman->count; i++) {
    Text message = {0};
    if (!foreman->mates[i].threads) continue;
    job.threads = foreman->mates[i].threads;
    job.seed = seed + 1 + i;
    talk_write_job(&message, &job);
    post_send(foreman->post, i, &message);
  }
  talk_free_job(&job);
  return true;
}

void foreman_admit(Foreman *foreman, uint32_t rank) {
  ForemanMate *mate = &foreman->mates[rank];
  if (!mate->reported || mate->ready || !mate->print || !foreman->print) return;
  if (mate->print != foreman->print) {
    Text line = {0};
    text_format(&line, "rank %u on %s has made another net: not used", rank,
                text_string(&mate->host));
    tell_master(foreman, text_string(&line));
    text_free(&line);
    mate->print = 0;
    foreman->failed++;
    return;
  }
  mate->ready = true;
  foreman->ready++;
  if (foreman->scheme == SCHEME_LEAF)
    deal_enter(&foreman->deal, rank, mate->threads, mate->lanes);
  if (foreman->scores.length) send_copy(foreman, rank, &foreman->scores);
  if (foreman->stand.length) send_copy(foreman, rank, &foreman->stand);
  if (foreman->stand.length && foreman->resting) {
    Text message = {0};
    talk_begin(&message, TALK_REST);
    post_send(foreman->post, rank, &message);
  }
}

/* ---- hearing ---- */

static void hear_mate(Foreman *foreman, uint32_t from, const Text *message) {
  Mate mate;
  if (foreman->mates[from].known || !talk_read_mate(message, &mate)) return;
  foreman->mates[from].host = mate.host;
  foreman->mates[from].known = true;
  foreman_assign(foreman);
}

static void hear_ready(Foreman *foreman, uint32_t from, const Text *message) {
  ForemanMate *mate = &foreman->mates[from];
  Ready ready;
  if (mate->reported || !talk_read_ready(message, &ready)) return;
  mate->reported = true;
  mate->print = ready.print;
  mate->lanes = ready.lanes;
  if (ready.threads && ready.threads < mate->threads)
    mate->threads = ready.threads;
  if (!ready.print) {
    Text line = {0};
    text_format(&line, "rank %u on %s cannot work: %s", from,
                text_string(&mate->host), text_string(&ready.why));
    tell_master(foreman, text_string(&line));
    text_free(&line);
    foreman->failed++;
  }
  text_free(&ready.why);
  foreman_admit(foreman, from);
}

/* What is of the current state goes to the master. */
static void hear_result(Foreman *foreman, uint32_t from, const Text *message) {
  Outcome outcome;
  if (!talk_read_outcome(message, &outcome)) return;
  deal_done(&foreman->deal, from, outcome.leaves, outcome.seconds);
  if (!outcome.leaves || outcome.epoch != foreman->epoch || foreman->resting)
    return;
  foreman->leaves += outcome.leaves;
  channel_send(&foreman->master, message);
}

static void hear_roots(Foreman *foreman, uint32_t from, const Text *message) {
  RootSums sums = {0};
  uint32_t epoch;
  if (talk_read_roots(message, UINT32_MAX, &epoch, &sums) &&
      epoch == foreman->epoch) {
    sums_free(&foreman->mates[from].sums);
    foreman->mates[from].sums = sums;
    foreman->roots_new = true;
  } else {
    sums_free(&sums);
  }
}

void foreman_hear(Foreman *foreman, uint32_t from, Text *message, double now) {
  foreman->mates[from].heard = now;
  switch (talk_kind(message)) {
  case TALK_MATE: hear_mate(foreman, from, message); break;
  case TALK_READY: hear_ready(foreman, from, message); break;
  case TALK_RESULT: hear_result(foreman, from, message); break;
  case TALK_ROOTS: hear_roots(foreman, from, message); break;
  default: break;
  }
}
