/* Requests that take too long for the server's loop (reading rules, asking the
   store, drawing a chart) are answered by processes of their own: each is
   forked, has limits of time and memory, sends one answer and exits. A few run
   at a time, others wait in a queue, beyond its end they are refused.

   Answers may be kept: a later task with the same key gets the same answer, and
   tasks with the same key at the same time become one. */
#ifndef TAFL_WEB_TASKS_H
#define TAFL_WEB_TASKS_H

#include "io/http.h"
#include "io/process.h"

typedef struct TaskPool TaskPool;

/* What a process is asked; everything it points to is copied. */
typedef struct TaskCall {
  const char *path; /* of the request, behind "api/": "games/chess" */
  const char *body; /* of a POST, or "" */
  size_t body_length;
  const char *(*query)(const void *request, const char *name);
  const void *request; /* for query; see task_query */
  const void *context; /* borrowed: what belongs to the server */
} TaskCall;

typedef struct TaskReply {
  unsigned status;    /* 200 */
  const char *type;   /* of static duration; "application/json" */
  const char *policy; /* of static duration: a Content-Security-Policy of its
                         own, for what is shown in a frame; NULL: the page's */
  Text body;
} TaskReply;

/* Runs in the process. */
typedef void TaskWork(const TaskCall *call, TaskReply *reply);

typedef struct TaskKind {
  TaskWork *work;
  double seconds;  /* until it is killed */
  bool background; /* nice, and after all others */
} TaskKind;

TaskPool *tasks_new(const ProcessLimits *limits);
void tasks_delete(TaskPool *tasks); /* what waits is answered with 503 */
/* Answers the request, now from what is kept or later. `key` may be NULL:
   nothing is kept. `request` may be NULL: the answer is only kept. */
void tasks_add(TaskPool *tasks, const TaskKind *kind, const char *key,
               const TaskCall *call, HttpRequest *request);
/* What is kept under the key, or NULL. */
const TaskReply *tasks_kept(const TaskPool *tasks, const char *key);
/* Forgets what is kept under keys that begin so. */
void tasks_forget(TaskPool *tasks, const char *prefix);

/* Sets the reply to {"error": …}. */
void task_fail(TaskReply *reply, unsigned status, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Sets the reply to the value, which is released. */
void task_reply_json(TaskReply *reply, json_t *value);
/* The value of a parameter, or "". */
const char *task_query(const TaskCall *call, const char *name);

/* For the server's loop, as in web/web.h. */
typedef void TasksFile(void *context, int file);
void tasks_files(const TaskPool *tasks, TasksFile *each, void *context);
double tasks_due(const TaskPool *tasks);
void tasks_tick(TaskPool *tasks);
void tasks_reaped(TaskPool *tasks, pid_t pid);

#endif
