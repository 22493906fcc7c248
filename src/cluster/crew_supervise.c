/* The crew's thread: starts the job, and starts it again when it dies. What a
   job does besides is in crew_foreman.c and crew_hosts.c.

     paused → asking hosts → starting → working → stopping → paused …

   The first start asks nobody. A job that dies soon after its start makes the
   next pause longer. */
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/crew_job.h"

static const double shortest_pause = 0.5, longest_pause = 30; /* seconds */
static const double long_enough = 20; /* of work, to forget earlier deaths */
/* Until a foreman is there: seconds, and more for each rank. Open MPI may hang
   when a rank dies while it joins. */
static const double start_patience = 15, start_rank = 0.05;
static const double stop_patience = 1.5; /* until the launcher has ended */
static const double last_words = 0.4;    /* for it to say who has died */
static const double end_patience = 2;    /* the same, if it was asked to */
static const double tick = 0.1;

void crew_note(const CrewJob *job, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  crew_lock(job->crew);
  if (job->crew->note) job->crew->note(job->crew->context, line);
  crew_unlock(job->crew);
}

static void enter(CrewJob *job, JobPhase phase, double seconds) {
  job->phase = phase;
  job->begun = clock_now();
  job->until = job->begun + seconds;
}

/* ---- starting ---- */

static void pause_longer(CrewJob *job) {
  enter(job, JOB_PAUSED, job->pause);
  job->pause = job->pause * 2 < longest_pause ? job->pause * 2 : longest_pause;
}

static void write_worker(const Scheme *scheme, Text *words) {
  if (scheme->apart) text_add(words, " --apart");
  if (*scheme->delay) text_format(words, " --delay %s", scheme->delay);
}

static void start(CrewJob *job) {
  Crew *crew = job->crew;
  TextVector words = {0};
  Text value = {0}, error = {0}, worker = {0};
  launch_secret(job->secret);
  text_format(&value, "%s/%s", text_string(&job->address), job->secret);
  write_worker(crew->scheme, &worker);
  launch_command(crew->scheme, &job->hosts, NULL, hosts_ranks(&job->hosts),
                 text_string(&worker), &words);
  job->told = false;
  job->starts++;
  text_clear(&job->why);
  if (launch_begin(&job->launch, crew->scheme, &words, value.bytes, &error)) {
    enter(job, JOB_STARTING,
          start_patience + start_rank * hosts_ranks(&job->hosts));
    crew_lock(crew);
    crew->counts.starts++;
    crew_unlock(crew);
  } else {
    crew_note(job, "cluster: cannot start: %s", text_string(&error));
    crew_lock(crew);
    crew->settled = true;
    crew_unlock(crew);
    pause_longer(job);
  }
  text_free(&worker);
  text_free(&value);
  text_free(&error);
  text_vector_free(&words);
}

static void start_on_living(CrewJob *job) {
  if (hosts_ranks(&job->hosts)) {
    start(job);
    return;
  }
  crew_note(job, "cluster: no host answers, searching alone");
  pause_longer(job);
}

/* ---- the end of a job ---- */

/* At once: the search must not wait for what will never come. */
static void lose(CrewJob *job) {
  crew_lock(job->crew);
  crew_lose(job->crew);
  job->crew->settled = true; /* nobody need wait any longer */
  job->crew->counts.ranks = job->crew->counts.hosts = 0;
  job->crew->counts.ready = 0;
  crew_unlock(job->crew);
  if (job->phase == JOB_WORKING && clock_now() > job->begun + long_enough)
    job->pause = shortest_pause;
  crew_dismiss(job);
  enter(job, JOB_STOPPING, stop_patience);
  job->term = job->begun + last_words;
}

/* The last line that the launcher printed, without its frames. */
static void write_last_line(const Launch *launch, Text *text) {
  const char *said = text_string(&launch->said),
             *end = said + launch->said.length;
  while (end > said) {
    const char *line = end;
    while (line > said && line[-1] != '\n') line--;
    size_t length = (size_t)(end - line);
    if (length > 8 && line[strspn(line, "-= \t\r")] != '\n') {
      text_add(text, ": ");
      text_add_bytes(text, line, length < 200 ? length : 200);
      return;
    }
    end = line > said ? line - 1 : said;
  }
}

static void tell_loss(CrewJob *job, const Text *how) {
  Text why = {0};
  if (!launch_culprit(&job->launch, &why)) {
    text_add(&why, job->why.length ? job->why.bytes : text_string(how));
    if (!job->told) write_last_line(&job->launch, &why);
  }
  crew_note(job, "cluster: lost (%s), searching alone", text_string(&why));
  text_free(&why);
}

/* Nothing of it may stay behind. */
static void bury(CrewJob *job, const Text *how) {
  launch_signal(&job->launch, SIGKILL);
  Text ignored = {0};
  for (int i = 0; i < 1000 && !launch_ended(&job->launch, &ignored); i++)
    poll(NULL, 0, 1);
  launch_sweep(job->secret);
  if (job->phase != JOB_OVER) tell_loss(job, how);
  text_free(&ignored);
  launch_free(&job->launch);
}

static void stop(CrewJob *job, double now) {
  Text how = {0};
  if (job->term > 0 && now >= job->term) {
    launch_signal(&job->launch, SIGTERM);
    job->term = 0;
  }
  if (launch_ended(&job->launch, &how) || now >= job->until) {
    bury(job, &how);
    pause_longer(job);
  }
  text_free(&how);
}

/* ---- phases ---- */

