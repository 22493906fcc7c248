/* Completion for bash, zsh and fish: verbs, options, and values that are known.
   Games are asked of the program when they are needed (tafl games --names);
   everything else is in the scripts. In each script the tables come as code for
   each verb, between the parts that are the same for all. */
#include "command/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "command/describe.h"
#include "command/find.h"
#include "search/settings.h"
#include "solve/methods.h"

/* ---- what a value can be ---- */

typedef enum {
  VALUE_NONE, /* a flag, or no argument */
  VALUE_ANY,
  VALUE_LIST, /* one of some words */
  VALUE_GAME,
  VALUE_AGENT,
  VALUE_FILE,
  VALUE_DIRECTORY,
  VALUE_COUNT
} ValueKind;

typedef struct Value {
  ValueKind kind;
  const char *name;  /* such as SECONDS */
  const char *words; /* of a list, separated by | */
} Value;

#define VERB(NAME, name, arguments, help) "|" #name
static const char verb_words[] = VERBS(VERB);
#undef VERB

/* Who can solve: presets and methods, separated by |. */
static const char *solver_words(void) {
  static char words[2048];
  size_t length = 0;
  for (uint32_t i = 0; i < preset_count + methods_count; i++) {
    const char *word = i < preset_count ? presets[i].name
                                        : methods_list[i - preset_count]->name;
    if (length + strlen(word) + 2 > sizeof words) break;
    length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                               i ? "|" : "", word);
  }
  return words;
}

/* What tafl lab can be asked for: its parts and the tables, separated by |. */
static const char *table_words(void) {
  static char words[2048];
  TextVector paths = {0};
  size_t length = (size_t)snprintf(words, sizeof words,
                                   "all|list|report|sweep|export|import");
  find_tables(&paths);
  for (uint32_t i = 0; i < paths.count; i++) {
    const char *path = text_string(&paths.data[i]);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t own = strlen(name) - strlen(".json");
    if (length + own + 2 > sizeof words) break;
    length += (size_t)snprintf(words + length, sizeof words - length, "|%.*s",
                               (int)own, name);
  }
  text_vector_free(&paths);
  return words;
}

/* A value by its name in usage texts. */
static Value value_named(const char *name) {
  static const Value values[] = {
      {VALUE_GAME, "GAME", ""},
      {VALUE_AGENT, "AGENT", ""},
      {VALUE_AGENT, "AGENTS", ""},
      {VALUE_FILE, "FILE", ""},
      {VALUE_FILE, "RECORD", ""},
      {VALUE_DIRECTORY, "DIR", ""},
      {VALUE_DIRECTORY, "DIRS", ""},
      {VALUE_LIST, "STAGE", "rules|prolog|ground|reduce|net|dot|program"},
      {VALUE_LIST, "VERB", verb_words + 1},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(values[i].name, name) == 0) return values[i];
  if (strcmp(name, "SOLVER") == 0)
    return (Value){VALUE_LIST, "SOLVER", solver_words()};
  if (strcmp(name, "TABLE") == 0)
    return (Value){VALUE_LIST, "TABLE", table_words()};
  return (Value){*name ? VALUE_ANY : VALUE_NONE, name, ""};
}

static Value value_of(const OptionsRow *row, int verb) {
  const char *name = describe_value(row, verb);
  if (strchr(name, '|')) return (Value){VALUE_LIST, "value", name};
  return value_named(name);
}

static bool repeats(int verb) {
  return strstr(options_verbs[verb].arguments, "...");
}

/* Calls `print` for each option of the verb. */
static void each_option(int verb, void (*print)(const OptionsRow *, int)) {
  for (int i = 0; i < options_count; i++)
    if (options_table[i].verbs >> verb & 1) print(&options_table[i], verb);
}

/* ---- words ---- */

static void print_words(const char *words) {
  for (; *words; words++) putchar(*words == '|' ? ' ' : *words);
}

