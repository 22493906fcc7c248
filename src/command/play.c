/* tafl play GAME: a person at the terminal against agents, or against a player
   over HTTP, which then has all other roles. Moves made so far are kept: after
   taking back, agents are made anew and led to the state; a player over HTTP
   cannot be led back. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "command/command.h"
#include "command/hint.h"
#include "command/menu.h"
#include "command/opponent.h"
#include "game/boards.h"

enum { FORCED_TURNS = 200 };

typedef struct Table {
  const Options *options;
  const AgentSpec *spec; /* of the others */
  Book *book;
  Game *game;
  Agent *agents[RULE_ROLES]; /* NULL: the person, or over HTTP */
  Remotes *remotes;          /* NULL: nobody is asked over HTTP */
  Text moves[RULE_ROLES];    /* of the last turn, for them */
  uint32_t begun;            /* how often the agents were made */
  VECTOR(Move) made;         /* role by role, turn by turn */
  Boards *boards;
  Random random;   /* of hints */
  Text why;        /* what agents thought last */
  Text learned;    /* what they have learned */
  uint32_t person; /* role */
  uint32_t turns;  /* that can be undone */
  uint32_t forced; /* turns in a row in which the person had no choice */
} Table;

typedef enum { TURN_MOVED, TURN_UNDO, TURN_QUIT } Turn;

static void write_role(const Game *game, uint32_t role, Text *text) {
  term_write(game_terms(game), game_role(game, role), text);
}

static void show_state(Table *table) {
  const Term *facts;
  uint32_t count = game_facts(table->game, &facts);
  Text text = {0};
  boards_draw(table->boards, facts, count, &text);
  printf("\n%s", text_string(&text));
  text_free(&text);
}

static void delete_agents(Table *table) {
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    if (table->agents[role]) agent_end(table->agents[role], AGENT_COMPLETED);
    table->agents[role] = NULL;
  }
}

/* Others for all roles but the person's, at the state that was reached. */
static void begin_agents(Table *table) {
  uint32_t roles = table->game->role_count;
  uint64_t seed = hash_pair((uint64_t)table->options->seed, table->begun++);
  Budget budget = open_start_budget(table->options);
  for (uint32_t role = 0; role < roles; role++) {
    if (role == table->person) continue;
    table->agents[role] =
        spec_agent(table->spec, table->book, role, hash_pair(seed, role));
    for (uint32_t turn = 0; turn < table->turns; turn++)
      agent_told(table->agents[role], table->made.data + turn * roles);
    if (!table->turns) agent_think(table->agents[role], &budget);
  }
}

static void advance(Table *table, const Move *joint) {
  Game *game = table->game;
  for (uint32_t role = 0; table->remotes && role < game->role_count; role++) {
    text_clear(&table->moves[role]);
    term_write(game_terms(game), game_move_term(game, role, joint[role]),
               &table->moves[role]);
  }
  game_make(game, joint);
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    vector_push(&table->made, joint[role]);
    if (table->agents[role]) agent_told(table->agents[role], joint);
  }
  table->turns++;
}

static void remember_thoughts(Table *table, uint32_t role) {
  Agent *agent = table->agents[role];
  const Move *moves;
  if (!agent_thinks(agent) || game_legal(table->game, role, &moves) < 2) return;
  text_clear(&table->why);
  text_clear(&table->learned);
  write_role(table->game, role, &table->why);
  text_add(&table->why, " thought:\n");
  agent_explain(agent, &table->why);
  agent_learned(agent, &table->learned);
}

static void show_text(const Text *text, const char *nothing) {
  printf("%s", text->length ? text->bytes : nothing);
}

/* An agent's move; false if its engine has failed. */
static bool choose(Table *table, uint32_t role, Move *move) {
  Budget budget = open_budget(table->options);
  Agent *agent = table->agents[role];
  if (agent_thinks(agent)) log_progress("thinking");
  agent_choose(agent, &budget, move);
  log_progress_end();
  remember_thoughts(table, role);
  if (!game_failed(agent->game)) return true;
  if (!game_failed(table->game))
    text_add(&table->game->error, agent->game->error.bytes);
  return false;
}

/* Others' moves for the state. */
static bool choose_others(Table *table, Move *joint) {
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const Move *moves;
    if (!game_legal(table->game, role, &moves)) {
      Text name = {0};
      write_role(table->game, role, &name);
      printf("%s has no legal move; the game cannot go on.\n", name.bytes);
      text_free(&name);
      return false;
    }
    if (table->agents[role] && !choose(table, role, &joint[role])) return false;
  }
  if (table->remotes)
    opponent_ask(table->remotes, table->turns ? table->moves : NULL,
                 &table->random, joint, &table->why);
  return true;
}

static void show_help(void) {
  puts("  a number       play the move with that number\n"
       "  mark 2 2       play the move whose text begins so\n"
       "  undo           take back your last move\n"
       "  hint           ask for a suggestion\n"
       "  why, learned   what your opponent thought, or has learned of pieces\n"
       "  board, moves   show the state, or your moves, again\n"
       "  quit           leave");
}

