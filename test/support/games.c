#include "support/games.h"

BookLimits games_limits(void) {
  return (BookLimits){.ground = {.seconds = 10, .memory = (size_t)64 << 20},
                      .reduce_seconds = 2,
                      .rules = {.memory = (size_t)64 << 20}};
}

bool games_net(Description *description, const BookLimits *limits, Net *net,
               Text *error) {
  Book book;
  book_init(&book, description, limits, true);
  bool fine = book.has_net;
  if (fine)
    *net = book.net;
  else
    text_add(error, book.why[BOOK_NET].bytes);
  if (book.spare) game_delete(book.spare);
  book.spare = NULL;
  book.has_net = false; /* the caller's */
  book_free(&book);
  return fine;
}

void games_read(Description *description, const char *text) {
  front_read(description, text);
  Text wrong = {0};
  report_write(&description->report, true, &wrong);
  if (wrong.length) fail_msg("%s", wrong.bytes);
  text_free(&wrong);
}

void games_specs(AgentSpecs *specs, const char *text) {
  Text error = {0};
  if (!spec_parse_list(specs, text, &error))
    fail_msg("%s: %s", text, error.bytes);
}
