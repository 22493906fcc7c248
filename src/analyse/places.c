/* A functor is a board if it has many small one-hot groups (analyse/onehot.h):
   the arguments in which a group agrees are the place, the others the piece. If
   it has one group that varies the first arguments, those are the place (one
   knight on many squares); if it has none, all arguments are (lamps). Values
   are ordered as numbers, by a chain of facts in the rules, or as letters. A
   move names a place where consecutive arguments take only values of the
   board's place arguments; the first such place is its origin and the last its
   target, if most sampled moves changed something there. */
#include "analyse/places.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/trial.h"

enum { FEWEST_PLACES = 4 };

const char *places_order_name(PlacesOrder order) {
  static const char *const names[] = {"unordered", "numbers", "rules",
                                      "letters"};
  return names[order];
}

/* ---- orders ---- */

static bool contains(const TermVector *list, Term term) {
  return term_vector_contains(list, term);
}

static bool all_numbers(const Terms *terms, const TermVector *values) {
  for (uint32_t i = 0; i < values->count; i++)
    if (term_number(terms, values->data[i]) < 0) return false;
  return true;
}

static bool all_letters(const Terms *terms, const TermVector *values) {
  for (uint32_t i = 0; i < values->count; i++) {
    Symbol symbol = term_symbol(terms, values->data[i]);
    if (term_arity(terms, values->data[i]) ||
        strlen(symbol_text(&terms->symbols, symbol)) != 1)
      return false;
  }
  return true;
}

/* Returns the only value that follows (or precedes, if `back`) by facts of the
   predicate, or 0 if there is not exactly one. */
static Term follower(const Rules *rules, Symbol name, Term value, bool back) {
  trial_check();
  Term found = 0;
  for (uint32_t r = 0; r < rules->list.count; r++) {
    const Rule *rule = &rules->list.data[r];
    if (rule->count || term_symbol(&rules->terms, rule->head) != name ||
        term_arity(&rules->terms, rule->head) != 2 ||
        term_argument(&rules->terms, rule->head, back) != value)
      continue;
    Term next = term_argument(&rules->terms, rule->head, !back);
    if (found && found != next) return 0;
    found = next;
  }
  return found;
}

/* Sorts the values along the chain through the first one; returns false if it
   does not cover all of them. */
static bool order_by_chain(const Rules *rules, Symbol name,
                           TermVector *values) {
  TermVector chain = {0};
  uint32_t covered = 0, most = values->count * 2 + 8;
  Term first = values->data[0];
  for (Term at; (at = follower(rules, name, first, true)) && most--;)
    first = at;
  for (Term at = first; at && !contains(&chain, at);
       at = follower(rules, name, at, false))
    vector_push(&chain, at);
  for (uint32_t i = 0; i < chain.count; i++)
    if (contains(values, chain.data[i])) chain.data[covered++] = chain.data[i];
  bool fine = chain.count > 1 && covered == values->count;
  if (fine) memcpy(values->data, chain.data, covered * sizeof *chain.data);
  vector_free(&chain);
  return fine;
}

static bool order_by_rules(const Rules *rules, TermVector *values) {
  TermVector tried = {0}; /* names, as numbers */
  bool fine = false;
  for (uint32_t r = 0; r < rules->list.count && !fine; r++) {
    const Rule *rule = &rules->list.data[r];
    Symbol name = term_symbol(&rules->terms, rule->head);
    if (rule->count || term_arity(&rules->terms, rule->head) != 2 ||
        name < SYMBOL_FIRST_FREE || contains(&tried, name) ||
        !contains(values, term_argument(&rules->terms, rule->head, 0)))
      continue;
    vector_push(&tried, name);
    fine = order_by_chain(rules, name, values);
  }
  vector_free(&tried);
  return fine;
}

PlacesOrder places_order(const Rules *rules, TermVector *values) {
  term_sort(&rules->terms, values->data, values->count);
  if (all_numbers(&rules->terms, values)) return PLACES_NUMBERS;
  if (order_by_rules(rules, values)) return PLACES_RULES;
  return all_letters(&rules->terms, values) ? PLACES_LETTERS : PLACES_UNORDERED;
}

