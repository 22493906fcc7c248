/* The thread that serves receives and sends; workers, as many as games are
   played at once, take games from `queue` and put messages into `outbox`.
   Everything that they share is behind one lock. A worker keeps its desk as
   long as the next game has the same rules.

   To break off, every worker that plays has a flag of its own, so that games
   that come later are not concerned. */
#include "contest/helper.h"

#include "base/clock.h"
#include "base/thread.h"
#include "contest/desk.h"
#include "contest/errand.h"

enum { MOST_RULES = 1 << 20 }; /* numbers */

static const double farewell = 5; /* seconds from `stop` until we leave */

typedef struct Helper Helper;

typedef struct Worker {
  Helper *helper;
  pthread_t thread;
  bool playing;
  atomic_bool stop; /* breaks off its game */
  /* Its desk, if `seated`: */
  bool seated;
  uint32_t rules;
  bool ground;
  Desk desk;
} Worker;

typedef struct GivenRules {
  Text name; /* the description borrows it */
  Description description;
} GivenRules;

typedef struct Outgoing {
  ErrandTag tag;
  Text body;
} Outgoing;

struct Helper {
  Ranks *ranks;
  const char *version;
  ErrandBegin begin;
  Worker *workers;
  uint32_t count;
  pthread_mutex_t lock;
  pthread_cond_t changed;     /* `queue` or `over` */
  VECTOR(Errand) queue;       /* the first is next */
  VECTOR(GivenRules *) rules; /* by number; NULL: not had */
  VECTOR(Outgoing) outbox;
  bool over;
};

/* ---- messages of workers ---- */

static void post(Helper *helper, ErrandTag tag, Text *body) {
  pthread_mutex_lock(&helper->lock);
  vector_push(&helper->outbox, ((Outgoing){tag, *body}));
  pthread_mutex_unlock(&helper->lock);
  *body = (Text){0};
}

static void post_news(Helper *helper, const ErrandNews *news) {
  Text body = {0};
  errand_write_news(news, &body);
  post(helper, news->over ? ERRAND_RESULT : ERRAND_STEPS, &body);
}

/* ---- one game ---- */

typedef struct Playing {
  Helper *helper;
  Errand *errand;
  ErrandNews news;
  RecordSeen seen;
  double told; /* when the last news were sent */
} Playing;

static void take_record_news(Playing *playing) {
  if (playing->errand->recorded)
    playing->news.record =
        record_news(&playing->errand->record, &playing->seen);
}

static void forget_news(Playing *playing) {
  errand_free_steps(&playing->news.steps, playing->news.roles);
  json_decref(playing->news.record);
  playing->news.record = NULL;
}

static void note_step(void *context, uint32_t step, const RecordTurn *turns) {
  Playing *playing = context;
  const Errand *errand = playing->errand;
  if (errand->turns)
    errand_add_step(&playing->news.steps, step, playing->news.roles, turns);
  if (errand->every <= 0 || clock_now() - playing->told < errand->every) return;
  take_record_news(playing);
  post_news(playing->helper, &playing->news);
  forget_news(playing);
  playing->told = clock_now();
}

/* Returns false and sets `error` if a text is no agent that can play here. */
static bool parse_players(const Errand *errand, AgentSpecs *specs,
                          Text *error) {
  for (uint32_t i = 0; i < errand->players.count; i++) {
    AgentSpec spec;
    if (!spec_parse(&spec, text_string(&errand->players.data[i]), error))
      return false;
    vector_push(specs, spec);
    if (spec_is_local(&spec)) continue;
    text_format(error, "%s cannot play in another rank", spec.text);
    return false;
  }
  return true;
}

static void play(Worker *worker, Playing *playing, const AgentSpecs *specs) {
  Errand *errand = playing->errand;
  const AgentSpec *players[RULE_ROLES];
  RefereeOptions options = {
      .match = errand->match,
      .stepped = errand->turns || errand->every > 0 ? note_step : NULL,
      .context = playing};
  RefereeMatch match = {.book = &worker->desk.book,
                        .players = players,
                        .record = errand->recorded ? &errand->record : NULL,
                        .seed = errand->seed};
  options.match.start.stop = options.match.play.stop = &worker->stop;
  for (uint32_t i = 0; i < specs->count; i++) players[i] = &specs->data[i];
  if (errand->recorded) record_seen_init(&playing->seen, &errand->record);
  referee_play(&match, &options, &playing->news.result);
  take_record_news(playing);
  if (errand->recorded) record_seen_free(&playing->seen);
}

