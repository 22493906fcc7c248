/* Text is translated token by token. New names are two to four random
   syllables; none is a word of the rules in any case, and none is given twice.
   Variables are renamed too, as other game masters do. Names in moves are found
   by a linear search, since moves have few words. */
#include "match/scramble.h"

#include <ctype.h>
#include <string.h>

#include "base/random.h"
#include "gdl/lex.h"

typedef struct Words {
  Source source;
  Report report;
  Lexer lexer;
} Words;

static void words_init(Words *words, const char *text, size_t length) {
  source_init(&words->source, "rules", text, length);
  report_init(&words->report, &words->source);
  words->lexer = (Lexer){&words->source, &words->report, 0};
}

static void words_free(Words *words) {
  report_free(&words->report);
  source_free(&words->source);
}

/* Appends a token that follows one of the kind `before`, with single spaces. */
static void add_token(Text *text, TokenKind before, TokenKind kind,
                      const char *bytes, size_t length) {
  if (kind != TOKEN_CLOSE && before != TOKEN_OPEN) text_add_byte(text, ' ');
  text_add_bytes(text, bytes, length);
}

static bool is_number(const char *text) {
  if (*text == '-' || *text == '+') text++;
  const char *digit = text;
  while (isdigit((unsigned char)*digit)) digit++;
  return !*digit && digit != text;
}

/* ---- new names ---- */

static void make_name(Random *random, Text *name) {
  uint32_t syllables = 2 + random_below(random, 3);
  for (uint32_t i = 0; i < syllables; i++) {
    text_add_byte(name, "bcdfghjklmnprstvwz"[random_below(random, 18)]);
    text_add_byte(name, "aeiou"[random_below(random, 5)]);
  }
}

/* Returns false if the name is taken already. */
static bool take_name(Scramble *scramble, const char *name) {
  Text lower = {0};
  text_add(&lower, name);
  for (size_t i = 0; i < lower.length; i++)
    lower.bytes[i] = (char)tolower((unsigned char)lower.bytes[i]);
  uint32_t before = scramble->taken.names.count;
  symbol_intern(&scramble->taken, text_string(&lower), lower.length);
  text_free(&lower);
  return scramble->taken.names.count > before;
}

static const char *new_name(Scramble *scramble, Random *random, bool variable) {
  Text name = {0};
  do {
    text_clear(&name);
    if (variable) text_add_byte(&name, '?');
    make_name(random, &name);
  } while (!take_name(scramble, name.bytes));
  const char *copy = arena_copy(&scramble->arena, name.bytes, name.length);
  text_free(&name);
  return copy;
}

static void give_names(Scramble *scramble, uint64_t seed) {
  const Symbols *real = &scramble->real;
  Random random;
  random_seed(&random, seed);
  for (Symbol i = SYMBOL_FIRST_FREE; i < real->names.count; i++)
    take_name(scramble, symbol_text(real, i));
  for (Symbol i = SYMBOL_FIRST_FREE; i < real->names.count; i++) {
    const char *text = symbol_text(real, i);
    if (symbol_keyword(real, i) == SYMBOL_NONE && !is_number(text))
      scramble->names.data[i] = new_name(scramble, &random, *text == '?');
  }
}

/* ---- rules ---- */

static bool is_word(Token token) {
  return token.kind == TOKEN_WORD || token.kind == TOKEN_VARIABLE;
}

static void collect_words(Scramble *scramble, const char *rules,
                          size_t length) {
  Words words;
  words_init(&words, rules, length);
  for (Token token; (token = lex_next(&words.lexer)).kind != TOKEN_END;)
    if (is_word(token))
      symbol_intern(&scramble->real, rules + token.offset, token.length);
  words_free(&words);
  while (scramble->names.count < scramble->real.names.count)
    vector_push(&scramble->names, NULL);
}

static void tell_rules(Scramble *scramble, const char *rules, size_t length) {
  Words words;
  TokenKind before = TOKEN_OPEN;
  words_init(&words, rules, length);
  for (Token token; (token = lex_next(&words.lexer)).kind != TOKEN_END;) {
    const char *bytes = rules + token.offset, *name = NULL;
    if (is_word(token)) {
      Symbol own = symbol_intern(&scramble->real, bytes, token.length);
      name = scramble->names.data[own];
    }
    add_token(&scramble->rules, before, token.kind, name ? name : bytes,
              name ? strlen(name) : token.length);
    before = token.kind;
  }
  words_free(&words);
}

void scramble_init(Scramble *scramble, const char *rules, size_t length,
                   bool active, uint64_t seed) {
  *scramble = (Scramble){0};
  symbols_init(&scramble->real);
  symbols_init(&scramble->taken);
  collect_words(scramble, rules, length);
  if (active) give_names(scramble, seed);
  tell_rules(scramble, rules, length);
}

void scramble_free(Scramble *scramble) {
  symbols_free(&scramble->real);
  symbols_free(&scramble->taken);
  vector_free(&scramble->names);
  arena_free(&scramble->arena);
  text_free(&scramble->rules);
}

/* ---- terms ---- */

static bool equals(const char *text, const char *bytes, size_t length) {
  return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

/* Returns the word in the other language, or NULL if it is unknown. */
static const char *translate(const Scramble *scramble, bool back,
                             const char *bytes, size_t length) {
  for (Symbol i = 1; i < scramble->names.count; i++) {
    const char *real = symbol_text(&scramble->real, i);
    const char *told = scramble->names.data[i];
    if (!told) told = real;
    if (equals(back ? told : real, bytes, length)) return back ? real : told;
  }
  return NULL;
}

static bool convert(const Scramble *scramble, bool back, const char *term,
                    Text *text) {
  Words words;
  TokenKind before = TOKEN_OPEN;
  bool known = true;
  words_init(&words, term, strlen(term));
  for (Token token; (token = lex_next(&words.lexer)).kind != TOKEN_END;) {
    const char *bytes = term + token.offset, *other = NULL;
    size_t length = token.length;
    if (is_word(token)) {
      other = translate(scramble, back, bytes, length);
      known &= other != NULL;
    }
    add_token(text, before, token.kind, other ? other : bytes,
              other ? strlen(other) : length);
    before = token.kind;
  }
  words_free(&words);
  return known;
}

void scramble_tell(const Scramble *scramble, const char *term, Text *text) {
  convert(scramble, false, term, text);
}

bool scramble_read(const Scramble *scramble, const char *term, Text *text) {
  return convert(scramble, true, term, text);
}
