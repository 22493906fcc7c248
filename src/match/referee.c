/* The flow of a refereed match: PREVIEW, START, then PLAY until the engine says
   that it is over, STOP; ABORT if it does not get there. The engine alone knows
   what is legal. A resumed match is replayed first; its players over HTTP are
   sent the next PLAY, as if nothing had happened, and START only if that was
   not over. Random moves depend on the match's seed, the step and the role
   alone. */
#include "match/referee.h"

#include "base/clock.h"
#include "base/hash.h"

typedef struct Referee {
  Game *game;
  const RefereeOptions *options;
  Record *record;
  MatchResult *result;
  LocalHouse house;
  Remotes remotes;
  VECTOR(Local) locals;
  RecordTurn *turns; /* by role: the last step */
  Text *moves;       /* by role: of the last step; what players are told */
  bool moved;        /* there was one */
  bool wrong;        /* the record is not of this game: it stays as it is */
} Referee;

enum { SEED_NAMES = 1000, SEED_MOVES }; /* beside those of roles */

bool referee_needed(const AgentSpecs *players) {
  bool needed = false;
  for (uint32_t i = 0; i < players->count; i++)
    needed |= players->data[i].kind == SPEC_REMOTE;
  return needed;
}

/* ---- the seats ---- */

static void take_seats(Referee *referee, Book *book,
                       const AgentSpec *const *players) {
  const RefereeOptions *options = referee->options;
  uint64_t seed = record_seed(referee->record);
  uint32_t roles = referee->game->role_count;
  remotes_init(&referee->remotes, referee->game, record_id(referee->record),
               &options->clocks, options->match.play.stop, options->scramble,
               hash_pair(seed, SEED_NAMES));
  for (uint32_t role = 0; role < roles; role++)
    if (players[role]->kind == SPEC_REMOTE)
      remotes_add(&referee->remotes, role, players[role]->text);
  referee->house =
      (LocalHouse){.shared = referee->remotes.list.count ? NULL : book,
                   .description = book->description,
                   .limits = options->limits,
                   .ground = options->ground};
  for (uint32_t role = 0; role < roles; role++) {
    if (players[role]->kind == SPEC_REMOTE) continue;
    Local local;
    local_init(&local, &referee->house, role, players[role],
               hash_pair(seed, role));
    vector_push(&referee->locals, local);
  }
  referee->turns = memory_new(roles * sizeof *referee->turns);
  referee->moves = memory_new(roles * sizeof *referee->moves);
}

static void leave_seats(Referee *referee) {
  for (uint32_t i = 0; i < referee->locals.count; i++)
    local_free(&referee->locals.data[i]);
  vector_free(&referee->locals);
  remotes_free(&referee->remotes);
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    text_free(&referee->turns[role].move);
    text_free(&referee->turns[role].error);
    text_free(&referee->moves[role]);
  }
  memory_delete(referee->turns);
  memory_delete(referee->moves);
}

static void clear_turns(Referee *referee) {
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    RecordTurn *turn = &referee->turns[role];
    text_clear(&turn->move);
    text_clear(&turn->error);
    *turn = (RecordTurn){.move = turn->move, .error = turn->error};
  }
}

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

/* False if an engine has failed. */
static bool check_engines(Referee *referee) {
  if (game_failed(referee->game))
    return fail(referee, referee->game->error.bytes);
  for (uint32_t i = 0; i < referee->locals.count; i++) {
    const Game *game = local_game(&referee->locals.data[i]);
    if (game_failed(game)) return fail(referee, game->error.bytes);
  }
  return true;
}

static void write_role(Referee *referee, uint32_t role, Text *text) {
  term_write(game_terms(referee->game), game_role(referee->game, role), text);
}

/* False if a role has no legal move. */
static bool check_moves(Referee *referee) {
  const Move *moves;
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    if (game_legal(referee->game, role, &moves)) continue;
    if (!check_engines(referee)) return false;
    referee->result->end = MATCH_STUCK;
    write_role(referee, role, &referee->result->error);
    text_add(&referee->result->error, " has no legal move");
    return false;
  }
  return true;
}

