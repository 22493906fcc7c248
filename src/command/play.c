/* tafl play GAME: a person at the terminal against simple players. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "command/command.h"
#include "engine/board.h"
#include "engine/playout.h"

enum { HINT_PLAYOUTS = 20, HINT_STEPS = 1000, FORCED_TURNS = 200 };
static const double hint_seconds = 2;

typedef struct Table {
  const Options *options;
  Game *game;
  Boards *boards;
  Random random;
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

/* The person's legal moves, sorted, as moves and as text. */
typedef struct Menu {
  TermVector terms;
  uint32_t count;
  Text *texts;
} Menu;

static void menu_init(Menu *menu, Table *table) {
  const Move *moves;
  *menu = (Menu){0};
  menu->count = game_legal(table->game, table->person, &moves);
  for (uint32_t i = 0; i < menu->count; i++)
    vector_push(&menu->terms,
                game_move_term(table->game, table->person, moves[i]));
  const Terms *terms = game_terms(table->game);
  term_sort(terms, menu->terms.data, menu->count);
  menu->texts = memory_new(menu->count * sizeof(Text));
  for (uint32_t i = 0; i < menu->count; i++)
    term_write(terms, menu->terms.data[i], &menu->texts[i]);
}

static void menu_free(Menu *menu) {
  for (uint32_t i = 0; i < menu->count; i++) text_free(&menu->texts[i]);
  memory_delete(menu->texts);
  vector_free(&menu->terms);
}

static void menu_show(const Menu *menu) {
  size_t width = 0, line = 0;
  for (uint32_t i = 0; i < menu->count; i++)
    if (menu->texts[i].length > width) width = menu->texts[i].length;
  for (uint32_t i = 0; i < menu->count; i++) {
    line += (size_t)printf("%4u %-*s", i + 1, (int)width, menu->texts[i].bytes);
    if (line + width + 5 > 78 || i + 1 == menu->count) {
      putchar('\n');
      line = 0;
    }
  }
}

/* Text compared without parentheses and extra blanks, in any case. */
static void plain(const char *from, char *to, size_t size) {
  size_t n = 0;
  for (; *from && n + 1 < size; from++) {
    bool gap = *from == '(' || *from == ')' || *from == ' ' || *from == '\t';
    if (gap && (n == 0 || to[n - 1] == ' ')) continue;
    to[n++] = gap ? ' ' : *from;
  }
  while (n && to[n - 1] == ' ') n--;
  to[n] = '\0';
}

/* The one move that the words begin; count if none or several do. */
static uint32_t menu_find(const Menu *menu, const char *words) {
  char wanted[256], own[256];
  uint32_t found = menu->count, matches = 0;
  plain(words, wanted, sizeof wanted);
  for (uint32_t i = 0; i < menu->count; i++) {
    plain(menu->texts[i].bytes, own, sizeof own);
    if (strcasecmp(own, wanted) == 0) return i;
    if (strncasecmp(own, wanted, strlen(wanted)) != 0) continue;
    found = i;
    matches++;
  }
  if (matches > 1)
    printf("%u moves begin so; write more of it.\n", matches);
  else if (!matches)
    puts("No legal move begins so. 'help' tells what can be said.");
  return matches == 1 ? found : menu->count;
}

static Move move_of(Table *table, uint32_t role, Term term) {
  const Move *moves;
  uint32_t count = game_legal(table->game, role, &moves);
  for (uint32_t i = 0; i < count; i++)
    if (game_move_term(table->game, role, moves[i]) == term) return moves[i];
  return moves[0];
}

static Move first_by_text(const Game *game, uint32_t role, const Move *moves,
                          uint32_t count) {
  Move first = moves[0];
  for (uint32_t i = 1; i < count; i++)
    if (term_compare(game_terms(game), game_move_term(game, role, moves[i]),
                     game_move_term(game, role, first)) < 0)
      first = moves[i];
  return first;
}

/* Others' moves for the state: at random, or the first of the sorted moves. */
static bool choose_others(Table *table, Move *joint) {
  for (uint32_t role = 0; role < table->game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(table->game, role, &moves);
    if (!count) {
      Text name = {0};
      write_role(table->game, role, &name);
      printf("%s has no legal move; the game cannot go on.\n", name.bytes);
      text_free(&name);
      return false;
    }
    if (role == table->person) continue;
    joint[role] = strcmp(table->options->against, "random") == 0
                      ? moves[random_below(&table->random, count)]
                      : first_by_text(table->game, role, moves, count);
  }
  return true;
}

/* Mean goal of random games after the move, the others moving at random. */
static double sample(Table *table, Term term, double deadline) {
  Game *game = table->game;
  Move joint[RULE_ROLES];
  double sum = 0;
  uint32_t played = 0;
  while (played < HINT_PLAYOUTS && (!played || clock_now() < deadline)) {
    uint32_t steps, stuck;
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves);
      joint[role] = moves[random_below(&table->random, count)];
    }
    joint[table->person] = move_of(table, table->person, term);
    game_make(game, joint);
    playout_run(game, &table->random, HINT_STEPS, &steps, &stuck);
    int goal = game_terminal(game) ? game_goal(game, table->person) : 0;
    sum += goal > 0 ? goal : 0;
    played++;
    for (uint32_t i = 0; i <= steps; i++) game_retract(game);
  }
  return sum / played;
}

static void give_hint(Table *table, const Menu *menu) {
  double best = -1, start = clock_now();
  uint32_t choice = 0;
  for (uint32_t i = 0; i < menu->count; i++) {
    double deadline = start + hint_seconds * (i + 1) / menu->count;
    double value = sample(table, menu->terms.data[i], deadline);
    if (value > best) {
      best = value;
      choice = i;
    }
  }
  printf("Hint: %u %s (random games after it bring you %.0f on average)\n",
         choice + 1, menu->texts[choice].bytes, best);
}

static void show_help(void) {
  puts("  a number       play the move with that number\n"
       "  mark 2 2       play the move whose text begins so\n"
       "  undo           take back your last move\n"
       "  hint           ask for a suggestion\n"
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
    plain(line, words, sizeof words);
    unsigned number;
    char rest;
    if (!*words) continue;
    if (strcmp(words, "quit") == 0 || strcmp(words, "exit") == 0)
      return TURN_QUIT;
    if (strcmp(words, "undo") == 0) {
      if (table->turns) return TURN_UNDO;
      puts("There is nothing to take back.");
    } else if (strcmp(words, "hint") == 0) {
      give_hint(table, menu);
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
  menu_init(&menu, table);
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
        move_of(table, table->person, menu.terms.data[chosen]);
    show_moves(table, joint);
    game_make(table->game, joint);
    table->turns++;
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
  } while (table->turns && game_legal(table->game, table->person, &moves) < 2);
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

int command_play(const Options *options) {
  if (options->argument_count != 1) {
    log_error("play takes one game");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Table table = {.options = options,
                 .game = open_engine(options, &description, NULL),
                 .boards = boards_new(&description)};
  random_seed(&table.random, (uint64_t)options->seed);
  int code = table.game ? EXIT_USAGE : EXIT_LIMIT;
  if (table.game && find_role(&table)) {
    Text name = {0};
    write_role(table.game, table.person, &name);
    printf("You are %s. 'help' tells what can be said.\n", name.bytes);
    text_free(&name);
    play(&table);
    code = close_engine(options, table.game);
  } else if (table.game) {
    game_delete(table.game);
  }
  boards_delete(table.boards);
  description_free(&description);
  return code;
}
