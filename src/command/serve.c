/* tafl serve: the player that game masters connect to. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "command/cluster.h"
#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "command/version.h"
#include "io/client.h"
#include "io/guard.h"
#include "io/listen.h"
#include "io/owner.h"
#include "match/message.h"
#include "player/flow.h"
#include "server/server.h"
#include "web/token.h"
#include "web/web.h"

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

static bool check_token(const char *token) {
  bool fine = !*token || token_is_plain(token);
  if (!fine) log_error("--token must be a word of letters, digits, - . _ or ~");
  return fine;
}

/* ---- the page ---- */

enum { RULES = 256 << 10 }; /* bytes of a description that the page is given */

/* How long a match on the page may be left alone, and think. */
static const double page_patience = 1800, page_clock = 600;

typedef struct Page {
  WebSettings settings;
  Text db, cache;
  Web *web; /* NULL: --no-page */
} Page;

static void find_cache(Text *cache) {
  const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (given && *given == '/')
    text_format(cache, "%s/tafl", given);
  else if (home && *home)
    text_format(cache, "%s/.cache/tafl", home);
}

static void open_page(Page *page, const Options *options,
                      const ServerSettings *server) {
  *page = (Page){0};
  if (options->no_page) return;
  experiment_path(options, &page->db);
  find_cache(&page->cache);
  page->settings =
      (WebSettings){.name = "Tafl",
                    .version = version_text(),
                    .stylesheet = options->stylesheet,
                    .db = text_string(&page->db),
                    .cache = text_string(&page->cache),
                    .token = options->token,
                    .agent = options->agent,
                    .matches = (uint32_t)options->page_matches,
                    .rules = RULES,
                    .longest_start = fmin(server->longest_start, page_clock),
                    .longest_play = fmin(server->longest_play, page_clock),
                    .patience = page_patience,
                    .memory = server->memory,
                    .limits = server->limits,
                    .processors = server->processors};
  find_directories(options, &page->settings.games);
  find_tables(&page->settings.tables);
  page->web = web_new(&page->settings);
}

static void close_page(Page *page) {
  if (page->web) web_delete(page->web);
  text_vector_free(&page->settings.games);
  text_vector_free(&page->settings.tables);
  text_free(&page->db);
  text_free(&page->cache);
}

/* ---- a port in use ---- */

/* What the player at the port, if it is one, says to INFO. */
static void ask_info(const char *host, unsigned port, Text *reply) {
  static const char *const headers[] = {"Content-Type: text/acl", NULL};
  Text url = {0};
  bool colons = strchr(host, ':');
  text_format(&url, "http://%s%s%s:%u/", colons ? "[" : "", host,
              colons ? "]" : "", port);
  ClientRequest request = {
      .url = text_string(&url), .body = "(INFO)", .seconds = 1};
  client_exchange(&request, 1, headers, NULL);
  if (request.end == CLIENT_ANSWERED)
    message_first_term(text_string(&request.reply), request.reply.length,
                       reply);
  if (!strstr(text_string(reply), "status") || reply->length > 200)
    text_clear(reply);
  client_request_free(&request);
  text_free(&url);
}

/* Finds one after it that can be had. */
static unsigned next_port(const char *host, unsigned port) {
  Text error = {0};
  int file = -1;
  unsigned last = port + 100;
  while (file < 0 && port < last && port < 65535)
    file = listen_open(host, ++port, &error);
  if (file >= 0) close(file);
  text_free(&error);
  return file >= 0 ? port : 0;
}

/* Says whose the port is, and what to type. */
static void explain_port(const char *host, unsigned port) {
  Owner owner;
  Text info = {0};
  bool any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
  ask_info(any ? "localhost" : host, port, &info);
  if (info.length)
    log_error("a player is there: it answers INFO with %s", text_string(&info));
  if (owner_find(&owner, port)) {
    if (owner.pid)
      log_error("the port is that of process %d of %s: %s", (int)owner.pid,
                text_string(&owner.user), text_string(&owner.command));
    else
      log_error("the port is that of a process of %s; to see which, type: "
                "sudo ss -ltnp sport = :%u",
                text_string(&owner.user), port);
    owner_free(&owner);
  }
  unsigned other = next_port(host, port);
  if (other)
    log_error("to use another port, type: tafl serve --port %u, or make serve "
              "PORT=%u",
              other, other);
  text_free(&info);
}

static int serve(const Options *options, const AgentSpec *agent,
                 const Scheme *scheme) {
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
      .scheme = *options->cluster ? scheme : NULL,
      .processors = thread_processors(),
      .seed = (uint64_t)options->seed,
      .verbose = options->verbose,
      .flow = flow_run};
  Page page;
  open_page(&page, options, &settings);
  if (page.web) settings.guest = web_guest(page.web);
  bool fine = server_run(&settings, &error);
  if (!fine)
    log_error("%s port %u: %s", settings.bind, settings.port,
              text_string(&error));
  if (!fine && strcmp(text_string(&error), strerror(EADDRINUSE)) == 0)
    explain_port(settings.bind, settings.port);
  close_page(&page);
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
        check_guard(options) && check_token(options->token)) {
      Scheme scheme;
      open_knowledge_check(options); /* matches can be played without it */
      code = cluster_open(options, &scheme);
      if (code == EXIT_FINE) code = serve(options, &agent, &scheme);
      cluster_close(&scheme);
    }
    spec_free(&agent);
  }
  text_free(&error);
  return code;
}
