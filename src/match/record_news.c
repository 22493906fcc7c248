/* What has happened in a match since somebody last asked, for a copy of its
   record somewhere else. Lists of a record only grow; other values that were
   set since the beginning are told again, unless they are as before. */
#include "match/record.h"

static const char *const lists[RECORD_LISTS] = {"states", "moves", "stateTimes",
                                                "errors", "x-statistics"};

static bool is_list(const char *key) {
  for (size_t i = 0; i < RECORD_LISTS; i++)
    if (strcmp(lists[i], key) == 0) return true;
  return false;
}

void record_seen_init(RecordSeen *seen, const Record *record) {
  const char *key;
  json_t *value;
  seen->others = json_object();
  for (size_t i = 0; i < RECORD_LISTS; i++)
    seen->counts[i] = json_array_size(json_object_get(record->root, lists[i]));
  json_object_foreach(record->root, key, value) {
    if (!is_list(key))
      json_object_set_new(seen->others, key, json_deep_copy(value));
  }
}

void record_seen_free(RecordSeen *seen) {
  json_decref(seen->others);
}

json_t *record_news(const Record *record, RecordSeen *seen) {
  json_t *news = json_object(), *value;
  const char *key;
  for (size_t i = 0; i < RECORD_LISTS; i++) {
    const json_t *list = json_object_get(record->root, lists[i]);
    json_t *added = json_array();
    while (seen->counts[i] < json_array_size(list))
      json_array_append(added, json_array_get(list, seen->counts[i]++));
    if (json_array_size(added))
      json_object_set_new(news, lists[i], added);
    else
      json_decref(added);
  }
  json_object_foreach(record->root, key, value) {
    if (is_list(key) || json_equal(value, json_object_get(seen->others, key)))
      continue;
    json_object_set(news, key, value);
    json_object_set_new(seen->others, key, json_deep_copy(value));
  }
  return news;
}

void record_learn(Record *record, const json_t *news) {
  json_t *value, *item;
  const char *key;
  size_t i;
  json_object_foreach((json_t *)news, key, value) {
    json_t *list = json_object_get(record->root, key);
    if (!is_list(key) || !json_is_array(list))
      json_object_set(record->root, key, value);
    else
      json_array_foreach(value, i, item) {
        json_array_append(list, item);
      }
  }
}
