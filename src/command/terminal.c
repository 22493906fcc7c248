/* Standard input is read without a buffer, so that poll sees all that is left
   and the flag can end the waiting. */
#include "command/terminal.h"

#include <poll.h>
#include <stdio.h>

enum { WAIT = 100 }; /* milliseconds between looks at the flag */

void terminal_open(Terminal *terminal, Book *book, uint64_t seed,
                   atomic_bool *stop) {
  *terminal =
      (Terminal){.stop = stop,
                 .boards = boards_new(book->description, book_analysis(book))};
  random_seed(&terminal->random, seed);
  setvbuf(stdin, NULL, _IONBF, 0);
}

void terminal_close(Terminal *terminal) {
  boards_delete(terminal->boards);
  text_free(&terminal->why);
  text_free(&terminal->learned);
}

void terminal_redraw(Terminal *terminal, Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  Text text = {0};
  const BoardsStyle style = {.width = 80, .height = 24};
  boards_draw(terminal->boards, &style, facts, count, NULL, 0, &text);
  printf("\n%s", text_string(&text));
  text_free(&text);
  terminal->drawn = true;
}

void terminal_draw(Terminal *terminal, Game *game) {
  if (!terminal->drawn) terminal_redraw(terminal, game);
}

bool terminal_read(Terminal *terminal, char *line, int size) {
  struct pollfd input = {.fd = fileno(stdin), .events = POLLIN};
  fflush(stdout);
  while (!atomic_load(terminal->stop) && poll(&input, 1, WAIT) <= 0) continue;
  if (atomic_load(terminal->stop) || !fgets(line, size, stdin)) {
    putchar('\n');
    return false;
  }
  line[strcspn(line, "\r\n")] = '\0';
  return true;
}
