/* The caller must have one thread only: fork copies no other. The child
   inherits its end of the link and stderr, no other file; signal handlers are
   reset, and interrupts from the terminal are ignored, as the parent handles
   them. Its data are limited (RLIMIT_DATA counts writable memory; RLIMIT_AS
   would count the 64 MiB that the C library reserves for each thread), and if
   the machine runs out of memory, the kernel kills children before the parent.
 */
#include "io/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "base/vector.h"

/* Those that we killed and have not reaped: their ends are no news. */
static VECTOR(pid_t) killed;

enum { LINK = 3 }; /* descriptor of the link in the child */

bool process_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                    ends) == 0;
}

/* Limits are only ever lowered. */
static void lower(__rlimit_resource_t resource, size_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > most) limit.rlim_cur = most;
  setrlimit(resource, &limit);
}

static void limit_data(size_t memory) {
#ifdef SANITIZED
  (void)memory; /* shadow memory would count, and is terabytes */
#else
  lower(RLIMIT_DATA, memory);
#endif
}

static void limit_memory(size_t memory) {
  limit_data(memory);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "500", 3) < 0) { /* then the kernel chooses */
  }
  close(file);
}

/* The files may have any descriptors, even one of the first three. */
static void close_files(int link, int kept) {
  int high = fcntl(link, F_DUPFD, PROCESS_KEPT + 1);
  int other = kept < 0 ? -1 : fcntl(kept, F_DUPFD, PROCESS_KEPT + 1);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(high, LINK);
  if (other >= 0) dup2(other, PROCESS_KEPT);
  close_range(other >= 0 ? PROCESS_KEPT + 1 : PROCESS_KEPT, ~0u, 0);
}

static void reset_signals(void) {
  sigset_t none;
  for (int each = 1; each < NSIG; each++) signal(each, SIG_DFL);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write beyond RLIMIT_FSIZE fails instead */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_child(pid_t parent, int link, int kept,
                                const ProcessLimits *limits, ProcessWork *work,
                                const void *context) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  close_files(link, kept);
  reset_signals();
  setpriority(PRIO_PROCESS, 0, limits->nice);
  limit_memory(limits->memory);
  _exit(work(context, LINK));
}

bool process_begin(Process *process, const ProcessLimits *limits, int kept,
                   ProcessWork *work, const void *context) {
  int ends[2];
  sigset_t all, before;
  *process = (Process){.link = -1};
  if (!process_pair(ends)) return false;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) run_child(parent, ends[1], kept, limits, work, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  *process = (Process){.pid = pid, .link = ends[0]};
  return true;
}

void process_drop(Process *process) {
  if (!process->pid) return;
  if (!process->reaped) kill(process->pid, SIGKILL);
  close(process->link);
  *process = (Process){.link = -1};
}

void process_leave(Process *process) {
  if (process->pid) close(process->link);
  *process = (Process){.link = -1};
}

void process_kill(Process *process) {
  if (process->pid && !process->reaped) vector_push(&killed, process->pid);
  process_drop(process);
}

uint32_t process_dying(void) {
  return killed.count;
}

/* Returns true if the process was killed by us, and forgets it. */
static bool was_killed(pid_t pid) {
  for (uint32_t i = 0; i < killed.count; i++)
    if (killed.data[i] == pid) {
      killed.data[i] = vector_last(&killed);
      if (--killed.count == 0) vector_free(&killed);
      return true;
    }
  return false;
}

/* The state is the word after the name in parentheses, whatever the name. */
static bool is_stopped(pid_t pid) {
  char path[40], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && (end[2] == 'T' || end[2] == 't');
}

bool process_times(const Process *process, ProcessTimes *times) {
  char path[40];
  unsigned long long ran, waited;
  *times = (ProcessTimes){0};
  snprintf(path, sizeof path, "/proc/%d/schedstat", (int)process->pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  if (fscanf(file, "%llu %llu", &ran, &waited) == 2)
    *times = (ProcessTimes){.ran = 1e-9 * (double)ran,
                            .waited = 1e-9 * (double)waited};
  fclose(file);
  times->stopped = is_stopped(process->pid);
  return true;
}

void process_confine(size_t memory) {
  limit_data(memory);
  lower(RLIMIT_FSIZE, 0);
  lower(RLIMIT_NOFILE, LINK + 1);
}

int process_set_nice(int nice) {
  int before = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, 0, nice);
  return before;
}

pid_t process_reap(char *how, size_t size) {
  int status;
  pid_t pid = waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return 0;
  *how = '\0';
  if (was_killed(pid) || (WIFEXITED(status) && !WEXITSTATUS(status)))
    return pid;
  if (WIFSIGNALED(status))
    snprintf(how, size, "signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(how, size, "exit code %d", WEXITSTATUS(status));
  return pid;
}
