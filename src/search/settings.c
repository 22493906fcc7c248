/* The table of settings as an array, and the parser of "preset:key=value,…".
   Settings start with the table's defaults; the preset changes them, then the
   text, from left to right, so that the last value of a key holds. Values are
   always within their ranges. */
#include "search/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"

/* The first program of the papers; MC_org and MC_mem are its search without a
   tree, and with a tree that remembers but does not guide. */
#define CADIA_2007 \
  "gamma=0.99,returns=scaled,unexplored=random," \
  "playout=uniform,transpose=depth,lanes=1"
/* In 2008 unexplored actions of the tree are chosen by Gibbs, too (T 4.5, I
   IV.C); in the paper of 2010 only moves in playouts, and actions of the tree
   at random (S 2, 3.1). */
#define CADIA_2008 \
  "c=40,gamma=0.999,returns=scaled,unexplored=gibbs," \
  "playout=mast,transpose=depth,single=1,lanes=1"
/* MiNI-Player. The paper gives neither C nor a discount. For means it has
   CadiaPlayer's 40; for maxima 200, chosen by knightsTour at 45 s and 15 s, 10
   matches each: 96.3 with 40, 98.0 with 100, 99.2 with 200 (hanoi, hamilton and
   shorter clocks do not tell them apart).

   Three things in puzzles are not the paper's, or not written there. Equal
   states share a node by their exact keys, not by its multi-resolution table,
   whose hash takes too many states for the same (300,000 states of thinking, 8
   runs: hanoi 100 against 65, knightsTour 90 against 79, at 5.2 against 3.9
   million states a second; 3 million states, 3 runs: eightPuzzle 99 against 0).
   And what has been searched to its end is left alone: else, once a good way is
   in the tree, most simulations only repeat it (knightsTour, C = 100, 300,000
   states, 16 runs: 93 against 82). And a strategy that looks at successors
   takes one that solves the puzzle (lightsOut, 10 million states: 4 of 8
   solved; without it 1 of 6 with 20 million). */
#define MINI_BASE \
  "c=40,gamma=1,returns=own,unexplored=random,playout=uniform," \
  "transpose=none,final=effective,strategies=base,deal=bandit,lanes=1"

/* ClunePlayer and FluxPlayer search captures no further than other moves. The
   non-uniform depth of FluxPlayer, which searches moves less deep that its
   history heuristic ranks low, is reduce=1 here: late moves lose a step or two,
   but are searched again if they turn out well. The paper's own rule is not
   known to us. That it gains anything is not shown: against mc-org it won 8 of
   8 games of breakthrough and of connectFour (5,000 states a move), and without
   it 6 of 6 of each (20,000 states). */

const Preset presets[] = {
    {"mc-org", "tree=none,c=0," CADIA_2007, "T 5.1, I V.B",
     "Monte Carlo without a tree: averages of the root's moves"},
    {"mc-mem", "tree=keep,choice=uniform,c=0," CADIA_2007, "T 5.1, I V.B",
     "Monte Carlo with a tree: its actions are chosen at random, too"},
    {"cadia2007", "c=40," CADIA_2007 ",puzzle=ida", "T 3.4, 4",
     "CadiaPlayer of 2007: UCT for every role, Enhanced IDA* in puzzles"},
    {"cadia2008", CADIA_2008, "T 4.5, I IV.C",
     "CadiaPlayer of 2008: Gibbs choice by move averages (MAST)"},
    {"cadia2009", CADIA_2008 ",rave=500", "S 3.3",
     "CadiaPlayer of 2009: as 2008, with rapid action values (RAVE)"},
    {"cadia2010", CADIA_2008 ",rave=500,fast=1", "S 3.4",
     "CadiaPlayer of 2010: as 2009, with features learned by TD (FAST)"},
    {"astar", CADIA_2008 ",puzzle=astar", "I IV.D",
     "its attempt of 2008 at puzzles: A* by relaxed plans, beside UCT"},
    {"nested", "c=40," CADIA_2007 ",puzzle=nested", "Mehat 2010",
     "Ary: nested Monte Carlo search in puzzles, UCT elsewhere"},
    {"nrpa", "c=40," CADIA_2007 ",puzzle=nrpa", "Rosin 2011",
     "nested rollout policy adaptation in puzzles, UCT elsewhere"},
    {"mini-base", MINI_BASE, "M IV",
     "MiNI-Player for any game: playouts by strategies"},
    {"mini",
     MINI_BASE
     ",c=200,strategies=explore,deal=equal,estimate=maximum,path=better,"
     "transpose=single,merge=1,exhaust=1,peek=1",
     "M V, VI", "MiNI-Player for puzzles; elsewhere as mini-base"},
    {"tafl1",
     "c=40,gamma=0.999,lanes=0,solver=1,returns=scaled,unexplored=gibbs,"
     "playout=mast,tau=10,transpose=state,capture=1,final=value",
     "ours", "the first version of ours, to measure later ones by"},
    {"tafl",
     "c=20,loss=0.3,lanes=0,solver=2,returns=auto,envy=0.1,even=1,"
     "unexplored=gibbs,playout=mast,transpose=state,capture=1,decisive=both,"
     "prune=1,final=lower,puzzle=portfolio,mind=mixture,evaluation=learned",
     "ours", "ours: many playouts at once, or alpha-beta where it is better"},
    {"minimax",
     "mind=minimax,evaluation=learned,solver=2,returns=auto,envy=0.1,lanes=0,"
     "symmetry=1,puzzle=portfolio",
     "ours", "alpha-beta with an evaluation learned in the start clock"},
    {"clune", "mind=minimax,evaluation=clune,quiet=0,reduce=0,lanes=1",
     "Clune 2007",
     "ClunePlayer: features of the rules, weighed by random play"},
    {"flux", "mind=minimax,evaluation=flux,quiet=0,reduce=1,lanes=1",
     "Schiffel and Thielscher 2007",
     "FluxPlayer: the goal's formula as fuzzy truth"},
};

