/* What a probe has found, as JSON: the same for tafl ping and for the page. */
#include "probe/probe.h"

static json_t *text_json(const Text *text) {
  return json_plain(text_string(text));
}

static json_t *exchange_json(const ProbeExchange *exchange, bool whole) {
  json_t *value = json_pack(
      "{s:o, s:o, s:f}", "sent", text_json(&exchange->sent), "received",
      text_json(&exchange->received), "seconds", exchange->seconds);
  if (whole) {
    json_object_set_new(value, "request", text_json(&exchange->request));
    json_object_set_new(value, "response", text_json(&exchange->response));
  }
  return value;
}

json_t *probe_json(const ProbeFinding *finding, bool whole) {
  json_t *exchanges = json_array();
  for (uint32_t i = 0; i < finding->exchanges.count; i++)
    json_array_append_new(exchanges,
                          exchange_json(&finding->exchanges.data[i], whole));
  return json_pack("{s:s, s:s, s:s, s:o, s:f, s:o}", "probe", finding->name,
                   "result", probe_result_name(finding->result), "wants",
                   finding->wants, "why", text_json(&finding->why), "seconds",
                   finding->seconds, "exchanges", exchanges);
}

json_t *probe_json_summary(const uint32_t counts[PROBE_RESULTS]) {
  return json_pack("{s:i, s:i, s:i, s:i}", "passed", (int)counts[PROBE_PASSED],
                   "failed", (int)counts[PROBE_FAILED], "skipped",
                   (int)counts[PROBE_SKIPPED], "noted",
                   (int)counts[PROBE_NOTED]);
}
