/* Asking everybody. Agents with a book of their own number moves in their own
   way, so their moves come and go as text. While threads run, each member
   belongs to its thread; HTTP players share the referee's game but touch it
   only when the calling thread asks them for their best move. */
#include "match/party.h"

#include <errno.h>
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/thread.h"
#include "engine/moves.h"

static const double for_people = 1e9;   /* seconds: until they have answered */
static const double last_moment = 0.15; /* of a clock: nobody watches */

enum { SEED_NAMES = 1000, SEED_MOVES }; /* beside those of roles */

static bool has_kind(const AgentSpecs *players, SpecKind kind) {
  bool found = false;
  for (uint32_t i = 0; i < players->count; i++)
    found |= players->data[i].kind == kind;
  return found;
}

bool party_has_remote(const AgentSpecs *players) {
  return has_kind(players, SPEC_REMOTE);
}

bool party_has_person(const AgentSpecs *players) {
  return has_kind(players, SPEC_HUMAN);
}

static bool is_person(const PartyMember *member) {
  return member->spec->kind == SPEC_HUMAN;
}

static bool has_own_book(const PartyMember *member) {
  return member->party->at_once && spec_is_local(member->spec);
}

/* ---- making ---- */

static void make_local(PartyMember *member, Book *book) {
  member->agent = spec_agent(member->spec, book, member->role,
                             hash_pair(member->party->plan.seed, member->role));
}

/* Grounding may take half of the start clock. */
static void make_own_book(PartyMember *member) {
  const PartyPlan *plan = &member->party->plan;
  const Description *from = plan->book->description;
  BookLimits limits = plan->options->limits;
  double most = member->budget.seconds / 2;
  if (most > 0 && limits.ground.seconds > most) limits.ground.seconds = most;
  description_init(&member->description, from->source.name,
                   text_string(&from->text), from->text.length);
  book_init(&member->book, &member->description, &limits,
            plan->options->ground);
}

static void make_agent(PartyMember *member) {
  Party *party = member->party;
  const PartyPlan *plan = &party->plan;
  if (is_person(member))
    member->agent =
        plan->options->person(plan->options->context, plan->book, member->role);
  else if (member->spec->kind == SPEC_REMOTE)
    member->agent =
        remote_new(&party->remote, member->role, member->spec->text);
  else if (!has_own_book(member))
    make_local(member, plan->book);
}

static void init_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

void party_init(Party *party, const PartyPlan *plan) {
  *party = (Party){.plan = *plan, .count = plan->game->role_count};
  party->members = memory_new(party->count * sizeof *party->members);
  for (uint32_t role = 0; role < party->count; role++) {
    party->members[role] = (PartyMember){
        .party = party, .role = role, .spec = plan->players[role]};
    pthread_mutex_init(&party->members[role].lock, NULL);
    init_condition(&party->members[role].ended);
    party->at_once |= plan->players[role]->kind == SPEC_REMOTE;
  }
  if (party->at_once)
    remote_match_init(
        &party->remote, plan->game, plan->id, &plan->options->clocks,
        plan->stop, plan->options->scramble, hash_pair(plan->seed, SEED_NAMES));
  for (uint32_t role = 0; role < party->count; role++)
    make_agent(&party->members[role]);
}

/* ---- everybody at once, or in turn ---- */

static void start_threads(Party *party, ThreadWork *work, bool remote) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (is_person(member) || remote != (member->spec->kind == SPEC_REMOTE))
      continue;
    if (!thread_start(&member->thread, THREAD_STACK, work, member))
      fatal("cannot start a thread");
    member->threaded = true;
  }
}

static void join_threads(Party *party, bool remote) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (!member->threaded || remote != (member->spec->kind == SPEC_REMOTE))
      continue;
    pthread_join(member->thread, NULL);
    member->threaded = false;
  }
}

/* HTTP players come first, so that their messages leave at the same moment,
   before local agents take the processors. */
static void run_at_once(Party *party, ThreadWork *work, bool local) {
  start_threads(party, work, true);
  if (local) start_threads(party, work, false);
  join_threads(party, true);
  join_threads(party, false);
}

static void note_answer(PartyMember *member,
                        void (*note)(void *, Agent *, const AgentSpec *)) {
  if (note)
    note(member->party->plan.options->context, member->agent, member->spec);
}

/* ---- the start ---- */

