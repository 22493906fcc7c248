/* /proc/net/tcp and tcp6 list sockets, one a line:

     number: address:port address:port state queues timer retransmits uid
   timeout inode ...

   with addresses and ports in hexadecimal; the state of a listening socket is
   0A. The process that has it has a descriptor that is a link to
   "socket:[inode]"; only its own user and root may look. */
#include "io/owner.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTENING = 0x0a, LONGEST_COMMAND = 200 };

typedef struct Listener {
  unsigned long inode;
  unsigned user;
} Listener;

static bool find_listener(const char *table, unsigned port,
                          Listener *listener) {
  FILE *file = fopen(table, "re");
  char line[512];
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file)) {
    unsigned number, state;
    found = sscanf(line,
                   " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s "
                   "%u %*d %lu",
                   &number, &state, &listener->user, &listener->inode) == 4 &&
            number == port && state == LISTENING;
  }
  if (file) fclose(file);
  return found;
}

static bool has_socket(const char *pid, const char *wanted) {
  char path[300], target[64];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
  DIR *list = opendir(path);
  for (struct dirent *each; list && !found && (each = readdir(list));) {
    ssize_t length =
        readlinkat(dirfd(list), each->d_name, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    found = strcmp(target, wanted) == 0;
  }
  if (list) closedir(list);
  return found;
}

static pid_t find_process(unsigned long inode) {
  char wanted[64];
  pid_t pid = 0;
  snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
  DIR *list = opendir("/proc");
  for (struct dirent *each; list && !pid && (each = readdir(list));)
    if (strspn(each->d_name, "0123456789") == strlen(each->d_name) &&
        has_socket(each->d_name, wanted))
      pid = (pid_t)strtol(each->d_name, NULL, 10);
  if (list) closedir(list);
  return pid;
}

/* Arguments end with NUL bytes. */
static void read_command(pid_t pid, Text *command) {
  char path[64], bytes[LONGEST_COMMAND];
  snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return;
  size_t length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  while (length && !bytes[length - 1]) length--;
  for (size_t i = 0; i < length; i++)
    if (bytes[i] < ' ' || bytes[i] > '~') bytes[i] = bytes[i] ? '?' : ' ';
  text_add_bytes(command, bytes, length);
}

bool owner_find(Owner *owner, unsigned port) {
  Listener listener;
  *owner = (Owner){0};
  if (!find_listener("/proc/net/tcp", port, &listener) &&
      !find_listener("/proc/net/tcp6", port, &listener))
    return false;
  owner->pid = find_process(listener.inode);
  if (owner->pid) read_command(owner->pid, &owner->command);
  const struct passwd *user = getpwuid(listener.user);
  if (user)
    text_add(&owner->user, user->pw_name);
  else
    text_format(&owner->user, "%u", listener.user);
  return true;
}

void owner_free(Owner *owner) {
  text_free(&owner->command);
  text_free(&owner->user);
}
