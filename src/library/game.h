/* A loaded game of the library, as positions and agents use it. */
#ifndef TAFL_LIBRARY_GAME_H
#define TAFL_LIBRARY_GAME_H

#include <stdatomic.h>

#include "game/book.h"
#include "library/object.h"
#include "search/settings.h"

struct tafl_game {
  Object object;
  atomic_uint users;    /* handles: the caller's, and one for each position and
                           agent */
  pthread_mutex_t lock; /* held to make parts of the book, and agents */
  tafl_options options;
  BookLimits limits;
  char *name;
  Description description;
  Book book;
  TextVector roles;
};

/* The book to play by. The rules engine adds terms to its description while it
   plays, so whoever plays by rules has a description of its own and shares
   nothing; nets are shared and never change. */
typedef struct Play {
  Description description; /* unless the game has a net */
  Book own;                /* likewise */
  Book *book;
} Play;

/* To be called in the scope of who plays. */
void play_init(Play *play, tafl_game *game);

void game_hold(tafl_game *game);

/* Makes the parts of the book that agents with these settings need, or the
   programs for playouts if they are NULL. To be called with the lock held. */
tafl_status game_prepare(tafl_game *game, const Settings *settings);

#endif
