/* Alpha-beta in the form of principal variation search (Marsland 1983). States
   and sums lie on a stack; nothing is allocated below the root.

   Scores and windows are from the view of the role that thinks; where somebody
   else is in turn they are negated, so that a node always maximises. All others
   are against the role that thinks (paranoid, Sturtevant and Korf 2000), which
   is exact for two roles whose goals add up to a constant.

   The last inner nodes make all their children and evaluate them at once. A
   child whose evaluation does not exceed the window is taken for what it is;
   the others are entered, and their captures searched until the state is quiet.
   A role may always leave captures alone, so the evaluation is a bound. */
#include "minimax/alphabeta.h"

#include <math.h>

#include "minimax/brood.h"

enum {
  QUIET_MOST = 16, /* captures in a row */
  FEW_LEAVES = 4   /* made before the others */
};

/* How often the clock is looked at. */
static const uint64_t look_every = 512;

bool alphabeta_stopped(Worker *worker) {
  Minimax *minimax = worker->minimax;
  if (worker->stopped) return true;
  if (worker->states < worker->next_look) return false;
  worker->next_look = worker->states + look_every;
  bool stop = !atomic_load_explicit(&minimax->sound, memory_order_relaxed);
  if (worker->number) {
    atomic_fetch_add_explicit(&minimax->others, worker->states - worker->told,
                              memory_order_relaxed);
    worker->told = worker->states;
    stop |= atomic_load_explicit(&minimax->halt, memory_order_relaxed);
  } else {
    uint64_t most = minimax->limit.budget.states;
    minimax->spent.states =
        worker->states +
        atomic_load_explicit(&minimax->others, memory_order_relaxed);
    minimax->spent.simulations = worker->evaluated;
    limit_watch(&minimax->limit, &minimax->spent);
    stop |= limit_reached(&minimax->limit, &minimax->spent);
    if (most > worker->states && most < worker->next_look)
      worker->next_look = most;
  }
  worker->stopped = stop;
  return stop;
}

static Result negated(Result result, bool other) {
  return other ? (Result){-result.score, result.exact} : result;
}

static Window window_of(const Brood *brood, Score low, Score high) {
  return brood->other ? (Window){-high, -low, true}
                      : (Window){low, high, false};
}

static void extend_line(Worker *worker, uint32_t ply, Move move) {
  Line *line = &worker->plies[ply].line;
  const Line *rest = &worker->plies[ply + 1].line;
  uint32_t count = rest->count < PLY_MOST ? rest->count : PLY_MOST - 1;
  line->moves[0] = move;
  memcpy(line->moves + 1, rest->moves, count * sizeof *rest->moves);
  line->count = count + 1;
}

/* ---- the table ---- */

/* Looks a node up; what is there, or an entry without a bound, goes to `entry`.
   Returns true if it answers. */
static bool known(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                  Score high, Transposition *entry, Result *result) {
  Minimax *minimax = worker->minimax;
  *entry = (Transposition){.bound = BOUND_NONE, .move = no_move};
  if (!transpositions_find(&minimax->table, worker->plies[ply].key, entry) ||
      entry->depth < depth)
    return false;
  Score score = scale_from_table(&minimax->scale, entry->score, ply);
  if (!(entry->bound == BOUND_EXACT ||
        (entry->bound == BOUND_LOWER && score >= high) ||
        (entry->bound == BOUND_UPPER && score <= low)))
    return false;
  worker->hits++;
  *result = (Result){score, entry->depth == TABLE_DEPTH};
  return true;
}

/* What a result from the view of the role in turn says of the node's value from
   the view of the role that thinks. */
static Bound bound_of(Result result, const Window *window) {
  if (result.score >= window->high)
    return window->other ? BOUND_UPPER : BOUND_LOWER;
  if (result.score <= window->low)
    return window->other ? BOUND_LOWER : BOUND_UPPER;
  return BOUND_EXACT;
}

static void remember(Worker *worker, uint32_t ply, uint32_t depth, Bound bound,
                     Result result, Move move) {
  Minimax *minimax = worker->minimax;
  Transposition entry = {.score =
                             scale_to_table(&minimax->scale, result.score, ply),
                         .depth = result.exact ? TABLE_DEPTH : depth,
                         .bound = bound,
                         .move = move};
  transpositions_store(&minimax->table, worker->plies[ply].key, &entry);
}