const uint32_t preset_count = sizeof presets / sizeof *presets;

typedef enum { KIND_REAL, KIND_NUMBER, KIND_WORD } Kind;

typedef struct Setting {
  const char *name;
  Kind kind;
  size_t offset; /* of its field in Settings */
  double value, least, most;
  const char *word, *choices, *origin, *help;
} Setting;

static const Setting table[] = {
#define REAL(name, value, least, most, origin, help) \
  {#name,  KIND_REAL, offsetof(Settings, name), value, least, most, "", "", \
   origin, help},
#define NUMBER(name, value, least, most, origin, help) \
  {#name,  KIND_NUMBER, offsetof(Settings, name), value, least, most, "", "", \
   origin, help},
#define WORD(name, value, choices, origin, help) \
  {#name,  KIND_WORD, offsetof(Settings, name), 0, 0, 0, value, choices, \
   origin, help},
    SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
};

enum { SETTING_COUNT = sizeof table / sizeof *table };

/* ---- values ---- */

/* Returns the index of a word in "a|b|c", or -1. */
static int choice_number(const char *choices, const char *word, size_t length) {
  for (int number = 0;; number++) {
    size_t own = strcspn(choices, "|");
    if (own == length && strncmp(choices, word, own) == 0) return number;
    if (!choices[own]) return -1;
    choices += own + 1;
  }
}

