/* The flow of a match (the Game Flow of Finnsson 2007, section 3.3): start,
   then moves of all roles until the engine says that it is over. No answer is
   trusted: among HTTP players an illegal one is noted and replaced by a random
   move, among local agents it ends the match. A resumed match is replayed
   first. If it was killed, its HTTP players are sent the next PLAY as if
   nothing had happened, and START only if that had not been finished. If it was
   broken off, they had ABORT and have forgotten it: they get START again and
   every PLAY so far, each of which takes as long as the player thinks. */
#include "match/referee.h"

#include "engine/moves.h"

typedef struct Referee {
  Game *game;
  const RefereeOptions *options;
  Record *record; /* or NULL */
  MatchResult *result;
  Party party;
  RecordTurn *turns; /* by role: the last step; NULL: nobody wants them */
  bool wrong;        /* the record is not of this game and must not change */
} Referee;

/* ---- how it may end ---- */

static bool is_stopped(Referee *referee) {
  const atomic_bool *stop = referee->options->match.play.stop;
  if (!stop || !atomic_load(stop)) return false;
  referee->result->end = MATCH_STOPPED;
  return true;
}

static bool fail(Referee *referee, const char *why) {
  referee->result->end = MATCH_FAILED;
  if (!referee->result->error.length) text_add(&referee->result->error, why);
  return false;
}

/* Returns false if an engine, the referee's or an agent's, has failed. */
static bool check_engines(Referee *referee) {
  const Game *failed = game_failed(referee->game)
                           ? referee->game
                           : party_failed(&referee->party);
  return !failed || fail(referee, failed->error.bytes);
}

/* Returns false if a role has no legal move. */
static bool check_moves(Referee *referee) {
  const Move *moves;
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    if (game_legal(referee->game, role, &moves)) continue;
    if (!check_engines(referee)) return false;
    referee->result->end = MATCH_STUCK;
    moves_write_role(referee->game, role, &referee->result->error);
    text_add(&referee->result->error, " has no legal move");
    return false;
  }
  return true;
}

/* Counts faults of the turn and keeps the first; step 0 is START. */
static void count_faults(Referee *referee, uint32_t step) {
  MatchResult *result = referee->result;
  for (uint32_t role = 0; role < referee->party.count; role++) {
    const Text *fault = &referee->party.members[role].agent->fault;
    if (!fault->length || result->faults++) continue;
    if (step)
      text_format(&result->fault, "step %u ", step);
    else
      text_add(&result->fault, "START ");
    moves_write_role(referee->game, role, &result->fault);
    text_format(&result->fault, ": %s", fault->bytes);
  }
}

/* ---- turns, for records and those who watch ---- */

static void take_turns(Referee *referee) {
  for (uint32_t role = 0; referee->turns && role < referee->party.count;
       role++) {
    RecordTurn *turn = &referee->turns[role];
    const PartyMember *member = &referee->party.members[role];
    text_clear(&turn->move);
    text_clear(&turn->error);
    text_add(&turn->error, text_string(&member->agent->fault));
    turn->seconds = member->seconds;
    turn->work = member->work;
    turn->report = member->report;
  }
}

static void free_turns(Referee *referee) {
  for (uint32_t role = 0; referee->turns && role < referee->game->role_count;
       role++) {
    text_free(&referee->turns[role].move);
    text_free(&referee->turns[role].error);
  }
  memory_delete(referee->turns);
}

/* A record that cannot be written is reported once, and the match goes on. */
static void write_record(Referee *referee) {
  bool reported = referee->record->error.length != 0;
  if (!record_write(referee->record) && !reported)
    log_error("%s; the match goes on", referee->record->error.bytes);
}

static void publish_step(Referee *referee, const Move *joint) {
  const RefereeOptions *options = referee->options;
  if (!referee->turns) return;
  for (uint32_t role = 0; role < referee->game->role_count; role++)
    moves_write(referee->game, role, joint[role], &referee->turns[role].move);
  if (referee->record) {
    record_add_step(referee->record, referee->turns, referee->game);
    write_record(referee);
  }
  if (options->stepped)
    options->stepped(options->context, referee->result->steps, referee->turns);
}

