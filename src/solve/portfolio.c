/* Threads take the member whose turn it is (turn_of) and that nobody else runs,
   run a slice of it, and put it back. Each member lives in a scope of its own;
   one that runs out of memory is gone, the others go on. When the puzzle's
   state has changed, members are made anew. */
#include "solve/portfolio.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/thread.h"
#include "base/trial.h"
#include "solve/methods.h"

enum { MEMBERS_MOST = 32, THREADS_MOST = 64 };

typedef struct Member {
  const MethodKind *kind;
  uint32_t number;
  Portfolio *portfolio;
  Scope scope;
  Method *method; /* NULL: not made, or gone */
  MemberStatus status;
  bool running;
  uint64_t slices; /* since the members were made */
  Slice slice;     /* the one that is running */
  /* Sums of all methods that it has been. */
  uint64_t expanded, simulations;
  uint64_t expanded_before, simulations_before;
  double seconds, seconds_before;
} Member;

struct Portfolio {
  Puzzle *puzzle;
  uint32_t threads;
  bool shortest, prepared;
  uint64_t seed, version;
  Settings settings;
  Member members[MEMBERS_MOST];
  uint32_t count;
  uint64_t *timed;
  pthread_mutex_t lock; /* of everything below, and of members not running */
  pthread_cond_t changed;
  Budget budget;
  double start, deadline, watch;
  uint64_t states, simulations; /* since thinking began */
  atomic_bool over;             /* stop: the budget is spent, or it is solved */
  uint32_t running;
  bool has_opinion;
  Move opinion; /* of a method, where there is no plan */
};

static const double watch_seconds = 0.1;
static const double wait_seconds = 0.003; /* see turn_of */

/* ---- members ---- */

static void clear_member(Member *member) {
  if (member->method) member->method->kind->delete (member->method);
  member->method = NULL;
  member->status = MEMBER_WAITING;
  member->slices = 0;
  member->expanded_before = member->expanded;
  member->simulations_before = member->simulations;
  member->seconds_before = member->seconds;
}

/* Members are run by different threads, and bytes are counted by thread: what a
   member holds counts for its scope alone, and for no thread. */
static void disown(const Member *member, int64_t held_before) {
  scope_adopt(held_before - member->scope.held);
}

static void release_member(Member *member) {
  int64_t held = member->scope.held;
  if (!member->kind->home) scope_enter(&member->scope);
  clear_member(member);
  if (member->kind->home) return;
  scope_leave(&member->scope);
  scope_release(&member->scope);
  disown(member, held);
}

/* Every method gets an equal share of the memory. */
static size_t member_memory(const Portfolio *portfolio) {
  return portfolio->puzzle->memory / portfolio->count;
}

static void run_member(void *context) {
  Member *member = context;
  Portfolio *portfolio = member->portfolio;
  if (!member->method) {
    MethodTask task = {.puzzle = portfolio->puzzle,
                       .seed = portfolio->seed + member->number,
                       .memory = member_memory(portfolio),
                       .settings = &portfolio->settings};
    member->method = member->kind->new (&task);
    member->status = member->method ? MEMBER_WORKING : MEMBER_UNFIT;
    return;
  }
  if (member->kind->run(member->method, &member->slice) == METHOD_DONE)
    member->status = MEMBER_DONE;
}

/* Runs it in its scope, in which making and working are given up if memory runs
   out. */
static void run_slice(Member *member) {
  double start = clock_now();
  int64_t held = member->scope.held;
  if (member->kind->home) {
    run_member(member);
  } else if (!trial_run_in(&member->scope, run_member, member)) {
    member->method = NULL;
    member->status = MEMBER_FAILED;
  }
  disown(member, held);
  member->seconds += clock_now() - start;
  if (!member->method) return;
  member->expanded = member->expanded_before + member->method->expanded;
  member->simulations =
      member->simulations_before + member->method->simulations;
}

/* ---- taking turns ---- */

static bool can_run(const Member *member) {
  return !member->running &&
         (member->status == MEMBER_WAITING || member->status == MEMBER_WORKING);
}

