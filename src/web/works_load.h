/* What the works about games share: files of the library, rules loaded with
   limits, boards of their states. */
#ifndef TAFL_WEB_WORKS_LOAD_H
#define TAFL_WEB_WORKS_LOAD_H

#include "about/scene.h"
#include "web/works.h"

/* The game that a path such as "games/chess/rules" names, in its second part.
 */
typedef struct WorksFile {
  Text name, path, rules;
} WorksFile;

/* Returns false, with the reply set, if there is no such game. */
bool works_read(const TaskCall *call, TaskReply *reply, WorksFile *file);
void works_file_free(WorksFile *file);

typedef struct WorksGame {
  Description description;
  Book book;
  Game *game; /* NULL: the rules are not valid */
} WorksGame;

/* Loads rules; whatever is made of them later keeps to the time, too. `name`
   and `rules` are borrowed. */
void works_load(WorksGame *loaded, const WebSettings *settings,
                const char *name, const Text *rules, double seconds);
void works_unload(WorksGame *loaded);

json_t *works_roles(const Game *game);
/* "puzzle", "turns" or "simultaneous", by what a few random games show. The
   game is reset; `length` is set to how many steps a game usually takes. */
const char *works_kind(Game *game, uint32_t *length);

#endif
