/* tafl play GAME: a person at the terminal against an agent for each other
   role, which may be a player over HTTP. The terminal's story has the moves.
   They can be taken back: new agents are made and told what is left of them, so
   that nothing before that is played again. Players over HTTP cannot go back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/thread.h"
#include "command/cluster.h"
#include "command/command.h"
#include "command/person.h"
#include "command/save.h"
#include "engine/moves.h"
#include "match/party.h"

static const double start_clock = 10; /* of HTTP players, by default */
static char human_text[] = "human";

typedef struct Table {
  const Options *options;
  const AgentSpec *spec; /* of the other roles */
  AgentSpec human;
  const AgentSpec *players[RULE_ROLES]; /* by role */
  Book *book;
  Game *game;
  uint32_t person; /* role */
  Text id, against;
  PartyOptions seating;
  Party party;
  bool seated; /* there is a party */
  Terminal terminal;
  atomic_bool stop, hurry;
  uint32_t begun; /* how often agents were made */
  Scheme scheme;
  Crew *crew; /* that helps the agent; NULL: nobody does */
} Table;

static bool is_remote(const Table *table) {
  return table->spec->kind == SPEC_REMOTE;
}

/* ---- agents ---- */

static void write_id(Text *id) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  text_clear(id);
  text_format(id, "tafl.play.%lld.%ld",
              (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
              (long)getpid());
}

static uint64_t seed_of(const Table *table) {
  return hash_pair((uint64_t)table->options->seed, table->begun);
}

/* The ranks help the first agent that is not a person. */
static void call_crew(Table *table) {
  uint32_t roles = table->game->role_count;
  uint32_t role = table->person || roles < 2 ? 0 : 1;
  Agent *agent = table->party.members[role].agent;
  if (!*table->options->cluster || roles < 2 || !agent ||
      !spec_is_local(table->spec) || !spec_thinks(table->spec))
    return;
  if (!table->crew)
    table->crew = cluster_crew(table->options, &table->scheme, table->book,
                               &table->spec->settings, role);
  if (table->crew) cluster_join(table->crew, agent, table->book);
}

/* Makes agents and brings them to the current state. */
static void begin_party(Table *table) {
  const Story *story = &table->terminal.story;
  Budget budget = open_start_budget(table->options);
  for (uint32_t role = 0; role < table->game->role_count; role++)
    table->players[role] = role == table->person ? &table->human : table->spec;
  PartyPlan plan = {.options = &table->seating,
                    .game = table->game,
                    .book = table->book,
                    .players = table->players,
                    .seed = seed_of(table),
                    .id = text_string(&table->id),
                    .stop = is_remote(table) ? &table->hurry : &table->stop,
                    .reports = true};
  table->begun++;
  party_init(&table->party, &plan);
  call_crew(table);
  table->seated = true;
  terminal_welcome(&table->terminal);
  fflush(stdout);
  if (table->party.at_once)
    log_progress("START");
  else if (budget_limited(&budget) && !story->steps.count)
    log_progress("thinking before the first move");
  party_start(&table->party, story->steps.count ? NULL : &budget);
  for (uint32_t step = 0; step < story->steps.count; step++)
    party_tell(&table->party, story_moves(story, step));
}

static void end_party(Table *table, AgentEnd how) {
  if (table->seated) party_end(&table->party, how);
  table->seated = false;
}

/* Goes back to the state in which a person had that many choices less, and
   never beyond the first choice: what the others played before it stays. */
static void undo(Table *table) {
  Terminal *terminal = &table->terminal;
  Story *story = &terminal->story;
  end_party(table, AGENT_BROKEN_OFF);
  while (terminal->undo) {
    terminal->undo -= vector_last(&story->steps).choice;
    story_back(story);
    game_retract(table->game);
  }
  text_clear(&terminal->why);
  terminal->wish = TERMINAL_MOVE;
  terminal->drawn = terminal->over = false;
  begin_party(table);
}

/* ---- turns ---- */

/* Returns false, after printing why, if a role has no legal move. */
static bool check_moves(Table *table) {
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const Move *moves;
    if (game_legal(table->game, role, &moves)) continue;
    if (game_failed(table->game)) return false;
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
  const Game *failed = table->seated ? party_failed(&table->party) : NULL;
  if (failed && !game_failed(table->game))
    text_add(&table->game->error, failed->error.bytes);
  return !game_failed(table->game);
}