/* ---- boards ---- */

static uint32_t bits(uint32_t number) {
  return (uint32_t)__builtin_popcount(number);
}

static uint64_t place_key(const Terms *terms, Term term, uint32_t place) {
  uint64_t key = 0;
  for (uint32_t i = 0; i < term_arity(terms, term); i++)
    if (place >> i & 1) key = hash_pair(key, term_argument(terms, term, i));
  return key;
}

/* Returns the place arguments, according to the functor's main groups. */
static uint32_t place_arguments(const OneHot *onehot, const Net *net,
                                const Terms *terms, const Board *board,
                                Evidence *single) {
  uint32_t groups = 0, varying = 0, all = ((uint32_t)1 << board->arity) - 1;
  *single = EVIDENCE_PROVED;
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    Term term = net->fluents.data[onehot_members(onehot, group)[0]].term;
    if (!group->main || term_symbol(terms, term) != board->functor ||
        term_arity(terms, term) != board->arity)
      continue;
    groups++;
    varying = group->varying;
    if (group->at_most < *single) *single = group->at_most;
  }
  if (!groups) return all;
  if (groups >= FEWEST_PLACES) return all & ~varying;
  return varying & 1 && bits(varying) > 1 ? varying : 0;
}

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static bool of_board(const Terms *terms, const Board *board, Term term) {
  return term_symbol(terms, term) == board->functor &&
         term_arity(terms, term) == board->arity;
}

static uint32_t count_places(const Net *net, const Terms *terms,
                             const Board *board) {
  trial_check();
  uint64_t *keys = memory_new((board->fluents + 1) * sizeof *keys);
  uint32_t count = 0, different = 0;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (of_board(terms, board, net->fluents.data[i].term))
      keys[count++] = place_key(terms, net->fluents.data[i].term, board->place);
  qsort(keys, count, sizeof *keys, by_value);
  for (uint32_t i = 0; i < count; i++)
    different += i == 0 || keys[i] != keys[i - 1];
  memory_delete(keys);
  return different;
}

static void collect_values(const Net *net, const Terms *terms, Board *board) {
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Term term = net->fluents.data[i].term;
    for (uint32_t a = 0; of_board(terms, board, term) && a < board->arity; a++)
      if (!contains(&board->values[a], term_argument(terms, term, a)))
        vector_push(&board->values[a], term_argument(terms, term, a));
  }
}

/* Places must fill at least half of what their arguments span, and have two
   arguments, or one and a piece. */
static bool is_board(const Board *board) {
  double span = 1;
  for (uint32_t a = 0; a < board->arity; a++)
    if (board->place >> a & 1) span *= board->values[a].count;
  if (bits(board->place) > 3 || board->place_count < FEWEST_PLACES ||
      board->place_count * 2 < span)
    return false;
  return bits(board->place) > 1 || (board->place && board->piece);
}

static void try_board(Places *places, const Description *description,
                      const Net *net, const OneHot *onehot, Board *board) {
  const Rules *rules = &description->rules;
  board->place =
      place_arguments(onehot, net, &rules->terms, board, &board->single);
  board->piece = (((uint32_t)1 << board->arity) - 1) & ~board->place;
  board->place_count = count_places(net, &rules->terms, board);
  collect_values(net, &rules->terms, board);
  for (uint32_t a = 0; a < board->arity; a++)
    board->order[a] = places_order(rules, &board->values[a]);
  if (is_board(board)) {
    vector_push(&places->boards, *board);
    return;
  }
  for (uint32_t a = 0; a < board->arity; a++) vector_free(&board->values[a]);
}

