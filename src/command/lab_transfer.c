/* tafl lab export and import: the database as text, and back. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/experiment.h"
#include "command/lab.h"
#include "store/export.h"
#include "store/import.h"

int lab_export(const Options *options) {
  TextVector names = {0};
  Text error = {0};
  bool csv = strcmp(options->format, "csv") == 0;
  if (strcmp(options->format, "markdown") == 0) {
    log_error("lab export prints json or csv");
    return EXIT_USAGE;
  }
  Results *results = experiment_open(options, false);
  if (!results) return EXIT_INPUT;
  for (int i = 1; i < options->argument_count; i++) {
    Text name = {0};
    text_add(&name, options->arguments[i]);
    vector_push(&names, name);
  }
  bool fine = (csv ? export_csv : export_json)(results, &names, stdout, &error);
  if (!fine) log_error("%s", text_string(&error));
  text_vector_free(&names);
  text_free(&error);
  results_close(results);
  return fine ? EXIT_FINE : EXIT_INPUT;
}

static bool import_file(Results *results, const char *path, ImportCount *count,
                        Text *error) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "re");
  if (!file) {
    text_format(error, "%s: %s", path, strerror(errno));
    return false;
  }
  bool fine = import_read(results, file, standard ? "standard input" : path,
                          count, error);
  if (!standard) fclose(file);
  return fine;
}

/* A file that cannot be imported does not keep the others out. */
int lab_import(const Options *options) {
  ImportCount count = {0};
  int code = EXIT_FINE;
  if (options->argument_count < 2) {
    log_error("lab import needs a file, - for standard input");
    return EXIT_USAGE;
  }
  Results *results = experiment_open(options, true);
  if (!results) return EXIT_INPUT;
  for (int i = 1; i < options->argument_count; i++) {
    Text error = {0};
    if (!import_file(results, options->arguments[i], &count, &error)) {
      log_error("%s; nothing of it was imported", text_string(&error));
      code = EXIT_INPUT;
    }
    text_free(&error);
  }
  printf("%llu matches imported, %llu were there already\n",
         (unsigned long long)count.matches, (unsigned long long)count.kept);
  results_close(results);
  return code;
}