/* Keeps for the record what the step cost. */
static void keep_turns(Table *table) {
  StoryStep *step = &vector_last(&table->terminal.story.steps);
  step->turns = memory_new(table->game->role_count * sizeof *step->turns);
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const PartyMember *member = &table->party.members[role];
    step->turns[role] = (RecordTurn){.seconds = member->seconds,
                                     .work = member->work,
                                     .report = member->report};
    step->turns[role].report.moves = NULL;
    step->turns[role].report.move_count = 0;
  }
}

static void make_moves(Table *table) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const PartyMember *member = &table->party.members[role];
    if (!member->legal && !table->party.at_once)
      fatal("an agent made an illegal move");
    joint[role] = member->move;
  }
  game_make(table->game, joint);
  party_tell(&table->party, joint);
  keep_turns(table);
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

/* Returns false if the game does not go on. */
static bool take_turn(Table *table) {
  Budget budget = open_budget(table->options);
  if (!check_engines(table) || !check_moves(table)) return false;
  if (has_choice(table)) terminal_draw(&table->terminal);
  fflush(stdout);
  atomic_store(&table->hurry, atomic_load(&table->stop));
  budget.stop = &table->hurry;
  if (table->party.at_once) log_progress("waiting for %s", table->spec->text);
  party_ask(&table->party, &budget, false);
  log_progress_end();
  if (is_remote(table) && atomic_load(&table->hurry))
    atomic_store(&table->stop, true);
  if (!check_engines(table) || atomic_load(&table->stop)) return false;
  if (table->terminal.wish == TERMINAL_RESIGN) return false;
  if (table->terminal.wish == TERMINAL_UNDO)
    undo(table);
  else
    make_moves(table);
  return check_engines(table);
}

static void play_match(Table *table) {
  while (check_engines(table) && !game_terminal(table->game))
    if (!take_turn(table)) break;
  bool over = check_engines(table) && game_terminal(table->game);
  end_party(table, over ? AGENT_COMPLETED : AGENT_BROKEN_OFF);
  if (table->terminal.wish == TERMINAL_RESIGN) {
    puts("You resign.");
    table->terminal.over = true;
  }
}

/* ---- files ---- */

static void save(void *context, const char *path) {
  Table *table = context;
  const Options *options = table->options;
  Text own = {0}, error = {0};
  RecordStart start = {.id = text_string(&table->id),
                       .game = table->book->description->source.name,
                       .description = table->book->description,
                       .players = table->players,
                       .clocks = table->seating.clocks,
                       .match = {.start = open_start_budget(options),
                                 .play = open_budget(options),
                                 .step_limit = 1000},
                       .scramble = options->scramble,
                       .seed = seed_of(table)};
  if (!*path) {
    save_name(start.game, &own);
    path = own.bytes;
  }
  if (access(path, F_OK) == 0)
    printf("%s exists; choose another name.\n", path);
  else if (save_write(&table->terminal.story, &start, table->terminal.human,
                      path, &error))
    printf("The match is in %s; 'tafl replay %s' shows it.\n", path, path);
  else
    printf("It could not be saved: %s\n", error.bytes);
  text_free(&own);
  text_free(&error);
}

/* ---- after a match ---- */

static void start_again(Table *table) {
  game_reset(table->game);
  terminal_restart(&table->terminal);
  write_id(&table->id);
  begin_party(table);
}

/* "undo" or "undo 3". Returns false if nothing can be taken back. */
static bool undo_end(Table *table, const char *count) {
  Terminal *terminal = &table->terminal;
  uint32_t most = story_choices(&terminal->story);
  unsigned long wanted = *count ? strtoul(count, NULL, 10) : 1;
  bool resigned = terminal->wish == TERMINAL_RESIGN;
  if (terminal->final || (!most && !resigned)) {
    puts(terminal->final ? terminal->final : "There is nothing to take back.");
    return false;
  }
  terminal->undo = wanted < most ? (uint32_t)wanted : most;
  if (resigned && terminal->undo) terminal->undo--;
  undo(table);
  return true;
}

static void offer_end(void *context, const char *typed, TextVector *lines) {
  static const char *const words[] = {"rematch", "swap", "undo", "quit"};
  (void)context;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    Text line = {0};
    if (strncasecmp(words[i], typed, strlen(typed)) != 0) continue;
    text_add(&line, words[i]);
    vector_push(lines, line);
  }
  terminal_offer(typed, lines);
}

