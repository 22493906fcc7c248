/* Candidates are renamings of constants in fluents (solve/renaming.h) that
   leave the start as it is. What they do to the moves is not guessed from
   terms but seen: states of random games are mapped, and move m becomes a move
   that is legal in the images of just those states where m is, and leads from
   them to the images of its successors. For moves that random games do not meet
   the solver makes states in which they are legal.

   A permutation that this leaves is proved. The net is evaluated on symbols for
   a state s and a move m, and again for their images; then for all s, m

     terminal is the same, and the goals if s is terminal;
     if s is not, the legality of each move is that of its image,
     and if m is legal in s, the next value of each fluent is that of its image,

   most of it because it is the same literal, and the rest by the solver. Of s
   it is only known what is proved for all reachable states. By induction over
   paths from the start, which is its own image, the image of a path is then a
   path with the same end.

   Orbits are those of the group that the proved permutations generate. Work is
   counted, not timed, so that the answer is always the same. */
#include "solve/symmetry.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/random.h"
#include "solve/formula.h"
#include "solve/renaming.h"

enum {
  MOST_EDGES = 40000, /* inputs of gates */
  MOST_MOVES = 3000,
  MOST_REFUTED = 8, /* candidates that the samples let pass */
  MOST_WORK = 1000000,
  STATES = 24,          /* of random games */
  GAME = 40,            /* steps after which another one begins */
  MOST_RANDOM = 3000,   /* successors in them, */
  MOST_SAMPLED = 20000, /* in all, */
  MOST_WORDS = 500000,  /* and their words */
  SUCCESSOR = 5,        /* what one counts, */
  STATE = 10,           /* and a state */
  PROPAGATIONS = 200000 /* for one question */
};

typedef struct Made {
  uint32_t move, at; /* the successor, in Work.words_of */
} Made;

typedef struct Probe {
  uint32_t at;           /* in Work.words_of */
  uint32_t first, count; /* in Work.made; none if it is terminal */
  bool terminal;
  int goal;
} Probe;

/* A permutation. */
typedef struct Image {
  uint32_t *fluents, *moves;
} Image;

typedef struct Key {
  uint64_t hash;
  uint32_t move;
} Key;

typedef struct Work {
  Symmetry *symmetry;
  Puzzle *puzzle;
  const Net *net;
  const Analysis *analysis; /* NULL: nothing is proved of the start's states */
  Game *game;
  uint32_t words;
  uint32_t edges;
  VECTOR(uint64_t) words_of; /* states */
  VECTOR(Probe) samples;
  VECTOR(Made) made;
  uint64_t *zobrist; /* by fluent */
  uint64_t *state;   /* scratch */
  MoveVector legal;
  Key *own, *images; /* by move: what it does in the samples */
  Image image;
  uint32_t *orbit; /* by move: one with a lower number, or itself */
  /* the proof */
  bool prepared;
  Formula formula;
  SatLiteral *gates, *mapped; /* by gate */
  SatLiteral *acts;           /* by move */
  SatLiteral moving;          /* some move is made */
  bool *wanted;
  uint32_t refuted; /* candidates */
  bool hard;        /* many were, or a question was given up: more is likely to
                       go the same way */
} Work;

static bool is_spent(const Work *work) {
  return work->hard || work->symmetry->work > MOST_WORK;
}

/* The work for a state and its successors. */
static void count_successors(Work *work, uint32_t count) {
  work->symmetry->work += STATE + (uint64_t)count * (SUCCESSOR + work->words);
}

/* ---- samples ---- */

static const uint64_t *state_at(const Work *work, uint32_t at) {
  return work->words_of.data + at;
}

static uint32_t keep_state(Work *work, const uint64_t *state) {
  uint32_t at = work->words_of.count;
  for (uint32_t w = 0; w < work->words; w++)
    vector_push(&work->words_of, state[w]);
  return at;
}

