/* The table of probes, run in order. A probe is a function that returns true if
   it passes; it runs only if the one it needs has passed. Expectations are
   those of the reference game master: what it sends, how long it waits, what it
   accepts as a move. */
#include "probe/probe.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "probe/probe_parts.h"

typedef struct Probe {
  const char *name;
  const char *needs; /* name of another probe, or NULL */
  bool (*run)(Prober *);
  const char *wants;
  bool optional;
} Probe;

static const Probe table[] = {
    {"info", NULL, probe_info,
     "(INFO) is answered within a second with a status, available or busy",
     false},
    {"ping", NULL, probe_ping, "(PING) is answered like INFO", false},
    {"info-case", "info", probe_info_case,
     "keywords are accepted in any case: (info)", false},
    {"extra-arguments", "info", probe_extra_arguments,
     "arguments beyond those of the protocol are ignored", false},
    {"reply-headers", "info", probe_reply_headers,
     "status 200, Content-Type text/acl, the right Content-Length, not chunked",
     false},
    {"cors", "info", probe_cors,
     "Access-Control-Allow-Origin, for game masters in web pages; a player may "
     "keep them out",
     true},
    {"http-1.1", "info", probe_http_1_1, "HTTP/1.1 is answered too", false},
    {"get-request", "info", probe_get_request,
     "GET /%28INFO%29 is answered like INFO; few game masters send it", true},
    {"preview", NULL, probe_preview,
     "(PREVIEW rules clock) is answered within its clock and a second", false},
    {"start-in-time", NULL, probe_start_in_time,
     "START is answered with ready within the start clock", false},
    {"first-move-legal", "start-in-time", probe_first_move_legal,
     "(PLAY id NIL) is answered with a legal move", false},
    {"second-move-legal", "start-in-time", probe_second_move_legal,
     "(PLAY id (m1 m2)) is answered with a legal move of the next turn", false},
    {"repeated-play", "start-in-time", probe_repeated_play,
     "the same PLAY again gives a legal move of the same turn", false},
    {"wrong-id", "start-in-time", probe_wrong_id,
     "PLAY for a match that does not exist is answered with busy", false},
    {"info-while-thinking", "start-in-time", probe_info_while_thinking,
     "INFO is answered at once while the player thinks", false},
    {"abort-while-thinking", "start-in-time", probe_abort_while_thinking,
     "ABORT is answered at once with aborted while the player thinks", false},
    {"case", "start-in-time", probe_case,
     "moves are spelled as in the rules: (MaRk 1 1), not (mark 1 1)", false},
    {"scrambled", "start-in-time", probe_scrambled,
     "meaningless names, as in scrambled rules, make no difference", false},
    {"several-roles", "start-in-time", probe_several_roles,
     "legal moves for the second of three roles that move at once", false},
    {"single-role", "start-in-time", probe_single_role,
     "legal moves for the only role of a puzzle", false},
    {"stop", "single-role", probe_stop, "STOP at the end is answered with done",
     false},
    {"play-after-stop", "stop", probe_play_after_stop,
     "PLAY after STOP is answered, for example with busy", false},
    {"wrong-length", "start-in-time", probe_wrong_length,
     "PLAY with one move too few is answered", false},
    {"nil-again", "wrong-length", probe_nil_again,
     "PLAY with NIL instead of moves is answered", false},
    {"move-form", "first-move-legal", probe_move_form,
     "a move is one term and nothing else: (mark 1 1), noop", false},
    {"play-in-time", "start-in-time", probe_play_in_time,
     "every move came within the play clock", false},
    {"malformed", "info", probe_malformed,
     "messages with unbalanced parentheses are answered, and INFO afterwards",
     false},
    {"unknown-message", "info", probe_unknown_message,
     "an unknown message is answered, and INFO afterwards", false},
    {"empty-body", "info", probe_empty_body,
     "a request without a body is answered, and INFO afterwards", false},
    {"bad-length", "info", probe_bad_length,
     "a wrong Content-Length is answered or refused, and INFO is answered "
     "afterwards",
     false},
    {"truncated", "info", probe_truncated,
     "INFO is answered after a connection is closed in the middle of a body",
     false},
    {"slow-client", "info", probe_slow_client,
     "a slow request is answered in the end, and others in the meantime",
     false},
    {"idle-connections", "info", probe_idle_connections,
     "idle connections do not keep other clients out", false},
    {"huge-rules", "info", probe_huge_rules,
     "START with megabytes of rules is answered or refused, and INFO is "
     "answered afterwards",
     false}};

enum { COUNT = sizeof table / sizeof *table };

uint32_t probe_count(void) {
  return COUNT;
}

const char *probe_result_name(ProbeResult result) {
  static const char *const names[] = {[PROBE_PASSED] = "pass",
                                      [PROBE_FAILED] = "fail",
                                      [PROBE_SKIPPED] = "skip",
                                      [PROBE_NOTED] = "note"};
  return names[result];
}

static void finding_free(ProbeFinding *finding) {
  for (uint32_t i = 0; i < finding->exchanges.count; i++) {
    ProbeExchange *exchange = &finding->exchanges.data[i];
    text_free(&exchange->sent);
    text_free(&exchange->received);
    text_free(&exchange->request);
    text_free(&exchange->response);
  }
  vector_free(&finding->exchanges);
  text_free(&finding->why);
}

static bool has_passed(const char *name, const ProbeResult *results) {
  for (uint32_t i = 0; i < COUNT; i++)
    if (strcmp(table[i].name, name) == 0) return results[i] == PROBE_PASSED;
  return false;
}

static ProbeResult run_probe(Prober *prober, const Probe *probe,
                             const ProbeResult *results) {
  ProbeFinding finding = {.name = probe->name, .wants = probe->wants};
  double begin = clock_now();
  prober->finding = &finding;
  if (probe->needs && !has_passed(probe->needs, results)) {
    finding.result = PROBE_SKIPPED;
    text_format(&finding.why, "it needs %s", probe->needs);
  } else if (!probe->run(prober)) {
    finding.result = probe->optional ? PROBE_NOTED : PROBE_FAILED;
  }
  finding.seconds = clock_now() - begin;
  prober->options->found(prober->options->context, &finding);
  finding_free(&finding);
  return finding.result;
}

static void run_all(Prober *prober) {
  ProbeResult results[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) results[i] = PROBE_SKIPPED;
  for (uint32_t i = 0; i < COUNT; i++) {
    prober->options->begun(prober->options->context, i, table[i].name);
    results[i] = run_probe(prober, &table[i], results);
  }
}

/* Aborts the match of a probe that returned in the middle of it. */
static void prober_free(Prober *prober) {
  ProbeFinding rest = {0};
  prober->finding = &rest;
  probe_abort_match(prober);
  finding_free(&rest);
  socket_reply_free(&prober->reply);
  text_free(&prober->term);
  text_free(&prober->form);
}

bool probe_player(SocketPlace *place, const ProbeOptions *options,
                  Text *error) {
  Prober prober = {.options = options, .place = place};
  int handle = socket_connect(place, clock_now() + 5, error);
  if (handle >= 0) {
    close(handle);
    random_seed(&prober.random, 1);
    prober.session =
        hash_mix((uint64_t)(clock_now() * 1e9) ^ (uint64_t)getpid() << 48);
    run_all(&prober);
  }
  prober_free(&prober);
  return handle >= 0;
}
