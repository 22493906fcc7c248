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
                                      "compiling",
                                      "playing"};
  return names[task];
}

void tasks_write(const Tasks *tasks, Text *text) {
  double now = clock_now();
  const char *between = "";
  for (int i = 0; i < TASK_COUNT; i++) {
    double seconds = tasks->seconds[i];
    if (i == (int)tasks->now) seconds += now - tasks->since;
    if (seconds < 0.0005) continue;
    text_format(text, "%s%s %.3g s", between, tasks_name((Task)i), seconds);
    between = ", ";
  }
}
