#include "cluster/hosts.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_LARGEST = 4 << 20, NAME_LONGEST = 255 };

/* ---- reading ---- */

/* Names go into commands, between commas. */
static bool is_name(const char *text, size_t length) {
  if (!length || length > NAME_LONGEST || *text == '-') return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
      return false;
  return true;
}

static bool read_count(const char *text, size_t length, uint32_t *count) {
  if (!length || length > 6 || strspn(text, "0123456789") < length)
    return false;
  unsigned long number = strtoul(text, NULL, 10);
  *count = (uint32_t)number;
  return number >= 1 && number <= HOSTS_RANKS;
}

/* Adds slots to a host that is named before. */
static void add(Hosts *hosts, const char *name, size_t length, uint32_t slots) {
  for (uint32_t i = 0; i < hosts->list.count; i++) {
    Host *host = &hosts->list.data[i];
    if (host->name.length == length &&
        strncasecmp(host->name.bytes, name, length) == 0) {
      host->slots += slots;
      return;
    }
  }
  Host host = {.slots = slots};
  text_add_bytes(&host.name, name, length);
  vector_push(&hosts->list, host);
}

/* A word of a line after the name; max_slots is for schedulers and says nothing
   to us. */
static bool read_word(const char *word, size_t length, uint32_t *slots) {
  static const char own[] = "slots=", most[] = "max_slots=";
  uint32_t ignored;
  if (length > strlen(own) && strncmp(word, own, strlen(own)) == 0)
    return read_count(word + strlen(own), length - strlen(own), slots);
  if (length > strlen(most) && strncmp(word, most, strlen(most)) == 0)
    return read_count(word + strlen(most), length - strlen(most), &ignored);
  return false;
}

/* Returns false if the line is not of the form. */
static bool read_line(Hosts *hosts, const char *line, size_t length) {
  static const char blank[] = " \t\r";
  const char *name = NULL, *end = line + length;
  size_t name_length = 0;
  uint32_t slots = 1;
  while (line < end) {
    line += strspn(line, blank);
    size_t word = strcspn(line, " \t\r\n#");
    if (line >= end || !word) break;
    if (!name) {
      name = line;
      name_length = word;
      if (!is_name(name, name_length)) return false;
    } else if (!read_word(line, word, &slots)) {
      return false;
    }
    line += word;
  }
  if (name) add(hosts, name, name_length, slots);
  return true;
}

static bool read_lines(Hosts *hosts, const char *path, const char *text,
                       Text *error) {
  for (uint32_t line = 1; *text; line++) {
    size_t length = strcspn(text, "\n");
    if (!read_line(hosts, text, length)) {
      text_format(error,
                  "%s, line %u: not a host as in \"name slots=4\", with up to "
                  "%d slots",
                  path, line, HOSTS_RANKS);
      return false;
    }
    text += length + (text[length] == '\n');
  }
  if (hosts->list.count && hosts_ranks(hosts) <= HOSTS_RANKS) return true;
  text_format(error, "%s: %s", path,
              hosts->list.count ? "too many slots" : "no hosts in it");
  return false;
}

bool hosts_read(Hosts *hosts, const char *what, Text *error) {
  Text text = {0};
  *hosts = (Hosts){0};
  if (what[strspn(what, "0123456789")] == 0) {
    if (read_count(what, strlen(what), &hosts->ranks)) return true;
    text_format(error, "a number of ranks is from 1 to %d", HOSTS_RANKS);
    return false;
  }
  Text why = {0};
  bool fine = text_read_file(&text, what, FILE_LARGEST, &why);
  if (!fine) text_format(error, "%s: %s", what, text_string(&why));
  fine = fine && read_lines(hosts, what, text_string(&text), error);
  text_free(&why);
  text_free(&text);
  if (!fine) hosts_free(hosts);
  return fine;
}

void hosts_copy(Hosts *hosts, const Hosts *from) {
  *hosts = (Hosts){.ranks = from->ranks};
  for (uint32_t i = 0; i < from->list.count; i++)
    add(hosts, from->list.data[i].name.bytes, from->list.data[i].name.length,
        from->list.data[i].slots);
}

void hosts_free(Hosts *hosts) {
  for (uint32_t i = 0; i < hosts->list.count; i++)
    text_free(&hosts->list.data[i].name);
  vector_free(&hosts->list);
}

/* ---- asking ---- */

uint32_t hosts_ranks(const Hosts *hosts) {
  uint32_t ranks = 0;
  if (!hosts->list.count) return hosts->ranks;
  for (uint32_t i = 0; i < hosts->list.count; i++)
    if (!hosts->list.data[i].dead) ranks += hosts->list.data[i].slots;
  return ranks;
}

uint32_t hosts_living(const Hosts *hosts) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < hosts->list.count; i++)
    count += !hosts->list.data[i].dead;
  return hosts->list.count ? count : 1;
}

void hosts_write_dead(const Hosts *hosts, Text *text) {
  const char *separator = "";
  for (uint32_t i = 0; i < hosts->list.count; i++) {
    if (!hosts->list.data[i].dead) continue;
    text_format(text, "%s%s", separator, hosts->list.data[i].name.bytes);
    separator = ", ";
  }
}

static bool is_here(const char *name) {
  char own[NAME_LONGEST + 1] = "";
  gethostname(own, NAME_LONGEST);
  size_t plain = strcspn(own, ".");
  return strcasecmp(name, "localhost") == 0 || strcasecmp(name, own) == 0 ||
         (strlen(name) == plain && strncasecmp(name, own, plain) == 0);
}

bool hosts_local(const Hosts *hosts) {
  bool local = true;
  for (uint32_t i = 0; i < hosts->list.count; i++)
    local &= is_here(hosts->list.data[i].name.bytes);
  return local;
}
