/* A host is ours if it is a name or address of the loopback or the address we
   are bound to and, if others can reach us, any address at all (an address
   cannot be made to point elsewhere) and the name of the machine; with our port
   or none. A request without a Host comes from an old game master. The
   reference one, GGP Base, fills in whatever name the system gives it for our
   address; it speaks HTTP/1.0, as no browser does, and sends a Sender.

   An origin is ours if it is http, our host and our port. Others must be
   allowed. A request without an Origin may still come from another site: an
   image, a link, a form. Sec-Fetch-Site says so, but browsers send it only to
   the loopback and over TLS; so what calls itself Mozilla, as all browsers do,
   and sends neither may only look. The same holds for addresses that the user
   types or follows a link to: looking at an address must not start a match.
   Links of other sites may lead to a page, but to nothing else. */
#include "io/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LONGEST_HOST = 255, SHOWN = 80 };

/* ---- hosts ---- */

typedef struct Host {
  char name[LONGEST_HOST + 1]; /* without brackets */
  bool literal;                /* an IPv6 address, in brackets */
  long port;                   /* -1: none */
} Host;

static bool read_port(const char *text, long *port) {
  size_t digits = strspn(text, "0123456789");
  *port = -1;
  if (!digits && !text[digits]) return true; /* "localhost:" */
  if (!digits || digits > 5 || text[digits]) return false;
  *port = strtol(text, NULL, 10);
  return *port <= 65535;
}

/* host = name [":" port] | "[" address "]" [":" port] */
static bool read_host(const char *text, Host *host) {
  host->literal = *text == '[';
  text += host->literal;
  size_t length = strcspn(text, host->literal ? "]" : ":");
  const char *end = text + length + host->literal;
  host->port = -1;
  if (!length || length > LONGEST_HOST || (host->literal && !text[length]) ||
      (*end && *end != ':') || (*end && !read_port(end + 1, &host->port)))
    return false;
  if (!host->literal && length > 1 && text[length - 1] == '.') length--;
  memcpy(host->name, text, length);
  host->name[length] = '\0';
  return true;
}

static bool is_address(const char *name) {
  unsigned char bytes[sizeof(struct in6_addr)];
  return inet_pton(AF_INET, name, bytes) == 1 ||
         inet_pton(AF_INET6, name, bytes) == 1;
}

static bool is_loopback(const char *name) {
  struct in_addr four;
  struct in6_addr six;
  if (inet_pton(AF_INET, name, &four) == 1)
    return ntohl(four.s_addr) >> 24 == 127;
  return inet_pton(AF_INET6, name, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static bool is_machine(const Guard *guard, const char *name) {
  size_t length = strlen(guard->machine);
  return length && strncasecmp(name, guard->machine, length) == 0 &&
         (!name[length] || strcasecmp(name + length, ".local") == 0);
}

static bool is_our_name(const Guard *guard, const Host *host) {
  if (host->literal && !is_address(host->name)) return false;
  if (strcasecmp(host->name, "localhost") == 0 || is_loopback(host->name) ||
      strcasecmp(host->name, guard->bind) == 0)
    return true;
  return guard->open &&
         (is_address(host->name) || is_machine(guard, host->name));
}

static bool is_listed(const TextVector *list, const char *word) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcasecmp(text_string(&list->data[i]), word) == 0) return true;
  return false;
}

/* Hosts are allowed with a port or, without one, with any. */
static bool allows_host(const Guard *guard, const char *text) {
  Host host;
  if (guard->any_host) return true;
  if (!read_host(text, &host)) return false;
  if (is_listed(&guard->hosts, host.name) || is_listed(&guard->hosts, text))
    return true;
  return is_our_name(guard, &host) &&
         (host.port < 0 || host.port == (long)guard->port);
}

/* ---- origins ---- */

static const char scheme[] = "http://";

static bool is_our_origin(const Guard *guard, const char *origin) {
  Host host;
  size_t length = strlen(scheme);
  return strncasecmp(origin, scheme, length) == 0 &&
         read_host(origin + length, &host) && is_our_name(guard, &host) &&
         (host.port < 0 ? 80 : host.port) == (long)guard->port;
}

