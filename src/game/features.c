/* A piece type is what the piece arguments of a board's facts say: whiteRook,
   or white and rook. Its owner is found in random games: the role that moves it
   away from where a move starts and puts it where a move ends, in nine of ten
   cases; for types whose place no move names (a disc that falls), the only role
   with a choice when one appeared. What moves leave behind is blank, not a
   piece; so is what no role or every role owns.

   Finnsson and Björnsson 2010, section 3.4: "Piece type is only judged relevant
   if it can take on more than one value; if not, we consider cell locations".
   Their template of a board is (cell x y piece); it did not match 3D
   tic-tac-toe, so a place must have two coordinates, and moves must name them.
   Games of one role have no features: there are no opponents' pieces.

   At most one fluent with a feature is true of a place, as far as sampled. */
#include "game/features.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/trial.h"

enum {
  SEED = 1,
  STEP_LIMIT = 1000,   /* of a sampled game */
  FEWEST_SIGHTS = 10,  /* of a type with its owner */
  FEWEST_STEPS = 60,   /* of 64 games, at any cost */
  MOST_STEPS = 400,    /* 25,600 states */
  MOST_WORK = 10000000 /* inputs of gates read: about 10 ms */
};

typedef struct Type {
  uint32_t board, fluent; /* an example */
  uint64_t key;
  uint32_t owner; /* role + 1; 0: none */
  uint64_t left;  /* times it appeared where a move came from */
} Type;

/* Counts by type and role: type * role_count + role. */
typedef struct Survey {
  const Analysis *analysis;
  VECTOR(Type) types;
  Map by_key;         /* type + 1 */
  uint32_t *type_of;  /* by fluent: type + 1; 0: none */
  uint64_t *handled;  /* moved away from a place, or put on one */
  uint64_t *appeared; /* where the role alone was to move */
  uint64_t *put;      /* by shape and type */
  uint64_t *acting;   /* by role: lanes where it did not wait */
} Survey;

/* ---- types ---- */

static bool of_board(const Terms *terms, const Board *board, Term term) {
  return term_symbol(terms, term) == board->functor &&
         term_arity(terms, term) == board->arity;
}

/* True if the board is (cell x y piece) and moves name x and y. */
static bool fits_template(const Places *places, uint32_t board) {
  if (__builtin_popcount(places->boards.data[board].place) != 2) return false;
  for (uint32_t s = 0; s < places->shapes.count; s++) {
    const MoveShape *shape = &places->shapes.data[s];
    if (shape->to != no_argument && shape->board == board) return true;
  }
  return false;
}

/* Returns the fluent's type + 1, which is added if it is new. */
static uint32_t find_type(Survey *survey, uint32_t b, uint32_t fluent) {
  trial_check();
  const Terms *terms = &survey->analysis->description->rules.terms;
  const Board *board = &survey->analysis->places.boards.data[b];
  Term term = survey->analysis->net->fluents.data[fluent].term;
  uint64_t key = b;
  MapCursor at;
  for (uint32_t a = 0; a < board->arity; a++)
    if (board->piece >> a & 1)
      key = hash_pair(key, term_argument(terms, term, a));
  for (uint32_t t = map_first(&survey->by_key, key, &at); t;
       t = map_next(&survey->by_key, &at))
    if (survey->types.data[t - 1].key == key) return t;
  Type type = {.board = b, .fluent = fluent, .key = key};
  vector_push(&survey->types, type);
  map_insert(&survey->by_key, &at, survey->types.count);
  return survey->types.count;
}

static void find_types(Survey *survey) {
  const Net *net = survey->analysis->net;
  const Terms *terms = &survey->analysis->description->rules.terms;
  const Places *places = &survey->analysis->places;
  for (uint32_t b = 0; b < places->boards.count; b++) {
    if (!fits_template(places, b)) continue;
    for (uint32_t i = 0; i < net->fluents.count; i++)
      if (of_board(terms, &places->boards.data[b], net->fluents.data[i].term))
        survey->type_of[i] = find_type(survey, b, i);
  }
}

static void survey_init(Survey *survey, const Analysis *analysis) {
  const Net *net = analysis->net;
  *survey = (Survey){.analysis = analysis};
  survey->type_of = memory_new(net->fluents.count * sizeof(uint32_t));
  find_types(survey);
  size_t count = (size_t)survey->types.count * net->role_count;
  survey->handled = memory_new((count + 1) * sizeof(uint64_t));
  survey->appeared = memory_new((count + 1) * sizeof(uint64_t));
  survey->acting = memory_new(net->role_count * sizeof(uint64_t));
  survey->put = memory_new(
      ((size_t)survey->types.count * analysis->places.shapes.count + 1) *
      sizeof(uint64_t));
}

static void survey_free(Survey *survey) {
  vector_free(&survey->types);
  map_free(&survey->by_key);
  memory_delete(survey->type_of);
  memory_delete(survey->handled);
  memory_delete(survey->appeared);
  memory_delete(survey->put);
  memory_delete(survey->acting);
}

