#include "command/cluster.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/ranks.h"
#include "command/version.h"

/* Is the first word of the command a program that can be found? */
static bool has_launcher(const char *command) {
  const char *path = getenv("PATH");
  Text name = {0}, file = {0};
  command += strspn(command, " \t");
  text_add_bytes(&name, command, strcspn(command, " \t"));
  bool found =
      name.length && strchr(name.bytes, '/') && access(name.bytes, X_OK) == 0;
  while (name.length && !found && path && *path) {
    size_t length = strcspn(path, ":");
    text_clear(&file);
    text_add_bytes(&file, path, length);
    text_format(&file, "/%s", name.bytes);
    found = access(file.bytes, X_OK) == 0;
    path += length + (path[length] == ':');
  }
  text_free(&name);
  text_free(&file);
  return found;
}

static int read_options(const Options *options, Scheme *scheme, Text *error) {
  double least, most;
  *scheme = (Scheme){.launcher = options->launcher,
                     .merged = strcmp(options->scores, "merged") == 0,
                     .apart = options->apart,
                     .again = options->again,
                     .delay = options->delay,
                     .version = version_text()};
  if (!*options->cluster) return EXIT_FINE;
  if (!scheme_read_delay(options->delay, &least, &most)) {
    text_add(error, "--delay has the form MIN-MAX, in milliseconds to 60000");
    return EXIT_USAGE;
  }
  scheme_read_kind(options->scheme, &scheme->kind);
  if (!ranks_available(error)) return EXIT_LIMIT;
  if (!has_launcher(options->launcher)) {
    text_format(error, "--launcher: there is no command %s", options->launcher);
    return EXIT_LIMIT;
  }
  text_add(error, "--cluster: ");
  return hosts_read(&scheme->hosts, options->cluster, error) ? EXIT_FINE
                                                             : EXIT_USAGE;
}

int cluster_open(const Options *options, Scheme *scheme) {
  Text error = {0};
  int code = read_options(options, scheme, &error);
  if (code != EXIT_FINE) log_error("%s", text_string(&error));
  text_free(&error);
  return code;
}

void cluster_close(Scheme *scheme) {
  hosts_free(&scheme->hosts);
}

static void print_note(void *context, const char *line) {
  (void)context;
  log_error("%s", line);
}

Crew *cluster_crew(const Options *options, const Scheme *scheme, Book *book,
                   const Settings *settings, uint32_t role) {
  Text error = {0};
  const Text *rules = &book->description->text;
  CrewWork work = {.rules = text_string(rules),
                   .rules_length = rules->length,
                   .role = role,
                   .settings = settings,
                   .limits = book->limits,
                   .seed = (uint64_t)options->seed,
                   .note = print_note};
  Crew *crew = book->has_net ? crew_new(scheme, &work, &error) : NULL;
  if (!crew)
    log_error("--cluster: %s", book->has_net
                                   ? text_string(&error)
                                   : "the game has no net for ranks to use");
  text_free(&error);
  return crew;
}

bool cluster_join(Crew *crew, Agent *agent, const Book *book) {
  if (agent_ally(agent, crew_ally(crew, book))) return true;
  log_error("--cluster: the agent has no use for ranks: it does not search "
            "this game in batches (lanes=0)");
  return false;
}
