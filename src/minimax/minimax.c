/* The second mind in its match: positions, iterative deepening at the root,
   answers. The game of `minimax` stands at the root always; each worker has an
   engine of its own. */
#include "minimax/minimax.h"

#include <math.h>

#include "base/bits.h"
#include "base/clock.h"
#include "engine/moves.h"
#include "minimax/alphabeta.h"
#include "minimax/brood.h"
#include "minimax/deepen.h"

bool minimax_plays(Book *book) {
  const Analysis *analysis = book->has_net ? book_analysis(book) : NULL;
  return analysis && analysis->turns.role_count > 1 && analysis->turns.taking &&
         book->net.moves.count < TABLE_MOVES - 1;
}

/* ---- positions ---- */

static void list_root_moves(Minimax *minimax) {
  const Move *moves;
  RootMoves *list = &minimax->workers[0]->moves;
  uint32_t count = game_legal(minimax->game, minimax->mover, &moves);
  if (minimax->symmetries && minimax->turn.movers == 1) {
    Move *listed = minimax->workers[0]->listed;
    memcpy(listed, moves, count * sizeof *moves);
    count =
        symmetries_reduce_turn(minimax->symmetries, minimax->root_state.data,
                               minimax->mover, listed, count);
    moves = listed;
  }
  for (uint32_t i = 0; i < count; i++)
    vector_push(list, ((RootMove){.move = moves[i], .bound = BOUND_NONE}));
  /* Moves of equal value are played in any order. */
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(&minimax->random, i);
    RootMove move = list->data[j];
    list->data[j] = list->data[i - 1];
    list->data[i - 1] = move;
  }
}

static void stand_here(Minimax *minimax) {
  const uint64_t *words;
  uint32_t count = game_state(minimax->game, &words);
  vector_resize(&minimax->root_state, count);
  memcpy(minimax->root_state.data, words, count * sizeof *words);
  minimax->depth = 0;
  minimax->proven = false;
  minimax->score = (minimax->scale.low + minimax->scale.high) / 2;
  vector_clear(&minimax->workers[0]->moves);
  if (game_terminal(minimax->game)) return;
  minimax->turn = turn_of(minimax->game);
  minimax->mover = minimax->turn.movers ? minimax->turn.role : 0;
  atomic_store(&minimax->sound, minimax->turn.movers < 2);
  list_root_moves(minimax);
  deepen_publish(minimax);
}

static void choose_symmetries(Minimax *minimax) {
  minimax->symmetries = minimax->settings.symmetry
                            ? book_symmetries_from(minimax->book, minimax->game)
                            : NULL;
}

void minimax_reset(Minimax *minimax) {
  game_reset(minimax->game);
  choose_symmetries(minimax);
  stand_here(minimax);
}

bool minimax_enter(Minimax *minimax, const Term *facts, uint32_t count) {
  if (!game_enter_facts(minimax->game, facts, count)) return false;
  choose_symmetries(minimax);
  stand_here(minimax);
  return true;
}

void minimax_advance(Minimax *minimax, const Move *joint) {
  game_make(minimax->game, joint);
  stand_here(minimax);
  game_enter(minimax->game, minimax->root_state.data,
             minimax->root_state.count); /* forgets the way here */
}

/* ---- thinking ---- */

static void begin_report(Minimax *minimax) {
  for (uint32_t i = 0; i < minimax->worker_count; i++) {
    Worker *worker = minimax->workers[i];
    worker->states = worker->evaluated = worker->hits = 0;
    worker->hatched = worker->listings = 0;
    worker->next_look = worker->told = 0;
    worker->depth_most = 0;
    worker->lasted = worker->before = 0;
    worker->stopped = false;
  }
  minimax->branching = 0;
  minimax->depth_states = 0;
  minimax->spent = (SearchReport){0};
  atomic_store(&minimax->others, 0);
  atomic_store(&minimax->halt, false);
}

/* Looks for a card. Broods that it makes have three quarters of the memory: a
   kilobyte for a node, where the table needs 16 bytes. */
static void begin_breeding(Minimax *minimax) {
  size_t memory = (size_t)minimax->settings.memory << 20;
  minimax->breeds = false;
  minimax->breeder = breeder_new(minimax->book, &minimax->settings,
                                 minimax->quiet ? minimax->features : NULL,
                                 minimax->ends.program, memory / 4 * 3);
  if (minimax->breeder) transpositions_limit(&minimax->table, memory / 4);
}