/* Adds the state that the game is in. */
static void add_sample(Work *work) {
  const uint64_t *state;
  const Move *moves;
  game_state(work->game, &state);
  Probe sample = {.at = keep_state(work, state),
                  .first = work->made.count,
                  .terminal = game_terminal(work->game)};
  if (sample.terminal) sample.goal = game_goal(work->game, 0);
  uint32_t count = sample.terminal ? 0 : game_legal(work->game, 0, &moves);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&work->made, ((Made){moves[i], 0}));
  for (uint32_t i = 0; i < count; i++) {
    Made *made = &work->made.data[sample.first + i];
    game_successor(work->game, &made->move, &state);
    made->at = keep_state(work, state);
  }
  sample.count = count;
  vector_push(&work->samples, sample);
  count_successors(work, count);
}

static bool has_room(const Work *work) {
  return work->made.count < MOST_SAMPLED && work->words_of.count < MOST_WORDS;
}

static void add_random_games(Work *work) {
  Random random;
  random_seed(&random, 1);
  uint32_t steps = 0;
  while (work->samples.count < STATES && work->made.count < MOST_RANDOM &&
         has_room(work)) {
    add_sample(work);
    const Probe *sample = &vector_last(&work->samples);
    if (!sample->count || ++steps == GAME) {
      game_enter(work->game, work->puzzle->start, work->words);
      steps = 0;
      continue;
    }
    uint32_t choice = random_below(&random, sample->count);
    game_make(work->game, &work->made.data[sample->first + choice].move);
  }
}

/* ---- the image of a permutation ---- */

/* Returns the sum of numbers of the fluents, or their images, in which two
   states differ. */
static uint64_t hash_change(const Work *work, const uint64_t *a,
                            const uint64_t *b, const uint32_t *fluents) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < work->words; w++)
    for (uint64_t rest = a[w] ^ b[w]; rest;) {
      uint32_t fluent = w * 64 + bits_take(&rest);
      hash ^= work->zobrist[fluents ? fluents[fluent] : fluent];
    }
  return hash;
}

/* Enters the image of the state. */
static void enter_image(Work *work, const uint64_t *state) {
  memset(work->state, 0, work->words * sizeof *work->state);
  for (uint32_t w = 0; w < work->words; w++)
    for (uint64_t rest = state[w]; rest;)
      bits_add(work->state, work->image.fluents[w * 64 + bits_take(&rest)]);
  game_enter(work->game, work->state, work->words);
}

/* Compares a sample with its image; returns false if they differ. */
static bool compare_sample(Work *work, uint32_t number) {
  const Probe *sample = &work->samples.data[number];
  Game *game = work->game;
  const uint64_t *state = state_at(work, sample->at);
  enter_image(work, state);
  count_successors(work, sample->count);
  if (game_terminal(game) != sample->terminal) return false;
  if (sample->terminal) return game_goal(game, 0) == sample->goal;
  const Move *moves;
  if (game_legal(game, 0, &moves) != sample->count) return false;
  vector_clear(&work->legal);
  for (uint32_t i = 0; i < sample->count; i++)
    vector_push(&work->legal, moves[i]);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < sample->count; i++) {
    const uint64_t *after;
    Move move = work->legal.data[i];
    game_successor(game, &move, &after);
    uint64_t image =
        hash_pair(number, hash_change(work, work->state, after, NULL));
    const Made *made = &work->made.data[sample->first + i];
    uint64_t own =
        hash_pair(number, hash_change(work, state, state_at(work, made->at),
                                      work->image.fluents));
    work->images[move].hash = hash_pair(work->images[move].hash, image);
    work->own[made->move].hash = hash_pair(work->own[made->move].hash, own);
    sum += hash_mix(image) - hash_mix(own);
  }
  return sum == 0;
}

static int compare_keys(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->move > y->move) - (x->move < y->move);
}

/* Finds the image of each move; returns false if the samples refute that there
   is one. Moves that the samples cannot tell apart are taken in order. */
