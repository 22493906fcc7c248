/* Alpha-beta in the form of principal variation search (Marsland 1983), on the
   scalar engine: a node's legal moves are asked for once, states and sums lie
   on a stack, and nothing is allocated below the root.

   Scores and windows are from the view of the role that thinks; where somebody
   else is in turn they are negated, so that a node always maximises. All others
   are against the role that thinks (paranoid, Sturtevant and Korf 2000), which
   is exact for two roles whose goals add up to a constant. */
#include "minimax/alphabeta.h"

#include "base/clock.h"

/* ---- a node's facts ---- */

static bool out_of_time(Worker *worker) {
  Minimax *minimax = worker->minimax;
  if (worker->stopped) return true;
  if (worker->states < worker->next_look) return false;
  worker->next_look = worker->states + 256;
  minimax->spent.states = worker->states;
  limit_watch(&minimax->limit, &minimax->spent);
  worker->stopped =
      limit_reached(&minimax->limit, &minimax->spent) || !minimax->sound;
  return worker->stopped;
}

static Result end_of(Worker *worker, uint32_t ply) {
  float goals[RULE_ROLES];
  const Scale *scale = &worker->minimax->scale;
  for (uint32_t role = 0; role < worker->game->role_count; role++) {
    int goal = game_goal(worker->game, role);
    goals[role] = (float)(goal < 0 ? scale->aim.cut : goal);
  }
  return (Result){scale_end(scale, goals, ply), true};
}

static Result evaluate(Worker *worker, uint32_t ply) {
  const Evaluation *evaluation = worker->minimax->evaluation;
  const Scale *scale = &worker->minimax->scale;
  float values[RULE_ROLES];
  worker->evaluated++;
  if (!evaluation) return (Result){(scale->low + scale->high) / 2, false};
  uint32_t legal[RULE_ROLES];
  const Move *moves;
  for (uint32_t r = 0; evaluation->mobility && r < evaluation->role_count; r++)
    legal[r] = game_legal(worker->game, r, &moves);
  evaluation_values(evaluation, worker->plies[ply].state,
                    worker->plies[ply].sums,
                    evaluation->mobility ? legal : NULL, values);
  return (Result){scale_values(scale, values), false};
}

/* Puts the moves of the role in turn on the pool and the others' into the joint
   move. Returns their number. */
static uint32_t list_moves(Worker *worker, Ply *node, uint32_t *mover) {
  const Move *moves;
  *mover = worker->game->role_count;
  for (uint32_t role = 0; role < worker->game->role_count; role++) {
    uint32_t count = game_legal(worker->game, role, &moves);
    if (!count) return 0;
    node->joint[role] = moves[0];
    if (count == 1) continue;
    if (*mover < worker->game->role_count) worker->minimax->sound = false;
    *mover = role;
  }
  uint32_t role = *mover < worker->game->role_count ? *mover : 0;
  uint32_t count = game_legal(worker->game, role, &moves);
  uint32_t first = worker->pool.count;
  if (first + count > worker->pool.capacity) return 0;
  memcpy(worker->pool.data + first, moves, count * sizeof *moves);
  worker->pool.count += count;
  return count;
}

/* ---- making moves ---- */

static void take_state(Worker *worker, uint32_t ply) {
  const uint64_t *words;
  const Evaluation *evaluation = worker->minimax->evaluation;
  Ply *to = &worker->plies[ply];
  uint32_t count = game_state(worker->game, &words);
  memcpy(to->state, words, count * sizeof *words);
  to->line.count = 0;
  if (!evaluation || !evaluation->sum_count) return;
  if (!ply) {
    evaluation_begin(evaluation, words, to->sums);
    return;
  }
  memcpy(to->sums, to[-1].sums, evaluation->sum_count * sizeof *to->sums);
  evaluation_update(evaluation, to[-1].state, to->state, to->sums);
}

static void make(Worker *worker, uint32_t ply) {
  worker->states++;
  game_make(worker->game, worker->plies[ply].joint);
  take_state(worker, ply + 1);
}

static void extend_line(Worker *worker, uint32_t ply, Move move) {
  Line *line = &worker->plies[ply].line;
  const Line *rest = &worker->plies[ply + 1].line;
  uint32_t count = rest->count < PLY_MOST ? rest->count : PLY_MOST - 1;
  line->moves[0] = move;
  memcpy(line->moves + 1, rest->moves, count * sizeof *rest->moves);
  line->count = count + 1;
}