static void tell(const Worker *worker, uint32_t ply, uint32_t depth,
                 Bound bound, Result result) {
  const Minimax *minimax = worker->minimax;
  if (!minimax->listener) return;
  int kind = bound == BOUND_EXACT ? 0 : bound == BOUND_LOWER ? -1 : 1;
  if (minimax->scale.constant && minimax->role == 1) kind = -kind;
  MinimaxNode told = {.state = worker->plies[ply].state,
                      .depth = result.exact ? TABLE_DEPTH : depth,
                      .bound = kind,
                      .value =
                          (float)scale_goal(&minimax->scale, result.score)};
  minimax->listener(minimax->context, &told);
}

/* ---- order ---- */

static void reward(Worker *worker, Ply *node, Move move, uint32_t depth) {
  if (node->killers[0] != move) {
    node->killers[1] = node->killers[0];
    node->killers[0] = move;
  }
  worker->history[move] += (int32_t)(depth * depth);
  if (worker->history[move] < 1 << 16) return;
  for (uint32_t i = 0; i < worker->minimax->book->net.moves.count; i++)
    worker->history[i] /= 2;
}

/* The order of moves before anything is known of the states they lead to. */
static void order_unmade(Worker *worker, const Brood *brood, Move first) {
  const Ply *node = &worker->plies[brood->ply];
  for (uint32_t i = 0; i < brood->count; i++) {
    Child *child = brood_child(worker, brood, i);
    child->order = worker->history[child->move];
    if (child->move == node->killers[1]) child->order = INT32_MAX - 2;
    if (child->move == node->killers[0]) child->order = INT32_MAX - 1;
    if (child->move == first) child->order = INT32_MAX;
  }
}

/* ---- the last inner nodes ---- */

static Result quiet(Worker *worker, uint32_t ply, uint32_t left, Score low,
                    Score high);

/* The value of a child whose evaluation exceeds the window. */
static Result look_deeper(Worker *worker, uint32_t ply, const Child *child,
                          uint32_t left, const Window *window, Score low) {
  if (!worker->minimax->quiet || !left) return (Result){child->score, false};
  brood_descend(worker, ply, child);
  Result result = window->other
                      ? quiet(worker, ply + 1, left - 1, -window->high, -low)
                      : quiet(worker, ply + 1, left - 1, low, window->high);
  return negated(result, window->other);
}

/* The best of a node's children so far, which are leaves. */
typedef struct Leaves {
  Result best;
  Move move; /* of the best, if it exceeds the window */
  Score low;
  bool exact;    /* all so far */
  bool captures; /* only captures and ends are looked at */
  uint32_t left; /* captures in a row */
} Leaves;

/* Makes and tries some children. Returns true if one is too good. */
static bool try_leaves(Worker *worker, const Brood *brood, uint32_t from,
                       uint32_t to, const Window *window, Leaves *leaves) {
  brood_make_some(worker, brood, from, to);
  for (uint32_t i = from; i < to; i++) {
    Child *child = brood_child(worker, brood, i);
    child->order = child->score;
  }
  brood_sort(worker, brood, from, to);
  for (uint32_t i = from; i < to; i++) {
    const Child *child = brood_child(worker, brood, i);
    Result result = {child->score, child->ends};
    if (leaves->captures && !child->capture && !child->ends) continue;
    worker->plies[brood->ply + 1].line.count = 0;
    if (!child->ends && child->score > leaves->low)
      result = look_deeper(worker, brood->ply, child, leaves->left, window,
                           leaves->low);
    if (worker->stopped) return true;
    leaves->exact &= result.exact;
    if (result.score <= leaves->best.score) continue;
    leaves->best = result;
    if (result.score <= leaves->low) continue;
    leaves->low = result.score;
    leaves->move = child->move;
    extend_line(worker, brood->ply, child->move);
    if (result.score >= window->high) return true;
  }
  return false;
}

/* The last inner nodes: the few moves that promise a cut come before the rest
   are even made. */
