/* The thread and what it shares. `course` is where the match stands, `at` how
   far the agent has followed. When both agree, `standing` is set, and `moves`
   holds the texts of all moves that agent_best may return. The lock is held
   only briefly, never while thinking. `stop` is set under it whenever there is
   something else to do and cleared under it when all of that is done, so that
   no request is lost. Agent, book and description belong to the thread; others
   may read the net, since it and its terms no longer change. */
#include "player/thinker.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "base/trial.h"
#include "cluster/crew.h"
#include "engine/moves.h"
#include "match/spelling.h"
#include "player/outlook.h"

static const double forever = 1e9; /* seconds */

typedef struct SpelledMove {
  Move move;
  size_t text; /* where it begins in the texts */
} SpelledMove;

struct Thinker {
  ThinkerPlan plan;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  atomic_bool stop;

  /* set by others */
  TextVector course;
  uint32_t returned; /* shortest course since the agent was last reset */
  bool ending;
  uint32_t wanted; /* reports */

  /* set by the thread */
  bool prepared, standing, settled, failed, starved;
  TextVector reports;
  Game *game;                /* until thinker_take_game */
  VECTOR(SpelledMove) moves; /* others read both only while `standing` */
  Text texts;                /* of the moves, each with a zero byte */

  /* private to the thread */
  Description description;
  Book book;
  Agent *agent;
  Crew *crew;  /* that helps it; NULL: nobody does */
  uint32_t at; /* steps of the course that the agent was told */
  bool begun;  /* it has thought before */
};

/* ---- preparation ---- */

/* Nothing that has to be made first: no analysis, no wide programs. */
static AgentSpec sequential(const AgentSpec *spec) {
  AgentSpec early = *spec;
  early.settings.lanes = 1;
  early.settings.solver = early.settings.fast = 0;
  early.settings.mind = MIND_SEARCH;
  early.settings.evaluation = EVALUATION_NONE;
  return early;
}

static void make_book(Thinker *thinker) {
  const ThinkerPlan *plan = &thinker->plan;
  Book *book = &thinker->book;
  Description *description = &thinker->description;
  BookLimits limits = plan->limits;
  description_init(description, "rules", plan->rules, plan->rules_length);
  switch (plan->kind) {
  case THINKER_EARLY:
    book_init_early(book, description, &limits, plan->handover);
    break;
  case THINKER_NET:
    limits.offer = plan->handover;
    book_init(book, description, &limits, true);
    break;
  default: book_init(book, description, &limits, false); break;
  }
}

static void prepare(void *context) {
  Thinker *thinker = context;
  const ThinkerPlan *plan = &thinker->plan;
  make_book(thinker);
  if (plan->kind != THINKER_RULES && !thinker->book.has_net) return;
  if (plan->kind != THINKER_RULES) thinker->game = book_game(&thinker->book);
  AgentSpec spec =
      plan->kind == THINKER_EARLY ? sequential(&plan->agent) : plan->agent;
  thinker->agent = spec_agent(&spec, &thinker->book, plan->role, plan->seed);
}

/* ---- ranks that help ---- */

/* From the crew's thread. */
static void note_crew(void *context, const char *line) {
  const Thinker *thinker = context;
  link_send(thinker->plan.link, LINK_NOTE, 0, 0, line);
}

/* They start while this thread makes the net. */
static void call_crew(Thinker *thinker) {
  const ThinkerPlan *plan = &thinker->plan;
  Text error = {0};
  const CrewWork work = {.rules = plan->rules,
                         .rules_length = plan->rules_length,
                         .role = plan->role,
                         .settings = &plan->agent.settings,
                         .limits = plan->limits,
                         .seed = plan->seed,
                         .note = note_crew,
                         .context = thinker};
  if (!plan->scheme || !spec_thinks(&plan->agent)) return;
  thinker->crew = crew_new(plan->scheme, &work, &error);
  if (!thinker->crew) note_crew(thinker, text_string(&error));
  text_free(&error);
}

static void dismiss_crew(Thinker *thinker) {
  if (thinker->crew) crew_delete(thinker->crew);
  thinker->crew = NULL;
}

