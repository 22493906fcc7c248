/* Who is asked for moves. A person's agent waits for the server's messages
   (web/turn.h), and thinks about hints while it waits; it borrows the match's
   game. What agents think is sent while they do.

   Agents get less than the clock: they learn how late they were, as a player
   of game masters does, since several matches share the processors. */
#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "engine/moves.h"
#include "web/master_parts.h"
#include "web/thought.h"

enum { SEED_HINT = 2000, KEPT_MOVES = 24 }; /* of a thought that stays */

static const char searcher[] = "tafl";
/* Seconds before the end of the clock at which an answer is taken from an agent
   that still thinks, and the largest share of a clock that this may be. */
static const double before_end = 0.15, share_before_end = 0.15;

/* ---- thoughts ---- */

static json_t *think_json(Master *master, Agent *agent, const AgentSpec *spec,
                          ThoughtAbout about) {
  AgentReport report;
  about.step = master->steps.count;
  about.role = agent->role;
  about.spec = spec;
  about.sum = master->sum;
  agent_report(agent, &report);
  return thought_json(master->scene, master->game, agent->game, &report,
                      &about);
}

static void say_hint(Master *master, Agent *agent, const AgentSpec *spec,
                     double left) {
  json_t *json = think_json(master, agent, spec,
                            (ThoughtAbout){.hint = true, .left = left});
  if (json) turn_say_thought(&master->turn, agent->role, json);
  json_decref(json);
}

static void keep_thought(Master *master, uint32_t role, json_t *thought) {
  json_decref(master->thoughts[role]);
  master->thoughts[role] = thought;
}

/* The last one is kept, for an agent that is not done when its clock ends. */
static void watch(void *context, Agent *agent, double spent, double left) {
  Master *master = context;
  uint32_t role = agent->role;
  json_t *thought = think_json(master, agent, master->players[role],
                               (ThoughtAbout){.left = left});
  (void)spent;
  if (!thought) return;
  turn_say_thought(&master->turn, role, thought);
  json_t *moves = json_object_get(thought, "moves");
  while (json_array_size(moves) > KEPT_MOVES)
    json_array_remove(moves, json_array_size(moves) - 1);
  keep_thought(master, role, thought);
}

void master_forget_thoughts(Master *master) {
  for (uint32_t role = 0; role < master->role_count; role++) {
    json_decref(master->thoughts[role]);
    master->thoughts[role] = NULL;
  }
}

/* ---- answers ---- */

static void see_start(void *context, Agent *agent, const AgentSpec *spec) {
  Master *master = context;
  if (agent->fault.length)
    turn_note(&master->turn, "%s: %s", spec->text, agent->fault.bytes);
  if (agent->note.length)
    turn_note(&master->turn, "%s: %s", spec->text, agent->note.bytes);
}

/* The next agent has its whole clock. */
static void end_thinking(Master *master, uint32_t role) {
  Turn *turn = &master->turn;
  uint32_t left = 0;
  turn_lock(turn);
  bool thought = turn->roles[role].thinking;
  turn->roles[role].thinking = false;
  for (uint32_t i = 0; i < turn->role_count; i++)
    left += turn->roles[i].thinking;
  if (!left) turn->until = 0;
  if (thought && (left || turn_asks(turn))) turn_send(turn);
  turn_unlock(turn);
}

static void see_answer(void *context, Agent *agent, const AgentSpec *spec) {
  Master *master = context;
  uint32_t role = agent->role;
  const PartyMember *member = &master->party.members[role];
  if (agent->fault.length)
    turn_note(&master->turn, "%s: %s", spec->text, agent->fault.bytes);
  if (member->late || member->work.simulations || member->work.states)
    margin_saw_process(&master->margin,
                       fmax(member->seconds - member->budget.seconds, 0));
  if (member->work.simulations || member->work.states)
    keep_thought(master, role,
                 think_json(master, agent, spec,
                            (ThoughtAbout){.left = -1, .most = KEPT_MOVES}));
  end_thinking(master, role);
}

