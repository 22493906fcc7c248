/* Who plays a role. An agent has an engine of its own that stands at the
   match's state: random and legal ones one from the rulebook, searches theirs.
   Moves are numbers that all engines of one rulebook share. Random choices are
   made among moves sorted by their text, so that a seed gives the same game in
   every engine and thread. */
#include "agent/agent.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/random.h"
#include "base/similar.h"

struct Agent {
  const AgentSpec *spec;
  uint32_t role;
  Game *game;     /* NULL: a search */
  Search *search; /* NULL: none */
  Random random;
  AgentWork work;
};

/* ---- specifications ---- */

static const char *const simple[] = {
    [AGENT_RANDOM] = "random", [AGENT_LEGAL] = "legal"};

/* The simple agent that the name is, or AGENT_SEARCH; one that it resembles
   goes to `similar`. */
static AgentKind find_simple(const char *name, const char **similar) {
  *similar = NULL;
  for (AgentKind kind = AGENT_RANDOM; kind <= AGENT_LEGAL; kind++) {
    unsigned distance = similar_distance(name, simple[kind]);
    if (!distance) return kind;
    if (distance < SIMILAR_FAR) *similar = simple[kind];
  }
  return AGENT_SEARCH;
}

static bool parse(AgentSpec *spec, const char *text, const char *name,
                  Text *error) {
  const char *similar;
  spec->kind = find_simple(name, &similar);
  if (spec->kind != AGENT_SEARCH) {
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
  spec->kind = AGENT_REMOTE;
  for (const char *c = text; *c; c++)
    if (!isgraph((unsigned char)*c)) wrong = "is no address";
  if (strcspn(host, ":/?#") == 0) wrong = "names no host";
  if (strchr(text, ',')) wrong = "has no settings";
  if (wrong) text_format(error, "%s %s", text, wrong);
  return !wrong;
}

bool agent_spec_parse(AgentSpec *spec, const char *text, Text *error) {
  Text name = {0};
  *spec = (AgentSpec){0};
  text_add_bytes(&name, text, strcspn(text, ":,="));
  bool fine = strncmp(text, http, strlen(http)) == 0
                  ? parse_address(spec, text, error)
                  : parse(spec, text, name.bytes, error);
  text_free(&name);
  if (!fine) return false;
  spec->text = memory_new(strlen(text) + 1);
  memcpy(spec->text, text, strlen(text));
  return true;
}

void agent_spec_free(AgentSpec *spec) {
  memory_delete(spec->text);
  spec->text = NULL;
}

static bool begins_setting(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
  return length && text[length] == '=';
}

bool agent_specs_parse(AgentSpecs *specs, const char *text, Text *error) {
  *specs = (AgentSpecs){0};
  for (;;) {
    size_t length = strcspn(text, ",");
    while (text[length] && begins_setting(text + length + 1))
      length += 1 + strcspn(text + length + 1, ",");
    Text own = {0};
    AgentSpec spec;
    text_add_bytes(&own, text, length);
    bool fine = agent_spec_parse(&spec, own.bytes, error);
    text_free(&own);
    if (!fine) break;
    vector_push(specs, spec);
    if (!text[length]) return true;
    text += length + 1;
  }
  agent_specs_free(specs);
  return false;
}

void agent_specs_free(AgentSpecs *specs) {
  for (uint32_t i = 0; i < specs->count; i++) agent_spec_free(&specs->data[i]);
  vector_free(specs);
}

/* ---- agents ---- */

Agent *agent_new(const AgentSpec *spec, Book *book, uint32_t role,
                 uint64_t seed) {
  assert(spec->kind != AGENT_REMOTE);
  Agent *agent = memory_new(sizeof *agent);
  agent->spec = spec;
  agent->role = role;
  random_seed(&agent->random, seed);
  if (spec->kind == AGENT_SEARCH)
    agent->search = search_new(book, role, &spec->settings, seed);
  else
    agent->game = book_game(book);
  return agent;
}

void agent_delete(Agent *agent) {
  if (agent->search) search_delete(agent->search);
  if (agent->game) game_delete(agent->game);
  memory_delete(agent);
}

bool agent_limits(const Budget *budget) {
  return budget->seconds > 0 || budget->simulations || budget->states;
}

void agent_think(Agent *agent, const Budget *budget) {
  if (!agent->search || !agent_limits(budget)) return;
  search_think(agent->search, budget);
  const SearchReport *report = search_report(agent->search);
  agent->work.simulations += report->simulations;
  agent->work.states += report->states;
  agent->work.seconds += report->seconds;
}

static Move choose_simple(Agent *agent, const Move *moves, uint32_t count) {
  TermVector terms = {0};
  for (uint32_t i = 0; i < count; i++)
    vector_push(&terms, game_move_term(agent->game, agent->role, moves[i]));
  term_sort(game_terms(agent->game), terms.data, count);
  Term chosen = terms.data[agent->spec->kind == AGENT_RANDOM
                               ? random_below(&agent->random, count)
                               : 0];
  vector_free(&terms);
  uint32_t i = 0;
  while (game_move_term(agent->game, agent->role, moves[i]) != chosen) i++;
  return moves[i];
}

Move agent_choose(Agent *agent, const Budget *budget) {
  const Move *moves;
  uint32_t count = game_legal(agent_game(agent), agent->role, &moves);
  if (!count) return 0; /* the engine has failed, or nobody can move */
  if (count == 1) return moves[0];
  if (!agent->search) return choose_simple(agent, moves, count);
  agent_think(agent, budget);
  return search_best(agent->search);
}

void agent_advance(Agent *agent, const Move *joint) {
  if (agent->search)
    search_advance(agent->search, joint);
  else
    game_make(agent->game, joint);
}

Search *agent_search(Agent *agent) {
  return agent->search;
}

Game *agent_game(Agent *agent) {
  return agent->search ? search_game(agent->search) : agent->game;
}

const AgentWork *agent_work(const Agent *agent) {
  return &agent->work;
}
