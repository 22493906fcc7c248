#include "cluster/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/launch.h"
#include "options.h"

static const double patience = 1; /* seconds for a launcher that is to end */
enum { NO_COMMAND = 127 };        /* exit code, as in shells */

/* ---- the command ---- */

static void read_words(const char *text, TextVector *words) {
  for (; *text; text += *text == '\n') {
    Text word = {0};
    size_t length = strcspn(text, "\n");
    text_add_bytes(&word, text, length);
    vector_push(words, word);
    text += length;
  }
}

static _Noreturn void become(const TextVector *words) {
  sigset_t none;
  char **list = memory_new((words->count + 1) * sizeof *list);
  for (uint32_t i = 0; i < words->count; i++) list[i] = words->data[i].bytes;
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  close_range(STDERR_FILENO + 1, ~0u, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  unsetenv(LAUNCH_COMMAND);
  execvp(list[0], list);
  log_error("%s: %s", list[0],
            errno == ENOENT ? "there is no such command" : strerror(errno));
  _exit(NO_COMMAND);
}

/* ---- watching it ---- */

/* SIGTERM can be read from what is returned; it no longer ends us. */
static int open_signals(void) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Waits until the command has ended, or is to end; the master writes nothing,
   but closes its end. */
static void watch(int process, int signals) {
  struct pollfd files[] = {
      {process, POLLIN, 0}, {signals, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (poll(files, 3, -1) < 0 && errno == EINTR) {
  }
}

static int end(pid_t pid, int process) {
  struct pollfd file = {process, POLLIN, 0};
  int status = 0;
  kill(pid, SIGTERM);
  poll(&file, 1, (int)(patience * 1e3));
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int guard_run(void) {
  const char *command = getenv(LAUNCH_COMMAND);
  const char *place = getenv(LAUNCH_VARIABLE);
  const char *secret = place ? strrchr(place, '/') : NULL;
  TextVector words = {0};
  int signals = open_signals();
  read_words(command ? command : "", &words);
  pid_t pid = words.count && secret ? fork() : -1;
  if (pid == 0) become(&words);
  text_vector_free(&words);
  if (pid < 0) return EXIT_LIMIT;
  int process = (int)syscall(SYS_pidfd_open, pid, 0);
  watch(process, signals);
  int code = end(pid, process);
  launch_sweep(secret + 1);
  return code;
}