static void find_boards(Places *places, const Description *description,
                        const Net *net, const OneHot *onehot) {
  const Terms *terms = &description->rules.terms;
  VECTOR(Board) all = {0};
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Term term = net->fluents.data[i].term;
    uint32_t b = 0, arity = term_arity(terms, term);
    while (b < all.count && !of_board(terms, &all.data[b], term)) b++;
    if (b == all.count) {
      Board board = {.functor = term_symbol(terms, term), .arity = arity};
      vector_push(&all, board);
    }
    all.data[b].fluents++;
  }
  for (uint32_t b = 0; b < all.count; b++)
    if (all.data[b].arity > 1 && all.data[b].arity <= PLACES_ARGUMENTS)
      try_board(places, description, net, onehot, &all.data[b]);
  vector_free(&all);
}

/* ---- moves ---- */

/* Returns whether the move's arguments from `at` on are a place of the
   board. */
static bool names_place(const Terms *terms, const Board *board, Term move,
                        uint32_t at) {
  for (uint32_t a = 0; a < board->arity; a++) {
    if (!(board->place >> a & 1)) continue;
    if (at >= term_arity(terms, move) ||
        !contains(&board->values[a], term_argument(terms, move, at)))
      return false;
    at++;
  }
  return true;
}

static void find_shapes(Places *places, const Net *net, const Terms *terms) {
  for (uint32_t m = 0; m < net->moves.count; m++) {
    const NetMove *move = &net->moves.data[m];
    uint32_t s = 0, arity = term_arity(terms, move->term);
    Symbol functor = term_symbol(terms, move->term);
    for (; s < places->shapes.count; s++)
      if (places->shapes.data[s].role == move->role &&
          places->shapes.data[s].functor == functor &&
          places->shapes.data[s].arity == arity)
        break;
    if (s == places->shapes.count) {
      MoveShape shape = {.role = move->role,
                         .functor = functor,
                         .arity = arity,
                         .from = no_argument,
                         .to = no_argument};
      vector_push(&places->shapes, shape);
    }
    places->shapes.data[s].count++;
    places->shape_of[m] = s;
  }
}

/* Finds the first and the last arguments at which all moves of the shape name
   a place. */
static void find_arguments(Places *places, const Net *net, const Terms *terms,
                           uint32_t s, uint32_t b) {
  MoveShape *shape = &places->shapes.data[s];
  const Board *board = &places->boards.data[b];
  uint32_t width = bits(board->place), first = no_argument, last = no_argument;
  for (uint32_t at = 0; at + width <= shape->arity;) {
    bool all = true;
    for (uint32_t m = 0; m < net->moves.count && all; m++)
      all = places->shape_of[m] != s ||
            names_place(terms, board, net->moves.data[m].term, at);
    if (all && first == no_argument) first = at;
    if (all) last = at;
    at += all ? width : 1;
  }
  if (last == no_argument) return;
  shape->board = b;
  shape->to = last;
  shape->from = first == last ? no_argument : first;
}

/* ---- what moves change ---- */

typedef struct PlaceKey {
  uint64_t key;
  uint32_t fluent;
} PlaceKey;

static int by_key(const void *left, const void *right) {
  const PlaceKey *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->fluent > b->fluent) - (a->fluent < b->fluent);
}

static uint64_t key_of_arguments(const Terms *terms, Term move, uint32_t at,
                                 uint32_t width, uint64_t board) {
  uint64_t key = 0;
  for (uint32_t i = 0; i < width; i++)
    key = hash_pair(key, term_argument(terms, move, at + i));
  return hash_pair(key, board);
}

static void list_places(Places *places, const Net *net, const Terms *terms,
                        NumberVector *numbers, PlaceKey *keys) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (uint32_t b = 0; b < places->boards.count; b++) {
      const Board *board = &places->boards.data[b];
      Term term = net->fluents.data[i].term;
      if (!of_board(terms, board, term)) continue;
      uint64_t key = hash_pair(place_key(terms, term, board->place), b);
      keys[count++] = (PlaceKey){key, i};
    }
  qsort(keys, count, sizeof *keys, by_key);
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || keys[i].key != keys[i - 1].key) {
      vector_push(&places->first, i);
      vector_push(numbers, i);
    }
    vector_push(&places->fluents, keys[i].fluent);
  }
  vector_push(&places->first, count);
}

