/* The course of a match: rules are read, agents made, moves asked for and made,
   taken back, until the server closes the link. Moves of the match are kept as
   numbers of its engine. Nothing that rules or players do ends the process:
   what cannot go on becomes the phase "failed", with the reason for people. */
#include "web/master.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "about/header.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/thread.h"
#include "engine/moves.h"
#include "match/spelling.h"
#include "player/mend.h"
#include "web/master_parts.h"

enum {
  STEP_LIMIT = 1000,
  LARGE_RULES = 12 << 10 /* bytes */
};

static const double shortest_clock = 0.05; /* seconds */

/* ---- loading ---- */

void master_fail(Master *master, const char *format, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  turn_note(&master->turn, "failed: %s", line);
  master_say_phase(master, TURN_FAILED, line);
}

/* "line 3, column 7: … There are 4 more errors." */
static void fail_by_report(Master *master) {
  Report *report = &master->description.report;
  const Diagnostic *first = NULL;
  Text more = {0};
  report_sort(report);
  for (uint32_t i = 0; i < report->list.count && !first; i++)
    if (report->list.data[i].severity == ERROR) first = &report->list.data[i];
  Place place = source_place(report->source, first->offset);
  if (report->errors > 1)
    text_format(&more, " There %s.",
                report->errors == 2 ? "is one more error" : "are more errors");
  master_fail(master, "The rules have an error in line %u, column %u: %s.%s",
              place.line, place.column, first->message, text_string(&more));
  text_free(&more);
}

static void write_title(Master *master) {
  const MasterPlan *plan = master->plan;
  if (plan->title) text_add(&master->title, plan->title);
  if (!master->title.length)
    header_title(text_string(&master->description.text), &master->title);
  if (!master->title.length)
    text_add(&master->title, *plan->game ? plan->game : "Your own game");
}

/* Of a match played elsewhere only our player is known. */
static void find_players(Master *master) {
  static char nobody[] = "";
  static const AgentSpec unknown = {.kind = SPEC_REMOTE, .text = nobody};
  const MasterPlan *plan = master->plan;
  uint32_t own = 0;
  if (!spelling_role(&master->description, plan->role, &own)) own = 0;
  for (uint32_t role = 0; role < master->role_count; role++)
    master->players[role] = role == own ? &plan->players->data[0] : &unknown;
  master->turn.final = true;
}

/* Missing players are the last one. Agents share the memory. */
static void choose_players(Master *master) {
  const MasterPlan *plan = master->plan;
  uint32_t roles = master->role_count, last = plan->players->count - 1;
  master->specs = memory_new(roles * sizeof *master->specs);
  for (uint32_t role = 0; role < roles; role++) {
    AgentSpec *spec = &master->specs[role];
    *spec = plan->players->data[role < last ? role : last];
    spec_set_threads(spec, plan->processors);
    spec_limit_memory(spec, plan->limits.ground.memory / (4 * roles));
    master->players[role] = spec;
    master->turn.roles[role].person = spec->kind == SPEC_HUMAN;
    master->turn.final |= spec->kind == SPEC_REMOTE;
  }
}

/* Rules of game masters are read as our player reads them. */
static void read_rules(Master *master) {
  const MasterPlan *plan = master->plan;
  Text notes = {0};
  if (plan->role)
    mend_read(&master->description, plan->name, plan->rules, plan->rules_length,
              &notes);
  else
    description_init(&master->description, plan->name, plan->rules,
                     plan->rules_length);
  text_free(&notes);
}

/* Runs the work in a thread that is nicer, and waits for it. */
static void run_apart(Master *master, ThreadWork *work) {
  pthread_t thread;
  if (!thread_start(&thread, THREAD_STACK, work, master))
    fatal("cannot start a thread");
  pthread_join(thread, NULL);
}

/* Shows the board of the first state before the net is there, which takes
   seconds for large rules: four for chess, less than one for all other games of
   the library. */