static bool find_moves(Work *work) {
  uint32_t count = work->net->moves.count;
  for (uint32_t m = 0; m < count; m++)
    work->own[m] = work->images[m] = (Key){0, m};
  for (uint32_t i = 0; i < work->samples.count; i++)
    if (is_spent(work) || !compare_sample(work, i)) return false;
  qsort(work->own, count, sizeof *work->own, compare_keys);
  qsort(work->images, count, sizeof *work->images, compare_keys);
  for (uint32_t i = 0; i < count; i++) {
    if (work->own[i].hash != work->images[i].hash) return false;
    work->image.moves[work->own[i].move] = work->images[i].move;
  }
  return true;
}

/* ---- the formula ---- */

static void require_groups(Work *work) {
  SatLiterals list = {0};
  const OneHot *onehot = &work->analysis->onehot;
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      vector_push(&list, work->gates[work->net->fluents.data[fluent].gate]);
    }
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&work->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&work->formula, list.data, list.count);
  }
  vector_free(&list);
}

/* At most one move is made, it is legal, and if `moving` there is one. */
static void require_moves(Work *work) {
  const Net *net = work->net;
  SatLiterals list = {0};
  for (uint32_t m = 0; m < net->moves.count; m++) {
    SatLiteral legal = formula_signal(work->gates, net->moves.data[m].legal);
    formula_require_two(&work->formula, work->acts[m] ^ 1, legal);
    vector_push(&list, work->acts[m]);
  }
  formula_at_most_one(&work->formula, list.data, list.count);
  work->moving = formula_variable(&work->formula);
  vector_push(&list, work->moving ^ 1);
  formula_require(&work->formula, list.data, list.count);
  vector_free(&list);
}

static void evaluate(Work *work, SatLiteral *gates) {
  formula_evaluate(&work->formula, work->net, work->wanted, gates);
  work->symmetry->work += work->edges;
}

static SatAnswer ask(Work *work, const SatLiteral *list, uint32_t count) {
  Sat *sat = work->formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  SatAnswer answer = sat_solve(sat, list, count, NULL, 0, PROPAGATIONS);
  work->symmetry->work += sat_statistics(sat).propagations - before + STATE;
  return answer;
}

/* Adds the state that the solver has found. */
static void add_model(Work *work) {
  const Net *net = work->net;
  if (!has_room(work)) return;
  memset(work->state, 0, work->words * sizeof *work->state);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (sat_value(work->formula.sat, work->gates[net->fluents.data[f].gate]) >
        0)
      bits_add(work->state, f);
  game_enter(work->game, work->state, work->words);
  add_sample(work);
}

/* Adds states in which the moves are legal that are in none yet. */
static void add_models(Work *work) {
  const Net *net = work->net;
  uint32_t count = net->moves.count;
  bool *met = memory_new(count * sizeof *met);
  uint32_t next = 0;
  for (uint32_t m = 0; m <= count; m++) {
    for (; next < work->made.count; next++)
      met[work->made.data[next].move] = true;
    if (m == count || met[m] || !has_room(work) || is_spent(work)) continue;
    SatLiteral question[2] = {
        formula_signal(work->gates, net->moves.data[m].legal),
        formula_signal(work->gates, net->terminal) ^ 1};
    if (ask(work, question, 2) == SAT_MAYBE) add_model(work);
  }
  memory_delete(met);
}

static void prepare(Work *work) {
  const Net *net = work->net;
  work->prepared = true;
  formula_init(&work->formula);
  work->gates = memory_new(net->gates.count * sizeof *work->gates);
  work->mapped = memory_new(net->gates.count * sizeof *work->mapped);
  work->acts = memory_new(net->moves.count * sizeof *work->acts);
  work->wanted = memory_new(net->gates.count * sizeof *work->wanted);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    work->gates[gate] = FORMULA_NONE;
    work->wanted[gate] = true;
  }
  for (uint32_t f = 0; f < net->fluents.count; f++)
    work->gates[net->fluents.data[f].gate] = formula_variable(&work->formula);
  for (uint32_t m = 0; m < net->moves.count; m++)
    work->gates[net->moves.data[m].gate] = work->acts[m] =
        formula_variable(&work->formula);
  if (work->analysis) require_groups(work);
  evaluate(work, work->gates);
  require_moves(work);
  sat_settle(work->formula.sat);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (net->gates.data[gate].kind == GATE_AND)
      work->gates[gate] = FORMULA_NONE;
  evaluate(work, work->gates); /* with what is fixed by now, like the images */
  add_models(work);
}

