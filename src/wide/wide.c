/* One step of all lanes: see (legal moves, terminal), choose, settle what is
   over, go to the successors.

   Sets of lanes are lane vectors: `active` lanes have a playout; of those,
   lanes in terminal states are `over`, others are `cut` off or `stuck`. All of
   these keep their state until enough have gathered to settle them together:
   the goals' program and the bookkeeping then run once for many lanes. Waiting
   for a sixteenth of the lanes was 5 % faster than settling at every step at
   Connect Four and within the noise elsewhere; thresholds from an eighth to a
   thirtieth are alike.

   Where roles take turns, lanes begin only every second step (of two roles), so
   that in all of them it is the same role's turn: the others' moves are then
   legal in no lane and cost a test each. Tic-tac-toe gains 28 % by this,
   breakthrough 16 %, with Gibbs choice 43 % and 56 %.

   A lane's steps are counted in planes. */
#include "wide/wide.h"

#include "wide/lanes.h"
#include "wide/record.h"
#include "wide/starts.h"

struct Wide {
  const Cones *cones;
  WideOptions options;
  uint32_t words, roles;
  uint64_t *memory;
  Choose choose;
  Record record;
  Credit credit;
  Starts starts;
  bool from_starts;
  uint64_t *active, *over, *cut, *stuck, *free, *moved, *held;
  uint32_t waited;        /* steps that some lane has been over */
  uint32_t phase, period; /* lanes begin in phase 0 */
  uint64_t *ages;         /* planes: steps of each lane's playout */
  uint32_t age_planes;
  uint64_t *reached; /* lanes whose age is the limit */
  uint64_t *goals;   /* per goal, lanes that are scored with it now */
  uint64_t *scored;  /* per role, lanes that have a goal now */
  WideTotals totals;
  WideStart *start_results;
  uint64_t *start_goals; /* roles for each start */
  int *lane_goals;       /* per role, for the listener */
};

enum { LONGEST_WAIT = 32 };

/* ---- sets of lanes ---- */

static bool any(const Wide *wide, const uint64_t *set) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < wide->words; i++) bits |= set[i];
  return bits;
}

static uint64_t size(const Wide *wide, const uint64_t *set) {
  return wide->cones->sliced->ones(set, wide->words);
}

/* ---- life ---- */

static void fill_initial(Wide *wide) {
  const Net *net = wide->cones->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    memset(cones_vector(wide->cones, wide->memory, i),
           net->fluents.data[i].initial ? 255 : 0,
           wide->words * sizeof(uint64_t));
}

/* As many steps as there are roles, if one role alone has a choice in the
   initial state. */
static uint32_t find_period(Wide *wide) {
  const Cones *cones = wide->cones;
  uint32_t choosing = 0;
  fill_initial(wide);
  cones_run_look(cones, wide->memory);
  for (uint32_t role = 0; role < wide->roles; role++) {
    const uint32_t *first = cones->net->role_first.data + role;
    uint64_t legal = 0;
    for (uint32_t i = first[0]; i < first[1]; i++)
      legal += *cones_vector(cones, wide->memory, cones->legal[i]) & 1;
    choosing += legal > 1;
  }
  return choosing == 1 ? wide->roles : 1;
}

/* Drop what is at play; all lanes are idle, or in the initial state. */
static void begin(Wide *wide) {
  size_t bytes = wide->words * sizeof(uint64_t);
  memset(wide->goals, 0, wide->cones->net->goals.count * bytes);
  if (wide->options.credit)
    credit_end(&wide->credit, wide->active, wide->goals);
  memset(wide->ages, 0, wide->age_planes * bytes);
  memset(wide->reached, 0, bytes);
  memset(wide->active, wide->from_starts ? 0 : 255, bytes);
  wide->waited = wide->phase = 0;
  if (!wide->from_starts) fill_initial(wide);
  if (wide->options.record) record_begin(&wide->record, wide->active);
}

static void new_sets(Wide *wide) {
  uint64_t **sets[] = {&wide->active, &wide->over,   &wide->cut,
                       &wide->stuck,  &wide->free,   &wide->moved,
                       &wide->held,   &wide->reached};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    *sets[i] = cones_vectors_new(wide->cones, 1);
  while (wide->options.step_limit >> wide->age_planes) wide->age_planes++;
  wide->ages = cones_vectors_new(wide->cones, wide->age_planes);
  wide->goals = cones_vectors_new(wide->cones, wide->cones->net->goals.count);
  wide->scored = cones_vectors_new(wide->cones, wide->roles);
}

