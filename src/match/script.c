/* Labels are replaced by blanks before the text is parsed, so that places in it
   are those of what was read. A label inside a move is none. */
#include "match/script.h"

#include "gdl/parse.h"
#include "match/spelling.h"

/* ---- reading ---- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Returns the length of the label that the text begins with, or 0. */
static size_t label_length(const char *text, size_t length) {
  size_t digits = 0;
  while (digits < length && is_digit(text[digits])) digits++;
  if (!digits || digits == length) return 0;
  if (text[digits] != ':' && text[digits] != '.') return 0;
  size_t end = digits + 1;
  return end == length || is_blank(text[end]) || text[end] == '\n' ||
                 text[end] == '('
             ? end
             : 0;
}

static void remove_labels(char *text, size_t length) {
  size_t depth = 0;
  bool comment = false, begins = true; /* nothing but blanks so far */
  for (size_t i = 0; i < length; i++) {
    size_t label =
        begins && !depth ? label_length(text + i, length - i) : (size_t)0;
    if (label) memset(text + i, ' ', label);
    begins = text[i] == '\n' || (begins && !label && is_blank(text[i]));
    if (text[i] == '\n') comment = false;
    if (text[i] == ';') comment = true;
    if (!comment && text[i] == '(') depth++;
    if (!comment && text[i] == ')' && depth) depth--;
  }
}

/* Appends the move of a form. */
static void add_move(Script *script, Terms *terms, const Form *form) {
  Term term = parse_term(terms, form, &script->report);
  if (!term) return;
  if (!term_is_ground(terms, term)) {
    report_error(&script->report, form->offset, "syntax",
                 "there are no variables in a plan");
    return;
  }
  Text move = {0};
  term_write(terms, term, &move);
  vector_push(&script->moves, move);
  vector_push(&script->offsets, form->offset);
}

bool script_read(Script *script, const char *name, const char *text,
                 size_t length) {
  Terms terms;
  Arena arena = {0};
  Text copy = {0};
  Source plain;
  *script = (Script){0};
  text_add_bytes(&copy, text, length);
  if (length) remove_labels(copy.bytes, length);
  source_init(&script->source, name, text, length);
  report_init(&script->report, &script->source);
  source_init(&plain, name, text_string(&copy), length);
  terms_init(&terms);
  const Form *form = parse_text(&terms, &arena, &plain, &script->report);
  for (; form; form = form->next) add_move(script, &terms, form);
  source_free(&plain);
  text_free(&copy);
  terms_free(&terms);
  arena_free(&arena);
  return !script->report.errors;
}

void script_free(Script *script) {
  text_vector_free(&script->moves);
  vector_free(&script->offsets);
  report_free(&script->report);
  source_free(&script->source);
}

/* ---- playing ---- */

static ScriptEnd judge_end(Game *game, int *score) {
  const Move *moves;
  bool over = game_terminal(game);
  if (game_failed(game)) return SCRIPT_FAILED;
  if (over) {
    *score = game_goal(game, 0);
    return game_failed(game) ? SCRIPT_FAILED
           : *score < 0      ? SCRIPT_NO_GOAL
                             : SCRIPT_HOLDS;
  }
  uint32_t count = game_legal(game, 0, &moves);
  return game_failed(game) ? SCRIPT_FAILED
         : count           ? SCRIPT_SHORT
                           : SCRIPT_STUCK;
}

ScriptResult script_play(const Script *script, Game *game) {
  ScriptResult result = {.score = -1};
  Move move;
  while (result.made < script->moves.count && !game_terminal(game) &&
         spelling_find(game, 0, script->moves.data[result.made].bytes, &move) &&
         !game_failed(game)) {
    game_make(game, &move);
    result.made++;
  }
  bool whole = result.made == script->moves.count;
  result.end = judge_end(game, &result.score);
  if (script->moves.count)
    result.offset = script->offsets.data[whole ? result.made - 1 : result.made];
  if (whole) return result;
  if (result.end != SCRIPT_FAILED)
    result.end = game_terminal(game) ? SCRIPT_LONG : SCRIPT_ILLEGAL;
  return result;
}