/* ---- owners, from random games ---- */

static uint64_t count_lanes(uint64_t lanes) {
  return (uint64_t)__builtin_popcountll(lanes);
}

/* Counts what a move did in the lanes where it was made. */
static void look_at_move(Survey *survey, const Sample *sample, uint32_t move,
                         uint64_t made) {
  trial_check();
  const Net *net = sample->net;
  const Places *places = &survey->analysis->places;
  const MoveShape *shape = &places->shapes.data[places->shape_of[move]];
  uint32_t role = net->moves.data[move].role;
  for (int end = 0; end < 2; end++) {
    uint32_t place = places->place_of[end][move];
    if (!place || (end ? shape->to : shape->from) == no_argument) continue;
    for (uint32_t i = places->first.data[place - 1];
         i < places->first.data[place]; i++) {
      uint32_t fluent = places->fluents.data[i], t = survey->type_of[fluent];
      if (!t--) continue;
      uint64_t before = sample->state[fluent] & made;
      uint64_t after = sample_value(sample, net->fluents.data[fluent].next);
      uint64_t came = count_lanes(after & made & ~before);
      if (end) {
        survey->handled[t * net->role_count + role] += came;
        survey->put[places->shape_of[move] * survey->types.count + t] += came;
      } else {
        survey->handled[t * net->role_count + role] +=
            count_lanes(before & ~after);
        survey->types.data[t].left += came;
      }
    }
  }
}

static void look_at_moves(Survey *survey, const Sample *sample) {
  const Net *net = sample->net;
  memset(survey->acting, 0, net->role_count * sizeof(uint64_t));
  for (uint32_t m = 0; m < net->moves.count; m++) {
    uint64_t made = sample->values[net->moves.data[m].gate] & sample->moving;
    if (!made) continue;
    if (!survey->analysis->turns.waiting[m])
      survey->acting[net->moves.data[m].role] |= made;
    look_at_move(survey, sample, m, made);
  }
}

static void look_at_facts(Survey *survey, const Sample *sample) {
  const Net *net = sample->net;
  uint64_t once = 0, twice = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    twice |= once & survey->acting[role];
    once |= survey->acting[role];
  }
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint32_t t = survey->type_of[i];
    if (!t--) continue;
    uint64_t came = sample_value(sample, net->fluents.data[i].next) &
                    ~sample->state[i] & sample->moving & ~twice;
    for (uint32_t role = 0; came && role < net->role_count; role++)
      survey->appeared[t * net->role_count + role] +=
          count_lanes(came & survey->acting[role]);
  }
}

static void look(Survey *survey) {
  const Net *net = survey->analysis->net;
  uint64_t steps = MOST_WORK / (net_count_edges(net) + net->moves.count + 1);
  Sample sample;
  if (steps > MOST_STEPS) steps = MOST_STEPS;
  if (steps < FEWEST_STEPS) steps = FEWEST_STEPS;
  sample_init(&sample, net, SEED, STEP_LIMIT);
  for (uint64_t i = 0; i < steps; i++) {
    sample_step(&sample);
    look_at_moves(survey, &sample);
    look_at_facts(survey, &sample);
  }
  sample_free(&sample);
}

/* Returns the role with nine of ten counts, + 1; 0: none. */
static uint32_t main_role(const uint64_t *counts, uint32_t roles,
                          uint64_t *total) {
  uint32_t best = 0;
  *total = 0;
  for (uint32_t role = 0; role < roles; role++) {
    *total += counts[role];
    if (counts[role] > counts[best]) best = role;
  }
  return *total >= FEWEST_SIGHTS && counts[best] * 10 >= *total * 9 ? best + 1
                                                                    : 0;
}

static void find_owners(Survey *survey) {
  uint32_t roles = survey->analysis->net->role_count;
  for (uint32_t t = 0; t < survey->types.count; t++) {
    Type *type = &survey->types.data[t];
    uint64_t handled, appeared;
    uint32_t owner = main_role(survey->handled + t * roles, roles, &handled);
    if (!handled)
      owner = main_role(survey->appeared + t * roles, roles, &appeared);
    type->owner = type->left > handled ? 0 : owner;
  }
}

/* ---- features ---- */

static bool owns_several(const Survey *survey) {
  for (uint32_t i = 0; i < survey->types.count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (survey->types.data[i].owner &&
          survey->types.data[i].owner == survey->types.data[j].owner &&
          survey->types.data[i].board == survey->types.data[j].board)
        return true;
  return false;
}

static void add_features(Features *features, const Survey *survey) {
  const Net *net = survey->analysis->net;
  uint32_t *of_type =
      memory_new((survey->types.count + 1) * sizeof *of_type); /* + 1 */
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint32_t t = survey->type_of[i];
    if (!t-- || !survey->types.data[t].owner) continue;
    if (features->kind == FAST_CELLS || !of_type[t]) {
      Feature feature = {survey->types.data[t].owner - 1, i};
      vector_push(&features->list, feature);
      of_type[t] = features->list.count;
    }
    features->of_fluent[i] = of_type[t];
    features->mask[i / 64] |= (uint64_t)1 << i % 64;
  }
  memory_delete(of_type);
}

