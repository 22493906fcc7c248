/* Calls to the player, each on its own connection and each recorded in the
   finding of its probe. A call is opened (request sent) and ended (reply read);
   a probe may make other calls in between. */
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe_parts.h"

enum { KEPT = 4096 }; /* bytes of a request or reply in a finding */

static const double longest_sending = 10; /* seconds, for megabytes */

/* ---- reasons ---- */

static void add_reason(Text *why, const char *format, va_list arguments) {
  char reason[512];
  vsnprintf(reason, sizeof reason, format, arguments);
  if (why->length) text_add(why, "; ");
  text_add(why, reason);
}

bool probe_fail(Prober *prober, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_reason(&prober->finding->why, format, arguments);
  va_end(arguments);
  return false;
}

void probe_remark(Prober *prober, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_reason(&prober->finding->why, format, arguments);
  va_end(arguments);
}

/* ---- requests ---- */

void probe_write_post(const Prober *prober, const char *version,
                      const char *message, const char *length, Text *request) {
  text_format(request,
              "POST %s HTTP/%s\r\nAccept: text/delim\r\nHost: %s:%s\r\n"
              "Sender: GAMESERVER\r\nReceiver: PLAYER\r\n"
              "Content-Type: text/acl\r\n",
              prober->place->path.bytes, version, prober->place->host.bytes,
              prober->place->port.bytes);
  if (strcmp(version, "1.0") != 0) text_add(request, "Connection: close\r\n");
  text_format(request, "Content-Length: %s\r\n\r\n", length);
  text_add(request, message);
}

static void keep(Text *kept, const char *bytes, size_t length) {
  size_t most = length < KEPT ? length : KEPT;
  text_add_bytes(kept, bytes, most);
  if (most < length) text_format(kept, " ... (%zu bytes)", length);
}

static ProbeExchange *exchange_of(Prober *prober, const ProbeCall *call) {
  return &prober->finding->exchanges.data[call->exchange];
}

bool probe_open_raw(Prober *prober, ProbeCall *call, const Text *request,
                    const char *sent) {
  ProbeExchange exchange = {0};
  Text error = {0};
  keep(&exchange.sent, sent, strlen(sent));
  keep(&exchange.request, text_string(request), request->length);
  call->exchange = prober->finding->exchanges.count;
  vector_push(&prober->finding->exchanges, exchange);
  call->begin = clock_now();
  call->socket =
      socket_connect(prober->place, call->begin + PROBE_SHORT, &error);
  if (call->socket < 0) probe_fail(prober, "no connection: %s", error.bytes);
  text_free(&error);
  /* If sending fails, the player may still have sent a refusal. */
  if (call->socket >= 0)
    socket_send(call->socket, text_string(request), request->length,
                call->begin + longest_sending);
  return call->socket >= 0;
}

bool probe_open_call(Prober *prober, ProbeCall *call, const char *message) {
  Text request = {0};
  char length[32];
  snprintf(length, sizeof length, "%zu", strlen(message));
  probe_write_post(prober, "1.0", message, length, &request);
  bool fine = probe_open_raw(prober, call, &request, message);
  text_free(&request);
  return fine;
}

/* ---- replies ---- */

static void note_reply(Prober *prober, const ProbeCall *call, SocketEnd end) {
  static const char *const ends[] = {[SOCKET_LATE] = "no reply in time",
                                     [SOCKET_CLOSED] = "connection closed",
                                     [SOCKET_LARGE] = "reply too large"};
  ProbeExchange *exchange = exchange_of(prober, call);
  const SocketReply *reply = &prober->reply;
  exchange->seconds = clock_now() - call->begin;
  keep(&exchange->response, text_string(&reply->bytes), reply->bytes.length);
  if (end != SOCKET_WHOLE) {
    text_format(&exchange->received, "[%s]", ends[end]);
    return;
  }
  if (reply->status != 200)
    text_format(&exchange->received, "[status %d] ", reply->status);
  keep(&exchange->received, text_string(&reply->body), reply->body.length);
}

SocketEnd probe_end_call(Prober *prober, ProbeCall *call, double limit) {
  SocketEnd end =
      socket_receive(call->socket, &prober->reply, call->begin + limit);
  text_clear(&prober->term);
  if (!message_first_term(text_string(&prober->reply.body),
                          prober->reply.body.length, &prober->term))
    text_clear(&prober->term);
  note_reply(prober, call, end);
  close(call->socket);
  call->socket = -1;
  return end;
}

bool probe_await(Prober *prober, ProbeCall *call, double limit) {
  switch (probe_end_call(prober, call, limit)) {
  case SOCKET_WHOLE: return true;
  case SOCKET_LATE: return probe_fail(prober, "no answer within %g s", limit);
  case SOCKET_LARGE:
    return probe_fail(prober, "the answer has more than %d bytes",
                      SOCKET_LARGEST);
  default:
    return probe_fail(prober, "the connection was closed without an answer");
  }
}

bool probe_ask(Prober *prober, const char *message, double limit) {
  ProbeCall call;
  return probe_open_call(prober, &call, message) &&
         probe_await(prober, &call, limit);
}

bool probe_ask_raw(Prober *prober, const Text *request, const char *sent,
                   double limit) {
  ProbeCall call;
  if (!probe_open_raw(prober, &call, request, sent)) return false;
  SocketEnd end = probe_end_call(prober, &call, limit);
  return end != SOCKET_LATE ||
         probe_fail(prober, "neither answered nor refused within %g s", limit);
}

bool probe_wants_term(Prober *prober) {
  return prober->term.length ||
         probe_fail(prober, prober->reply.body.length
                                ? "the answer is not a term"
                                : "the answer is empty");
}

bool probe_wants_word(Prober *prober, const char *word) {
  return probe_wants_term(prober) &&
         (strcasecmp(prober->term.bytes, word) == 0 ||
          probe_fail(prober, "the answer is %.100s, not %s", prober->term.bytes,
                     word));
}

bool probe_still_there(Prober *prober) {
  return (probe_ask(prober, "(INFO)", PROBE_SHORT) &&
          probe_wants_term(prober)) ||
         probe_fail(prober, "that was for INFO afterwards");
}

void probe_sleep(double seconds) {
  struct timespec time = {(time_t)seconds,
                          (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}
