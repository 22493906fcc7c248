/* A text in one of three forms, all in lower case and without parentheses:

     plain     the words with single blanks between them     "move c11 d-4"
     split     letters and digits apart, nothing else         "move c 11 d 4"
     squeezed  the same without blanks                        "movec11d4"

   What was typed is compared with the same form of the move, and of the move
   without its name. */
#include "about/spell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHORT_LENGTH = 40 }; /* of what may be an abbreviation */

typedef struct Form {
  Text plain, split, squeezed;
} Form;

/* ---- forms ---- */

static bool is_gap(char byte) {
  return byte == '(' || byte == ')' || isspace((unsigned char)byte);
}

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/* Bytes of other alphabets count as letters. */
static bool is_letter(char byte) {
  return isalpha((unsigned char)byte) || (unsigned char)byte >= 128;
}

void spell_plain(const char *from, Text *text) {
  bool gap = false;
  for (; *from; from++) {
    bool first = !text->length;
    if (!is_gap(*from)) {
      if (gap && !first) text_add_byte(text, ' ');
      text_add_byte(text, *from);
    }
    gap = is_gap(*from);
  }
}

/* Anything but letters and digits is a gap. */
static void add_split(const char *from, Text *text) {
  char last = ' ';
  for (; *from; from++) {
    char byte = *from;
    if (!is_digit(byte) && !is_letter(byte)) byte = ' ';
    bool change = last == ' ' || is_digit(byte) != is_digit(last);
    if (byte != ' ' && change && text->length) text_add_byte(text, ' ');
    if (byte != ' ') text_add_byte(text, byte);
    last = byte;
  }
}

static void lower(Text *text) {
  for (size_t i = 0; i < text->length; i++)
    text->bytes[i] = (char)tolower((unsigned char)text->bytes[i]);
}

static void make_form(const char *from, Form *form) {
  *form = (Form){0};
  spell_plain(from, &form->plain);
  add_split(from, &form->split);
  lower(&form->plain);
  lower(&form->split);
  for (size_t i = 0; i < form->split.length; i++)
    if (form->split.bytes[i] != ' ')
      text_add_byte(&form->squeezed, form->split.bytes[i]);
}

static void free_form(Form *form) {
  text_free(&form->plain);
  text_free(&form->split);
  text_free(&form->squeezed);
}

/* Returns what follows the first word, or NULL. */
static const char *without_name(const char *words) {
  const char *blank = strchr(words, ' ');
  return blank ? blank + 1 : NULL;
}

/* The same for the spelling of the rules; only (name …) has more words. */
static const char *arguments(const char *move) {
  while (is_gap(*move)) move++;
  while (*move && !is_gap(*move)) move++;
  while (is_gap(*move)) move++;
  return *move ? move : NULL;
}

/* Returns the length of the word. */
static size_t word_length(const char *word) {
  return strcspn(word, " ");
}

static bool is_file(const char *word) {
  return word_length(word) == 1 && isalpha((unsigned char)*word);
}

static bool is_rank(const char *word) {
  size_t length = word_length(word);
  return length && length <= 2 && strspn(word, "0123456789") == length;
}

/* ---- words in words ---- */

/* Returns true if the words begin with `typed`; a number must be whole. */
static bool begins(const char *words, const char *typed, size_t length) {
  if (strncmp(words, typed, length) != 0) return false;
  return !is_digit(typed[length - 1]) || !is_digit(words[length]);
}

static bool is_inside(const char *words, const Text *typed) {
  bool found = false;
  while (words && !found) {
    found = begins(words, typed->bytes, typed->length);
    words = without_name(words);
  }
  return found;
}

static bool is_end(const Text *words, const Text *typed) {
  if (typed->length > words->length) return false;
  size_t from = words->length - typed->length;
  return (!from || words->bytes[from - 1] == ' ') &&
         strcmp(words->bytes + from, typed->bytes) == 0;
}

/* ---- abbreviations ---- */

/* Marks in `to` where the beginnings of a word may end that start at the marks
   of `from`; numbers are taken whole. */
static void extend(const char *typed, const char *word, const bool *from,
                   bool *to) {
  for (size_t at = 0; typed[at]; at++) {
    if (!from[at]) continue;
    for (size_t n = 1; typed[at + n - 1] && typed[at + n - 1] == word[n - 1];
         n++)
      if (!is_digit(word[n - 1]) || !is_digit(word[n])) to[at + n] = true;
  }
}

/* Returns true if `typed` is made of beginnings, not empty, of words in a row;
   `loose`: words may be left out in between. */
static bool abbreviates(const Text *typed, const char *words, bool loose) {
  bool reached[SHORT_LENGTH + 1] = {true};
  if (typed->length > SHORT_LENGTH) return false;
  while (words && !reached[typed->length]) {
    bool next[SHORT_LENGTH + 1] = {true};
    if (loose) memcpy(next, reached, sizeof next);
    extend(typed->bytes, words, reached, next);
    memcpy(reached, next, sizeof next);
    words = without_name(words);
  }
  return reached[typed->length];
}

/* ---- how well it fits ---- */

static bool same(const Text *a, const Text *b) {
  return strcmp(text_string(a), text_string(b)) == 0;
}

/* Whole moves only; `move` may lack its name. */
static SpellFit fit_whole(const Form *typed, const Form *move) {
  if (typed->plain.length && same(&typed->plain, &move->plain))
    return SPELL_EXACT;
  if (!typed->split.length) return SPELL_NONE;
  if (same(&typed->split, &move->split)) return SPELL_SPLIT;
  if (same(&typed->squeezed, &move->squeezed)) return SPELL_SQUEEZED;
  return SPELL_NONE;
}