static void new_totals(Wide *wide) {
  size_t bytes = wide->roles * sizeof(uint64_t);
  wide->totals.scored = memory_new(bytes);
  wide->totals.goals = memory_new(bytes);
  wide->totals.goal_squares = memory_new(bytes);
  wide->lane_goals = memory_new(wide->roles * sizeof *wide->lane_goals);
}

Wide *wide_new(const Cones *cones, const WideOptions *options) {
  Wide *wide = memory_new(sizeof *wide);
  wide->cones = cones;
  wide->options = *options;
  wide->words = cones->mode.words;
  wide->roles = cones->net->role_count;
  wide->memory = cones_memory_new(cones);
  choose_init(&wide->choose, cones, options->seed);
  if (options->record) record_init(&wide->record, cones);
  if (options->credit) credit_init(&wide->credit, cones);
  new_sets(wide);
  new_totals(wide);
  wide->period = find_period(wide);
  begin(wide);
  return wide;
}

static void delete_starts(Wide *wide) {
  if (wide->from_starts) starts_free(&wide->starts);
  memory_delete(wide->start_results);
  memory_delete(wide->start_goals);
}

void wide_delete(Wide *wide) {
  uint64_t *vectors[] = {
      wide->memory,        wide->active,       wide->over,
      wide->cut,           wide->stuck,        wide->free,
      wide->moved,         wide->held,         wide->reached,
      wide->ages,          wide->goals,        wide->scored,
      wide->totals.scored, wide->totals.goals, wide->totals.goal_squares};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    memory_delete(vectors[i]);
  choose_free(&wide->choose);
  if (wide->options.record) record_free(&wide->record);
  if (wide->options.credit) credit_free(&wide->credit);
  delete_starts(wide);
  memory_delete(wide->lane_goals);
  memory_delete(wide);
}

void wide_set_scores(Wide *wide, const double *scores) {
  choose_set_scores(&wide->choose, scores);
}

void wide_set_starts(Wide *wide, const uint64_t *rows, uint32_t count,
                     uint32_t repeat) {
  delete_starts(wide);
  wide->from_starts = rows;
  wide->start_results = NULL;
  wide->start_goals = NULL;
  if (rows) {
    starts_init(&wide->starts, wide->cones);
    starts_set(&wide->starts, rows, count, repeat);
    wide->start_results = memory_new(count * sizeof *wide->start_results);
    wide->start_goals =
        memory_new((size_t)count * wide->roles * sizeof *wide->start_goals);
  }
  begin(wide);
}

/* ---- settling ---- */

/* The lanes that are over, goal by goal; of several goals of a role the first
   counts. */
static void score(Wide *wide) {
  const Cones *cones = wide->cones;
  memset(wide->scored, 0, wide->roles * wide->words * sizeof *wide->scored);
  for (uint32_t g = 0; g < cones->net->goals.count; g++) {
    const NetGoal *goal = &cones->net->goals.data[g];
    const uint64_t *holds = cones_vector(cones, wide->memory, cones->goal[g]);
    uint64_t *mask = wide->goals + (size_t)g * wide->words;
    uint64_t *scored = wide->scored + (size_t)goal->role * wide->words;
    for (uint32_t i = 0; i < wide->words; i++) {
      mask[i] = goal->value < 0 ? 0 : wide->over[i] & holds[i] & ~scored[i];
      scored[i] |= mask[i];
    }
    uint64_t count = size(wide, mask), value = (uint64_t)goal->value;
    wide->totals.scored[goal->role] += count;
    wide->totals.goals[goal->role] += count * value;
    wide->totals.goal_squares[goal->role] += count * value * value;
  }
}

/* Call `each` for the lanes of a set. */
static void for_lanes(Wide *wide, const uint64_t *set, uint32_t argument,
                      void (*each)(Wide *, uint32_t lane, uint32_t argument)) {
  for (uint32_t word = 0; word < wide->words; word++)
    for (uint64_t left = set[word]; left; left &= left - 1)
      each(wide, 64 * word + (uint32_t)__builtin_ctzll(left), argument);
}

