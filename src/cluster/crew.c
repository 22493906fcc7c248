#include "cluster/crew.h"

#include <math.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"
#include "cluster/crew_parts.h"

void crew_lock(Crew *crew) {
  pthread_mutex_lock(&crew->lock);
}

void crew_unlock(Crew *crew) {
  pthread_mutex_unlock(&crew->lock);
}

void crew_poke(Crew *crew) {
  uint64_t one = 1;
  if (write(crew->poke, &one, sizeof one) < 0) { /* it is awake already */
  }
}

struct timespec crew_moment(double seconds) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  double whole = floor(seconds);
  moment.tv_sec += (time_t)whole;
  moment.tv_nsec += (long)((seconds - whole) * 1e9);
  if (moment.tv_nsec >= 1000000000) {
    moment.tv_nsec -= 1000000000;
    moment.tv_sec++;
  }
  return moment;
}

/* ---- life ---- */

/* What a worker's search is: without what the master alone has. */
static void write_settings(const Settings *settings, Text *text) {
  Settings own = *settings;
  own.mind = MIND_SEARCH;
  own.puzzle = PUZZLE_SEARCH;
  own.evaluation = EVALUATION_NONE;
  own.judge = own.implicit = own.prior = 0;
  own.cutoff = 0;
  own.share = 1;
  text_add(text, "tafl:");
  settings_write(&own, text);
}

static void write_job(Crew *crew, const CrewWork *work) {
  Job job = {.role = work->role,
             .seed = work->seed,
             .scheme = crew->scheme->kind,
             .merged = crew->scheme->merged,
             .limits = work->limits};
  text_add_bytes(&job.rules, work->rules, work->rules_length);
  write_settings(work->settings, &job.settings);
  talk_write_job(&crew->job, &job);
  talk_free_job(&job);
}

void crew_free(Crew *crew) {
  crew_forget(crew);
  while (crew->trash) {
    Packet *packet = crew->trash;
    crew->trash = packet->next;
    text_free(&packet->message);
    memory_delete(packet);
  }
  text_free(&crew->job);
  text_free(&crew->out);
  talk_free_stand(&crew->stand);
  memory_delete(crew->scores);
  pthread_mutex_destroy(&crew->lock);
  pthread_cond_destroy(&crew->changed);
  if (crew->poke >= 0) close(crew->poke);
  memory_delete(crew);
}

Crew *crew_new(const Scheme *scheme, const CrewWork *work, Text *error) {
  Crew *crew = memory_new(sizeof *crew);
  pthread_condattr_t attributes;
  crew->ally = (Ally){.operations = &crew_operations,
                      .joins = scheme->kind == SCHEME_RUNS};
  crew->scheme = scheme;
  crew->note = work->note;
  crew->context = work->context;
  crew->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  crew->out = (Text){.bytes = memory_new(CREW_OUT), .capacity = CREW_OUT};
  write_job(crew, work);
  pthread_mutex_init(&crew->lock, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&crew->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  if (crew->poke >= 0 &&
      thread_start(&crew->thread, THREAD_STACK, crew_supervise, crew))
    return crew;
  text_add(error, "the system refuses a thread or a file");
  crew_free(crew);
  return NULL;
}

void crew_delete(Crew *crew) {
  crew_lock(crew);
  crew->ending = true;
  crew_unlock(crew);
  crew_poke(crew);
  pthread_join(crew->thread, NULL);
  crew_free(crew);
}

/* From now on the crew is its thread's. */
void crew_leave(Crew *crew) {
  pthread_t thread = crew->thread;
  crew_lock(crew);
  crew->note = NULL;
  crew->ending = crew->left = true;
  crew_poke(crew);
  crew_unlock(crew);
  pthread_detach(thread);
}

Ally *crew_ally(Crew *crew, const Book *book) {
  uint32_t words = book->words;
  uint64_t print = talk_print(book);
  double *scores = memory_new((book->net.moves.count + 1) * sizeof *scores);
  crew_lock(crew);
  vector_resize(&crew->stand.state, words);
  memset(crew->stand.state.data, 0, words * sizeof(uint64_t));
  memory_delete(crew->scores);
  crew->scores = scores;
  crew->words = words;
  crew->moves = book->net.moves.count;
  crew->roles = book->net.role_count;
  crew->print = print;
  crew_unlock(crew);
  crew_poke(crew);
  return &crew->ally;
}

void crew_count(Crew *crew, CrewCounts *counts) {
  crew_lock(crew);
  *counts = crew->counts;
  crew_unlock(crew);
}

void crew_wait(Crew *crew, double seconds) {
  struct timespec until = crew_moment(seconds);
  crew_lock(crew);
  while (!crew->settled &&
         pthread_cond_timedwait(&crew->changed, &crew->lock, &until) == 0) {
  }
  crew_unlock(crew);
}
