/* A family becomes "name: a b" or, where facts have several arguments,
   "name: red 12, black 11", with the last arguments of facts that agree in the
   others together: "castling: white kingside queenside". Short ones share
   lines. */
#include "game/remarks.h"

#include "game/canvas.h"
#include "game/words.h"

enum { SHORT = 30, BRIEF_LINES = 2 };

static void write_functor(const Remarks *remarks, const Family *family,
                          Text *text) {
  words_write(
      symbol_text(&remarks->families->rules->terms.symbols, family->functor),
      text);
}

static void write_value(const Terms *terms, Term term, Text *text) {
  enum { LARGEST = 40 };
  if (term_size(terms, term) > LARGEST)
    text_format(text, "(%s ...)",
                symbol_text(&terms->symbols, term_symbol(terms, term)));
  else
    term_write(terms, term, text);
}

static bool same_beginning(const Terms *terms, Term a, Term b) {
  for (uint32_t i = 0; i + 1 < term_arity(terms, a); i++)
    if (term_argument(terms, a, i) != term_argument(terms, b, i)) return false;
  return true;
}

/* Makes items of sorted facts; a comma ends the last of those that agree. */
static void make_items(const Terms *terms, const TermVector *facts,
                       TextVector *items) {
  for (uint32_t i = 0; i < facts->count; i++) {
    Term fact = facts->data[i];
    uint32_t arity = term_arity(terms, fact);
    bool again =
        i && arity > 1 && same_beginning(terms, facts->data[i - 1], fact);
    if (i && arity > 1 && !again) text_add_byte(&vector_last(items), ',');
    Text item = {0};
    for (uint32_t a = again ? arity - 1 : 0; a < arity; a++) {
      if (item.length) text_add_byte(&item, ' ');
      write_value(terms, term_argument(terms, fact, a), &item);
    }
    vector_push(items, item);
  }
}

static void add_colour(Text *text, const char *colour) {
  if (colour) text_format(text, "\33[%sm", colour);
}

static uint32_t role_of(const Rules *rules, Term fact) {
  uint32_t role = 0;
  while (term_arity(&rules->terms, fact) && role < rules->roles.count &&
         rules->roles.data[role] != term_argument(&rules->terms, fact, 0))
    role++;
  return role;
}

/* Writes whose turn it is, and to do what. */
static void write_turn(const Remarks *remarks, Term fact, const char *verb,
                       Text *text) {
  const Terms *terms = &remarks->families->rules->terms;
  Text name = {0};
  write_value(terms, term_argument(terms, fact, 0), &name);
  const char *colour = remarks->style->colour
                           ? glyphs_colour(remarks->glyphs, text_string(&name))
                           : NULL;
  add_colour(text, colour);
  text_add(text, text_string(&name));
  if (colour) text_add(text, "\33[0m");
  text_format(text, " to %s", verb);
  text_free(&name);
}

/* Returns whether the fact says whose turn it is, and sets the verb: "move", or
   "place" for (placeControl red). */
static bool find_verb(const Remarks *remarks, uint32_t family,
                      const TermVector *facts, Text *verb) {
  static const char control[] = " control";
  const Rules *rules = remarks->families->rules;
  const Family *own = &remarks->families->list.data[family];
  if (facts->count != 1 || own->arity != 1) return false;
  write_functor(remarks, own, verb);
  size_t suffix = strlen(control);
  if (verb->length > suffix &&
      strcmp(verb->bytes + verb->length - suffix, control) == 0 &&
      role_of(rules, facts->data[0]) < rules->roles.count) {
    verb->length -= suffix;
    verb->bytes[verb->length] = '\0';
    return true;
  }
  text_clear(verb);
  text_add(verb, "move");
  return family == remarks->turn;
}

/* Facts about roles come in the order of the roles. */
static void sort_by_role(const Rules *rules, TermVector *facts) {
  enum { MOST = 100 };
  for (uint32_t i = 1; i < facts->count && facts->count <= MOST; i++)
    for (uint32_t j = i; j > 0; j--) {
      Term above = facts->data[j - 1], own = facts->data[j];
      if (role_of(rules, above) <= role_of(rules, own)) break;
      facts->data[j - 1] = own;
      facts->data[j] = above;
    }
}

static void collect(const Remarks *remarks, const Term *facts, uint32_t count,
                    uint32_t family, TermVector *own) {
  const Terms *terms = &remarks->families->rules->terms;
  const Family *wanted = &remarks->families->list.data[family];
  for (uint32_t i = 0; i < count; i++)
    if (term_symbol(terms, facts[i]) == wanted->functor &&
        term_arity(terms, facts[i]) == wanted->arity)
      vector_push(own, facts[i]);
  if (own->count) term_sort(terms, own->data, own->count);
  sort_by_role(remarks->families->rules, own);
}

/* Writes the family as one phrase, which may be empty, or returns false if it
   is too long. */