/* A text between single quotes of any shell, without brackets. */
static void print_quoted(const char *text) {
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text == '[' ? '(' : *text == ']' ? ')' : *text);
}

static void print_agent_words(void) {
  printf("random legal human");
  for (uint32_t i = 0; i < preset_count; i++) printf(" %s", presets[i].name);
}

static void print_setting(const char *name, const char *choices) {
  do {
    size_t length = strcspn(choices, "|");
    printf(" %s=%.*s", name, (int)length, choices);
    choices += length + (choices[length] == '|');
  } while (*choices);
}

/* Settings after an agent: "c=", or with each of their choices. */
static void print_setting_words(void) {
#define REAL(name, value, least, most, origin, help) print_setting(#name, "");
#define NUMBER(name, value, least, most, origin, help) print_setting(#name, "");
#define WORD(name, value, choices, origin, help) print_setting(#name, choices);
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
}

/* ---- bash ---- */

static const char *const bash_kinds[VALUE_COUNT] = {
    "none", "any", "list", "game", "agent", "file", "directory"};

static void bash_option(const OptionsRow *row, int verb) {
  (void)verb;
  printf(" --%s", options_name(row));
}

static void bash_valued(const OptionsRow *row, int verb) {
  if (row->kind == OPTIONS_FLAG) return;
  bash_option(row, verb);
  if (options_letter(row, verb)) printf(" -%c", options_letter(row, verb));
}

static void bash_kind(Value value) {
  printf("kind=%s", bash_kinds[value.kind]);
  if (value.kind == VALUE_LIST) {
    printf(" list='");
    print_words(value.words);
    putchar('\'');
  }
  puts(" ;;");
}

static void bash_value(const OptionsRow *row, int verb) {
  if (row->kind == OPTIONS_FLAG) return;
  printf("    ");
  if (options_letter(row, verb)) printf("-%c | ", options_letter(row, verb));
  printf("--%s) ", options_name(row));
  bash_kind(value_of(row, verb));
}

static void bash_verb(int verb) {
  printf("  %s)\n    options='", options_verbs[verb].name);
  each_option(verb, bash_option);
  printf(" --help'\n    valued='");
  each_option(verb, bash_valued);
  printf(" '\n    case $option in\n");
  each_option(verb, bash_value);
  printf("    esac\n    [ \"$kind\" ] || case $place in\n");
  for (int place = 0; place < 2 && !(place && repeats(verb)); place++) {
    printf("    %s) ", repeats(verb) ? "*" : place ? "1" : "0");
    bash_kind(value_named(options_argument(verb, place)));
  }
  puts("    esac ;;");
}

