/* tafl serve: the player that game masters connect to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "io/guard.h"
#include "player/flow.h"
#include "server/server.h"

/* Memory limit of a match process: --memory times a factor, and some more, as
   the tree reserves four times its size and threads have stacks. After the
   first move of some forty games a process had 1561 MiB of data at most with
   --memory 1024, and 131 with 64. */
enum { MEMORY_FACTOR = 3, MEMORY_MORE = 512 << 20 };

static void find_state(const Options *options, Text *state) {
  const char *given = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  if (*options->state)
    text_add(state, options->state);
  else if (given && *given == '/')
    text_format(state, "%s/tafl", given);
  else
    text_format(state, "%s/.local/state/tafl", home && *home ? home : ".");
}

/* It must be a word that game masters can parse. */
static bool check_name(const char *name) {
  bool fine = *name && strlen(name) <= 80;
  for (const char *c = name; *c; c++)
    fine &= *c > ' ' && *c <= '~' && !strchr("();\"|?", *c);
  if (!fine) log_error("--name must be one plain word");
  return fine;
}

static bool check_agent(const AgentSpec *agent) {
  bool fine = spec_is_local(agent);
  if (!fine) log_error("--agent: %s cannot play for game masters", agent->text);
  return fine;
}

static bool check_guard(const Options *options) {
  Guard guard;
  Text error = {0};
  bool fine = guard_init(&guard, options->bind, options->allow_host,
                         options->allow_origin, &error);
  if (fine) guard_free(&guard);
  if (!fine) log_error("--allow-origin: %s", text_string(&error));
  text_free(&error);
  return fine;
}

static int serve(const Options *options, const AgentSpec *agent) {
  Text state = {0}, error = {0};
  find_state(options, &state);
  ServerSettings settings = {
      .bind = options->bind,
      .name = options->name,
      .port = (unsigned)options->port,
      .state = text_string(&state),
      .body = (size_t)options->file_size << 20,
      .memory = MEMORY_FACTOR * ((size_t)options->memory << 20) + MEMORY_MORE,
      .matches = (uint32_t)options->matches,
      .allow_host = options->allow_host,
      .allow_origin = options->allow_origin,
      .longest_start = options->longest_start,
      .longest_play = options->longest_play,
      .patience = options->patience,
      .agent = agent,
      .limits = open_limits(options),
      .seed = (uint64_t)options->seed,
      .verbose = options->verbose,
      .flow = flow_run};
  bool fine = server_run(&settings, &error);
  if (!fine)
    log_error("%s port %u: %s", settings.bind, settings.port,
              text_string(&error));
  text_free(&state);
  text_free(&error);
  return fine ? EXIT_FINE : EXIT_PLAYER;
}

int command_serve(const Options *options) {
  AgentSpec agent;
  Text error = {0};
  int code = EXIT_USAGE;
  if (options->argument_count) {
    log_error("serve takes no arguments");
  } else if (!spec_parse(&agent, options->agent, &error)) {
    log_error("--agent: %s", text_string(&error));
  } else {
    if (check_agent(&agent) && check_name(options->name) &&
        check_guard(options))
      code = serve(options, &agent);
    spec_free(&agent);
  }
  text_free(&error);
  return code;
}
