/* A person's agent has its own engine, on which hints try moves. The state is
   drawn once in each step, for the first person who is asked; the joint move
   that follows is printed once, for the first who is told. */
#include "command/person.h"

#include <stdio.h>
#include <string.h>

#include "command/hint.h"
#include "command/menu.h"
#include "engine/moves.h"

enum { FORCED_TURNS = 200 }; /* before a person without a choice is asked */

typedef struct Person {
  Agent agent;
  Terminal *terminal;
  uint32_t forced; /* turns in a row without a choice */
  bool chosen;
  Move choice;
} Person;

/* ---- asking ---- */

static void show_help(void) {
  puts("  a number       play the move with that number\n"
       "  mark 2 2       play the move that begins like this\n"
       "  undo           take back your last move\n"
       "  hint           ask for a suggestion\n"
       "  why, learned   what your opponent thought, or learned about pieces\n"
       "  board, moves   show the state, or your moves, again\n"
       "  quit           leave");
}

static void show_text(const Text *text, const char *nothing) {
  printf("%s", text->length ? text->bytes : nothing);
}

static void prompt(const Person *person) {
  Text role = {0};
  moves_write_role(person->agent.game, person->agent.role, &role);
  if (person->terminal->people > 1)
    printf("%s, your move> ", role.bytes);
  else
    printf("your move> ");
  text_free(&role);
}

/* Chooses the move with that number; returns false if there is none. */
static bool choose(Person *person, const Menu *menu, uint32_t number) {
  if (number >= menu->count) return false;
  person->choice = menu->moves.data[number];
  person->chosen = true;
  return true;
}

/* Carries out the commands that show something; returns false if it is another
   one. */
static bool obey(Person *person, const Menu *menu, const char *words) {
  Terminal *terminal = person->terminal;
  if (strcmp(words, "hint") == 0)
    hint_give(person->agent.game, person->agent.role, menu, &terminal->random);
  else if (strcmp(words, "why") == 0)
    show_text(&terminal->why, "Nobody has thought yet.\n");
  else if (strcmp(words, "learned") == 0)
    show_text(&terminal->learned, "Nobody has learned values of pieces.\n");
  else if (strcmp(words, "help") == 0 || strcmp(words, "?") == 0)
    show_help();
  else if (strcmp(words, "board") == 0)
    terminal_redraw(terminal, person->agent.game);
  else if (strcmp(words, "moves") == 0)
    menu_show(menu);
  else
    return false;
  return true;
}

/* Returns true if a move can be taken back, or else prints why not. */
static bool undo(Terminal *terminal) {
  terminal->undo = terminal->turns && !terminal->final;
  if (!terminal->undo)
    puts(terminal->final ? terminal->final : "There is nothing to take back.");
  return terminal->undo;
}

/* Asks until the person has chosen, quits or takes a move back. */
static void ask(Person *person, const Menu *menu) {
  char line[512], words[512];
  for (;;) {
    unsigned number;
    char rest;
    prompt(person);
    bool more = terminal_read(person->terminal, line, sizeof line);
    if (more) menu_plain(line, words, sizeof words);
    if (!more || strcmp(words, "quit") == 0 || strcmp(words, "exit") == 0) {
      atomic_store(person->terminal->stop, true);
      return;
    }
    if (!*words || obey(person, menu, words)) continue;
    if (strcmp(words, "undo") == 0) {
      if (undo(person->terminal)) return;
    } else if (sscanf(words, "%u%c", &number, &rest) == 1) {
      if (number && choose(person, menu, number - 1)) return;
      printf("Numbers go from 1 to %u.\n", menu->count);
    } else if (choose(person, menu, menu_find(menu, words))) {
      return;
    }
  }
}

static void think(Agent *agent, const Budget *budget) {
  Person *person = (Person *)agent;
  Menu menu;
  (void)budget;
  person->chosen = false;
  if (person->terminal->undo) return;
  log_progress_end();
  terminal_draw(person->terminal, agent->game);
  menu_init(&menu, agent->game, agent->role);
  person->forced = menu.count > 1 ? 0 : person->forced + 1;
  bool asked = menu.count > 1 || person->forced % FORCED_TURNS == 0;
  if (asked && menu.count < 2)
    printf("%u turns without a choice.\n", person->forced);
  if (asked) {
    menu_show(&menu);
    ask(person, &menu);
  } else {
    choose(person, &menu, 0);
  }
  menu_free(&menu);
}

