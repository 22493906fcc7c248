/* Candidates are renamings of constants in fluents (analyse/renaming.h). What
   they do to the moves is not guessed from terms but seen: states of random
   games are mapped, and move m becomes a move that is legal in the images of
   just those states where m is, and leads from them to the images of its
   successors; where several roles choose at once, by the set of these. For
   moves that random games do not meet the solver makes states in which they are
   legal.

   A permutation that this leaves is proved. The net is evaluated on symbols for
   a state s and a joint move m, and again for their images; then for all s, m

     terminal is the same, and the goals of each role if s is terminal;
     if s is not, the legality of each move is that of its image,
     and if m is legal in s, the next value of each fluent is that of its image,

   most of it because it is the same literal, and the rest by the solver. Of s
   it is only known what is proved for all reachable states. By induction over
   paths from a reachable state, the image of a path is then a path from the
   image of the state, with the same end.

   Work is counted, not timed, so that the answer is always the same. */
#include "game/automorphism.h"

#include <stdlib.h>

#include "analyse/formula.h"
#include "analyse/renaming.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/random.h"

enum {
  MOST_EDGES = 150000, /* inputs of gates */
  MOST_MOVES = 4096,
  MOST_REFUTED = 8,     /* candidates that the samples let pass */
  STATES = 24,          /* of random games */
  GAME = 40,            /* steps after which another one begins */
  MOST_RANDOM = 3000,   /* successors in them, */
  MOST_SAMPLED = 20000, /* in all, */
  MOST_WORDS = 500000,  /* and their words */
  MOST_JOINT = 300,     /* successors of a state where several roles choose;
                           where there are more, only legality is compared */
  SUCCESSOR = 5,        /* what one counts, */
  STATE = 10,           /* and a state */
  PROPAGATIONS = 200000 /* for one question */
};

/* A state, in Work.words_of, with its legal moves, role by role, and its
   successors by all joint moves, in the order of a counter whose first role
   changes fastest. */
typedef struct Probe {
  uint32_t at;
  uint32_t first;      /* in Work.made */
  uint32_t legal;      /* in Work.legal: the moves */
  uint32_t counts;     /* in Work.counts: how many, by role */
  uint32_t goals;      /* in Work.goals, by role, if it is terminal */
  uint32_t successors; /* none if it is terminal, or there would be too many */
  bool terminal;
} Probe;

typedef struct Key {
  uint64_t hash;
  uint32_t move;
} Key;

typedef struct Work {
  AutomorphismSearch *search;
  const Net *net, *proof;
  Game *game;
  uint32_t words;
  uint32_t edges;
  VECTOR(uint64_t) words_of; /* states */
  VECTOR(Probe) samples;
  NumberVector made; /* where successors are, in `words_of` */
  MoveVector legal;
  NumberVector counts;
  VECTOR(int) goals;
  bool *met;         /* by move: some sample has its successors */
  uint64_t *zobrist; /* by fluent */
  uint64_t *state;   /* scratch */
  uint32_t *digits;  /* scratch, by role: a joint move as indices, */
  Move *joint;       /* and as moves */
  uint64_t *sums;    /* scratch, by move: of what it leads to in a state */
  Key *own, *images; /* by move: what it does in the samples */
  Automorphism image;
  /* the proof */
  bool prepared;
  Formula formula;
  SatLiteral *gates, *mapped; /* by gate */
  SatLiteral *acts;           /* by move */
  SatLiteral moving;          /* every role makes a move */
  bool *wanted;
  uint32_t refuted; /* candidates */
  bool hard;        /* many were, or a question was given up: more is likely to
                       go the same way */
} Work;

static bool is_spent(const Work *work) {
  return work->hard || work->search->work > work->search->most_work;
}

/* The work for a state and its successors. Many states take time by the size of
   the net. */
static void count_successors(Work *work, uint32_t count) {
  if (work->search->more) work->search->work += work->edges / 32;
  work->search->work += STATE + (uint64_t)count * (SUCCESSOR + work->words);
}

/* ---- joint moves ---- */

/* The number of joint moves, or 0 if there are too many to look at. */
static uint32_t count_joint(const Work *work, const uint32_t *counts) {
  uint64_t product = 1;
  uint32_t choosing = 0;
  for (uint32_t role = 0; role < work->net->role_count; role++) {
    product *= counts[role];
    choosing += counts[role] > 1;
    if (product > UINT32_MAX) return 0;
  }
  return choosing > 1 && product > MOST_JOINT ? 0 : (uint32_t)product;
}

