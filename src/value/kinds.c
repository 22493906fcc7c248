/* Kinds are numbered in the order of boards and of their first fluents. Random
   games, as many steps as cost some 10 ms, show what follows what on a place
   and what moves leave behind. A board has at most one blank kind: the one that
   most often appeared where a move came from, or else the most frequent one
   that never appeared at all while others did. */
#include "value/kinds.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/trial.h"

enum {
  SEED = 1,
  STEP_LIMIT = 1000, /* of a sampled game */
  FEWEST_STEPS = 60, /* of 64 games, at any cost */
  MOST_STEPS = 400,
  MOST_WORK = 10000000 /* inputs of gates read: about 10 ms */
};

static bool of_board(const Terms *terms, const Board *board, Term fact) {
  return term_symbol(terms, fact) == board->functor &&
         term_arity(terms, fact) == board->arity;
}

const Board *kinds_board(const Kinds *kinds, uint32_t fluent) {
  const Analysis *analysis = kinds->analysis;
  const Terms *terms = &analysis->description->rules.terms;
  for (uint32_t b = 0; b < analysis->places.boards.count; b++) {
    const Board *board = &analysis->places.boards.data[b];
    if (of_board(terms, board, analysis->net->fluents.data[fluent].term))
      return board;
  }
  return NULL;
}

uint32_t kinds_rank(const Terms *terms, const Board *board, Term fact,
                    uint32_t argument) {
  const TermVector *values = &board->values[argument];
  Term wanted = term_argument(terms, fact, argument);
  uint32_t at = 0;
  while (at < values->count && values->data[at] != wanted) at++;
  return at;
}

/* ---- kinds ---- */

static uint64_t contents_key(const Terms *terms, const Board *board,
                             Term fact) {
  uint64_t key = 0;
  for (uint32_t a = 0; a < board->arity; a++)
    if (board->piece >> a & 1)
      key = hash_pair(key, term_hash(terms, term_argument(terms, fact, a)));
  return key;
}

/* Makes the kinds of a board; none if there are too many. */
static void find_kinds(Kinds *kinds, uint32_t b) {
  const Net *net = kinds->analysis->net;
  const Terms *terms = &kinds->analysis->description->rules.terms;
  const Board *board = &kinds->analysis->places.boards.data[b];
  uint64_t keys[KINDS_OF_BOARD];
  uint32_t before = kinds->list.count, count = 0;
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    Term fact = net->fluents.data[f].term;
    if (!of_board(terms, board, fact)) continue;
    trial_check();
    uint64_t key = contents_key(terms, board, fact);
    uint32_t k = 0;
    while (k < count && keys[k] != key) k++;
    if (k == KINDS_OF_BOARD || before + k == KINDS_MOST) {
      kinds->list.count = before;
      for (uint32_t g = 0; g < f; g++)
        if (kinds->of_fluent[g] > before) kinds->of_fluent[g] = 0;
      return;
    }
    if (k == count) {
      keys[count++] = key;
      vector_push(&kinds->list, ((Kind){.board = b, .fluent = f}));
    }
    kinds->list.data[before + k].fluents++;
    kinds->of_fluent[f] = before + k + 1;
  }
}

/* ---- random games ---- */

typedef struct Survey {
  Kinds *kinds;
  uint64_t *appeared, *left; /* by kind */
} Survey;

static uint64_t count_lanes(uint64_t lanes) {
  return (uint64_t)__builtin_popcountll(lanes);
}

static uint64_t came(const Sample *sample, uint32_t fluent) {
  return sample_value(sample, sample->net->fluents.data[fluent].next) &
         ~sample->state[fluent] & sample->moving;
}

static void look_at_place(Survey *survey, const Sample *sample, uint32_t place,
                          uint64_t *lost) {
  Kinds *kinds = survey->kinds;
  const Places *places = &kinds->analysis->places;
  uint32_t first = places->first.data[place],
           end = places->first.data[place + 1];
  uint64_t changed = 0;
  for (uint32_t i = first; i < end; i++) {
    uint32_t fluent = places->fluents.data[i];
    Signal next = sample->net->fluents.data[fluent].next;
    lost[i - first] =
        sample->state[fluent] & ~sample_value(sample, next) & sample->moving;
    changed |= lost[i - first];
  }
  for (uint32_t i = first; i < end; i++) {
    uint32_t fluent = places->fluents.data[i], to = kinds->of_fluent[fluent];
    uint64_t lanes = to ? came(sample, fluent) : 0;
    if (lanes) survey->appeared[to - 1] += count_lanes(lanes);
    if (!(lanes & changed)) continue;
    for (uint32_t j = first; j < end; j++) {
      uint32_t from = kinds->of_fluent[places->fluents.data[j]];
      if (from && lost[j - first] & lanes)
        kinds->followed[(size_t)(from - 1) * kinds->list.count + to - 1] +=
            count_lanes(lost[j - first] & lanes);
    }
  }
}