static uint32_t find_place(const PlaceKey *keys, const NumberVector *numbers,
                           uint64_t key) {
  trial_check();
  uint32_t low = 0, high = numbers->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (keys[numbers->data[middle]].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < numbers->count && keys[numbers->data[low]].key == key ? low + 1
                                                                     : 0;
}

static void find_places_of_moves(Places *places, const Net *net,
                                 const Terms *terms) {
  NumberVector numbers = {0};
  PlaceKey *keys = memory_new((net->fluents.count + 1) * sizeof *keys);
  list_places(places, net, terms, &numbers, keys);
  for (uint32_t m = 0; m < net->moves.count; m++) {
    const MoveShape *shape = &places->shapes.data[places->shape_of[m]];
    uint32_t at[2] = {shape->from, shape->to};
    for (int i = 0; i < 2; i++) {
      if (at[i] == no_argument) continue;
      uint32_t width = bits(places->boards.data[shape->board].place);
      places->place_of[i][m] =
          find_place(keys, &numbers,
                     key_of_arguments(terms, net->moves.data[m].term, at[i],
                                      width, shape->board));
    }
  }
  memory_delete(keys);
  vector_free(&numbers);
}

void places_init(Places *places, const Description *description, const Net *net,
                 const OneHot *onehot) {
  const Terms *terms = &description->rules.terms;
  *places = (Places){0};
  places->shape_of = memory_new(net->moves.count * sizeof(uint32_t));
  for (int i = 0; i < 2; i++)
    places->place_of[i] = memory_new(net->moves.count * sizeof(uint32_t));
  find_boards(places, description, net, onehot);
  find_shapes(places, net, terms);
  for (uint32_t s = 0; s < places->shapes.count; s++)
    for (uint32_t b = 0; b < places->boards.count; b++)
      if (places->shapes.data[s].to == no_argument)
        find_arguments(places, net, terms, s, b);
  find_places_of_moves(places, net, terms);
}

void places_take_evidence(Places *places, const OneHot *onehot, const Net *net,
                          const Terms *terms) {
  for (uint32_t b = 0; b < places->boards.count; b++) {
    Board *board = &places->boards.data[b];
    place_arguments(onehot, net, terms, board, &board->single);
  }
}

void places_free(Places *places) {
  for (uint32_t b = 0; b < places->boards.count; b++)
    for (uint32_t a = 0; a < PLACES_ARGUMENTS; a++)
      vector_free(&places->boards.data[b].values[a]);
  vector_free(&places->boards);
  vector_free(&places->shapes);
  memory_delete(places->shape_of);
  memory_delete(places->place_of[0]);
  memory_delete(places->place_of[1]);
  vector_free(&places->fluents);
  vector_free(&places->first);
}

static uint64_t changed_at(const Places *places, const Sample *sample,
                           uint32_t place) {
  uint64_t changed = 0;
  for (uint32_t i = places->first.data[place];
       i < places->first.data[place + 1]; i++) {
    uint32_t fluent = places->fluents.data[i];
    changed |= sample->state[fluent] ^
               sample_value(sample, sample->net->fluents.data[fluent].next);
  }
  return changed;
}

void places_look(Places *places, const Sample *sample) {
  const Net *net = sample->net;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    uint64_t made = sample->values[net->moves.data[m].gate] & sample->moving;
    MoveShape *shape = &places->shapes.data[places->shape_of[m]];
    if (!made) continue;
    shape->made += (uint64_t)__builtin_popcountll(made);
    for (int i = 0; i < 2; i++) {
      uint32_t place = places->place_of[i][m];
      if (!place) continue;
      uint64_t changed = made & changed_at(places, sample, place - 1);
      *(i ? &shape->to_changed : &shape->from_changed) +=
          (uint64_t)__builtin_popcountll(changed);
    }
  }
}

void places_conclude(Places *places) {
  for (uint32_t s = 0; s < places->shapes.count; s++) {
    MoveShape *shape = &places->shapes.data[s];
    if (shape->from_changed * 2 <= shape->made) shape->from = no_argument;
    if (shape->to_changed * 2 <= shape->made) shape->to = no_argument;
  }
}
