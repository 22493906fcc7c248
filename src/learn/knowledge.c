/* The names of features are those of linear_name in canonical form; the word
   that says what a feature is, such as `kind`, is no word of the rules and
   stays as it is. */
#include "learn/knowledge.h"

#include <string.h>

#include "base/hash.h"

/* ---- memory ---- */

static void free_board(KnowledgeBoard *board) {
  memory_delete(board->functor);
  for (uint32_t a = 0; a < PLACES_ARGUMENTS; a++)
    text_vector_free(&board->axes[a]);
}

void knowledge_free(Knowledge *knowledge) {
  text_free(&knowledge->game);
  text_vector_free(&knowledge->roles);
  text_vector_free(&knowledge->words);
  for (uint32_t b = 0; b < knowledge->boards.count; b++)
    free_board(&knowledge->boards.data[b]);
  vector_free(&knowledge->boards);
  text_vector_free(&knowledge->names);
  vector_free(&knowledge->weights);
}

static void push_text(TextVector *list, const char *string) {
  Text own = {0};
  text_add(&own, string);
  vector_push(list, own);
}

/* ---- from a game ---- */

static void write_name(const Canon *canon, const Linear *linear,
                       uint32_t feature, Text *plain, Text *name) {
  text_clear(plain);
  text_clear(name);
  linear_name(linear, feature, plain);
  const char *text = text_string(plain);
  size_t class = canon_word(text);
  if (text[class] != ' ') class = 0;
  text_add_bytes(name, text, class);
  canon_write(canon, text + class, name);
}

static void write_term(const Canon *canon, const Terms *terms, Term term,
                       Text *name) {
  Text plain = {0};
  term_write(terms, term, &plain);
  canon_write(canon, text_string(&plain), name);
  text_free(&plain);
}

/* An argument has an order if its values are words in order. */
static void take_axis(const Canon *canon, const Terms *terms,
                      const Board *board, uint32_t argument, TextVector *axis) {
  const TermVector *values = &board->values[argument];
  if (board->order[argument] == PLACES_UNORDERED ||
      values->count > KNOWLEDGE_AXIS)
    return;
  for (uint32_t i = 0; i < values->count; i++)
    if (term_arity(terms, values->data[i])) return;
  for (uint32_t i = 0; i < values->count; i++) {
    Text word = {0};
    write_term(canon, terms, values->data[i], &word);
    vector_push(axis, word);
  }
}

static void take_board(Knowledge *knowledge, const Canon *canon,
                       const Terms *terms, const Board *board) {
  KnowledgeBoard own = {
      .arity = board->arity, .place = board->place, .piece = board->piece};
  Text functor = {0};
  canon_write(canon, symbol_text(&terms->symbols, board->functor), &functor);
  own.functor = memory_new(functor.length + 1);
  memcpy(own.functor, text_string(&functor), functor.length);
  text_free(&functor);
  for (uint32_t a = 0; a < board->arity && a < PLACES_ARGUMENTS; a++)
    if (board->place >> a & 1) take_axis(canon, terms, board, a, &own.axes[a]);
  vector_push(&knowledge->boards, own);
}

/* The last part of a path, without ".kif", as one word. */
static void take_game(Knowledge *knowledge, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strstr(name, ".kif");
  size_t length = dot && !dot[4] ? (size_t)(dot - name) : strlen(name);
  for (size_t i = 0; i < length; i++)
    text_add_byte(&knowledge->game,
                  (unsigned char)name[i] > ' ' && name[i] != 127 ? name[i]
                                                                 : '_');
  if (!length) text_add_byte(&knowledge->game, '_');
}

static void take_weights(Knowledge *knowledge, const Canon *canon,
                         const Linear *linear) {
  Text plain = {0};
  uint32_t count = linear->features.count;
  knowledge->rows = linear->rows;
  for (uint32_t f = 0; f < count; f++) {
    bool any = false;
    for (uint32_t row = 0; row < linear->rows; row++)
      any |= linear->weights[(size_t)row * count + f] != 0;
    if (!any) continue;
    Text name = {0};
    write_name(canon, linear, f, &plain, &name);
    vector_push(&knowledge->names, name);
    for (uint32_t row = 0; row < linear->rows; row++)
      vector_push(&knowledge->weights,
                  linear->weights[(size_t)row * count + f]);
  }
  text_free(&plain);
}

void knowledge_take(Knowledge *knowledge, const Canon *canon,
                    const Linear *linear, const LearnerProgress *work) {
  const Analysis *analysis = linear->analysis;
  const Rules *rules = &analysis->description->rules;
  *knowledge = (Knowledge){.work = *work};
  memcpy(knowledge->rules, canon->hash, sizeof knowledge->rules);
  take_game(knowledge, analysis->description->source.name);
  for (uint32_t r = 0; r < rules->roles.count; r++) {
    Text role = {0};
    write_term(canon, &rules->terms, rules->roles.data[r], &role);
    vector_push(&knowledge->roles, role);
  }
  for (uint32_t i = 0; i < canon->words.count; i++)
    push_text(&knowledge->words, text_string(&canon->words.data[i]));
  for (uint32_t b = 0;
       b < analysis->places.boards.count && b < KNOWLEDGE_BOARDS; b++)
    take_board(knowledge, canon, &rules->terms,
               &analysis->places.boards.data[b]);
  take_weights(knowledge, canon, linear);
}

/* ---- to a game ---- */

static uint32_t find_name(const TextVector *names, const Map *map,
                          const Text *name) {
  MapCursor at;
  uint64_t hash = hash_bytes(text_string(name), name->length);
  for (uint32_t e = map_first(map, hash, &at); e; e = map_next(map, &at))
    if (strcmp(text_string(&names->data[e - 1]), text_string(name)) == 0)
      return e;
  return 0;
}

uint32_t knowledge_give(const Knowledge *knowledge, const Canon *canon,
                        Linear *linear) {
  Map map = {0};
  Text plain = {0}, name = {0};
  uint32_t found = 0, count = linear->features.count;
  bool same = knowledge->rows == linear->rows &&
              strcmp(knowledge->rules, canon->hash) == 0;
  for (uint32_t i = 0; same && i < knowledge->names.count; i++)
    map_add(&map,
            hash_bytes(text_string(&knowledge->names.data[i]),
                       knowledge->names.data[i].length),
            i + 1);
  for (uint32_t f = 0; same && f < count; f++) {
    write_name(canon, linear, f, &plain, &name);
    uint32_t at = find_name(&knowledge->names, &map, &name);
    found += at != 0;
    for (uint32_t row = 0; row < linear->rows; row++)
      linear_row(linear, row)[f] =
          at ? knowledge->weights.data[(size_t)(at - 1) * linear->rows + row]
             : 0;
  }
  map_free(&map);
  text_free(&plain);
  text_free(&name);
  return found;
}
