/* Rules that a game master shows before a match: read in a process of their
   own, and what is found said in the log. One at a time; others are passed by.
 */
#ifndef TAFL_SERVER_PREVIEW_H
#define TAFL_SERVER_PREVIEW_H

#include "game/book.h"
#include "io/process.h"

typedef struct Preview {
  Process process;
  double end; /* when it is killed */
} Preview;

void preview_init(Preview *preview);
void preview_begin(Preview *preview, const Text *rules, size_t memory);
void preview_end(Preview *preview);
int preview_file(const Preview *preview);
double preview_due(const Preview *preview);
void preview_tick(Preview *preview);
void preview_lost_process(Preview *preview, pid_t pid);

#endif
