/* What preparing and playing a game takes: how long each task has lasted, and
   which one is at work. */
#ifndef TAFL_GAME_TASKS_H
#define TAFL_GAME_TASKS_H

#include "base/text.h"

typedef enum {
  TASK_READING,
  TASK_GROUNDING,
  TASK_BUILDING,
  TASK_REDUCING,
  TASK_NARROWING, /* proving that `base` and `input` say all */
  TASK_ANALYSING,
  TASK_FEATURES,
  TASK_SYMMETRIES,
  TASK_COMPILING,
  TASK_PLAYING,
  TASK_COUNT
} Task;

typedef struct Tasks {
  double seconds[TASK_COUNT];
  Task now;
  double since; /* of clock_now */
} Tasks;

void tasks_init(Tasks *tasks, Task task);
/* Ends the task at work and begins another. */
void tasks_enter(Tasks *tasks, Task task);
/* As in "was reached while grounding". */
const char *tasks_name(Task task);
double tasks_seconds(const Tasks *tasks, Task task); /* so far */
/* The one that has taken most time. */
Task tasks_longest(const Tasks *tasks);
/* Writes the tasks that took a noticeable time, such as "reading 0.1 s,
   grounding 4.9 s". */
void tasks_write(const Tasks *tasks, Text *text);

#endif
