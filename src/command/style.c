/* The environment alone decides, so that pipes get plain text and tests can ask
   for either. */
#include "command/style.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 80, HEIGHT = 24 }; /* of an unknown screen */

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

/* The first of the three variables that is not empty names the character set
   behind a dot, as in en_GB.UTF-8. */
static bool is_unicode(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = variable(names[i]);
    if (*value) return strcasestr(value, "UTF-8") || strcasestr(value, "utf8");
  }
  return false;
}

static void measure(BoardsStyle *style) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_col) style->width = size.ws_col;
  if (size.ws_row) style->height = size.ws_row;
}

BoardsStyle style_of_terminal(void) {
  BoardsStyle style = {
      .width = WIDTH, .height = HEIGHT, .unicode = is_unicode()};
  const char *kind = variable("TERM");
  bool terminal = isatty(STDOUT_FILENO);
  if (terminal) measure(&style);
  style.colour = terminal && *kind && strcasecmp(kind, "dumb") != 0 &&
                 !*variable("NO_COLOR");
  return style;
}
