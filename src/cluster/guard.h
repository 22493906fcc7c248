/* A process between a launcher and the master: when the master is gone, or ends
   it, the launcher and all ranks on this machine end, whatever state they are
   in. */
#ifndef TAFL_CLUSTER_GUARD_H
#define TAFL_CLUSTER_GUARD_H

/* Runs the command of LAUNCH_COMMAND (cluster/launch.h) until it ends, SIGTERM
   comes, or standard input is closed, which is the master's. Returns the
   command's exit code, or 128 and the number of the signal that ended it. */
int guard_run(void);

#endif
