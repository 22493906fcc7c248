/* A process for one match: forked, bounded, gone with us. */
#ifndef TAFL_IO_PROCESS_H
#define TAFL_IO_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct Process {
  pid_t pid; /* 0: none */
  int link;  /* our end */
  bool gone; /* taken leave of: its number may be another's now */
} Process;

/* Opens both ends of a link: packets, non-blocking, closed on exec. Returns
   false if the system has no more files. */
bool process_pair(int ends[2]);

/* What it does with the other end; its exit code. */
typedef int ProcessWork(const void *context, int link);

/* False if the system gives none. The process may have `memory` bytes of data;
   it dies when we do. */
bool process_begin(Process *process, size_t memory, ProcessWork *work,
                   const void *context);
/* Whatever it does. */
void process_kill(Process *process);
/* What the system knows of its first thread; false if that is nothing. */
typedef struct ProcessTimes {
  bool stopped;       /* by a signal */
  double ran, waited; /* seconds with a processor; for one */
} ProcessTimes;

bool process_times(const Process *process, ProcessTimes *times);

/* Run before others, where we are allowed to; processes begun later do not. */
void process_hurry(void);

/* Take leave of processes that have ended; 0 if there is none, else its number,
   and how it ended, in words, in `how`. */
pid_t process_reap(char *how, size_t size);

#endif
