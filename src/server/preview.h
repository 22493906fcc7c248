/* PREVIEW: rules that a game master shows before a match are read in a process
   of their own, and the log says what was found. One at a time; others are
   ignored. */
#ifndef TAFL_SERVER_PREVIEW_H
#define TAFL_SERVER_PREVIEW_H

#include "base/text.h"
#include "io/process.h"

typedef struct Preview {
  Process process;
  double end; /* when it will be killed */
} Preview;

void preview_init(Preview *preview);
void preview_begin(Preview *preview, const Text *rules,
                   const ProcessLimits *limits);
void preview_end(Preview *preview);
/* When the descriptor is readable, or that time is past, preview_tick has
   something to do. */
int preview_file(const Preview *preview); /* -1: none */
double preview_due(const Preview *preview);
void preview_tick(Preview *preview);
/* That child was reaped, whoever's it was. */
void preview_reaped(Preview *preview, pid_t pid);

#endif