/* Ask until the person has chosen; `chosen` is a number in the menu. */
static Turn ask(Table *table, const Menu *menu, uint32_t *chosen) {
  char line[512], words[512];
  for (;;) {
    printf("your move> ");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) {
      putchar('\n');
      return TURN_QUIT;
    }
    line[strcspn(line, "\r\n")] = '\0';
    menu_plain(line, words, sizeof words);
    unsigned number;
    char rest;
    if (!*words) continue;
    if (strcmp(words, "quit") == 0 || strcmp(words, "exit") == 0)
      return TURN_QUIT;
    if (strcmp(words, "undo") == 0) {
      if (table->turns && !table->remotes) return TURN_UNDO;
      puts(table->remotes ? "A player over HTTP takes nothing back."
                          : "There is nothing to take back.");
    } else if (strcmp(words, "hint") == 0) {
      hint_give(table->game, table->person, menu, &table->random);
    } else if (strcmp(words, "why") == 0) {
      show_text(&table->why, "Nobody has thought yet.\n");
    } else if (strcmp(words, "learned") == 0) {
      show_text(&table->learned, "Nobody has learned values of pieces.\n");
    } else if (strcmp(words, "help") == 0 || strcmp(words, "?") == 0) {
      show_help();
    } else if (strcmp(words, "board") == 0) {
      show_state(table);
    } else if (strcmp(words, "moves") == 0) {
      menu_show(menu);
    } else if (sscanf(words, "%u%c", &number, &rest) == 1) {
      if (number >= 1 && number <= menu->count) {
        *chosen = number - 1;
        return TURN_MOVED;
      }
      printf("Numbers go from 1 to %u.\n", menu->count);
    } else {
      *chosen = menu_find(menu, words);
      if (*chosen < menu->count) return TURN_MOVED;
    }
  }
}

static void show_moves(Table *table, const Move *joint) {
  Text text = {0};
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    text_add(&text, role ? ", " : "");
    write_role(table->game, role, &text);
    text_add(&text, ": ");
    term_write(game_terms(table->game),
               game_move_term(table->game, role, joint[role]), &text);
  }
  puts(text.bytes);
  text_free(&text);
}

static Turn take_turn(Table *table) {
  Move joint[RULE_ROLES];
  if (!choose_others(table, joint)) return TURN_QUIT;
  Menu menu;
  menu_init(&menu, table->game, table->person);
  uint32_t chosen = 0;
  Turn turn = TURN_MOVED;
  table->forced = menu.count > 1 ? 0 : table->forced + 1;
  if (menu.count > 1) {
    menu_show(&menu);
    turn = ask(table, &menu, &chosen);
  } else if (table->forced % FORCED_TURNS == 0) {
    printf("%u turns without a choice.\n", table->forced);
    menu_show(&menu);
    turn = ask(table, &menu, &chosen);
  }
  if (turn == TURN_MOVED) {
    joint[table->person] =
        menu_move(table->game, table->person, menu.terms.data[chosen]);
    show_moves(table, joint);
    advance(table, joint);
  }
  menu_free(&menu);
  return turn;
}

/* Back to the last state in which the person had a choice. */
static void undo(Table *table) {
  const Move *moves;
  do {
    game_retract(table->game);
    table->turns--;
    table->made.count -= table->game->role_count;
  } while (table->turns && game_legal(table->game, table->person, &moves) < 2);
  delete_agents(table);
  begin_agents(table);
}

static void show_result(Table *table) {
  Text text = {0};
  text_add(&text, "The game is over.");
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    text_add(&text, role ? ", " : " Goals: ");
    write_role(table->game, role, &text);
    text_format(&text, " %d%s", game_goal(table->game, role),
                role == table->person ? " (you)" : "");
  }
  puts(text.bytes);
  text_free(&text);
}

static void play(Table *table) {
  while (!game_failed(table->game)) {
    show_state(table);
    if (game_terminal(table->game)) {
      if (!game_failed(table->game)) show_result(table);
      return;
    }
    switch (take_turn(table)) {
    case TURN_MOVED: break;
    case TURN_UNDO: undo(table); break;
    case TURN_QUIT: return;
    }
  }
}

/* The role of that name; false, after saying which there are, if none. */
static bool find_role(Table *table) {
  if (!*table->options->role) return true;
  Text name = {0}, all = {0};
  bool found = false;
  for (uint32_t role = 0; role < table->game->role_count && !found; role++) {
    text_clear(&name);
    write_role(table->game, role, &name);
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

static int sit_down(Table *table) {
  if (!find_role(table)) {
    game_delete(table->game);
    return EXIT_USAGE;
  }
  Text name = {0};
  write_role(table->game, table->person, &name);
  printf("You are %s. 'help' tells what can be said.\n", name.bytes);
  text_free(&name);
  if (table->spec->kind == SPEC_REMOTE)
    table->remotes = opponent_begin(table->options, table->game, table->person,
                                    table->spec->text);
  else
    begin_agents(table);
  play(table);
  if (table->remotes)
    opponent_end(table->remotes, table->turns ? table->moves : NULL);
  for (uint32_t role = 0; role < table->game->role_count; role++)
    text_free(&table->moves[role]);
  delete_agents(table);
  vector_free(&table->made);
  text_free(&table->why);
  text_free(&table->learned);
  return close_engine(table->options, table->game);
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
                   .game = book_game(&book),
                   .boards = boards_new(&description, book_analysis(&book))};
    random_seed(&table.random, (uint64_t)options->seed);
    code = sit_down(&table);
    boards_delete(table.boards);
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