static void print_bash(void) {
  puts("# Completion of tafl for bash. Words are taken from the line, as bash "
       "itself\n# also breaks them at : and =.\n"
       "_tafl_place() { # VALUED WORD...: how many words are arguments\n"
       "  local valued=$1 place=0\n"
       "  shift\n"
       "  while [ $# -gt 0 ]; do\n"
       "    if [[ $valued == *\" $1 \"* ]]; then shift\n"
       "    elif [[ $1 != -* ]]; then place=$((place + 1))\n"
       "    fi\n"
       "    shift\n"
       "  done\n"
       "  echo $place\n"
       "}\n");
  printf("_tafl_agent() { # VALUE\n"
         "  local head=${1%%\"${1##*[:,]}\"} list\n"
         "  local agents='");
  print_agent_words();
  printf("'\n  local settings='");
  print_setting_words();
  puts("'\n  case $head in\n"
       "  '') list=$agents ;;\n"
       "  *:) list=$settings ;;\n"
       "  *) list=\"$agents $settings\" ;;\n"
       "  esac\n"
       "  compgen -P \"$head\" -W \"$list\" -- \"${1#\"$head\"}\"\n"
       "}\n");
  puts("_tafl() {\n"
       "  local line=${COMP_LINE:0:COMP_POINT} words word option value head "
       "breaks\n"
       "  local kind list options valued place\n"
       "  [ \"$line\" ] || line=${COMP_WORDS[*]:0:COMP_CWORD+1}\n"
       "  read -ra words <<<\"$line\"\n"
       "  [[ $line == *[[:space:]] ]] && words+=('')\n"
       "  word=${words[-1]} value=$word option=${words[-2]}\n"
       "  if [[ $word == --*=* ]]; then\n"
       "    option=${word%%=*} value=${word#*=} head=$option=\n"
       "  fi\n"
       "  COMPREPLY=()\n"
       "  if [ ${#words[@]} -le 2 ]; then");
  printf("    kind=list list='");
  print_words(verb_words + 1);
  puts(" --help --version --manual --completion'\n"
       "  else case ${words[1]} in\n"
       "  --completion) kind=list list='bash zsh fish' ;;");
  /* The place is counted with the list of valued options, which is known only
     in the part of the verb: so that part runs twice. */
  puts("  *)\n"
       "    _tafl_verb\n"
       "    place=$(_tafl_place \"$valued\" \"${words[@]:2:${#words[@]}-3}\")\n"
       "    _tafl_verb\n"
       "    [[ $word == -* && ! $head ]] && kind=list list=$options ;;\n"
       "  esac\n"
       "  fi\n"
       "  case $kind in\n"
       "  list) mapfile -t COMPREPLY < <(compgen -W \"$list\" -- \"$value\") "
       ";;\n"
       "  agent) mapfile -t COMPREPLY < <(_tafl_agent \"$value\") ;;\n"
       "  file | directory)\n"
       "    mapfile -t COMPREPLY < <(compgen -${kind:0:1} -- \"$value\")\n"
       "    compopt -o filenames 2>/dev/null ;;\n"
       "  game)\n"
       "    mapfile -t COMPREPLY < <(\n"
       "      compgen -W \"$(\"${words[0]}\" games --names 2>/dev/null)\" -- "
       "\"$value\"\n"
       "      compgen -f -X '!*.kif' -- \"$value\"\n"
       "      compgen -d -S / -- \"$value\") ;;\n"
       "  esac\n"
       "  [[ ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2>/dev/null\n"
       "  [[ $COMP_WORDBREAKS == *:* ]] && breaks=:\n"
       "  [[ $COMP_WORDBREAKS == *=* ]] && breaks+== || "
       "COMPREPLY=(\"${COMPREPLY[@]/#/$head}\")\n"
       "  if [[ $breaks && $value == *[$breaks]* ]]; then\n"
       "    head=${value%\"${value##*[$breaks]}\"}\n"
       "    COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")\n"
       "  fi\n"
       "}\n");
  puts("_tafl_verb() { # sets options and valued, and kind and list\n"
       "  kind=\n"
       "  case ${words[1]} in");
  for (int verb = 0; verb < VERB_COUNT; verb++) bash_verb(verb);
  puts("  esac\n}\n\ncomplete -F _tafl tafl");
}

/* ---- zsh ---- */

static void zsh_action(Value value) {
  static const char *const actions[VALUE_COUNT] = {
      "", " ", "", "_tafl_games", "_tafl_agents", "_files", "_files -/"};
  printf(":%s:", value.name);
  if (value.kind == VALUE_LIST) {
    putchar('(');
    print_words(value.words);
    putchar(')');
  } else {
    fputs(actions[value.kind], stdout);
  }
}

static void zsh_option(const OptionsRow *row, int verb) {
  char name[40];
  snprintf(name, sizeof name, "--%s", options_name(row));
  Value value = value_of(row, verb);
  char letter = options_letter(row, verb);
  for (int both = letter ? 1 : 0; both >= 0; both--) {
    printf(" \\\n      '");
    if (letter) printf("(-%c %s)", letter, name);
    if (both)
      printf("-%c%s", letter, value.kind ? "+" : "");
    else
      printf("%s%s", name, value.kind ? "=" : "");
    putchar('[');
    print_quoted(describe_help(row, verb));
    putchar(']');
    if (value.kind) zsh_action(value);
    putchar('\'');
  }
}

