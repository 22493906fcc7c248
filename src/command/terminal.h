/* What the people of one match share: the screen, the keyboard, what happened
   so far, and what they asked for beside moves. */
#ifndef TAFL_COMMAND_TERMINAL_H
#define TAFL_COMMAND_TERMINAL_H

#include "agent/agent.h"
#include "command/line.h"
#include "command/story.h"
#include "game/boards.h"

typedef enum { TERMINAL_MOVE, TERMINAL_UNDO, TERMINAL_RESIGN } TerminalWish;

typedef struct Terminal {
  atomic_bool *stop; /* set when somebody quits; ends the reading if set */
  Line *line;
  BoardsStyle style;
  Boards *boards;
  Story story;
  Budget hint; /* of hints */

  TerminalWish wish;   /* what somebody wants instead of a move */
  uint32_t undo;       /* choices to take back */
  const char *final;   /* says why nothing can be; NULL: it can */
  const char *against; /* who plays the other roles; NULL: not said */
  /* Writes the match to a file; "": one is made up. NULL: there is none. */
  void (*save)(void *context, const char *path);
  void *context;

  Text why;     /* what others thought in this step */
  Text learned; /* what they have learned */
  uint32_t people;
  bool human[RULE_ROLES]; /* by role */
  bool greeted;           /* the welcome was shown */
  bool live;              /* somebody was asked, so that moves are news */
  bool drawn;             /* the state is on the screen */
  bool over;              /* the result is, too */
} Terminal;

/* For one match. The book and the flags are borrowed; see command/line.h for
   `hurry`, which may be NULL. */
void terminal_open(Terminal *terminal, Book *book, atomic_bool *stop,
                   atomic_bool *hurry);
void terminal_close(Terminal *terminal);
/* Begins another match of the same game. */
void terminal_restart(Terminal *terminal);

/* Prints text in lines that fit the screen. */
void terminal_print(const Terminal *terminal, const char *text);
/* The same with a pause after each screen. */
void terminal_page(Terminal *terminal, const char *text);
/* Draws the state; terminal_draw only if it is not on the screen yet. */
void terminal_draw(Terminal *terminal);
void terminal_redraw(Terminal *terminal, bool all);

/* Print who is who, once with the title of the game, and then each joint move
   and the result. */
void terminal_role(const Terminal *terminal);
void terminal_welcome(Terminal *terminal);
void terminal_tell(Terminal *terminal, const Move *joint);
void terminal_result(Terminal *terminal);

/* For PartyOptions.watch: shows the thinking on one line. */
void terminal_watch(void *context, Agent *agent, double spent, double left);

/* Carries out a command that only shows or saves something. Returns false if it
   is another one. */
bool terminal_obey(Terminal *terminal, const char *words);
/* Appends the commands of terminal_obey that begin with what was typed. */
void terminal_offer(const char *typed, TextVector *lines);

#endif
