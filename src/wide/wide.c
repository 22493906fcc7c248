/* One step of all lanes: look (legal moves, terminal), choose, settle finished
   playouts, advance to the successors.

   Sets of lanes are lane vectors: `active` lanes have a playout; of those,
   lanes in terminal states are `over`, others are `cut` off or `stuck`. All of
   these keep their state until there are enough to settle them together: the
   goals' program and the bookkeeping then run once for many lanes. Waiting for
   a sixteenth of the lanes was 5 % faster than settling at every step in
   Connect Four and within noise elsewhere; thresholds from an eighth to a
   thirtieth make no difference. Lanes that play from given states are settled
   and loaded one by one; an eighth is then faster than a sixteenth by 10 % in
   Connect Four and reversi.

   Where roles take turns, lanes begin only in phase (wide/phase.h), with two
   roles at every second step, so that it is the same role's turn in all of
   them: the others' moves are then legal in no lane and cost one test each.
   Tic-tac-toe gains 28 % by this, breakthrough 16 %; with Gibbs choice 43 % and
   56 %.

   The programs are those of the leg that all playing lanes are in
   (wide/legs.h), if there are legs: by the phase; or, where the cones have legs
   for every step and playouts begin in the initial state, by the step, and then
   lanes that are over wait for the last one. Lanes that are over, cut off or
   stuck do not belong to the leg any more.

   A lane's steps are counted in planes. */
#include "wide/wide.h"

#include <assert.h>

#include "wide/credit.h"
#include "wide/history.h"
#include "wide/lanes.h"
#include "wide/starts.h"

