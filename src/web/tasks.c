/* A job is one piece of work with everybody who waits for it. All are in one
   list, oldest first, in one of three stages: it waits, it runs in a process,
   or its answer is kept. Of jobs with a key there is only one with that key.

   The process sends one message (web/wire.h): a line of its own with what
   belongs to the answer, then what is wanted next, then the body. Whatever the
   process does instead (dying, hanging, sending nonsense) becomes an answer of
   500 or 503. Requests live until they are answered, also if the client is
   gone, so that nothing here depends on clients. */
#include "web/tasks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/trial.h"
#include "io/event.h"
#include "web/site.h"
#include "web/wire.h"

enum {
  ANSWER = 'a',         /* the only kind of message */
  KEPT_SHARE = 8,       /* an answer larger than 1/8 of all is not kept */
  BACKGROUND_NICE = 15, /* more than others */
  MEBIBYTE = 1 << 20
};

/* Memory for what is not counted by trials: libraries, the answer as text. */
static const double trial_share = 0.75;
static const double failure_seconds = 600; /* until another try, background */

typedef enum { WAITING, RUNNING, KEPT } Stage;

typedef struct Job {
  Stage stage;
  const TaskKind *kind;
  Text key; /* empty: none */
  uint64_t hash;
  Text path, body;
  TaskCall call;
  VECTOR(HttpRequest *) askers;
  /* while it runs */
  Process process;
  Wire wire;
  double end; /* when it is killed; of a kept answer: when it is forgotten */
  /* when it is kept */
  TaskReply reply; /* with texts that are these */
  Text type, policy;
  double used; /* last */
} Job;

struct TaskPool {
  ProcessLimits limits;
  VECTOR(Job *) jobs;
  uint32_t running[2], waiting[2]; /* by whether in the background */
  size_t kept;                     /* bytes */
};

/* ---- jobs ---- */

static size_t kept_bytes(const Job *job) {
  return sizeof *job + job->key.length + job->reply.body.length;
}

static void free_job(Job *job) {
  process_kill(&job->process);
  wire_free(&job->wire);
  text_free(&job->key);
  text_free(&job->path);
  text_free(&job->body);
  text_free(&job->type);
  text_free(&job->policy);
  text_free(&job->reply.body);
  vector_free(&job->askers);
  memory_delete(job);
}

static void enter(TaskPool *pool, Job *job, Stage stage) {
  job->stage = stage;
  bool background = job->kind->background;
  if (stage == WAITING) pool->waiting[background]++;
  if (stage == RUNNING) pool->running[background]++;
  if (stage == KEPT) pool->kept += kept_bytes(job);
}

static void leave(TaskPool *pool, Job *job) {
  bool background = job->kind->background;
  if (job->stage == WAITING) pool->waiting[background]--;
  if (job->stage == RUNNING) pool->running[background]--;
  if (job->stage == KEPT) pool->kept -= kept_bytes(job);
}

static void remove_at(TaskPool *pool, uint32_t number) {
  Job **at = &pool->jobs.data[number];
  leave(pool, *at);
  free_job(*at);
  pool->jobs.count--;
  memmove(at, at + 1, (pool->jobs.count - number) * sizeof *at);
}

static void remove_job(TaskPool *pool, const Job *job) {
  uint32_t number = 0;
  while (pool->jobs.data[number] != job) number++;
  remove_at(pool, number);
}

static Job *find_job(TaskPool *pool, const char *key) {
  size_t length = strlen(key);
  uint64_t hash = hash_bytes(key, length);
  for (uint32_t i = 0; i < pool->jobs.count; i++) {
    Job *job = pool->jobs.data[i];
    if (job->hash != hash || strcmp(text_string(&job->key), key) != 0) continue;
    if (job->stage != KEPT || clock_now() < job->end) return job;
    remove_at(pool, i);
    return NULL;
  }
  return NULL;
}

static void make_room(TaskPool *pool) {
  while (pool->kept > TASKS_KEPT) {
    Job *oldest = NULL;
    for (uint32_t i = 0; i < pool->jobs.count; i++) {
      Job *job = pool->jobs.data[i];
      if (job->stage == KEPT && (!oldest || job->used < oldest->used))
        oldest = job;
    }
    remove_job(pool, oldest);
  }
}

