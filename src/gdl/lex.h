/* KIF text as tokens. */
#ifndef TAFL_GDL_LEX_H
#define TAFL_GDL_LEX_H

#include "gdl/report.h"

typedef enum {
  TOKEN_END,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_WORD,
  TOKEN_VARIABLE
} TokenKind;

typedef struct Token {
  TokenKind kind;
  uint32_t offset, length;
} Token;

typedef struct Lexer {
  const Source *source;
  Report *report;
  uint32_t at;
} Lexer;

Token lex_next(Lexer *lexer);

#endif
