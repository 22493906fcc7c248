/* The goals are computed by the same program as legality and terminality if
   that shares gates; otherwise they have their own, run only when a game has
   ended. */
#include "wide/cones.h"

#include "base/thread.h"
#include "base/together.h"

/* Of the net, for all legs of a round: chess_200 takes 0.9 s longer for twice
   the rate, amazons would take 2.3 s. */
enum { ROUND_GATES = 300000 };

static const double much = 0.9; /* of a step's cost; dearer legs are not used */

/* Legality of each move, terminal, each goal. */
static Signal *list_outputs(const Net *net) {
  uint32_t moves = net->moves.count, goals = net->goals.count;
  Signal *list = memory_new((moves + 1 + goals) * sizeof *list);
  for (uint32_t i = 0; i < moves; i++) list[i] = net->moves.data[i].legal;
  list[moves] = net->terminal;
  for (uint32_t i = 0; i < goals; i++)
    list[moves + 1 + i] = net->goals.data[i].signal;
  return list;
}

static Signal *list_next(const Net *net) {
  uint32_t count = net->fluents.count;
  Signal *list = memory_new(count * sizeof *list);
  for (uint32_t i = 0; i < count; i++) list[i] = net->fluents.data[i].next;
  return list;
}

/* ---- the programs ---- */

typedef struct Job {
  const Net *net;
  const Signal *outputs;
  uint32_t count;
  Program *program;
} Job;

static void compile(void *context) {
  Job *job = context;
  job->program = program_new(job->net, job->outputs, job->count);
}

/* Uses one program if the goals then add at most a quarter of what they cost
   alone, since they are not needed at every step. The one that computes only
   them is kept: legs need it. */
static void merge_goals(Cones *cones, Job *both) {
  uint32_t apart = program_gates(cones->look);
  uint32_t extra = program_gates(cones->goals);
  bool useful = extra > apart / 32;
  if (useful && !both->program) compile(both);
  if (useful && program_gates(both->program) <= apart + extra / 4) {
    program_delete(cones->look);
    cones->spare = cones->goals;
    cones->look = both->program;
    cones->goals = NULL;
  } else if (both->program) {
    program_delete(both->program);
  }
}

/* The program for both is of use now and then. Where it has a processor of its
   own it is compiled beside the others. */
static void compile_all(Cones *cones) {
  const Net *net = cones->net;
  uint32_t seen = net->moves.count + 1, goals = net->goals.count;
  Signal *outputs = list_outputs(net), *next = list_next(net);
  enum { LOOK, GOALS, NEXT, BOTH, JOBS };
  Job jobs[JOBS] = {{net, outputs, seen, NULL},
                    {net, outputs + seen, goals, NULL},
                    {net, next, net->fluents.count, NULL},
                    {net, outputs, seen + goals, NULL}};
  together_run(compile, jobs, sizeof *jobs,
               thread_processors() >= JOBS ? JOBS : BOTH);
  cones->look = jobs[LOOK].program;
  cones->goals = jobs[GOALS].program;
  cones->next = jobs[NEXT].program;
  merge_goals(cones, &jobs[BOTH]);
  memory_delete(outputs);
  memory_delete(next);
}

static void find_outputs(Cones *cones) {
  uint32_t moves = cones->net->moves.count, goals = cones->net->goals.count;
  cones->legal = memory_new(moves * sizeof *cones->legal);
  cones->goal = memory_new(goals * sizeof *cones->goal);
  for (uint32_t i = 0; i < moves; i++)
    cones->legal[i] = program_output(cones->look, i);
  cones->terminal = program_output(cones->look, moves);
  for (uint32_t i = 0; i < goals; i++)
    cones->goal[i] = cones->goals ? program_output(cones->goals, i)
                                  : program_output(cones->look, moves + 1 + i);
}

static void place_vectors(Cones *cones) {
  cones->filler = program_vectors(cones->look);
  if (program_vectors(cones->next) > cones->filler)
    cones->filler = program_vectors(cones->next);
  if (cones->goals && program_vectors(cones->goals) > cones->filler)
    cones->filler = program_vectors(cones->goals);
  cones->vectors = cones->filler + 1;
}

static void order_copies(Cones *cones) {
  uint32_t count = cones->net->fluents.count;
  uint32_t *all = memory_new(count * sizeof *all);
  Copies copies;
  for (uint32_t i = 0; i < count; i++) all[i] = i;
  copies_order(cones->net, cones->next, all, count, false, cones->vectors,
               &copies);
  cones->again = memory_new(count * sizeof *cones->again);
  for (uint32_t i = 0; i < count; i++)
    cones->again[i] = (SlicedCopy){i, i, cones->net->fluents.data[i].initial};
  cones->vectors += copies.save_count;
  cones->saves = copies.saves;
  cones->copies = copies.copies;
  cones->save_count = copies.save_count;
  cones->copy_count = copies.copy_count;
  cones->whole = (Leg){.look = cones->look,
                       .next = cones->next,
                       .legal = cones->legal,
                       .terminal = cones->terminal,
                       .changes = copies};
  memory_delete(all);
}

/* ---- */

Cones *cones_new(const Net *net, const ProgramMode *mode) {
  if (!isa_available(mode->isa)) return NULL;
  Cones *cones = memory_new(sizeof *cones);
  cones->net = net;
  compile_all(cones);
  find_outputs(cones);
  place_vectors(cones);
  order_copies(cones);
  if (cones_set_mode(cones, mode)) return cones;
  cones_delete(cones);
  return NULL;
}

