/* Probes with requests that no game master should send but some network will. A
   player must survive them: it has to answer INFO afterwards. */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe_parts.h"

enum { IDLE = 20, HUGE = 4 << 20, PIECES = 12 };

static const double patience = 5; /* seconds to refuse what is wrong */

bool probe_malformed(Prober *prober) {
  static const char *const messages[] = {
      "(INFO",    ")(",       "((((((((", "(PLAY ping.none (",
      "(START a", "(INFO))(", "(INFO \"", "(INFO \x01\xff"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    if (!probe_ask(prober, messages[i], PROBE_SHORT)) return false;
  return probe_still_there(prober);
}

bool probe_unknown_message(Prober *prober) {
  return probe_ask(prober, "(DANCE ping.none)", PROBE_SHORT) &&
         probe_ask(prober, "hello", PROBE_SHORT) && probe_still_there(prober);
}

bool probe_empty_body(Prober *prober) {
  return probe_ask(prober, "", PROBE_SHORT) && probe_still_there(prober);
}

bool probe_bad_length(Prober *prober) {
  static const char *const lengths[] = {"many", "-1", "99999999999999999999"};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    Text request = {0}, sent = {0};
    ProbeCall call;
    probe_write_post(prober, "1.0", "(INFO)", lengths[i], &request);
    text_format(&sent, "(INFO) as %s bytes", lengths[i]);
    bool fine = probe_open_raw(prober, &call, &request, sent.bytes);
    if (fine) {
      shutdown(call.socket, SHUT_WR);
      fine = probe_end_call(prober, &call, patience) != SOCKET_LATE ||
             probe_fail(prober, "neither answered nor closed within %g s",
                        patience);
    }
    text_free(&request);
    text_free(&sent);
    if (!fine) return false;
  }
  return probe_still_there(prober);
}

/* Half a message, then the connection is closed, or reset as if a cable were
   cut. */
bool probe_truncated(Prober *prober) {
  const struct linger at_once = {1, 0};
  for (int cut = 0; cut < 2; cut++) {
    ProbeCall call;
    Text request = {0};
    probe_write_post(prober, "1.0", "(START ping.none wh", "1000", &request);
    bool fine = probe_open_raw(prober, &call, &request,
                               cut ? "(START ping.none wh [reset]"
                                   : "(START ping.none wh [closed]");
    text_free(&request);
    if (!fine) return false;
    if (cut)
      setsockopt(call.socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(call.socket);
    text_add(&prober->finding->exchanges.data[call.exchange].received,
             "[not waited for]");
    if (!probe_still_there(prober)) return false;
  }
  return true;
}

/* ---- slow clients ---- */

/* Sends the rest of a request in pieces, and INFO from another client in the
   middle. */
static bool trickle(Prober *prober, const ProbeCall *slow,
                    const Text *request) {
  bool fine = true;
  size_t from = 1;
  for (size_t piece = 1; piece <= PIECES; piece++) {
    size_t to = request->length * piece / PIECES;
    probe_sleep(0.1);
    socket_send(slow->socket, request->bytes + from, to - from,
                clock_now() + PROBE_SHORT);
    from = to;
    if (piece == PIECES / 2 && !probe_ask(prober, "(INFO)", PROBE_SHORT))
      fine = probe_fail(prober, "others wait while one client is slow");
  }
  return fine;
}

bool probe_slow_client(Prober *prober) {
  ProbeCall slow;
  Text request = {0}, first = {0};
  probe_write_post(prober, "1.0", "(INFO)", "6", &request);
  text_add_bytes(&first, request.bytes, 1);
  bool fine = probe_open_raw(prober, &slow, &first, "(INFO) [in pieces]");
  if (fine) {
    fine = trickle(prober, &slow, &request);
    double limit = clock_now() - slow.begin + PROBE_SHORT;
    fine =
        probe_await(prober, &slow, limit) && probe_wants_term(prober) && fine;
  }
  text_free(&request);
  text_free(&first);
  return fine;
}

bool probe_idle_connections(Prober *prober) {
  int sockets[IDLE];
  Text error = {0};
  for (int i = 0; i < IDLE; i++)
    sockets[i] =
        socket_connect(prober->place, clock_now() + PROBE_SHORT, &error);
  bool fine = probe_still_there(prober);
  for (int i = 0; i < IDLE; i++)
    if (sockets[i] >= 0) close(sockets[i]);
  text_free(&error);
  return fine;
}

/* ---- size ---- */

static void write_huge_rules(Text *rules) {
  text_add(rules, probe_rules_lamps);
  for (uint32_t i = 0; rules->length < HUGE; i++)
    text_format(rules, "(filler%u number%u (of %u many))\n", i % 1000, i, i);
}

/* The match is aborted in any case. */
bool probe_huge_rules(Prober *prober) {
  Text rules = {0}, message = {0}, request = {0};
  char id[32] = "ping.huge", length[32];
  write_huge_rules(&rules);
  message_write_start(&message, id, "keeper", rules.bytes,
                      prober->options->start, prober->options->play);
  snprintf(length, sizeof length, "%zu", message.length);
  probe_write_post(prober, "1.0", message.bytes, length, &request);
  bool fine = probe_ask_raw(prober, &request, message.bytes,
                            prober->options->start + 2 * PROBE_SHORT);
  fine = probe_still_there(prober) && fine;
  fine = probe_ask(prober, "(ABORT ping.huge)", PROBE_SHORT) && fine;
  text_free(&rules);
  text_free(&message);
  text_free(&request);
  return fine;
}