/* ---- answers ---- */

static void answer(HttpRequest *request, const TaskReply *reply) {
  const char *headers[SITE_HEADERS];
  site_write_headers(reply->policy, NULL, headers);
  http_answer(request, &(HttpAnswer){.status = reply->status,
                                     .type = reply->type,
                                     .bytes = text_string(&reply->body),
                                     .length = reply->body.length,
                                     .headers = headers});
}

static void answer_all(Job *job, const TaskReply *reply) {
  for (uint32_t i = 0; i < job->askers.count; i++)
    answer(job->askers.data[i], reply);
  vector_free(&job->askers);
}

static void refuse(HttpRequest *request, const char *why) {
  TaskReply reply = {0};
  if (!request) return;
  task_fail(&reply, 503, "%s", why);
  answer(request, &reply);
  text_free(&reply.body);
}

/* Gives the answer to all who wait, and keeps it, or the job goes. */
static void finish(TaskPool *pool, Job *job, double keep) {
  TaskReply *reply = &job->reply;
  process_kill(&job->process);
  answer_all(job, reply);
  text_free(&job->body);
  wire_free(&job->wire);
  leave(pool, job);
  job->used = clock_now();
  job->end = job->used + keep;
  enter(pool, job, KEPT);
  if (!job->key.length || keep <= 0 ||
      reply->body.length > TASKS_KEPT / KEPT_SHARE)
    remove_job(pool, job);
  else
    make_room(pool);
}

/* The same for a job that has come to nothing. */
static void fail(TaskPool *pool, Job *job, unsigned status, const char *why) {
  event_log(NULL, "PAGE: %s: %s", text_string(&job->path), why);
  text_clear(&job->reply.body);
  text_clear(&job->policy);
  task_fail(&job->reply, status, "%s", why);
  finish(pool, job, job->kind->background ? failure_seconds : 0);
}

/* ---- in the process ---- */

typedef struct Run {
  const TaskCall *call;
  TaskWork *work;
  TaskReply reply;
} Run;

static void run_work(void *context) {
  Run *run = context;
  run->work(run->call, &run->reply);
}

static TaskReply fresh_reply(void) {
  return (TaskReply){.status = 200, .type = "application/json"};
}

static bool send_reply(int link, const TaskReply *reply) {
  Text message = {0};
  text_format(&message, "%u\t%zu\t%s\t%s\n", reply->status,
              reply->wanted.length, reply->type,
              reply->policy ? reply->policy : "");
  text_add_bytes(&message, text_string(&reply->wanted), reply->wanted.length);
  text_add_bytes(&message, text_string(&reply->body), reply->body.length);
  return wire_send(link, ANSWER, message.bytes, message.length);
}

typedef struct Begin {
  const TaskPool *pool;
  const Job *job;
} Begin;

static int run_process(const void *context, int link) {
  const Begin *begin = context;
  size_t memory = begin->pool->limits.memory;
  size_t share = (size_t)(trial_share * (double)memory);
  Run run = {.call = &begin->job->call,
             .work = begin->job->kind->work,
             .reply = fresh_reply()};
  if (!trial_run(share, run_work, &run)) {
    run.reply = fresh_reply();
    task_fail(&run.reply, 503,
              "this needs more memory than the %zu MiB that "
              "are allowed",
              memory / MEBIBYTE);
  }
  return send_reply(link, &run.reply) ? 0 : 1;
}

/* ---- running ---- */

static void start(TaskPool *pool, Job *job) {
  ProcessLimits limits = pool->limits;
  const Begin begin = {pool, job};
  if (job->kind->background) limits.nice += BACKGROUND_NICE;
  leave(pool, job);
  enter(pool, job, RUNNING);
  if (!process_begin(&job->process, &limits, -1, run_process, &begin)) {
    fail(pool, job, 503, "the system refuses another process");
    return;
  }
  wire_init(&job->wire, job->process.link);
  job->end = clock_now() + job->kind->seconds;
}

