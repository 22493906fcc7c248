/* A role's legal moves as a numbered list that a person chooses from. */
#ifndef TAFL_COMMAND_MENU_H
#define TAFL_COMMAND_MENU_H

#include "engine/moves.h"
#include "game/boards.h"

typedef struct Menu {
  MoveVector moves; /* in order */
  uint32_t count;
  Text *texts; /* as the rules spell them */
  Text *words; /* as people say them */
  bool marked; /* numbers are written #4, since 4 may be a move */
  bool shown;  /* numbers were, so that they can be typed */
} Menu;

void menu_init(Menu *menu, Game *game, uint32_t role);
void menu_free(Menu *menu);
/* Prints the moves that `typed` may mean, all if it is empty, in columns; no
   more than fit on the screen. */
void menu_show(Menu *menu, const BoardsStyle *style, const char *typed);
/* Returns the number of the one move that was typed, from 0, or else, after
   printing which moves it may be, or which are similar, `count`. */
uint32_t menu_choose(Menu *menu, const BoardsStyle *style, const char *typed);

#endif
