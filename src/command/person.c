/* A person's agent has no engine of its own: it borrows that of the terminal's
   story, which the first person who is told a joint move advances. The state is
   drawn once in each step, for the first person who has a choice. */
#include "command/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "about/spell.h"
#include "command/hint.h"
#include "command/menu.h"
#include "engine/moves.h"

enum {
  FORCED_TURNS = 200, /* before a person without a choice is asked */
  FEW_MOVES = 12      /* that are listed without being asked for */
};

typedef struct Person {
  Agent agent;
  Terminal *terminal;
  uint32_t steps;  /* that it was told */
  uint32_t forced; /* turns in a row without a choice */
  bool chosen;
  Move choice;
} Person;

/* ---- asking ---- */

static const char *const commands[] = {"hint", "moves", "undo", "resign",
                                       "quit"};
enum { COMMANDS = sizeof commands / sizeof *commands };

typedef struct Question { /* a person who is asked */
  Person *person;
  Menu menu;
  bool done;
} Question;

static bool offer_move(const Text *move, const char *typed, TextVector *lines) {
  Text line = {0};
  if (!spell_begins(move->bytes, typed)) return false;
  spell_plain(move->bytes, &line);
  vector_push(lines, line);
  return true;
}

/* For Tab: moves, then commands unless nothing was typed. */
static void offer(void *context, const char *typed, TextVector *lines) {
  const Menu *menu = &((const Question *)context)->menu;
  for (uint32_t i = 0; i < menu->count; i++)
    if (!offer_move(&menu->words[i], typed, lines))
      offer_move(&menu->texts[i], typed, lines);
  if (!*typed) return;
  for (size_t i = 0; i < COMMANDS; i++) {
    Text line = {0};
    if (strncasecmp(commands[i], typed, strlen(typed)) != 0) continue;
    text_add(&line, commands[i]);
    vector_push(lines, line);
  }
  terminal_offer(typed, lines);
}

static void choose(Question *question, uint32_t number) {
  if (number >= question->menu.count) return;
  question->person->choice = question->menu.moves.data[number];
  question->person->chosen = question->done = true;
}

/* "undo" or "undo 3" */
static void undo(Question *question, const char *count) {
  Terminal *terminal = question->person->terminal;
  uint32_t most = story_choices(&terminal->story);
  unsigned long wanted = *count ? strtoul(count, NULL, 10) : 1;
  if (terminal->final) {
    puts(terminal->final);
  } else if (!most || !wanted) {
    puts("There is nothing to take back.");
  } else {
    terminal->wish = TERMINAL_UNDO;
    terminal->undo = wanted < most ? (uint32_t)wanted : most;
    question->done = true;
  }
}

static void resign(Question *question) {
  Terminal *terminal = question->person->terminal;
  if (terminal->final && !terminal->save) {
    puts("Type 'quit' to break the match off.");
    return;
  }
  terminal->wish = TERMINAL_RESIGN;
  question->done = true;
}

/* Carries out a command of somebody who is asked for a move. Returns false if
   it is none. */
static bool obey(Question *question, const char *words) {
  Person *person = question->person;
  Terminal *terminal = person->terminal;
  size_t length = strcspn(words, " \t");
  const char *rest = words + length + strspn(words + length, " \t");
  bool digits = rest[strspn(rest, "0123456789")] == '\0';
  if (strcasecmp(words, "hint") == 0)
    hint_give(terminal, person->agent.role);
  else if (strcasecmp(words, "resign") == 0)
    resign(question);
  else if (length == 5 && strncasecmp(words, "moves", 5) == 0)
    menu_show(&question->menu, &terminal->style, rest);
  else if (length == 4 && strncasecmp(words, "undo", 4) == 0 && digits)
    undo(question, rest);
  else
    return terminal_obey(terminal, words);
  return true;
}

static bool is_leaving(const char *words) {
  return strcasecmp(words, "quit") == 0 || strcasecmp(words, "exit") == 0 ||
         strcasecmp(words, "q") == 0;
}

static void write_prompt(const Person *person, Text *prompt) {
  if (person->terminal->people > 1) {
    moves_write_role(person->agent.game, person->agent.role, prompt);
    text_add(prompt, ", ");
  }
  text_add(prompt, "your move> ");
}

