/* The screen. Moves are said in words as they are made, in one line; the board
   is drawn when a person is asked. */
#include "command/terminal.h"

#include <stdio.h>
#include <string.h>

#include "command/style.h"
#include "command/wrap.h"

enum { AROUND = 6 }; /* lines of the screen that are not the board's */

void terminal_open(Terminal *terminal, Book *book, atomic_bool *stop,
                   atomic_bool *hurry) {
  *terminal =
      (Terminal){.stop = stop,
                 .line = line_new(stop, hurry),
                 .style = style_of_terminal(),
                 .hint = {.seconds = 1},
                 .boards = boards_new(book->description, book_analysis(book))};
  story_init(&terminal->story, book);
}

void terminal_close(Terminal *terminal) {
  line_delete(terminal->line);
  story_free(&terminal->story);
  boards_delete(terminal->boards);
  text_free(&terminal->why);
  text_free(&terminal->learned);
}

void terminal_restart(Terminal *terminal) {
  Book *book = terminal->story.book;
  story_free(&terminal->story);
  story_init(&terminal->story, book);
  memset(terminal->human, 0, sizeof terminal->human);
  terminal->people = 0;
  text_clear(&terminal->why);
  text_clear(&terminal->learned);
  terminal->wish = TERMINAL_MOVE;
  terminal->live = terminal->drawn = terminal->over = terminal->greeted = false;
}

/* ---- text ---- */

void terminal_print(const Terminal *terminal, const char *text) {
  Text wrapped = {0};
  (void)terminal;
  wrap_words(&wrapped, text, 0);
  puts(text_string(&wrapped));
  text_free(&wrapped);
}

void terminal_page(Terminal *terminal, const char *text) {
  uint32_t lines = 0, height = style_of_terminal().height;
  Text answer = {0};
  while (*text) {
    size_t length = strcspn(text, "\n");
    printf("%.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
    if (!line_edited(terminal->line) || ++lines + 2 < height || !*text)
      continue;
    lines = 0;
    if (!line_read(terminal->line, "Enter for more, q to leave> ", &answer) ||
        (answer.length && *answer.bytes == 'q'))
      break;
  }
  text_free(&answer);
}

/* ---- the board ---- */

void terminal_redraw(Terminal *terminal, bool all) {
  Story *story = &terminal->story;
  const Term *facts;
  TermVector before = {0};
  Text text = {0};
  BoardsStyle style = style_of_terminal();
  style.all = all;
  style.over = game_terminal(story->game);
  if (style.height > AROUND) style.height -= AROUND;
  terminal->style = style_of_terminal();
  story_facts_before(story, &before);
  uint32_t count = game_facts(story->game, &facts);
  boards_draw(terminal->boards, &style, facts, count, before.data, before.count,
              &text);
  printf("\n%s", text_string(&text));
  vector_free(&before);
  text_free(&text);
  terminal->drawn = true;
}

void terminal_draw(Terminal *terminal) {
  if (!terminal->drawn) terminal_redraw(terminal, false);
}