static void show_early(Master *master) {
  const MasterPlan *plan = master->plan;
  Book book;
  if (plan->rules_length < LARGE_RULES || plan->role || plan->moves) return;
  book_init(&book, &master->description, &plan->limits, false);
  Game *game = book_game(&book);
  Scene *scene = scene_new(&book);
  json_t *state = scene_state(scene, game, NULL, 0);
  if (!game_failed(game)) master_say_early(master, scene_json(scene), state);
  json_decref(state);
  scene_delete(scene);
  game_delete(game);
  book_free(&book);
}

static void *make_book(void *context) {
  Master *master = context;
  thread_be_nice(MASTER_NICE);
  read_rules(master);
  if (!description_valid(&master->description)) return NULL;
  write_title(master);
  show_early(master);
  book_init(&master->book, &master->description, &master->plan->limits, true);
  master->game = book_game(&master->book);
  master->scene = scene_new(&master->book);
  return NULL;
}

static bool load(Master *master) {
  const MasterPlan *plan = master->plan;
  run_apart(master, make_book);
  if (!description_valid(&master->description)) {
    fail_by_report(master);
    return false;
  }
  const Analysis *analysis = book_analysis(&master->book);
  if (analysis && analysis->constant_sum != EVIDENCE_NONE)
    master->sum = analysis->sum;
  uint32_t roles = master->role_count = master->game->role_count;
  turn_seat(&master->turn, roles);
  master->players = memory_new(roles * sizeof *master->players);
  if (plan->role)
    find_players(master);
  else
    choose_players(master);
  master->thoughts = memory_new(roles * sizeof *master->thoughts);
  master->idle = memory_new(roles * sizeof *master->idle);
  master->loaded = true;
  master_seat(master);
  if (!master->book.has_net)
    turn_note(&master->turn, "no net: %s",
              text_string(&master->book.why[BOOK_NET]));
  return true;
}

static void unload(Master *master) {
  text_free(&master->title);
  if (master->loaded) {
    master_forget_thoughts(master);
    for (uint32_t i = 0; i < master->steps.count; i++)
      memory_delete(master->steps.data[i].spent);
    vector_free(&master->steps);
    vector_free(&master->moves);
    memory_delete(master->thoughts);
    memory_delete(master->idle);
    memory_delete(master->specs);
    memory_delete(master->players);
    scene_delete(master->scene);
    game_delete(master->game);
    book_free(&master->book);
  }
  description_free(&master->description);
}

/* ---- steps ---- */

void master_see_choices(Master *master) {
  const Move *moves;
  for (uint32_t role = 0; role < master->role_count; role++)
    master->idle[role] = game_legal(master->game, role, &moves) < 2;
}

static MasterSpent spent_by(const PartyMember *member) {
  const AgentReport *report = &member->report;
  return (MasterSpent){.seconds = member->seconds,
                       .work = member->work,
                       .searched = report->searched,
                       .value = report->value,
                       .depth = report->depth};
}

static void add_step(Master *master, const Move *joint) {
  MasterStep step = {0};
  uint32_t roles = master->role_count;
  if (master->seated) step.spent = memory_new(roles * sizeof *step.spent);
  for (uint32_t role = 0; role < roles; role++) {
    vector_push(&master->moves, joint[role]);
    if (!master->seated) continue;
    step.spent[role] = spent_by(&master->party.members[role]);
    step.choice |= master->turn.roles[role].person && !master->idle[role];
  }
  vector_push(&master->steps, step);
  master->kept = false;
}

void master_make(Master *master, const Move *joint) {
  const Term *facts;
  TermVector before = {0};
  json_t *moves = master_moves_json(master, joint);
  uint32_t count = game_facts(master->game, &facts);
  for (uint32_t i = 0; i < count; i++) vector_push(&before, facts[i]);
  game_make(master->game, joint);
  add_step(master, joint);
  if (game_failed(master->game))
    json_decref(moves);
  else
    master_say_step(master, moves, &before);
  if (master->seated) party_tell(&master->party, joint);
  vector_free(&before);
}