static bool best(Agent *agent, Move *move) {
  *move = ((Person *)agent)->choice;
  return ((Person *)agent)->chosen;
}

/* ---- the course of the match ---- */

static void show_moves(const Game *game, const Move *joint) {
  Text text = {0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add(&text, role ? ", " : "");
    moves_write_role(game, role, &text);
    text_add(&text, ": ");
    moves_write(game, role, joint[role], &text);
  }
  puts(text.bytes);
  text_free(&text);
}

static void told(Agent *agent, const Move *joint) {
  Terminal *terminal = ((Person *)agent)->terminal;
  if (terminal->drawn) show_moves(agent->game, joint);
  terminal->drawn = false;
  terminal->begun = terminal->stale = true;
  game_make(agent->game, joint);
}

static void reset(Agent *agent) {
  game_reset(agent->game);
}

static void show_result(const Terminal *terminal, Game *game) {
  Text text = {0};
  text_add(&text, "The game is over.");
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add(&text, role ? ", " : " Goals: ");
    moves_write_role(game, role, &text);
    text_format(&text, " %d%s", game_goal(game, role),
                terminal->human[role] ? " (you)" : "");
  }
  puts(text.bytes);
  text_free(&text);
}

static void end(Agent *agent, AgentEnd how) {
  Terminal *terminal = ((Person *)agent)->terminal;
  if (how == AGENT_COMPLETED && !terminal->drawn) {
    terminal_draw(terminal, agent->game);
    if (!game_failed(agent->game)) show_result(terminal, agent->game);
  }
  terminal->people--;
  game_delete(agent->game);
  memory_delete(agent);
}

static const AgentOperations operations = {.every_turn = true,
                                           .told = told,
                                           .reset = reset,
                                           .think = think,
                                           .best = best,
                                           .end = end};

static Agent *new_person(void *context, Book *book, uint32_t role) {
  Person *person = memory_new(sizeof *person);
  Terminal *terminal = context;
  *person = (Person){.agent = {.operations = &operations,
                               .role = role,
                               .game = book_game(book)},
                     .terminal = terminal};
  terminal->people++;
  terminal->human[role] = true;
  if (!terminal->begun) {
    Text name = {0};
    moves_write_role(person->agent.game, role, &name);
    printf("You are %s. Type 'help' for what you can say.\n", name.bytes);
    text_free(&name);
  }
  return &person->agent;
}

/* ---- what others did ---- */

static void show_fault(const Agent *agent, const AgentSpec *spec) {
  Text name = {0};
  moves_write_role(agent->game, agent->role, &name);
  printf("%s at %s: %s\n", name.bytes, spec->text, agent->fault.bytes);
  text_free(&name);
}

static void saw_start(void *context, Agent *agent, const AgentSpec *spec) {
  (void)context;
  log_progress_end();
  if (agent->fault.length) show_fault(agent, spec);
}

static void note_reply(Terminal *terminal, Agent *agent,
                       const AgentSpec *spec) {
  if (agent->fault.length) {
    show_fault(agent, spec);
    puts("A random legal move is played instead.");
  }
  if (terminal->stale) text_clear(&terminal->why);
  terminal->stale = false;
  moves_write_role(agent->game, agent->role, &terminal->why);
  text_add(&terminal->why, " ");
  agent_explain(agent, &terminal->why);
}

static void note_thoughts(Terminal *terminal, Agent *agent) {
  const Move *moves;
  if (!agent_thinks(agent) || game_legal(agent->game, agent->role, &moves) < 2)
    return;
  text_clear(&terminal->why);
  text_clear(&terminal->learned);
  moves_write_role(agent->game, agent->role, &terminal->why);
  text_add(&terminal->why, " thought:\n");
  agent_explain(agent, &terminal->why);
  agent_learned(agent, &terminal->learned);
}

static void saw_answer(void *context, Agent *agent, const AgentSpec *spec) {
  log_progress_end();
  if (spec->kind == SPEC_REMOTE)
    note_reply(context, agent, spec);
  else
    note_thoughts(context, agent);
}

void person_seat(Terminal *terminal, PartyOptions *options) {
  options->person = new_person;
  options->started = saw_start;
  options->answered = saw_answer;
  options->context = terminal;
}