/* ---- the proof ---- */

/* The two are equal in all states where the up to two literals of `given` are
   true. A state where they are not may refute other candidates, too. */
static bool are_equal(Work *work, SatLiteral a, SatLiteral b,
                      const SatLiteral *given, uint32_t count) {
  if (a == b) return true;
  for (uint32_t negated = 0; negated < 2; negated++) {
    SatLiteral question[4] = {a ^ negated, b ^ negated ^ 1};
    for (uint32_t i = 0; i < count; i++) question[2 + i] = given[i];
    if (is_spent(work)) return false;
    SatAnswer answer = ask(work, question, 2 + count);
    if (answer == SAT_MAYBE) add_model(work);
    if (answer != SAT_NO)
      work->hard = answer == SAT_UNKNOWN || ++work->refuted == MOST_REFUTED;
    if (answer != SAT_NO) return false;
  }
  return true;
}

static bool same(Work *work, Signal own, Signal image, const SatLiteral *given,
                 uint32_t count) {
  return are_equal(work, formula_signal(work->gates, own),
                   formula_signal(work->mapped, image), given, count);
}

/* Evaluates the net for the images; returns false if they are none. */
static bool evaluate_image(Work *work) {
  const Net *net = work->net;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    work->mapped[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    work->mapped[net->fluents.data[work->image.fluents[f]].gate] =
        work->gates[net->fluents.data[f].gate];
  for (uint32_t m = 0; m < net->moves.count; m++)
    work->mapped[net->moves.data[work->image.moves[m]].gate] = work->acts[m];
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    GateKind kind = net->gates.data[gate].kind;
    if ((kind == GATE_FLUENT || kind == GATE_MOVE) &&
        work->mapped[gate] == FORMULA_NONE)
      return false; /* not a permutation */
  }
  evaluate(work, work->mapped);
  return true;
}

static bool ends_are_same(Work *work) {
  const Net *net = work->net;
  SatLiteral terminal = formula_signal(work->gates, net->terminal);
  if (!same(work, net->terminal, net->terminal, NULL, 0)) return false;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    Signal goal = net->goals.data[i].signal;
    if (!same(work, goal, goal, &terminal, 1)) return false;
  }
  return true;
}

static bool moves_are_same(Work *work) {
  const Net *net = work->net;
  SatLiteral given[2] = {formula_signal(work->gates, net->terminal) ^ 1,
                         work->moving};
  for (uint32_t m = 0; m < net->moves.count; m++)
    if (!same(work, net->moves.data[m].legal,
              net->moves.data[work->image.moves[m]].legal, given, 1))
      return false;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (!same(work, net->fluents.data[f].next,
              net->fluents.data[work->image.fluents[f]].next, given, 2))
      return false;
  return true;
}

static bool prove(Work *work) {
  return !is_spent(work) && evaluate_image(work) && ends_are_same(work) &&
         moves_are_same(work);
}

/* ---- orbits ---- */

static uint32_t orbit_of(const Work *work, uint32_t move) {
  while (work->orbit[move] != move) move = work->orbit[move];
  return move;
}

/* True if two first moves that were in different orbits would be in one. */
static bool joins_orbits(const Work *work) {
  const Probe *start = &work->samples.data[0];
  for (uint32_t i = 0; i < start->count; i++) {
    uint32_t move = work->made.data[start->first + i].move;
    if (orbit_of(work, move) != orbit_of(work, work->image.moves[move]))
      return true;
  }
  return false;
}

static void join_orbits(Work *work) {
  for (uint32_t m = 0; m < work->net->moves.count; m++) {
    uint32_t a = orbit_of(work, m), b = orbit_of(work, work->image.moves[m]);
    work->orbit[a > b ? a : b] = a < b ? a : b;
  }
}