static void add_place(Features *features, const Places *places,
                      uint32_t place) {
  uint32_t begin = features->place_words.count;
  vector_push(&features->first, begin);
  for (uint32_t i = places->first.data[place];
       i < places->first.data[place + 1]; i++) {
    uint32_t fluent = places->fluents.data[i], at = begin;
    if (!features->of_fluent[fluent]) continue;
    while (at < features->place_words.count &&
           features->place_words.data[at].word != fluent / 64)
      at++;
    if (at == features->place_words.count) {
      PlaceWord part = {.word = fluent / 64};
      vector_push(&features->place_words, part);
    }
    features->place_words.data[at].mask |= (uint64_t)1 << fluent % 64;
  }
}

/* Returns the feature of a role's own piece on the place, + 1; 0: none. */
static uint32_t own_cell(const Features *features, const Places *places,
                         uint32_t place, uint32_t role) {
  for (uint32_t i = places->first.data[place];
       i < places->first.data[place + 1]; i++) {
    uint32_t feature = features->of_fluent[places->fluents.data[i]];
    if (feature && features->list.data[feature - 1].owner == role)
      return feature;
  }
  return 0;
}

/* True if moves of the shape mostly place a piece of the mover. */
static bool puts_own(const Survey *survey, uint32_t s) {
  const MoveShape *shape = &survey->analysis->places.shapes.data[s];
  uint64_t own = 0, all = 0;
  for (uint32_t t = 0; t < survey->types.count; t++) {
    uint64_t put = survey->put[s * survey->types.count + t];
    all += put;
    if (survey->types.data[t].owner == shape->role + 1) own += put;
  }
  return own * 2 > all;
}

static void add_moves(Features *features, const Survey *survey) {
  const Net *net = survey->analysis->net;
  const Places *places = &survey->analysis->places;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    uint32_t s = places->shape_of[m], role = net->moves.data[m].role;
    const MoveShape *shape = &places->shapes.data[s];
    MoveFeature *move = &features->moves[m];
    if (shape->from != no_argument) move->from = places->place_of[0][m];
    if (shape->to != no_argument) move->to = places->place_of[1][m];
    if (features->kind == FAST_CELLS && move->to && puts_own(survey, s))
      move->cell = own_cell(features, places, move->to - 1, role);
  }
}

static FastKind kind_of(const Survey *survey) {
  if (survey->analysis->net->role_count < 2) return FAST_NONE;
  if (owns_several(survey)) return FAST_PIECES;
  for (uint32_t s = 0; s < survey->analysis->places.shapes.count; s++)
    if (puts_own(survey, s)) return FAST_CELLS;
  return FAST_NONE;
}

void features_init(Features *features, const Analysis *analysis) {
  const Net *net = analysis->net;
  Survey survey;
  *features = (Features){.analysis = analysis};
  features->words = (net->fluents.count + 63) / 64;
  features->mask = memory_new((features->words + 1) * sizeof(uint64_t));
  features->of_fluent = memory_new((net->fluents.count + 1) * sizeof(uint32_t));
  features->moves = memory_new((net->moves.count + 1) * sizeof(MoveFeature));
  survey_init(&survey, analysis);
  if (survey.types.count && net->role_count > 1) {
    look(&survey);
    find_owners(&survey);
    features->kind = kind_of(&survey);
  }
  if (features->kind) {
    add_features(features, &survey);
    for (uint32_t p = 0; p + 1 < analysis->places.first.count; p++)
      add_place(features, &analysis->places, p);
    vector_push(&features->first, features->place_words.count);
    add_moves(features, &survey);
  }
  survey_free(&survey);
}

void features_free(Features *features) {
  memory_delete(features->mask);
  memory_delete(features->of_fluent);
  memory_delete(features->moves);
  vector_free(&features->list);
  vector_free(&features->first);
  vector_free(&features->place_words);
}

void features_write(const Features *features, uint32_t feature, Text *text) {
  const Rules *rules = &features->analysis->description->rules;
  const Terms *terms = &rules->terms;
  const Feature *wanted = &features->list.data[feature];
  Term role = rules->roles.data[wanted->owner];
  Term fact = features->analysis->net->fluents.data[wanted->fluent].term;
  const Board *board = features->analysis->places.boards.data;
  while (!of_board(terms, board, fact)) board++;
  uint32_t shown = features->kind == FAST_CELLS ? board->place : board->piece;
  for (uint32_t a = 0; a < board->arity; a++) {
    Term argument = term_argument(terms, fact, a);
    if (!(shown >> a & 1) || argument == role) continue;
    term_write(terms, argument, text);
    text_add_byte(text, ' ');
  }
  text_add(text, "of ");
  term_write(terms, role, text);
}
