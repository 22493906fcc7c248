/* The server has one thread, so that a fork is a whole program. The process
   keeps of us its end of the link and stderr, no other file; signals are as if
   it were new, but that an interrupt from the terminal is for us alone to heed.
   Its data are limited (RLIMIT_DATA counts what may be written to; RLIMIT_AS
   would count the 64 MiB that the C library reserves for each thread), and
   where the machine runs out of memory it goes before us. */
#include "ggp/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ggp/link.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum {
  LINK = 3, /* the number of the process's end */
  /* so that we get a processor when a deadline comes: at a load of 16 the worst
     first answer of a process came after 8 ms instead of 26 */
  NICE = 5
};

static void limit(int resource, size_t most) {
  struct rlimit bound = {most, most};
  setrlimit(resource, &bound);
}

static void bound_memory(size_t memory) {
#ifdef SANITIZED
  (void)memory; /* shadow memory counts too, and is terabytes */
#else
  limit(RLIMIT_DATA, memory);
#endif
  limit(RLIMIT_CORE, 0);
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "500", 3) < 0) { /* then all are alike */
  }
  close(file);
}

static void leave_files(int link) {
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  if (link != LINK) dup2(link, LINK);
  close_range(LINK + 1, ~0u, 0);
}

static void reset_signals(void) {
  sigset_t none;
  for (int each = 1; each < NSIG; each++) signal(each, SIG_DFL);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void live(pid_t parent, int link, size_t memory,
                           ProcessWork *work, const void *context) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  leave_files(link);
  reset_signals();
  if (nice(NICE) == -1) { /* then all are alike */
  }
  bound_memory(memory);
  _exit(work(context, LINK));
}

bool process_begin(Process *process, size_t memory, ProcessWork *work,
                   const void *context) {
  int ends[2];
  sigset_t all, before;
  *process = (Process){.link = -1};
  if (!link_open(ends)) return false;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) live(parent, ends[1], memory, work, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  *process = (Process){.pid = pid, .link = ends[0]};
  return true;
}

void process_kill(Process *process) {
  if (!process->pid) return;
  if (!process->gone) kill(process->pid, SIGKILL);
  close(process->link);
  *process = (Process){.link = -1};
}

double process_used(const Process *process) {
  clockid_t clock;
  struct timespec time;
  if (!process->pid || clock_getcpuclockid(process->pid, &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return 0;
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

pid_t process_reap(char *how, size_t size) {
  int status;
  pid_t pid = waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return 0;
  if (WIFSIGNALED(status))
    snprintf(how, size, "signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(how, size, "exit code %d", WEXITSTATUS(status));
  return pid;
}
