/* The reader of exported results on any bytes. What is refused has a reason
   with its line and leaves the database empty; what is read is exported as a
   text that can be imported again and stays the same. */
#include "store/import.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "store/export.h"

static Results *open_empty(void) {
  Text error = {0};
  Results *results = results_open(RESULTS_MEMORY, "fuzz", &error);
  promise(results, text_string(&error));
  return results;
}

static bool read_bytes(Results *results, const void *bytes, size_t size,
                       Text *error) {
  ImportCount count = {0};
  char empty[] = "\n";
  FILE *file =
      size ? fmemopen((void *)bytes, size, "r") : fmemopen(empty, 1, "r");
  bool fine = import_read(results, file, "file", &count, error);
  fclose(file);
  return fine;
}

static void write_text(Results *results, Text *text) {
  char *bytes = NULL;
  size_t size = 0;
  TextVector all = {0};
  Text error = {0};
  FILE *file = open_memstream(&bytes, &size);
  promise(export_json(results, &all, file, &error), "it can be exported");
  fclose(file);
  text_add_bytes(text, bytes, size);
  free(bytes);
}

static void check_again(const Text *first) {
  Results *results = open_empty();
  Text second = {0}, error = {0};
  promise(read_bytes(results, first->bytes, first->length, &error),
          "what is exported can be imported");
  write_text(results, &second);
  promise(strcmp(text_string(&second), text_string(first)) == 0,
          "it stays the same");
  text_free(&second);
  results_close(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Results *results = open_empty();
  Text error = {0}, text = {0}, empty = {0};
  write_text(results, &empty);
  bool fine = read_bytes(results, data, size, &error);
  write_text(results, &text);
  promise(fine == !error.length, "a reason where something is wrong");
  if (fine)
    check_again(&text);
  else
    promise(strcmp(text_string(&text), text_string(&empty)) == 0,
            "nothing is left of what is refused");
  text_free(&error);
  text_free(&text);
  text_free(&empty);
  results_close(results);
  return 0;
}