static Result best_leaf(Worker *worker, const Brood *brood,
                        const Window *window, Move *move) {
  Leaves leaves = {
      {-SCORE_INFINITE, true}, no_move, window->low, true, false, QUIET_MOST};
  uint32_t few = brood->count > 2 * FEW_LEAVES ? FEW_LEAVES : 0;
  bool cut = false;
  if (few) {
    order_unmade(worker, brood, *move);
    brood_pick(worker, brood, few);
    cut = try_leaves(worker, brood, 0, few, window, &leaves);
    if (!cut) brood_return(worker, brood);
  }
  if (!cut) cut = try_leaves(worker, brood, few, brood->count, window, &leaves);
  if (!cut) leaves.best.exact = leaves.exact;
  *move = leaves.move;
  if (cut && !worker->stopped)
    reward(worker, &worker->plies[brood->ply], leaves.move, 1);
  return leaves.best;
}

/* Tries the captures of a node whose evaluation is `stand`; both that and what
   is returned are from the view of the role in turn. */
static Result capture(Worker *worker, Brood *brood, uint32_t left, Result stand,
                      const Window *window) {
  if (stand.score >= window->high) return stand;
  brood_keep_attacks(worker, brood);
  Leaves leaves = {
      stand, no_move, stand.score > window->low ? stand.score : window->low,
      false, true,    left};
  bool cut = try_leaves(worker, brood, 0, brood->count, window, &leaves);
  leaves.best.exact &= cut; /* what is no capture was not tried */
  return leaves.best;
}

/* Captures until there are none that pay. The table keeps what comes of them as
   depth 0, but not in the place of something deeper: the same exchanges come up
   everywhere, and 17 % fewer nodes are entered in chess_200 and skirmish, 7 %
   in checkers. */
static Result quiet(Worker *worker, uint32_t ply, uint32_t left, Score low,
                    Score high) {
  Brood brood;
  Transposition entry;
  Result result;
  if (ply > worker->depth_most) worker->depth_most = ply;
  if (alphabeta_stopped(worker)) return (Result){0, false};
  bool inner = left && ply + 1 < PLY_MOST && worker->minimax->quiet;
  if (inner && known(worker, ply, 0, low, high, &entry, &result)) return result;
  bool hatched = inner && brood_fetch(worker, ply, true, &brood);
  if (!hatched) {
    brood_enter(worker, ply);
    if (game_terminal(worker->game)) return brood_end(worker, ply);
  }
  Result stand = brood_evaluate(worker, ply);
  if (!inner || (!hatched && !brood_list(worker, ply, &brood))) return stand;
  Window window = window_of(&brood, low, high);
  result = capture(worker, &brood, left, negated(stand, window.other), &window);
  brood_free(worker, &brood);
  if (worker->stopped) return result;
  Bound bound = bound_of(result, &window);
  result = negated(result, window.other);
  if (entry.bound == BOUND_NONE || !entry.depth)
    remember(worker, ply, 0, bound, result, no_move);
  return result;
}

/* ---- what the card makes ahead ---- */

/* The next iteration visits children of what are the last inner nodes now: all
   of them, or the one that cut. */
static void ask_ahead(const Worker *worker, uint32_t ply, Move move) {
  const Ply *node = &worker->plies[ply];
  if (worker->asks)
    breeder_ask(worker->minimax->breeder, node->key, node->state, move);
}

/* The last inner nodes but one or two ask for what their children need at once:
   for the broods of all of them, and their own. */
static void ask_at_once(const Worker *worker, uint32_t ply, uint32_t depth) {
  const Ply *node = &worker->plies[ply];
  Breeder *breeder = worker->minimax->nest ? worker->minimax->breeder : NULL;
  if (breeder && depth > 1 && depth < 4 && !breeder_scarce(breeder))
    breeder_ask_first(breeder, node->key, node->state);
}

/* Once the first child has not cut, the others are likely to be visited, too,
   one after the other, unless the next one is there; those of the last inner
   nodes but two to a reduced depth. */
static void ask_for_rest(const Worker *worker, uint32_t ply, uint32_t depth,
                         const Child *next) {
  if (worker->minimax->nest && depth < 4 && !brood_there(worker, ply, next))
    ask_at_once(worker, ply, depth);
}

/* ---- inner nodes ---- */

static Result search(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                     Score high);