/* Whose turn it is: the least of these, for its weight. Where work is counted,
   that is the number of slices. Where the clock is, it is the time that a
   member has had, making it included: large puzzles take some methods seconds
   to be made for, and slices are equal only about. Those that are not yet made
   wait for those before them in the list, the later the longer (the square of
   their number).
 */
static double turn_of(const Portfolio *portfolio, const Member *member) {
  const Budget *budget = &portfolio->budget;
  double weight = member->kind->weight ? member->kind->weight : 1;
  if (budget->states || budget->simulations || budget->seconds <= 0)
    return (double)member->slices / weight;
  return (member->seconds - member->seconds_before) / weight +
         (member->status == MEMBER_WAITING
              ? member->number * member->number * wait_seconds
              : 0);
}

static Member *next_member(Portfolio *portfolio, bool home) {
  Member *best = NULL;
  double least = 0;
  for (uint32_t i = 0; i < portfolio->count; i++) {
    Member *member = &portfolio->members[i];
    if (!can_run(member) || (member->kind->home && !home)) continue;
    double turn = turn_of(portfolio, member);
    if (best && turn >= least) continue;
    best = member;
    least = turn;
  }
  return best;
}

static bool enough(const Portfolio *portfolio) {
  const Puzzle *puzzle = portfolio->puzzle;
  return portfolio->shortest ? puzzle_shortest(puzzle) : puzzle_solved(puzzle);
}

static bool is_over(Portfolio *portfolio) {
  const Budget *budget = &portfolio->budget;
  if (atomic_load(&portfolio->over)) return true;
  bool over =
      enough(portfolio) || (budget->stop && atomic_load(budget->stop)) ||
      (budget->states && portfolio->states >= budget->states) ||
      (budget->simulations && portfolio->simulations >= budget->simulations) ||
      (budget->seconds > 0 && clock_now() >= portfolio->deadline);
  if (over) atomic_store(&portfolio->over, true);
  return over;
}

