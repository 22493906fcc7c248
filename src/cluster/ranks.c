/* Messages that are being sent are a list of texts that MPI reads from until it
   says that they are sent; a message that was looked for and found waits in
   `next` for ranks_receive.

   MPI has no way to sleep until a message comes: ranks_wait asks again and
   again, at first after 20 µs, so that the answer to a question comes quickly,
   then ever more rarely, so that idle ranks leave the processor to others. How
   long it sleeps is kept from call to call, until something arrives.

   The module is never unloaded: MPI cannot be started twice. */
#include "cluster/ranks.h"

#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/transport.h"

enum { ASKED = 8 }; /* messages that a look asks for whether they are sent */

static const double shortest_sleep = 20e-6, longest_sleep = 1e-3;

typedef struct Sending {
  Text body;
  void *request;
} Sending;

struct Ranks {
  const Transport *transport;
  uint32_t own, count, local;
  char host[TRANSPORT_HOST];
  VECTOR(Sending) sending;
  uint32_t turn; /* message of `sending` to be asked for next */
  size_t unsent; /* bytes */
  bool found;    /* `next` is to be taken */
  Envelope next;
  double sleep; /* seconds, when there is nothing to do */
};

/* ---- the module ---- */

/* Beside the program, where it is built; else where it is installed. */
static const char *const places[] = {"tafl-mpi.so", "../lib/tafl/tafl-mpi.so"};

static bool find_module(Text *path) {
  const char *given = getenv("TAFL_MPI");
  char own[PATH_MAX];
  if (given && *given) {
    text_add(path, given);
    return true;
  }
  ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  while (length > 0 && own[length - 1] != '/') length--;
  for (size_t i = 0; length > 0 && i < sizeof places / sizeof *places; i++) {
    text_clear(path);
    text_add_bytes(path, own, (size_t)length);
    text_add(path, places[i]);
    if (access(path->bytes, F_OK) == 0) return true;
  }
  return false;
}

/* MPI loads parts of itself, which look for its symbols among the global ones.
 */
static const Transport *load_module(const char *path, Text *why) {
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const Transport *transport = module ? dlsym(module, TRANSPORT_SYMBOL) : NULL;
  if (!transport)
    text_format(why, "MPI cannot be loaded: %s", dlerror());
  else if (transport->version != TRANSPORT_VERSION)
    text_format(why, "%s is of another version of the program", path);
  else
    return transport;
  return NULL;
}

static const Transport *find_transport(Text *why) {
  Text path = {0};
  const Transport *transport = NULL;
  if (find_module(&path))
    transport = load_module(path.bytes, why);
  else
    text_add(why, "this program was built without MPI");
  text_free(&path);
  return transport;
}

bool ranks_available(Text *why) {
  Text path = {0};
  bool found = find_module(&path);
  if (!found) text_add(why, "this program was built without MPI");
  text_free(&path);
  return found;
}

/* ---- a job ---- */

Ranks *ranks_open(Text *why) {
  const Transport *transport = find_transport(why);
  if (!transport) return NULL;
  Ranks *ranks = memory_new(sizeof *ranks);
  const char *wrong =
      transport->join(&ranks->own, &ranks->count, &ranks->local, ranks->host);
  if (wrong) {
    text_add(why, wrong);
    memory_delete(ranks);
    return NULL;
  }
  ranks->transport = transport;
  ranks->sleep = shortest_sleep;
  return ranks;
}

uint32_t ranks_own(const Ranks *ranks) {
  return ranks->own;
}

uint32_t ranks_count(const Ranks *ranks) {
  return ranks->count;
}

uint32_t ranks_local(const Ranks *ranks) {
  return ranks->local;
}

const char *ranks_host(const Ranks *ranks) {
  return ranks->host;
}

static void sleep_for(double seconds) {
  struct timespec moment = {.tv_nsec = (long)(seconds * 1e9)};
  nanosleep(&moment, NULL);
}

/* Sleeps longer each time. */
static void sleep_growing(Ranks *ranks, double most) {
  sleep_for(ranks->sleep < most ? ranks->sleep : most);
  ranks->sleep *= 1.5;
  if (ranks->sleep > longest_sleep) ranks->sleep = longest_sleep;
}

static void drop_messages(Ranks *ranks) {
  RankMessage message;
  while (ranks_receive(ranks, &message)) text_free(&message.body);
}

/* Nobody waits for good: whoever closes takes what is still sent to it, until
   all have sent everything. */
void ranks_close(Ranks *ranks) {
  bool sent = false;
  ranks->sleep = shortest_sleep;
  for (;;) {
    drop_messages(ranks);
    sent = sent || !ranks_unsent(ranks);
    if (sent && ranks->transport->finished()) break;
    sleep_growing(ranks, longest_sleep);
  }
  drop_messages(ranks);
  ranks->transport->leave();
  vector_free(&ranks->sending);
  memory_delete(ranks);
}

_Noreturn void ranks_abort(Ranks *ranks, int status) {
  ranks->transport->abort(status);
  _exit(status);
}

/* ---- messages ---- */

/* Asks for so many messages at most whether they are sent, in turns. */
static void forget_sent(Ranks *ranks, uint32_t most) {
  for (uint32_t n = 0; n < most && ranks->sending.count; n++) {
    if (ranks->turn >= ranks->sending.count) ranks->turn = 0;
    Sending *sending = &ranks->sending.data[ranks->turn];
    if (ranks->transport->sent(sending->request)) {
      ranks->unsent -= sending->body.length;
      text_free(&sending->body);
      *sending = vector_last(&ranks->sending);
      ranks->sending.count--;
    } else {
      ranks->turn++;
    }
  }
}

void ranks_send(Ranks *ranks, uint32_t to, uint32_t tag, Text *body) {
  Sending sending = {.body = *body};
  assert(to < ranks->count && tag < TRANSPORT_TAGS);
  if (body->length > INT_MAX)
    fatal_limit("a message of %zu bytes to rank %u; MPI takes 2 GiB",
                body->length, to);
  *body = (Text){0};
  sending.request =
      ranks->transport->send(to, tag, sending.body.bytes, sending.body.length);
  if (!sending.request) fatal_limit("out of memory");
  ranks->unsent += sending.body.length;
  ranks->sleep = shortest_sleep;
  vector_push(&ranks->sending, sending);
}

size_t ranks_unsent(Ranks *ranks) {
  forget_sent(ranks, ranks->sending.count);
  return ranks->unsent;
}

static bool look(Ranks *ranks) {
  forget_sent(ranks, ASKED);
  if (!ranks->found) ranks->found = ranks->transport->look(&ranks->next);
  if (ranks->found) ranks->sleep = shortest_sleep;
  return ranks->found;
}

bool ranks_receive(Ranks *ranks, RankMessage *message) {
  if (!look(ranks)) return false;
  size_t length = ranks->next.length;
  *message = (RankMessage){.from = ranks->next.from, .tag = ranks->next.tag};
  message->body = (Text){.bytes = memory_new(length + 1),
                         .length = length,
                         .capacity = length + 1};
  ranks->transport->take(message->body.bytes);
  ranks->found = false;
  return true;
}

bool ranks_wait(Ranks *ranks, double seconds) {
  double end = clock_now() + seconds;
  for (;;) {
    if (look(ranks)) return true;
    double left = end - clock_now();
    if (left <= 0) return false;
    sleep_growing(ranks, left);
  }
}
