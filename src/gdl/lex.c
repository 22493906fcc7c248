/* token    := '(' | ')' | variable | word
   variable := '?' byte byte*
   word     := byte byte*

   A byte is anything but white space, control characters, '(', ')' and ';'. A
   comment runs from ';' to the end of the line. Words are UTF-8. Other bytes
   are reported and skipped. */
#include "gdl/lex.h"

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

static bool is_word(char c) {
  return (unsigned char)c > ' ' && c != 127 && c != '(' && c != ')' && c != ';';
}

/* The length of the UTF-8 character at `text`, 0 if there is none. The second
   byte gives away overlong forms, surrogates and what is beyond U+10FFFF. */
static uint32_t character_length(const char *text, uint32_t available) {
  unsigned char lead = (unsigned char)text[0];
  uint32_t length = lead < 0x80                   ? 1
                    : lead >= 0xc2 && lead < 0xe0 ? 2
                    : lead >= 0xe0 && lead < 0xf0 ? 3
                    : lead >= 0xf0 && lead < 0xf5 ? 4
                                                  : 0;
  if (length > available) return 0;
  unsigned char second = length > 1 ? (unsigned char)text[1] : 0;
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
    return 0;
  for (uint32_t i = 1; i < length; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
  return length;
}

static bool is_control(char c) {
  return !is_space(c) && ((unsigned char)c < ' ' || c == 127);
}

/* Reports a run of control characters once. */
static void skip_control(Lexer *lexer) {
  const Source *source = lexer->source;
  report_error(lexer->report, lexer->at, "syntax", "control character 0x%02x",
               (unsigned)source->text[lexer->at]);
  while (lexer->at < source->length && is_control(source->text[lexer->at]))
    lexer->at++;
}

static void skip_blank(Lexer *lexer) {
  const Source *source = lexer->source;
  while (lexer->at < source->length) {
    char c = source->text[lexer->at];
    if (c == ';') {
      while (lexer->at < source->length && source->text[lexer->at] != '\n')
        lexer->at++;
    } else if (is_space(c)) {
      lexer->at++;
    } else if (is_control(c)) {
      skip_control(lexer);
    } else {
      break;
    }
  }
}

static Token word(Lexer *lexer) {
  const Source *source = lexer->source;
  Token token = {TOKEN_WORD, lexer->at, 0};
  if (source->text[lexer->at] == '?') token.kind = TOKEN_VARIABLE;
  bool reported = false;
  while (lexer->at < source->length && is_word(source->text[lexer->at])) {
    uint32_t length =
        character_length(source->text + lexer->at, source->length - lexer->at);
    if (!length && !reported) {
      report_error(lexer->report, lexer->at, "syntax",
                   "byte 0x%02x is not valid UTF-8",
                   (unsigned)(unsigned char)source->text[lexer->at]);
      reported = true;
    }
    lexer->at += length ? length : 1;
  }
  token.length = lexer->at - token.offset;
  if (token.kind == TOKEN_VARIABLE && token.length == 1)
    report_error(lexer->report, token.offset, "syntax",
                 "a variable needs a name after '?'");
  return token;
}

/* Some editors put a byte order mark before the text. */
static void skip_mark(Lexer *lexer) {
  if (lexer->source->length >= 3 &&
      memcmp(lexer->source->text, "\xef\xbb\xbf", 3) == 0)
    lexer->at = 3;
}

Token lex_next(Lexer *lexer) {
  if (lexer->at == 0) skip_mark(lexer);
  skip_blank(lexer);
  uint32_t at = lexer->at;
  if (at == lexer->source->length) return (Token){TOKEN_END, at, 0};
  char c = lexer->source->text[at];
  if (c == '(' || c == ')') {
    lexer->at++;
    return (Token){c == '(' ? TOKEN_OPEN : TOKEN_CLOSE, at, 1};
  }
  return word(lexer);
}