static void *work_ask_name(void *context) {
  remote_ask_name(((PartyMember *)context)->agent);
  return NULL;
}

void party_ask_names(Party *party) {
  if (party->at_once) run_at_once(party, work_ask_name, false);
}

const char *party_name(const Party *party, uint32_t role) {
  const PartyMember *member = &party->members[role];
  return member->spec->kind == SPEC_REMOTE ? remote_name(member->agent) : "";
}

static void *work_preview(void *context) {
  agent_preview(((PartyMember *)context)->agent);
  return NULL;
}

/* What the agent has done since `before`. */
static void measure(PartyMember *member, const AgentWork *before,
                    double start) {
  const AgentWork *work = &member->agent->work;
  double seconds = clock_now() - start;
  AgentReport report = {0};
  AgentWork done = {.simulations = work->simulations - before->simulations,
                    .states = work->states - before->states,
                    .seconds = work->seconds - before->seconds,
                    .found = work->found};
  if (member->party->plan.reports && (done.simulations || done.states))
    agent_report(member->agent, &report);
  pthread_mutex_lock(&member->lock);
  if (!member->late) {
    member->seconds = seconds;
    member->work = done;
    member->report = report;
  }
  pthread_mutex_unlock(&member->lock);
}

static void *work_start(void *context) {
  PartyMember *member = context;
  const AgentWork nothing = {0};
  double start = clock_now();
  if (!member->agent) {
    make_own_book(member);
    make_local(member, &member->book);
    if (member->budget.seconds > 0)
      member->budget.seconds -= clock_now() - start;
  }
  if (member->think) agent_start(member->agent, &member->budget);
  measure(member, &nothing, start);
  return NULL;
}

void party_start(Party *party, const Budget *budget) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    member->budget = budget ? *budget : (Budget){0};
    member->budget.stop = party->plan.stop;
    member->think = budget;
    if (is_person(member)) work_start(member);
  }
  if (party->at_once && budget && party->plan.options->clocks.preview > 0)
    run_at_once(party, work_preview, false);
  if (party->at_once) run_at_once(party, work_start, true);
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (is_person(member)) continue;
    if (!party->at_once) work_start(member);
    if (budget) note_answer(member, party->plan.options->started);
  }
}

/* ---- the same again ---- */

static void *work_start_again(void *context) {
  const Budget nothing = {0};
  agent_start(((PartyMember *)context)->agent, &nothing);
  return NULL;
}

static void *work_play_again(void *context) {
  Agent *agent = ((PartyMember *)context)->agent;
  const Budget clock = {.seconds = 1}; /* HTTP players have their own */
  agent_think(agent, &clock);
  text_clear(&agent->fault);
  return NULL;
}

void party_start_again(Party *party) {
  run_at_once(party, work_start_again, false);
}

void party_play_again(Party *party) {
  run_at_once(party, work_play_again, false);
}

/* ---- a step ---- */

/* Nobody watches one whose answer was taken, or may be while he does. */
static void watch(void *context, Agent *agent, double spent, double left) {
  PartyMember *member = context;
  const PartyOptions *options = member->party->plan.options;
  double quiet = fmin(last_moment, options->clock / 5);
  if (member->until > 0 && clock_now() > member->until - quiet) return;
  pthread_mutex_lock(&member->lock);
  if (!member->late) options->watch(options->context, agent, spent, left);
  pthread_mutex_unlock(&member->lock);
}

static void *work_think(void *context) {
  PartyMember *member = context;
  Agent *agent = member->agent;
  const AgentWork before = agent->work;
  Party *party = member->party;
  bool watched = !party->at_once && party->plan.options->watch;
  const Move *moves;
  double start = clock_now();
  text_clear(&agent->fault);
  if (member->think || agent->operations->every_turn ||
      game_legal(agent->game, agent->role, &moves) > 1)
    agent_think_watched(agent, &member->budget, watched ? watch : NULL, member);
  measure(member, &before, start);
  if (has_own_book(member))
    member->moved =
        !game_failed(agent->game) && agent_best(agent, &member->move);
  if (member->spec->kind == SPEC_REMOTE) atomic_fetch_sub(&party->asked, 1);
  return NULL;
}

/* Thinks on in the same state; the answer is not changed. What the agent finds
   is kept with the part of its tree that the next move leads to. */