/* ---- a step ---- */

/* Returns false if a local agent made an illegal move. */
static bool judge(Referee *referee, Move *joint) {
  const Party *party = &referee->party;
  for (uint32_t role = 0; role < party->count; role++) {
    joint[role] = party->members[role].move;
    if (party->members[role].legal || party->at_once) continue;
    referee->result->end = MATCH_ILLEGAL;
    moves_write_role(referee->game, role, &referee->result->error);
    text_format(&referee->result->error, " made an illegal move in step %u",
                referee->result->steps + 1);
    return false;
  }
  return true;
}

static void keep_moves(Referee *referee, const Move *joint) {
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    moves_write(referee->game, role, joint[role], &referee->result->moves);
    text_add_byte(&referee->result->moves, '\n');
  }
}

/* Returns false if the match cannot go on. */
static bool make_moves(Referee *referee, const Move *joint) {
  if (referee->options->match.keep_moves) keep_moves(referee, joint);
  game_make(referee->game, joint);
  referee->result->steps++;
  if (!party_tell(&referee->party, joint))
    return fail(referee, "engines do not agree");
  return check_engines(referee);
}

static bool step(Referee *referee) {
  const MatchOptions *match = &referee->options->match;
  Move joint[RULE_ROLES];
  if (is_stopped(referee) || !check_moves(referee)) return false;
  if (referee->result->steps < match->opening)
    party_draw(&referee->party);
  else
    party_ask(&referee->party, &match->play, match->idle);
  if (is_stopped(referee) || !check_engines(referee)) return false;
  if (!judge(referee, joint)) return false;
  count_faults(referee, referee->result->steps + 1);
  take_turns(referee);
  if (!make_moves(referee, joint)) return false;
  publish_step(referee, joint);
  return true;
}

/* ---- the beginning ---- */

/* The record stays as it is: whatever was added would not be true. */
static bool refuse(Referee *referee, const char *why) {
  referee->wrong = true;
  return fail(referee, why);
}

/* Finds the next joint move of the record; returns false if it is not legal. */
static bool find_recorded(Referee *referee, Move *joint) {
  bool legal = true;
  Text move = {0};
  for (uint32_t role = 0; legal && role < referee->game->role_count; role++) {
    text_clear(&move);
    record_move(referee->record, referee->result->steps, role, &move);
    legal = moves_find(referee->game, role, text_string(&move), &joint[role]);
  }
  text_free(&move);
  return legal;
}

/* Returns true if HTTP players have forgotten the match, and are needed. */
static bool is_forgotten(const Referee *referee) {
  const Record *record = referee->record;
  return referee->party.at_once && record_aborted(record) &&
         record_steps(record) < referee->options->match.step_limit;
}

static void play_again(Referee *referee) {
  const RefereeOptions *options = referee->options;
  if (options->repeated)
    options->repeated(options->context, referee->result->steps + 1,
                      record_steps(referee->record));
  party_play_again(&referee->party);
}

/* Makes the moves of the record, which HTTP players are told if they have
   forgotten them. Returns false if the moves are not of this game. */
static bool replay(Referee *referee, bool tell) {
  uint32_t steps = record_steps(referee->record);
  Move joint[RULE_ROLES];
  while (referee->result->steps < steps) {
    if (!find_recorded(referee, joint))
      return refuse(referee, "the record has a move that is not legal");
    if (tell) play_again(referee);
    if (tell && is_stopped(referee)) return false;
    if (!make_moves(referee, joint)) return false;
  }
  return record_has_state(referee->record, referee->game) ||
         refuse(referee, "the record has a state that the rules do not give");
}

static bool resume(Referee *referee) {
  bool forgotten = is_forgotten(referee);
  party_start(&referee->party, NULL);
  if (!check_engines(referee)) return false;
  if (forgotten) {
    party_start_again(&referee->party);
    count_faults(referee, 0);
  }
  if (!replay(referee, forgotten)) return false;
  record_go_on(referee->record);
  return true;
}

