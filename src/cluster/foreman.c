#include "cluster/foreman.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/foreman_parts.h"
#include "cluster/launch.h"
#include "io/socket.h"

static const double connect_patience = 5; /* seconds for each address */
static const double beat_interval = 0.25;
static const double roots_interval = 0.05;
static const double master_patience = 10; /* seconds without a word from it */

/* ---- the master's place ---- */

static int connect_to(const char *address, size_t length, const char *port,
                      Text *error) {
  SocketPlace place = {0};
  text_clear(error);
  text_add_bytes(&place.host, address, length);
  text_add_bytes(&place.port, port, strcspn(port, "/"));
  int file = socket_connect(&place, clock_now() + connect_patience, error);
  socket_place_free(&place);
  return file;
}

/* ADDRESS,ADDRESS.../PORT/SECRET: the first address that answers. */
static int find_master(const char *place, Text *error) {
  const char *port = strchr(place, '/');
  int file = -1;
  if (!port || !strchr(port + 1, '/')) {
    text_add(error, LAUNCH_VARIABLE " is not as the master sets it");
    return -1;
  }
  while (file < 0 && place < port) {
    size_t length = strcspn(place, ",/");
    file = connect_to(place, length, port + 1, error);
    place += length + 1;
  }
  return file;
}

static void say_hello(Foreman *foreman, const char *place,
                      const char *version) {
  Hello hello = {.ranks = foreman->count};
  text_add(&hello.version, version);
  text_add(&hello.host, ranks_host(foreman->post->ranks));
  text_add(&hello.token, strrchr(place, '/') + 1);
  talk_write_hello(&foreman->message, &hello);
  channel_send(&foreman->master, &foreman->message);
  talk_free_hello(&hello);
}

/* ---- life ---- */

Foreman *foreman_new(Post *post, const char *place, const char *version,
                     bool apart, Text *error) {
  int file = find_master(place, error);
  if (file < 0) return NULL;
  Foreman *foreman = memory_new(sizeof *foreman);
  foreman->post = post;
  foreman->apart = apart;
  foreman->count = ranks_count(post->ranks);
  foreman->mates = memory_new(foreman->count * sizeof *foreman->mates);
  double now = clock_now();
  for (uint32_t i = 0; i < foreman->count; i++) foreman->mates[i].heard = now;
  foreman->heard = now;
  deal_init(&foreman->deal, foreman->count);
  channel_open(&foreman->master, file, TALK_LARGEST);
  say_hello(foreman, place, version);
  return foreman;
}

void foreman_delete(Foreman *foreman) {
  channel_close(&foreman->master);
  for (uint32_t i = 0; i < foreman->count; i++) {
    text_free(&foreman->mates[i].host);
    sums_free(&foreman->mates[i].sums);
  }
  memory_delete(foreman->mates);
  deal_free(&foreman->deal);
  text_free(&foreman->job);
  text_free(&foreman->stand);
  text_free(&foreman->scores);
  text_free(&foreman->message);
  memory_delete(foreman);
}

int foreman_file(const Foreman *foreman) {
  return foreman->master.file;
}

bool foreman_waits(const Foreman *foreman) {
  return channel_unsent(&foreman->master);
}

/* ---- what the master says ---- */

static void leave_state(Foreman *foreman) {
  deal_clear(&foreman->deal);
  for (uint32_t i = 0; i < foreman->count; i++)
    sums_clear(&foreman->mates[i].sums);
  foreman->roots_new = false;
}

static void keep(Text *place, const Text *message) {
  text_clear(place);
  text_add_bytes(place, message->bytes, message->length);
}

static bool hear_stand(Foreman *foreman) {
  Stand stand;
  if (!talk_read_stand(&foreman->message, &stand)) return false;
  foreman->epoch = stand.epoch;
  talk_free_stand(&stand);
  leave_state(foreman);
  foreman->resting = false;
  keep(&foreman->stand, &foreman->message);
  foreman_tell_workers(foreman, &foreman->message);
  return true;
}

static bool hear_net(Foreman *foreman) {
  if (!talk_read_long(&foreman->message, &foreman->print)) return false;
  for (uint32_t i = 0; i < foreman->count; i++) foreman_admit(foreman, i);
  return true;
}

/* Returns false if the job is to end, or the message is none. */
static bool hear_master(Foreman *foreman) {
  Text *message = &foreman->message;
  switch (talk_kind(message)) {
  case TALK_JOB: keep(&foreman->job, message); return foreman_assign(foreman);
  case TALK_NET: return hear_net(foreman);
  case TALK_STAND: return hear_stand(foreman);
  case TALK_TASK: return deal_add(&foreman->deal, message);
  case TALK_REST:
    leave_state(foreman);
    foreman->resting = true;
    foreman_tell_workers(foreman, message);
    return true;
  case TALK_SCORES:
    keep(&foreman->scores, message);
    foreman_tell_workers(foreman, message);
    return true;
  case TALK_BEAT: return true;
  default: return false;
  }
}

/* ---- what is due ---- */

static void deal_pieces(Foreman *foreman) {
  uint32_t worker;
  Text piece = {0};
  while (deal_next(&foreman->deal, &worker, &piece)) {
    foreman->pieces++;
    post_send(foreman->post, worker, &piece);
  }
  text_free(&piece);
}

static void beat(Foreman *foreman, double now) {
  if (now < foreman->beaten + beat_interval) return;
  foreman->beaten = now;
  Status status;
  foreman_status(foreman, now, &status);
  talk_write_status(&foreman->message, &status);
  channel_send(&foreman->master, &foreman->message);
  for (uint32_t i = 1; i < foreman->count; i++) {
    Text message = {0};
    talk_begin(&message, TALK_BEAT);
    post_send(foreman->post, i, &message);
  }
}

/* To the master the sums of all; to a worker, perhaps, those of the others. */
static void tell_roots(Foreman *foreman, double now) {
  RootSums all = {0};
  if (!foreman->roots_new || now < foreman->rooted + roots_interval) return;
  foreman->rooted = now;
  foreman->roots_new = false;
  for (uint32_t i = 0; i < foreman->count; i++)
    sums_add(&all, &foreman->mates[i].sums);
  talk_write_roots(&foreman->message, foreman->epoch, &all);
  channel_send(&foreman->master, &foreman->message);
  if (foreman->scheme == SCHEME_RUNS && foreman->ready > 1)
    foreman_tell_others(foreman, &all);
  sums_free(&all);
}

bool foreman_step(Foreman *foreman, double now) {
  bool fine = channel_move(&foreman->master);
  while (fine && channel_take(&foreman->master, &foreman->message)) {
    foreman->heard = now;
    fine = hear_master(foreman);
  }
  if (!fine || now > foreman->heard + master_patience) return false;
  deal_pieces(foreman);
  tell_roots(foreman, now);
  beat(foreman, now);
  return true;
}
