/* A role's legal moves as a numbered list that a person chooses from. */
#ifndef TAFL_COMMAND_MENU_H
#define TAFL_COMMAND_MENU_H

#include "engine/game.h"

typedef struct Menu {
  TermVector terms; /* sorted */
  uint32_t count;
  Text *texts;
} Menu;

void menu_init(Menu *menu, Game *game, uint32_t role);
void menu_free(Menu *menu);
void menu_show(const Menu *menu);
/* The one move that the words begin; count, after saying so, if none or several
   do. */
uint32_t menu_find(const Menu *menu, const char *words);
/* The legal move that is the term. */
Move menu_move(Game *game, uint32_t role, Term term);
/* Words without parentheses and extra blanks. */
void menu_plain(const char *from, char *to, size_t size);

#endif
