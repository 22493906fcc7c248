/* The search's side of a crew. A task is sent as one message and comes back in
   pieces, in any order; it is taken when all are there. */
#include "cluster/crew.h"

#include <math.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cluster/crew_parts.h"

static const double score_interval = 0.25; /* seconds */

/* Of what would keep the ally at work: less is not worth a task. */
enum { ROOM_PART = 16 };

void crew_lock(Crew *crew) {
  pthread_mutex_lock(&crew->lock);
}

void crew_unlock(Crew *crew) {
  pthread_mutex_unlock(&crew->lock);
}

static void poke(Crew *crew) {
  uint64_t one = 1;
  if (write(crew->poke, &one, sizeof one) < 0) { /* it is awake already */
  }
}

static Crew *crew_of(Ally *ally) {
  return (Crew *)ally;
}

/* ---- tasks; with the lock held ---- */

void crew_drop(Crew *crew, Packet **list) {
  while (*list) {
    Packet *packet = *list;
    *list = packet->next;
    packet->next = crew->trash;
    crew->trash = packet;
  }
}

static void finish(Crew *crew, CrewTask *task, CrewTaskState state) {
  task->state = state;
  crew->done[crew->done_count++] = (uint32_t)(task - crew->tasks);
  crew->under_way -= task->leaves;
  if (state == CREW_LOST) {
    crew_drop(crew, &task->packets);
    crew->counts.lost++;
  }
  pthread_cond_signal(&crew->changed);
}

void crew_lose(Crew *crew) {
  for (uint32_t i = 0; i < CREW_TASKS; i++)
    if (crew->tasks[i].state == CREW_SENT)
      finish(crew, &crew->tasks[i], CREW_LOST);
  crew->working = false;
  crew->wanted = 0;
  text_clear(&crew->out);
  crew_drop(crew, &crew->roots);
  crew->roots_new = false;
  pthread_cond_signal(&crew->changed);
}

/* Nothing of the state before will be taken. */
static void forget(Crew *crew) {
  for (uint32_t i = 0; i < CREW_TASKS; i++) {
    crew_drop(crew, &crew->tasks[i].packets);
    crew->tasks[i].state = CREW_FREE;
  }
  crew->done_count = crew->under_way = 0;
  text_clear(&crew->out);
  crew_drop(crew, &crew->roots);
  crew->roots_new = false;
}

static void insert(CrewTask *task, Packet *packet) {
  Packet **place = &task->packets;
  while (*place && (*place)->first < packet->first) place = &(*place)->next;
  packet->next = *place;
  *place = packet;
}

bool crew_receive(Crew *crew, Packet *packet) {
  Outcome outcome;
  CrewTask *task = NULL;
  if (!talk_read_outcome(&packet->message, &outcome)) return false;
  for (uint32_t i = 0; i < CREW_TASKS && outcome.epoch == crew->epoch; i++)
    if (crew->tasks[i].state == CREW_SENT &&
        crew->tasks[i].number == outcome.number)
      task = &crew->tasks[i];
  if (!task) { /* of a state that the search has left */
    crew_drop(crew, &packet);
    return true;
  }
  if (!outcome.leaves || outcome.leaves > task->leaves - task->got)
    return false;
  packet->first = outcome.first;
  insert(task, packet);
  task->got += outcome.leaves;
  crew->counts.leaves += outcome.leaves;
  if (task->got == task->leaves) {
    crew->counts.tasks++;
    finish(crew, task, CREW_DONE);
  }
  return true;
}

/* ---- where the search stands ---- */

static void stand(Ally *ally, const AllyPosition *position) {
  Crew *crew = crew_of(ally);
  if (position->words != crew->words) return;
  crew_lock(crew);
  forget(crew);
  crew->epoch++;
  crew->stand.epoch = crew->epoch;
  crew->stand.depth = position->depth;
  crew->stand.horizon = isfinite(position->horizon) ? position->horizon : 0;
  size_t size = crew->words * sizeof(uint64_t);
  if (memcmp(crew->stand.state.data, position->state, size) != 0)
    crew->roots_simulations = crew->roots_states = 0;
  memcpy(crew->stand.state.data, position->state, size);
  crew->stand_new = true;
  crew->resting = crew->rest_new = false;
  crew_unlock(crew);
  poke(crew);
}