bool cones_set_mode(Cones *cones, const ProgramMode *mode) {
  if (!program_prepare(cones->look, mode) ||
      !program_prepare(cones->next, mode) ||
      (cones->goals && !program_prepare(cones->goals, mode)) ||
      (cones->judge && !program_prepare(cones->judge, mode)) ||
      (cones->rounds && !legs_prepare(cones->rounds, mode)) ||
      (cones->steps && !legs_prepare(cones->steps, mode)))
    return false;
  cones->mode = *mode;
  cones->sliced = sliced_find(mode->isa, mode->words);
  return true;
}

/* Goals that `look` computes need a program where legs take its place. */
static void add_judge(Cones *cones) {
  uint32_t goals = cones->net->goals.count;
  if (cones->goals) return;
  cones->judge = cones->spare;
  cones->spare = NULL;
  cones->judged = memory_new(goals * sizeof *cones->judged);
  for (uint32_t i = 0; i < goals; i++)
    cones->judged[i] = program_output(cones->judge, i);
}

/* The filler is past what any program writes. */
static void make_room(Cones *cones, uint32_t vectors) {
  if (vectors < cones->vectors) vectors = cones->vectors;
  cones->filler = vectors;
  cones->vectors = vectors + 1;
}

void cones_add_rounds(Cones *cones, uint32_t period) {
  const Net *net = cones->net;
  Course course;
  if (cones->rounds || period < 2 ||
      (uint64_t)period * net->gates.count > ROUND_GATES)
    return;
  course_find_rounds(net, period, &course);
  Legs *legs = legs_new(course, period, period, 1);
  if (legs_cost(legs, period) >
      much * (double)legs_cost_of(&cones->whole, net)) {
    legs_delete(legs);
    return;
  }
  cones->rounds = legs;
  add_judge(cones);
  make_room(cones, legs->vectors);
  if (cones->judge) make_room(cones, program_vectors(cones->judge));
}

void cones_add_steps(Cones *cones, Course course, double mean,
                     uint32_t longest) {
  uint32_t period = cones->rounds->count;
  Legs *legs = legs_new(course, period, LEGS_MOST, 1 + period);
  if (legs_cost(legs, longest) * longest >
      much * legs_cost(cones->rounds, period) * mean) {
    legs_delete(legs);
    return;
  }
  cones->steps = legs;
  make_room(cones, legs->vectors);
}

void cones_restore(Cones *cones, const Cones *before) {
  *cones = *before;
  program_forget_code(cones->look);
  program_forget_code(cones->next);
  if (cones->goals) program_forget_code(cones->goals);
  if (cones->spare) program_forget_code(cones->spare);
}

uint32_t cones_leg_count(const Cones *cones) {
  return 1 + (cones->rounds ? cones->rounds->count : 0) +
         (cones->steps ? cones->steps->count : 0);
}

const Leg *cones_leg(const Cones *cones, uint32_t number) {
  if (!number) return &cones->whole;
  uint32_t rounds = cones->rounds->count;
  return number <= rounds ? &cones->rounds->list[number - 1]
                          : &cones->steps->list[number - 1 - rounds];
}

void cones_delete(Cones *cones) {
  if (cones->rounds) legs_delete(cones->rounds);
  if (cones->steps) legs_delete(cones->steps);
  if (cones->judge) program_delete(cones->judge);
  if (cones->spare) program_delete(cones->spare);
  memory_delete(cones->judged);
  program_delete(cones->look);
  program_delete(cones->next);
  if (cones->goals) program_delete(cones->goals);
  memory_delete(cones->legal);
  memory_delete(cones->goal);
  memory_delete(cones->saves);
  memory_delete(cones->copies);
  memory_delete(cones->again);
  memory_delete(cones);
}

uint32_t cones_gates(const Cones *cones) {
  return program_gates(cones->look) + program_gates(cones->next) +
         (cones->goals ? program_gates(cones->goals) : 0);
}

uint32_t cones_step_gates(const Cones *cones) {
  const Legs *legs = cones->steps ? cones->steps : cones->rounds;
  uint64_t sum = 0;
  if (!legs) return program_gates(cones->look) + program_gates(cones->next);
  for (uint32_t i = 0; i < legs->course.stages; i++) {
    const Leg *leg = legs_at(legs, i);
    sum += program_gates(leg->look) + program_gates(leg->next);
  }
  return (uint32_t)(sum / legs->course.stages);
}

uint64_t *cones_vectors_new(const Cones *cones, size_t count) {
  size_t size = (count * cones->mode.words * sizeof(uint64_t) + 63) / 64 * 64;
  return memory_new_aligned(size);
}

uint64_t *cones_memory_new(const Cones *cones) {
  return cones_vectors_new(cones, cones->vectors);
}

void cones_run_look(const Cones *cones, uint64_t *memory) {
  program_run(cones->look, &cones->mode, memory);
}

void cones_run_goals(const Cones *cones, uint64_t *memory) {
  if (cones->goals) program_run(cones->goals, &cones->mode, memory);
}

void cones_run_next(const Cones *cones, uint64_t *memory) {
  program_run(cones->next, &cones->mode, memory);
}

const uint32_t *cones_judge(const Cones *cones, uint64_t *memory) {
  if (cones->judge) {
    program_run(cones->judge, &cones->mode, memory);
    return cones->judged;
  }
  if (cones->goals) program_run(cones->goals, &cones->mode, memory);
  return cones->goal;
}