static void first_joint(Work *work, const Move *legal, const uint32_t *counts) {
  for (uint32_t role = 0; role < work->net->role_count; role++) {
    work->digits[role] = 0;
    work->joint[role] = legal[0];
    legal += counts[role];
  }
}

static void next_joint(Work *work, const Move *legal, const uint32_t *counts) {
  bool carry = true;
  for (uint32_t role = 0; role < work->net->role_count; role++) {
    if (carry) {
      carry = ++work->digits[role] == counts[role];
      if (carry) work->digits[role] = 0;
      work->joint[role] = legal[work->digits[role]];
    }
    legal += counts[role];
  }
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

/* Adds the legal moves of the game's state to the list, role by role. */
static void list_legal(Work *work, uint32_t *counts) {
  const Move *moves;
  for (uint32_t role = 0; role < work->net->role_count; role++) {
    counts[role] = game_legal(work->game, role, &moves);
    for (uint32_t i = 0; i < counts[role]; i++)
      vector_push(&work->legal, moves[i]);
  }
}

static bool has_new(const Work *work, uint32_t first) {
  for (uint32_t i = first; i < work->legal.count; i++)
    if (!work->met[work->legal.data[i]]) return true;
  return false;
}

/* Lists the moves, and the successors if they are wanted or some moves have
   none yet. */
static void add_moves(Work *work, Probe *sample, bool wanted) {
  uint32_t at = work->counts.count;
  sample->counts = at;
  vector_resize(&work->counts, at + work->net->role_count);
  list_legal(work, work->counts.data + at);
  const Move *legal = work->legal.data + sample->legal;
  const uint32_t *counts = work->counts.data + at;
  if (wanted || has_new(work, sample->legal))
    sample->successors = count_joint(work, counts);
  if (!sample->successors) return;
  for (uint32_t i = sample->legal; i < work->legal.count; i++)
    work->met[work->legal.data[i]] = true;
  first_joint(work, legal, counts);
  for (uint32_t i = 0; i < sample->successors; i++) {
    const uint64_t *state;
    game_successor(work->game, work->joint, &state);
    uint32_t kept = keep_state(work, state);
    vector_push(&work->made, kept);
    next_joint(work, legal, counts);
  }
}

/* Adds the state that the game is in. */
static void add_sample(Work *work, bool successors) {
  const uint64_t *state;
  game_state(work->game, &state);
  Probe sample = {.at = keep_state(work, state),
                  .first = work->made.count,
                  .legal = work->legal.count,
                  .goals = work->goals.count,
                  .terminal = game_terminal(work->game)};
  for (uint32_t role = 0; sample.terminal && role < work->net->role_count;
       role++) {
    int goal = game_goal(work->game, role);
    vector_push(&work->goals, goal);
  }
  if (!sample.terminal) add_moves(work, &sample, successors);
  vector_push(&work->samples, sample);
  count_successors(work, sample.successors);
}

static bool has_room(const Work *work) {
  return work->made.count < MOST_SAMPLED && work->words_of.count < MOST_WORDS;
}

/* Makes a random move of the sample; returns false if there is none. */
static bool make_random(Work *work, const Probe *sample, Random *random) {
  if (sample->terminal) return false;
  const Move *legal = work->legal.data + sample->legal;
  const uint32_t *counts = work->counts.data + sample->counts;
  for (uint32_t role = 0; role < work->net->role_count; role++) {
    if (!counts[role]) return false;
    work->joint[role] = legal[random_below(random, counts[role])];
    legal += counts[role];
  }
  game_make(work->game, work->joint);
  return true;
}

static void add_random_games(Work *work) {
  Random random;
  random_seed(&random, 1);
  uint32_t steps = 0, more = work->search->more;
  while (has_room(work)) {
    bool whole = work->samples.count < STATES && work->made.count < MOST_RANDOM;
    if (!whole && !more--) break;
    add_sample(work, whole);
    if (++steps < GAME &&
        make_random(work, &vector_last(&work->samples), &random))
      continue;
    game_enter(work->game, work->search->start, work->words);
    steps = 0;
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

/* Adds what each move leads to in the sample, or its image if `fluents` is
   NULL, to the moves' sums. Returns the sum of all. */
static uint64_t sum_changes(Work *work, const Probe *sample, const Move *legal,
                            const uint32_t *fluents) {
  const uint32_t *counts = work->counts.data + sample->counts;
  const uint64_t *from = fluents ? state_at(work, sample->at) : work->state,
                 *to;
  uint64_t all = 0;
  if (!sample->successors) return 0;
  first_joint(work, legal, counts);
  for (uint32_t i = 0; i < sample->successors; i++) {
    if (fluents)
      to = state_at(work, work->made.data[sample->first + i]);
    else
      game_successor(work->game, work->joint, &to);
    uint64_t change = hash_mix(hash_change(work, from, to, fluents) + 1);
    for (uint32_t role = 0; role < work->net->role_count; role++)
      work->sums[work->joint[role]] += change;
    all += change;
    next_joint(work, legal, counts);
  }
  return all;
}

static void hash_sums(Work *work, uint32_t number, const Move *legal,
                      uint32_t count, Key *keys) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t *hash = &keys[legal[i]].hash, *sum = &work->sums[legal[i]];
    *hash = hash_pair(*hash, hash_pair(number, *sum));
    *sum = 0;
  }
}

/* Compares the moves of a sample with those of its image, in which the game is;
   they stand at the end of the list of legal moves. */
static bool compare_moves(Work *work, uint32_t number) {
  const Probe *sample = &work->samples.data[number];
  uint32_t roles = work->net->role_count, last = work->legal.count, count = 0;
  for (uint32_t role = 0; role < roles; role++) {
    const Move *moves;
    uint32_t found = game_legal(work->game, role, &moves);
    if (found != work->counts.data[sample->counts + role]) return false;
    for (uint32_t i = 0; i < found; i++) vector_push(&work->legal, moves[i]);
    count += found;
  }
  const Move *own = work->legal.data + sample->legal;
  const Move *images = work->legal.data + last;
  uint64_t sum = sum_changes(work, sample, own, work->image.fluents);
  hash_sums(work, number, own, count, work->own);
  sum -= sum_changes(work, sample, images, NULL);
  hash_sums(work, number, images, count, work->images);
  return sum == 0;
}

/* Compares a sample with its image; returns false if they differ. */
static bool compare_sample(Work *work, uint32_t number) {
  const Probe *sample = &work->samples.data[number];
  enter_image(work, state_at(work, sample->at));
  count_successors(work, sample->successors);
  if (game_terminal(work->game) != sample->terminal) return false;
  for (uint32_t role = 0; sample->terminal && role < work->net->role_count;
       role++)
    if (game_goal(work->game, role) != work->goals.data[sample->goals + role])
      return false;
  if (sample->terminal) return true;
  uint32_t last = work->legal.count;
  bool same = compare_moves(work, number);
  work->legal.count = last;
  return same;
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
    work->own[m] = work->images[m] = (Key){work->net->moves.data[m].role, m};
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
  const OneHot *onehot = &work->search->analysis->onehot;
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      vector_push(&list, work->gates[work->proof->fluents.data[fluent].gate]);
    }
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&work->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&work->formula, list.data, list.count);
  }
  vector_free(&list);
}

