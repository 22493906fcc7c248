/* A role's legal moves as a numbered list that a person chooses from. */
#ifndef TAFL_COMMAND_MENU_H
#define TAFL_COMMAND_MENU_H

#include "engine/moves.h"

typedef struct Menu {
  MoveVector moves; /* in order */
  uint32_t count;
  Text *texts;
} Menu;

void menu_init(Menu *menu, Game *game, uint32_t role);
void menu_free(Menu *menu);
void menu_show(const Menu *menu);
/* Returns the number of the one move that begins with the words, or else, after
   printing why, `count`. */
uint32_t menu_find(const Menu *menu, const char *words);
/* Removes parentheses and extra blanks. */
void menu_plain(const char *from, char *to, size_t size);

#endif