static Result child_in(Worker *worker, uint32_t ply, const Child *child,
                       uint32_t depth, const Window *window, Score low,
                       Score high) {
  if (child->ends) return (Result){child->score, true};
  brood_descend(worker, ply, child);
  Result result = window->other ? search(worker, ply + 1, depth, -high, -low)
                                : search(worker, ply + 1, depth, low, high);
  return negated(result, window->other);
}

/* The best of a node's moves so far. */
typedef struct Choice {
  Result result;
  Move move;
  Score low;
  bool exact; /* all so far */
  uint32_t tried;
} Choice;

/* By how many steps less a late move is searched at first. */
static uint32_t reduction(const Worker *worker, const Child *child,
                          uint32_t depth, const Choice *choice) {
  static const double part = 1.5, more = 0.3;
  uint32_t way = (uint32_t)worker->minimax->settings.reduce;
  uint32_t first = way == 1 ? 4 : 3;
  if (!way || depth < 3 || choice->tried < first || child->capture) return 0;
  if (way == 1) return depth > 5 && choice->tried > 12 ? 2 : 1;
  uint32_t steps =
      (uint32_t)(more + log(depth) * log(choice->tried + 1) / part);
  return steps < depth - 2 ? steps : depth - 2;
}

/* Tries a child; returns true if it is too good. */
static bool try_child(Worker *worker, const Brood *brood, const Child *child,
                      uint32_t depth, const Window *window, Choice *choice) {
  uint32_t ply = brood->ply;
  uint32_t reduced = reduction(worker, child, depth, choice);
  Score low = choice->low;
  Result result;
  if (!choice->tried) {
    result = child_in(worker, ply, child, depth - 1, window, low, window->high);
  } else {
    result =
        child_in(worker, ply, child, depth - 1 - reduced, window, low, low + 1);
    if (reduced && result.score > low && !worker->stopped)
      result = child_in(worker, ply, child, depth - 1, window, low, low + 1);
    if (result.score > low && result.score < window->high && !worker->stopped)
      result =
          child_in(worker, ply, child, depth - 1, window, low, window->high);
  }
  if (worker->stopped) return true;
  choice->tried++;
  choice->exact &= result.exact;
  if (result.score <= choice->result.score) return false;
  choice->result = result;
  choice->move = child->move;
  if (result.score <= low) return false;
  choice->low = result.score;
  extend_line(worker, ply, child->move);
  if (result.score < window->high) return false;
  reward(worker, &worker->plies[ply], child->move, depth);
  return true;
}

static Child *find_child(const Worker *worker, const Brood *brood, Move move) {
  for (uint32_t i = 0; i < brood->count; i++)
    if (brood_child(worker, brood, i)->move == move)
      return brood_child(worker, brood, i);
  return NULL;
}

/* How much a move changes is known from children that are made. */
static void measure_spread(Worker *worker, const Brood *brood) {
  enum { AGES = 256 };
  double sum = 0, apart = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < brood->count; i++) {
    const Child *child = brood_child(worker, brood, i);
    if (!child->ends) sum += child->score;
    count += !child->ends;
  }
  if (count < 2) return;
  for (uint32_t i = 0; i < brood->count; i++) {
    const Child *child = brood_child(worker, brood, i);
    if (!child->ends) apart += fabs(child->score - sum / count);
  }
  double spread = apart / count;
  worker->spread +=
      worker->spread > 0 ? (spread - worker->spread) / AGES : spread;
}

static void order_children(Worker *worker, const Brood *brood, Move first) {
  const Ply *node = &worker->plies[brood->ply];
  for (uint32_t i = 0; i < brood->count; i++) {
    Child *child = brood_child(worker, brood, i);
    child->order = child->score + worker->history[child->move] / 4;
    if (child->capture) child->order += 4000;
    if (child->move == node->killers[0]) child->order += 10000;
    if (child->move == node->killers[1]) child->order += 8000;
    if (child->move == first) child->order = INT32_MAX;
  }
  measure_spread(worker, brood);
  brood_sort(worker, brood, 0, brood->count);
}

/* Near the leaves, a late move after which the state is far worse than what the
   role has already is not searched: nobody expects it to be better than it
   looks by more than four times what moves usually differ by, for each step
   that is left. Returns false if it may be good enough. */
