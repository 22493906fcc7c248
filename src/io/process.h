/* Child processes: forked, with limits of their own, killed when we exit. */
#ifndef TAFL_IO_PROCESS_H
#define TAFL_IO_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Process {
  pid_t pid;   /* 0: none */
  int link;    /* our end */
  bool reaped; /* its pid may belong to another process now */
} Process;

typedef struct ProcessLimits {
  size_t memory; /* bytes of data */
  int nice;      /* priority, as in setpriority(2) */
} ProcessLimits;

/* What the kernel knows about the first thread of a process. */
typedef struct ProcessTimes {
  bool stopped;       /* by a signal */
  double ran, waited; /* seconds on a processor; waiting for one */
} ProcessTimes;

/* Opens both ends of a link: packets, non-blocking, closed on exec. Returns
   false if the system is out of file descriptors. */
bool process_pair(int ends[2]);

/* Runs in the child with its end of the link; returns the exit code. */
typedef int ProcessWork(const void *context, int link);

enum { PROCESS_KEPT = 4 }; /* descriptor, in the child, of the kept file */

/* Keeps the file `kept` open in the child, unless it is -1. Returns false if
   the system refuses a process. */
bool process_begin(Process *process, const ProcessLimits *limits, int kept,
                   ProcessWork *work, const void *context);
/* Kills it and closes the link; does nothing if there is no process. */
void process_kill(Process *process);
/* Closes the link and leaves it to the process to end when it sees that. */
void process_leave(Process *process);
/* Kills and closes for one that seems to have ended by itself. */
void process_drop(Process *process);
uint32_t process_dying(void); /* how many are killed, but not reaped */
/* Returns false if the kernel knows nothing about it. */
bool process_times(const Process *process, ProcessTimes *times);
/* Reaps one exited child: returns its pid, or 0. `how` says in words how it
   ended, or is empty if it returned 0 or was killed by process_kill. */
pid_t process_reap(char *how, size_t size);

/* For a child that is to do something with what others wrote: from now on it
   opens no file and no socket beyond the link, writes no file, and has so much
   memory at most. */
void process_confine(size_t memory);

/* Sets our own nice value, if permitted; returns the one before. */
int process_set_nice(int nice);

#endif