static void think(Minimax *minimax, const Budget *budget) {
  if (minimax->breeds && breeder_suits(budget)) begin_breeding(minimax);
  Breeder *breeder = minimax->breeder;
  if (breeder) {
    breeder_begin(breeder, budget, minimax->evaluation);
    minimax->nest = breeder_nest(breeder);
  }
  bool fine = deepen_think(minimax, budget->threads);
  if (breeder) {
    minimax->nest = NULL;
    breeder_end(breeder);
  }
  if (!fine) trial_fail("out of memory in a thread of the search");
}

void minimax_think(Minimax *minimax, const Budget *budget) {
  limit_init(&minimax->limit, budget, minimax->settings.share);
  begin_report(minimax);
  if (!minimax->workers[0]->moves.count || !minimax_sound(minimax)) return;
  transpositions_begin(&minimax->table);
  busy_clear(&minimax->busy);
  think(minimax, budget);
  if (game_failed(minimax->workers[0]->game))
    atomic_store(&minimax->sound, false);
  deepen_publish(minimax);
  minimax->spent.seconds = clock_now() - minimax->limit.start;
}

Move minimax_best(Minimax *minimax) {
  return atomic_load(&minimax->best);
}

bool minimax_sound(const Minimax *minimax) {
  return atomic_load(&minimax->sound);
}

bool minimax_hopes(const Minimax *minimax) {
  return minimax->breeds ||
         (minimax->breeder && breeder_alive(minimax->breeder));
}

bool minimax_captures(const Minimax *minimax) {
  return minimax->captures;
}

Game *minimax_game(Minimax *minimax) {
  return minimax->game;
}

void minimax_set_evaluation(Minimax *minimax, const Evaluation *evaluation) {
  minimax->evaluation = evaluation;
  transpositions_forget(&minimax->table);
  for (uint32_t i = 0; i < minimax->worker_count; i++)
    alphabeta_take_evaluation(minimax->workers[i]);
  if (!minimax->proven) minimax->depth = 0;
}

void minimax_limit_depth(Minimax *minimax, uint32_t depth) {
  minimax->depth_limit = depth && depth < PLY_MOST ? depth : PLY_MOST - 1;
}

void minimax_listen(Minimax *minimax, MinimaxListener *listener,
                    void *context) {
  minimax->listener = listener;
  minimax->context = context;
}

/* ---- life ---- */

enum { SAMPLED_STEPS = 300, SAMPLED_MOVES = 4 };

/* Where captures are nearly all moves, as in reversi, there is no quiet state;
   where there are none, quiet search would only take time. */
static const double captures_most = 0.4;

/* Captures that are not at the place where the move goes to, such as en passant
   in chess, are left out of quiet search if they are so rare: 62.5 +- 13.7 % of
   32 games of chess_200 at 0.1 s a move. */
static const double elsewhere_most = 0.03;

typedef struct CaptureSample {
  uint32_t made, captures, elsewhere; /* not at the place they go to */
  uint32_t ends; /* that neither are, where another move leads on */
} CaptureSample;

/* Of the moves of one state: ends, and of those the ones that are no attacks.
 */
typedef struct EndSample {
  uint32_t ends, elsewhere;
} EndSample;

static void sample_captures(Minimax *minimax, const Features *features,
                            CaptureSample *sample) {
  EndsMemory *memory = ends_memory_new(&minimax->ends);
  Game *game = minimax->game;
  Random random;
  random_seed(&random, 1);
  game_reset(game);
  for (uint32_t step = 0; step < SAMPLED_STEPS && !game_failed(game); step++) {
    if (game_terminal(game)) game_reset(game);
    Turn turn = turn_of(game);
    EndSample here = {0};
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < minimax->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    for (uint32_t i = 0; turn.movers == 1 && i < SAMPLED_MOVES; i++) {
      const uint64_t *from, *to;
      Move move = joint[turn.role] = moves_random(game, turn.role, &random);
      game_successor(game, joint, &to);
      game_state(game, &from);
      bool captures = brood_captures(minimax, turn.role, from, to);
      bool attacks = brood_attacks(features, turn.role, move, from);
      bool ends = minimax->ends.program &&
                  ends_find(&minimax->ends, memory, from, &to, 1);
      sample->made++;
      sample->captures += captures;
      sample->elsewhere += captures && !attacks;
      here.ends += ends;
      here.elsewhere += ends && !attacks;
    }
    if (here.ends < SAMPLED_MOVES) sample->ends += here.elsewhere;
    game_make(game, joint);
  }
  ends_memory_delete(memory);
}