static bool pass_over(const Worker *worker, const Brood *brood,
                      const Child *child, uint32_t depth, Choice *choice) {
  static const double steps_worth = 4;
  const Minimax *minimax = worker->minimax;
  const Ply *node = &worker->plies[brood->ply];
  if (minimax->settings.reduce < 2 || worker->spread <= 0 || depth > 3 ||
      choice->tried < 2 || child->capture || child->ends ||
      child->move == node->killers[0] || child->move == node->killers[1] ||
      scale_decided(&minimax->scale, choice->low))
    return false;
  double worth = steps_worth * worker->spread * (depth - 1);
  Score most = child->score + (Score)worth;
  if (most > choice->low) return false;
  choice->exact = false;
  if (most > choice->result.score)
    choice->result = (Result){most, false}, choice->move = child->move;
  return true;
}

/* Tries a child that others put off meanwhile. */
static bool try_alone(Worker *worker, const Brood *brood, const Child *child,
                      uint32_t depth, const Window *window, uint64_t mark,
                      Choice *choice) {
  Busy *busy = &worker->minimax->busy;
  busy_add(busy, mark);
  bool cut = try_child(worker, brood, child, depth, window, choice);
  busy_remove(busy, mark);
  return cut;
}

/* Tries the children from `from` on, those that another thread is searching
   after the rest. Returns true if one is too good. */
static bool try_rest(Worker *worker, const Brood *brood, uint32_t from,
                     uint32_t depth, const Window *window, Choice *choice) {
  const Busy *busy = &worker->minimax->busy;
  uint64_t key = worker->plies[brood->ply].key;
  uint32_t late = 0;
  for (uint32_t i = from; i < brood->count; i++) {
    Child *child = brood_child(worker, brood, i);
    uint64_t mark = busy_mark(key, child->move, depth);
    if (pass_over(worker, brood, child, depth, choice)) continue;
    child->late = choice->tried && busy_has(busy, mark);
    late += child->late;
    if (child->late) continue;
    if (choice->tried == 1) ask_for_rest(worker, brood->ply, depth, child);
    if (try_alone(worker, brood, child, depth, window, mark, choice))
      return true;
  }
  for (uint32_t i = from; late && i < brood->count; i++) {
    const Child *child = brood_child(worker, brood, i);
    if (!child->late) continue;
    late--;
    uint64_t mark = busy_mark(key, child->move, depth);
    if (try_alone(worker, brood, child, depth, window, mark, choice))
      return true;
  }
  return false;
}

static void try_children(Worker *worker, const Brood *brood, uint32_t depth,
                         const Window *window, Move first, Choice *choice) {
  Child *before = find_child(worker, brood, first);
  uint32_t from = 0;
  if (before) {
    brood_make(worker, brood, before);
    if (try_child(worker, brood, before, depth, window, choice)) return;
    brood_return(worker, brood);
    from = 1;
  }
  brood_make_some(worker, brood, 0, brood->count);
  order_children(worker, brood, first);
  if (!try_rest(worker, brood, from, depth, window, choice))
    choice->result.exact = choice->exact;
}

static Result choose(Worker *worker, const Brood *brood, uint32_t depth,
                     const Window *window, Move *first) {
  Choice choice = {{-SCORE_INFINITE, true}, no_move, window->low, true, 0};
  if (depth == 1) return best_leaf(worker, brood, window, first);
  try_children(worker, brood, depth, window, *first, &choice);
  *first = choice.move;
  return choice.result;
}

/* ---- nodes ---- */

static Result search(Worker *worker, uint32_t ply, uint32_t depth, Score low,
                     Score high) {
  Result result;
  Brood brood;
  Transposition entry;
  if (!depth) return quiet(worker, ply, QUIET_MOST, low, high);
  if (ply > worker->depth_most) worker->depth_most = ply;
  if (alphabeta_stopped(worker)) return (Result){0, false};
  if (known(worker, ply, depth, low, high, &entry, &result)) return result;
  bool inner = ply + 1 < PLY_MOST;
  if (!inner || !brood_fetch(worker, ply, false, &brood)) {
    ask_at_once(worker, ply, depth);
    brood_enter(worker, ply);
    if (game_terminal(worker->game)) return brood_end(worker, ply);
    if (!inner || !brood_list(worker, ply, &brood))
      return brood_evaluate(worker, ply);
  }
  Window window = window_of(&brood, low, high);
  Move move = entry.move;
  result = choose(worker, &brood, depth, &window, &move);
  brood_free(worker, &brood);
  if (worker->stopped) return result;
  if (depth == 1)
    ask_ahead(worker, ply, result.score >= window.high ? move : BREEDER_ALL);
  Bound bound = bound_of(result, &window);
  result = negated(result, window.other);
  remember(worker, ply, depth, bound, result, move);
  tell(worker, ply, depth, bound, result);
  return result;
}

