/* Master and foreman. Whoever connects has to say the secret first, and be of
   the same version; the connection is then the foreman's. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/crew_job.h"
#include "io/listen.h"

enum {
  BACKLOG_MOST = 4 << 20 /* bytes that wait to be sent before more tasks do */
};

static const double guest_patience = 5; /* seconds to say hello */
static const double beat_interval = 0.5;
/* Seconds without a word from the foreman, or from a rank, after which it is
   given up. Words come every quarter of a second. */
static const double silence_most = 3;

/* ---- the port ---- */

static void add_address(const struct sockaddr *address, Text *list) {
  char name[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET) {
    inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, name,
              sizeof name);
  } else if (address->sa_family == AF_INET6) {
    const struct in6_addr *six =
        &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (!IN6_IS_ADDR_LINKLOCAL(six))
      inet_ntop(AF_INET6, six, name, sizeof name);
  }
  if (*name) text_format(list, "%s%s", list->length ? "," : "", name);
}

/* All addresses of this machine by which others may reach it. */
static void write_addresses(Text *list) {
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0) return;
  for (struct ifaddrs *each = all; each; each = each->ifa_next)
    if (each->ifa_addr && (each->ifa_flags & IFF_UP) &&
        !(each->ifa_flags & IFF_LOOPBACK))
      add_address(each->ifa_addr, list);
  freeifaddrs(all);
}

bool crew_listen(CrewJob *job, Text *error) {
  static const char here[] = "127.0.0.1";
  bool local = hosts_local(&job->hosts);
  job->listener = local ? -1 : listen_open("::", 0, error);
  if (job->listener < 0)
    job->listener = listen_open(local ? here : "0.0.0.0", 0, error);
  if (job->listener < 0) return false;
  if (!local) write_addresses(&job->address);
  text_format(&job->address, "%s%s/%u", job->address.length ? "," : "", here,
              listen_port(job->listener));
  return true;
}

/* ---- guests ---- */

static void close_guest(Guest *guest) {
  channel_close(&guest->channel);
}

void crew_close_guests(CrewJob *job) {
  for (int i = 0; i < JOB_GUESTS; i++) close_guest(&job->guests[i]);
}

