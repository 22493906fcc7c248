/* Dispatches verbs to commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/stack.h"
#include "command/command.h"
#include "command/find.h"
#include "library/tafl.h"

static int (*const commands[])(const Options *) = {
#define VERB(NAME, name, arguments, help) command_##name,
    VERBS(VERB)
#undef VERB
};

/* Enough for terms of the greatest depth. */
enum { STACK = 6 << 20 };

typedef struct Call {
  int verb;
  const Options *options;
  int code;
} Call;

static void call_verb(void *context) {
  Call *call = context;
  call->code = commands[call->verb](call->options);
}

static int run_verb(int verb, int argc, char **argv) {
  Options options;
  bool help;
  Call call = {verb, &options, EXIT_USAGE};
  TextVector paths = {0};
  json_set_alloc_funcs(memory_new, memory_delete);
  if (options_parse(&options, verb, argc, argv, &help)) {
    if (help) {
      options_print_verb_help(verb);
      call.code = EXIT_FINE;
    } else {
      find_arguments(&options, verb, &paths);
      stack_run(STACK, call_verb, &call);
    }
  }
  text_vector_free(&paths);
  options_free(&options);
  return call.code;
}

/* A command whose output could not be written has failed. */
static int finish(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  log_error("standard output: %s", strerror(errno));
  return code == EXIT_FINE ? EXIT_LIMIT : code;
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  int verb = options_find_verb(word);
  if (verb >= 0) return finish(run_verb(verb, argc - 2, argv + 2));
  if (strcmp(word, "--version") == 0) {
    puts("tafl " TAFL_VERSION);
  } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    options_print_help();
  } else if (strcmp(word, "--manual") == 0) {
    options_print_manual();
  } else if (strcmp(word, "--completion") == 0) {
    options_print_completion();
  } else {
    const char *similar = options_similar(word, -1);
    if (argc > 1)
      log_error("no verb '%s'%s%s%s; see tafl --help", word,
                similar ? "; did you mean '" : "", similar ? similar : "",
                similar ? "'?" : "");
    else
      log_error("a verb is needed; see tafl --help");
    return EXIT_USAGE;
  }
  return finish(EXIT_FINE);
}