static void sit_down(Worker *worker, const Errand *errand,
                     const Description *rules) {
  const BookLimits *limits = &worker->helper->begin.limits;
  bool same = worker->seated && worker->rules == errand->rules &&
              worker->ground == errand->ground;
  if (same) {
    desk_clear(&worker->desk, rules, limits);
    return;
  }
  if (worker->seated) desk_free(&worker->desk);
  desk_init(&worker->desk, rules, limits, errand->ground);
  worker->seated = true;
  worker->rules = errand->rules;
  worker->ground = errand->ground;
}

static void play_errand(Worker *worker, Errand *errand,
                        const Description *rules) {
  double start = clock_now();
  AgentSpecs specs = {0};
  Playing playing = {.helper = worker->helper,
                     .errand = errand,
                     .news = {.id = errand->id, .roles = errand->players.count},
                     .told = start};
  ErrandNews *news = &playing.news;
  sit_down(worker, errand, rules);
  if (errand->need_net && !worker->desk.book.has_net)
    text_add(&news->refused, text_string(&worker->desk.book.why[BOOK_NET]));
  else if (parse_players(errand, &specs, &news->refused))
    play(worker, &playing, &specs);
  news->seconds = clock_now() - start;
  news->over = true;
  post_news(worker->helper, news);
  errand_free_news(news);
  spec_free_list(&specs);
}

/* ---- workers ---- */

/* Waits for a game; returns false if there will be none. */
static bool take(Worker *worker, Errand *errand, const Description **rules) {
  Helper *helper = worker->helper;
  pthread_mutex_lock(&helper->lock);
  worker->playing = false;
  while (!helper->over && !helper->queue.count)
    pthread_cond_wait(&helper->changed, &helper->lock);
  bool taken = !helper->over;
  if (taken) {
    *errand = helper->queue.data[0];
    helper->queue.count--;
    memmove(helper->queue.data, helper->queue.data + 1,
            helper->queue.count * sizeof *helper->queue.data);
    *rules = &helper->rules.data[errand->rules]->description;
    worker->playing = true;
    atomic_store(&worker->stop, false);
  }
  pthread_mutex_unlock(&helper->lock);
  return taken;
}

static void *work(void *argument) {
  Worker *worker = argument;
  const Description *rules;
  Errand errand;
  while (take(worker, &errand, &rules)) {
    play_errand(worker, &errand, rules);
    errand_free(&errand);
  }
  if (worker->seated) desk_free(&worker->desk);
  return NULL;
}

/* One game at once where ranks share the host, else as many as there are
   processors for. */
static uint32_t count_workers(const Helper *helper) {
  uint32_t agent = helper->begin.agent ? helper->begin.agent : 1;
  uint32_t processors = thread_processors();
  if (helper->begin.threads) return helper->begin.threads;
  if (ranks_local(helper->ranks) > 1 || processors < agent) return 1;
  return processors / agent;
}

static void start_workers(Helper *helper) {
  Text body = {0};
  helper->count = count_workers(helper);
  helper->workers = memory_new(helper->count * sizeof *helper->workers);
  for (uint32_t i = 0; i < helper->count; i++) {
    Worker *worker = &helper->workers[i];
    worker->helper = helper;
    if (!thread_start(&worker->thread, THREAD_STACK, work, worker))
      fatal("cannot start a thread");
  }
  errand_write_ready(helper->count, helper->version, &body);
  post(helper, ERRAND_READY, &body);
}

/* ---- messages of rank 0 ---- */

static _Noreturn void refuse(void) {
  fatal_limit("rank 0 sent a message that cannot be read");
}

static void take_begin(Helper *helper, const Text *body) {
  if (helper->count || !errand_read_begin(&helper->begin, body)) refuse();
  start_workers(helper);
}

static void take_rules(Helper *helper, const Text *body) {
  ErrandRules rules;
  if (!errand_read_rules(&rules, body) || rules.number >= MOST_RULES) refuse();
  GivenRules *given = memory_new(sizeof *given);
  given->name = rules.name;
  description_init(&given->description, text_string(&given->name),
                   text_string(&rules.text), rules.text.length);
  if (!description_valid(&given->description)) refuse();
  pthread_mutex_lock(&helper->lock);
  while (helper->rules.count <= rules.number) vector_push(&helper->rules, NULL);
  if (helper->rules.data[rules.number]) refuse();
  helper->rules.data[rules.number] = given;
  pthread_mutex_unlock(&helper->lock);
  text_free(&rules.text);
}

