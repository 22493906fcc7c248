/* At a terminal libedit draws the line and calls `get_key` for every key, which
   looks at the flags while it waits. Otherwise standard input is read without a
   buffer, so that poll sees all that is left. */
#include "command/line.h"

#include <ctype.h>
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/file.h"
#include "command/style.h"

enum {
  WAIT = 100,   /* milliseconds between looks at the flags */
  KEPT = 500,   /* lines of the history */
  LONGEST = 512 /* bytes of a line */
};

struct Line {
  atomic_bool *stop, *hurry;
  EditLine *editor; /* NULL: not at a terminal */
  HistoryW *history;
  Text path; /* of the history; empty: it is not kept */
  const char *prompt;
  LineOffer *offer;
  void *context;
  mbstate_t shift; /* of a character that is not complete yet */
};

/* ---- signals ---- */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* Of the one Line that there is. */
static atomic_bool *stop_now, *hurry_now;
static volatile sig_atomic_t disturbed; /* the screen may have changed */
static struct sigaction before[SIGNALS];

static void note_signal(int signal) {
  if (signal == SIGCONT || signal == SIGWINCH) {
    disturbed = 1;
    return;
  }
  if (signal != SIGINT) atomic_store(stop_now, true);
  if (hurry_now) atomic_store(hurry_now, true);
}

static void catch_signals(Line *line) {
  struct sigaction action = {.sa_handler = note_signal};
  stop_now = line->stop;
  hurry_now = line->hurry;
  for (size_t i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (signals[i] != SIGINT || line->hurry)
      sigaction(signals[i], &action, NULL);
  }
}

static void release_signals(void) {
  for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
}

/* ---- keys ---- */

static bool is_set(const atomic_bool *flag) {
  return flag && atomic_load(flag);
}

/* Waits for input; returns false if a flag ends the waiting. */
static bool wait_for_input(const Line *line) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (!is_set(line->stop) && !is_set(line->hurry)) {
    if (poll(&input, 1, WAIT) > 0) return true;
    if (!disturbed || !line->editor) continue;
    disturbed = 0;
    el_set(line->editor, EL_PREP_TERM, 1);
    el_resize(line->editor);
    el_set(line->editor, EL_REFRESH);
  }
  return false;
}

/* Reads a character for libedit: returns 1, or 0 at the end of input. Bytes
   that are no character become '?'. */
static int get_key(EditLine *editor, wchar_t *key) {
  Line *line;
  char byte;
  el_get(editor, EL_CLIENTDATA, &line);
  for (;;) {
    if (!wait_for_input(line) || read(STDIN_FILENO, &byte, 1) != 1) return 0;
    size_t taken = mbrtowc(key, &byte, 1, &line->shift);
    if (taken == (size_t)-2) continue;
    if (taken == (size_t)-1) {
      line->shift = (mbstate_t){0};
      *key = L'?';
    }
    return 1;
  }
}

static char *get_prompt(EditLine *editor) {
  Line *line;
  el_get(editor, EL_CLIENTDATA, &line);
  return (char *)(uintptr_t)line->prompt;
}

/* ---- completion ---- */

/* Cuts `common` to what the text begins with too, in any case. */
static void cut_common(Text *common, const char *text) {
  size_t n = 0;
  while (n < common->length && tolower((unsigned char)common->bytes[n]) ==
                                   tolower((unsigned char)text[n]))
    n++;
  common->bytes[n] = '\0';
  common->length = n;
}

/* Lists the lines in columns below the line that is edited. */
static void list_lines(const TextVector *lines) {
  BoardsStyle style = style_of_terminal();
  uint32_t width = 0, rows = style.height > 8 ? style.height - 6 : 4;
  for (uint32_t i = 0; i < lines->count; i++)
    if (lines->data[i].length > width) width = (uint32_t)lines->data[i].length;
  uint32_t columns = style.width / (width + 2);
  if (!columns) columns = 1;
  uint32_t most = rows * columns;
  for (uint32_t i = 0; i < lines->count && i < most; i++)
    printf("%s%-*s", i % columns ? "  " : "\n", (int)width,
           lines->data[i].bytes);
  if (lines->count > most) printf("\nand %u more", lines->count - most);
  putchar('\n');
  fflush(stdout);
}

static size_t letters(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += !isspace((unsigned char)*text);
  return count;
}

/* Replaces what was typed by what all offered lines begin with. */
static unsigned char complete_with(EditLine *editor, const char *typed,
                                   const TextVector *lines) {
  Text common = {0};
  unsigned char code = CC_REFRESH;
  text_add(&common, text_string(&lines->data[0]));
  for (uint32_t i = 1; i < lines->count; i++)
    cut_common(&common, text_string(&lines->data[i]));
  if (lines->count == 1 || letters(text_string(&common)) > letters(typed)) {
    el_deletestr(editor, (int)strlen(typed));
    if (common.length) el_insertstr(editor, common.bytes);
  } else {
    list_lines(lines);
    code = CC_REDISPLAY;
  }
  text_free(&common);
  return code;
}