static void look_at_moves(Survey *survey, const Sample *sample) {
  const Kinds *kinds = survey->kinds;
  const Net *net = sample->net;
  const Places *places = &kinds->analysis->places;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    uint64_t made = sample->values[net->moves.data[m].gate] & sample->moving;
    uint32_t place = places->place_of[0][m];
    if (!made || !place ||
        places->shapes.data[places->shape_of[m]].from == no_argument)
      continue;
    for (uint32_t i = places->first.data[place - 1];
         i < places->first.data[place]; i++) {
      uint32_t fluent = places->fluents.data[i];
      if (kinds->of_fluent[fluent])
        survey->left[kinds->of_fluent[fluent] - 1] +=
            count_lanes(came(sample, fluent) & made);
    }
  }
}

static void look(Survey *survey) {
  const Net *net = survey->kinds->analysis->net;
  const Places *places = &survey->kinds->analysis->places;
  uint64_t steps = MOST_WORK / (net_count_edges(net) + net->moves.count +
                                net->fluents.count + 1);
  uint64_t *lost = memory_new((net->fluents.count + 1) * sizeof *lost);
  Sample sample;
  if (steps > MOST_STEPS) steps = MOST_STEPS;
  if (steps < FEWEST_STEPS) steps = FEWEST_STEPS;
  sample_init(&sample, net, SEED, STEP_LIMIT);
  for (uint64_t i = 0; i < steps; i++) {
    trial_check();
    sample_step(&sample);
    for (uint32_t p = 0; p + 1 < places->first.count; p++)
      look_at_place(survey, &sample, p, lost);
    look_at_moves(survey, &sample);
  }
  sample_free(&sample);
  memory_delete(lost);
}

/* ---- blanks ---- */

static void find_blank(const Survey *survey, uint32_t board) {
  Kinds *kinds = survey->kinds;
  uint32_t left = 0, still = 0; /* kinds, + 1 */
  uint64_t appeared = 0;
  for (uint32_t k = 0; k < kinds->list.count; k++) {
    const Kind *kind = &kinds->list.data[k];
    if (kind->board != board) continue;
    appeared += survey->appeared[k];
    if (survey->left[k] && (!left || survey->left[k] > survey->left[left - 1]))
      left = k + 1;
    if (!survey->appeared[k] &&
        (!still || kind->fluents > kinds->list.data[still - 1].fluents))
      still = k + 1;
  }
  if (left)
    kinds->list.data[left - 1].blank = true;
  else if (still && appeared)
    kinds->list.data[still - 1].blank = true;
}

void kinds_init(Kinds *kinds, const Analysis *analysis) {
  const Net *net = analysis->net;
  const Places *places = &analysis->places;
  *kinds = (Kinds){.analysis = analysis};
  kinds->of_fluent = memory_new((net->fluents.count + 1) * sizeof(uint32_t));
  kinds->place_of = memory_new((net->fluents.count + 1) * sizeof(uint32_t));
  for (uint32_t p = 0; p + 1 < places->first.count; p++)
    for (uint32_t i = places->first.data[p]; i < places->first.data[p + 1]; i++)
      kinds->place_of[places->fluents.data[i]] = p + 1;
  for (uint32_t b = 0; b < places->boards.count; b++) find_kinds(kinds, b);
  size_t count = kinds->list.count;
  kinds->followed = memory_new((count * count + 1) * sizeof(uint64_t));
  if (!count) return;
  Survey survey = {kinds, memory_new(count * sizeof(uint64_t)),
                   memory_new(count * sizeof(uint64_t))};
  look(&survey);
  for (uint32_t b = 0; b < places->boards.count; b++) find_blank(&survey, b);
  memory_delete(survey.appeared);
  memory_delete(survey.left);
}

void kinds_free(Kinds *kinds) {
  vector_free(&kinds->list);
  memory_delete(kinds->of_fluent);
  memory_delete(kinds->place_of);
  memory_delete(kinds->followed);
}