/* Errors of the turns are counted; the first is told. */
static void count_faults(Referee *referee, const char *when) {
  MatchResult *result = referee->result;
  for (uint32_t role = 0; role < referee->game->role_count; role++) {
    const Text *error = &referee->turns[role].error;
    if (!error->length) continue;
    if (!result->faults++) {
      text_format(&result->fault, "%s ", when);
      write_role(referee, role, &result->fault);
      text_format(&result->fault, ": %s", error->bytes);
    }
  }
}

/* A record that cannot be written is told of once, and the match goes on. */
static void write_record(Referee *referee) {
  bool told = referee->record->error.length != 0;
  if (!record_write(referee->record) && !told)
    log_error("%s; the match goes on", referee->record->error.bytes);
}

/* ---- START ---- */

static void take_reply(Referee *referee, const Remote *remote) {
  RecordTurn *turn = &referee->turns[remote->role];
  text_add(&turn->error, text_string(&remote->error));
  turn->seconds = remote->seconds;
}

static void start_players(Referee *referee, bool fresh) {
  Budget budget = {0};
  if (fresh && !game_terminal(referee->game))
    budget = referee->options->match.start;
  budget.stop = referee->options->match.play.stop;
  if (fresh && referee->options->clocks.preview > 0)
    remotes_preview(&referee->remotes);
  clear_turns(referee);
  for (uint32_t i = 0; i < referee->locals.count; i++) {
    Local *local = &referee->locals.data[i];
    local_start(local, &budget, &referee->turns[local->role]);
  }
  if (fresh) remotes_start(&referee->remotes);
  for (uint32_t i = 0; i < referee->locals.count; i++)
    local_wait(&referee->locals.data[i]);
  for (uint32_t i = 0; fresh && i < referee->remotes.list.count; i++)
    take_reply(referee, &referee->remotes.list.data[i]);
}

/* ---- a step ---- */

static void ask(Referee *referee) {
  const MatchOptions *match = &referee->options->match;
  clear_turns(referee);
  for (uint32_t i = 0; i < referee->locals.count; i++) {
    Local *local = &referee->locals.data[i];
    local_play(local, &match->play, match->idle, &referee->turns[local->role]);
  }
  if (referee->remotes.list.count)
    remotes_play(&referee->remotes, referee->moved ? referee->moves : NULL);
  for (uint32_t i = 0; i < referee->locals.count; i++)
    local_wait(&referee->locals.data[i]);
}

static Random random_of(const Referee *referee, uint32_t role) {
  uint64_t seed = hash_pair(record_seed(referee->record), SEED_MOVES);
  Random random;
  random_seed(&random,
              hash_pair(hash_pair(seed, referee->result->steps), role));
  return random;
}

/* A move for every role, whatever was answered. */
static void judge(Referee *referee, Move *joint) {
  Game *game = referee->game;
  for (uint32_t i = 0; i < referee->remotes.list.count; i++) {
    Remote *remote = &referee->remotes.list.data[i];
    Random random = random_of(referee, remote->role);
    joint[remote->role] = remote_move(&referee->remotes, remote, &random);
    take_reply(referee, remote);
  }
  for (uint32_t i = 0; i < referee->locals.count; i++) {
    uint32_t role = referee->locals.data[i].role;
    RecordTurn *turn = &referee->turns[role];
    Random random = random_of(referee, role);
    if (remote_find_move(game, role, text_string(&turn->move), &joint[role]))
      continue;
    text_format(&turn->error, "IL %s", text_string(&turn->move));
    joint[role] = remote_random_move(game, role, &random);
  }
}

/* The turns' moves are made; false if the match cannot go on. */
static bool make_moves(Referee *referee, const Move *joint) {
  Game *game = referee->game;
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text *text = &referee->turns[role].move;
    text_clear(text);
    term_write(game_terms(game), game_move_term(game, role, joint[role]), text);
    text_clear(&referee->moves[role]);
    text_add(&referee->moves[role], text->bytes);
  }
  for (uint32_t i = 0; i < referee->locals.count; i++)
    if (!local_advance(&referee->locals.data[i], referee->turns))
      return fail(referee, "engines do not agree");
  game_make(game, joint);
  referee->moved = true;
  referee->result->steps++;
  return check_engines(referee);
}

static void keep_moves(Referee *referee) {
  for (uint32_t role = 0; role < referee->game->role_count; role++)
    text_format(&referee->result->moves, "%s\n",
                text_string(&referee->moves[role]));
}