/* Makes one of the moves that the match begins with. */
static bool make_given(Master *master, const json_t *given) {
  Move joint[RULE_ROLES];
  uint32_t roles = master->role_count, number = master->steps.count + 1;
  if (game_terminal(master->game) || json_array_size(given) != roles) {
    master_fail(master,
                game_terminal(master->game)
                    ? "Move %u comes after the end of the game."
                    : "Move %u does not have one move for each role.",
                number);
    return false;
  }
  master_see_choices(master);
  for (uint32_t role = 0; role < roles; role++) {
    const char *text = json_string_value(json_array_get(given, role));
    if (text && moves_find(master->game, role, text, &joint[role])) continue;
    master_fail(master, "Move %u is not legal: %s", number,
                text ? text : "not text");
    return false;
  }
  master_make(master, joint);
  return true;
}

static bool begin_steps(Master *master) {
  size_t i;
  json_t *given;
  if (game_failed(master->game)) return true;
  master_say_step(master, NULL, NULL);
  json_array_foreach(master->plan->moves, i, given) {
    if (!make_given(master, given)) return false;
    if (game_failed(master->game)) break;
  }
  return true;
}

/* ---- agents ---- */

/* Makes agents and brings them to the current state. */
static void *make_party(void *context) {
  Master *master = context;
  const MasterPlan *plan = master->plan;
  Turn *turn = &master->turn;
  thread_be_nice(MASTER_NICE);
  Budget play = {.seconds = plan->play};
  Budget start = {.seconds = master_seconds(master, plan->start),
                  .threads = atomic_load(&turn->threads),
                  .later = &play};
  PartyPlan own = {.options = &master->options,
                   .game = master->game,
                   .book = &master->book,
                   .players = master->players,
                   .seed = hash_pair(plan->seed, master->parties++),
                   .id = plan->id,
                   .stop = &turn->stop,
                   .reports = true};
  bool fresh = master->parties == 1 && !master->steps.count;
  party_init(&master->party, &own);
  master->seated = true;
  if (master->party.at_once) {
    party_ask_names(&master->party);
    master_say_head(master);
  }
  party_start(&master->party, fresh ? &start : NULL);
  if (!fresh && master->party.at_once) party_start_again(&master->party);
  for (uint32_t step = 0; step < master->steps.count; step++) {
    if (master->party.at_once) party_play_again(&master->party);
    party_tell(&master->party, master->moves.data + step * master->role_count);
  }
  return NULL;
}

static void begin_party(Master *master) {
  run_apart(master, make_party);
}

static void end_party(Master *master, AgentEnd how) {
  if (master->seated) party_end(&master->party, how);
  master->seated = false;
}

/* ---- turns ---- */

/* Returns false, after saying why, if an engine has failed. */
static bool check_engines(Master *master) {
  const Game *failed = game_failed(master->game) ? master->game
                       : master->seated          ? party_failed(&master->party)
                                                 : NULL;
  if (!failed) return true;
  master_fail(master, "The game cannot go on: %s.", failed->error.bytes);
  master_store(master, MATCH_FAILED, failed->error.bytes);
  return false;
}

/* Returns false, after saying why, if a role has no legal move. */
static bool check_moves(Master *master) {
  for (uint32_t role = 0; role < master->role_count; role++) {
    const Move *moves;
    if (game_legal(master->game, role, &moves)) continue;
    if (game_failed(master->game)) return check_engines(master);
    Text name = {0};
    moves_write_role(master->game, role, &name);
    master_fail(master, "%s has no legal move, so the game cannot go on.",
                name.bytes);
    master_store(master, MATCH_STUCK, text_string(&master->turn.message));
    text_free(&name);
    return false;
  }
  return true;
}

/* Returns false, after saying so, if the match does not go on. */
static bool goes_on(Master *master) {
  if (!check_engines(master)) return false;
  bool over = game_terminal(master->game);
  if (!check_engines(master)) return false;
  if (over) {
    master_say_phase(master, TURN_OVER, "");
    master_store(master, MATCH_ENDED, "");
    end_party(master, AGENT_COMPLETED);
    return false;
  }
  if (master->steps.count >= STEP_LIMIT) {
    master_fail(master, "The game has not ended after %d steps.", STEP_LIMIT);
    master_store(master, MATCH_CUT_OFF, "");
    return false;
  }
  return check_moves(master);
}