static void join_crew(Thinker *thinker) {
  if (!thinker->crew) return;
  if (thinker->agent && thinker->book.has_net &&
      agent_ally(thinker->agent, crew_ally(thinker->crew, &thinker->book)))
    return;
  crew_leave(thinker->crew);
  thinker->crew = NULL;
  if (thinker->agent)
    note_crew(thinker, "cluster: not used: the agent does not search this "
                       "game in batches");
}

static void explain_crew(const Thinker *thinker, Text *text) {
  CrewCounts counts;
  if (!thinker->crew) return;
  crew_count(thinker->crew, &counts);
  text_format(text,
              "ranks: %u on %u hosts, %llu simulations, %llu tasks, %llu lost, "
              "%u starts\n",
              counts.ranks, counts.hosts,
              (unsigned long long)counts.simulations,
              (unsigned long long)counts.tasks, (unsigned long long)counts.lost,
              counts.starts);
}

/* ---- preparation, continued ---- */

static void note(const Thinker *thinker, const char *what, const char *why) {
  Text text = {0};
  text_format(&text, "%s: %s", what, why);
  link_send(thinker->plan.link, LINK_NOTE, 0, 0, text.bytes);
  text_free(&text);
}

/* A reason that names an option is a limit that may be raised. */
static void explain_failure(Thinker *thinker) {
  const char *why = text_string(&thinker->book.why[BOOK_NET]);
  note(thinker,
       thinker->plan.kind == THINKER_NET ? "no net" : "no search on its way",
       why);
  thinker->starved = strstr(why, "(--") || strstr(why, "was given up after");
}

static bool prepare_within(Thinker *thinker) {
  if (!trial_run(thinker->plan.limits.ground.memory, prepare, thinker)) {
    thinker->description = (Description){0};
    thinker->book = (Book){0};
    thinker->game = NULL;
    thinker->agent = NULL;
    note(thinker, "preparation", "out of memory");
    thinker->starved = true;
  } else if (!thinker->agent) {
    explain_failure(thinker);
  } else if (thinker->agent->note.length) {
    note(thinker, "knowledge", text_string(&thinker->agent->note));
  }
  if (thinker->plan.handover) handover_close(thinker->plan.handover);
  return thinker->agent;
}

/* ---- following the match; all with the lock held ---- */

static void unlock(Thinker *thinker) {
  pthread_mutex_unlock(&thinker->lock);
}

static void lock(Thinker *thinker) {
  pthread_mutex_lock(&thinker->lock);
}

static void leave(Thinker *thinker) {
  thinker->standing = thinker->settled = false;
}

static void give_up(Thinker *thinker, const char *what, const char *why) {
  note(thinker, what, why);
  leave(thinker);
  thinker->failed = true;
}

static bool has_failed(Thinker *thinker) {
  const Game *game = thinker->agent->game;
  if (!game_failed(game)) return false;
  give_up(thinker, "engine", game->error.bytes);
  return true;
}

static void spell_moves(Thinker *thinker) {
  const Move *moves;
  Game *game = thinker->agent->game;
  uint32_t count = game_legal(game, thinker->plan.role, &moves);
  vector_clear(&thinker->moves);
  text_clear(&thinker->texts);
  for (uint32_t i = 0; i < count; i++) {
    SpelledMove spelled = {moves[i], thinker->texts.length};
    moves_write(game, thinker->plan.role, moves[i], &thinker->texts);
    text_add_byte(&thinker->texts, 0);
    vector_push(&thinker->moves, spelled);
  }
}

static void step_back(Thinker *thinker) {
  leave(thinker);
  unlock(thinker);
  agent_reset(thinker->agent);
  lock(thinker);
  thinker->at = 0;
  thinker->returned = UINT32_MAX;
}

/* Makes the next joint move of the course; returns false if it is illegal. */
static bool step(Thinker *thinker) {
  TextVector moves = {0};
  Move joint[RULE_ROLES];
  Game *game = thinker->agent->game;
  spelling_split(text_string(&thinker->course.data[thinker->at]), &moves);
  leave(thinker);
  unlock(thinker);
  bool found = moves.count == game->role_count &&
               spelling_find_joint(game, &moves, joint) == game->role_count;
  text_vector_free(&moves);
  if (found) agent_told(thinker->agent, joint);
  lock(thinker);
  thinker->at++;
  return found;
}