static void rest(Ally *ally) {
  Crew *crew = crew_of(ally);
  crew_lock(crew);
  crew->resting = crew->rest_new = true;
  crew_unlock(crew);
  poke(crew);
}

/* ---- leaves ---- */

static CrewTask *find_free(Crew *crew) {
  for (uint32_t i = 0; i < CREW_TASKS; i++)
    if (crew->tasks[i].state == CREW_FREE) return &crew->tasks[i];
  return NULL;
}

/* Leaves that fit among what waits to be sent. */
static size_t fitting(const Crew *crew) {
  size_t head = talk_piece_size(0, crew->words) + sizeof(uint32_t) + 1;
  size_t used = crew->out.length + head;
  return used >= CREW_OUT ? 0
                          : (CREW_OUT - used) / sizeof(uint64_t) / crew->words;
}

static uint32_t room_now(Crew *crew) {
  if (!crew->working || crew->resting || crew->wanted <= crew->under_way ||
      !find_free(crew))
    return 0;
  uint32_t leaves = crew->wanted - crew->under_way;
  size_t most = fitting(crew);
  if (leaves < crew->wanted / ROOM_PART) return 0;
  return leaves < most ? leaves : (uint32_t)most;
}

static uint32_t room(Ally *ally) {
  Crew *crew = crew_of(ally);
  crew_lock(crew);
  uint32_t leaves = room_now(crew);
  crew_unlock(crew);
  return leaves;
}

static void write_task(Crew *crew, const AllyTask *task) {
  uint32_t size = (uint32_t)talk_piece_size(task->leaves, task->words);
  Text *out = &crew->out;
  const uint32_t head[] = {size, TALK_TASK,    crew->epoch,  task->number,
                           0,    task->leaves, task->repeat, task->words};
  wire_put_array(out, head, sizeof head / sizeof *head, sizeof *head);
  wire_put_array(out, task->states, (size_t)task->leaves * task->words,
                 sizeof(uint64_t));
}

static void play(Ally *ally, const AllyTask *task) {
  Crew *crew = crew_of(ally);
  crew_lock(crew);
  CrewTask *own = find_free(crew);
  if (own) {
    *own = (CrewTask){
        .state = CREW_SENT, .number = task->number, .leaves = task->leaves};
    crew->under_way += task->leaves;
    if (crew->working && task->words == crew->words && task->leaves &&
        task->leaves <= fitting(crew))
      write_task(crew, task);
    else
      finish(crew, own, CREW_LOST);
  }
  crew_unlock(crew);
  poke(crew);
}

/* Takes the oldest task that is done or lost out of the list. */
static bool pop(Crew *crew, CrewTask *task) {
  if (!crew->done_count) return false;
  CrewTask *own = &crew->tasks[crew->done[0]];
  *task = *own;
  *own = (CrewTask){.state = CREW_FREE};
  crew->done_count--;
  memmove(crew->done, crew->done + 1, crew->done_count * sizeof *crew->done);
  return true;
}

static void clear(AllyResult *result) {
  vector_clear(&result->playouts);
  vector_clear(&result->steps);
  vector_clear(&result->sums);
  vector_clear(&result->highest);
  vector_clear(&result->tails);
  vector_clear(&result->ends);
  vector_clear(&result->credit);
  result->leaves = 0;
  result->states = result->cut_off = 0;
}

/* Not under the lock: the vectors may take the thread out of its trial. */
static bool read_packets(Crew *crew, const CrewTask *task, AllyResult *result) {
  bool fine = true;
  uint32_t next = 0;
  for (const Packet *each = task->packets; each && fine; each = each->next) {
    fine = each->first == next &&
           talk_read_result(&each->message, crew->roles, crew->moves, result);
    next = result->leaves;
  }
  return fine && result->leaves == task->leaves;
}