/* At most one move of each role is made, it is legal, and if `moving` there is
   one. */
static void require_moves(Work *work) {
  const Net *net = work->proof;
  SatLiterals list = {0};
  work->moving = FORMULA_NONE;
  for (uint32_t role = 0; role < net->role_count; role++) {
    vector_clear(&list);
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++) {
      SatLiteral legal = formula_signal(work->gates, net->moves.data[m].legal);
      formula_require_two(&work->formula, work->acts[m] ^ 1, legal);
      vector_push(&list, work->acts[m]);
    }
    formula_at_most_one(&work->formula, list.data, list.count);
    if (work->moving == FORMULA_NONE)
      work->moving = formula_variable(&work->formula);
    vector_push(&list, work->moving ^ 1);
    formula_require(&work->formula, list.data, list.count);
  }
  vector_free(&list);
}

static void evaluate(Work *work, SatLiteral *gates) {
  formula_evaluate(&work->formula, work->proof, work->wanted, gates);
  work->search->work += work->edges;
}

static SatAnswer ask(Work *work, const SatLiteral *list, uint32_t count) {
  Sat *sat = work->formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  SatAnswer answer = sat_solve(sat, list, count, NULL, 0, PROPAGATIONS);
  work->search->work += sat_statistics(sat).propagations - before + STATE;
  return answer;
}

/* Adds the state that the solver has found. */
static void add_model(Work *work) {
  const Net *net = work->proof;
  if (!has_room(work)) return;
  memset(work->state, 0, work->words * sizeof *work->state);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (sat_value(work->formula.sat, work->gates[net->fluents.data[f].gate]) >
        0)
      bits_add(work->state, f);
  game_enter(work->game, work->state, work->words);
  add_sample(work, true);
}