static void tell(Wide *wide, uint32_t lane, uint32_t outcome) {
  const Net *net = wide->cones->net;
  for (uint32_t role = 0; role < wide->roles; role++)
    wide->lane_goals[role] = -1;
  for (uint32_t g = 0; outcome == WIDE_ENDED && g < net->goals.count; g++)
    if (lanes_bit(wide->goals + (size_t)g * wide->words, lane))
      wide->lane_goals[net->goals.data[g].role] = net->goals.data[g].value;
  WidePlayout playout = {
      .outcome = (WideOutcome)outcome,
      .lane = lane,
      .start = wide->from_starts ? wide->starts.start[lane] : 0,
      .steps = lanes_number(wide->ages, wide->words, wide->age_planes, lane),
      .goals = wide->lane_goals,
      .first = wide->options.record ? record_first(&wide->record, lane) : 0};
  wide->options.listener(wide->options.context, &playout);
}

/* ---- results of starts ---- */

static void count_outcome(Wide *wide, uint32_t lane, uint32_t outcome) {
  WideStart *result = &wide->start_results[wide->starts.start[lane]];
  result->ended += outcome == WIDE_ENDED;
  result->cut_off += outcome == WIDE_CUT_OFF;
  result->stuck += outcome == WIDE_STUCK;
}

static void count_goal(Wide *wide, uint32_t lane, uint32_t g) {
  const NetGoal *goal = &wide->cones->net->goals.data[g];
  wide->start_goals[(size_t)wide->starts.start[lane] * wide->roles +
                    goal->role] += (uint64_t)goal->value;
}

static void settle_starts(Wide *wide) {
  const Net *net = wide->cones->net;
  for_lanes(wide, wide->over, WIDE_ENDED, count_outcome);
  for_lanes(wide, wide->cut, WIDE_CUT_OFF, count_outcome);
  for_lanes(wide, wide->stuck, WIDE_STUCK, count_outcome);
  for (uint32_t g = 0; g < net->goals.count; g++)
    if (net->goals.data[g].value > 0)
      for_lanes(wide, wide->goals + (size_t)g * wide->words, g, count_goal);
}

/* A lane without another playout to begin becomes idle. */
static void retire(Wide *wide, uint32_t lane, uint32_t unused) {
  (void)unused;
  if (!starts_again(&wide->starts, lane))
    wide->active[lane / 64] &= ~(UINT64_C(1) << lane % 64);
}

static void settle(Wide *wide) {
  cones_run_goals(wide->cones, wide->memory);
  score(wide);
  wide->totals.ended += size(wide, wide->over);
  wide->totals.cut_off += size(wide, wide->cut);
  wide->totals.stuck += size(wide, wide->stuck);
  for (uint32_t j = 0; j < wide->age_planes; j++)
    wide->totals.steps +=
        wide->cones->sliced->ones_of_both(
            wide->over, wide->ages + (size_t)j * wide->words, wide->words)
        << j;
  if (wide->options.credit) credit_end(&wide->credit, wide->held, wide->goals);
  if (wide->options.listener) {
    for_lanes(wide, wide->over, WIDE_ENDED, tell);
    for_lanes(wide, wide->cut, WIDE_CUT_OFF, tell);
    for_lanes(wide, wide->stuck, WIDE_STUCK, tell);
  }
  if (wide->from_starts) {
    settle_starts(wide);
    for_lanes(wide, wide->held, 0, retire);
  }
  if (wide->options.record) record_begin(&wide->record, wide->held);
  wide->waited = 0;
}

/* ---- a step ---- */

/* Starts for idle lanes, when an eighth of all are idle. */
static void fill_idle(Wide *wide) {
  uint64_t *idle = wide->free;
  if (!wide->starts.waiting || wide->phase) return;
  for (uint32_t i = 0; i < wide->words; i++) idle[i] = ~wide->active[i];
  if (size(wide, idle) < (uint64_t)8 * wide->words) return;
  starts_give(&wide->starts, wide->memory, idle);
  for (uint32_t i = 0; i < wide->words; i++) wide->active[i] |= idle[i];
  if (wide->options.record) record_begin(&wide->record, idle);
}