static bool take(Ally *ally, AllyResult *result) {
  Crew *crew = crew_of(ally);
  CrewTask task;
  crew_lock(crew);
  bool there = pop(crew, &task);
  crew_unlock(crew);
  if (!there) return false;
  clear(result);
  result->number = task.number;
  bool fine = task.state == CREW_DONE && read_packets(crew, &task, result);
  uint64_t playouts = 0;
  for (uint32_t i = 0; fine && i < result->playouts.count; i++)
    playouts += result->playouts.data[i];
  if (!fine) clear(result);
  crew_lock(crew);
  crew_drop(crew, &task.packets);
  crew->damaged |= !fine && task.state == CREW_DONE;
  crew->counts.simulations += playouts;
  crew->counts.states += result->states;
  crew_unlock(crew);
  return true;
}

static void score(Ally *ally, const double *scores, uint32_t count) {
  Crew *crew = crew_of(ally);
  double now = clock_now();
  if (!crew->scheme->merged || count != crew->moves ||
      now < crew->scored + score_interval)
    return;
  crew_lock(crew);
  memcpy(crew->scores, scores, count * sizeof *scores);
  crew->scores_new = true;
  crew->scored = now;
  crew_unlock(crew);
  poke(crew);
}

/* ---- roots ---- */

static bool roots(Ally *ally, RootSums *sums) {
  Crew *crew = crew_of(ally);
  Packet *packet = NULL;
  uint32_t epoch;
  crew_lock(crew);
  if (crew->roots_new) {
    packet = crew->roots;
    crew->roots = NULL;
    crew->roots_new = false;
  }
  crew_unlock(crew);
  if (!packet) return false;
  bool fine = talk_read_roots(&packet->message, crew->moves, &epoch, sums);
  crew_lock(crew);
  crew_drop(crew, &packet);
  crew->damaged |= !fine;
  fine = fine && epoch == crew->epoch;
  if (fine && sums->simulations >= crew->roots_simulations &&
      sums->states >= crew->roots_states) {
    crew->counts.simulations += sums->simulations - crew->roots_simulations;
    crew->counts.states += sums->states - crew->roots_states;
    crew->roots_simulations = sums->simulations;
    crew->roots_states = sums->states;
  }
  crew_unlock(crew);
  return fine;
}

/* ---- waiting ---- */

static struct timespec moment_after(double seconds) {
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

static void wait_for(Ally *ally, double seconds) {
  Crew *crew = crew_of(ally);
  struct timespec until = moment_after(fmin(fmax(seconds, 0), 1e6));
  crew_lock(crew);
  while (!crew->done_count && !crew->roots_new && !crew->woken &&
         !room_now(crew) &&
         pthread_cond_timedwait(&crew->changed, &crew->lock, &until) == 0) {
  }
  crew->woken = false;
  crew_unlock(crew);
}

static void wake(Ally *ally) {
  Crew *crew = crew_of(ally);
  crew_lock(crew);
  crew->woken = true;
  pthread_cond_broadcast(&crew->changed);
  crew_unlock(crew);
}

static const AllyOperations operations = {.stand = stand,
                                          .rest = rest,
                                          .room = room,
                                          .play = play,
                                          .take = take,
                                          .score = score,
                                          .roots = roots,
                                          .wait = wait_for,
                                          .wake = wake};

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

static void free_crew(Crew *crew) {
  forget(crew);
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
  crew->ally =
      (Ally){.operations = &operations, .joins = scheme->kind == SCHEME_RUNS};
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
  free_crew(crew);
  return NULL;
}

void crew_delete(Crew *crew) {
  crew_lock(crew);
  crew->ending = true;
  crew_unlock(crew);
  poke(crew);
  pthread_join(crew->thread, NULL);
  free_crew(crew);
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
  poke(crew);
  return &crew->ally;
}

void crew_count(Crew *crew, CrewCounts *counts) {
  crew_lock(crew);
  *counts = crew->counts;
  crew_unlock(crew);
}

void crew_wait(Crew *crew, double seconds) {
  struct timespec until = moment_after(seconds);
  crew_lock(crew);
  while (!crew->settled &&
         pthread_cond_timedwait(&crew->changed, &crew->lock, &until) == 0) {
  }
  crew_unlock(crew);
}
