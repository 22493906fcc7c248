/* What takes long to find out about a game of the library is made in the
   background, once for each text of rules and version of the program: a
   preview (its kind and boards) and facts (as tafl info --json). Both are kept
   in memory, under their key, and as files of the cache directory. */
#ifndef TAFL_WEB_WORKS_PREVIEW_H
#define TAFL_WEB_WORKS_PREVIEW_H

#include "web/works_load.h"

typedef enum { PREVIEW_BOARDS, PREVIEW_FACTS } PreviewKind;

/* A preview is {"kind", "roles", "scene", "start": STATE, "state": STATE,
   "moves": steps from start to state}. Of rules that are not valid it is
   {"failed": why}. */
extern const TaskKind works_boards; /* boards/NAME */
extern const TaskKind works_facts;  /* facts/NAME */

/* Appends "boards/…": the key of what is made of these rules. */
void works_preview_key(PreviewKind kind, const WebSettings *settings,
                       const Text *rules, Text *key);
/* Returns what is known under the key, or NULL. */
json_t *works_preview_known(const TaskCall *call, const char *key);
/* Returns the preview, made now if it is not known. */
json_t *works_preview_boards(const TaskCall *call, const char *name,
                             const Text *rules, double seconds);
/* Appends the line that has it made in the background (TaskReply.wanted). */
void works_preview_want(TaskReply *reply, const char *key, const char *name);

#endif
