#include "web/works_store.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "about/catalogue.h"
#include "web/web.h"

Results *works_store_open(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  Text error = {0};
  bool there =
      *settings->db && (access(settings->db, F_OK) == 0 || errno != ENOENT);
  Results *results = results_open(there ? settings->db : RESULTS_MEMORY,
                                  there ? NULL : "", &error);
  if (!results)
    task_fail(reply, 500, "The results cannot be read: %s",
              text_string(&error));
  text_free(&error);
  return results;
}

void works_store_fail(Results *results, TaskReply *reply) {
  task_fail(reply, 500, "The results cannot be read: %s",
            results_error(results));
}

bool works_store_number(const char *text, int64_t *number) {
  size_t digits = strspn(text, "0123456789");
  if (!digits || digits > 18 || text[digits]) return false;
  *number = strtoll(text, NULL, 10);
  return *number > 0;
}

void works_store_part(const TaskCall *call, uint32_t place, Text *part) {
  const char *at = call->path;
  for (; at && place; place--) {
    at = strchr(at, '/');
    if (at) at++;
  }
  if (at) text_add_bytes(part, at, strcspn(at, "/"));
}

const char works_store_svg[] = "image/svg+xml";

void works_store_chart(const TaskCall *call, Text *name) {
  static const char ending[] = ".svg";
  Text part = {0};
  works_store_part(call, 2, &part);
  size_t length = part.length, own = sizeof ending - 1;
  if (length > own && !strcmp(part.bytes + length - own, ending))
    text_add_bytes(name, part.bytes, length - own);
  text_free(&part);
}

json_t *works_store_id(int64_t id) {
  return json_sprintf("%lld", (long long)id);
}

json_t *works_store_real(double value) {
  if (!isfinite(value)) return json_null();
  bool whole = value == floor(value) && fabs(value) < 1e15;
  return whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *works_store_text(const Text *text) {
  return json_plain(text_string(text));
}

json_t *works_store_texts(const TextVector *list) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < list->count; i++)
    json_array_append_new(array, works_store_text(&list->data[i]));
  return array;
}

void works_store_title(const char *rules, const char *name, Text *title) {
  const char *slash = strrchr(name, '/');
  catalogue_name(rules, slash ? slash + 1 : name, title);
}

json_t *works_store_role(const char *name, const char *player) {
  const char *label = !strcmp(player, "human")  ? "Human"
                      : !strcmp(player, "tafl") ? "Tafl"
                                                : player;
  return json_pack("{s:o, s:o, s:o}", "name", json_plain(name), "player",
                   json_plain(player), "label", json_plain(label));
}