struct Wide {
  const Cones *cones;
  WideOptions options;
  uint32_t words, roles;
  uint64_t *memory;
  Choose choose;
  History record;
  Credit credit;
  Starts starts;
  bool from_starts;
  uint64_t *active, *over, *cut, *stuck, *free, *moved, *held;
  uint32_t waited; /* steps since some lane was over */
  Phase phase;
  uint32_t now;   /* phase in which playouts can begin */
  uint32_t time;  /* steps since all lanes began together, by `steps` */
  bool by_rounds; /* phases go with the rounds of the cones */
  const Leg *leg; /* of this step */
  uint64_t *ages; /* planes: steps of each lane's playout */
  uint32_t age_planes;
  uint64_t *reached; /* lanes whose age is the limit */
  uint32_t limit;
  uint64_t *rows, **lane_rows; /* by lane: its state, with option `states` */
  /* of the lanes that are settled now: */
  uint64_t *goals;      /* by goal: lanes that have it */
  NumberVector present; /* goals that some lane has */
  uint64_t *scored;     /* by role: lanes that have a goal */
  int *lane_goals;      /* by lane and role, for the listener */
  WideTotals totals;
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

/* ---- set up ---- */

static void fill_initial(Wide *wide) {
  const Net *net = wide->cones->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    memset(cones_vector(wide->cones, wide->memory, i),
           net->fluents.data[i].initial ? 255 : 0,
           wide->words * sizeof(uint64_t));
}

/* Drops the current playouts; all lanes become idle, or begin in the initial
   state. */
static void begin(Wide *wide) {
  size_t bytes = wide->words * sizeof(uint64_t);
  if (wide->options.credit) credit_drop(&wide->credit);
  memset(wide->ages, 0, wide->age_planes * bytes);
  memset(wide->reached, 0, bytes);
  memset(wide->over, 0, bytes);
  memset(wide->cut, 0, bytes);
  memset(wide->stuck, 0, bytes);
  memset(wide->active, wide->from_starts ? 0 : 255, bytes);
  wide->waited = wide->now = wide->time = 0;
  if (!wide->from_starts) fill_initial(wide);
  if (wide->options.record) history_begin(&wide->record, wide->active);
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

static void new_rows(Wide *wide) {
  size_t lanes = (size_t)64 * wide->words;
  size_t row_words = bits_words(wide->cones->net->fluents.count);
  wide->rows = memory_new(lanes * row_words * sizeof *wide->rows);
  wide->lane_rows = memory_new(lanes * sizeof *wide->lane_rows);
  for (size_t i = 0; i < lanes; i++)
    wide->lane_rows[i] = wide->rows + i * row_words;
}

static void new_totals(Wide *wide) {
  size_t bytes = wide->roles * sizeof(uint64_t);
  wide->totals.scored = memory_new(bytes);
  wide->totals.goals = memory_new(bytes);
  wide->totals.goal_squares = memory_new(bytes);
  wide->lane_goals = memory_new((size_t)64 * wide->words * wide->roles *
                                sizeof *wide->lane_goals);
}

Wide *wide_new(const Cones *cones, const WideOptions *options) {
  Wide *wide = memory_new(sizeof *wide);
  wide->cones = cones;
  wide->options = *options;
  wide->words = cones->mode.words;
  wide->roles = cones->net->role_count;
  wide->memory = cones_memory_new(cones);
  choose_init(&wide->choose, cones, options->seed);
  wide->choose.blind = options->blind;
  if (options->record) history_init(&wide->record, cones);
  if (options->credit) credit_init(&wide->credit, cones, options->rivals);
  wide->limit = options->step_limit;
  if (options->states) new_rows(wide);
  new_sets(wide);
  new_totals(wide);
  phase_init(&wide->phase, cones, wide->memory);
  starts_init(&wide->starts, cones, &wide->phase);
  wide->by_rounds =
      cones->rounds && wide->phase.period % cones->rounds->count == 0;
  begin(wide);
  return wide;
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
  if (wide->options.record) history_free(&wide->record);
  if (wide->options.credit) credit_free(&wide->credit);
  vector_free(&wide->present);
  starts_free(&wide->starts);
  phase_free(&wide->phase);
  memory_delete(wide->lane_goals);
  memory_delete(wide->rows);
  memory_delete(wide->lane_rows);
  memory_delete(wide);
}

void wide_set_scores(Wide *wide, const double *scores) {
  choose_set_scores(&wide->choose, scores);
}

void wide_set_limit(Wide *wide, uint32_t limit) {
  assert(limit && limit <= wide->options.step_limit);
  wide->limit = limit;
}

void wide_set_starts(Wide *wide, const uint64_t *rows, uint32_t count,
                     uint32_t repeat) {
  size_t row_words = bits_words(wide->cones->net->fluents.count);
  wide->from_starts = rows;
  starts_clear(&wide->starts);
  begin(wide);
  for (uint32_t i = 0; repeat && i < count; i++)
    starts_add(&wide->starts, i, rows + (size_t)i * row_words, repeat);
}

void wide_add_start(Wide *wide, uint32_t number, const uint64_t *row,
                    uint32_t repeat) {
  if (!wide->from_starts) {
    wide->from_starts = true;
    begin(wide);
  }
  starts_add(&wide->starts, number, row, repeat);
}

/* ---- settling ---- */

/* Scores the lanes that are over, goal by goal; if a role has several goals,
   the first counts. */
static void score(Wide *wide) {
  const Cones *cones = wide->cones;
  const uint32_t *vectors = cones_judge(cones, wide->memory);
  vector_clear(&wide->present);
  memset(wide->scored, 0, wide->roles * wide->words * sizeof *wide->scored);
  for (uint32_t g = 0; g < cones->net->goals.count; g++) {
    const NetGoal *goal = &cones->net->goals.data[g];
    const uint64_t *holds = cones_vector(cones, wide->memory, vectors[g]);
    uint64_t *mask = wide->goals + (size_t)g * wide->words;
    uint64_t *scored = wide->scored + (size_t)goal->role * wide->words;
    for (uint32_t i = 0; i < wide->words; i++) {
      mask[i] = goal->value < 0 ? 0 : wide->over[i] & holds[i] & ~scored[i];
      scored[i] |= mask[i];
    }
    uint64_t count = size(wide, mask), value = (uint64_t)goal->value;
    if (!count) continue;
    vector_push(&wide->present, g);
    wide->totals.scored[goal->role] += count;
    wide->totals.goals[goal->role] += count * value;
    wide->totals.goal_squares[goal->role] += count * value * value;
  }
}

/* Writes the goals lane by lane, for the listener. */
static void spread_goals(Wide *wide) {
  const Net *net = wide->cones->net;
  memset(wide->lane_goals, 255,
         (size_t)64 * wide->words * wide->roles * sizeof *wide->lane_goals);
  for (uint32_t i = 0; i < wide->present.count; i++) {
    uint32_t g = wide->present.data[i];
    const uint64_t *set = wide->goals + (size_t)g * wide->words;
    int *to = wide->lane_goals + net->goals.data[g].role;
    for (uint32_t word = 0; word < wide->words; word++)
      for (uint64_t left = set[word]; left;)
        to[(64 * word + bits_take(&left)) * wide->roles] =
            net->goals.data[g].value;
  }
}

static void report(Wide *wide, uint32_t lane, WideOutcome outcome) {
  WidePlayout playout = {
      .outcome = outcome,
      .lane = lane,
      .start = wide->from_starts ? wide->starts.start[lane] : 0,
      .steps = lanes_number(wide->ages, wide->words, wide->age_planes, lane),
      .goals = wide->lane_goals + (size_t)lane * wide->roles,
      .state = wide->rows ? wide->lane_rows[lane] : NULL,
      .first = wide->options.record ? history_first(&wide->record, lane) : 0};
  wide->options.listener(wide->options.context, &playout);
}

/* Ends the lanes of the set one by one. */
static void end_lanes(Wide *wide, const uint64_t *set, WideOutcome outcome) {
  for (uint32_t word = 0; word < wide->words; word++)
    for (uint64_t left = set[word]; left;) {
      uint32_t lane = 64 * word + bits_take(&left);
      if (wide->options.listener) report(wide, lane, outcome);
      if (wide->from_starts) starts_end(&wide->starts, lane);
    }
}

/* Clears what earlier legs left in the vectors of moves. */
static void clear_moves(Wide *wide) {
  const Net *net = wide->cones->net;
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (wide->leg->legal[i] == LEG_NEVER)
      memset(cones_vector(wide->cones, wide->memory, net->fluents.count + i), 0,
             wide->words * sizeof(uint64_t));
}

static void settle(Wide *wide) {
  score(wide);
  wide->totals.ended += size(wide, wide->over);
  wide->totals.cut_off += size(wide, wide->cut);
  wide->totals.stuck += size(wide, wide->stuck);
  for (uint32_t j = 0; j < wide->age_planes; j++)
    wide->totals.steps +=
        wide->cones->sliced->ones_of_both(
            wide->over, wide->ages + (size_t)j * wide->words, wide->words)
        << j;
  if (wide->options.credit) {
    clear_moves(wide);
    credit_end(&wide->credit, wide->memory, wide->moved, wide->held,
               wide->goals, &wide->present);
  }
  if (wide->options.listener || wide->from_starts) {
    if (wide->options.listener) spread_goals(wide);
    if (wide->rows)
      lanes_store(wide->cones, wide->memory, NULL,
                  wide->cones->net->fluents.count, wide->cut, wide->lane_rows);
    end_lanes(wide, wide->over, WIDE_ENDED);
    end_lanes(wide, wide->cut, WIDE_CUT_OFF);
    end_lanes(wide, wide->stuck, WIDE_STUCK);
  }
  if (wide->from_starts)
    for (uint32_t i = 0; i < wide->words; i++)
      wide->active[i] &= ~wide->held[i];
  else if (wide->options.record)
    history_begin(&wide->record, wide->held);
  wide->waited = 0;
}

/* ---- a step ---- */

/* Gives starts to idle lanes, if at least an eighth of all are idle. */
static void fill_idle(Wide *wide) {
  uint64_t *idle = wide->free;
  if (!wide->starts.waiting) return;
  for (uint32_t i = 0; i < wide->words; i++)
    idle[i] = ~(wide->active[i] | wide->starts.all_ready[i]);
  if (size(wide, idle) >= (uint64_t)8 * wide->words)
    starts_give(&wide->starts, wide->memory, idle);
}

/* Begins the next playouts of this phase; of any phase if no lane is active. */
static void begin_ready(Wide *wide) {
  uint64_t *ready = wide->free;
  if (!any(wide, wide->starts.all_ready)) return;
  starts_begin(&wide->starts, wide->now, ready);
  while (!any(wide, wide->active) && !any(wide, ready)) {
    wide->now = (wide->now + 1) % wide->phase.period;
    starts_begin(&wide->starts, wide->now, ready);
  }
  for (uint32_t i = 0; i < wide->words; i++) wide->active[i] |= ready[i];
  if (wide->options.record) history_begin(&wide->record, ready);
}

/* Do all lanes begin together, and wait for each other? */
static bool in_step(const Wide *wide) {
  return wide->cones->steps && !wide->from_starts;
}

/* Returns the leg of all lanes that play, or the whole net. */
static const Leg *find_leg(const Wide *wide) {
  const Cones *cones = wide->cones;
  uint64_t strays = 0;
  if (in_step(wide)) return legs_at(cones->steps, wide->time);
  if (!wide->by_rounds) return &cones->whole;
  for (uint32_t i = 0; wide->from_starts && i < wide->words; i++)
    strays |= wide->starts.strays[i] & wide->active[i];
  return strays ? &cones->whole : legs_at(cones->rounds, wide->now);
}

/* Lanes that are over, cut off or stuck stay so until they are settled; they
   may belong to another leg by now. */
static void look(Wide *wide) {
  const Cones *cones = wide->cones;
  wide->leg = find_leg(wide);
  const uint64_t *terminal =
      cones_vector(cones, wide->memory, wide->leg->terminal);
  program_run(wide->leg->look, &cones->mode, wide->memory);
  for (uint32_t i = 0; i < wide->words; i++) {
    uint64_t plays =
        wide->active[i] & ~wide->over[i] & ~wide->cut[i] & ~wide->stuck[i];
    wide->over[i] |= plays & terminal[i];
    wide->cut[i] |= plays & ~terminal[i] & wide->reached[i];
    wide->free[i] = plays & ~terminal[i] & ~wide->reached[i];
  }
}

static void choose(Wide *wide) {
  uint64_t *stuck = wide->held;
  choose_run(&wide->choose, wide->leg, wide->memory, wide->free, stuck);
  for (uint32_t i = 0; i < wide->words; i++) {
    wide->stuck[i] |= stuck[i];
    wide->moved[i] = wide->free[i] & ~stuck[i];
    wide->held[i] = wide->active[i] & ~wide->moved[i];
  }
  wide->totals.states += size(wide, wide->moved);
  wide->totals.room += (uint64_t)64 * wide->words;
  if (wide->options.record)
    history_step(&wide->record, &wide->choose, wide->memory, wide->active);
}

static bool settling(Wide *wide) {
  uint64_t over = size(wide, wide->over);
  bool early = wide->limit < wide->options.step_limit;
  if (early) over += size(wide, wide->cut); /* they wait like the rest */
  wide->now = (wide->now + 1) % wide->phase.period;
  wide->waited += over != 0;
  wide->time++;
  if (!any(wide, wide->moved)) {
    wide->now = wide->time = 0;
    return true;
  }
  if (in_step(wide)) return false;
  return (wide->now == 0 || wide->from_starts) &&
         (over * (wide->from_starts ? 8 : 16) >= (uint64_t)64 * wide->words ||
          wide->waited > LONGEST_WAIT || (!early && any(wide, wide->cut)) ||
          any(wide, wide->stuck));
}

/* Copies next values into the fluents of the list; lanes that are held keep
   their state, or begin again. */
static void copy(Wide *wide, const SlicedCopy *copies, uint32_t count,
                 bool again) {
  const Sliced *sliced = wide->cones->sliced;
  const uint64_t *kept = wide->free;
  if (!again)
    sliced->advance_hold(wide->memory, wide->words, copies, count, kept);
  else if (wide->from_starts)
    sliced->advance_home(wide->memory, wide->words, copies, count, kept,
                         wide->starts.home);
  else
    sliced->advance_initial(wide->memory, wide->words, copies, count, kept);
}

/* Runs `next` and copies what it does not write itself. If that is not all, the
   lanes that begin again do so afterwards. */
static void move_on(Wide *wide, bool settled) {
  const Cones *cones = wide->cones;
  const Leg *leg = wide->leg;
  bool assigns = cones->mode.jit && leg->assigns;
  const Copies *changes = assigns ? &leg->late : &leg->changes;
  program_run_step(leg->next, &cones->mode, wide->memory, wide->free);
  if (changes->save_count)
    cones->sliced->advance(wide->memory, wide->words, changes->saves,
                           changes->save_count);
  copy(wide, changes->copies, changes->copy_count, settled && !assigns);
  if (settled && assigns)
    copy(wide, cones->again, cones->net->fluents.count, true);
  else if (settled)
    copy(wide, leg->rest, leg->rest_count, true);
}

static void advance(Wide *wide, bool settled) {
  const Cones *cones = wide->cones;
  const Sliced *sliced = cones->sliced;
  for (uint32_t i = 0; i < wide->words; i++)
    wide->free[i] = wide->held[i] | wide->starts.all_ready[i];
  if (any(wide, wide->moved))
    move_on(wide, settled);
  else
    copy(wide, cones->again, cones->net->fluents.count, true);
  sliced->increment(wide->words, wide->age_planes, wide->moved, wide->limit,
                    wide->ages, wide->reached);
  if (!settled) return;
  sliced->assign(wide->words, wide->age_planes, wide->held, 0, wide->ages);
  sliced->assign(wide->words, 1, wide->held, 0, wide->reached);
  memset(wide->over, 0, wide->words * sizeof *wide->over);
  memset(wide->cut, 0, wide->words * sizeof *wide->cut);
  memset(wide->stuck, 0, wide->words * sizeof *wide->stuck);
}

bool wide_run(Wide *wide, uint64_t steps) {
  for (; steps; steps--) {
    if (wide->from_starts) {
      fill_idle(wide);
      begin_ready(wide);
    }
    if (!any(wide, wide->active)) return false;
    look(wide);
    choose(wide);
    bool settled = settling(wide);
    if (settled)
      settle(wide);
    else if (wide->options.credit)
      credit_note(&wide->credit, &wide->choose, wide->memory);
    advance(wide, settled);
  }
  return true;
}

uint32_t wide_play(Wide *wide, uint32_t wanted) {
  const NumberVector *done = &wide->starts.done;
  vector_clear(&wide->starts.done);
  while (done->count < wanted && wide_run(wide, 1)) continue;
  return done->count;
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

uint32_t wide_done(const Wide *wide, uint32_t i) {
  return wide->starts.done.data[i];
}

uint32_t wide_move(const Wide *wide, const WidePlayout *playout, uint32_t step,
                   uint32_t role) {
  return history_move(&wide->record, playout->first + step, playout->lane,
                      role);
}

void wide_states(const Wide *wide, const uint64_t *which,
                 uint64_t *const *rows) {
  lanes_store(wide->cones, wide->memory, NULL, wide->cones->net->fluents.count,
              which, rows);
}

uint32_t wide_age(const Wide *wide, uint32_t lane) {
  return lanes_number(wide->ages, wide->words, wide->age_planes, lane);
}

const CreditSum *wide_credit(Wide *wide) {
  return credit_sums(&wide->credit);
}
