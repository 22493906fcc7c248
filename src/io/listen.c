/* Addresses come from the system's resolver, IPv4 and IPv6 alike; the first
   that can be bound is used. */
#include "io/listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 511 }; /* connections that are not yet accepted */

static int bind_one(const struct addrinfo *address, Text *error) {
  int one = 1;
  int file =
      socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (file >= 0) {
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(file, address->ai_addr, address->ai_addrlen) == 0 &&
        listen(file, BACKLOG) == 0)
      return file;
  }
  int why = errno;
  text_clear(error);
  text_add(error, strerror(why));
  if (file >= 0) close(file);
  errno = why;
  return -1;
}

int listen_open(const char *host, unsigned port, Text *error) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
  struct addrinfo *list;
  char service[8];
  int file = -1;
  snprintf(service, sizeof service, "%u", port);
  int code = getaddrinfo(host, service, &hints, &list);
  if (code) {
    text_clear(error);
    text_add(error, gai_strerror(code));
    errno = EINVAL;
    return -1;
  }
  for (struct addrinfo *each = list; each && file < 0; each = each->ai_next)
    file = bind_one(each, error);
  int why = errno;
  freeaddrinfo(list);
  errno = why;
  return file;
}

static void find_address(int file, char host[LISTEN_ADDRESS], char service[8]) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  *host = *service = 0;
  getsockname(file, (struct sockaddr *)&address, &size);
  getnameinfo((struct sockaddr *)&address, size, host, LISTEN_ADDRESS, service,
              8, NI_NUMERICHOST | NI_NUMERICSERV);
}

void listen_address(int file, char address[LISTEN_ADDRESS]) {
  char service[8];
  find_address(file, address, service);
}

unsigned listen_port(int file) {
  char host[LISTEN_ADDRESS], service[8];
  find_address(file, host, service);
  return (unsigned)strtoul(service, NULL, 10);
}

void listen_write_url(int file, Text *url) {
  char host[LISTEN_ADDRESS], service[8];
  find_address(file, host, service);
  bool colons = strchr(host, ':');
  text_format(url, "http://%s%s%s:%s/", colons ? "[" : "", host,
              colons ? "]" : "", service);
}