static void look(Wide *wide) {
  const uint64_t *terminal =
      cones_vector(wide->cones, wide->memory, wide->cones->terminal);
  cones_run_look(wide->cones, wide->memory);
  for (uint32_t i = 0; i < wide->words; i++) {
    uint64_t active = wide->active[i];
    wide->over[i] = active & terminal[i];
    wide->cut[i] = active & ~terminal[i] & wide->reached[i];
    wide->free[i] = active & ~terminal[i] & ~wide->reached[i];
  }
}

static void choose(Wide *wide) {
  choose_run(&wide->choose, wide->memory, wide->free, wide->stuck);
  for (uint32_t i = 0; i < wide->words; i++) {
    wide->moved[i] = wide->free[i] & ~wide->stuck[i];
    wide->held[i] = wide->active[i] & ~wide->moved[i];
  }
  wide->totals.states += size(wide, wide->moved);
  if (wide->options.record)
    record_step(&wide->record, &wide->choose, wide->memory, wide->active);
  if (wide->options.credit)
    credit_note(&wide->credit, &wide->choose, wide->memory);
}

static bool settling(Wide *wide) {
  uint64_t over = size(wide, wide->over);
  wide->phase = (wide->phase + 1) % wide->period;
  wide->waited += over != 0;
  if (!any(wide, wide->moved)) {
    wide->phase = 0;
    return true;
  }
  return wide->phase == 0 && (over * 16 >= (uint64_t)64 * wide->words ||
                              wide->waited > LONGEST_WAIT ||
                              any(wide, wide->cut) || any(wide, wide->stuck));
}

static void advance(Wide *wide, bool settled) {
  const Cones *cones = wide->cones;
  const Sliced *sliced = cones->sliced;
  uint64_t *memory = wide->memory;
  cones_run_next(cones, memory);
  if (cones->save_count)
    sliced->advance(memory, wide->words, cones->saves, cones->save_count);
  if (!settled)
    sliced->advance_hold(memory, wide->words, cones->copies, cones->copy_count,
                         wide->held);
  else if (wide->from_starts)
    sliced->advance_home(memory, wide->words, cones->copies, cones->copy_count,
                         wide->held, wide->starts.home);
  else
    sliced->advance_initial(memory, wide->words, cones->copies,
                            cones->copy_count, wide->held);
  sliced->increment(wide->words, wide->age_planes, wide->moved,
                    wide->options.step_limit, wide->ages, wide->reached);
  if (!settled) return;
  sliced->assign(wide->words, wide->age_planes, wide->held, 0, wide->ages);
  sliced->assign(wide->words, 1, wide->held, 0, wide->reached);
}

bool wide_run(Wide *wide, uint64_t steps) {
  for (; steps; steps--) {
    if (wide->from_starts) fill_idle(wide);
    if (!any(wide, wide->active)) return false;
    look(wide);
    choose(wide);
    bool settled = settling(wide);
    if (settled) settle(wide);
    advance(wide, settled);
  }
  return true;
}

/* ---- results ---- */

const WideTotals *wide_totals(const Wide *wide) {
  return &wide->totals;
}

void wide_clear(Wide *wide) {
  WideTotals *t = &wide->totals;
  size_t bytes = wide->roles * sizeof(uint64_t);
  *t = (WideTotals){
      .scored = t->scored, .goals = t->goals, .goal_squares = t->goal_squares};
  memset(t->scored, 0, bytes);
  memset(t->goals, 0, bytes);
  memset(t->goal_squares, 0, bytes);
  if (wide->options.credit) credit_clear(&wide->credit);
}

const WideStart *wide_start(const Wide *wide, uint32_t i) {
  return &wide->start_results[i];
}

uint64_t wide_start_goals(const Wide *wide, uint32_t i, uint32_t role) {
  return wide->start_goals[(size_t)i * wide->roles + role];
}

uint32_t wide_move(const Wide *wide, const WidePlayout *playout, uint32_t step,
                   uint32_t role) {
  return record_move(&wide->record, playout->first + step, playout->lane, role);
}

const CreditSum *wide_credit(Wide *wide) {
  return credit_sums(&wide->credit);
}