/* ---- the root ---- */

/* All of them are made at once, so that the engine has to stand at the root no
   more than once. */
const Child *alphabeta_root_child(Worker *worker, Move move) {
  Brood *root = &worker->root;
  if (!root->count) {
    brood_enter(worker, 0);
    if (!brood_list(worker, 0, root)) root->count = 0;
    for (uint32_t i = 0; i < root->count; i++)
      brood_make(worker, root, brood_child(worker, root, i));
  }
  return find_child(worker, root, move);
}

Result alphabeta_search_move(Worker *worker, Move move, uint32_t depth,
                             Score low, Score high) {
  const Child *child = alphabeta_root_child(worker, move);
  if (!child) return (Result){0, false};
  brood_descend(worker, 0, child);
  return search(worker, 1, depth - 1, low, high);
}

void alphabeta_stand(Worker *worker) {
  const Minimax *minimax = worker->minimax;
  Ply *root = &worker->plies[0];
  int32_t *sums = worker->sums; /* the first of the pool is the root's */
  root->state = minimax->root_state.data;
  root->sums = sums;
  worker->child_count = 1;
  if (minimax->evaluation && minimax->evaluation->sum_count)
    evaluation_begin(minimax->evaluation, root->state, sums);
  brood_enter(worker, 0);
  root->key = game_key(worker->game);
  root->place = (NestPlace){0};
  worker->root = (Brood){0};
}

/* ---- life ---- */

/* Children of the nodes on the way: enough for 60 moves in each, or for the
   most that a role can have in a few. */
static uint32_t room_of(const Net *net) {
  uint32_t most = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t own = net->role_first.data[role + 1] - net->role_first.data[role];
    if (own > most) most = own;
  }
  uint32_t room = 2 * most + 8192;
  return room < 1 << 17 ? room : 1 << 17;
}

void alphabeta_take_evaluation(Worker *worker) {
  const Evaluation *evaluation = worker->minimax->evaluation;
  size_t count = evaluation ? evaluation->sum_count : 0;
  worker->spread = 0;
  memory_delete(worker->sums);
  worker->sums =
      memory_new((worker->child_room * count + 1) * sizeof *worker->sums);
}

Worker *alphabeta_worker_new(Minimax *minimax, uint32_t number) {
  Worker *worker = memory_new(sizeof *worker);
  const Net *net = &minimax->book->net;
  worker->minimax = minimax;
  worker->number = number;
  worker->game = book_game(minimax->book);
  worker->ends = ends_memory_new(&minimax->ends);
  worker->plies = memory_new((PLY_MOST + 1) * sizeof *worker->plies);
  for (uint32_t ply = 0; ply <= PLY_MOST; ply++)
    worker->plies[ply].killers[0] = worker->plies[ply].killers[1] = no_move;
  worker->child_room = room_of(net);
  worker->children = memory_new(worker->child_room * sizeof *worker->children);
  worker->hatchlings =
      memory_new(worker->child_room * sizeof *worker->hatchlings);
  worker->words = memory_new((size_t)worker->child_room * minimax->words *
                             sizeof *worker->words);
  worker->history = memory_new(net->moves.count * sizeof *worker->history);
  worker->listed = memory_new(net->moves.count * sizeof *worker->listed);
  alphabeta_take_evaluation(worker);
  return worker;
}

void alphabeta_worker_delete(Worker *worker) {
  game_delete(worker->game);
  ends_memory_delete(worker->ends);
  memory_delete(worker->plies);
  memory_delete(worker->children);
  memory_delete(worker->hatchlings);
  memory_delete(worker->words);
  memory_delete(worker->sums);
  memory_delete(worker->history);
  memory_delete(worker->listed);
  vector_free(&worker->moves);
  memory_delete(worker);
}
