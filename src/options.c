/* The table of options as an array, and everything that is derived from it.
   Underscores in names are hyphens on the command line. */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"

typedef enum { KIND_FLAG, KIND_NUMBER, KIND_REAL, KIND_WORD } Kind;

typedef struct Option {
  const char *name;
  Kind kind;
  int verbs;
  size_t offset; /* of its field in Options */
  int64_t number, least, most;
  double real, real_least, real_most;
  const char *word, *choices, *help;
} Option;

static const Option table[] = {
#define FLAG(name, verbs, help) \
  {#name, KIND_FLAG, verbs, offsetof(Options, name), 0, 0, 1, 0, 0, 0, \
   "",    "",        help},
#define NUMBER(name, verbs, value, least, most, help) \
  {#name, KIND_NUMBER, verbs, offsetof(Options, name), \
   value, least,       most,  0, \
   0,     0,           "",    "", \
   help},
#define REAL(name, verbs, value, least, most, help) \
  {#name, KIND_REAL, verbs, offsetof(Options, name), \
   0,     0,         0,     value, \
   least, most,      "",    "", \
   help},
#define WORD(name, verbs, value, choices, help) \
  {#name, KIND_WORD, verbs, offsetof(Options, name), 0, 0, 0, 0, 0, 0, \
   value, choices,   help},
    OPTIONS(FLAG, NUMBER, REAL, WORD)
#undef FLAG
#undef NUMBER
#undef REAL
#undef WORD
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

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

/* The name as written on the command line. */
static const char *shown(const Option *option) {
  static char name[32];
  snprintf(name, sizeof name, "%s", option->name);
  for (char *c = name; *c; c++)
    if (*c == '_') *c = '-';
  return name;
}

static const Option *find_option(const char *name, size_t length) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const char *own = shown(&table[i]);
    if (strlen(own) == length && strncmp(own, name, length) == 0)
      return &table[i];
  }
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
    if (table[i].verbs >> verb & 1 &&
        similar_distance(name, shown(&table[i])) < best_distance) {
      best_distance = similar_distance(name, shown(&table[i]));
      snprintf(best, sizeof best, "--%s", shown(&table[i]));
    }
  return best_distance < SIMILAR_FAR ? best : NULL;
}

/* ---- parsing ---- */

static void set_defaults(Options *options) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    void *field = (char *)options + table[i].offset;
    switch (table[i].kind) {
    case KIND_FLAG: *(bool *)field = false; break;
    case KIND_NUMBER: *(int64_t *)field = table[i].number; break;
    case KIND_REAL: *(double *)field = table[i].real; break;
    case KIND_WORD: *(const char **)field = table[i].word; break;
    }
  }
}

static bool set_flag(const Option *option, bool *field, const char *value) {
  if (!value || strcmp(value, "1") == 0) {
    *field = true;
  } else if (strcmp(value, "0") == 0) {
    *field = false;
  } else {
    log_error("--%s takes 0 or 1, not '%s'", shown(option), value);
    return false;
  }
  return true;
}

static bool set_number(const Option *option, int64_t *field,
                       const char *value) {
  char *end;
  errno = 0;
  intmax_t number = strtoimax(value, &end, 10);
  if (*end || end == value || errno || number < option->least ||
      number > option->most) {
    log_error("--%s takes a whole number from %" PRId64 " to %" PRId64
              ", not '%s'",
              shown(option), option->least, option->most, value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_real(const Option *option, double *field, const char *value) {
  char *end;
  double number = strtod(value, &end);
  if (*end || end == value ||
      !(number >= option->real_least && number <= option->real_most)) {
    log_error("--%s takes a number from %g to %g, not '%s'", shown(option),
              option->real_least, option->real_most, value);
    return false;
  }
  *field = number;
  return true;
}

static bool set_word(const Option *option, const char **field,
                     const char *value) {
  size_t length = strlen(value);
  const char *choice = option->choices;
  while (*choice) {
    size_t own = strcspn(choice, "|");
    if (own == length && strncmp(choice, value, own) == 0) break;
    choice += own + (choice[own] == '|');
    if (!*choice) {
      log_error("--%s takes %s, not '%s'", shown(option), option->choices,
                value);
      return false;
    }
  }
  *field = value;
  return true;
}

static bool set(Options *options, const Option *option, const char *value) {
  void *field = (char *)options + option->offset;
  switch (option->kind) {
  case KIND_FLAG: return set_flag(option, field, value);
  case KIND_NUMBER: return set_number(option, field, value);
  case KIND_REAL: return set_real(option, field, value);
  case KIND_WORD: return set_word(option, field, value);
  }
  return false;
}

static bool parse_option(Options *options, int verb, int argc, char **argv,
                         int *at) {
  const char *name = argv[*at] + 2;
  size_t length = strcspn(name, "=");
  const char *value = name[length] ? name + length + 1 : NULL;
  const Option *option = find_option(name, length);
  if (!option || !(option->verbs >> verb & 1)) {
    char plain[32];
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    const char *similar = options_similar(plain, verb);
    log_error("%s has no option '%s'%s%s%s", options_verbs[verb].name,
              argv[*at], similar ? "; did you mean " : "",
              similar ? similar : "", similar ? "?" : "");
    return false;
  }
  if (!value && option->kind != KIND_FLAG) {
    if (*at + 1 == argc) {
      log_error("--%s needs a value", shown(option));
      return false;
    }
    value = argv[++*at];
  }
  return set(options, option, value);
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
    } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      *help = true;
    } else if (strncmp(argv[i], "--", 2) != 0) {
      log_error("options begin with two hyphens: '%s'", argv[i]);
      return false;
    } else if (!parse_option(options, verb, argc, argv, &i)) {
      return false;
    }
  }
  return true;
}

