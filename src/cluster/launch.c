/* The child is made by vfork: fork would copy the page tables of a large tree,
   and every page of it would fault once more when it is next written. Until it
   becomes the guard, the child shares our memory, and calls only what may be
   called in a signal handler. */
#include "cluster/launch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  SAID_MOST = 16 << 10, /* bytes of what it prints that are kept, at least */
  NICE = 5              /* as nice as thinkers are: answers come first */
};

void launch_secret(char secret[LAUNCH_SECRET + 1]) {
  unsigned char bytes[LAUNCH_SECRET / 2];
  size_t count = 0;
  while (count < sizeof bytes) {
    ssize_t more = getrandom(bytes + count, sizeof bytes - count, 0);
    if (more > 0)
      count += (size_t)more;
    else if (errno != EINTR)
      fatal("the system has no random numbers for a secret");
  }
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
}

/* ---- the command ---- */

static void add(TextVector *words, const char *word) {
  Text text = {0};
  text_add(&text, word);
  vector_push(words, text);
}

static void add_number(TextVector *words, uint32_t number) {
  Text text = {0};
  text_format(&text, "%u", number);
  vector_push(words, text);
}

/* Words between blanks. */
static void split(const char *text, TextVector *words) {
  static const char blank[] = " \t";
  for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
    Text word = {0};
    size_t length = strcspn(text, blank);
    text_add_bytes(&word, text, length);
    vector_push(words, word);
    text += length;
  }
}

static void write_hosts(const Hosts *hosts, const Host *only, bool slots,
                        Text *text) {
  for (uint32_t i = 0; i < hosts->list.count; i++) {
    const Host *host = &hosts->list.data[i];
    if (only ? host != only : host->dead) continue;
    text_format(text, "%s%s", text->length ? "," : "", host->name.bytes);
    if (slots) text_format(text, ":%u", only ? 1 : host->slots);
  }
}