static bool step(Referee *referee) {
  Move joint[RULE_ROLES];
  Text when = {0};
  if (is_stopped(referee) || !check_moves(referee)) return false;
  ask(referee);
  if (is_stopped(referee) || !check_engines(referee)) return false;
  judge(referee, joint);
  if (!make_moves(referee, joint)) return false;
  if (referee->options->match.keep_moves) keep_moves(referee);
  text_format(&when, "step %u", referee->result->steps);
  count_faults(referee, when.bytes);
  text_free(&when);
  record_add_step(referee->record, referee->turns, referee->game);
  write_record(referee);
  if (referee->options->stepped)
    referee->options->stepped(referee->options->context, referee->result->steps,
                              referee->turns);
  return true;
}

/* ---- the match ---- */

/* Nothing that is written from here on would be true. */
static bool refuse(Referee *referee, const char *why) {
  referee->wrong = true;
  return fail(referee, why);
}

/* The moves of the record; false if they are none of this game. */
static bool replay(Referee *referee) {
  Game *game = referee->game;
  uint32_t steps = record_steps(referee->record);
  Move joint[RULE_ROLES];
  while (referee->result->steps < steps) {
    clear_turns(referee);
    for (uint32_t role = 0; role < game->role_count; role++) {
      Text *move = &referee->turns[role].move;
      record_move(referee->record, referee->result->steps, role, move);
      if (!remote_find_move(game, role, text_string(move), &joint[role]))
        return refuse(referee, "the record has a move that is not legal");
    }
    if (!make_moves(referee, joint)) return false;
    if (referee->options->match.keep_moves) keep_moves(referee);
  }
  return record_has_state(referee->record, game) ||
         refuse(referee, "the record has a state that the rules do not give");
}

static bool begin(Referee *referee) {
  bool fresh = !record_started(referee->record);
  if (fresh && referee->options->scramble)
    record_add_names(referee->record, &referee->remotes.scramble);
  if (fresh) write_record(referee);
  start_players(referee, fresh);
  if (fresh && is_stopped(referee)) return false;
  if (!check_engines(referee) || !replay(referee)) return false;
  if (!fresh) return true;
  count_faults(referee, "START");
  record_add_start(referee->record, referee->turns);
  write_record(referee);
  return true;
}

static void go_on(Referee *referee) {
  MatchResult *result = referee->result;
  do {
    result->end = MATCH_ENDED;
    bool over = game_terminal(referee->game);
    if (over || !check_engines(referee)) return;
    if (result->steps >= referee->options->match.step_limit) {
      result->end = MATCH_CUT_OFF;
      return;
    }
  } while (step(referee));
}

static void read_sides(Referee *referee) {
  MatchResult *result = referee->result;
  bool valued = result->end == MATCH_ENDED || result->end == MATCH_CUT_OFF;
  for (uint32_t role = 0; valued && role < result->role_count; role++) {
    int goal = game_goal(referee->game, role);
    result->sides[role].goal = goal < 0 ? 0 : goal;
  }
  for (uint32_t i = 0; i < referee->locals.count; i++) {
    const Local *local = &referee->locals.data[i];
    if (local->agent) result->sides[local->role].work = local->agent->work;
  }
}

/* The players are told, and the record is closed. */
static void end(Referee *referee) {
  bool told = record_completed(referee->record);
  record_end(referee->record, referee->result);
  write_record(referee);
  if (told || !referee->remotes.list.count) return;
  if (referee->result->end == MATCH_ENDED)
    remotes_stop(&referee->remotes, referee->moved ? referee->moves : NULL);
  else
    remotes_abort(&referee->remotes);
}

void referee_play(Book *book, const AgentSpec *const *players,
                  const RefereeOptions *options, Record *record,
                  MatchResult *result) {
  Referee referee = {.game = book_game(book),
                     .options = options,
                     .record = record,
                     .result = result};
  *result = (MatchResult){.role_count = referee.game->role_count};
  result->sides = memory_new(result->role_count * sizeof *result->sides);
  if (!json_array_size(json_object_get(record->root, "states")))
    record_add_state(record, referee.game);
  take_seats(&referee, book, players);
  if (begin(&referee)) go_on(&referee);
  read_sides(&referee);
  if (!referee.wrong) end(&referee);
  leave_seats(&referee);
  game_delete(referee.game);
}
