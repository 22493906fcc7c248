/* KIF text as trees. Used for rules and for protocol messages. */
#ifndef TAFL_GDL_PARSE_H
#define TAFL_GDL_PARSE_H

#include "gdl/report.h"
#include "gdl/term.h"

typedef enum { FORM_WORD, FORM_VARIABLE, FORM_LIST } FormKind;

typedef struct Form Form;
struct Form {
  FormKind kind;
  uint32_t offset; /* of its first byte */
  Symbol symbol;   /* of a word or variable */
  uint32_t count;  /* of a list's items */
  Form *first;     /* item of a list */
  Form *next;      /* in the list or text that it is part of */
};

enum { PARSE_DEEPEST = 1000 }; /* nesting of lists */

/* Returns all forms of the text, linked by `next`; errors go to `report`. */
Form *parse_text(Terms *terms, Arena *arena, const Source *source,
                 Report *report);

/* A form as a term: a word is a constant, a list of a word and one or more
   forms is a compound. Reports an error and returns 0 if it is not a term. */
Term parse_term(Terms *terms, const Form *form, Report *report);

#endif
