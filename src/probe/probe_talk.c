/* Probes without a match: INFO in its forms, headers of replies, other kinds of
   request, PREVIEW. */
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe_parts.h"

/* ((name X) (status available)) as usual, or a bare word as from older players.
 */
static bool wants_status(Prober *prober) {
  if (!probe_wants_term(prober)) return false;
  const char *term = prober->term.bytes;
  bool available = strcasestr(term, "(status available)") ||
                   strcasecmp(term, "available") == 0;
  bool busy =
      strcasestr(term, "(status busy)") || strcasecmp(term, "busy") == 0;
  if (busy) probe_remark(prober, "it is busy and may refuse matches");
  return available || busy ||
         probe_fail(prober, "%.100s has no status, available or busy", term);
}

bool probe_info(Prober *prober) {
  return probe_ask(prober, "(INFO)", PROBE_SHORT) && wants_status(prober);
}

bool probe_ping(Prober *prober) {
  return probe_ask(prober, "(PING)", PROBE_SHORT) && wants_status(prober);
}

bool probe_info_case(Prober *prober) {
  return probe_ask(prober, "(info)", PROBE_SHORT) && wants_status(prober) &&
         probe_ask(prober, "(Info)", PROBE_SHORT) && wants_status(prober);
}

bool probe_extra_arguments(Prober *prober) {
  return probe_ask(prober, "(INFO please (now 1))", PROBE_SHORT) &&
         wants_status(prober);
}

/* ---- headers ---- */

static bool is_text_acl(const char *type) {
  return strncasecmp(type, "text/acl", 8) == 0 &&
         (type[8] == 0 || type[8] == ';' || type[8] == ' ');
}

static bool wants_type(Prober *prober) {
  Text type = {0};
  bool there = socket_header(&prober->reply, "Content-Type", &type);
  bool fine = there && is_text_acl(type.bytes);
  if (!there) probe_fail(prober, "no Content-Type");
  if (there && !fine)
    probe_fail(prober, "Content-Type is %.60s, not text/acl", type.bytes);
  text_free(&type);
  return fine;
}

static bool wants_length(Prober *prober, size_t surplus) {
  const SocketReply *reply = &prober->reply;
  if (reply->chunked) return probe_fail(prober, "the body is chunked");
  if (reply->announced < 0) return probe_fail(prober, "no Content-Length");
  size_t length = reply->bytes.length - reply->head + surplus;
  return length == (size_t)reply->announced ||
         probe_fail(prober,
                    "Content-Length is %" PRId64 ", the body has %zu "
                    "bytes",
                    reply->announced, length);
}

bool probe_reply_headers(Prober *prober) {
  ProbeCall call;
  if (!probe_open_call(prober, &call, "(INFO)")) return false;
  int second = dup(call.socket);
  bool fine = probe_await(prober, &call, PROBE_SHORT);
  size_t surplus = 0;
  if (fine && !prober->reply.closed)
    surplus = socket_count_surplus(second, clock_now() + 0.3);
  if (second >= 0) close(second);
  if (!fine) return false;
  if (prober->reply.status != 200)
    fine = probe_fail(prober, "status %d, not 200", prober->reply.status);
  bool length = wants_length(prober, surplus);
  return wants_type(prober) && length && fine;
}

bool probe_cors(Prober *prober) {
  Text value = {0};
  if (!probe_ask(prober, "(INFO)", PROBE_SHORT)) return false;
  bool fine =
      socket_header(&prober->reply, "Access-Control-Allow-Origin", &value);
  text_free(&value);
  return fine || probe_fail(prober, "no Access-Control-Allow-Origin");
}

/* ---- other requests ---- */

bool probe_http_1_1(Prober *prober) {
  ProbeCall call;
  Text request = {0};
  probe_write_post(prober, "1.1", "(INFO)", "6", &request);
  bool fine = probe_open_raw(prober, &call, &request, "(INFO) by HTTP/1.1") &&
              probe_await(prober, &call, PROBE_SHORT) && wants_status(prober);
  text_free(&request);
  return fine;
}

bool probe_get_request(Prober *prober) {
  ProbeCall call;
  Text request = {0};
  text_add(&request, "GET /%28INFO%29 HTTP/1.0\r\n\r\n");
  bool fine = probe_open_raw(prober, &call, &request, "GET /%28INFO%29") &&
              probe_await(prober, &call, PROBE_SHORT) && wants_status(prober);
  text_free(&request);
  return fine;
}

bool probe_preview(Prober *prober) {
  Text message = {0};
  text_format(&message, "(PREVIEW (%s\n) %.10g)", probe_rules_lamps,
              prober->options->start);
  bool fine =
      probe_ask(prober, message.bytes, prober->options->start + PROBE_SHORT) &&
      probe_wants_term(prober);
  text_free(&message);
  return fine;
}
