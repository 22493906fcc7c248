/* The second mind in its match: positions, iterative deepening at the root,
   answers. The game of `minimax` stands at the root always; each worker has an
   engine of its own. */
#include "minimax/minimax.h"

#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/clock.h"
#include "engine/moves.h"
#include "minimax/alphabeta.h"
#include "minimax/brood.h"

bool minimax_plays(Book *book) {
  const Analysis *analysis = book->has_net ? book_analysis(book) : NULL;
  return analysis && analysis->turns.role_count > 1 && analysis->turns.taking &&
         book->net.moves.count < TABLE_MOVES - 1;
}

/* ---- positions ---- */

static void list_root_moves(Minimax *minimax) {
  const Move *moves;
  uint32_t mover = minimax->turn.role < minimax->role_count ? minimax->turn.role
                                                            : minimax->role;
  uint32_t count = game_legal(minimax->game, mover, &moves);
  if (minimax->symmetries && minimax->turn.movers == 1) {
    Move *listed = minimax->worker->listed;
    memcpy(listed, moves, count * sizeof *moves);
    count = symmetries_reduce_turn(
        minimax->symmetries, minimax->root_state.data, mover, listed, count);
    moves = listed;
  }
  vector_clear(&minimax->moves);
  for (uint32_t i = 0; i < count; i++) {
    RootMove move = {.move = moves[i], .bound = BOUND_NONE};
    vector_push(&minimax->moves, move);
  }
  /* Moves of equal value are played in any order. */
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(&minimax->random, i);
    RootMove move = minimax->moves.data[j];
    minimax->moves.data[j] = minimax->moves.data[i - 1];
    minimax->moves.data[i - 1] = move;
  }
}

static void publish(Minimax *minimax) {
  const Move *moves;
  if (minimax->turn.role == minimax->role && minimax->moves.count)
    atomic_store(&minimax->best, minimax->moves.data[0].move);
  else if (game_legal(minimax->game, minimax->role, &moves))
    atomic_store(&minimax->best, moves[0]);
}

