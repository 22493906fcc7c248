/* Dispatches verbs to commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/stack.h"
#include "command/command.h"
#include "command/completion.h"
#include "command/find.h"
#include "command/help.h"
#include "command/manual.h"
#include "command/ranked.h"
#include "command/version.h"

static int (*const commands[])(const Options *) = {
#define VERB(NAME, name, arguments, help) command_##name,
    VERBS(VERB)
#undef VERB
};

/* Enough for terms of the greatest depth. */
enum { STACK = 6 << 20 };

typedef struct Call {
  int verb, argc;
  char **argv;
  int code;
} Call;

static int parse_and_call(int verb, int argc, char **argv) {
  Options options;
  bool help;
  int code = EXIT_USAGE;
  TextVector paths = {0};
  if (options_parse(&options, verb, argc, argv, &help)) {
    if (help) {
      help_print_verb(verb);
      code = EXIT_FINE;
    } else {
      find_arguments(&options, verb, &paths);
      code = commands[verb](&options);
    }
  }
  text_vector_free(&paths);
  options_free(&options);
  return code;
}

static void call_verb(void *context) {
  Call *call = context;
  if (ranked_begin(call->verb, &call->code))
    call->code = ranked_end(parse_and_call(call->verb, call->argc, call->argv));
}

static int run_verb(int verb, int argc, char **argv) {
  Call call = {verb, argc, argv, EXIT_USAGE};
  json_set_alloc_funcs(memory_new, memory_delete);
  stack_run(STACK, call_verb, &call);
  return call.code;
}

/* A command whose output could not be written has failed. */
static int finish(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  log_error("standard output: %s", strerror(errno));
  return code == EXIT_FINE ? EXIT_LIMIT : code;
}

/* Help that nobody asked for is still an error to scripts. */
int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  int verb = options_find_verb(word), code = EXIT_FINE;
  if (verb >= 0) {
    code = run_verb(verb, argc - 2, argv + 2);
  } else if (strcmp(word, "--version") == 0 || strcmp(word, "-v") == 0 ||
             strcmp(word, "-V") == 0) {
    printf("tafl %s\n", version_text());
  } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    code = run_verb(VERB_NUMBER_HELP, argc - 2, argv + 2);
  } else if (!*word) {
    help_print();
    code = EXIT_USAGE;
  } else if (strcmp(word, "--manual") == 0) {
    manual_print();
  } else if (strcmp(word, "--completion") == 0) {
    code =
        completion_print(argc > 2 ? argv[2] : "bash") ? EXIT_FINE : EXIT_USAGE;
  } else {
    code = help_refuse(word);
  }
  return finish(code);
}
