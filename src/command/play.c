/* tafl play GAME: a person at the terminal against an agent for each other
   role, which may be a player over HTTP. Moves can be taken back: all moves are
   kept, and new agents replay them up to the state. Players over HTTP cannot go
   back. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "command/command.h"
#include "command/person.h"
#include "engine/moves.h"
#include "match/party.h"

static const double start_clock = 10; /* of HTTP players, by default */

typedef struct Table {
  const Options *options;
  const AgentSpec *spec; /* of the other roles */
  AgentSpec human;
  Book *book;
  Game *game;
  uint32_t person; /* role */
  Text id;
  PartyOptions seating;
  Party party;
  Terminal terminal;
  atomic_bool stop;
  uint32_t begun;    /* how often agents were made */
  VECTOR(Move) made; /* role by role, turn by turn */
  uint32_t turns;    /* made so far */
} Table;

/* ---- agents ---- */

static void write_id(Text *id) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  text_format(id, "tafl.play.%lld.%ld",
              (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
              (long)getpid());
}

/* Makes agents and brings them to the current state. */
static void begin_party(Table *table) {
  const AgentSpec *players[RULE_ROLES];
  Budget budget = open_start_budget(table->options);
  uint32_t roles = table->game->role_count;
  for (uint32_t role = 0; role < roles; role++)
    players[role] = role == table->person ? &table->human : table->spec;
  PartyPlan plan = {
      .options = &table->seating,
      .game = table->game,
      .book = table->book,
      .players = players,
      .seed = hash_pair((uint64_t)table->options->seed, table->begun++),
      .id = text_string(&table->id),
      .stop = &table->stop};
  party_init(&table->party, &plan);
  if (table->party.at_once) log_progress("START");
  party_start(&table->party, table->turns ? NULL : &budget);
  for (uint32_t turn = 0; turn < table->turns; turn++)
    party_tell(&table->party, table->made.data + turn * roles);
}

static void end_party(Table *table) {
  bool over = !game_failed(table->game) && game_terminal(table->game);
  party_end(&table->party, over ? AGENT_COMPLETED : AGENT_BROKEN_OFF);
}

/* Returns true if a person can choose between moves. */
static bool has_choice(const Table *table) {
  const Move *moves;
  bool found = false;
  for (uint32_t role = 0; role < table->game->role_count; role++)
    found |= table->terminal.human[role] &&
             game_legal(table->game, role, &moves) > 1;
  return found;
}

/* Goes back to the last state in which a person had a choice. */
static void undo(Table *table) {
  party_end(&table->party, AGENT_BROKEN_OFF);
  do {
    game_retract(table->game);
    table->turns--;
    table->made.count -= table->game->role_count;
  } while (table->turns && !has_choice(table));
  table->terminal.undo = table->terminal.drawn = false;
  begin_party(table);
}

/* ---- turns ---- */

/* Returns false, after printing why, if a role has no legal move. */
static bool check_moves(Table *table) {
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const Move *moves;
    if (game_legal(table->game, role, &moves)) continue;
    Text name = {0};
    moves_write_role(table->game, role, &name);
    printf("%s has no legal move; the game cannot go on.\n", name.bytes);
    text_free(&name);
    return false;
  }
  return true;
}

/* Returns false if an engine has failed; the error goes to the table's. */
static bool check_engines(Table *table) {
  const Game *failed = party_failed(&table->party);
  if (failed && !game_failed(table->game))
    text_add(&table->game->error, failed->error.bytes);
  return !game_failed(table->game);
}

static void make_moves(Table *table) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const PartyMember *member = &table->party.members[role];
    if (!member->legal && !table->party.at_once)
      fatal("an agent made an illegal move");
    joint[role] = member->move;
    vector_push(&table->made, joint[role]);
  }
  game_make(table->game, joint);
  party_tell(&table->party, joint);
  table->turns++;
}

/* Returns false if the game does not go on. */
static bool take_turn(Table *table) {
  Budget budget = open_budget(table->options);
  terminal_draw(&table->terminal, table->game);
  if (!check_engines(table) || !check_moves(table)) return false;
  if (table->party.at_once)
    log_progress("waiting");
  else if (spec_thinks(table->spec))
    log_progress("thinking");
  table->terminal.turns = table->turns;
  party_ask(&table->party, &budget, false);
  log_progress_end();
  if (!check_engines(table) || atomic_load(&table->stop)) return false;
  if (table->terminal.undo)
    undo(table);
  else
    make_moves(table);
  return check_engines(table);
}

/* ---- sitting down ---- */

/* Finds the role that the options name. Returns false, after printing all
   roles, if there is no such role. */
static bool find_role(Table *table) {
  if (!*table->options->role) return true;
  Text name = {0}, all = {0};
  bool found = false;
  for (uint32_t role = 0; role < table->game->role_count && !found; role++) {
    text_clear(&name);
    moves_write_role(table->game, role, &name);
    text_format(&all, " %s", name.bytes);
    if (strcasecmp(name.bytes, table->options->role) != 0) continue;
    table->person = role;
    found = true;
  }
  if (!found)
    log_error("no role '%s'; the roles are%s", table->options->role,
              text_string(&all));
  text_free(&name);
  text_free(&all);
  return found;
}

static void prepare(Table *table) {
  const Options *options = table->options;
  table->human.kind = SPEC_HUMAN;
  table->seating = (PartyOptions){
      .clocks = {.start = options->start > 0 ? options->start : start_clock,
                 .play = options->play > 0 ? options->play : 1,
                 .grace = options->grace},
      .scramble = options->scramble};
  person_seat(&table->terminal, &table->seating);
  write_id(&table->id);
  terminal_open(&table->terminal, table->book, (uint64_t)options->seed,
                &table->stop);
  if (table->spec->kind == SPEC_REMOTE)
    table->terminal.final =
        "Moves against a player over HTTP cannot be taken back.";
}

static int sit_down(Table *table) {
  if (!find_role(table)) {
    game_delete(table->game);
    return EXIT_USAGE;
  }
  prepare(table);
  begin_party(table);
  while (check_engines(table) && !game_terminal(table->game))
    if (!take_turn(table)) break;
  end_party(table);
  terminal_close(&table->terminal);
  text_free(&table->id);
  vector_free(&table->made);
  return open_finish(table->options, table->game);
}

static int open_table(const Options *options, const AgentSpec *spec) {
  Description description;
  Book book;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  int code = EXIT_LIMIT;
  if (open_book(options, &description, &book)) {
    Table table = {.options = options,
                   .spec = spec,
                   .book = &book,
                   .game = book_game(&book)};
    code = sit_down(&table);
    book_free(&book);
  }
  description_free(&description);
  return code;
}

int command_play(const Options *options) {
  AgentSpec spec;
  Text error = {0};
  if (options->argument_count != 1) {
    log_error("play takes one game");
    return EXIT_USAGE;
  }
  if (!spec_parse(&spec, options->against, &error)) {
    log_error("--against: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  int code = open_table(options, &spec);
  spec_free(&spec);
  return code;
}
