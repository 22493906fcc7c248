/* Works on the written rules, token by token, so that the depth of terms does
   not matter. The hash is two chains of 64 bits over the tokens. */
#include "learn/canon.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/hash.h"

size_t canon_word(const char *text) {
  return strcspn(text, " \n()");
}

static bool equals(const char *text, const char *bytes, size_t length) {
  return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

static uint32_t find_in(const TextVector *words, const Map *map,
                        const char *word, size_t length, MapCursor *at) {
  uint64_t hash = hash_bytes(word, length);
  uint32_t found = map_first(map, hash, at);
  while (found && !equals(text_string(&words->data[found - 1]), word, length))
    found = map_next(map, at);
  return found;
}

/* Returns the number of the word, after adding it if it is new. */
static uint32_t number_of(TextVector *words, Map *map, const char *word,
                          size_t length) {
  MapCursor at;
  uint32_t found = find_in(words, map, word, length, &at);
  if (found) return found;
  Text own = {0};
  text_add_bytes(&own, word, length);
  vector_push(words, own);
  map_insert(map, &at, words->count);
  return words->count;
}

static void clear_words(TextVector *words, Map *map) {
  for (uint32_t i = 0; i < words->count; i++) text_free(&words->data[i]);
  vector_clear(words);
  map_clear(map);
}

/* Game masters leave numbers alone, as goals are numbers. */
static bool is_number(const char *word, size_t length) {
  size_t i = length > 1 && (*word == '-' || *word == '+');
  while (i < length && isdigit((unsigned char)word[i])) i++;
  return i == length;
}

static bool is_keyword(const char *word, size_t length) {
#define KEYWORD(name, text) \
  if (length == sizeof text - 1 && strncasecmp(word, text, length) == 0) \
    return true;
  KEYWORDS(KEYWORD)
#undef KEYWORD
  return false;
}

/* ---- the hash ---- */

typedef struct Hashing {
  Canon *canon;
  TextVector variables; /* of the rule at hand */
  Map variable_map;
  uint64_t chains[2];
} Hashing;

static void chain(Hashing *hashing, uint64_t kind, uint64_t what) {
  for (int i = 0; i < 2; i++)
    hashing->chains[i] =
        hash_pair(hash_pair(hashing->chains[i], kind + (uint64_t)i), what);
}

enum { KIND_MARK = 1, KIND_WORD = 11, KIND_VARIABLE = 21, KIND_NAME = 31 };

static void hash_word(Hashing *hashing, const char *word, size_t length) {
  Canon *canon = hashing->canon;
  if (*word == '?') {
    chain(hashing, KIND_VARIABLE,
          number_of(&hashing->variables, &hashing->variable_map, word, length));
  } else if (is_number(word, length)) {
    chain(hashing, KIND_WORD, hash_bytes(word, length));
  } else if (is_keyword(word, length)) {
    Text lower = {0};
    for (size_t i = 0; i < length; i++)
      text_add_byte(&lower, (char)tolower((unsigned char)word[i]));
    chain(hashing, KIND_WORD, hash_bytes(text_string(&lower), length));
    text_free(&lower);
  } else {
    chain(hashing, KIND_NAME,
          number_of(&canon->words, &canon->map, word, length));
  }
}

static void hash_rule(Hashing *hashing, const char *text) {
  while (*text) {
    size_t length = canon_word(text);
    if (length) {
      hash_word(hashing, text, length);
    } else {
      if (*text == '(' || *text == ')')
        chain(hashing, KIND_MARK, (unsigned char)*text);
      length = 1;
    }
    text += length;
  }
  chain(hashing, KIND_MARK, '.');
}

void canon_init(Canon *canon, const Description *description) {
  const Rules *rules = &description->rules;
  Hashing hashing = {.canon = canon, .chains = {1, 2}};
  Text text = {0};
  *canon = (Canon){0};
  for (uint32_t i = 0; i < rules->list.count; i++) {
    text_clear(&text);
    rule_write(rules, &rules->list.data[i], &text);
    hash_rule(&hashing, text_string(&text));
    clear_words(&hashing.variables, &hashing.variable_map);
  }
  snprintf(canon->hash, sizeof canon->hash, "%016" PRIx64 "%016" PRIx64,
           hashing.chains[0], hashing.chains[1]);
  text_vector_free(&hashing.variables);
  map_free(&hashing.variable_map);
  text_free(&text);
}

void canon_free(Canon *canon) {
  text_vector_free(&canon->words);
  map_free(&canon->map);
}

/* ---- names ---- */

void canon_write(const Canon *canon, const char *text, Text *out) {
  while (*text) {
    MapCursor at;
    size_t length = canon_word(text);
    uint32_t number =
        length ? find_in(&canon->words, &canon->map, text, length, &at) : 0;
    if (number)
      text_format(out, "#%u", number);
    else
      text_add_bytes(out, text, length ? length : 1);
    text += length ? length : 1;
  }
}

void canon_read(const TextVector *words, const char *text, Text *out) {
  while (*text) {
    char *end;
    size_t length = canon_word(text);
    unsigned long number = 0;
    if (*text == '#' && length > 1 && isdigit((unsigned char)text[1])) {
      number = strtoul(text + 1, &end, 10);
      if (end != text + length || number > words->count) number = 0;
    }
    if (number)
      text_add(out, text_string(&words->data[number - 1]));
    else
      text_add_bytes(out, text, length ? length : 1);
    text += length ? length : 1;
  }
}
