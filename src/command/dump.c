/* tafl dump GAME STAGE: what a stage of the game's way looks like. */
#include <stdio.h>
#include <string.h>

#include "base/trial.h"
#include "command/command.h"
#include "gdl/prolog.h"
#include "program/program.h"

static void write_rules(const Description *description, Text *text) {
  const Rules *rules = &description->rules;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    rule_write(rules, &rules->list.data[r], text);
    text_add_byte(text, '\n');
  }
}

static void write_ground(const Options *options, Description *description,
                         Text *text, Text *error) {
  BookLimits limits = open_limits(options);
  Ground ground;
  if (ground_init(&ground, description, &limits.ground, error))
    ground_write(&ground, text);
  ground_free(&ground);
}

typedef struct Writing {
  const Net *net;
  Text *text;
} Writing;

static void write_programs(void *context) {
  const Net *net = ((Writing *)context)->net;
  Text *text = ((Writing *)context)->text;
  VECTOR(Signal) outputs = {0};
  for (uint32_t i = 0; i < net->moves.count; i++)
    vector_push(&outputs, net->moves.data[i].legal);
  vector_push(&outputs, net->terminal);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    vector_push(&outputs, net->fluents.data[i].next);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&outputs, net->goals.data[i].signal);
  Program *program = program_new(net, outputs.data, outputs.count);
  program_write(program, text);
  program_delete(program);
  vector_free(&outputs);
}

static void try_programs(const Net *net, size_t memory, Text *text,
                         Text *error) {
  Writing writing = {net, text};
  if (trial_run(memory, write_programs, &writing)) return;
  *text = (Text){0};
  text_add(error, "the program takes more memory than allowed (--memory)");
}

static void write_net(const Options *options, Description *description,
                      const char *stage, Text *text, Text *error) {
  BookLimits limits = open_limits(options);
  const Terms *terms = &description->rules.terms;
  ReduceReport report = {0};
  Net net;
  if (!load_net(description, &limits, &net, &report, error)) return;
  if (strcmp(stage, "reduce") == 0)
    reduce_report_write(&report, text);
  else if (strcmp(stage, "dot") == 0)
    net_write_dot(&net, terms, text);
  else if (strcmp(stage, "program") == 0)
    try_programs(&net, limits.ground.memory, text, error);
  else
    net_write(&net, terms, text);
  reduce_report_free(&report);
  net_free(&net);
}

static void write_stage(const Options *options, Description *description,
                        const char *stage, Text *text, Text *error) {
  if (strcmp(stage, "rules") == 0)
    write_rules(description, text);
  else if (strcmp(stage, "prolog") == 0)
    prolog_write(description, text);
  else if (strcmp(stage, "ground") == 0)
    write_ground(options, description, text, error);
  else
    write_net(options, description, stage, text, error);
}

static bool is_stage(const char *name) {
  static const char *const stages[] = {"rules", "prolog", "ground", "reduce",
                                       "net",   "dot",    "program"};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    if (strcmp(stages[i], name) == 0) return true;
  return false;
}

int command_dump(const Options *options) {
  if (options->argument_count == 2 && !is_stage(options->arguments[1])) {
    log_error(
        "no stage '%s' (rules, prolog, ground, reduce, net, dot, program)",
        options->arguments[1]);
    return EXIT_USAGE;
  }
  if (options->argument_count != 2) {
    log_error("dump takes a game and a stage: rules, prolog, ground, reduce, "
              "net, dot or program");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Text text = {0}, error = {0};
  write_stage(options, &description, options->arguments[1], &text, &error);
  fputs(text_string(&text), stdout);
  int code = error.length ? EXIT_LIMIT : EXIT_FINE;
  if (error.length) log_error("%s: %s", options->arguments[0], error.bytes);
  text_free(&text);
  text_free(&error);
  description_free(&description);
  return code;
}