static void *work_ponder(void *context) {
  PartyMember *member = context;
  const Party *party = member->party;
  Budget budget = {.seconds = party->patience, .stop = &party->answered};
  agent_think(member->agent, &budget);
  member->report.move_count = 0;
  return NULL;
}

/* Counted work must come out the same every time. */
static bool may_ponder(const Party *party, const Budget *budget) {
  return party->plan.options->ponder && !budget->simulations && !budget->states;
}

static void start_pondering(Party *party, double patience) {
  atomic_store(&party->answered, false);
  party->patience = patience;
  start_threads(party, work_ponder, false);
}

static void end_pondering(Party *party) {
  atomic_store(&party->answered, true);
  join_threads(party, false);
}

/* ---- by a clock ---- */

static void *work_by_clock(void *context) {
  PartyMember *member = context;
  thread_be_nice(member->party->plan.options->nice);
  work_think(member);
  pthread_mutex_lock(&member->lock);
  member->done = true;
  pthread_cond_signal(&member->ended);
  pthread_mutex_unlock(&member->lock);
  return NULL;
}

static struct timespec time_after(double seconds) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  double nanoseconds = seconds * 1e9 + (double)time.tv_nsec;
  time.tv_sec += (time_t)(nanoseconds / 1e9);
  time.tv_nsec = (long)fmod(nanoseconds, 1e9);
  return time;
}

static void take_early(PartyMember *member, double start) {
  member->late = true;
  member->seconds = clock_now() - start;
  member->work = (AgentWork){0};
  member->report = (AgentReport){0};
}

static void think_by_clock(PartyMember *member) {
  double start = clock_now();
  double clock = member->party->plan.options->clock;
  struct timespec end = time_after(clock);
  member->until = start + clock;
  member->done = false;
  if (!thread_start(&member->thread, THREAD_STACK, work_by_clock, member))
    fatal("cannot start a thread");
  member->threaded = true;
  pthread_mutex_lock(&member->lock);
  int waited = 0;
  while (!member->done && waited != ETIMEDOUT)
    waited = pthread_cond_timedwait(&member->ended, &member->lock, &end);
  if (!member->done) take_early(member, start);
  pthread_mutex_unlock(&member->lock);
  if (member->late) return;
  pthread_join(member->thread, NULL);
  member->threaded = false;
}

/* Waits for those whose answers were taken. */
static void finish_late(Party *party) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (member->late && member->threaded) {
      pthread_join(member->thread, NULL);
      member->threaded = false;
    }
    member->late = false;
  }
}

static void think_alone(PartyMember *member) {
  const PartyPlan *plan = &member->party->plan;
  if (plan->options->clock > 0 && plan->book->has_net &&
      spec_thinks(member->spec))
    think_by_clock(member);
  else
    work_think(member);
}

/* ---- everybody ---- */

static void think_at_once(Party *party, const Budget *budget) {
  const RemoteClocks *clocks = &party->plan.options->clocks;
  uint32_t remote = 0;
  for (uint32_t role = 0; role < party->count; role++)
    remote += party->members[role].spec->kind == SPEC_REMOTE;
  atomic_store(&party->asked, remote);
  start_threads(party, work_think, true);
  start_threads(party, work_think, false);
  join_threads(party, false);
  if (may_ponder(party, budget) && atomic_load(&party->asked))
    start_pondering(party, clocks->play + clocks->grace + 1);
  join_threads(party, true);
  end_pondering(party);
}

/* From a move of an agent's own book to one of the referee's. */
static bool translate(PartyMember *member, Move *move) {
  Text text = {0};
  moves_write(member->agent->game, member->role, *move, &text);
  bool found =
      moves_find(member->party->plan.game, member->role, text.bytes, move);
  if (!found) text_format(&member->agent->fault, "IL %s", text.bytes);
  text_free(&text);
  return found;
}

/* A random move depends on the seed, the step and the role only, so that a
   resumed match gets the same one. */
static Move random_move(const PartyMember *member) {
  const Party *party = member->party;
  uint64_t seed = hash_pair(party->plan.seed, SEED_MOVES);
  Random random;
  random_seed(&random, hash_pair(hash_pair(seed, party->steps), member->role));
  return moves_random(party->plan.game, member->role, &random);
}

/* The engine of one that still thinks is its own. */
static bool has_failed(const PartyMember *member) {
  return !member->late && game_failed(member->agent->game);
}