/* Adds states in which the moves are legal that have no successors yet. */
static void add_models(Work *work) {
  const Net *net = work->proof;
  uint64_t before = work->search->work;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    if (work->met[m] || !has_room(work) || is_spent(work) ||
        work->search->work > before + work->search->most_work / 3)
      continue;
    SatLiteral question[2] = {
        formula_signal(work->gates, net->moves.data[m].legal),
        formula_signal(work->gates, net->terminal) ^ 1};
    if (ask(work, question, 2) == SAT_MAYBE) add_model(work);
  }
}

static void prepare(Work *work) {
  const Net *net = work->proof;
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
  if (work->search->analysis) require_groups(work);
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
  const Net *net = work->proof;
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
  const Net *net = work->proof;
  SatLiteral terminal = formula_signal(work->gates, net->terminal);
  if (!same(work, net->terminal, net->terminal, NULL, 0)) return false;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    Signal goal = net->goals.data[i].signal;
    if (!same(work, goal, goal, &terminal, 1)) return false;
  }
  return true;
}

static bool moves_are_same(Work *work) {
  const Net *net = work->proof;
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

/* ---- all of it ---- */

static bool is_wanted(const Work *work) {
  return work->search->wanted(work->search->context, &work->image);
}

static void try_image(Work *work) {
  AutomorphismSearch *search = work->search;
  if (!work->samples.count) add_random_games(work);
  if (!find_moves(work) || !is_wanted(work)) return;
  if (!work->prepared) {
    prepare(work);
    if (!find_moves(work) || !is_wanted(work)) return;
  }
  search->sampled++;
  if (!prove(work)) return;
  search->proved++;
  search->found(search->context, &work->image);
}

static void try_all(Work *work, const Renamings *renamings, bool fixed) {
  AutomorphismSearch *search = work->search;
  uint32_t *fluents = work->image.fluents;
  for (uint32_t i = 0; i < renamings->list.count && !is_spent(work); i++) {
    search->work += STATE;
    if (renaming_apply(renamings, i, search->start, fluents) != fixed ||
        (!fixed && !renaming_apply(renamings, i, NULL, fluents)))
      continue;
    search->candidates++;
    try_image(work);
  }
}

static void make_room(Work *work) {
  uint32_t fluents = work->net->fluents.count, moves = work->net->moves.count;
  uint32_t roles = work->net->role_count;
  work->zobrist = memory_new((fluents + 1) * sizeof *work->zobrist);
  for (uint32_t f = 0; f < fluents; f++) work->zobrist[f] = hash_mix(f + 1);
  work->state = memory_new((work->words + 1) * sizeof *work->state);
  work->digits = memory_new(roles * sizeof *work->digits);
  work->joint = memory_new(roles * sizeof *work->joint);
  work->sums = memory_new((moves + 1) * sizeof *work->sums);
  work->met = memory_new((moves + 1) * sizeof *work->met);
  work->own = memory_new((moves + 1) * sizeof *work->own);
  work->images = memory_new((moves + 1) * sizeof *work->images);
  work->image.fluents = memory_new((fluents + 1) * sizeof *work->image.fluents);
  work->image.moves = memory_new((moves + 1) * sizeof *work->image.moves);
}

static void free_work(Work *work) {
  if (work->prepared) formula_free(&work->formula);
  void *const all[] = {
      work->zobrist,     work->state, work->digits, work->joint,
      work->sums,        work->own,   work->images, work->image.fluents,
      work->image.moves, work->gates, work->mapped, work->acts,
      work->wanted,      work->met};
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) memory_delete(all[i]);
  vector_free(&work->words_of);
  vector_free(&work->samples);
  vector_free(&work->made);
  vector_free(&work->legal);
  vector_free(&work->counts);
  vector_free(&work->goals);
}

bool automorphism_search(AutomorphismSearch *search) {
  const Net *net = search->net;
  uint64_t edges = net_count_edges(search->proof);
  if (search->proof->loops.count || net->moves.count > MOST_MOVES ||
      edges > MOST_EDGES)
    return false;
  Renamings renamings;
  Work work = {.search = search,
               .net = net,
               .proof = search->proof,
               .game = search->game,
               .words = search->words,
               .edges = (uint32_t)edges};
  renaming_init(&renamings, net, search->terms);
  make_room(&work);
  try_all(&work, &renamings, true);
  if (!search->fixed) try_all(&work, &renamings, false);
  free_work(&work);
  renaming_free(&renamings);
  return true;
}
