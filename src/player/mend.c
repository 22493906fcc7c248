/* Rules are read, and those that an error points into are removed, until no
   such error is left; removing a rule may break others, hence the rounds.
   Removed rules are overwritten with blanks, so that positions in the text stay
   valid; whatever else a game must have, except roles, is added at the end.
   Other players will also play a game that was sent with an error, each in its
   own way; playing most of it is better than not playing at all. */
#include "player/mend.h"

#include "gdl/lex.h"

enum { ROUNDS = 8 };

static bool is_form_wrong(const Diagnostic *diagnostic) {
  return diagnostic->severity == ERROR &&
         strcmp(diagnostic->id, "missing") != 0 &&
         strcmp(diagnostic->id, "empty") != 0;
}

/* Blanks the range if an error lies in it. */
static bool blank_form(Text *text, const Report *report, uint32_t from,
                       uint32_t to) {
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *diagnostic = &report->list.data[i];
    if (is_form_wrong(diagnostic) && from <= diagnostic->offset &&
        diagnostic->offset < to) {
      memset(text->bytes + from, ' ', to - from);
      return true;
    }
  }
  return false;
}

/* Blanks every form with an error; a control character between two forms
   belongs to the one before it. */
static bool blank_errors(Text *text, const Report *report) {
  Source source;
  Report ignored;
  source_init(&source, "rules", text->bytes, text->length);
  report_init(&ignored, &source);
  Lexer lexer = {&source, &ignored, 0};
  uint32_t depth = 0, from = 0;
  bool changed = false;
  for (;;) {
    Token token = lex_next(&lexer);
    if (token.kind == TOKEN_END) {
      changed |= blank_form(text, report, from, source.length);
      break;
    }
    if (!depth) {
      changed |= blank_form(text, report, from, token.offset);
      from = token.offset;
    }
    if (token.kind == TOKEN_OPEN) depth++;
    if (token.kind == TOKEN_CLOSE && depth) depth--;
  }
  report_free(&ignored);
  source_free(&source);
  return changed;
}

static bool has_rules(const Description *description, Symbol keyword) {
  const Dependencies *dependencies = &description->dependencies;
  uint32_t arity = (uint32_t)rule_keyword_arity(keyword);
  uint32_t p = dependencies_find(dependencies, keyword, arity);
  return p && dependencies->list.data[p].rules.count;
}

/* Adds what every game must have. */
static bool add_missing(Text *text, const Description *description) {
  static const struct {
    Symbol keyword;
    const char *rule;
  } needed[] = {{SYMBOL_LEGAL, "(<= (legal ?r noop) (role ?r))"},
                {SYMBOL_GOAL, "(<= (goal ?r 50) (role ?r))"},
                {SYMBOL_TERMINAL, "(<= terminal (true over))"}};
  bool changed = false;
  if (!description->rules.roles.count) return false;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!has_rules(description, needed[i].keyword)) {
      text_format(text, "\n%s", needed[i].rule);
      changed = true;
    }
  return changed;
}

void mend_read(Description *description, const char *name, const char *text,
               size_t length, Text *notes) {
  description_init(description, name, text, length);
  if (description_valid(description)) return;
  text_format(notes, "the rules have %u errors\n", description->report.errors);
  report_write(&description->report, true, notes);
  Text kept = {0};
  text_add_bytes(&kept, text, length);
  for (int round = 0; round < ROUNDS && !description_valid(description);
       round++) {
    if (!blank_errors(&kept, &description->report) &&
        !add_missing(&kept, description))
      break;
    description_free(description);
    description_init(description, name, text_string(&kept), kept.length);
  }
  text_free(&kept);
}
