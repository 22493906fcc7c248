/* The whole screen is drawn again after each key, on the alternate screen, so
   that the person's lines are there again afterwards. The terminal gives keys
   at once and without echo until the end, also if that is a signal. */
#include "command/replay_screen.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "command/style.h"

enum {
  WAIT = 100,    /* milliseconds between looks at the flag */
  PAUSE = 10,    /* waits from one step to the next while it plays by itself */
  KEY_NONE = -1, /* nothing was typed */
  KEY_END = -2   /* of input */
};

typedef enum { NEXT = 256, BACK, FIRST, LAST, OTHER } Key;

static atomic_bool interrupted;

static void interrupt(int number) {
  (void)number;
  atomic_store(&interrupted, true);
}

bool replay_screen_possible(void) {
  const char *kind = getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind &&
         strcmp(kind, "dumb") != 0;
}

/* ---- keys ---- */

/* Returns a byte of input, KEY_NONE after the wait, or KEY_END. */
static int read_byte(int wait) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  unsigned char byte;
  if (poll(&input, 1, wait) <= 0) return KEY_NONE;
  return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_END;
}

/* Reads the rest of ESC [ C and the like. Returns ESC if that was typed. */
static int read_sequence(void) {
  int byte = read_byte(WAIT / 2);
  if (byte == KEY_NONE) return '\033';
  if (byte != '[' && byte != 'O') return OTHER;
  int first = read_byte(WAIT / 2);
  byte = first;
  while (byte >= 0 && !(byte >= 0x40 && byte <= 0x7e)) byte = read_byte(WAIT);
  switch (byte) {
  case 'C':
  case 'B': return NEXT;
  case 'D':
  case 'A': return BACK;
  case 'H': return FIRST;
  case 'F': return LAST;
  case '~':
    return first == '1' || first == '7'   ? FIRST
           : first == '4' || first == '8' ? LAST
           : first == '5'                 ? BACK
           : first == '6'                 ? NEXT
                                          : OTHER;
  default: return OTHER;
  }
}

static int read_key(void) {
  int byte = read_byte(WAIT);
  return byte == '\033' ? read_sequence() : byte;
}

/* ---- drawing ---- */

typedef struct Screen {
  Replay *replay;
  bool playing;    /* by itself */
  uint32_t waited; /* since the last step */
  bool typed;      /* digits of a step to go to */
  uint32_t number;
  bool quit;
} Screen;

/* Appends the text, cut to the size of the screen less a line. */
static void add_cut(const char *lines, const BoardsStyle *style, Text *text) {
  for (uint32_t row = 1; *lines && row < style->height; row++) {
    uint32_t column = 0;
    bool colour = false; /* inside of its code, which takes no room */
    for (; *lines && *lines != '\n'; lines++) {
      colour |= *lines == '\033';
      column += !colour && !source_continues(*lines);
      if (colour || column < style->width) text_add_byte(text, *lines);
      colour &= *lines != 'm';
    }
    lines += *lines == '\n';
    text_add_byte(text, '\n');
  }
}

static void draw(Screen *screen) {
  Replay *replay = screen->replay;
  replay->style = style_of_terminal();
  const BoardsStyle *style = &replay->style;
  /* besides the board: the match, a heading, a line for each role, the result,
     the keys */
  uint32_t others = 5 + replay->game->role_count;
  Text lines = {0}, text = {0};
  replay_show_match(replay, &lines);
  replay_show_step(
      replay, style->height > others + 3 ? style->height - others : 3, &lines);
  text_add(&text, "\033[H\033[2J");
  add_cut(text_string(&lines), style, &text);
  text_clear(&lines);
  if (screen->typed)
    text_format(&lines, "go to step %u, then Enter", screen->number);
  else if (screen->playing)
    text_add(&lines, "playing; any key stops");
  else
    text_add(&lines, "Enter next, b back, number and Enter: go to, < first, > "
                     "last, a play, q quit");
  text_format(&text, "\033[%u;1H", style->height);
  if (lines.length >= style->width) lines.bytes[style->width - 1] = '\0';
  text_add(&text, lines.bytes);
  fputs(text.bytes, stdout);
  fflush(stdout);
  text_free(&lines);
  text_free(&text);
}

/* ---- what keys do ---- */

static void go(Screen *screen, uint32_t step) {
  Replay *replay = screen->replay;
  replay_show_go(replay, step < replay->steps ? step : replay->steps);
}

static void type_digit(Screen *screen, int digit) {
  if (!screen->typed) screen->number = 0;
  screen->typed = true;
  if (screen->number < 100000000)
    screen->number = screen->number * 10 + (uint32_t)digit;
}

static void press_plain(Screen *screen, int key) {
  uint32_t at = screen->replay->at;
  switch (key) {
  case '\r':
  case '\n':
  case ' ':
  case 'n':
  case 'j':
  case NEXT: go(screen, at + 1); break;
  case 'b':
  case 'p':
  case 'k':
  case '\b':
  case 127:
  case BACK: go(screen, at ? at - 1 : 0); break;
  case '<':
  case 'g':
  case FIRST: go(screen, 0); break;
  case '>':
  case 'G':
  case LAST: go(screen, UINT32_MAX); break;
  case 'a': screen->playing = true; break;
  case 'q':
  case 4: /* Ctrl-D */
  case '\033':
  case KEY_END: screen->quit = true; break;
  default: break;
  }
}

static void press(Screen *screen, int key) {
  bool typed = screen->typed, playing = screen->playing;
  screen->playing = screen->typed = false;
  if (key >= '0' && key <= '9') {
    screen->typed = typed;
    type_digit(screen, key - '0');
  } else if (typed && (key == '\b' || key == 127)) {
    screen->number /= 10;
    screen->typed = screen->number;
  } else if (typed && (key == '\r' || key == '\n')) {
    go(screen, screen->number);
  } else if (typed && key == '\033') {
    return; /* nothing is typed any more */
  } else if (!playing || key == 'q' || key == KEY_END) {
    press_plain(screen, key);
  }
}

/* Nothing was typed for a while. */
static bool pass_time(Screen *screen) {
  if (!screen->playing || ++screen->waited < PAUSE) return false;
  screen->waited = 0;
  go(screen, screen->replay->at + 1);
  screen->playing = screen->replay->at < screen->replay->steps;
  return true;
}

static void run(Screen *screen) {
  draw(screen);
  while (!screen->quit && !atomic_load(&interrupted) &&
         !game_failed(screen->replay->game)) {
    int key = read_key();
    if (key != KEY_NONE) press(screen, key);
    if (key != KEY_NONE || pass_time(screen)) draw(screen);
  }
}

void replay_screen_run(Replay *replay) {
  struct termios before, keys;
  Screen screen = {.replay = replay};
  struct sigaction action = {.sa_handler = interrupt}, old[2];
  if (tcgetattr(STDIN_FILENO, &before) != 0) return;
  sigaction(SIGINT, &action, &old[0]);
  sigaction(SIGTERM, &action, &old[1]);
  keys = before;
  keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  keys.c_cc[VSUSP] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  fputs("\033[?1049h\033[?25l", stdout);
  run(&screen);
  fputs("\033[?25h\033[?1049l", stdout);
  fflush(stdout);
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  sigaction(SIGINT, &old[0], NULL);
  sigaction(SIGTERM, &old[1], NULL);
}