static bool write_phrase(const Remarks *remarks, uint32_t family,
                         const TermVector *facts, Text *text) {
  const Terms *terms = &remarks->families->rules->terms;
  const Family *own = &remarks->families->list.data[family];
  Text verb = {0};
  bool turn = find_verb(remarks, family, facts, &verb);
  if (turn && !remarks->style->over)
    write_turn(remarks, facts->data[0], text_string(&verb), text);
  text_free(&verb);
  if (turn) return true;
  TextVector items = {0};
  write_functor(remarks, own, text);
  make_items(terms, facts, &items);
  for (uint32_t i = 0; i < items.count && text->length <= SHORT; i++) {
    if (items.data[i].length) text_add_byte(text, ' ');
    text_add(text, text_string(&items.data[i]));
  }
  text_vector_free(&items);
  return text->length <= SHORT;
}

static void write_list(const Remarks *remarks, uint32_t family,
                       const TermVector *facts, uint32_t lines, Text *text) {
  Text heading = {0};
  TextVector items = {0};
  write_functor(remarks, &remarks->families->list.data[family], &heading);
  text_add_byte(&heading, ':');
  make_items(&remarks->families->rules->terms, facts, &items);
  canvas_list(text_string(&heading), &items, remarks->style, lines, text);
  text_vector_free(&items);
  text_free(&heading);
}

static void write_phrases(const Remarks *remarks, TextVector *phrases,
                          Text *text) {
  for (uint32_t i = 0; i + 1 < phrases->count; i++)
    text_add_byte(&phrases->data[i], ';');
  if (phrases->count)
    canvas_list("", phrases, remarks->style, remarks->lines, text);
}

/* Writes the family as lines of its own, unless they are too many. */
static void write_lines(const Remarks *remarks, uint32_t family,
                        const TermVector *facts, uint32_t left, bool *left_out,
                        Text *text) {
  Text own = {0};
  if (remarks->brief) {
    write_list(remarks, family, facts, 0, &own);
    uint32_t lines = canvas_height(text_string(&own));
    *left_out = lines > BRIEF_LINES || (remarks->lines && lines > left);
  } else {
    write_list(remarks, family, facts, left, &own);
  }
  if (!*left_out) text_add(text, text_string(&own));
  text_free(&own);
}

/* Makes one line of several, which are indented. */
static void join_lines(Text *text) {
  size_t length = 0;
  for (size_t i = 0; i < text->length; i++) {
    char byte = text->bytes[i] == '\n' ? ' ' : text->bytes[i];
    if (byte != ' ' || (length && text->bytes[length - 1] != ' '))
      text->bytes[length++] = byte;
  }
  while (length && text->bytes[length - 1] == ' ') length--;
  if (text->length) text->bytes[length] = '\0';
  text->length = length;
}

/* Appends what is to be said about the facts of one family, if anything. */
static void list_family(const Remarks *remarks, uint32_t family,
                        const TermVector *facts, TextVector *texts) {
  Text text = {0};
  bool left_out = false;
  if (!write_phrase(remarks, family, facts, &text)) {
    text_clear(&text);
    write_lines(remarks, family, facts, 0, &left_out, &text);
    join_lines(&text);
  }
  if (text.length)
    vector_push(texts, text);
  else
    text_free(&text);
}

void remarks_list(const Remarks *remarks, const Term *facts, uint32_t count,
                  TextVector *texts) {
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t f = 0; f < remarks->families->list.count; f++) {
      if (!remarks->listed[f] || (f == remarks->turn) != (pass == 0)) continue;
      TermVector own = {0};
      collect(remarks, facts, count, f, &own);
      if (own.count) list_family(remarks, f, &own, texts);
      vector_free(&own);
    }
}

void remarks_write(const Remarks *remarks, const Term *facts, uint32_t count,
                   bool *left_out, Text *text) {
  uint32_t families = remarks->families->list.count;
  TextVector phrases = {0};
  Text lists = {0};
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t f = 0; f < families; f++) {
      if (!remarks->listed[f] || (f == remarks->turn) != (pass == 0)) continue;
      TermVector own = {0};
      Text phrase = {0};
      collect(remarks, facts, count, f, &own);
      uint32_t used = canvas_height(text_string(&lists)) + 1;
      uint32_t left = remarks->lines > used ? remarks->lines - used : 1;
      bool phrased = own.count && write_phrase(remarks, f, &own, &phrase);
      if (phrased && phrase.length)
        vector_push(&phrases, phrase);
      else
        text_free(&phrase);
      if (own.count && !phrased)
        write_lines(remarks, f, &own, remarks->lines ? left : 0, &left_out[f],
                    &lists);
      vector_free(&own);
    }
  write_phrases(remarks, &phrases, text);
  text_add(text, text_string(&lists));
  text_vector_free(&phrases);
  text_free(&lists);
}

void remarks_write_rest(const Remarks *remarks, const Term *facts,
                        uint32_t count, const bool *shown, Text *text) {
  const Terms *terms = &remarks->families->rules->terms;
  TermVector rest = {0};
  TextVector items = {0};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t family = families_find(remarks->families, facts[i]);
    if (family == remarks->families->list.count || !shown[family])
      vector_push(&rest, facts[i]);
  }
  if (rest.count) term_sort(terms, rest.data, rest.count);
  for (uint32_t i = 0; i < rest.count; i++) {
    Text item = {0};
    write_value(terms, rest.data[i], &item);
    vector_push(&items, item);
  }
  if (items.count) canvas_list("", &items, remarks->style, 0, text);
  text_vector_free(&items);
  vector_free(&rest);
}
