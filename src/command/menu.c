/* Texts are compared without parentheses and extra blanks, in any case. */
#include "command/menu.h"

#include <stdio.h>
#include <strings.h>

void menu_init(Menu *menu, Game *game, uint32_t role) {
  *menu = (Menu){0};
  moves_sorted(game, role, &menu->moves);
  menu->count = menu->moves.count;
  menu->texts = memory_new(menu->count * sizeof(Text));
  for (uint32_t i = 0; i < menu->count; i++)
    moves_write(game, role, menu->moves.data[i], &menu->texts[i]);
}

void menu_free(Menu *menu) {
  for (uint32_t i = 0; i < menu->count; i++) text_free(&menu->texts[i]);
  memory_delete(menu->texts);
  vector_free(&menu->moves);
}

void menu_show(const Menu *menu) {
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

void menu_plain(const char *from, char *to, size_t size) {
  size_t n = 0;
  for (; *from && n + 1 < size; from++) {
    bool gap = *from == '(' || *from == ')' || *from == ' ' || *from == '\t';
    if (gap && (n == 0 || to[n - 1] == ' ')) continue;
    to[n++] = gap ? ' ' : *from;
  }
  while (n && to[n - 1] == ' ') n--;
  to[n] = '\0';
}

uint32_t menu_find(const Menu *menu, const char *words) {
  char wanted[256], own[256];
  uint32_t found = menu->count, matches = 0;
  menu_plain(words, wanted, sizeof wanted);
  for (uint32_t i = 0; i < menu->count; i++) {
    menu_plain(menu->texts[i].bytes, own, sizeof own);
    if (strcasecmp(own, wanted) == 0) return i;
    if (strncasecmp(own, wanted, strlen(wanted)) != 0) continue;
    found = i;
    matches++;
  }
  if (matches > 1)
    printf("%u moves begin like this; type more of it.\n", matches);
  else if (!matches)
    puts("No legal move begins like this. Type 'help' for what you can say.");
  return matches == 1 ? found : menu->count;
}
