/* The manual page from the tables of verbs, options and settings. Hyphens that
   belong to what is typed are written \-, so that they can be copied. */
#include "command/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command/describe.h"
#include "library/tafl.h"
#include "search/settings.h"
#include "solve/methods.h"

/* ---- roff ---- */

/* Prints what is typed as it is. */
static void print_typed(const char *text) {
  for (; *text; text++) switch (*text) {
    case '\\': fputs("\\e", stdout); break;
    case '-': fputs("\\-", stdout); break;
    case '\'': fputs("\\(aq", stdout); break;
    case '`': fputs("\\(ga", stdout); break;
    case '~': fputs("\\(ti", stdout); break;
    case '^': fputs("\\(ha", stdout); break;
    case '.': fputs("\\&.", stdout); break;
    default: putchar(*text);
    }
}

static bool is_typed(const char *word, size_t length) {
  return *word == '-' || *word == '$' || *word == '~' || *word == '"' ||
         *word == '(' || memchr(word, '/', length) ||
         memchr(word, ':', length - (length > 0));
}

/* Prints prose: words that look like options or paths are typed. */
static void print_prose(const char *text) {
  while (*text) {
    size_t length = strcspn(text, " ");
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (length && is_typed(word, strlen(word)))
      print_typed(word);
    else
      fputs(*word == '.' || *word == '\'' ? "\\&" : "", stdout),
          fputs(word, stdout);
    text += length;
    if (*text) putchar(*text++);
  }
}

static void print_sentence(const char *text) {
  putchar(toupper((unsigned char)*text));
  print_prose(text + 1);
  puts(".");
}

/* A tagged paragraph: what is typed, a value in italics, and what it means. */
static void print_item(const char *typed, const char *value, const char *text) {
  fputs(".TP\n\\fB", stdout);
  print_typed(typed);
  fputs("\\fR", stdout);
  if (*value) {
    fputs(" \\fI", stdout);
    print_typed(value);
    fputs("\\fR", stdout);
  }
  putchar('\n');
  print_prose(text);
  putchar('\n');
}

/* ---- sections ---- */

static void print_option(const OptionsRow *row, int verb, const char *help) {
  Text typed = {0}, text = {0};
  char letter = options_letter(row, verb);
  if (letter) text_format(&typed, "-%c, ", letter);
  text_format(&typed, "--%s", options_name(row));
  text_add(&text, help);
  describe_default(row, true, &text);
  print_item(typed.bytes, describe_value(row, verb), text.bytes);
  text_free(&typed);
  text_free(&text);
}

static void print_verb(int verb) {
  printf(".SS tafl %s %s\n", options_verbs[verb].name,
         options_verbs[verb].arguments);
  print_sentence(options_verbs[verb].help);
  if (describe_verbs[verb].text) {
    print_prose(describe_verbs[verb].text);
    putchar('\n');
  }
  const OptionsRow *row;
  for (int i = 0; (row = describe_option(verb, false, i)); i++)
    print_option(row, verb, describe_help(row, verb));
}

static void print_commons(void) {
  puts(".SH COMMON OPTIONS\n"
       "Commands that load rules take these limits, and those that take a "
       "\\fIGAME\\fR\nlook for its name in the same places.");
  for (int i = 0; i < options_count; i++) {
    const OptionsRow *row = &options_table[i];
    int verb = 0;
    while (!(row->verbs >> verb & 1)) verb++;
    if (describe_is_common(row)) print_option(row, verb, row->help);
  }
  puts(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options of the "
       "command");
}

static void print_choices(const char *name, const char *value,
                          const char *choices, const char *help) {
  Text text = {0};
  text_format(&text, "%s (default %s)", help, value);
  print_item(name, choices, text.bytes);
  text_free(&text);
}

static void print_range(const char *name, double value, double least,
                        double most, const char *help) {
  Text text = {0};
  text_format(&text, "%s (default ", help);
  describe_number(value, &text);
  text_add(&text, ", ");
  describe_number(least, &text);
  text_add(&text, " to ");
  describe_number(most, &text);
  text_add(&text, ")");
  print_item(name, "", text.bytes);
  text_free(&text);
}