static SpellFit fit_part(const Form *typed, const Form *move,
                         const Form *nameless) {
  const Text *split = &typed->split;
  if (!split->length || !move->split.length) return SPELL_NONE;
  if (begins(move->split.bytes, split->bytes, split->length) ||
      (nameless->split.length &&
       begins(nameless->split.bytes, split->bytes, split->length)))
    return SPELL_BEGIN;
  if (is_end(&move->split, split)) return SPELL_END;
  if (is_inside(move->split.bytes, split)) return SPELL_INSIDE;
  if (abbreviates(&typed->squeezed, move->split.bytes, false))
    return SPELL_SHORT;
  return abbreviates(&typed->squeezed, move->split.bytes, true) ? SPELL_LOOSE
                                                                : SPELL_NONE;
}

static SpellFit fit_form(const Form *typed, const char *text) {
  Form move, nameless;
  const char *rest = arguments(text);
  make_form(text, &move);
  make_form(rest ? rest : "", &nameless);
  SpellFit fit = fit_whole(typed, &move);
  SpellFit short_fit = rest ? fit_whole(typed, &nameless) : SPELL_NONE;
  if (short_fit < fit) fit = short_fit;
  if (fit == SPELL_NONE) fit = fit_part(typed, &move, &nameless);
  free_form(&move);
  free_form(&nameless);
  return fit;
}

SpellFit spell_fit(const char *typed, const char *move) {
  Form form;
  make_form(typed, &form);
  SpellFit fit = fit_form(&form, move);
  free_form(&form);
  return fit;
}

static void find_form(const Form *typed, const Text *moves, uint32_t count,
                      SpellFound *found) {
  *found = (SpellFound){.fit = SPELL_NONE};
  for (uint32_t i = 0; i < count; i++) {
    SpellFit fit = fit_form(typed, moves[i].bytes);
    if (fit == SPELL_NONE || fit > found->fit) continue;
    if (fit < found->fit) vector_clear(&found->moves);
    found->fit = fit;
    vector_push(&found->moves, i);
  }
}

/* Takes out the sign of a capture: e4xd5. */
static void drop_captures(const char *typed, Text *text) {
  for (size_t i = 0; typed[i]; i++) {
    bool capture = i && is_digit(typed[i - 1]) &&
                   (typed[i] == 'x' || typed[i] == 'X') &&
                   is_letter(typed[i + 1]);
    text_add_byte(text, capture ? ' ' : typed[i]);
  }
}

/* Numbers instead of the letters of places: "1 2 1 3" for a2a3. Nothing is
   appended if the words are not places. */
static void number_files(const char *typed, Text *text) {
  Text split = {0};
  add_split(typed, &split);
  const char *words = split.length ? split.bytes : NULL;
  while (words) {
    const char *rest = without_name(words);
    if (!is_file(words) || !rest || !is_rank(rest)) break;
    text_format(text, "%d ", tolower((unsigned char)*words) - 'a' + 1);
    text_add_bytes(text, rest, word_length(rest));
    words = without_name(rest);
    text_add_byte(text, ' ');
  }
  if (words) text_clear(text);
  text_free(&split);
}

static void find_text(const char *typed, const Text *moves, uint32_t count,
                      SpellFound *found) {
  Form form;
  make_form(typed, &form);
  find_form(&form, moves, count, found);
  free_form(&form);
}

/* The last attempt must give whole moves. */
void spell_find(const char *typed, const Text *moves, uint32_t count,
                SpellFound *found) {
  Text other = {0};
  find_text(typed, moves, count, found);
  if (!found->moves.count) {
    drop_captures(typed, &other);
    find_text(text_string(&other), moves, count, found);
  }
  if (!found->moves.count) {
    text_clear(&other);
    number_files(typed, &other);
    find_text(text_string(&other), moves, count, found);
    if (found->fit > SPELL_SQUEEZED) {
      vector_clear(&found->moves);
      found->fit = SPELL_NONE;
    }
  }
  text_free(&other);
}

static uint32_t number(const Form *form) {
  const char *digits = text_string(&form->squeezed);
  size_t length = strspn(digits, "0123456789");
  if (!length || length > 9 || digits[length]) return 0;
  return (uint32_t)strtoul(digits, NULL, 10);
}

uint32_t spell_number(const char *move) {
  const char *rest = arguments(move);
  Form form;
  make_form(rest ? rest : move, &form);
  uint32_t found = number(&form);
  free_form(&form);
  return found;
}

/* ---- saying ---- */

/* Appends the words, a letter and a number together: "e2 e4". Returns true if
   there are any of these. */
static bool say_words(const char *words, Text *text) {
  bool joined = false, squares = false;
  while (words) {
    const char *rest = without_name(words);
    text_add_bytes(text, words, word_length(words));
    bool join = !joined && is_file(words) && rest && is_rank(rest);
    squares |= join;
    if (rest && !join) text_add_byte(text, ' ');
    joined = join;
    words = rest;
  }
  return squares;
}

void spell_say(const char *move, Text *text) {
  Text plain = {0}, rest = {0};
  spell_plain(move, &plain);
  const char *behind = without_name(text_string(&plain));
  bool squares = behind && say_words(behind, &rest);
  if (!behind) {
    text_add(text, text_string(&plain));
  } else {
    if (!squares || strncasecmp(plain.bytes, "move ", 5) != 0)
      text_add_bytes(text, plain.bytes, (size_t)(behind - plain.bytes));
    text_add(text, rest.bytes);
  }
  text_free(&plain);
  text_free(&rest);
}

bool spell_begins(const char *text, const char *typed) {
  for (;;) {
    while (is_gap(*typed)) typed++;
    while (is_gap(*text)) text++;
    if (!*typed) return true;
    if (tolower((unsigned char)*text++) != tolower((unsigned char)*typed++))
      return false;
  }
}
