#include "cluster/scheme.h"

#include <stdlib.h>

bool scheme_read_kind(const char *word, SchemeKind *kind) {
  static const char *const words[] = {
      [SCHEME_LEAF] = "leaf", [SCHEME_ROOT] = "root", [SCHEME_RUNS] = "runs"};
  for (int i = 0; i <= SCHEME_RUNS; i++)
    if (strcmp(word, words[i]) == 0) {
      *kind = (SchemeKind)i;
      return true;
    }
  return false;
}

/* Milliseconds up to a minute; returns where the number ends, or NULL. */
static const char *read_time(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end) / 1e3;
  return end != text && *seconds >= 0 && *seconds <= 60 ? end : NULL;
}

bool scheme_read_delay(const char *text, double *least, double *most) {
  *least = *most = 0;
  if (!*text) return true;
  text = read_time(text, least);
  if (!text || *text != '-') return false;
  text = read_time(text + 1, most);
  return text && !*text && *least <= *most;
}