/* Carries out what was typed after the end. Returns true if a match goes on. */
static bool obey_end(Table *table, const char *words) {
  uint32_t roles = table->game->role_count;
  if (strcasecmp(words, "rematch") == 0) {
    start_again(table);
    return true;
  }
  if (strcasecmp(words, "swap") == 0) {
    if (roles < 2 || table->spec->kind == SPEC_HUMAN) {
      puts("There is no other side to play.");
      return false;
    }
    table->person = (table->person + 1) % roles;
    start_again(table);
    return true;
  }
  if (strncasecmp(words, "undo", 4) == 0 && strchr(" ", words[4]))
    return undo_end(table, words[4] ? words + 5 : "");
  if (terminal_obey(&table->terminal, words)) return false;
  puts("Type rematch, swap, undo, save, board, history, help or quit.");
  /* Moves beyond the end of a script's match must not go on for ever. */
  if (!line_edited(table->terminal.line)) atomic_store(&table->stop, true);
  return false;
}

/* Returns true if a match goes on: another one, or this one from before. */
static bool ask_again(Table *table) {
  Text words = {0};
  bool again = false;
  line_offer(table->terminal.line, offer_end, table);
  puts("rematch, swap, undo, save or quit?");
  while (!again && !atomic_load(&table->stop)) {
    if (!line_read(table->terminal.line, "again> ", &words) ||
        strcasecmp(text_string(&words), "quit") == 0 ||
        strcasecmp(text_string(&words), "exit") == 0 ||
        strcasecmp(text_string(&words), "q") == 0)
      break;
    if (words.length) again = obey_end(table, words.bytes);
  }
  line_offer(table->terminal.line, NULL, NULL);
  text_free(&words);
  return again;
}

/* ---- sitting down ---- */

/* "tafl, 1 s a move" */
static void write_against(Table *table) {
  Budget budget = open_budget(table->options);
  text_add(&table->against, table->spec->text);
  if (!spec_thinks(table->spec)) return;
  if (budget.seconds > 0)
    text_format(&table->against, ", %g s a move", budget.seconds);
  if (budget.simulations)
    text_format(&table->against, ", %llu simulations a move",
                (unsigned long long)budget.simulations);
  if (budget.states)
    text_format(&table->against, ", %llu states a move",
                (unsigned long long)budget.states);
}

static void prepare(Table *table) {
  const Options *options = table->options;
  Terminal *terminal = &table->terminal;
  table->human = (AgentSpec){.kind = SPEC_HUMAN, .text = human_text};
  table->seating = (PartyOptions){
      .clocks = {.start = options->start > 0 ? options->start : start_clock,
                 .play = options->play > 0 ? options->play : 1,
                 .grace = options->grace},
      .scramble = options->scramble,
      .ponder = options->ponder};
  person_seat(terminal, &table->seating);
  write_id(&table->id);
  write_against(table);
  terminal_open(terminal, table->book, &table->stop, &table->hurry);
  terminal->against = table->against.bytes;
  terminal->save = save;
  terminal->context = table;
  if (options->sims || options->states) terminal->hint = open_budget(options);
  terminal->hint.stop = &table->hurry;
  if (is_remote(table))
    terminal->final = "Moves against a player over HTTP cannot be taken back.";
}

static int sit_down(Table *table) {
  if (!open_role(table->options, table->game, &table->person)) {
    game_delete(table->game);
    return EXIT_USAGE;
  }
  prepare(table);
  log_progress_end();
  begin_party(table);
  do {
    play_match(table);
  } while (!atomic_load(&table->stop) && check_engines(table) &&
           ask_again(table));
  end_party(table, AGENT_BROKEN_OFF);
  if (table->crew) crew_delete(table->crew);
  terminal_close(&table->terminal);
  text_free(&table->id);
  text_free(&table->against);
  return open_finish(table->options, table->game);
}

static int open_table(const Options *options, const AgentSpec *spec,
                      const Scheme *scheme) {
  Description description;
  Book book;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  int code = EXIT_LIMIT;
  log_progress("reading the rules");
  if (open_book(options, &description, &book)) {
    Table table = {.options = options,
                   .spec = spec,
                   .book = &book,
                   .game = book_game(&book),
                   .scheme = *scheme};
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
  const char *against = *options->against ? options->against : "tafl";
  if (!spec_parse(&spec, against, &error)) {
    log_error("--against: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  /* Counted work must come out the same on every machine. */
  if (!options->sims && !options->states)
    spec_set_threads(&spec, thread_processors());
  Scheme scheme;
  int code = cluster_open(options, &scheme);
  if (code == EXIT_FINE) code = open_table(options, &spec, &scheme);
  cluster_close(&scheme);
  spec_free(&spec);
  return code;
}
