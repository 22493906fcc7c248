#include "game/tasks.h"

#include "base/clock.h"

void tasks_init(Tasks *tasks, Task task) {
  *tasks = (Tasks){.now = task, .since = clock_now()};
}

void tasks_enter(Tasks *tasks, Task task) {
  double now = clock_now();
  tasks->seconds[tasks->now] += now - tasks->since;
  tasks->now = task;
  tasks->since = now;
}

const char *tasks_name(Task task) {
  static const char *const names[] = {"reading the rules",
                                      "grounding",
                                      "building the net",
                                      "reducing the net",
                                      "proving base and input",
                                      "analysing",
                                      "looking for features",
                                      "looking for symmetries",
                                      "compiling",
                                      "playing"};
  return names[task];
}

double tasks_seconds(const Tasks *tasks, Task task) {
  double seconds = tasks->seconds[task];
  return task == tasks->now ? seconds + clock_now() - tasks->since : seconds;
}

Task tasks_longest(const Tasks *tasks) {
  Task longest = tasks->now;
  for (int i = 0; i < TASK_COUNT; i++)
    if (tasks_seconds(tasks, (Task)i) > tasks_seconds(tasks, longest))
      longest = (Task)i;
  return longest;
}

void tasks_write(const Tasks *tasks, Text *text) {
  const char *between = "";
  for (int i = 0; i < TASK_COUNT; i++) {
    double seconds = tasks_seconds(tasks, (Task)i);
    if (seconds < 0.00005) continue;
    text_format(text, "%s%s %.3g s", between, tasks_name((Task)i), seconds);
    between = ", ";
  }
}
