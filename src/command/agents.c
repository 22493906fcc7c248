/* tafl agents: all presets and settings, with ranges and origins, from the
   table of settings; and the methods that solve games of one role. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/describe.h"
#include "command/wrap.h"
#include "solve/methods.h"

enum { COLUMN = 13 }; /* where texts begin */

static json_t *json_word(const char *choices, uint32_t number) {
  for (; number; number--) choices += strcspn(choices, "|") + 1;
  return json_stringn(choices, strcspn(choices, "|"));
}

static json_t *json_choices(const char *choices) {
  json_t *list = json_array();
  for (;;) {
    size_t length = strcspn(choices, "|");
    json_array_append_new(list, json_stringn(choices, length));
    if (!choices[length]) return list;
    choices += length + 1;
  }
}

static json_t *json_values(const Settings *settings) {
  json_t *values = json_object();
#define REAL(name, value, least, most, origin, help) \
  json_object_set_new(values, #name, json_real(settings->name));
#define NUMBER(name, value, least, most, origin, help) \
  json_object_set_new(values, #name, json_integer(settings->name));
#define WORD(name, value, choices, origin, help) \
  json_object_set_new(values, #name, json_word(choices, settings->name));
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
  return values;
}

static json_t *json_settings(void) {
  json_t *list = json_array();
#define REAL(name, value, least, most, origin, help) \
  json_array_append_new( \
      list, \
      json_pack("{s:s, s:s, s:f, s:f, s:f, s:s, s:s}", "name", #name, "kind", \
                "real", "default", (double)(value), "least", (double)(least), \
                "most", (double)(most), "origin", origin, "help", help));
#define NUMBER(name, value, least, most, origin, help) \
  json_array_append_new( \
      list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:s, s:s}", "name", #name, \
                      "kind", "number", "default", (json_int_t)(value), \
                      "least", (json_int_t)(least), "most", \
                      (json_int_t)(most), "origin", origin, "help", help));
#define WORD(name, value, choices, origin, help) \
  json_array_append_new( \
      list, json_pack("{s:s, s:s, s:s, s:o, s:s, s:s}", "name", #name, "kind", \
                      "word", "default", value, "choices", \
                      json_choices(choices), "origin", origin, "help", help));
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
  return list;
}

static json_t *json_presets(void) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < preset_count; i++) {
    Settings settings;
    Text error = {0};
    settings_parse(&settings, presets[i].name, &error);
    text_free(&error);
    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", presets[i].name, "help",
                  presets[i].help, "origin", presets[i].origin, "changes",
                  presets[i].settings, "settings", json_values(&settings)));
  }
  return list;
}

static json_t *json_methods(void) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < methods_count; i++) {
    const MethodKind *kind = methods_list[i];
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:b}", "name", kind->name,
                                    "help", kind->help, "origin", kind->origin,
                                    "usual", (int)kind->usual));
  }
  return list;
}

static void add_method(Text *out, const MethodKind *kind) {
  Text text = {0};
  text_format(&text, "%s [%s]%s", kind->help, kind->origin,
              kind->usual ? "" : " (only if it is asked for)");
  text_format(out, "  %s", kind->name);
  wrap_row(out, "", text.bytes, COLUMN);
  text_free(&text);
}

static void add_preset(Text *out, const Preset *preset) {
  Text text = {0};
  text_format(&text, "%s [%s]", preset->help, preset->origin);
  text_format(out, "  %s", preset->name);
  wrap_row(out, "", text.bytes, COLUMN);
  wrap_list(out, preset->settings, COLUMN);
  text_add_byte(out, '\n');
  text_free(&text);
}

static void add_setting(Text *out, const char *name, const char *help,
                        const char *value, const char *range,
                        const char *origin) {
  Text text = {0};
  text_format(out, "  %s", name);
  wrap_row(out, "", help, COLUMN);
  text_format(&text, "(%s; %s; %s)", value, range, origin);
  wrap_row(out, "", text.bytes, COLUMN);
  text_free(&text);
}

static void add_number(Text *out, const char *name, double value, double least,
                       double most, const char *origin, const char *help) {
  Text shown = {0}, range = {0};
  describe_number(value, &shown);
  describe_number(least, &range);
  text_add(&range, " to ");
  describe_number(most, &range);
  add_setting(out, name, help, shown.bytes, range.bytes, origin);
  text_free(&shown);
  text_free(&range);
}

static void print_text(void) {
  Text out = {0};
  wrap_words(&out,
             "An agent is random, legal (its first legal move) or a preset of "
             "the search, which settings may follow: cadia2010:c=30,threads=2. "
             "In match and play it may also be a player over HTTP, "
             "http://host:9147, or a person at the terminal, human.",
             0);
  text_add(&out, "\n\npresets:\n");
  for (uint32_t i = 0; i < preset_count; i++) add_preset(&out, &presets[i]);
  text_add(&out, "\nsettings (default; range; origin):\n");
#define REAL(name, value, least, most, origin, help) \
  add_number(&out, #name, value, least, most, origin, help);
#define NUMBER(name, value, least, most, origin, help) \
  add_number(&out, #name, (double)(value), (double)(least), (double)(most), \
             origin, help);
#define WORD(name, value, choices, origin, help) \
  add_setting(&out, #name, help, value, choices, origin);
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
  text_add(&out, "\nmethods of tafl solve, and of presets with "
                 "puzzle=portfolio:\n");
  for (uint32_t i = 0; i < methods_count; i++)
    add_method(&out, methods_list[i]);
  text_add(
      &out,
      "\norigins: T Finnsson 2007 (thesis), I Finnsson and "
      "Björnsson 2009 (IEEE),\n  S Finnsson and Björnsson 2010 "
      "(search control),\n  M Świechowski, Mańdziuk and Ong (MiNI-Player)\n");
  fputs(out.bytes, stdout);
  text_free(&out);
}

int command_agents(const Options *options) {
  if (options->argument_count) {
    log_error("agents takes no arguments");
    return EXIT_USAGE;
  }
  if (options->json) {
    json_t *all = json_pack("{s:[s, s], s:o, s:o, s:o}", "simple", "random",
                            "legal", "presets", json_presets(), "settings",
                            json_settings(), "methods", json_methods());
    json_dumpf(all, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(all);
  } else {
    print_text();
  }
  return EXIT_FINE;
}