bool guard_allows_origin(const Guard *guard, const char *origin) {
  return guard->any_origin || is_listed(&guard->origins, origin) ||
         is_our_origin(guard, origin);
}

/* ---- requests ---- */

static bool is_word(const char *text, const char *word) {
  return text && strcasecmp(text, word) == 0;
}

static bool is_other_site(const GuardHeaders *headers) {
  return headers->site && !is_word(headers->site, "none") &&
         !is_word(headers->site, "same-origin");
}

/* From a browser, but not by a program of a page. */
static bool is_shown(const GuardHeaders *headers) {
  if (headers->mode)
    return !is_word(headers->mode, "cors") &&
           !is_word(headers->mode, "same-origin");
  return !headers->site && !headers->origin && headers->agent &&
         strncasecmp(headers->agent, "Mozilla/", 8) == 0;
}

/* A link of another site to our page, which the browser shows by itself. */
static bool is_link(const GuardHeaders *headers) {
  return headers->page && is_word(headers->mode, "navigate") &&
         is_word(headers->dest, "document");
}

static bool is_game_master(const GuardHeaders *headers) {
  return headers->old && headers->sender && !headers->origin &&
         !headers->site && !headers->mode && !headers->agent;
}

GuardVerdict guard_judge(const Guard *guard, const GuardHeaders *headers,
                         Text *why) {
  const char *host = headers->host, *origin = headers->origin;
  if (host && *host && !allows_host(guard, host) && !is_game_master(headers)) {
    text_format(why,
                "refused: this server is not %.*s; tafl serve --allow-host "
                "NAME gives it another name",
                SHOWN, host);
    return GUARD_REFUSED;
  }
  if (guard->any_origin) return GUARD_FREE;
  if (origin && !guard_allows_origin(guard, origin)) {
    text_format(why,
                "refused: a web page of another site (%.*s) may not use this "
                "player; tafl serve --allow-origin ORIGIN lets it",
                SHOWN, origin);
    return GUARD_REFUSED;
  }
  if (!origin && is_other_site(headers) && !is_link(headers)) {
    text_add(why, "refused: sent by a web page of another site");
    return GUARD_REFUSED;
  }
  if (!is_shown(headers)) return GUARD_FREE;
  text_add(why, "refused: a browser's address line or link may only ask INFO");
  return GUARD_PASSIVE;
}

/* ---- settings ---- */

static void split(const char *list, TextVector *words, bool *any) {
  while (*list) {
    size_t length = strcspn(list, ", ");
    Text word = {0};
    text_add_bytes(&word, list, length);
    if (strcmp(text_string(&word), "*") == 0) *any = true;
    if (length)
      vector_push(words, word);
    else
      text_free(&word);
    list += length + (list[length] != '\0');
  }
}

/* An origin has a scheme and no path. */
static bool is_origin(const char *text) {
  const char *rest = strstr(text, "://");
  return strcmp(text, "*") == 0 ||
         (rest && rest > text && rest[3] && !strchr(rest + 3, '/'));
}

bool guard_init(Guard *guard, const char *bind, const char *hosts,
                const char *origins, Text *error) {
  *guard = (Guard){.bind = bind};
  split(hosts, &guard->hosts, &guard->any_host);
  split(origins, &guard->origins, &guard->any_origin);
  if (gethostname(guard->machine, sizeof guard->machine - 1) != 0)
    *guard->machine = '\0';
  for (uint32_t i = 0; i < guard->origins.count; i++) {
    const char *origin = text_string(&guard->origins.data[i]);
    if (is_origin(origin)) continue;
    text_format(error,
                "'%s' is not an origin: write it as http://HOST:PORT, without "
                "a path",
                origin);
    guard_free(guard);
    return false;
  }
  return true;
}

void guard_free(Guard *guard) {
  text_vector_free(&guard->hosts);
  text_vector_free(&guard->origins);
}

void guard_listens(Guard *guard, const char *address, unsigned port) {
  guard->port = port;
  guard->open = !is_loopback(address);
}
