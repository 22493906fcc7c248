/* The search's side of a crew. A task is sent as one message and comes back in
   pieces, in any order; it is taken when all are there. */
#include <math.h>

#include "base/clock.h"
#include "cluster/crew_parts.h"

static const double score_interval = 0.25; /* seconds */

/* Of what would keep the ally at work: less is not worth a task. */
enum { ROOM_PART = 16 };

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

void crew_forget(Crew *crew) {
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
  crew_forget(crew);
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
  crew_poke(crew);
}

static void rest(Ally *ally) {
  Crew *crew = crew_of(ally);
  crew_lock(crew);
  crew->resting = crew->rest_new = true;
  crew_unlock(crew);
  crew_poke(crew);
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
  crew_poke(crew);
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
  crew_poke(crew);
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

static void wait_for(Ally *ally, double seconds) {
  Crew *crew = crew_of(ally);
  struct timespec until = crew_moment(fmin(fmax(seconds, 0), 1e6));
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

const AllyOperations crew_operations = {.stand = stand,
                                        .rest = rest,
                                        .room = room,
                                        .play = play,
                                        .take = take,
                                        .score = score,
                                        .roots = roots,
                                        .wait = wait_for,
                                        .wake = wake};