/* Asks until the person has chosen, quits or wants something else. */
static void ask(Question *question) {
  Person *person = question->person;
  Terminal *terminal = person->terminal;
  Text prompt = {0}, words = {0};
  write_prompt(person, &prompt);
  line_offer(terminal->line, offer, question);
  while (!question->done) {
    if (!line_read(terminal->line, prompt.bytes, &words) ||
        is_leaving(text_string(&words))) {
      atomic_store(terminal->stop, true);
      break;
    }
    if (words.length && !obey(question, words.bytes))
      choose(question,
             menu_choose(&question->menu, &terminal->style, words.bytes));
  }
  line_offer(terminal->line, NULL, NULL);
  text_free(&prompt);
  text_free(&words);
}

static void put_question(Question *question) {
  Person *person = question->person;
  Terminal *terminal = person->terminal;
  terminal_draw(terminal);
  if (question->menu.count < 2)
    printf("%u turns without a choice.\n", person->forced);
  if (question->menu.count <= FEW_MOVES)
    menu_show(&question->menu, &terminal->style, "");
  else if (!story_choices(&terminal->story))
    printf("%u moves; 'moves' lists them.\n", question->menu.count);
  ask(question);
}

static void think(Agent *agent, const Budget *budget) {
  Person *person = (Person *)agent;
  Terminal *terminal = person->terminal;
  Question question = {.person = person};
  (void)budget;
  person->chosen = false;
  if (terminal->wish != TERMINAL_MOVE) return;
  log_progress_end();
  terminal_welcome(terminal);
  terminal->live = true;
  menu_init(&question.menu, agent->game, agent->role);
  person->forced = question.menu.count > 1 ? 0 : person->forced + 1;
  if (question.menu.count > 1 || person->forced % FORCED_TURNS == 0)
    put_question(&question);
  else
    choose(&question, 0);
  menu_free(&question.menu);
}

static bool best(Agent *agent, Move *move) {
  *move = ((Person *)agent)->choice;
  return ((Person *)agent)->chosen;
}

/* ---- the course of the match ---- */

static void told(Agent *agent, const Move *joint) {
  Person *person = (Person *)agent;
  if (++person->steps > person->terminal->story.steps.count)
    terminal_tell(person->terminal, joint);
}

static void end(Agent *agent, AgentEnd how) {
  Terminal *terminal = ((Person *)agent)->terminal;
  if (how == AGENT_COMPLETED && !terminal->over) terminal_result(terminal);
  memory_delete(agent);
}

static const AgentOperations operations = {
    .every_turn = true, .told = told, .think = think, .best = best, .end = end};

static Agent *new_person(void *context, Book *book, uint32_t role) {
  Person *person = memory_new(sizeof *person);
  Terminal *terminal = context;
  (void)book;
  *person = (Person){.agent = {.operations = &operations,
                               .role = role,
                               .game = terminal->story.game},
                     .terminal = terminal};
  terminal->people += !terminal->human[role];
  terminal->human[role] = true;
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

/* Notes why an agent chose its move, unless it only waits. */
static void note_reasons(Terminal *terminal, Agent *agent,
                         const AgentSpec *spec) {
  const Move *moves;
  uint32_t count = game_legal(agent->game, agent->role, &moves);
  Text *why = &terminal->why;
  if (count < 2 && !agent->fault.length) {
    if (story_open(agent->game)) return;
    moves_write_role(agent->game, agent->role, why);
    text_add(why, " had only one legal move.\n");
    return;
  }
  moves_write_role(agent->game, agent->role, why);
  switch (spec->kind) {
  case SPEC_RANDOM:
    text_format(why, " chose at random among %u moves.\n", count);
    break;
  case SPEC_LEGAL:
    text_format(why, " always plays the first of its moves (%u here).\n",
                count);
    break;
  case SPEC_REMOTE:
    text_format(why, " at %s ", spec->text);
    agent_explain(agent, why);
    break;
  case SPEC_SEARCH:
    text_format(why, " (%s) thought:\n", spec->text);
    hint_explain(agent, why);
    text_clear(&terminal->learned);
    agent_learned(agent, &terminal->learned);
    break;
  case SPEC_HUMAN: text_add(why, " is a person.\n"); break;
  }
}

static void saw_answer(void *context, Agent *agent, const AgentSpec *spec) {
  log_progress_end();
  if (spec->kind == SPEC_REMOTE && agent->fault.length) {
    show_fault(agent, spec);
    puts("A random legal move is played instead.");
  }
  note_reasons(context, agent, spec);
}

void person_seat(Terminal *terminal, PartyOptions *options) {
  options->person = new_person;
  options->started = saw_start;
  options->answered = saw_answer;
  options->watch = terminal_watch;
  options->context = terminal;
}