static Job *next_waiting(const TaskPool *pool, bool background) {
  for (uint32_t i = 0; i < pool->jobs.count; i++) {
    Job *job = pool->jobs.data[i];
    if (job->stage == WAITING && job->kind->background == background)
      return job;
  }
  return NULL;
}

static void start_waiting(TaskPool *pool) {
  while (pool->waiting[false] && pool->running[false] < TASKS_RUNNING)
    start(pool, next_waiting(pool, false));
  if (pool->waiting[false]) return;
  while (pool->waiting[true] && !pool->running[true])
    start(pool, next_waiting(pool, true));
}

static Job *add_job(TaskPool *pool, const TaskKind *kind, const char *key,
                    const TaskCall *call) {
  Job *job = memory_new(sizeof *job);
  *job = (Job){.kind = kind,
               .call = *call,
               .process = {.link = -1},
               .reply = fresh_reply()};
  if (key) text_add(&job->key, key);
  job->hash = key ? hash_bytes(key, strlen(key)) : 0;
  text_add(&job->path, call->path);
  text_add_bytes(&job->body, call->body ? call->body : "", call->body_length);
  job->call.path = text_string(&job->path);
  job->call.body = text_string(&job->body);
  job->call.pool = pool;
  vector_push(&pool->jobs, job);
  enter(pool, job, WAITING);
  return job;
}

static bool is_full(const TaskPool *pool, const TaskKind *kind) {
  return kind->background ? pool->waiting[true] >= TASKS_WAITING_BACKGROUND
                          : pool->waiting[false] >= TASKS_WAITING;
}

/* Adds the jobs that a reply wants: lines of a key and a path. */
static void add_wanted(TaskPool *pool, const Job *from, char *lines) {
  const TaskKind *kind = from->kind->next;
  const void *context = from->call.context;
  char *rest = NULL;
  if (!kind) return;
  for (char *line = strtok_r(lines, "\n", &rest); line;
       line = strtok_r(NULL, "\n", &rest)) {
    char *tab = strchr(line, '\t');
    if (!tab) continue;
    *tab = '\0';
    if (is_full(pool, kind) || find_job(pool, line)) continue;
    add_job(pool, kind, line,
            &(TaskCall){.path = tab + 1, .body = "", .context = context});
  }
}

/* Takes the next field, up to a character that ends it. */
static char *take_field(char **at, char end) {
  char *field = *at, *stop = field ? strchr(field, end) : NULL;
  *at = stop ? stop + 1 : NULL;
  if (stop) *stop = '\0';
  return stop ? field : NULL;
}

/* Sets the job's reply to the message. Returns false if it is no reply. */
static bool read_reply(TaskPool *pool, Job *job, Text *message) {
  char *at = message->bytes, *end = at + message->length;
  char *status = take_field(&at, '\t'), *wanted = take_field(&at, '\t');
  char *type = take_field(&at, '\t'), *policy = take_field(&at, '\n');
  if (!status || !wanted || !type || !policy) return false;
  size_t length = strtoull(wanted, NULL, 10);
  unsigned long number = strtoul(status, NULL, 10);
  if (number < 200 || number > 599 || length > (size_t)(end - at)) return false;
  text_clear(&job->type);
  text_clear(&job->policy);
  text_add(&job->type, type);
  text_add(&job->policy, policy);
  job->reply.status = (unsigned)number;
  job->reply.type = text_string(&job->type);
  job->reply.policy = *policy ? text_string(&job->policy) : NULL;
  text_clear(&job->reply.body);
  text_add_bytes(&job->reply.body, at + length, (size_t)(end - at) - length);
  Text lines = {0};
  text_add_bytes(&lines, at, length);
  if (length) add_wanted(pool, job, lines.bytes);
  text_free(&lines);
  return true;
}

static double keep_of(const Job *job) {
  if (job->reply.status < 300) return job->kind->keep;
  return job->kind->background ? failure_seconds : 0;
}

