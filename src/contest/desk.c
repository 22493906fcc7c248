#include "contest/desk.h"

void desk_init(Desk *desk, const Description *from, const BookLimits *limits,
               bool ground) {
  description_init(&desk->description, from->source.name,
                   text_string(&from->text), from->text.length);
  book_init(&desk->book, &desk->description, limits, ground);
}

void desk_free(Desk *desk) {
  book_free(&desk->book);
  description_free(&desk->description);
}

void desk_clear(Desk *desk, const Description *from, const BookLimits *limits) {
  if (desk->book.has_net) return;
  desk_free(desk);
  desk_init(desk, from, limits, false);
}