static void ask_names(Referee *referee) {
  party_ask_names(&referee->party);
  for (uint32_t role = 0; role < referee->party.count; role++) {
    const char *name = party_name(&referee->party, role);
    if (*name) record_set_name(referee->record, role, name);
  }
}

/* There is nothing to think about in a terminal state. */
static void start(Referee *referee) {
  Budget budget = {0};
  if (!game_terminal(referee->game)) budget = referee->options->match.start;
  budget.later = &referee->options->match.play;
  party_start(&referee->party, &budget);
}

static bool begin_recorded(Referee *referee) {
  Record *record = referee->record;
  if (record_started(record)) return resume(referee);
  record_go_on(record);
  ask_names(referee);
  if (referee->party.at_once && referee->options->party.scramble)
    record_add_names(record, &referee->party.remote.scramble);
  write_record(referee);
  start(referee);
  if (is_stopped(referee) || !check_engines(referee) || !replay(referee, false))
    return false;
  count_faults(referee, 0);
  take_turns(referee);
  record_add_start(record, referee->turns);
  write_record(referee);
  return true;
}

static bool begin(Referee *referee) {
  if (referee->record) return begin_recorded(referee);
  start(referee);
  return true;
}

/* ---- the match ---- */

static void go_on(Referee *referee) {
  MatchResult *result = referee->result;
  do {
    result->end = MATCH_ENDED;
    bool over = game_terminal(referee->game);
    if (!check_engines(referee) || over) return;
    if (result->steps >= referee->options->match.step_limit) {
      result->end = MATCH_CUT_OFF;
      return;
    }
  } while (step(referee));
}

static void read_sides(Referee *referee) {
  MatchResult *result = referee->result;
  bool valued = result->end == MATCH_ENDED || result->end == MATCH_CUT_OFF;
  for (uint32_t role = 0; role < result->role_count; role++) {
    int goal = valued ? game_goal(referee->game, role) : 0;
    result->sides[role] =
        (MatchSide){.goal = goal < 0 ? 0 : goal,
                    .work = referee->party.members[role].agent->work};
    if (referee->record)
      text_add(&result->sides[role].name, record_name(referee->record, role));
  }
  if (valued) check_engines(referee);
}

/* Closes the record and tells the players, unless they were told before. */
static void end(Referee *referee) {
  AgentEnd how =
      referee->result->end == MATCH_ENDED ? AGENT_COMPLETED : AGENT_BROKEN_OFF;
  if (referee->wrong) {
    how = AGENT_DROPPED;
  } else if (referee->record) {
    if (record_completed(referee->record)) how = AGENT_DROPPED;
    record_end(referee->record, referee->result);
    write_record(referee);
  }
  party_end(&referee->party, how);
}

void referee_play(const RefereeMatch *match, const RefereeOptions *options,
                  MatchResult *result) {
  Record *record = match->record;
  Referee referee = {.game = book_game(match->book),
                     .options = options,
                     .record = record,
                     .result = result};
  uint32_t roles = referee.game->role_count;
  *result = (MatchResult){.role_count = roles};
  result->sides = memory_new(roles * sizeof *result->sides);
  if (record || options->stepped)
    referee.turns = memory_new(roles * sizeof *referee.turns);
  if (record && !json_array_size(json_object_get(record->root, "states")))
    record_add_state(record, referee.game);
  PartyPlan plan = {.options = &options->party,
                    .game = referee.game,
                    .book = match->book,
                    .players = match->players,
                    .seed = record ? record_seed(record) : match->seed,
                    .id = record ? record_id(record) : "",
                    .stop = options->match.play.stop,
                    .reports = referee.turns};
  party_init(&referee.party, &plan);
  if (begin(&referee)) go_on(&referee);
  read_sides(&referee);
  end(&referee);
  free_turns(&referee);
  game_delete(referee.game);
}
