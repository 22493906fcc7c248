/* tafl dump GAME STAGE: the game as one stage of loading leaves it. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "gdl/prolog.h"
#include "gpu/solo.h"
#include "program/program.h"

static void write_rules(const Description *description, Text *text) {
  const Rules *rules = &description->rules;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    rule_write(rules, &rules->list.data[r], text);
    text_add_byte(text, '\n');
  }
}

/* A stage that only this verb needs, as the book tries it. */
typedef struct Writing {
  Book *book;
  Text *text;
  Text error; /* of grounding */
} Writing;

static void write_ground(void *context) {
  Writing *writing = context;
  Ground ground;
  if (ground_init(&ground, writing->book->description,
                  &writing->book->limits.ground, &writing->error))
    ground_write(&ground, writing->text);
  ground_free(&ground);
}

static void write_program(void *context) {
  const Net *net = &((Writing *)context)->book->net;
  VECTOR(Signal) outputs = {0};
  for (uint32_t i = 0; i < net->moves.count; i++)
    vector_push(&outputs, net->moves.data[i].legal);
  vector_push(&outputs, net->terminal);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    vector_push(&outputs, net->fluents.data[i].next);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&outputs, net->goals.data[i].signal);
  Program *program = program_new(net, outputs.data, outputs.count);
  program_write(program, ((Writing *)context)->text);
  program_delete(program);
  vector_free(&outputs);
}

/* A kernel for a card that gives a block as much shared memory as an H200. */
typedef struct Kernel {
  const Cones *cones;
  const char *tune;
  Text *text, why;
} Kernel;

static void write_kernel(void *context) {
  enum { SHARED = 227 << 10 };
  Kernel *kernel = context;
  SoloPlan plan;
  SoloSize size;
  solo_make(kernel->cones, kernel->tune, SHARED, &plan, kernel->text, &size,
            &kernel->why);
}

static int try_kernel(const Options *options, Book *book, Text *text) {
  Text why = {0};
  Kernel kernel = {.tune = options->tune, .text = text};
  kernel.cones = book_cones(book, BOOK_WORDS);
  if (!kernel.cones)
    text_add(&why, text_string(&book->why[BOOK_CONES]));
  else if (!book_try(book, "the kernel", write_kernel, &kernel, &why))
    *text = kernel.why = (Text){0};
  else
    text_add(&why, text_string(&kernel.why));
  if (why.length)
    log_error("%s: %s", book->description->source.name, text_string(&why));
  int code = why.length ? EXIT_LIMIT : EXIT_FINE;
  text_free(&kernel.why);
  text_free(&why);
  return code;
}

static int try_stage(Book *book, const char *what, TrialWork *work,
                     Text *text) {
  Writing writing = {book, text, {0}};
  Text why = {0};
  if (!book_try(book, what, work, &writing, &why)) {
    *text = writing.error = (Text){0};
    text_add(&writing.error, why.bytes);
  }
  int code = writing.error.length ? EXIT_LIMIT : EXIT_FINE;
  if (writing.error.length)
    log_error("%s: %s", book->description->source.name, writing.error.bytes);
  text_free(&writing.error);
  text_free(&why);
  return code;
}

static int write_net(Book *book, const char *stage, Text *text) {
  if (strcmp(stage, "program") == 0)
    return try_stage(book, "the program", write_program, text);
  if (strcmp(stage, "reduce") == 0)
    reduce_report_write(&book->reductions, text);
  else if (strcmp(stage, "dot") == 0)
    net_write_dot(&book->net, &book->description->rules.terms, text);
  else
    net_write(&book->net, &book->description->rules.terms, text);
  return EXIT_FINE;
}

/* The stages that need a book. */
static int write_made(const Options *options, Description *description,
                      const char *stage, Text *text) {
  Book book;
  int code;
  if (strcmp(stage, "ground") == 0) {
    BookLimits limits = open_limits(options);
    book_init(&book, description, &limits, false);
    code = try_stage(&book, "grounding", write_ground, text);
  } else {
    if (!open_net(options, description, &book)) return EXIT_LIMIT;
    code = strcmp(stage, "kernel") == 0 ? try_kernel(options, &book, text)
                                        : write_net(&book, stage, text);
  }
  book_free(&book);
  return code;
}

static int write_stage(const Options *options, Description *description,
                       const char *stage, Text *text) {
  if (strcmp(stage, "rules") == 0)
    write_rules(description, text);
  else if (strcmp(stage, "prolog") == 0)
    prolog_write(description, text);
  else
    return write_made(options, description, stage, text);
  return EXIT_FINE;
}

static bool is_stage(const char *name) {
  static const char *const stages[] = {"rules", "prolog", "ground",  "reduce",
                                       "net",   "dot",    "program", "kernel"};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    if (strcmp(stages[i], name) == 0) return true;
  return false;
}

static const double standard_seconds = 60;

int command_dump(const Options *options) {
  if (options->argument_count == 2 && !is_stage(options->arguments[1])) {
    log_error(
        "no stage '%s' (rules, prolog, ground, reduce, net, dot, program, "
        "kernel)",
        options->arguments[1]);
    return EXIT_USAGE;
  }
  if (options->argument_count != 2) {
    log_error("dump takes a game and a stage: rules, prolog, ground, reduce, "
              "net, dot, program or kernel");
    return EXIT_USAGE;
  }
  if (!open_tune(options)) return EXIT_USAGE;
  Description description;
  open_begin(options, standard_seconds);
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Text text = {0};
  int code = write_stage(options, &description, options->arguments[1], &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  description_free(&description);
  return code;
}