static bool set_real(const Setting *setting, double *field, const char *value,
                     Text *error) {
  char *end;
  double number = strtod(value, &end);
  if (*end || end == value ||
      !(number >= setting->least && number <= setting->most)) {
    text_format(error, "%s takes a number from %g to %g, not '%s'",
                setting->name, setting->least, setting->most, value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_number(const Setting *setting, int64_t *field,
                       const char *value, Text *error) {
  char *end;
  errno = 0;
  intmax_t number = strtoimax(value, &end, 10);
  if (*end || end == value || errno || (double)number < setting->least ||
      (double)number > setting->most) {
    text_format(error, "%s takes a whole number from %.0f to %.0f, not '%s'",
                setting->name, setting->least, setting->most, value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_word(const Setting *setting, uint32_t *field, const char *value,
                     Text *error) {
  int number = choice_number(setting->choices, value, strlen(value));
  if (number < 0) {
    text_format(error, "%s takes %s, not '%s'", setting->name, setting->choices,
                value);
    return false;
  }
  *field = (uint32_t)number;
  return true;
}

static bool set(Settings *settings, const Setting *setting, const char *value,
                Text *error) {
  void *field = (char *)settings + setting->offset;
  switch (setting->kind) {
  case KIND_REAL: return set_real(setting, field, value, error);
  case KIND_NUMBER: return set_number(setting, field, value, error);
  case KIND_WORD: return set_word(setting, field, value, error);
  }
  return false;
}

static void set_defaults(Settings *settings) {
  *settings = (Settings){0};
  for (int i = 0; i < SETTING_COUNT; i++) {
    void *field = (char *)settings + table[i].offset;
    const char *word = table[i].word;
    switch (table[i].kind) {
    case KIND_REAL: *(double *)field = table[i].value; break;
    case KIND_NUMBER: *(int64_t *)field = (int64_t)table[i].value; break;
    case KIND_WORD:
      *(uint32_t *)field =
          (uint32_t)choice_number(table[i].choices, word, strlen(word));
      break;
    }
  }
}

/* ---- parsing ---- */

static const Setting *find_setting(const char *name, Text *error) {
  const Setting *similar = NULL;
  unsigned best = SIMILAR_FAR;
  for (int i = 0; i < SETTING_COUNT; i++) {
    unsigned distance = similar_distance(name, table[i].name);
    if (!distance) return &table[i];
    /* short names like c resemble each other */
    if (distance < best && distance < strlen(name)) {
      best = distance;
      similar = &table[i];
    }
  }
  text_format(error, "no setting '%s'%s%s%s", name,
              similar ? "; did you mean " : "", similar ? similar->name : "",
              similar ? "?" : "");
  return NULL;
}

/* Applies one `key=value` of a list. */
static bool set_item(Settings *settings, const char *item, size_t length,
                     Text *error) {
  Text name = {0}, value = {0};
  const char *equals = memchr(item, '=', length);
  bool fine = equals != NULL;
  if (fine) {
    text_add_bytes(&name, item, (size_t)(equals - item));
    text_add_bytes(&value, equals + 1, length - (size_t)(equals + 1 - item));
    const Setting *setting = find_setting(name.bytes, error);
    fine = setting && set(settings, setting, value.bytes, error);
  } else {
    text_format(error, "expected key=value, not '%.*s'", (int)length, item);
  }
  text_free(&name);
  text_free(&value);
  return fine;
}

static bool set_list(Settings *settings, const char *list, Text *error) {
  for (;;) {
    size_t length = strcspn(list, ",");
    if (!set_item(settings, list, length, error)) return false;
    if (!list[length]) return true;
    list += length + 1;
  }
}

static const Preset *find_preset(const char *name, Text *error) {
  const Preset *similar = NULL;
  unsigned best = SIMILAR_FAR;
  for (uint32_t i = 0; i < preset_count; i++) {
    unsigned distance = similar_distance(name, presets[i].name);
    if (!distance) return &presets[i];
    if (distance < best && distance < strlen(name)) {
      best = distance;
      similar = &presets[i];
    }
  }
  text_format(error, "no agent '%s'", name);
  if (similar)
    text_format(error, "; did you mean %s?", similar->name);
  else
    text_add(error, "; see tafl agents");
  return NULL;
}

/* C of maxima is that many times the C of means. */
static const double maxima = 5;

void settings_adapt(Settings *settings, uint32_t role_count) {
  bool one = role_count == 1;
  if (settings->transpose == TRANSPOSE_SINGLE)
    settings->transpose = one ? TRANSPOSE_STATE : TRANSPOSE_NONE;
  if (one && settings->single) {
    settings->gamma = 1;
    settings->final = FINAL_MAXIMUM;
    settings->path = PATH_EQUAL;
  }
  if (one && settings->exhaust && !settings->solver) settings->solver = 1;
  if (one) return;
  settings->merge = settings->exhaust = settings->peek = 0;
  settings->path = PATH_NONE;
  if (settings->estimate == ESTIMATE_MAXIMUM) settings->c /= maxima;
  settings->estimate = ESTIMATE_MEAN;
  if (settings->strategies) settings->strategies = STRATEGIES_BASE;
  settings->deal = DEAL_BANDIT;
}

bool settings_parse(Settings *settings, const char *text, Text *error) {
  size_t length = strcspn(text, ":,=");
  Text name = {0};
  text_add_bytes(&name, text, length);
  const Preset *preset = find_preset(name.bytes, error);
  text_free(&name);
  if (!preset) return false;
  set_defaults(settings);
  if (!set_list(settings, preset->settings, error)) return false;
  if (!text[length]) return true;
  if (text[length] != ':') {
    text_format(error, "settings follow a colon: %s:key=value,key=value",
                preset->name);
    return false;
  }
  return set_list(settings, text + length + 1, error);
}

static void write_word(const char *choices, uint32_t number, Text *text) {
  while (number--) choices += strcspn(choices, "|") + 1;
  text_add_bytes(text, choices, strcspn(choices, "|"));
}

void settings_write(const Settings *settings, Text *text) {
  const char *separator = "";
#define NAME(name) \
  text_format(text, "%s" #name "=", separator); \
  separator = ",";
#define REAL(name, value, least, most, origin, help) \
  NAME(name) text_format(text, "%g", settings->name);
#define NUMBER(name, value, least, most, origin, help) \
  NAME(name) text_format(text, "%lld", (long long)settings->name);
#define WORD(name, value, choices, origin, help) \
  NAME(name) write_word(choices, settings->name, text);
  SETTINGS(REAL, NUMBER, WORD)
#undef NAME
#undef REAL
#undef NUMBER
#undef WORD
}