static void find_pieces(Minimax *minimax) {
  const Features *features = book_features(minimax->book);
  minimax->pieces = memory_new((size_t)minimax->role_count * minimax->words *
                               sizeof *minimax->pieces);
  if (!features || features->kind == FAST_NONE) return;
  for (uint32_t f = 0; f < minimax->book->net.fluents.count; f++) {
    uint32_t feature = features->of_fluent[f];
    if (!feature) continue;
    uint32_t owner = features->list.data[feature - 1].owner;
    bits_add(minimax->pieces + (size_t)owner * minimax->words, f);
    minimax->captures = true;
  }
  CaptureSample sample = {0};
  if (minimax->captures) sample_captures(minimax, features, &sample);
  minimax->captures =
      sample.captures && sample.captures < captures_most * sample.made;
  if (sample.elsewhere <= elsewhere_most * sample.captures && !sample.ends)
    minimax->features = features;
  minimax->quiet = minimax->captures && minimax->settings.quiet;
}

/* Where goals do not add up to a constant, the others may be for themselves
   rather than against one. */
static void start_several(Minimax *minimax) {
  minimax->maxn =
      !minimax->scale.constant && minimax->settings.others == OTHERS_MAXN;
  if (!minimax->maxn) return;
  minimax->scales = memory_new(minimax->role_count * sizeof *minimax->scales);
  for (uint32_t role = 0; role < minimax->role_count; role++)
    scale_init(&minimax->scales[role], minimax->book, role, &minimax->settings);
}

Minimax *minimax_new(Book *book, uint32_t role, const Settings *settings,
                     uint64_t seed) {
  Minimax *minimax = memory_new(sizeof *minimax);
  minimax->book = book;
  minimax->analysis = book_analysis(book);
  minimax->settings = *settings;
  if (!minimax->settings.threads) minimax->settings.threads = 1;
  minimax->role = role;
  minimax->game = book_game(book);
  minimax->role_count = minimax->game->role_count;
  minimax->words = book->words;
  minimax_limit_depth(minimax, 0);
  settings_adapt(&minimax->settings, minimax->role_count);
  scale_init(&minimax->scale, book, role, &minimax->settings);
  random_seed(&minimax->random, seed);
  ends_init(&minimax->ends, &book->net);
  find_pieces(minimax);
  start_several(minimax);
  transpositions_init(&minimax->table, (size_t)settings->memory << 20);
  minimax->breeds = settings->gpu && settings->gpubroods && !minimax->maxn;
  minimax->worker_count = (uint32_t)minimax->settings.threads;
  busy_init(&minimax->busy, minimax->worker_count);
  minimax->workers =
      memory_new(minimax->worker_count * sizeof *minimax->workers);
  for (uint32_t i = 0; i < minimax->worker_count; i++)
    minimax->workers[i] = alphabeta_worker_new(minimax, i);
  minimax_reset(minimax);
  return minimax;
}

void minimax_delete(Minimax *minimax) {
  if (minimax->breeder) breeder_delete(minimax->breeder);
  for (uint32_t i = 0; i < minimax->worker_count; i++)
    alphabeta_worker_delete(minimax->workers[i]);
  memory_delete(minimax->workers);
  for (uint32_t i = 0; minimax->scales && i < minimax->role_count; i++)
    scale_free(&minimax->scales[i]);
  memory_delete(minimax->scales);
  game_delete(minimax->game);
  scale_free(&minimax->scale);
  ends_free(&minimax->ends);
  memory_delete(minimax->pieces);
  transpositions_free(&minimax->table);
  busy_free(&minimax->busy);
  vector_free(&minimax->root_state);
  vector_free(&minimax->report.moves);
  vector_free(&minimax->report.lines);
  memory_delete(minimax);
}