static void find_program(const Scheme *scheme, char path[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
  if (scheme->program) snprintf(path, PATH_MAX, "%s", scheme->program);
}

static void add_program(const Scheme *scheme, const char *worker,
                        TextVector *words) {
  char own[PATH_MAX];
  find_program(scheme, own);
  add(words, own);
  add(words, "worker");
  split(worker, words);
}

/* Ranks of this machine may be more than it has cores, which Open MPI counts as
   its slots. */
static void add_mpirun(const Hosts *hosts, const Host *only, uint32_t ranks,
                       TextVector *words) {
  Text list = {0};
  if (geteuid() == 0) add(words, "--allow-run-as-root");
  if (!hosts->list.count) add(words, "--oversubscribe");
  add(words, "--bind-to");
  add(words, "none");
  add(words, "-x");
  add(words, LAUNCH_VARIABLE);
  /* Else the others live on for a second when a rank has died. */
  add(words, "--mca");
  add(words, "odls_base_sigkill_timeout");
  add(words, "0");
  write_hosts(hosts, only, true, &list);
  if (list.length) {
    add(words, "--host");
    add(words, list.bytes);
  }
  add(words, "-n");
  add_number(words, ranks);
  text_free(&list);
}

static void add_srun(const Hosts *hosts, const Host *only, uint32_t ranks,
                     TextVector *words) {
  Text list = {0};
  add(words, "--kill-on-bad-exit=1");
  add(words, "--export=ALL");
  write_hosts(hosts, only, false, &list);
  if (list.length) {
    add(words, "-w");
    add(words, list.bytes);
  }
  add(words, "-n");
  add_number(words, ranks);
  text_free(&list);
}

void launch_command(const Scheme *scheme, const Hosts *hosts, const Host *only,
                    uint32_t ranks, const char *worker, TextVector *words) {
  split(scheme->launcher, words);
  const char *name = words->count ? words->data[0].bytes : "";
  const char *slash = strrchr(name, '/');
  if (strcmp(slash ? slash + 1 : name, "srun") == 0)
    add_srun(hosts, only, ranks, words);
  else
    add_mpirun(hosts, only, ranks, words);
  add_program(scheme, worker, words);
}

/* ---- the child ---- */

extern char **environ;

/* Our environment with these variables; the strings are borrowed. */
static char **make_environment(const Text *variables, size_t more) {
  size_t count = 0, used = 0;
  while (environ[count]) count++;
  char **list = memory_new((count + more + 1) * sizeof *list);
  for (size_t i = 0; i < count; i++) list[used++] = environ[i];
  for (size_t i = 0; i < more; i++) list[used++] = variables[i].bytes;
  return list;
}

static void complain(void) {
  static const char why[] = "the program cannot be started again\n";
  if (write(STDERR_FILENO, why, sizeof why - 1) < 0) { /* nobody reads it */
  }
}

/* Lets go of all files, and of the signals' ways of this process. */
static _Noreturn void become(char **words, char **environment, int input,
                             int output) {
  sigset_t none;
  setpgid(0, 0);
  for (int each = 1; each < NSIG; each++) signal(each, SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0u, 0);
  if (nice(NICE) < 0) { /* it may be that nice already */
  }
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  execve(words[0], words, environment);
  complain();
  _exit(127);
}

static void close_both(const int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

/* Two pipes: what the child holds us by, and what it prints to; descriptors
   beyond the first three. */
static bool open_pipes(int hold[2], int print[2]) {
  if (pipe2(hold, O_CLOEXEC) != 0) return false;
  if (pipe2(print, O_CLOEXEC) != 0) {
    close_both(hold);
    return false;
  }
  fcntl(print[0], F_SETFL, O_NONBLOCK);
  return true;
}

static bool start(Launch *launch, char **words, char **environment) {
  int hold[2], print[2];
  sigset_t all, before;
  if (!open_pipes(hold, print)) return false;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = vfork();
  if (pid == 0) become(words, environment, hold[0], print[1]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(hold[0]);
  close(print[1]);
  if (pid < 0) {
    close(hold[1]);
    close(print[0]);
    return false;
  }
  setpgid(pid, pid); /* whoever is first */
  *launch = (Launch){.pid = pid, .hold = hold[1], .output = print[0]};
  return true;
}

bool launch_begin(Launch *launch, const Scheme *scheme, const TextVector *words,
                  const char *value, Text *error) {
  char own[PATH_MAX], worker[] = "worker", guard[] = "--guard";
  Text variables[2] = {0};
  find_program(scheme, own);
  char *list[] = {own, worker, guard, NULL};
  *launch = (Launch){.hold = -1, .output = -1};
  text_format(&variables[0], "%s=%s", LAUNCH_VARIABLE, value);
  text_add(&variables[1], LAUNCH_COMMAND "=");
  for (uint32_t i = 0; i < words->count; i++)
    text_format(&variables[1], "%s\n", words->data[i].bytes);
  char **environment = make_environment(variables, 2);
  bool fine = start(launch, list, environment);
  if (!fine) text_add(error, strerror(errno));
  memory_delete(environment);
  text_free(&variables[0]);
  text_free(&variables[1]);
  return fine;
}

/* ---- its life ---- */

void launch_hear(Launch *launch) {
  char piece[4096];
  while (launch->output >= 0) {
    ssize_t count = read(launch->output, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      close(launch->output);
      launch->output = -1;
      return;
    }
    Text *said = &launch->said;
    text_add_bytes(said, piece, (size_t)count);
    if (said->length > 2 * SAID_MOST) {
      memmove(said->bytes, said->bytes + said->length - SAID_MOST, SAID_MOST);
      said->length = SAID_MOST;
      said->bytes[SAID_MOST] = 0;
    }
  }
}

bool launch_ended(Launch *launch, Text *how) {
  int status;
  if (!launch->pid) return true;
  if (waitpid(launch->pid, &status, WNOHANG) != launch->pid) return false;
  launch->pid = 0;
  launch_hear(launch);
  if (WIFSIGNALED(status))
    text_format(how, "the launcher was ended by signal %d", WTERMSIG(status));
  else
    text_format(how, "the launcher ended with code %d", WEXITSTATUS(status));
  return true;
}

void launch_signal(const Launch *launch, int number) {
  if (launch->pid) kill(-launch->pid, number);
}

void launch_free(Launch *launch) {
  if (launch->output >= 0) close(launch->output);
  if (launch->hold >= 0) close(launch->hold);
  text_free(&launch->said);
  *launch = (Launch){.hold = -1, .output = -1};
}

/* ---- what it leaves ---- */

static bool has_secret(const char *pid, const char *secret) {
  Text path = {0}, text = {0}, error = {0};
  text_format(&path, "/proc/%s/environ", pid);
  bool read = text_read_file(&text, path.bytes, 1 << 20, &error);
  bool found = read && text.length &&
               memmem(text.bytes, text.length, secret, strlen(secret));
  text_free(&path);
  text_free(&text);
  text_free(&error);
  return found;
}

uint32_t launch_sweep(const char *secret) {
  uint32_t count = 0;
  DIR *folder = opendir("/proc");
  if (!folder) return 0;
  for (struct dirent *each = readdir(folder); each; each = readdir(folder)) {
    pid_t pid = (pid_t)strtol(each->d_name, NULL, 10);
    if (pid > 1 && pid != getpid() && has_secret(each->d_name, secret) &&
        kill(pid, SIGKILL) == 0)
      count++;
  }
  closedir(folder);
  return count;
}

/* Open MPI: "… noticed that process rank 2 with PID 77 on node nodeb exited on
   signal 9 (Killed)." and "Remote daemon: [[1,0],2] on node nodeb"; Slurm:
   "srun: error: nodeb: task 2: Killed". */
bool launch_culprit(const Launch *launch, Text *text) {
  const char *said = text_string(&launch->said), *line;
  char host[256], how[64];
  unsigned rank;
  if ((line = strstr(said, "process rank ")) &&
      sscanf(line,
             "process rank %u with PID %*s on node %255s exited on %63[^.]",
             &rank, host, how) == 3) {
    text_format(text, "rank %u on %s ended by %s", rank, host, how);
    return true;
  }
  if ((line = strstr(said, "Remote daemon")) &&
      sscanf(line, "Remote daemon : %*s on node %255s", host) == 1) {
    text_format(text, "%s cannot be reached", host);
    return true;
  }
  if ((line = strstr(said, "srun: error: ")) &&
      sscanf(line, "srun: error: %255[^:]: task %u: %63[^\n]", host, &rank,
             how) == 3) {
    text_format(text, "rank %u on %s: %s", rank, host, how);
    return true;
  }
  return false;
}