static unsigned char complete(EditLine *editor, wint_t key) {
  Line *line;
  TextVector lines = {0};
  Text typed = {0};
  const LineInfo *now = el_line(editor);
  unsigned char code = CC_ERROR;
  (void)key;
  el_get(editor, EL_CLIENTDATA, &line);
  if (!line->offer || now->cursor != now->lastchar) return CC_ERROR;
  text_add_bytes(&typed, now->buffer, (size_t)(now->cursor - now->buffer));
  line->offer(line->context, text_string(&typed), &lines);
  if (lines.count) code = complete_with(editor, text_string(&typed), &lines);
  text_vector_free(&lines);
  text_free(&typed);
  return code;
}

/* ---- the history ---- */

static void find_path(Text *path) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  if (state && *state == '/')
    text_format(path, "%s/tafl/history", state);
  else if (home && *home == '/')
    text_format(path, "%s/.local/state/tafl/history", home);
}

/* The wide functions of libedit, since we use the names of the others. */
static void load_history(Line *line) {
  HistEventW event;
  line->history = history_winit();
  if (!line->history) return;
  history_w(line->history, &event, H_SETSIZE, KEPT);
  history_w(line->history, &event, H_SETUNIQUE, 1);
  find_path(&line->path);
  if (line->path.length)
    history_w(line->history, &event, H_LOAD, line->path.bytes);
  el_wset(line->editor, EL_HIST, history_w, line->history);
}

static void add_history(Line *line, const char *text) {
  HistEventW event;
  wchar_t wide[LONGEST + 1];
  size_t length = mbstowcs(wide, text, LONGEST);
  if (!line->history || length == (size_t)-1 || !length) return;
  wide[length] = L'\0';
  history_w(line->history, &event, H_ENTER, wide);
}

/* libedit gives the file mode 600. */
static void save_history(Line *line) {
  HistEventW event;
  if (!line->history) return;
  if (line->path.length) {
    file_make_above(line->path.bytes, 0700);
    history_w(line->history, &event, H_SAVE, line->path.bytes);
  }
  history_wend(line->history);
}

/* ---- life ---- */

static void open_editor(Line *line) {
  setlocale(LC_CTYPE, "");
  line->editor = el_init("tafl", stdin, stdout, stderr);
  if (!line->editor) return;
  el_set(line->editor, EL_CLIENTDATA, line);
  el_set(line->editor, EL_EDITOR, "emacs");
  el_set(line->editor, EL_PROMPT, get_prompt);
  el_wset(line->editor, EL_ADDFN, L"tafl-complete", L"completes a move",
          complete);
  el_set(line->editor, EL_BIND, "^I", "tafl-complete", NULL);
  el_set(line->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source(line->editor, NULL);
  el_set(line->editor, EL_GETCFN, get_key);
  load_history(line);
  catch_signals(line);
}

Line *line_new(atomic_bool *stop, atomic_bool *hurry) {
  Line *line = memory_new(sizeof *line);
  *line = (Line){.stop = stop, .hurry = hurry};
  setvbuf(stdin, NULL, _IONBF, 0);
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) open_editor(line);
  return line;
}

void line_delete(Line *line) {
  if (line->editor) {
    save_history(line);
    el_end(line->editor);
    release_signals();
  }
  text_free(&line->path);
  memory_delete(line);
}

bool line_edited(const Line *line) {
  return line->editor;
}

void line_offer(Line *line, LineOffer *offer, void *context) {
  line->offer = offer;
  line->context = context;
}

/* ---- reading ---- */

static void take(const char *bytes, size_t length, Text *text) {
  while (length && isspace((unsigned char)bytes[length - 1])) length--;
  while (length && isspace((unsigned char)*bytes)) {
    bytes++;
    length--;
  }
  text_clear(text);
  text_add_bytes(text, bytes, length < LONGEST ? length : LONGEST);
}

static bool read_plain(Line *line, Text *text) {
  char bytes[LONGEST];
  printf("%s", line->prompt);
  fflush(stdout);
  if (!wait_for_input(line) || !fgets(bytes, sizeof bytes, stdin)) {
    putchar('\n');
    return false;
  }
  take(bytes, strlen(bytes), text);
  return true;
}

/* A line that was given up is left on the screen. */
static bool read_edited(Line *line, Text *text) {
  for (;;) {
    int count = 0;
    if (line->hurry) atomic_store(line->hurry, false);
    fflush(stdout);
    /* libedit itself does this after the prompt, so that a key that answers
       the prompt at once can come too early: Ctrl-D then is lost. */
    el_set(line->editor, EL_PREP_TERM, 1);
    el_resize(line->editor);
    line->shift = (mbstate_t){0};
    const char *bytes = el_gets(line->editor, &count);
    bool given_up = is_set(line->hurry) && !is_set(line->stop);
    if (bytes && count > 0 && !given_up) {
      take(bytes, (size_t)count, text);
      add_history(line, text_string(text));
      return true;
    }
    putchar('\n');
    if (!given_up) return false;
    el_set(line->editor, EL_PREP_TERM, 0);
    puts("Type 'quit' or press Ctrl-D to leave.");
  }
}

bool line_read(Line *line, const char *prompt, Text *text) {
  line->prompt = prompt;
  return line->editor ? read_edited(line, text) : read_plain(line, text);
}
