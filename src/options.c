/* The tables of verbs and options as arrays, short forms, and the parser.
   Underscores in names are hyphens on the command line. */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/similar.h"

const OptionsRow options_table[] = {
#define FLAG(name, verbs, help) \
  {#name, OPTIONS_FLAG, verbs, offsetof(Options, name), 0, 0, 1, 0, 0, 0, \
   "",    "",           help},
#define NUMBER(name, verbs, value, least, most, help) \
  {#name, OPTIONS_NUMBER, \
   verbs, offsetof(Options, name), \
   value, least, \
   most,  0, \
   0,     0, \
   "",    "", \
   help},
#define REAL(name, verbs, value, least, most, help) \
  {#name, OPTIONS_REAL, \
   verbs, offsetof(Options, name), \
   0,     0, \
   0,     value, \
   least, most, \
   "",    "", \
   help},
#define WORD(name, verbs, value, choices, help) \
  {#name, OPTIONS_WORD, verbs, offsetof(Options, name), 0, 0, 0, 0, 0, 0, \
   value, choices,      help},
#define LIST(name, verbs, help) \
  {#name, OPTIONS_LIST, verbs, offsetof(Options, name), 0, 0, 0, 0, 0, 0, \
   "",    "",           help},
    OPTIONS(FLAG, NUMBER, REAL, WORD, LIST)
#undef FLAG
#undef NUMBER
#undef REAL
#undef WORD
#undef LIST
};

enum { OPTION_COUNT = sizeof options_table / sizeof *options_table };
const int options_count = OPTION_COUNT;

const OptionsVerb options_verbs[VERB_COUNT] = {
#define VERB(NAME, name, arguments, help) {#name, arguments, help},
    VERBS(VERB)
#undef VERB
};

int options_find_verb(const char *name) {
  for (int i = 0; i < VERB_COUNT; i++)
    if (strcmp(options_verbs[i].name, name) == 0) return i;
  return -1;
}

/* Words of the usage text, perhaps in brackets; "GAME..." is at all further
   places, too. */
const char *options_argument(int verb, int place) {
  static char name[32];
  const char *text = options_verbs[verb].arguments;
  for (; *text; place--) {
    size_t length = strcspn(text, " ");
    if (place == 0 || memmem(text, length, "...", 3)) break;
    text += length + (text[length] == ' ');
  }
  text += *text == '[';
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " .]"), text);
  return name;
}

const char *options_name(const OptionsRow *row) {
  static char name[32];
  snprintf(name, sizeof name, "%s", row->name);
  for (char *c = name; *c; c++)
    if (*c == '_') *c = '-';
  return name;
}

static const OptionsRow *find_option(const char *name, size_t length) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const char *own = options_name(&options_table[i]);
    if (strlen(own) == length && strncmp(own, name, length) == 0)
      return &options_table[i];
  }
  return NULL;
}

/* ---- short forms ---- */

/* A letter means the same in every verb: a is who plays. Where it has several
   names, it is the first of those that a verb has. */
static const struct {
  char letter;
  const char *name;
} letters[] = {
    {'a', "players"}, {'a', "agent"}, {'a', "against"}, {'j', "json"},
    {'n', "games"},   {'p', "play"},  {'r', "role"},    {'s', "seed"},
};

enum { LETTER_COUNT = sizeof letters / sizeof *letters };

static bool has_option(int verb, const char *name) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (strcmp(options_table[i].name, name) == 0)
      return options_table[i].verbs >> verb & 1;
  return false;
}

char options_letter(const OptionsRow *row, int verb) {
  for (int i = 0; i < LETTER_COUNT; i++) {
    if (strcmp(letters[i].name, row->name) != 0) continue;
    for (int j = 0; j < i && verb >= 0; j++)
      if (letters[j].letter == letters[i].letter &&
          has_option(verb, letters[j].name))
        return 0;
    return letters[i].letter;
  }
  return 0;
}

static const OptionsRow *find_letter(char letter, int verb) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (options_table[i].verbs >> verb & 1 &&
        options_letter(&options_table[i], verb) == letter)
      return &options_table[i];
  return NULL;
}

/* ---- suggestions ---- */

const char *options_similar(const char *name, int verb) {
  static char best[40];
  unsigned best_distance = SIMILAR_FAR;
  for (int i = 0; verb < 0 && i < VERB_COUNT; i++)
    if (similar_distance(name, options_verbs[i].name) < best_distance) {
      best_distance = similar_distance(name, options_verbs[i].name);
      snprintf(best, sizeof best, "%s", options_verbs[i].name);
    }
  for (int i = 0; verb >= 0 && i < OPTION_COUNT; i++)
    if (options_table[i].verbs >> verb & 1 &&
        similar_distance(name, options_name(&options_table[i])) <
            best_distance) {
      best_distance = similar_distance(name, options_name(&options_table[i]));
      snprintf(best, sizeof best, "--%s", options_name(&options_table[i]));
    }
  return best_distance < SIMILAR_FAR ? best : NULL;
}

/* ---- parsing ---- */

static void set_defaults(Options *options) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    void *field = (char *)options + options_table[i].offset;
    switch (options_table[i].kind) {
    case OPTIONS_FLAG: *(bool *)field = false; break;
    case OPTIONS_NUMBER: *(int64_t *)field = options_table[i].number; break;
    case OPTIONS_REAL: *(double *)field = options_table[i].real; break;
    case OPTIONS_WORD:
    case OPTIONS_LIST: *(const char **)field = options_table[i].word; break;
    }
  }
}

