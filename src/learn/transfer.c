/* Names are compared in the words of the games, so the canonical names of the
   file are translated back first. */
#include "learn/transfer.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

/* The other game, in its own words. */
typedef struct Origin {
  const Knowledge *knowledge;
  TextVector names;
  Map map; /* names by hash */
} Origin;

static void origin_init(Origin *origin, const Knowledge *knowledge) {
  *origin = (Origin){.knowledge = knowledge};
  for (uint32_t i = 0; i < knowledge->names.count; i++) {
    Text name = {0};
    canon_read(&knowledge->words, text_string(&knowledge->names.data[i]),
               &name);
    vector_push(&origin->names, name);
    map_add(&origin->map, hash_bytes(text_string(&name), name.length), i + 1);
  }
}

static void origin_free(Origin *origin) {
  text_vector_free(&origin->names);
  map_free(&origin->map);
}

/* Returns the number of the feature with that name, from 1, or 0. */
static uint32_t find(const Origin *origin, const Text *name) {
  MapCursor at;
  uint64_t hash = hash_bytes(text_string(name), name->length);
  for (uint32_t e = map_first(&origin->map, hash, &at); e;
       e = map_next(&origin->map, &at))
    if (strcmp(text_string(&origin->names.data[e - 1]), text_string(name)) == 0)
      return e;
  return 0;
}

static bool same_word(const Knowledge *knowledge, const char *canonical,
                      const char *word) {
  Text plain = {0};
  canon_read(&knowledge->words, canonical, &plain);
  bool same = strcmp(text_string(&plain), word) == 0;
  text_free(&plain);
  return same;
}

static bool same_roles(const Knowledge *from, const Linear *linear) {
  const Rules *rules = &linear->analysis->description->rules;
  bool same =
      from->rows == linear->rows && from->roles.count == rules->roles.count;
  for (uint32_t r = 0; same && r < rules->roles.count; r++) {
    Text role = {0};
    term_write(&rules->terms, rules->roles.data[r], &role);
    same =
        same_word(from, text_string(&from->roles.data[r]), text_string(&role));
    text_free(&role);
  }
  return same;
}

/* ---- places ---- */

/* A place of one board as a mixture of two values of each argument of the
   other. */
typedef struct Mixture {
  const KnowledgeBoard *board;
  uint32_t arguments[PLACES_ARGUMENTS], count;
  uint32_t low[PLACES_ARGUMENTS]; /* by argument: index of a value, */
  double share[PLACES_ARGUMENTS]; /* and the share of the next one */
} Mixture;

static const Board *board_of(const Linear *linear, Term fact) {
  const Places *places = &linear->analysis->places;
  const Terms *terms = &linear->analysis->description->rules.terms;
  for (uint32_t b = 0; b < places->boards.count; b++) {
    const Board *board = &places->boards.data[b];
    if (board->functor == term_symbol(terms, fact) &&
        board->arity == term_arity(terms, fact))
      return board;
  }
  return NULL;
}

static bool same_shape(const Board *board, const KnowledgeBoard *other) {
  return other->arity == board->arity && other->place == board->place &&
         other->piece == board->piece;
}

/* Returns the board of the same functor and shape. If there is none, the only
   one of the same shape may have another functor: (cell 1 2 pawn) in one game
   is (holds 1 2 pawn) in another. */
static const KnowledgeBoard *
find_board(const Knowledge *from, const Linear *linear, const Board *board) {
  const Analysis *analysis = linear->analysis;
  const Terms *terms = &analysis->description->rules.terms;
  const char *functor = symbol_text(&terms->symbols, board->functor);
  const KnowledgeBoard *alike = NULL;
  uint32_t count = 0;
  for (uint32_t b = 0; b < from->boards.count; b++) {
    const KnowledgeBoard *other = &from->boards.data[b];
    if (!same_shape(board, other)) continue;
    if (same_word(from, other->functor, functor)) return other;
    alike = other;
    count++;
  }
  if (count != 1 || !board->piece) return NULL;
  for (uint32_t b = 0; b < analysis->places.boards.count; b++) {
    const Board *own = &analysis->places.boards.data[b];
    if (own != board && same_shape(own, alike)) return NULL;
  }
  return alike;
}

/* Returns false if the boards have no common order. */
static bool find_mixture(const Knowledge *from, const Linear *linear, Term fact,
                         const Board *board, Mixture *mixture) {
  const Terms *terms = &linear->analysis->description->rules.terms;
  *mixture = (Mixture){.board = find_board(from, linear, board)};
  if (!mixture->board) return false;
  for (uint32_t a = 0; a < board->arity && a < PLACES_ARGUMENTS; a++) {
    const TermVector *values = &board->values[a];
    const TextVector *others = &mixture->board->axes[a];
    if (!(board->place >> a & 1)) continue;
    if (board->order[a] == PLACES_UNORDERED || !others->count) return false;
    uint32_t at = 0;
    while (at < values->count &&
           values->data[at] != term_argument(terms, fact, a))
      at++;
    if (at == values->count) return false;
    double place = values->count > 1
                       ? (double)at * (others->count - 1) / (values->count - 1)
                       : 0;
    mixture->low[a] = (uint32_t)floor(place);
    mixture->share[a] = place - floor(place);
    mixture->arguments[mixture->count++] = a;
  }
  return mixture->count > 0;
}

/* Writes the fact with the place that `corner` chooses of the mixture. Returns
   the share of that place. */
