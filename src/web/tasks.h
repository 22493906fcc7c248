/* Requests that take too long for the server's loop (reading rules, asking the
   store, drawing a chart) are answered by processes of their own: each is
   forked, has limits of time and memory, sends one answer and exits. A few run
   at a time, others wait in a queue, beyond its end they are refused.

   Answers may be kept: a later task with the same key gets the same answer, and
   tasks with the same key at the same time become one. */
#ifndef TAFL_WEB_TASKS_H
#define TAFL_WEB_TASKS_H

#include "io/http.h"
#include "io/json.h"
#include "io/process.h"

typedef struct TaskPool TaskPool;

/* What a process is asked; the texts are copied. */
typedef struct TaskCall {
  const char *path; /* of the request, behind "api/": "games/chess" */
  const char *body; /* of a POST, or "" */
  size_t body_length;
  /* For task_query; may be NULL. The request that is passed to tasks_add lives
     until it is answered, and so until the process is forked. */
  const char *(*query)(const void *request, const char *name);
  const void *request;
  const void *context; /* borrowed: what belongs to the server */
  TaskPool *pool;      /* set by it: what was kept when the process began */
} TaskCall;

typedef struct TaskReply {
  unsigned status;    /* 200 */
  const char *type;   /* of static duration; "application/json" */
  const char *policy; /* of static duration: a Content-Security-Policy of its
                         own, for what is shown in a frame; NULL: the page's */
  Text body;
  /* Lines "KEY<tab>PATH": tasks to be done in the background after this one,
     in this order (TaskKind.next); those that are kept or waiting are left
     out. Keys and paths have no control characters. */
  Text wanted;
} TaskReply;

/* Runs in the process. */
typedef void TaskWork(const TaskCall *call, TaskReply *reply);

/* Of static duration. */
typedef struct TaskKind {
  TaskWork *work;
  double seconds;              /* until it is killed */
  bool background;             /* nice, and after all others */
  double keep;                 /* seconds that an answer with a key is kept */
  const struct TaskKind *next; /* of what the reply wants; may be NULL */
} TaskKind;

enum {
  TASKS_RUNNING = 2, /* at once, and one in the background */
  TASKS_WAITING = 32,
  TASKS_WAITING_BACKGROUND = 1024,
  TASKS_KEPT = 32 << 20 /* bytes of answers; the least recently used go */
};

TaskPool *tasks_new(const ProcessLimits *limits);
void tasks_delete(TaskPool *pool); /* what waits is answered with 503 */
/* Answers the request, now from what is kept or later. `key` may be NULL:
   nothing is kept. `request` may be NULL: the answer is only kept. Answers that
   are errors are not kept, except that a task in the background which failed is
   not tried again for some minutes. */
void tasks_add(TaskPool *pool, const TaskKind *kind, const char *key,
               const TaskCall *call, HttpRequest *request);
/* What is kept under the key, or NULL; valid until the pool is next used. A
   process may ask for what was kept when it was forked. */
const TaskReply *tasks_kept(TaskPool *pool, const char *key);

/* Sets the reply to {"error": …}. */
void task_fail(TaskReply *reply, unsigned status, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Sets the reply to the value, which is released. */
void task_reply_json(TaskReply *reply, json_t *value);
/* The value of a parameter, or "". */
const char *task_query(const TaskCall *call, const char *name);

/* For the server's loop, as in web/web.h: files that wake it when they are
   readable, the time when tasks_tick has something to do, and children that
   were reaped. */
typedef void TasksFile(void *context, int file);
void tasks_files(const TaskPool *pool, TasksFile *each, void *context);
double tasks_due(const TaskPool *pool);
void tasks_tick(TaskPool *pool);
void tasks_reaped(TaskPool *pool, pid_t pid);

#endif
