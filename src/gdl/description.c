/* The front end on one page. A text without rules is an error. */
#include "gdl/description.h"

#include "gdl/check.h"

static void read_text(Description *description, const char *name) {
  source_init(&description->source, name, text_string(&description->text),
              description->text.length);
  report_init(&description->report, &description->source);
  rules_read(&description->rules, &description->source, &description->report);
  if (description->rules.list.count == 0 && description->report.errors == 0)
    report_error(&description->report, 0, "empty", "no rules");
  dependencies_init(&description->dependencies, &description->rules);
  if (description->rules.list.count)
    check_rules(&description->rules, &description->dependencies,
                &description->report);
}

void description_init(Description *description, const char *name,
                      const char *text, size_t length) {
  *description = (Description){0};
  text_add_bytes(&description->text, text, length);
  read_text(description, name);
}

bool description_read(Description *description, const char *path, size_t limit,
                      Text *error) {
  *description = (Description){0};
  if (!text_read_file(&description->text, path, limit, error)) {
    text_free(&description->text);
    return false;
  }
  read_text(description, path);
  return true;
}

void description_free(Description *description) {
  dependencies_free(&description->dependencies);
  rules_free(&description->rules);
  report_free(&description->report);
  source_free(&description->source);
  text_free(&description->text);
}