static uint64_t least_of(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Slices are to take equal time, and must not depend on the clock: a state is
   taken to cost as much as there are gates to evaluate and moves to make. */
static uint64_t pace_of(const Portfolio *portfolio, const MethodKind *kind) {
  const Net *net = portfolio->puzzle->net;
  if (kind->steady || !net) return kind->pace;
  double gates = 1 + net->gates.count / 2000.0;
  double moves = 1 + net->moves.count / 100.0;
  return (uint64_t)((double)kind->pace / (gates * moves)) + 1;
}

static void set_slice(Portfolio *portfolio, Member *member) {
  const Budget *budget = &portfolio->budget;
  uint64_t states = pace_of(portfolio, member->kind);
  if (budget->states)
    states = least_of(states, budget->states - portfolio->states);
  if (budget->simulations)
    states = least_of(states, budget->simulations - portfolio->simulations);
  member->slice = (Slice){
      .states = states,
      .until = budget->seconds > 0 ? portfolio->deadline : 0,
      .stop = &portfolio->over,
  };
}

static void ask_opinion(Portfolio *portfolio, Member *member) {
  Move move;
  if (!member->method || !member->kind->best) return;
  if (!member->kind->best(member->method, &move)) return;
  portfolio->has_opinion = true;
  portfolio->opinion = move;
}

/* Runs one slice of the member, without the lock. */
static void take_turn(Portfolio *portfolio, Member *member) {
  uint64_t expanded = member->expanded, simulations = member->simulations;
  set_slice(portfolio, member);
  member->running = true;
  portfolio->running++;
  pthread_mutex_unlock(&portfolio->lock);
  run_slice(member);
  pthread_mutex_lock(&portfolio->lock);
  portfolio->running--;
  member->running = false;
  member->slices++;
  expanded = member->expanded - expanded;
  simulations = member->simulations - simulations;
  portfolio->states += expanded;
  portfolio->simulations += simulations ? simulations : expanded;
  ask_opinion(portfolio, member);
  pthread_cond_broadcast(&portfolio->changed);
}

static void watch(Portfolio *portfolio) {
  if (!portfolio->budget.watch || clock_now() < portfolio->watch) return;
  pthread_mutex_unlock(&portfolio->lock);
  portfolio->budget.watch(portfolio->budget.context);
  pthread_mutex_lock(&portfolio->lock);
  portfolio->watch = clock_now() + watch_seconds;
}

/* Slices stop by themselves soon after a deadline or the flag; here a thread
   waits until another one puts a member back. */
static void work(Portfolio *portfolio, bool home) {
  pthread_mutex_lock(&portfolio->lock);
  for (;;) {
    if (home) watch(portfolio);
    if (is_over(portfolio)) break;
    Member *member = next_member(portfolio, home);
    if (member) {
      take_turn(portfolio, member);
    } else if (portfolio->running) {
      pthread_cond_wait(&portfolio->changed, &portfolio->lock);
    } else {
      break;
    }
  }
  pthread_cond_broadcast(&portfolio->changed);
  pthread_mutex_unlock(&portfolio->lock);
}

static void *work_beside(void *context) {
  work(context, false);
  return NULL;
}

/* ---- thinking ---- */

/* Stages of the book that methods only read from then on. */
static void prepare(Portfolio *portfolio) {
  Puzzle *puzzle = portfolio->puzzle;
  portfolio->prepared = true;
  if (!puzzle->net) return;
  /* packed states and formulas are smaller for groups that are proved */
  if (puzzle->book->limits.prove_seconds <= 0)
    puzzle->book->limits.prove_seconds = analysis_default.prove_seconds;
  const Analysis *analysis = book_analysis(puzzle->book);
  book_cones(puzzle->book, 0);
  if (!analysis) return;
  portfolio->timed =
      memory_new((puzzle->book->words + 1) * sizeof *portfolio->timed);
  for (uint32_t f = 0; f < puzzle->net->fluents.count; f++)
    if (!analysis->subgames.of_fluent[f]) bits_add(portfolio->timed, f);
  puzzle_set_timed(puzzle, portfolio->timed);
}

static void renew(Portfolio *portfolio) {
  uint64_t version = puzzle_version(portfolio->puzzle);
  if (version == portfolio->version) return;
  for (uint32_t i = 0; i < portfolio->count; i++)
    release_member(&portfolio->members[i]);
  portfolio->version = version;
  portfolio->has_opinion = false;
}

static void begin(Portfolio *portfolio, const Budget *budget) {
  portfolio->budget = *budget;
  portfolio->start = clock_now();
  portfolio->deadline = portfolio->start + budget->seconds;
  portfolio->watch = portfolio->start + watch_seconds;
  portfolio->states = portfolio->simulations = 0;
  atomic_store(&portfolio->over, false);
}

void portfolio_think(Portfolio *portfolio, const Budget *budget) {
  begin(portfolio, budget);
  if (!portfolio->prepared) prepare(portfolio);
  renew(portfolio);
  uint32_t most = portfolio->threads, started = 1;
  if (budget->threads && budget->threads < most) most = budget->threads;
  pthread_t threads[THREADS_MOST];
  while (started < most &&
         thread_start(&threads[started], THREAD_STACK, work_beside, portfolio))
    started++;
  work(portfolio, true);
  while (started > 1) pthread_join(threads[--started], NULL);
}

bool portfolio_has_work(const Portfolio *portfolio) {
  if (enough(portfolio)) return false;
  if (puzzle_version(portfolio->puzzle) != portfolio->version) return true;
  for (uint32_t i = 0; i < portfolio->count; i++)
    if (can_run(&portfolio->members[i])) return true;
  return false;
}

/* ---- answers ---- */

static bool first_legal(Portfolio *portfolio, Move *move) {
  Game *game = puzzle_game(portfolio->puzzle);
  const Move *moves;
  uint32_t count = game_terminal(game) ? 0 : game_legal(game, 0, &moves);
  if (count) *move = moves[0];
  game_delete(game);
  return count;
}

bool portfolio_best(Portfolio *portfolio, Move *move) {
  Plan plan;
  puzzle_best(portfolio->puzzle, &plan);
  bool planned = plan.moves.count;
  if (planned) *move = plan.moves.data[0];
  vector_free(&plan.moves);
  if (planned) return true;
  pthread_mutex_lock(&portfolio->lock);
  bool known = portfolio->has_opinion &&
               portfolio->version == puzzle_version(portfolio->puzzle);
  if (known) *move = portfolio->opinion;
  pthread_mutex_unlock(&portfolio->lock);
  return known || first_legal(portfolio, move);
}

uint32_t portfolio_members(const Portfolio *portfolio, MemberReport *reports,
                           uint32_t most) {
  for (uint32_t i = 0; i < portfolio->count && i < most; i++) {
    const Member *member = &portfolio->members[i];
    reports[i] = (MemberReport){.name = member->kind->name,
                                .status = member->status,
                                .expanded = member->expanded,
                                .simulations = member->simulations,
                                .seconds = member->seconds};
  }
  return portfolio->count;
}

static const char *status_name(MemberStatus status) {
  static const char *const names[] = {
      "waiting", "working", "not for this puzzle", "done", "out of memory"};
  return names[status];
}

void portfolio_explain(Portfolio *portfolio, Text *text) {
  for (uint32_t i = 0; i < portfolio->count; i++) {
    Member *member = &portfolio->members[i];
    if (member->status == MEMBER_UNFIT && !member->expanded) continue;
    text_format(text, "%-10s %s, %" PRIu64 " states in %.2f s",
                member->kind->name, status_name(member->status),
                member->expanded, member->seconds);
    if (member->method && member->kind->explain) {
      text_add(text, "; ");
      member->kind->explain(member->method, text);
    }
    text_add(text, "\n");
  }
}

/* ---- making ---- */

static void add_member(Portfolio *portfolio, const MethodKind *kind) {
  Member *member = &portfolio->members[portfolio->count];
  *member = (Member){
      .kind = kind, .number = portfolio->count++, .portfolio = portfolio};
}

static bool add_members(Portfolio *portfolio, const char *names, Text *error) {
  for (;;) {
    char name[32] = "";
    size_t length = strcspn(names, "+");
    const MethodKind *kind = NULL;
    if (length < sizeof name) {
      memcpy(name, names, length);
      kind = methods_find(name);
    }
    if (!kind || portfolio->count == MEMBERS_MOST) {
      text_format(error, "no method '%.*s'", (int)length, names);
      return false;
    }
    add_member(portfolio, kind);
    if (!names[length]) return true;
    names += length + 1;
  }
}

Portfolio *portfolio_new(Puzzle *puzzle, const PortfolioOptions *options,
                         Text *error) {
  Portfolio *portfolio = memory_new(sizeof *portfolio);
  portfolio->puzzle = puzzle;
  portfolio->threads = options->threads ? options->threads : 1;
  if (portfolio->threads > THREADS_MOST) portfolio->threads = THREADS_MOST;
  /* rules engines share the description, to which they add terms */
  if (!puzzle->net) portfolio->threads = 1;
  portfolio->shortest = options->shortest;
  portfolio->seed = options->seed;
  portfolio->settings = *options->settings;
  pthread_mutex_init(&portfolio->lock, NULL);
  pthread_cond_init(&portfolio->changed, NULL);
  if (!options->methods) {
    for (uint32_t i = 0; i < methods_count; i++)
      if (methods_list[i]->usual) add_member(portfolio, methods_list[i]);
  } else if (!add_members(portfolio, options->methods, error)) {
    portfolio_delete(portfolio);
    return NULL;
  }
  for (uint32_t i = 0; i < portfolio->count; i++)
    scope_init(&portfolio->members[i].scope, member_memory(portfolio), true);
  return portfolio;
}

void portfolio_delete(Portfolio *portfolio) {
  if (!portfolio) return;
  for (uint32_t i = 0; i < portfolio->count; i++)
    release_member(&portfolio->members[i]);
  puzzle_set_timed(portfolio->puzzle, NULL);
  memory_delete(portfolio->timed);
  pthread_cond_destroy(&portfolio->changed);
  pthread_mutex_destroy(&portfolio->lock);
  memory_delete(portfolio);
}
