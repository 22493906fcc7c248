/* A text is compared with the spelling of each legal move, so that whatever is
   found is legal and is spelled as in the rules. Two texts are the same if they
   have the same tokens once the parentheses around single words are removed:
   (f) and f are one term. */
#include "match/spelling.h"

#include <string.h>
#include <strings.h>

#include "engine/moves.h"

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the length of the token that the text begins with, or 0. */
static size_t token_length(const char *text) {
  if (*text == '(' || *text == ')') return 1;
  size_t length = 0;
  while (text[length] && !is_space(text[length]) && text[length] != '(' &&
         text[length] != ')')
    length++;
  return length;
}

static const char *skip_space(const char *text) {
  while (is_space(*text)) text++;
  return text;
}

/* Returns the word of a list with nothing else in it, or NULL. */
static const char *only_word(const char *list, const char **end) {
  const char *word = skip_space(list + 1);
  if (!*word || *word == '(' || *word == ')') return NULL;
  const char *close = skip_space(word + token_length(word));
  *end = close + 1;
  return *close == ')' ? word : NULL;
}

void spelling_normal(const char *text, Text *normal) {
  bool spaced = false; /* a space goes before the next word or parenthesis */
  for (text = skip_space(text); *text; text = skip_space(text)) {
    const char *word = text, *end = text + token_length(text);
    if (*text == '(') {
      const char *alone = only_word(text, &end);
      if (alone)
        word = alone;
      else
        end = text + 1;
    }
    if (spaced && *word != ')') text_add_byte(normal, ' ');
    text_add_bytes(normal, word, token_length(word));
    spaced = *word != '(';
    text = end;
  }
}

bool spelling_same(const char *a, const char *b) {
  Text first = {0}, second = {0};
  spelling_normal(a, &first);
  spelling_normal(b, &second);
  bool same = strcasecmp(text_string(&first), text_string(&second)) == 0;
  text_free(&first);
  text_free(&second);
  return same;
}

bool spelling_role(const Description *description, const char *name,
                   uint32_t *role) {
  bool found = false;
  Text text = {0}, normal = {0};
  spelling_normal(name, &normal);
  for (uint32_t i = description->rules.roles.count; i-- > 0;) {
    text_clear(&text);
    term_write(&description->rules.terms, description->rules.roles.data[i],
               &text);
    if (strcasecmp(text.bytes, text_string(&normal)) != 0) continue;
    found = true;
    *role = i;
    if (strcmp(text.bytes, text_string(&normal)) == 0) break;
  }
  text_free(&text);
  text_free(&normal);
  return found;
}

bool spelling_find(Game *game, uint32_t role, const char *text, Move *move) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  Text normal = {0}, own = {0};
  bool found = false, exact = false;
  spelling_normal(text, &normal);
  for (uint32_t i = 0; i < count && !exact; i++) {
    text_clear(&own);
    moves_write(game, role, moves[i], &own);
    exact = strcmp(own.bytes, text_string(&normal)) == 0;
    bool folded = strcasecmp(own.bytes, text_string(&normal)) == 0;
    if (folded) *move = moves[i];
    found |= folded;
  }
  text_free(&normal);
  text_free(&own);
  return found;
}

uint32_t spelling_find_joint(Game *game, const TextVector *moves, Move *joint) {
  uint32_t role = 0;
  while (
      role < game->role_count && role < moves->count &&
      spelling_find(game, role, text_string(&moves->data[role]), &joint[role]))
    role++;
  return role;
}

/* ---- terms ---- */

/* Returns the symbol of a word in its exact spelling, or else any case, or 0.
 */
static Symbol find_symbol(const Symbols *symbols, const char *word,
                          size_t length) {
  Symbol folded = 0;
  for (Symbol i = 1; i < symbols->names.count; i++) {
    const SymbolName *name = &symbols->names.data[i];
    if (name->length != length) continue;
    if (memcmp(name->text, word, length) == 0) return i;
    if (!folded && strncasecmp(name->text, word, length) == 0) folded = i;
  }
  return folded;
}

typedef struct TermReader {
  Terms *terms;
  const char *at; /* in a normal form */
  bool make;
} TermReader;

/* Reads the term that the rest of the text begins with, or returns 0. */
static Term read_term(TermReader *reader, uint32_t depth) {
  Term arguments[TERM_LARGEST_ARITY];
  uint32_t count = 0;
  bool list = *reader->at == '(';
  reader->at += list;
  size_t length = token_length(reader->at);
  Symbol symbol = find_symbol(&reader->terms->symbols, reader->at, length);
  if (!symbol || depth > PARSE_DEEPEST) return 0;
  reader->at = skip_space(reader->at + length);
  while (list && *reader->at != ')') {
    if (count == TERM_LARGEST_ARITY) return 0;
    arguments[count] = read_term(reader, depth + 1);
    if (!arguments[count++]) return 0;
    reader->at = skip_space(reader->at);
  }
  if (list) reader->at++;
  return reader->make ? term_compound(reader->terms, symbol, arguments, count)
                      : term_find(reader->terms, symbol, arguments, count);
}

Term spelling_term(Terms *terms, const char *text, bool make) {
  Text normal = {0};
  spelling_normal(text, &normal);
  TermReader reader = {terms, text_string(&normal), make};
  Term term = *reader.at ? read_term(&reader, 0) : 0;
  if (*reader.at) term = 0;
  text_free(&normal);
  return term;
}

/* ---- lines ---- */

void spelling_split(const char *lines, TextVector *moves) {
  while (*lines) {
    Text move = {0};
    size_t length = strcspn(lines, "\n");
    text_add_bytes(&move, lines, length);
    vector_push(moves, move);
    lines += length + (lines[length] != 0);
  }
}