/* Looks at a process. Returns true if its job has ended. */
static bool look(TaskPool *pool, Job *job) {
  WireEvent event = wire_receive(&job->wire);
  if (event == WIRE_GOT && read_reply(pool, job, &job->wire.message)) {
    finish(pool, job, keep_of(job));
  } else if (event != WIRE_EMPTY) {
    process_drop(&job->process); /* how it ended will be logged */
    fail(pool, job, 500,
         "the process that worked on this has ended without "
         "an answer");
  } else if (clock_now() >= job->end) {
    Text why = {0};
    text_format(&why, "this took longer than the %g s that are allowed",
                job->kind->seconds);
    fail(pool, job, 503, why.bytes);
    text_free(&why);
  } else {
    return false;
  }
  return true;
}

/* ---- the pool ---- */

TaskPool *tasks_new(const ProcessLimits *limits) {
  TaskPool *pool = memory_new(sizeof *pool);
  pool->limits = *limits;
  return pool;
}

void tasks_delete(TaskPool *pool) {
  if (!pool) return;
  TaskReply reply = fresh_reply();
  task_fail(&reply, 503, "the server is being shut down");
  for (uint32_t i = 0; i < pool->jobs.count; i++) {
    answer_all(pool->jobs.data[i], &reply);
    free_job(pool->jobs.data[i]);
  }
  text_free(&reply.body);
  vector_free(&pool->jobs);
  memory_delete(pool);
}

void tasks_add(TaskPool *pool, const TaskKind *kind, const char *key,
               const TaskCall *call, HttpRequest *request) {
  Job *job = key && *key ? find_job(pool, key) : NULL;
  if (job && job->stage == KEPT) {
    job->used = clock_now();
    if (request) answer(request, &job->reply);
    return;
  }
  if (!job && is_full(pool, kind)) {
    refuse(request, "too much is asked at once; try again soon");
    return;
  }
  if (!job) job = add_job(pool, kind, key && *key ? key : NULL, call);
  if (request) vector_push(&job->askers, request);
  start_waiting(pool);
}

const TaskReply *tasks_kept(TaskPool *pool, const char *key) {
  Job *job = find_job(pool, key);
  if (!job || job->stage != KEPT) return NULL;
  job->used = clock_now();
  return &job->reply;
}

/* What is still being made under such a key is neither kept nor joined. */
void tasks_files(const TaskPool *pool, TasksFile *each, void *context) {
  for (uint32_t i = 0; i < pool->jobs.count; i++)
    if (pool->jobs.data[i]->stage == RUNNING)
      each(context, pool->jobs.data[i]->process.link);
}

double tasks_due(const TaskPool *pool) {
  double due = INFINITY;
  for (uint32_t i = 0; i < pool->jobs.count; i++) {
    const Job *job = pool->jobs.data[i];
    if (job->stage == RUNNING && job->end < due) due = job->end;
  }
  return due;
}

/* A job that ends may add or remove others. */
void tasks_tick(TaskPool *pool) {
  for (uint32_t i = 0; i < pool->jobs.count;) {
    Job *job = pool->jobs.data[i];
    if (job->stage == RUNNING && look(pool, job))
      i = 0;
    else
      i++;
  }
  start_waiting(pool);
}

void tasks_reaped(TaskPool *pool, pid_t pid) {
  for (uint32_t i = 0; i < pool->jobs.count; i++) {
    Process *process = &pool->jobs.data[i]->process;
    if (process->pid == pid) process->reaped = true;
  }
}

/* ---- for the work ---- */

void task_fail(TaskReply *reply, unsigned status, const char *format, ...) {
  Text message = {0};
  char buffer[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  text_add(&message, buffer);
  reply->policy = NULL;
  task_reply_json(reply,
                  json_pack("{s:o}", "error", json_plain(message.bytes)));
  reply->status = status;
  text_free(&message);
}

void task_reply_json(TaskReply *reply, json_t *value) {
  reply->status = 200;
  reply->type = "application/json";
  text_clear(&reply->body);
  json_add_text(value, JSON_COMPACT | JSON_PRESERVE_ORDER, &reply->body);
  json_decref(value);
}

const char *task_query(const TaskCall *call, const char *name) {
  const char *value = call->query ? call->query(call->request, name) : NULL;
  return value ? value : "";
}