static void take_game(Helper *helper, const Text *body) {
  Errand errand;
  if (!helper->count || !errand_read(&errand, body)) refuse();
  const GivenRules *given = errand.rules < helper->rules.count
                                ? helper->rules.data[errand.rules]
                                : NULL;
  if (!given || given->description.rules.roles.count != errand.players.count)
    refuse();
  pthread_mutex_lock(&helper->lock);
  vector_push(&helper->queue, errand);
  pthread_cond_signal(&helper->changed);
  pthread_mutex_unlock(&helper->lock);
}

/* Games that were not begun are answered at once. */
static void break_off(Helper *helper) {
  VECTOR(Errand) queue = {0};
  pthread_mutex_lock(&helper->lock);
  for (uint32_t i = 0; i < helper->queue.count; i++)
    vector_push(&queue, helper->queue.data[i]);
  vector_clear(&helper->queue);
  for (uint32_t i = 0; i < helper->count; i++)
    if (helper->workers[i].playing)
      atomic_store(&helper->workers[i].stop, true);
  pthread_mutex_unlock(&helper->lock);
  for (uint32_t i = 0; i < queue.count; i++) {
    uint32_t roles = queue.data[i].players.count;
    ErrandNews news = {.id = queue.data[i].id, .roles = roles, .over = true};
    news.result = (MatchResult){.end = MATCH_STOPPED, .role_count = roles};
    news.result.sides = memory_new(roles * sizeof *news.result.sides);
    post_news(helper, &news);
    errand_free_news(&news);
    errand_free(&queue.data[i]);
  }
  vector_free(&queue);
}

static void take_message(Helper *helper, const RankMessage *message) {
  switch (message->tag) {
  case ERRAND_BEGIN: take_begin(helper, &message->body); break;
  case ERRAND_RULES: take_rules(helper, &message->body); break;
  case ERRAND_GAME: take_game(helper, &message->body); break;
  case ERRAND_STOP: break_off(helper); break;
  default: refuse();
  }
}

/* ---- serving ---- */

static void send_outbox(Helper *helper) {
  pthread_mutex_lock(&helper->lock);
  for (uint32_t i = 0; i < helper->outbox.count; i++) {
    Outgoing *outgoing = &helper->outbox.data[i];
    ranks_send(helper->ranks, 0, outgoing->tag, &outgoing->body);
  }
  vector_clear(&helper->outbox);
  pthread_mutex_unlock(&helper->lock);
}

/* Returns false if rank 0 has not said that it is over. */
static bool serve(Helper *helper, const atomic_bool *stop) {
  double leave = 0;
  bool over = false;
  while (!over) {
    RankMessage message;
    ranks_wait(helper->ranks, 1e-3);
    while (!over && ranks_receive(helper->ranks, &message)) {
      over = message.tag == ERRAND_END;
      if (!over) take_message(helper, &message);
      text_free(&message.body);
    }
    send_outbox(helper);
    if (!atomic_load(stop)) continue;
    if (leave <= 0) leave = clock_now() + farewell;
    if (clock_now() > leave) return false;
  }
  return true;
}

static void end_workers(Helper *helper) {
  break_off(helper);
  pthread_mutex_lock(&helper->lock);
  helper->over = true;
  pthread_cond_broadcast(&helper->changed);
  pthread_mutex_unlock(&helper->lock);
  for (uint32_t i = 0; i < helper->count; i++)
    pthread_join(helper->workers[i].thread, NULL);
}

static void helper_free(Helper *helper) {
  for (uint32_t i = 0; i < helper->outbox.count; i++)
    text_free(&helper->outbox.data[i].body);
  for (uint32_t i = 0; i < helper->rules.count; i++) {
    GivenRules *given = helper->rules.data[i];
    if (!given) continue;
    description_free(&given->description);
    text_free(&given->name);
    memory_delete(given);
  }
  vector_free(&helper->outbox);
  vector_free(&helper->rules);
  vector_free(&helper->queue);
  memory_delete(helper->workers);
  pthread_cond_destroy(&helper->changed);
  pthread_mutex_destroy(&helper->lock);
}

bool helper_serve(Ranks *ranks, const char *version, const atomic_bool *stop) {
  Helper helper = {.ranks = ranks, .version = version};
  pthread_mutex_init(&helper.lock, NULL);
  pthread_cond_init(&helper.changed, NULL);
  if (!serve(&helper, stop)) return false;
  end_workers(&helper);
  helper_free(&helper);
  return true;
}