static void accept_guests(CrewJob *job, double now) {
  for (int i = 0; i < JOB_GUESTS; i++) {
    Guest *guest = &job->guests[i];
    if (guest->channel.file >= 0) continue;
    int file = accept4(job->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return;
    channel_open(&guest->channel, file, TALK_FIRST);
    guest->until = now + guest_patience;
  }
}

/* Takes the same time wherever they differ. */
static bool same_secret(const Text *given, const char *secret) {
  unsigned different = given->length != LAUNCH_SECRET;
  for (size_t i = 0; i < LAUNCH_SECRET; i++)
    different |= (unsigned char)secret[i] ^
                 (unsigned char)(i < given->length ? given->bytes[i] : 0);
  return !different;
}

typedef enum { GUEST_UNKNOWN, GUEST_REFUSED, GUEST_FOREMAN } GuestKind;

static GuestKind judge(CrewJob *job, Guest *guest, double now) {
  Hello hello;
  GuestKind kind = GUEST_REFUSED;
  bool open = channel_move(&guest->channel);
  if (!channel_take(&guest->channel, &job->message))
    return open && now < guest->until ? GUEST_UNKNOWN : GUEST_REFUSED;
  if (!talk_read_hello(&job->message, &hello)) return GUEST_REFUSED;
  if (same_secret(&hello.token, job->secret)) {
    if (strcmp(text_string(&hello.version), job->crew->scheme->version) == 0)
      kind = GUEST_FOREMAN;
    else
      crew_note(job, "cluster: %s has tafl %s, not %s",
                text_string(&hello.host), text_string(&hello.version),
                job->crew->scheme->version);
  }
  talk_free_hello(&hello);
  return kind;
}

bool crew_meet(CrewJob *job, double now) {
  bool met = false;
  accept_guests(job, now);
  for (int i = 0; i < JOB_GUESTS; i++) {
    Guest *guest = &job->guests[i];
    if (guest->channel.file < 0) continue;
    GuestKind kind = judge(job, guest, now);
    if (kind == GUEST_FOREMAN && job->foreman.file < 0 &&
        job->phase == JOB_STARTING) {
      job->foreman = guest->channel;
      job->foreman.most = TALK_LARGEST;
      guest->channel = (Channel){.file = -1};
      met = true;
    } else if (kind != GUEST_UNKNOWN) {
      close_guest(guest);
    }
  }
  if (!met) return false;
  job->heard = now;
  job->beaten = 0;
  job->net_told = false;
  channel_send(&job->foreman, &job->crew->job);
  crew_lock(job->crew);
  Crew *crew = job->crew;
  crew->stand_new = crew->epoch > 0;
  crew->rest_new = crew->resting;
  crew_unlock(crew);
  return true;
}

/* ---- telling ---- */

static void tell(CrewJob *job) {
  channel_send(&job->foreman, &job->message);
}

/* With the lock held; slots are copied into messages, which is quick. */
static void tell_slots(CrewJob *job) {
  Crew *crew = job->crew;
  if (crew->words && !job->net_told) {
    talk_write_long(&job->message, TALK_NET, crew->print);
    tell(job);
    job->net_told = true;
  }
  if (crew->stand_new) {
    talk_write_stand(&job->message, &crew->stand);
    tell(job);
    crew->stand_new = false;
  }
  if (crew->rest_new) {
    talk_begin(&job->message, TALK_REST);
    tell(job);
    crew->rest_new = false;
  }
  if (crew->scores_new) {
    talk_write_scores(&job->message, crew->scores, crew->moves);
    tell(job);
    crew->scores_new = false;
  }
}

static void tell_tasks(CrewJob *job) {
  if (!job->out.length) return;
  text_add_bytes(&job->foreman.out, job->out.bytes, job->out.length);
  text_clear(&job->out);
}

static void tell_all(CrewJob *job, double now) {
  Crew *crew = job->crew;
  if (now >= job->beaten + beat_interval) {
    talk_begin(&job->message, TALK_BEAT);
    tell(job);
    job->beaten = now;
  }
  crew_lock(crew);
  tell_slots(job);
  if (crew->out.length && channel_unsent(&job->foreman) < BACKLOG_MOST) {
    Text out = crew->out;
    crew->out = job->out;
    job->out = out;
  }
  crew_unlock(crew);
  tell_tasks(job);
}

/* ---- hearing ---- */

static void announce(CrewJob *job, const Status *status) {
  Text dead = {0};
  double seconds = clock_now() - job->begun;
  if (job->told) return;
  hosts_write_dead(&job->hosts, &dead);
  crew_note(job, "cluster: %s%u rank%s on %u host%s after %.2f s%s%s",
            job->starts > 1 ? "again " : "", status->ranks,
            status->ranks == 1 ? "" : "s", status->hosts,
            status->hosts == 1 ? "" : "s", seconds,
            dead.length ? "; no answer from " : "", text_string(&dead));
  text_free(&dead);
  job->told = true;
}

/* Returns false if a rank is silent. */
static bool hear_status(CrewJob *job, Status *status) {
  Crew *crew = job->crew;
  bool silent = status->silence > silence_most;
  crew_lock(crew);
  crew->wanted = status->wanted;
  crew->working = status->ready && crew->scheme->kind == SCHEME_LEAF;
  crew->settled |= status->complete;
  crew->counts.ranks = status->ranks;
  crew->counts.hosts = status->hosts;
  crew->counts.ready = status->ready;
  crew->counts.pieces = status->pieces;
  crew->counts.foreman = status->busy;
  crew->counts.bytes_in = job->foreman.bytes_in;
  crew->counts.bytes_out = job->foreman.bytes_out;
  pthread_cond_broadcast(&crew->changed);
  crew_unlock(crew);
  if (status->complete) announce(job, status);
  if (silent)
    text_format(&job->why, "rank %u on %s is silent", status->silent,
                text_string(&status->host));
  return !silent;
}

static Packet *make_packet(Text *message) {
  Packet *packet = memory_new(sizeof *packet);
  packet->message = *message;
  *message = (Text){0};
  return packet;
}

static bool hear_result(CrewJob *job) {
  Packet *packet = make_packet(&job->message);
  crew_lock(job->crew);
  bool fine = crew_receive(job->crew, packet);
  if (!fine) crew_drop(job->crew, &packet);
  crew_unlock(job->crew);
  return fine;
}

/* Of roots the latest counts. */
static void hear_roots(CrewJob *job) {
  Crew *crew = job->crew;
  Packet *packet = make_packet(&job->message);
  crew_lock(crew);
  crew_drop(crew, &crew->roots);
  crew->roots = packet;
  crew->roots_new = true;
  pthread_cond_signal(&crew->changed);
  crew_unlock(crew);
}

static bool hear_text(CrewJob *job) {
  Text line = {0};
  bool fine = talk_read_text(&job->message, &line);
  if (fine) crew_note(job, "cluster: %s", text_string(&line));
  text_free(&line);
  return fine;
}

/* Returns false if the job cannot go on; `why` may say so. */
static bool hear(CrewJob *job) {
  Status status;
  switch (talk_kind(&job->message)) {
  case TALK_STATUS: {
    if (!talk_read_status(&job->message, &status)) return false;
    bool fine = hear_status(job, &status);
    text_free(&status.host);
    return fine;
  }
  case TALK_RESULT: return hear_result(job);
  case TALK_ROOTS: hear_roots(job); return true;
  case TALK_NOTE: return hear_text(job);
  default: return false;
  }
}

bool crew_talk(CrewJob *job, double now) {
  tell_all(job, now);
  bool open = channel_move(&job->foreman), fine = true;
  while (fine && channel_take(&job->foreman, &job->message)) {
    job->heard = now;
    fine = hear(job);
  }
  crew_lock(job->crew);
  fine &= !job->crew->damaged;
  job->crew->damaged = false;
  crew_unlock(job->crew);
  if (!fine && !job->why.length) text_add(&job->why, "a message was damaged");
  if (fine && open && now > job->heard + silence_most)
    text_format(&job->why, "nothing heard for %g s", silence_most);
  return fine && open && !job->why.length;
}

void crew_dismiss(CrewJob *job) {
  channel_close(&job->foreman);
  text_clear(&job->out);
}
