/* tafl dump GAME STAGE: what a stage of the game's way looks like. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "gdl/prolog.h"

static void write_rules(const Description *description, Text *text) {
  const Rules *rules = &description->rules;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    rule_write(rules, &rules->list.data[r], text);
    text_add_byte(text, '\n');
  }
}

int command_dump(const Options *options) {
  static const struct {
    const char *name;
    void (*write)(const Description *, Text *);
  } stages[] = {{"rules", write_rules}, {"prolog", prolog_write}};
  if (options->argument_count != 2) {
    log_error("dump takes a game and a stage (rules, prolog)");
    return EXIT_USAGE;
  }
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (strcmp(stages[i].name, options->arguments[1]) != 0) continue;
    Description description;
    if (!open_description(options, options->arguments[0], &description))
      return EXIT_INPUT;
    Text text = {0};
    stages[i].write(&description, &text);
    fputs(text_string(&text), stdout);
    text_free(&text);
    description_free(&description);
    return EXIT_FINE;
  }
  log_error("no stage '%s' (rules, prolog)", options->arguments[1]);
  return EXIT_USAGE;
}