static bool set_flag(const OptionsRow *option, bool *field, const char *value) {
  if (!value || strcmp(value, "1") == 0) {
    *field = true;
  } else if (strcmp(value, "0") == 0) {
    *field = false;
  } else {
    log_error("--%s takes 0 or 1, not '%s'", options_name(option), value);
    return false;
  }
  return true;
}

static bool set_number(const OptionsRow *option, int64_t *field,
                       const char *value) {
  char *end;
  errno = 0;
  intmax_t number = strtoimax(value, &end, 10);
  if (*end || end == value || errno || number < option->least ||
      number > option->most) {
    log_error("--%s takes a whole number from %" PRId64 " to %" PRId64
              ", not '%s'",
              options_name(option), option->least, option->most, value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_real(const OptionsRow *option, double *field,
                     const char *value) {
  char *end;
  double number = strtod(value, &end);
  if (*end || end == value ||
      !(number >= option->real_least && number <= option->real_most)) {
    log_error("--%s takes a number from %g to %g, not '%s'",
              options_name(option), option->real_least, option->real_most,
              value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_word(const OptionsRow *option, const char **field,
                     const char *value) {
  size_t length = strlen(value);
  const char *choice = option->choices;
  while (*choice) {
    size_t own = strcspn(choice, "|");
    if (own == length && strncmp(choice, value, own) == 0) break;
    choice += own + (choice[own] == '|');
    if (!*choice) {
      log_error("--%s takes %s, not '%s'", options_name(option),
                option->choices, value);
      return false;
    }
  }
  *field = value;
  return true;
}

/* Appends to what is there. The texts are kept until options_free. */
static void join(Options *options, const char **field, const char *value) {
  Text text = {0};
  text_format(&text, "%s%s%s", *field, **field ? "," : "", value);
  *field = text_string(&text);
  vector_push(&options->joined, text);
}

static bool set(Options *options, const OptionsRow *option, const char *value) {
  void *field = (char *)options + option->offset;
  switch (option->kind) {
  case OPTIONS_FLAG: return set_flag(option, field, value);
  case OPTIONS_NUMBER: return set_number(option, field, value);
  case OPTIONS_REAL: return set_real(option, field, value);
  case OPTIONS_WORD: return set_word(option, field, value);
  case OPTIONS_LIST: join(options, field, value); return true;
  }
  return false;
}

static void refuse(int verb, const char *word, const char *similar) {
  const char *name = options_verbs[verb].name;
  log_error("%s has no option '%s'; %s%s%s", name, word,
            similar ? "did you mean " : "see tafl help ",
            similar ? similar : name, similar ? "?" : "");
}

/* Takes the value from the next word if it is needed and not there. */
static bool take(Options *options, const OptionsRow *option, const char *value,
                 int argc, char **argv, int *at) {
  if (!value && option->kind != OPTIONS_FLAG) {
    if (*at + 1 == argc) {
      log_error("--%s needs a value", options_name(option));
      return false;
    }
    value = argv[++*at];
  }
  return set(options, option, value);
}

/* --name, --name=value, --name value */
static bool parse_long(Options *options, int verb, int argc, char **argv,
                       int *at) {
  const char *name = argv[*at] + 2;
  size_t length = strcspn(name, "=");
  const char *value = name[length] ? name + length + 1 : NULL;
  const OptionsRow *option = find_option(name, length);
  if (!option || !(option->verbs >> verb & 1)) {
    char plain[32];
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    refuse(verb, argv[*at], options_similar(plain, verb));
    return false;
  }
  return take(options, option, value, argc, argv, at);
}

/* -n5, -n 5; flags may stand together: -jh */
static bool parse_short(Options *options, int verb, int argc, char **argv,
                        int *at, bool *help) {
  const char *word = argv[*at] + 1;
  const OptionsRow *whole = find_option(word, strlen(word));
  if (whole && whole->verbs >> verb & 1) { /* -seed */
    char name[40];
    snprintf(name, sizeof name, "--%s", options_name(whole));
    refuse(verb, argv[*at], name);
    return false;
  }
  for (; *word; word++) {
    const OptionsRow *option = find_letter(*word, verb);
    if (*word == 'h') {
      *help = true;
    } else if (!option) {
      refuse(verb, (const char[]){'-', *word, '\0'}, NULL);
      return false;
    } else if (option->kind != OPTIONS_FLAG) {
      return take(options, option, word[1] ? word + 1 : NULL, argc, argv, at);
    } else if (!set(options, option, NULL)) {
      return false;
    }
  }
  return true;
}

bool options_parse(Options *options, int verb, int argc, char **argv,
                   bool *help) {
  *options = (Options){0};
  options->arguments = memory_new((size_t)argc * sizeof *options->arguments);
  set_defaults(options);
  *help = false;
  bool only_arguments = false;
  for (int i = 0; i < argc; i++) {
    if (only_arguments || argv[i][0] != '-' || !argv[i][1]) {
      options->arguments[options->argument_count++] = argv[i];
    } else if (strcmp(argv[i], "--") == 0) {
      only_arguments = true;
    } else if (strcmp(argv[i], "--help") == 0) {
      *help = true;
    } else if (strncmp(argv[i], "--", 2) == 0
                   ? !parse_long(options, verb, argc, argv, &i)
                   : !parse_short(options, verb, argc, argv, &i, help)) {
      return false;
    }
  }
  return true;
}

void options_free(Options *options) {
  memory_delete(options->arguments);
  text_vector_free(&options->joined);
}