double master_seconds(const Master *master, double clock) {
  return clock - margin_process(&master->margin, clock);
}

/* ---- hints ---- */

/* The search is made anew for each hint, so that one does not depend on those
   before it. */
static Agent *make_adviser(Master *master, const AgentSpec *spec,
                           uint32_t role) {
  uint64_t seed = hash_pair(master->plan->seed, SEED_HINT + role);
  Agent *agent = spec_agent(spec, &master->book, role, seed);
  for (uint32_t step = 0; step < master->steps.count; step++)
    agent_told(agent, master->moves.data + step * master->role_count);
  return agent;
}

typedef struct Advice {
  Master *master;
  const AgentSpec *spec;
} Advice;

static void watch_advice(void *context, Agent *agent, double spent,
                         double left) {
  const Advice *advice = context;
  (void)spent;
  say_hint(advice->master, agent, advice->spec, left);
}

static void give_hint(Master *master, uint32_t role, double seconds) {
  AgentSpec spec;
  Text error = {0};
  if (!spec_parse(&spec, searcher, &error)) fatal("%s", error.bytes);
  spec_set_threads(&spec, master->plan->processors);
  spec_limit_memory(&spec, master->plan->limits.ground.memory / 8);
  turn_begin_hint(&master->turn, role, seconds);
  Agent *agent = make_adviser(master, &spec, role);
  Budget budget = {.seconds = seconds,
                   .threads = atomic_load(&master->turn.threads),
                   .stop = &master->turn.stop};
  agent_think_watched(agent, &budget, watch_advice, &(Advice){master, &spec});
  if (game_failed(agent->game))
    turn_note(&master->turn, "no hint: %s", agent->game->error.bytes);
  else
    say_hint(master, agent, &spec, 0);
  agent_end(agent, AGENT_DROPPED);
  spec_free(&spec);
  turn_end_hint(&master->turn, role);
}

/* ---- persons ---- */

typedef struct Person {
  Agent agent;
  Master *master;
} Person;

/* Waits until all persons have chosen: until then each may change its choice.
 */
static void think(Agent *agent, const Budget *budget) {
  Master *master = ((Person *)agent)->master;
  uint32_t role;
  double seconds;
  (void)budget;
  while (turn_wait(&master->turn, &role, &seconds) == TURN_HINT)
    give_hint(master, role, seconds);
}

static bool best(Agent *agent, Move *move) {
  Turn *turn = &((Person *)agent)->master->turn;
  const TurnRole *role = &turn->roles[agent->role];
  const Move *moves;
  if (game_legal(agent->game, agent->role, &moves) == 1) {
    *move = moves[0];
    return true;
  }
  turn_lock(turn);
  bool chosen = turn->decided && role->moves.count;
  if (chosen) *move = role->moves.data[role->chosen].move;
  turn_unlock(turn);
  return chosen;
}

static void told(Agent *agent, const Move *joint) {
  (void)agent;
  (void)joint;
}

static void end(Agent *agent, AgentEnd how) {
  (void)how;
  memory_delete(agent);
}

static const AgentOperations operations = {
    .told = told, .think = think, .best = best, .end = end};

static Agent *new_person(void *context, Book *book, uint32_t role) {
  Person *person = memory_new(sizeof *person);
  Master *master = context;
  (void)book;
  *person = (Person){
      .agent = {.operations = &operations, .role = role, .game = master->game},
      .master = master};
  return &person->agent;
}

void master_seat(Master *master) {
  const MasterPlan *plan = master->plan;
  margin_init(&master->margin);
  master->options = (PartyOptions){
      .clocks = {.start = plan->start, .play = plan->play, .grace = 1},
      .nice = MASTER_NICE,
      .clock = plan->play - fmin(before_end, share_before_end * plan->play),
      .limits = plan->limits,
      .ground = true,
      .person = new_person,
      .started = see_start,
      .answered = see_answer,
      .watch = watch,
      .context = master};
}