/* The moves of an orbit are legal first moves, or none of them is. */
static void list_later(Work *work) {
  Symmetry *symmetry = work->symmetry;
  const Probe *start = &work->samples.data[0];
  for (uint32_t i = 0; i < start->count; i++) {
    uint32_t move = work->made.data[start->first + i].move;
    if (orbit_of(work, move) == move) continue;
    bits_add(symmetry->later, move);
    symmetry->skipped++;
  }
}

/* ---- all of it ---- */

static void try_image(Work *work) {
  if (!work->samples.count) add_random_games(work);
  if (!find_moves(work) || !joins_orbits(work)) return;
  if (!work->prepared) {
    prepare(work);
    if (!find_moves(work) || !joins_orbits(work)) return;
  }
  work->symmetry->sampled++;
  if (!prove(work)) return;
  work->symmetry->proved++;
  join_orbits(work);
}

static void try_all(Work *work, const Renamings *renamings) {
  for (uint32_t i = 0; i < renamings->list.count && !is_spent(work); i++) {
    work->symmetry->work += STATE;
    if (!renaming_apply(renamings, i, work->puzzle->start, work->image.fluents))
      continue;
    work->symmetry->candidates++;
    try_image(work);
  }
  if (work->symmetry->proved) list_later(work);
}

static void make(Work *work) {
  const Net *net = work->net;
  uint32_t fluents = net->fluents.count, moves = net->moves.count;
  work->game = puzzle_game(work->puzzle);
  work->words = work->puzzle->words;
  work->zobrist = memory_new((fluents + 1) * sizeof *work->zobrist);
  for (uint32_t f = 0; f < fluents; f++) work->zobrist[f] = hash_mix(f + 1);
  work->state = memory_new((work->words + 1) * sizeof *work->state);
  work->own = memory_new((moves + 1) * sizeof *work->own);
  work->images = memory_new((moves + 1) * sizeof *work->images);
  work->image.fluents = memory_new((fluents + 1) * sizeof *work->image.fluents);
  work->image.moves = memory_new((moves + 1) * sizeof *work->image.moves);
  work->orbit = memory_new((moves + 1) * sizeof *work->orbit);
  for (uint32_t m = 0; m < moves; m++) work->orbit[m] = m;
  const Analysis *analysis = work->puzzle->book->analysis;
  if (analysis && onehot_holds(&analysis->onehot, work->puzzle->start))
    work->analysis = analysis;
}

static void free_work(Work *work) {
  game_delete(work->game);
  if (work->prepared) formula_free(&work->formula);
  void *const all[] = {work->zobrist,     work->state, work->own,
                       work->images,      work->orbit, work->image.fluents,
                       work->image.moves, work->gates, work->mapped,
                       work->acts,        work->wanted};
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) memory_delete(all[i]);
  vector_free(&work->words_of);
  vector_free(&work->samples);
  vector_free(&work->made);
  vector_free(&work->legal);
}

bool symmetry_init(Symmetry *symmetry, Puzzle *puzzle) {
  const Net *net = puzzle->net;
  *symmetry = (Symmetry){0};
  if (!net || net->role_count != 1 || net->loops.count || puzzle->terminal ||
      net->moves.count > MOST_MOVES || net_count_edges(net) > MOST_EDGES)
    return false;
  Renamings renamings;
  Work work = {.symmetry = symmetry,
               .puzzle = puzzle,
               .net = net,
               .edges = (uint32_t)net_count_edges(net)};
  symmetry->later =
      memory_new((bits_words(net->moves.count) + 1) * sizeof(uint64_t));
  renaming_init(&renamings, net, &puzzle->book->description->rules.terms);
  make(&work);
  try_all(&work, &renamings);
  free_work(&work);
  renaming_free(&renamings);
  if (symmetry->skipped) return true;
  symmetry_free(symmetry);
  return false;
}

void symmetry_free(Symmetry *symmetry) {
  memory_delete(symmetry->later);
  symmetry->later = NULL;
}