/* ---- order ---- */

static void order_moves(Worker *worker, const Ply *node, Move *moves,
                        uint32_t count, Move first) {
  int32_t keys[512];
  if (count > 512) count = 512;
  for (uint32_t i = 0; i < count; i++) {
    Move move = moves[i];
    int32_t key = worker->history[move];
    if (move == first)
      key = INT32_MAX;
    else if (move == node->killers[0])
      key = INT32_MAX - 1;
    else if (move == node->killers[1])
      key = INT32_MAX - 2;
    uint32_t at = i;
    for (; at && keys[at - 1] < key; at--)
      keys[at] = keys[at - 1], moves[at] = moves[at - 1];
    keys[at] = key;
    moves[at] = move;
  }
}

static void reward(Worker *worker, Ply *node, Move move, uint32_t depth) {
  if (node->killers[0] != move) {
    node->killers[1] = node->killers[0];
    node->killers[0] = move;
  }
  worker->history[move] += (int32_t)(depth * depth);
  if (worker->history[move] < 1 << 28) return;
  for (uint32_t i = 0; i < worker->minimax->book->net.moves.count; i++)
    worker->history[i] /= 2;
}

/* ---- the search ---- */

static Result negated(Result result, bool other) {
  return other ? (Result){-result.score, result.exact} : result;
}

static void tell(Worker *worker, const Ply *node, uint32_t depth, Bound bound,
                 Result result) {
  const Minimax *minimax = worker->minimax;
  if (!minimax->listener) return;
  int kind = bound == BOUND_EXACT ? 0 : bound == BOUND_LOWER ? -1 : 1;
  if (minimax->scale.constant && minimax->role == 1) kind = -kind;
  MinimaxNode told = {.state = node->state,
                      .depth = result.exact ? TABLE_DEPTH : depth,
                      .bound = kind,
                      .value =
                          (float)scale_goal(&minimax->scale, result.score)};
  minimax->listener(minimax->context, &told);
}

static Result search(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                     Score high);

/* Searches the child that the joint move leads to. */
static Result search_child(Worker *worker, uint32_t ply, uint32_t depth,
                           Score low, Score high) {
  make(worker, ply);
  Result result = search(worker, ply + 1, depth, low, high);
  game_retract(worker->game);
  return result;
}

typedef struct Window { /* from the view of the role in turn */
  Score low, high;
  bool other; /* negated */
} Window;

static Result child_in(Worker *worker, uint32_t ply, uint32_t depth,
                       const Window *window, Score low, Score high) {
  Result result = window->other ? search_child(worker, ply, depth, -high, -low)
                                : search_child(worker, ply, depth, low, high);
  return negated(result, window->other);
}

/* The best of a node's moves. */
typedef struct Choice {
  Result result;
  Move move;
} Choice;

static Choice try_moves(Worker *worker, uint32_t ply, uint32_t depth,
                        uint32_t mover, const Move *moves, uint32_t count,
                        const Window *window) {
  Ply *node = &worker->plies[ply];
  Choice best = {{-SCORE_INFINITE, true}, no_move};
  bool all_exact = true;
  Score low = window->low;
  for (uint32_t i = 0; i < count; i++) {
    node->joint[mover] = moves[i];
    Result result;
    if (!i) {
      result = child_in(worker, ply, depth - 1, window, low, window->high);
    } else {
      result = child_in(worker, ply, depth - 1, window, low, low + 1);
      if (result.score > low && result.score < window->high && !worker->stopped)
        result = child_in(worker, ply, depth - 1, window, low, window->high);
    }
    if (worker->stopped) return best;
    all_exact &= result.exact;
    if (result.score > best.result.score) {
      best = (Choice){result, moves[i]};
      if (result.score > low) {
        low = result.score;
        extend_line(worker, ply, moves[i]);
      }
    }
    if (low >= window->high) {
      reward(worker, node, moves[i], depth);
      return best;
    }
  }
  best.result.exact = all_exact;
  return best;
}

