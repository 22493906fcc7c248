/* Plans that are changed by hand, to measure what decides between them. */
#include <stdlib.h>
#include <string.h>

#include "gpu/solo.h"

typedef struct Tunable {
  const char *name;
  size_t offset; /* of the field in SoloPlan */
  uint32_t least, most;
} Tunable;

static const Tunable tunables[] = {
#define NUMBER(name, field, least, most) \
  {#name, offsetof(SoloPlan, field), least, most},
    SOLO_TUNABLES(NUMBER)
#undef NUMBER
};

enum { TUNABLES = sizeof tunables / sizeof *tunables };

static const Tunable *find(const char *name, size_t length) {
  for (uint32_t i = 0; i < TUNABLES; i++)
    if (strlen(tunables[i].name) == length &&
        strncmp(tunables[i].name, name, length) == 0)
      return &tunables[i];
  return NULL;
}

static void list_names(Text *text) {
  for (uint32_t i = 0; i < TUNABLES; i++)
    text_format(text, "%s%s", i ? ", " : "", tunables[i].name);
}

/* name=number, of which `length` bytes are the text. */
static bool set(SoloPlan *plan, const char *text, size_t length, Text *why) {
  const char *equal = memchr(text, '=', length);
  const Tunable *tunable = equal ? find(text, (size_t)(equal - text)) : NULL;
  char *end = NULL;
  if (!tunable) {
    text_format(why, "%.*s is not one of ", (int)length, text);
    list_names(why);
    return false;
  }
  unsigned long number = strtoul(equal + 1, &end, 10);
  if (end == equal + 1 || end != text + length || number < tunable->least ||
      number > tunable->most) {
    text_format(why, "%s is from %u to %u", tunable->name, tunable->least,
                tunable->most);
    return false;
  }
  uint32_t value = (uint32_t)number;
  memcpy((char *)plan + tunable->offset, &value, sizeof value);
  return true;
}

bool solo_tune(SoloPlan *plan, const char *text, Text *why) {
  while (*text) {
    size_t length = strcspn(text, ",");
    if (!set(plan, text, length, why)) return false;
    text += length + (text[length] == ',');
  }
  if (plan->frame.threads % 32) {
    text_add(why, "threads come in warps of 32");
    return false;
  }
  plan->settle = (plan->settle + plan->legs - 1) / plan->legs * plan->legs;
  return true;
}
