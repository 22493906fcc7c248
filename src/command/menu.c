/* What is typed is a number of the list if it starts with #, or if it is a
   number, the list was shown and no move is written so. */
#include "command/menu.h"

#include <stdio.h>
#include <stdlib.h>

#include "about/spell.h"
#include "base/similar.h"

enum { SIMILAR = 6, AROUND = 4 }; /* moves; lines of the screen for the rest */

void menu_init(Menu *menu, Game *game, uint32_t role) {
  *menu = (Menu){0};
  moves_sorted(game, role, &menu->moves);
  menu->count = menu->moves.count;
  menu->texts = memory_new((menu->count + 1) * sizeof(Text));
  menu->words = memory_new((menu->count + 1) * sizeof(Text));
  for (uint32_t i = 0; i < menu->count; i++) {
    moves_write(game, role, menu->moves.data[i], &menu->texts[i]);
    spell_say(menu->texts[i].bytes, &menu->words[i]);
    uint32_t number = spell_number(menu->texts[i].bytes);
    menu->marked |= number && number <= menu->count;
  }
}

void menu_free(Menu *menu) {
  for (uint32_t i = 0; i < menu->count; i++) {
    text_free(&menu->texts[i]);
    text_free(&menu->words[i]);
  }
  memory_delete(menu->texts);
  memory_delete(menu->words);
  vector_free(&menu->moves);
}

/* ---- showing ---- */

static void show_list(Menu *menu, const BoardsStyle *style,
                      const NumberVector *list) {
  uint32_t width = 0, number = (uint32_t)snprintf(NULL, 0, "%u", menu->count);
  for (uint32_t i = 0; i < list->count; i++)
    if (menu->words[list->data[i]].length > width)
      width = (uint32_t)menu->words[list->data[i]].length;
  uint32_t cell = width + number + 4, columns = style->width / cell;
  uint32_t lines = style->height > AROUND + 4 ? style->height - AROUND : 4;
  if (!columns) columns = 1;
  uint32_t most = columns * lines;
  for (uint32_t i = 0; i < list->count && i < most; i++) {
    uint32_t move = list->data[i];
    bool last = (i + 1) % columns == 0 || i + 1 == list->count || i + 1 == most;
    printf("%s%*u %-*s%s", menu->marked ? "  #" : "   ", (int)number, move + 1,
           last ? 0 : (int)width, menu->words[move].bytes, last ? "\n" : "");
  }
  if (list->count > most)
    printf("and %u more; 'moves e2' shows those with e2\n", list->count - most);
  menu->shown = true;
}

void menu_show(Menu *menu, const BoardsStyle *style, const char *typed) {
  NumberVector list = {0};
  for (uint32_t i = 0; i < menu->count; i++)
    if (!*typed || spell_fit(typed, menu->texts[i].bytes) <= SPELL_INSIDE)
      vector_push(&list, i);
  if (list.count)
    show_list(menu, style, &list);
  else
    printf("No move has '%s'; there are %u moves.\n", typed, menu->count);
  vector_free(&list);
}

/* ---- choosing ---- */

/* Returns true for digits alone; a number too large for any list is 0. */
static bool read_number(const char *typed, uint32_t *number) {
  size_t length = strspn(typed, "0123456789");
  if (!length || typed[length]) return false;
  *number = length > 9 ? 0 : (uint32_t)strtoul(typed, NULL, 10);
  return true;
}

static uint32_t check_number(const Menu *menu, uint32_t number) {
  if (number && number <= menu->count) return number - 1;
  printf("Numbers go from 1 to %u.\n", menu->count);
  return menu->count;
}

/* Moves that end with all but the first letter: Nf3 where pieces are not named.
 */
static void find_endings(const Menu *menu, const char *typed,
                         NumberVector *list) {
  SpellFound found;
  spell_find(typed + 1, menu->texts, menu->count, &found);
  for (uint32_t i = 0; i < found.moves.count && found.fit <= SPELL_END; i++)
    vector_push(list, found.moves.data[i]);
  vector_free(&found.moves);
}

/* The moves that differ least from what was typed. */
static void find_similar(const Menu *menu, const char *typed,
                         NumberVector *list) {
  Text plain = {0}, own = {0};
  spell_plain(typed, &plain);
  for (unsigned distance = 1; distance < SIMILAR_FAR && !list->count;
       distance++)
    for (uint32_t i = 0; i < menu->count && list->count < SIMILAR; i++) {
      text_clear(&own);
      spell_plain(menu->texts[i].bytes, &own);
      if (similar_distance(text_string(&plain), text_string(&own)) ==
              distance ||
          similar_distance(text_string(&plain), menu->words[i].bytes) ==
              distance)
        vector_push(list, i);
    }
  text_free(&plain);
  text_free(&own);
}

static void refuse(Menu *menu, const BoardsStyle *style, const char *typed) {
  NumberVector list = {0};
  if (strlen(typed) < 32) find_similar(menu, typed, &list);
  if (!list.count && strlen(typed) > 2) find_endings(menu, typed, &list);
  printf("No legal move is written '%.60s'.", typed);
  if (list.count) {
    puts(" Similar moves:");
    show_list(menu, style, &list);
  } else {
    puts(" Try 'moves' or 'help'.");
  }
  vector_free(&list);
}

uint32_t menu_choose(Menu *menu, const BoardsStyle *style, const char *typed) {
  uint32_t number = 0, choice = menu->count;
  SpellFound found;
  if (*typed == '#' && read_number(typed + 1, &number))
    return check_number(menu, number);
  spell_find(typed, menu->texts, menu->count, &found);
  bool digits = read_number(typed, &number);
  bool numbered = digits && menu->shown && number <= menu->count && number;
  if (found.fit > SPELL_SQUEEZED && numbered) {
    choice = number - 1;
  } else if (found.moves.count == 1) {
    choice = found.moves.data[0];
  } else if (found.moves.count) {
    printf("This may be one of %u moves:\n", found.moves.count);
    show_list(menu, style, &found.moves);
  } else if (digits && menu->shown) {
    check_number(menu, number);
  } else {
    refuse(menu, style, typed);
  }
  vector_free(&found.moves);
  return choice;
}
