/* Agents from their text. A new kind of local agent is added here and nowhere
   else. */
#include "agent/spec.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "agent/mind.h"
#include "agent/searcher.h"
#include "agent/simple.h"
#include "agent/solver.h"
#include "base/similar.h"

/* ---- reading ---- */

/* Agents without settings. */
static const struct {
  const char *name;
  SpecKind kind;
} simple[] = {
    {"random", SPEC_RANDOM}, {"legal", SPEC_LEGAL}, {"human", SPEC_HUMAN}};

/* Returns the kind of the simple agent with that name, or else SPEC_SEARCH;
   `similar` gets a simple name that resembles it, or NULL. */
static SpecKind find_simple(const char *name, const char **similar) {
  *similar = NULL;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
    unsigned distance = similar_distance(name, simple[i].name);
    if (!distance) return simple[i].kind;
    if (distance < SIMILAR_FAR) *similar = simple[i].name;
  }
  return SPEC_SEARCH;
}

static bool parse_local(AgentSpec *spec, const char *text, const char *name,
                        Text *error) {
  const char *similar;
  spec->kind = find_simple(name, &similar);
  if (spec->kind != SPEC_SEARCH) {
    if (!text[strlen(name)]) return true;
    text_format(error, "%s has no settings", name);
    return false;
  }
  if (similar) {
    text_format(error, "no agent '%s'; did you mean %s?", name, similar);
    return false;
  }
  return settings_parse(&spec->settings, text, error);
}

static const char http[] = "http://";

static bool parse_address(AgentSpec *spec, const char *text, Text *error) {
  const char *wrong = NULL, *host = text + strlen(http);
  spec->kind = SPEC_REMOTE;
  for (const char *c = text; *c; c++)
    if (!isgraph((unsigned char)*c)) wrong = "is not an address";
  if (strcspn(host, ":/?#") == 0) wrong = "names no host";
  if (strchr(text, ',')) wrong = "has no settings";
  if (wrong) text_format(error, "%s %s", text, wrong);
  return !wrong;
}

bool spec_parse(AgentSpec *spec, const char *text, Text *error) {
  Text name = {0};
  *spec = (AgentSpec){0};
  text_add_bytes(&name, text, strcspn(text, ":,="));
  bool fine = strncmp(text, http, strlen(http)) == 0
                  ? parse_address(spec, text, error)
                  : parse_local(spec, text, name.bytes, error);
  text_free(&name);
  if (!fine) return false;
  spec->text = memory_new(strlen(text) + 1);
  memcpy(spec->text, text, strlen(text));
  return true;
}

void spec_free(AgentSpec *spec) {
  memory_delete(spec->text);
  spec->text = NULL;
}

static bool begins_setting(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
  return length && text[length] == '=';
}

bool spec_parse_list(AgentSpecs *specs, const char *text, Text *error) {
  *specs = (AgentSpecs){0};
  for (;;) {
    size_t length = strcspn(text, ",");
    while (text[length] && begins_setting(text + length + 1))
      length += 1 + strcspn(text + length + 1, ",");
    Text own = {0};
    AgentSpec spec;
    text_add_bytes(&own, text, length);
    bool fine = spec_parse(&spec, own.bytes, error);
    text_free(&own);
    if (!fine) break;
    vector_push(specs, spec);
    if (!text[length]) return true;
    text += length + 1;
  }
  spec_free_list(specs);
  return false;
}

void spec_free_list(AgentSpecs *specs) {
  for (uint32_t i = 0; i < specs->count; i++) spec_free(&specs->data[i]);
  vector_free(specs);
}

/* ---- making ---- */

bool spec_is_local(const AgentSpec *spec) {
  return spec->kind == SPEC_RANDOM || spec->kind == SPEC_LEGAL ||
         spec->kind == SPEC_SEARCH;
}

bool spec_thinks(const AgentSpec *spec) {
  return spec->kind == SPEC_SEARCH;
}

void spec_limit_memory(AgentSpec *spec, size_t bytes) {
  int64_t most = (int64_t)(bytes >> 20);
  if (most < 1) most = 1;
  if (spec->settings.memory > most) spec->settings.memory = most;
}

void spec_set_threads(AgentSpec *spec, uint32_t threads) {
  if (!spec->settings.threads) spec->settings.threads = threads;
}

static Agent *thinking_agent(const AgentSpec *spec, Book *book, uint32_t role,
                             uint64_t seed) {
  const Settings *settings = &spec->settings;
  uint32_t roles = book->description->rules.roles.count;
  if (settings->puzzle != PUZZLE_SEARCH && roles == 1)
    return solver_new(book, settings, seed);
  if (mind_wanted(settings, roles)) return mind_new(book, role, settings, seed);
  return searcher_new(book, role, settings, seed);
}

Agent *spec_agent(const AgentSpec *spec, Book *book, uint32_t role,
                  uint64_t seed) {
  assert(spec_is_local(spec));
  switch (spec->kind) {
  case SPEC_SEARCH: return thinking_agent(spec, book, role, seed);
  case SPEC_RANDOM: return simple_new(book, role, true, seed);
  default: return simple_new(book, role, false, seed);
  }
}