static void take_answer(PartyMember *member) {
  Party *party = member->party;
  Agent *agent = member->agent;
  member->legal = false;
  if (has_failed(member)) return;
  bool moved =
      has_own_book(member) ? member->moved : agent_best(agent, &member->move);
  if (has_failed(member)) return;
  member->legal = moved && (has_own_book(member)
                                ? translate(member, &member->move)
                                : moves_contain(party->plan.game, member->role,
                                                member->move));
  if (!member->legal && party->at_once) member->move = random_move(member);
  if (!is_person(member)) note_answer(member, party->plan.options->answered);
}

static bool is_stopped(const Party *party) {
  return party->plan.stop && atomic_load(party->plan.stop);
}

/* Returns true if people will take time to answer. The rules engine makes terms
   while it thinks, which people read. */
static bool waits_for_people(const Party *party) {
  const Move *moves;
  bool choice = false;
  for (uint32_t role = 0; role < party->count; role++)
    choice |= is_person(&party->members[role]) &&
              game_legal(party->plan.game, role, &moves) > 1;
  return choice && (party->at_once || party->plan.book->has_net);
}

/* Returns false if the match does not go on. */
static bool ask_some(Party *party, bool people) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (is_person(member) != people) continue;
    if (people && is_stopped(party)) return false;
    if (people)
      work_think(member);
    else if (!party->at_once)
      think_alone(member);
    take_answer(member);
    if (has_failed(member)) return false;
  }
  return true;
}

void party_ask(Party *party, const Budget *budget, bool idle) {
  finish_late(party);
  for (uint32_t role = 0; role < party->count; role++) {
    party->members[role].budget = *budget;
    party->members[role].think = idle;
  }
  if (party->at_once) think_at_once(party, budget);
  if (!ask_some(party, false)) return;
  bool ponder = may_ponder(party, budget) && waits_for_people(party);
  if (ponder) start_pondering(party, for_people);
  ask_some(party, true);
  if (ponder) end_pondering(party);
}

void party_draw(Party *party) {
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    text_clear(&member->agent->fault);
    member->move = random_move(member);
    member->legal = true;
    member->seconds = 0;
    member->work = (AgentWork){0};
    member->report = (AgentReport){0};
  }
}

/* ---- the match goes on ---- */

static bool tell_by_text(PartyMember *member, const Move *joint) {
  const Game *from = member->party->plan.game;
  Game *game = member->agent->game;
  Move own[RULE_ROLES];
  Text text = {0};
  bool found = true;
  for (uint32_t role = 0; found && role < game->role_count; role++) {
    text_clear(&text);
    moves_write(from, role, joint[role], &text);
    found = moves_find(game, role, text.bytes, &own[role]);
  }
  text_free(&text);
  if (found) agent_told(member->agent, own);
  return found;
}

bool party_tell(Party *party, const Move *joint) {
  bool agreed = true;
  finish_late(party);
  for (uint32_t role = 0; agreed && role < party->count; role++) {
    PartyMember *member = &party->members[role];
    if (has_own_book(member))
      agreed = tell_by_text(member, joint);
    else
      agent_told(member->agent, joint);
  }
  party->steps++;
  return agreed;
}

const Game *party_failed(const Party *party) {
  for (uint32_t role = 0; role < party->count; role++) {
    const PartyMember *member = &party->members[role];
    if (member->agent && has_failed(member)) return member->agent->game;
  }
  return NULL;
}

/* ---- the end ---- */

static void *work_end(void *context) {
  PartyMember *member = context;
  if (member->agent) agent_end(member->agent, member->party->end);
  member->agent = NULL;
  return NULL;
}

void party_end(Party *party, AgentEnd how) {
  finish_late(party);
  party->end = how;
  for (uint32_t role = 0; role < party->count; role++)
    if (is_person(&party->members[role])) work_end(&party->members[role]);
  if (party->at_once) run_at_once(party, work_end, false);
  for (uint32_t role = 0; role < party->count; role++) {
    PartyMember *member = &party->members[role];
    work_end(member);
    pthread_mutex_destroy(&member->lock);
    pthread_cond_destroy(&member->ended);
    if (!has_own_book(member)) continue;
    book_free(&member->book);
    description_free(&member->description);
  }
  if (party->at_once) remote_match_free(&party->remote);
  memory_delete(party->members);
}
