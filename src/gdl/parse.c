/* text := form*
   form := word | variable | list
   list := '(' form* ')'

   One function for each production. Nesting is bounded, so recursion over forms
   and terms is safe everywhere. */
#include "gdl/parse.h"

#include "gdl/lex.h"

typedef struct Parser {
  Lexer lexer;
  Token token; /* the next one */
  Terms *terms;
  Arena *arena;
  Report *report;
  uint32_t depth;
  bool failed; /* what follows cannot be parsed */
} Parser;

static Form *parse_form(Parser *parser);

static void advance(Parser *parser) {
  parser->token = lex_next(&parser->lexer);
}

static Form *new_form(Parser *parser, FormKind kind) {
  Form *form = arena_new(parser->arena, sizeof *form);
  form->kind = kind;
  form->offset = parser->token.offset;
  return form;
}

/* list := '(' form* ')' */
static Form *parse_list(Parser *parser) {
  Form *list = new_form(parser, FORM_LIST), **last = &list->first;
  if (++parser->depth > PARSE_DEEPEST) {
    report_error(parser->report, list->offset, "syntax",
                 "lists nested deeper than %d", PARSE_DEEPEST);
    parser->failed = true;
    return list;
  }
  advance(parser);
  while (parser->token.kind != TOKEN_CLOSE && !parser->failed) {
    if (parser->token.kind == TOKEN_END) {
      report_error(parser->report, list->offset, "syntax",
                   "this '(' is never closed");
      parser->failed = true;
      return list;
    }
    *last = parse_form(parser);
    last = &(*last)->next;
    list->count++;
  }
  if (!parser->failed) advance(parser);
  parser->depth--;
  return list;
}

/* form := word | variable | list */
static Form *parse_form(Parser *parser) {
  if (parser->token.kind == TOKEN_OPEN) return parse_list(parser);
  Form *form = new_form(
      parser, parser->token.kind == TOKEN_VARIABLE ? FORM_VARIABLE : FORM_WORD);
  form->symbol = symbol_intern(
      &parser->terms->symbols,
      parser->lexer.source->text + parser->token.offset, parser->token.length);
  advance(parser);
  return form;
}

/* text := form* */
Form *parse_text(Terms *terms, Arena *arena, const Source *source,
                 Report *report) {
  Parser parser = {.lexer = {source, report, 0},
                   .terms = terms,
                   .arena = arena,
                   .report = report};
  Form *first = NULL, **last = &first;
  advance(&parser);
  while (parser.token.kind != TOKEN_END && !parser.failed) {
    if (parser.token.kind == TOKEN_CLOSE) {
      report_error(report, parser.token.offset, "syntax",
                   "this ')' closes nothing");
      advance(&parser);
      continue;
    }
    Form *form = parse_form(&parser);
    if (parser.failed) break; /* incomplete */
    *last = form;
    last = &form->next;
  }
  return first;
}

/* term := word | variable | '(' word term* ')' */
Term parse_term(Terms *terms, const Form *form, Report *report) {
  if (form->kind == FORM_WORD)
    return term_compound(terms, form->symbol, NULL, 0);
  if (form->kind == FORM_VARIABLE) return term_variable(terms, form->symbol);
  if (!form->first || form->first->kind != FORM_WORD) {
    report_error(report, form->offset, "syntax",
                 form->first ? "a term must begin with a name" : "empty list");
    return 0;
  }
  if (form->count - 1 > TERM_LARGEST_ARITY) {
    report_error(report, form->offset, "syntax", "more than %d arguments",
                 TERM_LARGEST_ARITY);
    return 0;
  }
  TermVector arguments = {0};
  Term term = 0;
  bool fine = true;
  for (const Form *item = form->first->next; item; item = item->next) {
    Term argument = parse_term(terms, item, report);
    fine &= argument != 0;
    vector_push(&arguments, argument);
  }
  if (fine)
    term = term_compound(terms, form->first->symbol, arguments.data,
                         arguments.count);
  vector_free(&arguments);
  return term;
}