static void print_agents(void) {
  puts(
      ".SH AGENTS\n"
      "An agent is whoever plays a role. It is written in the same way "
      "everywhere:\n"
      ".BR random ,\n.B legal\n(its first legal move), a preset of the search, "
      "or a preset with changed settings,\nsuch as\n"
      ".BR cadia2010:c=30,threads=2 .\n"
      "In matches it may also be a player over HTTP,\n"
      ".BR http://host:9147 ,\nor a person at the terminal,\n.BR human .\n"
      "The command\n.B tafl agents\nsays which papers presets and settings "
      "come from.\n.SS Presets");
  for (uint32_t i = 0; i < preset_count; i++)
    print_item(presets[i].name, "", presets[i].help);
  puts(".SS Settings");
#define REAL(name, value, least, most, origin, help) \
  print_range(#name, value, least, most, help);
#define NUMBER(name, value, least, most, origin, help) \
  print_range(#name, (double)(value), (double)(least), (double)(most), help);
#define WORD(name, value, choices, origin, help) \
  print_choices(#name, value, choices, help);
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
  puts(".SS Methods\n"
       "These solve games of one role, for\n.B tafl solve\n"
       "and for presets that play such games by a portfolio.");
  for (uint32_t i = 0; i < methods_count; i++)
    print_item(methods_list[i]->name, "", methods_list[i]->help);
}

static void print_examples(void) {
  puts(".SH EXAMPLES");
  for (int verb = 0; verb < VERB_COUNT; verb++)
    for (int i = 0; i < DESCRIBE_EXAMPLES; i++)
      if (describe_verbs[verb].examples[i].command)
        print_item(describe_verbs[verb].examples[i].command, "",
                   describe_verbs[verb].examples[i].what);
}

void manual_print(void) {
  puts(
      ".TH TAFL 1 \"\" \"tafl " TAFL_VERSION "\" \"User Commands\"\n"
      ".SH NAME\n"
      "tafl \\- a general game player\n"
      ".SH SYNOPSIS\n"
      ".B tafl\n.I VERB\n[\\fIarguments\\fR] [\\fIoptions\\fR]\n.br\n"
      ".B tafl help\n[\\fIVERB\\fR]\n.br\n"
      ".B tafl \\-\\-version\n|\n.B \\-\\-manual\n|\n"
      ".B \\-\\-completion\n[\\fBbash\\fR|\\fBzsh\\fR|\\fBfish\\fR]\n"
      ".SH DESCRIPTION\n"
      ".B tafl\n"
      "is given the rules of a game that it has never seen, written in the "
      "Game\nDescription Language (GDL), and plays it: against people in the "
      "terminal, against\nother programs, or for a game master that connects "
      "by HTTP. It checks rules,\nshows what they mean, counts moves, and "
      "measures speed.\n.PP\n"
      "A\n.I GAME\n"
      "is the name of a game that\n.B tafl games\nlists, such as\n"
      ".BR connectFour ,\nor a file of rules in the syntax of KIF, or\n.B \\-\n"
      "for standard input. A name is looked for first as it is written, then "
      "without\nregard to case, hyphens and underscores.\n.PP\n"
      "An option is written\n"
      ".BR \\-\\-seed \" 3 or\" \" \\-\\-seed=3\" ;\n"
      "its short form\n"
      ".BR \\-s \" 3 or\" \" \\-s3\" .\n"
      "After\n.B \\-\\-\nnothing is an option.\n"
      ".SH COMMANDS");
  for (int verb = 0; verb < VERB_COUNT; verb++) print_verb(verb);
  print_commons();
  print_agents();
  print_examples();
  puts(".SH EXIT STATUS\n"
       ".TP\n0\nsuccess\n"
       ".TP\n1\nthe check failed, or nothing was found\n"
       ".TP\n2\nthe command line is wrong\n"
       ".TP\n3\nbad input\n"
       ".TP\n4\na limit was reached; partial results were written\n"
       ".TP\n5\na player or the network failed\n"
       ".TP\n70\nan error of the program itself\n"
       ".SH FILES\n"
       ".TP\n.I ./games/NAME.kif\n"
       "games by name, before those of the user and the installed ones\n"
       ".TP\n.I $XDG_DATA_HOME/tafl/games/NAME.kif\n"
       "games of the user (\\fI\\(ti/.local/share/tafl/games\\fR if the "
       "variable "
       "is not set)\n"
       ".TP\n.I $XDG_DATA_HOME/tafl/knowledge/\n"
       "what\n.B tafl train\nlearned\n"
       ".TP\n.I PREFIX/share/tafl/games/NAME.kif\n"
       "games that are installed with the program\n"
       ".TP\n.I $XDG_STATE_HOME/tafl/\n"
       "journals of running matches of\n.B tafl serve\n"
       "and the lines typed in\n.B tafl play\n(file\n.IR history );\n"
       "\\fI\\(ti/.local/state/tafl\\fR if the variable is not set\n"
       ".SH ENVIRONMENT\n"
       ".TP\n.B TAFL_GAMES\n"
       "directories of games, separated by colons, if there is no\n"
       ".B \\-\\-games\\-path\n"
       ".TP\n.BR XDG_DATA_HOME \", \" XDG_STATE_HOME \", \" HOME\n"
       "where the user's games, knowledge, journals and history are\n"
       ".TP\n.B NO_COLOR\n"
       "if it is set and not empty, nothing is coloured\n"
       ".TP\n.B TERM\n"
       "if it is\n.BR dumb ,\nnothing is coloured or rewritten in place\n"
       ".TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\n"
       "whether boards may be drawn with characters beyond ASCII\n"
       ".TP\n.B USER\n"
       "the name of the person in saved records of\n.B tafl play\n"
       ".SH SEE ALSO\n"
       ".BR dot (1),\n.BR man (1),\n.BR swipl (1)\n.PP\n"
       "The library\n.B libtafl\nand its header\n.IR tafl.h ;\n"
       "the Python module\n.BR tafl .\n.PP\n"
       "N. Love, T. Hinrichs, D. Haley, E. Schkufza, M. Genesereth,\n"
       ".IR \"General Game Playing: Game Description Language Specification\" "
       ",\n2008.");
}
