/* Commands that change nothing in the match. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "about/header.h"
#include "command/terminal.h"

typedef struct Command {
  const char *word, *help; /* help is NULL if it is another name of one */
  void (*obey)(Terminal *terminal, const char *rest);
} Command;

/* Shows the board and the roles of rules without a header. */
static void write_summary(const Terminal *terminal, Text *text) {
  const Story *story = &terminal->story;
  const Move *moves;
  text_add(text, "The file says nothing about its rules.\n");
  for (uint32_t role = 0; role < story->game->role_count; role++) {
    text_add(text, role ? ", " : "Roles: ");
    moves_write_role(story->game, role, text);
  }
  for (uint32_t role = 0; role < story->game->role_count; role++)
    text_format(text, "%s%u", role ? ", " : ".\nLegal moves now: ",
                game_legal(story->game, role, &moves));
  for (uint32_t role = 0; role < story->game->role_count; role++)
    text_format(text, "%s%d", role ? ", " : ".\nHighest goals: ",
                story->book->best_goal[role]);
  text_add(text, ".\n");
}

static void show_rules(Terminal *terminal, const char *rest) {
  const Description *description = terminal->story.book->description;
  Text text = {0};
  (void)rest;
  header_write(text_string(&description->text), terminal->style.width - 1,
               &text);
  if (!text.length) write_summary(terminal, &text);
  terminal_page(terminal, text.bytes);
  text_free(&text);
}

static void show_board(Terminal *terminal, const char *rest) {
  (void)rest;
  terminal_redraw(terminal, false);
}

static void show_all(Terminal *terminal, const char *rest) {
  (void)rest;
  terminal_redraw(terminal, true);
}

static void show_history(Terminal *terminal, const char *rest) {
  Text text = {0};
  (void)rest;
  story_write(&terminal->story, &text);
  terminal_page(terminal, text.length ? text.bytes : "No moves yet.");
  text_free(&text);
}

static void show_role(Terminal *terminal, const char *rest) {
  (void)rest;
  terminal_role(terminal);
}

static void show_why(Terminal *terminal, const char *rest) {
  const char *why = story_why(&terminal->story);
  uint32_t roles = terminal->story.game->role_count;
  (void)rest;
  if (*why)
    terminal_page(terminal, why);
  else if (terminal->people < roles)
    puts("Nobody else has moved yet.");
  else
    puts(roles > 1 ? "Only people play here: ask them." : "You play alone.");
}

static void show_learned(Terminal *terminal, const char *rest) {
  (void)rest;
  if (terminal->learned.length)
    terminal_page(terminal, terminal->learned.bytes);
  else
    puts("Nobody has learned values of pieces.");
}

static void save(Terminal *terminal, const char *rest) {
  if (terminal->save)
    terminal->save(terminal->context, rest);
  else
    puts("This match is not saved; tafl match --record FILE does that.");
}

static void show_help(Terminal *terminal, const char *rest);

static const Command commands[] = {
    {"board", "the board again", show_board},
    {"all", "the board and every other fact of the state", show_all},
    {"history", "the moves so far", show_history},
    {"rules", "what the game's file says about its rules", show_rules},
    {"role", "who plays whom", show_role},
    {"why", "what your opponent thought about its last move", show_why},
    {"learned", "what it has learned about pieces", show_learned},
    {"save", "[FILE] write the match as a record", save},
    {"help", "this list", show_help},
    {"?", NULL, show_help},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void show_help(Terminal *terminal, const char *rest) {
  (void)rest;
  puts(
      terminal->over
          ? "  rematch, swap   play again, or again from the other side\n"
            "  undo [N]        take back your last move"
          : "  e2e4, drop 4    play the move that is written so, or begins so\n"
            "  7, #7           play number 7 of the list\n"
            "  moves [TEXT]    list your moves, or those with this text\n"
            "  hint            ask the search for the best moves\n"
            "  undo [N]        take back your last move, or the last N\n"
            "  resign          give the game up");
  for (size_t i = 0; i < COMMANDS; i++)
    if (commands[i].help)
      printf("  %-15s %s\n", commands[i].word, commands[i].help);
  puts("  quit            leave");
}

bool terminal_obey(Terminal *terminal, const char *words) {
  size_t length = strcspn(words, " \t");
  const char *rest = words + length + strspn(words + length, " \t");
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strlen(commands[i].word) != length ||
        strncasecmp(commands[i].word, words, length) != 0)
      continue;
    if (*rest && commands[i].obey != save) return false;
    commands[i].obey(terminal, rest);
    return true;
  }
  return false;
}

void terminal_offer(const char *typed, TextVector *lines) {
  for (size_t i = 0; i < COMMANDS; i++) {
    Text line = {0};
    if (!commands[i].help ||
        strncasecmp(commands[i].word, typed, strlen(typed)) != 0)
      continue;
    text_add(&line, commands[i].word);
    vector_push(lines, line);
  }
}