static double write_corner(const Knowledge *from, const Terms *terms, Term fact,
                           const Mixture *mixture, uint32_t corner,
                           Text *name) {
  double share = 1;
  text_clear(name);
  text_add_byte(name, '(');
  canon_read(&from->words, mixture->board->functor, name);
  for (uint32_t a = 0, i = 0; a < term_arity(terms, fact); a++) {
    text_add_byte(name, ' ');
    if (i == mixture->count || mixture->arguments[i] != a) {
      term_write(terms, term_argument(terms, fact, a), name);
      continue;
    }
    bool high = corner >> i++ & 1;
    share *= high ? mixture->share[a] : 1 - mixture->share[a];
    if (share == 0) return 0;
    const TextVector *axis = &mixture->board->axes[a];
    canon_read(&from->words, text_string(&axis->data[mixture->low[a] + high]),
               name);
  }
  text_add_byte(name, ')');
  return share;
}

/* ---- features ---- */

/* Adds up the weights of what the feature corresponds to, by row. Returns false
   if that is nothing. */
static bool add_corners(const Origin *origin, const Terms *terms, Term fact,
                        const Mixture *mixture, double *weights) {
  const Knowledge *from = origin->knowledge;
  Text name = {0};
  double total = 0;
  for (uint32_t corner = 0; corner < 1u << mixture->count; corner++) {
    double share = write_corner(from, terms, fact, mixture, corner, &name);
    uint32_t found = share > 0 ? find(origin, &name) : 0;
    if (!found) continue;
    total += share;
    for (uint32_t row = 0; row < from->rows; row++)
      weights[row] +=
          share *
          (double)from->weights.data[(size_t)(found - 1) * from->rows + row];
  }
  text_free(&name);
  for (uint32_t row = 0; total > 0 && row < from->rows; row++)
    weights[row] /= total;
  return total > 0;
}

/* Returns the board of the game whose functor is the word. */
static const Board *board_named(const Linear *linear, const char *word,
                                size_t length) {
  const Places *places = &linear->analysis->places;
  const Terms *terms = &linear->analysis->description->rules.terms;
  for (uint32_t b = 0; b < places->boards.count; b++) {
    const char *own =
        symbol_text(&terms->symbols, places->boards.data[b].functor);
    if (strlen(own) == length && memcmp(own, word, length) == 0)
      return &places->boards.data[b];
  }
  return NULL;
}

/* Writes the name of the feature in the other game, where boards may have other
   functors. */
static void write_same(const Knowledge *from, const Linear *linear,
                       uint32_t feature, Text *name) {
  Text plain = {0};
  linear_name(linear, feature, &plain);
  for (const char *text = text_string(&plain); *text;) {
    text_add_byte(name, *text);
    if (*text++ != '(') continue;
    size_t length = canon_word(text);
    const Board *board = board_named(linear, text, length);
    const KnowledgeBoard *other =
        board ? find_board(from, linear, board) : NULL;
    if (other)
      canon_read(&from->words, other->functor, name);
    else
      text_add_bytes(name, text, length);
    text += length;
  }
  text_free(&plain);
}

static bool add_same(const Origin *origin, const Linear *linear,
                     uint32_t feature, double *weights) {
  const Knowledge *from = origin->knowledge;
  Text name = {0};
  write_same(from, linear, feature, &name);
  uint32_t found = find(origin, &name);
  text_free(&name);
  for (uint32_t row = 0; found && row < from->rows; row++)
    weights[row] =
        (double)from->weights.data[(size_t)(found - 1) * from->rows + row];
  return found;
}

static bool find_weights(const Origin *origin, const Linear *linear,
                         uint32_t feature, double *weights) {
  const LinearFeature *own = &linear->features.data[feature];
  const Terms *terms = &linear->analysis->description->rules.terms;
  Mixture mixture;
  for (uint32_t row = 0; row < linear->rows; row++) weights[row] = 0;
  if (own->class == FEATURE_FLUENT) {
    Term fact = linear->analysis->net->fluents.data[own->first].term;
    const Board *board = board_of(linear, fact);
    if (board)
      return find_mixture(origin->knowledge, linear, fact, board, &mixture) &&
             add_corners(origin, terms, fact, &mixture, weights);
  }
  return add_same(origin, linear, feature, weights);
}

/* Calls find_weights for all features, and sets the weights if `factor` is not
   0. Returns how many features were found. */
static uint32_t transfer(const Knowledge *from, double factor, Linear *changed,
                         const Linear *linear) {
  Origin origin;
  uint32_t found = 0;
  if (!same_roles(from, linear)) return 0;
  origin_init(&origin, from);
  double *weights = memory_new(linear->rows * sizeof *weights);
  for (uint32_t f = 0; f < linear->features.count; f++) {
    bool fine = find_weights(&origin, linear, f, weights);
    found += fine;
    for (uint32_t row = 0; changed && row < linear->rows; row++)
      linear_row(changed, row)[f] = fine ? (float)(factor * weights[row]) : 0;
  }
  memory_delete(weights);
  origin_free(&origin);
  return found;
}

double transfer_share(const Knowledge *from, const Linear *linear) {
  uint32_t count = linear->features.count;
  return count ? (double)transfer(from, 0, NULL, linear) / count : 0;
}

uint32_t transfer_give(const Knowledge *from, double factor, Linear *linear) {
  return transfer(from, factor, linear, linear);
}

void transfer_clear(Linear *linear) {
  size_t count = (size_t)linear->rows * linear->features.count;
  memset(linear->weights, 0, count * sizeof *linear->weights);
  linear_freeze(linear);
}