/* Takes the agent one step nearer to where the match stands. */
static void follow(Thinker *thinker) {
  if (thinker->returned < thinker->at) {
    step_back(thinker);
  } else if (thinker->at < thinker->course.count) {
    if (!step(thinker) && !has_failed(thinker))
      give_up(thinker, "agent", "a step is not legal");
  } else {
    unlock(thinker);
    spell_moves(thinker);
    lock(thinker);
    thinker->standing = thinker->returned >= thinker->at &&
                        thinker->at == thinker->course.count;
  }
  if (!thinker->failed) has_failed(thinker);
}

static bool has_caught_up(const Thinker *thinker) {
  return thinker->standing && thinker->at == thinker->course.count &&
         thinker->returned >= thinker->at;
}

/* ---- thinking; all with the lock held ---- */

static void report(Thinker *thinker) {
  Text text = {0};
  unlock(thinker);
  agent_explain(thinker->agent, &text);
  explain_crew(thinker, &text);
  lock(thinker);
  thinker->wanted--;
  vector_push(&thinker->reports, text);
}

/* Agents plan with what is left of the start clock, and know the play clock. */
static void start(Thinker *thinker, const Budget *budget) {
  const Budget play = {.seconds = thinker->plan.play};
  Budget own = *budget;
  double left = thinker->plan.start_deadline - clock_now();
  own.seconds = !thinker->at && left > 0 ? left : 0;
  own.later = &play;
  agent_start(thinker->agent, &own);
}

/* Nothing waits if the link is full: the next one is as good. */
static void show(void *context, Agent *agent, double spent, double left) {
  const Thinker *thinker = context;
  Text json = {0};
  (void)spent, (void)left;
  outlook_write(agent, &json);
  if (json.length)
    link_send(thinker->plan.link, LINK_OUTLOOK, thinker->at, clock_now(),
              json.bytes);
  text_free(&json);
}

/* The budget has no end but `stop`: an agent that stops thinking without it has
   nothing left to think about. */
static void think(Thinker *thinker) {
  const Budget budget = {.seconds = forever,
                         .threads = thinker->plan.threads,
                         .stop = &thinker->stop};
  bool begins = !thinker->begun, watched = thinker->plan.watched;
  thinker->begun = true;
  atomic_store(&thinker->stop, false);
  unlock(thinker);
  if (begins) start(thinker, &budget);
  if (!atomic_load(&thinker->stop) && !game_failed(thinker->agent->game))
    agent_think_watched(thinker->agent, &budget, watched ? show : NULL,
                        thinker);
  lock(thinker);
  if (!has_failed(thinker)) thinker->settled = !atomic_load(&thinker->stop);
}

static void work(Thinker *thinker) {
  while (!thinker->ending) {
    if (thinker->failed)
      pthread_cond_wait(&thinker->changed, &thinker->lock);
    else if (thinker->wanted)
      report(thinker);
    else if (!has_caught_up(thinker))
      follow(thinker);
    else if (thinker->settled)
      pthread_cond_wait(&thinker->changed, &thinker->lock);
    else
      think(thinker);
  }
}

/* ---- the thread ---- */

static void discard(Thinker *thinker) {
  vector_free(&thinker->moves);
  text_free(&thinker->texts);
  text_vector_free(&thinker->course);
  text_vector_free(&thinker->reports);
  if (thinker->game) game_delete(thinker->game);
  if (thinker->agent) agent_end(thinker->agent, AGENT_COMPLETED);
  dismiss_crew(thinker);
  book_free(&thinker->book);
  description_free(&thinker->description);
  pthread_mutex_destroy(&thinker->lock);
  pthread_cond_destroy(&thinker->changed);
  memory_delete(thinker);
}

