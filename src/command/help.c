/* tafl help [VERB], in 80 columns. */
#include "command/help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/describe.h"
#include "command/find.h"
#include "command/wrap.h"

enum {
  VERB_COLUMN = 24,   /* where the texts of verbs begin, */
  OPTION_COLUMN = 27, /* those of options, */
  EXAMPLE_COLUMN = 36 /* and those of examples */
};

static void add_examples(Text *out, const DescribeExample *examples,
                         size_t count) {
  text_add(out, "\nexamples:\n");
  for (size_t i = 0; i < count && examples[i].command; i++) {
    Text left = {0};
    text_format(&left, "  %s", examples[i].command);
    wrap_row(out, left.bytes, examples[i].what, EXAMPLE_COLUMN);
    text_free(&left);
  }
}

/* ---- the program ---- */

static void add_group(Text *out, DescribeGroup group) {
  text_format(out, "\n%s:\n", describe_groups[group]);
  for (int verb = 0; verb < VERB_COUNT; verb++) {
    if (describe_verbs[verb].group != group) continue;
    Text left = {0};
    text_format(&left, "  %s %s", options_verbs[verb].name,
                options_verbs[verb].arguments);
    wrap_row(out, left.bytes, options_verbs[verb].help, VERB_COLUMN);
    text_free(&left);
  }
}

void help_print(void) {
  static const DescribeExample examples[] = {
      {"tafl games", "which games there are"},
      {"tafl play connectFour", "play against the program"},
      {"tafl help match", "what a verb does, and its options"},
  };
  static const DescribeGroup groups[] = {DESCRIBE_PLAY, DESCRIBE_GAMES,
                                         DESCRIBE_MACHINES, DESCRIBE_OTHER};
  Text out = {0};
  text_add(&out, "tafl - a general game player: it is given the rules of a "
                 "game, and plays it\n\nusage: tafl VERB [arguments] "
                 "[options]\n");
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    add_group(&out, groups[i]);
  add_examples(&out, examples, sizeof examples / sizeof *examples);
  text_add(&out, "\nA GAME is a name that tafl games lists, a file of rules in "
                 "GDL, or - for\nstandard input. tafl --version (-v) is the "
                 "version; tafl --manual the manual\npage (man tafl); tafl "
                 "--completion SHELL completes in bash, zsh or fish.\n");
  fputs(out.bytes, stdout);
  text_free(&out);
}

/* ---- a verb ---- */

static void add_option(Text *out, const OptionsRow *row, int verb) {
  Text left = {0}, right = {0};
  const char *value = describe_value(row, verb);
  char letter = options_letter(row, verb);
  if (letter)
    text_format(&left, "  -%c, ", letter);
  else
    text_add(&left, "      ");
  text_format(&left, "--%s%s%s", options_name(row), *value ? " " : "", value);
  text_add(&right, describe_help(row, verb));
  describe_default(row, false, &right);
  wrap_row(out, left.bytes, right.bytes, OPTION_COLUMN);
  text_free(&left);
  text_free(&right);
}

static void add_options(Text *out, int verb, bool common) {
  const OptionsRow *row = describe_option(verb, common, 0);
  if (row) text_add(out, common ? "\nlimits and places:\n" : "\noptions:\n");
  for (int i = 0; (row = describe_option(verb, common, i)); i++)
    add_option(out, row, verb);
}

static void add_sentence(Text *out, const char *words) {
  size_t begin = out->length;
  wrap_words(out, words, 0);
  if (out->bytes[begin] >= 'a' && out->bytes[begin] <= 'z')
    out->bytes[begin] = (char)(out->bytes[begin] - 'a' + 'A');
  text_add(out, ".");
}

void help_print_verb(int verb) {
  const OptionsVerb *row = &options_verbs[verb];
  const DescribeVerb *more = &describe_verbs[verb];
  Text out = {0};
  text_format(&out, "usage: tafl %s%s%s [options]\n\n", row->name,
              *row->arguments ? " " : "", row->arguments);
  add_sentence(&out, row->help);
  if (more->text) wrap_words(&out, more->text, 0);
  text_add(&out, "\n");
  add_options(&out, verb, false);
  add_options(&out, verb, true);
  if (more->examples[0].command)
    add_examples(&out, more->examples, DESCRIBE_EXAMPLES);
  fputs(out.bytes, stdout);
  text_free(&out);
}

/* Is it a game, by name or as a file? */
static bool is_game(const char *word) {
  const Options options = {.games_path = ""};
  Text path = {0};
  bool found = find_game(&options, word, &path) && path.length > 4 &&
               strcmp(path.bytes + path.length - 4, ".kif") == 0 &&
               access(path.bytes, R_OK) == 0;
  text_free(&path);
  return found;
}

int help_refuse(const char *word) {
  const char *similar = options_similar(word, -1);
  if (*word != '-' && is_game(word))
    log_error("no verb '%s'; to play it: tafl play %s", word, word);
  else if (similar)
    log_error("no verb '%s'; did you mean '%s'?", word, similar);
  else
    log_error("no verb '%s'; see tafl help", word);
  return EXIT_USAGE;
}

int command_help(const Options *options) {
  if (options->argument_count > 1) {
    log_error("help takes one verb");
    return EXIT_USAGE;
  }
  if (options->argument_count == 0) {
    help_print();
    return EXIT_FINE;
  }
  int verb = options_find_verb(options->arguments[0]);
  if (verb < 0) return help_refuse(options->arguments[0]);
  help_print_verb(verb);
  return EXIT_FINE;
}