static void stand_here(Minimax *minimax) {
  const uint64_t *words;
  uint32_t count = game_state(minimax->game, &words);
  vector_resize(&minimax->root_state, count);
  memcpy(minimax->root_state.data, words, count * sizeof *words);
  minimax->depth = 0;
  minimax->proven = false;
  minimax->score = (minimax->scale.low + minimax->scale.high) / 2;
  vector_clear(&minimax->moves);
  if (game_terminal(minimax->game)) return;
  minimax->turn = turn_of(minimax->game);
  if (minimax->turn.movers > 1) minimax->sound = false;
  list_root_moves(minimax);
  publish(minimax);
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

static bool root_is_other(const Minimax *minimax) {
  return minimax->turn.role < minimax->role_count &&
         minimax->turn.role != minimax->role;
}

/* Puts the move at `at` first, the others move up. */
static void bring_first(Minimax *minimax, uint32_t at) {
  RootMove move = minimax->moves.data[at];
  memmove(minimax->moves.data + 1, minimax->moves.data,
          at * sizeof *minimax->moves.data);
  minimax->moves.data[0] = move;
}

static Result root_child(Minimax *minimax, Move move, uint32_t depth, Score low,
                         Score high) {
  bool other = root_is_other(minimax);
  Result result =
      other ? alphabeta_search_move(minimax->worker, move, depth, -high, -low)
            : alphabeta_search_move(minimax->worker, move, depth, low, high);
  if (other) result.score = -result.score;
  return result;
}

/* Searches all moves of the root to a depth. Returns false if it was broken
   off. Whenever a move turns out better than all before, it comes first. */
static bool deepen(Minimax *minimax, uint32_t depth) {
  Worker *worker = minimax->worker;
  Score best = -SCORE_INFINITE;
  bool exact = true;
  for (uint32_t i = 0; i < minimax->moves.count; i++) {
    RootMove *move = &minimax->moves.data[i];
    uint64_t before = worker->states;
    Result result;
    if (!i) {
      result = root_child(minimax, move->move, depth, -SCORE_INFINITE,
                          SCORE_INFINITE);
    } else {
      result = root_child(minimax, move->move, depth, best, best + 1);
      if (!worker->stopped && result.score > best)
        result = root_child(minimax, move->move, depth, best, SCORE_INFINITE);
    }
    if (worker->stopped) return false;
    move->score = result.score;
    move->exact = result.exact;
    move->bound = result.score > best ? BOUND_EXACT : BOUND_UPPER;
    move->states = worker->states - before;
    move->line = worker->plies[1].line;
    exact &= result.exact;
    if (result.score <= best) continue;
    best = result.score;
    bring_first(minimax, i);
    minimax->score = root_is_other(minimax) ? -best : best;
    publish(minimax);
  }
  minimax->depth = depth;
  minimax->proven = exact || scale_decided(&minimax->scale, minimax->score);
  return true;
}

static void begin_report(Minimax *minimax) {
  Worker *worker = minimax->worker;
  worker->states = worker->evaluated = worker->hits = worker->next_look = 0;
  worker->depth_most = 0;
  worker->stopped = false;
  minimax->branching = 0;
  minimax->depth_states = 0;
  minimax->spent = (SearchReport){0};
}

void minimax_think(Minimax *minimax, const Budget *budget) {
  limit_init(&minimax->limit, budget, minimax->settings.share);
  begin_report(minimax);
  if (!minimax->moves.count || !minimax->sound) return;
  Worker *worker = minimax->worker;
  alphabeta_stand(worker);
  minimax->table.age = (minimax->table.age + 1) & 63;
  while (!minimax->proven && minimax->depth + 1 < PLY_MOST) {
    uint64_t before = worker->states;
    transpositions_grow(&minimax->table);
    if (!deepen(minimax, minimax->depth + 1)) break;
    uint64_t spent = worker->states - before;
    if (minimax->depth_states)
      minimax->branching = (double)spent / (double)minimax->depth_states;
    minimax->depth_states = spent;
    minimax->spent.states = worker->states;
    limit_watch(&minimax->limit, &minimax->spent);
    if (limit_reached(&minimax->limit, &minimax->spent)) break;
  }
  if (game_failed(worker->game)) minimax->sound = false;
  publish(minimax);
  minimax->spent.seconds = clock_now() - minimax->limit.start;
}

Move minimax_best(Minimax *minimax) {
  return atomic_load(&minimax->best);
}

bool minimax_sound(const Minimax *minimax) {
  return minimax->sound;
}

Game *minimax_game(Minimax *minimax) {
  return minimax->game;
}

void minimax_set_evaluation(Minimax *minimax, const Evaluation *evaluation) {
  Worker *worker = minimax->worker;
  minimax->evaluation = evaluation;
  transpositions_forget(&minimax->table);
  alphabeta_take_evaluation(worker);
  if (!minimax->proven) minimax->depth = 0;
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

static double share_of_captures(Minimax *minimax) {
  Game *game = minimax->game;
  uint32_t made = 0, captures = 0;
  Random random;
  random_seed(&random, 1);
  game_reset(game);
  for (uint32_t step = 0; step < SAMPLED_STEPS; step++) {
    if (game_terminal(game)) game_reset(game);
    Turn turn = turn_of(game);
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < minimax->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    for (uint32_t i = 0; turn.movers == 1 && i < SAMPLED_MOVES; i++) {
      const uint64_t *from, *to;
      joint[turn.role] = moves_random(game, turn.role, &random);
      game_successor(game, joint, &to);
      game_state(game, &from);
      captures += brood_captures(minimax, turn.role, from, to);
      made++;
    }
    game_make(game, joint);
    if (game_failed(game)) return 0;
  }
  return made ? (double)captures / made : 0;
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
  double share = minimax->captures ? share_of_captures(minimax) : 0;
  minimax->captures = share > 0 && share < captures_most;
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
  minimax->sound = true;
  settings_adapt(&minimax->settings, minimax->role_count);
  scale_init(&minimax->scale, book, role, &minimax->settings);
  transpositions_init(&minimax->table, (size_t)settings->memory << 20);
  random_seed(&minimax->random, seed);
  ends_init(&minimax->ends, &book->net);
  find_pieces(minimax);
  minimax->worker = alphabeta_worker_new(minimax);
  minimax_reset(minimax);
  return minimax;
}

void minimax_delete(Minimax *minimax) {
  alphabeta_worker_delete(minimax->worker);
  game_delete(minimax->game);
  scale_free(&minimax->scale);
  ends_free(&minimax->ends);
  memory_delete(minimax->pieces);
  transpositions_free(&minimax->table);
  vector_free(&minimax->root_state);
  vector_free(&minimax->moves);
  vector_free(&minimax->report.moves);
  vector_free(&minimax->report.lines);
  memory_delete(minimax);
}
