/* MPI behind the table of cluster/transport.h. This file alone is compiled with
   MPI, into a shared object that the program loads (src/cluster/ranks.c), so
   that the program needs MPI neither to be built nor to run.

   A communicator of our own keeps our messages apart. Errors of MPI end the job
   with MPI's own message, which is MPI's default: Open MPI 4 cannot go on after
   one. */
#include "cluster/transport.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
  MPI_Comm world;
  MPI_Message found; /* by `look`, for `take` */
  int length;
  MPI_Request barrier;
  bool waiting; /* at the barrier */
} job;

static uint32_t count_local(int rank) {
  MPI_Comm host;
  int size = 1;
  MPI_Comm_split_type(job.world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                      &host);
  MPI_Comm_size(host, &size);
  MPI_Comm_free(&host);
  return (uint32_t)size;
}

static const char *join(uint32_t *own, uint32_t *count, uint32_t *local,

                        char host[TRANSPORT_HOST]) {
  int provided = 0, rank = 0, size = 0, length = 0, there = 0;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Initialized(&there);
  if (there) return "this process has joined the job before";
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) !=
      MPI_SUCCESS)
    return "MPI does not start";
  if (provided < MPI_THREAD_SERIALIZED)
    return "this MPI is for programs without threads";
  MPI_Comm_dup(MPI_COMM_WORLD, &job.world);
  MPI_Comm_rank(job.world, &rank);
  MPI_Comm_size(job.world, &size);
  MPI_Get_processor_name(name, &length);
  snprintf(host, TRANSPORT_HOST, "%s", name);
  *own = (uint32_t)rank;
  *count = (uint32_t)size;
  *local = count_local(rank);
  return NULL;
}

static void leave(void) {
  MPI_Comm_free(&job.world);
  MPI_Finalize();
}

static void abort_job(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}

static void *send_bytes(uint32_t to, uint32_t tag, const char *bytes,
                        size_t length) {
  MPI_Request *request = length > INT_MAX ? NULL : malloc(sizeof *request);
  if (!request) return NULL;
  MPI_Isend(bytes, (int)length, MPI_BYTE, (int)to, (int)tag, job.world,
            request);
  return request;
}

static bool sent(void *request) {
  int done = 0;
  MPI_Test(request, &done, MPI_STATUS_IGNORE);
  if (done) free(request);
  return done;
}

static bool look(Envelope *envelope) {
  int there = 0;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, job.world, &there, &job.found,
              &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &job.length);
  *envelope = (Envelope){.from = (uint32_t)status.MPI_SOURCE,
                         .tag = (uint32_t)status.MPI_TAG,
                         .length = (size_t)job.length};
  return true;
}

static void take(char *bytes) {
  MPI_Mrecv(bytes, job.length, MPI_BYTE, &job.found, MPI_STATUS_IGNORE);
}

static bool finished(void) {
  int done = 0;
  if (!job.waiting) MPI_Ibarrier(job.world, &job.barrier);
  job.waiting = true;
  MPI_Test(&job.barrier, &done, MPI_STATUS_IGNORE);
  if (done) job.waiting = false;
  return done;
}

__attribute__((visibility("default"))) extern const Transport mpi_transport;

const Transport mpi_transport = {.version = TRANSPORT_VERSION,
                                 .join = join,
                                 .leave = leave,
                                 .abort = abort_job,
                                 .send = send_bytes,
                                 .sent = sent,
                                 .look = look,
                                 .take = take,
                                 .finished = finished};