/* Makes the moves that everybody has chosen. */
static void make_moves(Master *master) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < master->role_count; role++) {
    const PartyMember *member = &master->party.members[role];
    joint[role] = member->move;
    if (member->legal || master->party.at_once) continue;
    master_fail(master, "%s made an illegal move.", member->spec->text);
    master_store(master, MATCH_ILLEGAL, text_string(&master->turn.message));
    return;
  }
  master_make(master, joint);
}

static void take_turn(Master *master) {
  Turn *turn = &master->turn;
  if (!goes_on(master)) return;
  master_see_choices(master);
  master_forget_thoughts(master);
  master_say_turn(master);
  Budget budget = {.seconds = master_seconds(master, master->options.clock),
                   .threads = atomic_load(&turn->threads),
                   .stop = &turn->stop};
  party_ask(&master->party, &budget, false);
  if (turn_stopped(turn)) return;
  if (check_engines(master)) make_moves(master);
}

/* ---- what persons want ---- */

void master_take_back(Master *master) {
  memory_delete(vector_last(&master->steps).spent);
  master->steps.count--;
  master->moves.count -= master->role_count;
  game_retract(master->game);
}

/* Back to the last choice of a person; after a resignation, to where that was.
   A choice of this step alone is only forgotten. */
static void undo(Master *master) {
  turn_lock(&master->turn);
  bool pending = turn_chose(&master->turn);
  turn_unlock(&master->turn);
  if (pending) return;
  uint32_t before = master->steps.count;
  end_party(master, AGENT_BROKEN_OFF);
  for (bool found = master->resigned; !found && master->steps.count;) {
    found = vector_last(&master->steps).choice;
    master_take_back(master);
  }
  master->resigned = false;
  if (master->steps.count < before)
    master_say_back(master, master->steps.count);
  master_say_phase(master, TURN_PLAYING, "");
  begin_party(master);
}

static void resign(Master *master, uint32_t role) {
  Text message = {0};
  moves_write_role(master->game, role, &message);
  text_add(&message, " resigned.");
  master->resigned = true;
  end_party(master, AGENT_BROKEN_OFF);
  master_say_phase(master, TURN_OVER, message.bytes);
  master_store(master, MATCH_STOPPED, message.bytes);
  text_free(&message);
}

static void play(Master *master) {
  Turn *turn = &master->turn;
  for (;;) {
    uint32_t role;
    if (turn->phase == TURN_PLAYING || turn->phase == TURN_STARTING)
      take_turn(master);
    else
      turn_rest(turn);
    TurnWish wish = turn_take(turn, &role);
    if (wish == TURN_END) return;
    if (wish == TURN_UNDO) undo(master);
    if (wish == TURN_RESIGN) resign(master, role);
  }
}

/* ---- the whole ---- */

static void write_date(Master *master) {
  time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(master->date, sizeof master->date, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void play_loaded(Master *master) {
  master_say_head(master);
  if (begin_steps(master)) {
    master_say_phase(master, TURN_STARTING, "");
    begin_party(master);
  }
  play(master);
  master_store(master, MATCH_STOPPED, "broken off");
  end_party(master, AGENT_BROKEN_OFF);
}

int master_run(const MasterPlan *plan, int link) {
  MasterPlan own = *plan;
  Master master = {.plan = &own, .begun = clock_now()};
  /* The match is still to be stored when the server has gone. */
  prctl(PR_SET_PDEATHSIG, 0);
  own.play = fmax(plan->play, shortest_clock);
  write_date(&master);
  turn_init(&master.turn, link, plan->threads);
  master.turn.shown = plan->role;
  turn_listen(&master.turn);
  if (load(&master))
    (plan->role ? master_show : play_loaded)(&master);
  else
    while (turn_rest(&master.turn), master.turn.wish != TURN_END) continue;
  turn_free(&master.turn);
  unload(&master);
  return 0;
}
