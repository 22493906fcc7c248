/* POST ping: the compliance test of a player, which takes some seconds. Quick
   means shorter clocks. GET players: those that the store knows. */
#include "probe/probe.h"
#include "web/works_store.h"

enum { PING_SECONDS = 120 };

static const char default_port[] = "9147"; /* of players */

typedef struct Ping {
  json_t *probes;
  uint32_t counts[PROBE_RESULTS];
} Ping;

static void begun(void *context, uint32_t number, const char *name) {
  (void)context, (void)number, (void)name;
}

static void found(void *context, const ProbeFinding *finding) {
  Ping *ping = context;
  ping->counts[finding->result]++;
  json_array_append_new(ping->probes, probe_json(finding, false));
}

static void ping(const char *url, bool quick, TaskReply *reply) {
  Ping result = {.probes = json_array()};
  const ProbeOptions options = {.start = quick ? 1 : 2,
                                .play = quick ? 0.5 : 1,
                                .context = &result,
                                .begun = begun,
                                .found = found};
  Text error = {0};
  SocketPlace place;
  unsigned status = 400;
  if (socket_place_read(&place, url, default_port, &error)) {
    status = 503;
    if (probe_player(&place, &options, &error)) status = 200;
    socket_place_free(&place);
  }
  if (status == 200) {
    json_t *summary = probe_json_summary(result.counts);
    json_object_set_new(summary, "url", json_plain(url));
    json_object_set(summary, "probes", result.probes);
    task_reply_json(reply, summary);
  } else {
    task_fail(reply, status, "%.200s: %s", url, text_string(&error));
  }
  json_decref(result.probes);
  text_free(&error);
}

static void work_ping(const TaskCall *call, TaskReply *reply) {
  json_error_t error;
  json_t *body = json_loadb(call->body, call->body_length, 0, &error);
  const char *url = json_string_value(json_object_get(body, "url"));
  if (url && *url)
    ping(url, json_is_true(json_object_get(body, "quick")), reply);
  else
    task_fail(reply, 400, "The body has to be {\"url\": \"http://…\"}.");
  json_decref(body);
}

const TaskKind works_ping = {.work = work_ping, .seconds = PING_SECONDS};

/* ---- players that the store knows ---- */

static bool add_player(Results *results, const char *url, json_t *list) {
  enum { MOST = 1000 };
  ArchiveMatches matches = {0};
  const ArchiveFilter filter = {.player = url, .limit = MOST};
  bool fine = archive_list(results, &filter, &matches);
  if (fine)
    json_array_append_new(list, json_pack("{s:o, s:i}", "url", json_plain(url),
                                          "matches", (int)matches.count));
  archive_matches_free(&matches);
  return fine;
}

static void work_players(const TaskCall *call, TaskReply *reply) {
  Results *results = works_store_open(call, reply);
  TextVector names = {0};
  if (!results) return;
  json_t *list = json_array();
  bool fine = archive_players(results, &names);
  for (uint32_t i = 0; i < names.count && fine; i++)
    if (strncmp(names.data[i].bytes, "http://", 7) == 0)
      fine = add_player(results, names.data[i].bytes, list);
  if (fine) {
    task_reply_json(reply, json_pack("{s:o}", "players", list));
  } else {
    works_store_fail(results, reply);
    json_decref(list);
  }
  text_vector_free(&names);
  results_close(results);
}

const TaskKind works_players = {.work = work_players, .seconds = 20, .keep = 5};