static void zsh_verb(int verb) {
  printf("  %s)\n    _arguments -s -S", options_verbs[verb].name);
  each_option(verb, zsh_option);
  printf(" \\\n      '(-h --help)'{-h,--help}'[show help]'");
  for (int place = 0; place < 2; place++) {
    Value value = value_named(options_argument(verb, place));
    if (!value.kind) break;
    printf(" \\\n      '%s", repeats(verb) ? "*" : place ? "2" : "1");
    zsh_action(value);
    putchar('\'');
    if (repeats(verb)) break;
  }
  puts(" ;;");
}

static void print_zsh(void) {
  puts("#compdef tafl\n"
       "# Completion of tafl for zsh.\n"
       "_tafl_games() {\n"
       "  local -a names\n"
       "  names=(${(f)\"$($_tafl_program games --names 2>/dev/null)\"})\n"
       "  compadd -a names\n"
       "  _files -g '*.kif'\n"
       "}\n");
  printf("_tafl_agents() {\n"
         "  local -a agents settings\n"
         "  local last=${PREFIX##*[:,]}\n"
         "  local head=${PREFIX%%$last}\n"
         "  agents=(");
  print_agent_words();
  printf(")\n  settings=(");
  print_setting_words();
  puts(" )\n"
       "  [[ -n $head ]] && compset -P '*[:,]'\n"
       "  [[ $head != *: ]] && compadd -a agents\n"
       "  [[ -n $head ]] && compadd -S '' -a settings\n"
       "}\n\n"
       "_tafl() {\n"
       "  local _tafl_program=${words[1]} verb\n"
       "  if (( CURRENT == 2 )); then\n"
       "    local -a verbs\n"
       "    verbs=(");
  for (int verb = 0; verb < VERB_COUNT; verb++) {
    printf("      '%s:", options_verbs[verb].name);
    print_quoted(options_verbs[verb].help);
    puts("'");
  }
  puts("      '--help:show help'\n"
       "      '--version:show the version'\n"
       "      '--manual:print the manual page'\n"
       "      '--completion:print completion for a shell'\n"
       "    )\n"
       "    _describe verb verbs\n"
       "    return\n"
       "  fi\n"
       "  verb=${words[2]}\n"
       "  shift words\n"
       "  (( CURRENT-- ))\n"
       "  case $verb in\n"
       "  --completion) compadd bash zsh fish ;;");
  for (int verb = 0; verb < VERB_COUNT; verb++) zsh_verb(verb);
  puts("  esac\n}\n\n"
       "if [[ $funcstack[1] == _tafl ]]; then _tafl \"$@\"; else compdef _tafl "
       "tafl; fi");
}

/* ---- fish ---- */

static void fish_value(Value value) {
  switch (value.kind) {
  case VALUE_NONE: break;
  case VALUE_GAME: printf(" -x -a '(__tafl_games)'"); break;
  case VALUE_AGENT: printf(" -x -a '(__tafl_agents)'"); break;
  case VALUE_FILE: printf(" -r -F"); break;
  case VALUE_DIRECTORY: printf(" -x -a '(__fish_complete_directories)'"); break;
  case VALUE_LIST:
    printf(" -x -a '");
    print_words(value.words);
    putchar('\'');
    break;
  default: printf(" -x");
  }
}

static void fish_option(const OptionsRow *row, int verb) {
  printf("complete -c tafl -n '__tafl_verb %s' -l %s", options_verbs[verb].name,
         options_name(row));
  if (options_letter(row, verb)) printf(" -s %c", options_letter(row, verb));
  fish_value(value_of(row, verb));
  printf(" -d '");
  for (const char *c = describe_help(row, verb); *c; c++)
    printf(*c == '\'' ? "\\'" : "%c", *c);
  puts("'");
}