static void *run(void *context) {
  Thinker *thinker = context;
  id_t own = (id_t)gettid();
  int before = getpriority(PRIO_PROCESS, own);
  setpriority(PRIO_PROCESS, own, before + thinker->plan.nice);
  call_crew(thinker);
  bool fine = prepare_within(thinker);
  join_crew(thinker);
  if (thinker->plan.nice_later > thinker->plan.nice)
    setpriority(PRIO_PROCESS, own, before + thinker->plan.nice_later);
  lock(thinker);
  thinker->prepared = fine;
  thinker->failed = !fine;
  work(thinker);
  unlock(thinker);
  discard(thinker);
  return NULL;
}

Thinker *thinker_start(const ThinkerPlan *plan, const TextVector *course) {
  Thinker *thinker = memory_new(sizeof *thinker);
  thinker->plan = *plan;
  thinker->returned = UINT32_MAX;
  for (uint32_t i = 0; i < course->count; i++) {
    Text lines = {0};
    text_add(&lines, text_string(&course->data[i]));
    vector_push(&thinker->course, lines);
  }
  pthread_mutex_init(&thinker->lock, NULL);
  pthread_cond_init(&thinker->changed, NULL);
  if (thread_detach(THREAD_STACK, run, thinker)) return thinker;
  if (plan->handover) handover_close(plan->handover);
  discard(thinker);
  return NULL;
}

/* ---- from other threads ---- */

static void wake(Thinker *thinker) {
  atomic_store(&thinker->stop, true);
  pthread_cond_signal(&thinker->changed);
}

void thinker_end(Thinker *thinker) {
  lock(thinker);
  thinker->ending = true;
  wake(thinker);
  unlock(thinker);
}

void thinker_share(Thinker *thinker, uint32_t threads) {
  lock(thinker);
  thinker->plan.threads = threads;
  unlock(thinker);
}

void thinker_watch(Thinker *thinker, bool watched) {
  lock(thinker);
  thinker->plan.watched = watched;
  unlock(thinker);
}

void thinker_advance(Thinker *thinker, const char *joint) {
  Text lines = {0};
  text_add(&lines, joint);
  lock(thinker);
  vector_push(&thinker->course, lines);
  wake(thinker);
  unlock(thinker);
}

void thinker_return(Thinker *thinker, uint32_t steps) {
  lock(thinker);
  while (thinker->course.count > steps)
    text_free(&thinker->course.data[--thinker->course.count]);
  if (steps < thinker->returned) thinker->returned = steps;
  wake(thinker);
  unlock(thinker);
}

bool thinker_best(Thinker *thinker, uint32_t steps, Text *move, bool *settled) {
  lock(thinker);
  uint32_t i = 0, count = thinker->moves.count;
  bool there = has_caught_up(thinker) && thinker->at == steps;
  Move best;
  there = there && agent_best(thinker->agent, &best);
  if (there) {
    while (i < count && thinker->moves.data[i].move != best) i++;
    there = i < count;
    *settled = thinker->settled;
  }
  if (there) text_add(move, thinker->texts.bytes + thinker->moves.data[i].text);
  unlock(thinker);
  return there;
}

bool thinker_failed(Thinker *thinker) {
  lock(thinker);
  bool failed = thinker->failed;
  unlock(thinker);
  return failed;
}

bool thinker_starved(Thinker *thinker) {
  lock(thinker);
  bool starved = thinker->failed && thinker->starved;
  unlock(thinker);
  return starved;
}

bool thinker_prepared(Thinker *thinker) {
  lock(thinker);
  bool prepared = thinker->prepared;
  unlock(thinker);
  return prepared;
}

Game *thinker_take_game(Thinker *thinker) {
  Game *game = NULL;
  lock(thinker);
  if (thinker->prepared) {
    game = thinker->game;
    thinker->game = NULL;
  }
  unlock(thinker);
  return game;
}

void thinker_ask_report(Thinker *thinker) {
  lock(thinker);
  thinker->wanted++;
  wake(thinker);
  unlock(thinker);
}

bool thinker_take_report(Thinker *thinker, Text *report_text) {
  lock(thinker);
  TextVector *reports = &thinker->reports;
  bool there = reports->count;
  if (there) {
    text_add(report_text, text_string(&reports->data[0]));
    text_free(&reports->data[0]);
    reports->count--;
    memmove(reports->data, reports->data + 1,
            reports->count * sizeof *reports->data);
  }
  unlock(thinker);
  return there;
}