void options_free(Options *options) {
  memory_delete(options->arguments);
}

/* ---- texts ---- */

/* "--seed N", and the help text with default and range. */
static void describe(const Option *option, Text *left, Text *right) {
  text_format(left, "--%s", shown(option));
  text_add(right, option->help);
  switch (option->kind) {
  case KIND_FLAG: break;
  case KIND_NUMBER:
    text_add(left, " N");
    text_format(right, " (default %" PRId64, option->number);
    if (option->most == INT64_MAX)
      text_format(right, ", from %" PRId64 ")", option->least);
    else
      text_format(right, ", %" PRId64 " to %" PRId64 ")", option->least,
                  option->most);
    break;
  case KIND_REAL:
    text_add(left, " X");
    text_format(right, " (default %g, %g to %g)", option->real,
                option->real_least, option->real_most);
    break;
  case KIND_WORD:
    text_format(left, " %s", *option->choices ? option->choices : "WORD");
    if (*option->word) text_format(right, " (default %s)", option->word);
    break;
  }
}

void options_print_verb_help(int verb) {
  printf("usage: tafl %s %s [options]\n\n%s.\n\noptions:\n",
         options_verbs[verb].name, options_verbs[verb].arguments,
         options_verbs[verb].help);
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (!(table[i].verbs >> verb & 1)) continue;
    Text left = {0}, right = {0};
    describe(&table[i], &left, &right);
    printf("  %-24s %s\n", left.bytes, right.bytes);
    text_free(&left);
    text_free(&right);
  }
  puts("\nA GAME is a file of rules in GDL (KIF syntax), or - for standard "
       "input.");
}

void options_print_help(void) {
  puts("tafl - a general game player\n\nusage: tafl VERB [arguments] "
       "[options]\n");
  for (int i = 0; i < VERB_COUNT; i++) {
    Text left = {0};
    text_format(&left, "%s %s", options_verbs[i].name,
                options_verbs[i].arguments);
    printf("  tafl %-24s %s\n", left.bytes, options_verbs[i].help);
    text_free(&left);
  }
  puts("\n  tafl VERB --help               options of the verb\n"
       "  tafl --version                 version\n"
       "  tafl --manual                  manual page (roff)\n"
       "  tafl --completion              completion for bash\n\n"
       "exit codes: 0 success, 1 the check failed, 2 usage, 3 bad input, 4 "
       "limit reached,\n            5 player or network failure, 70 internal "
       "error");
}

void options_print_manual(void) {
  puts(".TH TAFL 1\n.SH NAME\ntafl \\- a general game player\n.SH SYNOPSIS\n"
       ".B tafl\n.I VERB\n[\\fIarguments\\fR] [\\fIoptions\\fR]\n"
       ".SH VERBS");
  for (int verb = 0; verb < VERB_COUNT; verb++) {
    printf(".SS %s %s\n%s.\n", options_verbs[verb].name,
           options_verbs[verb].arguments, options_verbs[verb].help);
    for (int i = 0; i < OPTION_COUNT; i++) {
      if (!(table[i].verbs >> verb & 1)) continue;
      Text left = {0}, right = {0};
      describe(&table[i], &left, &right);
      printf(".TP\n.B %s\n%s\n", left.bytes, right.bytes);
      text_free(&left);
      text_free(&right);
    }
  }
  puts(".SH EXIT STATUS\n0 success, 1 the check failed, 2 usage, 3 bad input, "
       "4 limit reached, 5 player or network failure, 70 internal error");
}

void options_print_completion(void) {
  printf("_tafl() {\n  local words\n  case ${COMP_WORDS[1]} in\n");
  for (int verb = 0; verb < VERB_COUNT; verb++) {
    printf("  %s) words=\"", options_verbs[verb].name);
    for (int i = 0; i < OPTION_COUNT; i++)
      if (table[i].verbs >> verb & 1) printf(" --%s", shown(&table[i]));
    printf(" --help\" ;;\n");
  }
  printf("  esac\n  [ \"$COMP_CWORD\" = 1 ] && words=\"");
  for (int verb = 0; verb < VERB_COUNT; verb++)
    printf(" %s", options_verbs[verb].name);
  puts("\"\n  case $2 in\n  -*) COMPREPLY=($(compgen -W \"$words\" -- \"$2\")) "
       ";;\n  *) [ \"$COMP_CWORD\" = 1 ] && COMPREPLY=($(compgen -W \"$words\" "
       "-- \"$2\")) || COMPREPLY=($(compgen -f -- \"$2\")) ;;\n  esac\n}\n"
       "complete -o filenames -F _tafl tafl");
}