static void fish_verb(int verb) {
  const char *name = options_verbs[verb].name;
  printf("complete -c tafl -n __tafl_no_verb -a %s -d '", name);
  for (const char *c = options_verbs[verb].help; *c; c++)
    printf(*c == '\'' ? "\\'" : "%c", *c);
  puts("'");
  each_option(verb, fish_option);
  printf("complete -c tafl -n '__tafl_verb %s' -l help -s h -d 'show help'\n",
         name);
  for (int place = 0; place < 2; place++) {
    Value value = value_named(options_argument(verb, place));
    if (value.kind < VALUE_LIST) continue;
    printf("complete -c tafl -n '__tafl_place %s %s'", name,
           repeats(verb) ? "any"
           : place       ? "1"
                         : "0");
    if (value.kind == VALUE_FILE)
      puts(" -F");
    else
      fish_value(value), putchar('\n');
    if (repeats(verb)) break;
  }
}

static void print_fish(void) {
  printf(
      "# Completion of tafl for fish.\n"
      "function __tafl_no_verb\n"
      "    test (count (commandline -opc)) -eq 1\n"
      "end\n\n"
      "function __tafl_verb\n"
      "    set -l words (commandline -opc)\n"
      "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
      "end\n\n"
      "# VERB PLACE: that many words after the verb are no options, nor "
      "follow one.\n"
      "function __tafl_place\n"
      "    __tafl_verb $argv[1]; or return 1\n"
      "    test $argv[2] = any; and return 0\n"
      "    set -l words (commandline -opc)\n"
      "    set -l place 0\n"
      "    set -l before\n"
      "    for word in $words[3..-1]\n"
      "        if not string match -q -- '-*' $word; and not string match -q "
      "-- '-*' $before\n"
      "            set place (math $place + 1)\n"
      "        end\n"
      "        set before $word\n"
      "    end\n"
      "    test $place -eq $argv[2]\n"
      "end\n\n"
      "function __tafl_games\n"
      "    set -l words (commandline -opc)\n"
      "    $words[1] games --names 2>/dev/null\n"
      "    __fish_complete_suffix .kif\n"
      "end\n\n"
      "function __tafl_agents\n"
      "    set -l token (commandline -ct | string replace -r '^--[a-z-]+=' "
      "'')\n"
      "    set -l head (string match -r '^.*[:,]' -- $token; or echo)\n"
      "    if not string match -q '*:' -- $head\n"
      "        printf '%%s\\n' $head(string split ' ' '");
  print_agent_words();
  printf("')\n"
         "    end\n"
         "    if test -n \"$head\"\n"
         "        printf '%%s\\n' $head(string split -n ' ' '");
  print_setting_words();
  puts("')\n"
       "    end\n"
       "end\n\n"
       "complete -c tafl -f\n"
       "complete -c tafl -n __tafl_no_verb -l help -s h -d 'show help'\n"
       "complete -c tafl -n __tafl_no_verb -l version -s v -d 'show the "
       "version'\n"
       "complete -c tafl -n __tafl_no_verb -l manual -d 'print the manual "
       "page'\n"
       "complete -c tafl -n __tafl_no_verb -l completion -d 'print completion "
       "for a shell'\n"
       "complete -c tafl -n '__tafl_verb --completion' -a 'bash zsh fish'");
  for (int verb = 0; verb < VERB_COUNT; verb++) fish_verb(verb);
}

bool completion_print(const char *shell) {
  bool fine = true;
  if (strcmp(shell, "bash") == 0)
    print_bash();
  else if (strcmp(shell, "zsh") == 0)
    print_zsh();
  else if (strcmp(shell, "fish") == 0)
    print_fish();
  else
    fine = false;
  if (!fine) log_error("--completion takes bash, zsh or fish, not '%s'", shell);
  return fine;
}
