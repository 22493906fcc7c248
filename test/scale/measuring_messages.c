/* Messages: over TCP on this machine, and by MPI. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "scale/measuring.h"

enum { SMALL = 64, LARGE = 1 << 20, QUESTIONS = 2000, STREAM = 64, TAG = 7 };

static double least(double a, double b) {
  return a < b ? a : b;
}

/* ---- TCP ---- */

static bool read_all(int file, char *bytes, size_t length) {
  while (length) {
    ssize_t count = read(file, bytes, length);
    if (count <= 0) return false;
    bytes += count;
    length -= (size_t)count;
  }
  return true;
}

/* A connection of this process with itself. */
static bool connect_pair(int pair[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof address;
  int one = 1, door = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  pair[0] = socket(AF_INET, SOCK_STREAM, 0);
  bool fine = door >= 0 && pair[0] >= 0 &&
              bind(door, (struct sockaddr *)&address, length) == 0 &&
              listen(door, 1) == 0 &&
              getsockname(door, (struct sockaddr *)&address, &length) == 0 &&
              connect(pair[0], (struct sockaddr *)&address, length) == 0;
  pair[1] = fine ? accept(door, NULL, NULL) : -1;
  if (door >= 0) close(door);
  for (int i = 0; i < 2 && pair[1] >= 0; i++)
    setsockopt(pair[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return pair[1] >= 0;
}

/* Answers small messages, then takes large ones and answers once. */
static void *answer(void *context) {
  int file = *(int *)context;
  char *bytes = memory_new(LARGE);
  bool fine = true;
  for (uint32_t i = 0; i < QUESTIONS && fine; i++)
    fine = read_all(file, bytes, SMALL) && file_write_all(file, bytes, SMALL);
  for (uint32_t i = 0; i < STREAM && fine; i++)
    fine = read_all(file, bytes, LARGE);
  if (fine) file_write_all(file, bytes, SMALL);
  memory_delete(bytes);
  return NULL;
}

/* A question and its answer are four ends of messages, two of them here. */
static void ask_over_tcp(int file, MachineCosts *costs) {
  char *bytes = memory_new(LARGE);
  double start = clock_now(), used = clock_thread();
  bool fine = true;
  for (uint32_t i = 0; i < QUESTIONS && fine; i++)
    fine = file_write_all(file, bytes, SMALL) && read_all(file, bytes, SMALL);
  double passed = clock_now() - start;
  used = clock_thread() - used;
  start = clock_now();
  for (uint32_t i = 0; i < STREAM && fine; i++)
    fine = file_write_all(file, bytes, LARGE);
  fine = fine && read_all(file, bytes, SMALL);
  double rate = (double)STREAM * LARGE / (clock_now() - start);
  memory_delete(bytes);
  if (!fine) return;
  costs->tcp_latency = least(costs->tcp_latency, passed / QUESTIONS / 2);
  costs->tcp_message = least(costs->tcp_message, used / QUESTIONS / 2);
  if (rate > costs->tcp_rate) costs->tcp_rate = rate;
}

void measuring_tcp(MachineCosts *costs) {
  costs->tcp_latency = costs->tcp_message = 1;
  costs->tcp_rate = 0;
  for (uint32_t i = 0; i < 5; i++) {
    int pair[2];
    pthread_t other;
    if (connect_pair(pair) &&
        thread_start(&other, THREAD_STACK, answer, &pair[1])) {
      ask_over_tcp(pair[0], costs);
      shutdown(pair[0], SHUT_RDWR);
      pthread_join(other, NULL);
    }
    for (int k = 0; k < 2; k++)
      if (pair[k] >= 0) close(pair[k]);
  }
}

/* ---- MPI ---- */

static void post(Ranks *ranks, uint32_t to, size_t length) {
  Text body = {0};
  char zeros[SMALL] = {0};
  if (length > SMALL)
    body = (Text){memory_new(length + 1), length, length + 1};
  else
    text_add_bytes(&body, zeros, length);
  ranks_send(ranks, to, TAG, &body);
}

static void receive(Ranks *ranks) {
  RankMessage message;
  while (!ranks_receive(ranks, &message)) ranks_wait(ranks, 1);
  text_free(&message.body);
}

/* Rank 1: as `answer`. */
static void answer_by_mpi(Ranks *ranks) {
  for (uint32_t i = 0; i < QUESTIONS; i++) {
    receive(ranks);
    post(ranks, 0, SMALL);
  }
  for (uint32_t i = 0; i < QUESTIONS; i++) receive(ranks);
  post(ranks, 0, SMALL);
  for (uint32_t i = 0; i < STREAM; i++) receive(ranks);
  post(ranks, 0, SMALL);
}

/* The processor time of a message is measured with many in a row, as the
   foreman handles them; asking whether one has come costs time, too, while
   there is none. */
static void ask_by_mpi(Ranks *ranks, MachineCosts *costs) {
  double start = clock_now();
  for (uint32_t i = 0; i < QUESTIONS; i++) {
    post(ranks, 1, SMALL);
    receive(ranks);
  }
  double passed = clock_now() - start, used = clock_thread();
  for (uint32_t i = 0; i < QUESTIONS; i++) post(ranks, 1, SMALL);
  while (ranks_unsent(ranks)) continue;
  used = clock_thread() - used;
  receive(ranks);
  start = clock_now();
  for (uint32_t i = 0; i < STREAM; i++) post(ranks, 1, LARGE);
  receive(ranks);
  double rate = (double)STREAM * LARGE / (clock_now() - start);
  costs->mpi_latency = least(costs->mpi_latency, passed / QUESTIONS / 2);
  costs->mpi_message = least(costs->mpi_message, used / QUESTIONS);
  if (rate > costs->mpi_rate) costs->mpi_rate = rate;
}

void measuring_messages(Ranks *ranks, MachineCosts *costs) {
  costs->mpi_latency = costs->mpi_message = 1;
  costs->mpi_rate = 0;
  for (uint32_t i = 0; i < 5; i++) {
    if (ranks_own(ranks) == 0) ask_by_mpi(ranks, costs);
    if (ranks_own(ranks) == 1) answer_by_mpi(ranks);
  }
}
