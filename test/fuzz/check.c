/* The whole front end on any bytes: reader, rules, dependencies, every check
   and the report. The rules written as KIF and read again must be the same
   rules, and valid if they were; the Prolog text must not fail either. */
#include <string.h>

#include "fuzz/fuzz.h"
#include "gdl/prolog.h"

static void write_rules(const Rules *rules, Text *text) {
  for (uint32_t r = 0; r < rules->list.count; r++) {
    text_add_byte(text, '\n'); /* a byte order mark is a name elsewhere */
    rule_write(rules, &rules->list.data[r], text);
  }
}

static void check_written(const Description *description) {
  Description again;
  Text first = {0}, second = {0};
  write_rules(&description->rules, &first);
  description_init(&again, "written", text_string(&first), first.length);
  write_rules(&again.rules, &second);
  promise(strcmp(text_string(&first), text_string(&second)) == 0,
          "rules read back are the same rules");
  promise(!description_valid(description) || description_valid(&again),
          "rules read back are valid if they were");
  description_free(&again);
  text_free(&first);
  text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Description description;
  Text text = {0};
  description_init(&description, "fuzz", (const char *)data, size);
  check_written(&description);
  report_write(&description.report, false, &text);
  text_clear(&text);
  report_write(&description.report, true, &text);
  promise((text.length == 0) == description_valid(&description),
          "errors are shown exactly if there are any");
  text_clear(&text);
  prolog_write(&description, &text);
  text_free(&text);
  description_free(&description);
  return 0;
}