static void begin(CrewJob *job, double now) {
  if (now < job->until) return;
  if (!job->starts || !job->hosts.list.count) {
    start(job);
  } else {
    crew_ask(job, true);
    enter(job, JOB_ASKING, 0);
  }
}

static void await(CrewJob *job, double now) {
  Text how = {0};
  bool met = crew_meet(job, now);
  if (met) {
    double begun = job->begun;
    enter(job, JOB_WORKING, 0);
    job->begun = begun;
  } else if (launch_ended(&job->launch, &how)) {
    text_add(&job->why, how.bytes);
    lose(job);
  } else if (now >= job->until) {
    text_format(&job->why, "no foreman after %.0f s", now - job->begun);
    lose(job);
  }
  text_free(&how);
}

static void work(CrewJob *job, double now) {
  Text how = {0};
  bool fine = crew_talk(job, now);
  crew_meet(job, now);
  if (!fine || launch_ended(&job->launch, &how)) {
    if (!job->why.length)
      text_add(&job->why, how.length ? how.bytes : "the foreman is gone");
    lose(job);
  }
  text_free(&how);
}

static void step(CrewJob *job, double now) {
  launch_hear(&job->launch);
  crew_hear_answers(job, now);
  switch (job->phase) {
  case JOB_PAUSED: begin(job, now); break;
  case JOB_ASKING:
    if (!job->questions.count) start_on_living(job);
    break;
  case JOB_STARTING: await(job, now); break;
  case JOB_WORKING:
    crew_ask(job, false);
    work(job, now);
    break;
  default: stop(job, now); break;
  }
}

/* ---- the loop ---- */

enum { FILES = JOB_GUESTS + 4 };

static void empty_trash(Crew *crew) {
  crew_lock(crew);
  Packet *list = crew->trash;
  crew->trash = NULL;
  crew_unlock(crew);
  while (list) {
    Packet *packet = list;
    list = packet->next;
    text_free(&packet->message);
    memory_delete(packet);
  }
}

static void watch(struct pollfd *files, nfds_t *count, int file, short events) {
  if (file >= 0) files[(*count)++] = (struct pollfd){file, events, 0};
}

static void wait_for(const CrewJob *job) {
  struct pollfd files[FILES];
  nfds_t count = 0;
  uint64_t pokes;
  short wanted = POLLIN;
  if (channel_unsent(&job->foreman)) wanted |= POLLOUT;
  watch(files, &count, job->crew->poke, POLLIN);
  watch(files, &count, job->foreman.file, wanted);
  watch(files, &count, job->launch.output, POLLIN);
  if (job->phase == JOB_STARTING) watch(files, &count, job->listener, POLLIN);
  for (int i = 0; i < JOB_GUESTS; i++)
    watch(files, &count, job->guests[i].channel.file, POLLIN);
  double seconds =
      job->phase == JOB_STOPPING || job->questions.count ? tick / 10 : tick;
  poll(files, count, (int)(seconds * 1e3));
  if (read(job->crew->poke, &pokes, sizeof pokes) < 0) { /* nobody did */
  }
}

static bool is_ending(Crew *crew) {
  crew_lock(crew);
  bool ending = crew->ending;
  crew_unlock(crew);
  return ending;
}

/* Asks the job to end; what does not is killed. */
static void end(CrewJob *job) {
  Text how = {0};
  crew_ask_no_more(job);
  if (job->phase == JOB_WORKING) {
    double until = clock_now() + end_patience;
    talk_begin(&job->message, TALK_END);
    channel_send(&job->foreman, &job->message);
    while (!launch_ended(&job->launch, &how) && clock_now() < until) {
      channel_move(&job->foreman);
      while (channel_take(&job->foreman, &job->message)) {
      }
      launch_hear(&job->launch);
      poll(NULL, 0, 2);
    }
  }
  double until = clock_now() + stop_patience;
  launch_signal(&job->launch, SIGTERM);
  while (!launch_ended(&job->launch, &how) && clock_now() < until)
    poll(NULL, 0, 2);
  job->phase = JOB_OVER;
  bury(job, &how);
  text_free(&how);
}

static void open_job(CrewJob *job, Crew *crew) {
  *job = (CrewJob){.crew = crew,
                   .pause = shortest_pause,
                   .listener = -1,
                   .launch = {.hold = -1, .output = -1},
                   .foreman = {.file = -1}};
  for (int i = 0; i < JOB_GUESTS; i++) job->guests[i].channel.file = -1;
  job->out = (Text){.bytes = memory_new(CREW_OUT), .capacity = CREW_OUT};
  hosts_copy(&job->hosts, &crew->scheme->hosts);
  launch_secret(job->secret);
}

static void close_job(CrewJob *job) {
  crew_dismiss(job);
  crew_close_guests(job);
  if (job->listener >= 0) close(job->listener);
  hosts_free(&job->hosts);
  text_free(&job->address);
  text_free(&job->out);
  text_free(&job->message);
  text_free(&job->why);
}

void *crew_supervise(void *context) {
  Crew *crew = context;
  CrewJob job;
  Text error = {0};
  open_job(&job, crew);
  if (crew_listen(&job, &error)) {
    while (!is_ending(crew)) {
      step(&job, clock_now());
      empty_trash(crew);
      wait_for(&job);
    }
    end(&job);
  } else {
    crew_note(&job, "cluster: no port for its foreman: %s",
              text_string(&error));
    while (!is_ending(crew)) wait_for(&job);
  }
  close_job(&job);
  text_free(&error);
  crew_lock(crew);
  bool left = crew->left;
  crew_unlock(crew);
  if (left) crew_free(crew);
  return NULL;
}