/* Returns true if the table answers. */
static bool known(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                  Score high, Move *first, Result *result) {
  Transposition entry;
  Minimax *minimax = worker->minimax;
  if (!transpositions_find(&minimax->table, game_key(worker->game), &entry))
    return false;
  *first = entry.move;
  if (entry.depth < depth) return false;
  Score score = scale_from_table(&minimax->scale, entry.score, ply);
  if (!(entry.bound == BOUND_EXACT ||
        (entry.bound == BOUND_LOWER && score >= high) ||
        (entry.bound == BOUND_UPPER && score <= low)))
    return false;
  worker->hits++;
  *result = (Result){score, entry.depth == TABLE_DEPTH};
  return true;
}

/* A node that is searched, from the view of the role in turn. */
static Result search_inner(Worker *worker, uint32_t ply, uint32_t depth,
                           Score low, Score high, Move first) {
  Minimax *minimax = worker->minimax;
  Ply *node = &worker->plies[ply];
  uint32_t mover, pool = worker->pool.count;
  uint64_t key = game_key(worker->game);
  uint32_t count = list_moves(worker, node, &mover);
  if (!count || ply + 1 >= PLY_MOST) {
    worker->pool.count = pool;
    return evaluate(worker, ply);
  }
  Window window = {low, high, false};
  if (mover != minimax->role && mover < minimax->role_count)
    window = (Window){-high, -low, true};
  Move *moves = worker->pool.data + pool;
  order_moves(worker, node, moves, count, first);
  if (mover == minimax->role_count) mover = 0;
  if (ply + 1 <= PLY_MOST)
    worker->plies[ply + 1].killers[0] = worker->plies[ply + 1].killers[0];
  Choice best = try_moves(worker, ply, depth, mover, moves, count, &window);
  worker->pool.count = pool;
  Result result = negated(best.result, window.other);
  if (worker->stopped) return result;
  Bound bound = result.score >= high  ? BOUND_LOWER
                : result.score <= low ? BOUND_UPPER
                                      : BOUND_EXACT;
  Transposition entry = {.score =
                             scale_to_table(&minimax->scale, result.score, ply),
                         .depth = result.exact ? TABLE_DEPTH : depth,
                         .bound = bound,
                         .move = best.move};
  transpositions_store(&minimax->table, key, &entry);
  tell(worker, node, depth, bound, result);
  return result;
}

static Result search(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                     Score high) {
  Result result;
  Move first = no_move;
  if (ply > worker->depth_most) worker->depth_most = ply;
  if (out_of_time(worker)) return (Result){0, false};
  if (game_terminal(worker->game)) return end_of(worker, ply);
  if (!depth) return evaluate(worker, ply);
  if (known(worker, ply, depth, low, high, &first, &result)) return result;
  return search_inner(worker, ply, depth, low, high, first);
}

Result alphabeta_search_move(Worker *worker, uint32_t depth, Score low,
                             Score high) {
  return search_child(worker, 0, depth - 1, low, high);
}

/* ---- life ---- */

void alphabeta_stand(Worker *worker) {
  const Minimax *minimax = worker->minimax;
  game_enter(worker->game, minimax->root_state.data, minimax->words);
  take_state(worker, 0);
}

Worker *alphabeta_worker_new(Minimax *minimax) {
  Worker *worker = memory_new(sizeof *worker);
  const Net *net = &minimax->book->net;
  uint32_t most = 0;
  worker->minimax = minimax;
  worker->game = book_game(minimax->book);
  worker->plies = memory_new((PLY_MOST + 1) * sizeof *worker->plies);
  worker->words =
      memory_new((PLY_MOST + 1) * (size_t)minimax->words * sizeof(uint64_t));
  for (uint32_t ply = 0; ply <= PLY_MOST; ply++) {
    worker->plies[ply].state = worker->words + (size_t)ply * minimax->words;
    worker->plies[ply].killers[0] = worker->plies[ply].killers[1] = no_move;
  }
  for (uint32_t role = 0; role < minimax->role_count; role++) {
    uint32_t own = net->role_first.data[role + 1] - net->role_first.data[role];
    if (own > most) most = own;
  }
  vector_grow(&worker->pool, 4 * most + (1 << 15));
  worker->history = memory_new(net->moves.count * sizeof *worker->history);
  return worker;
}

void alphabeta_worker_delete(Worker *worker) {
  game_delete(worker->game);
  memory_delete(worker->plies);
  memory_delete(worker->words);
  memory_delete(worker->sums);
  vector_free(&worker->pool);
  memory_delete(worker->history);
  memory_delete(worker);
}
