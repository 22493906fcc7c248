/* Gates are ordered by levels, with a barrier after each: a gate is above all
   of its inputs. A slot is used again once all readers of its value are on
   lower levels, so it matters that values are read soon. With three entries a
   warp between barriers chess_200 takes 13,397 slots; 18,363 with gates as
   early as possible, 19,098 as late as possible. */
#include "gpu/roster.h"

#include "base/trial.h"
#include "gpu/roster_parts.h"
#include "program/truth.h"

/* ---- kinds ---- */

static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Returns the table of the function whose input i is input order[i] of the
   given one. */
static uint8_t reorder(uint8_t table, const uint8_t order[3]) {
  uint8_t result = 0;
  for (uint32_t row = 0; row < 8; row++) {
    uint32_t from = 0;
    for (uint32_t i = 0; i < 3; i++)
      from |= (row >> (2 - i) & 1) << (2 - order[i]);
    result |= (uint8_t)((table >> from & 1) << row);
  }
  return result;
}

/* Of the tables that differ by the order of inputs, the least stands for all;
   `order` is how its inputs are found. */
static uint8_t find_least(uint8_t table, const uint8_t **order) {
  uint8_t least = table;
  *order = orders[0];
  for (uint32_t i = 1; i < 6; i++) {
    uint8_t other = reorder(table, orders[i]);
    if (other >= least) continue;
    least = other;
    *order = orders[i];
  }
  return least;
}

static uint32_t add_kind(Roster *roster, uint8_t table) {
  uint32_t i = 0;
  while (i < roster->tables.count && roster->tables.data[i] != table) i++;
  if (i == roster->tables.count) vector_push(&roster->tables, table);
  return ROSTER_GATES + i;
}

static uint32_t find_kind(Work *work, uint8_t table, const uint8_t **order) {
  WorkKind *known = &work->kinds[table];
  if (!known->order) {
    uint8_t least = find_least(table, &known->order);
    known->kind = add_kind(work->roster, least);
  }
  *order = known->order;
  return known->kind;
}

/* ---- one program ---- */

static uint32_t input_slot(const Roster *roster, uint32_t value) {
  uint32_t fluents = roster->cones->net->fluents.count;
  return value < fluents ? value
                         : roster->first_move + roster->number[value - fluents];
}

static void add_value(Work *work, uint32_t level) {
  vector_push(&work->level, level);
  vector_push(&work->last, 0);
  vector_push(&work->slot, ROSTER_NOWHERE);
}

static void begin_work(Work *work, Roster *roster, const Program *program) {
  const Net *net = roster->cones->net;
  *work = (Work){.roster = roster,
                 .order = program_order(program),
                 .inputs = net->fluents.count + net->moves.count,
                 .base = roster->first_move + roster->moves};
  for (uint32_t i = 0; i < work->order->value_count; i++) {
    add_value(work, 0);
    if (i < work->inputs) work->slot.data[i] = input_slot(roster, i);
  }
}

static void free_work(Work *work) {
  vector_free(&work->deals);
  vector_free(&work->loops);
  vector_free(&work->level);
  vector_free(&work->last);
  vector_free(&work->slot);
}

static uint32_t highest(const Work *work, const OrderStep *step,
                        uint32_t base) {
  uint32_t level = base;
  if (order_reads(step))
    for (uint32_t i = 0; i < 3; i++)
      if (work->level.data[step->inputs[i]] > level)
        level = work->level.data[step->inputs[i]];
  return level;
}

static void deal_step(Work *work, const OrderStep *step, uint32_t level) {
  Deal deal = {.level = level, .result = step->result};
  if (step->kind == KIND_UPDATE) {
    deal.kind = ROSTER_UPDATE;
    for (uint32_t i = 0; i < 3; i++) deal.inputs[i] = step->inputs[0];
  } else {
    const uint8_t *order;
    bool reads = order_reads(step);
    deal.kind = find_kind(work, (uint8_t)step->kind, &order);
    for (uint32_t i = 0; i < 3; i++)
      deal.inputs[i] = reads ? step->inputs[order[i]] : 0;
  }
  if (level > work->levels) work->levels = level;
  vector_push(&work->deals, deal);
}

static void deal_plain(Work *work, const OrderSegment *segment, uint32_t base) {
  for (uint32_t i = 0; i < segment->count; i++) {
    const OrderStep *step = &work->order->steps.data[segment->first + i];
    uint32_t level = highest(work, step, base) + 1;
    work->level.data[step->result] = level;
    deal_step(work, step, level);
  }
}

/* Marks the variables of a loop, by value. */
static bool *find_variables(const Work *work, const OrderSegment *segment) {
  bool *varies = memory_new(work->order->value_count * sizeof *varies);
  for (uint32_t i = 0; i < segment->count; i++) {
    const OrderStep *step = &work->order->steps.data[segment->first + i];
    if (step->kind == KIND_UPDATE) varies[step->result] = true;
  }
  return varies;
}

/* A variable that is defined as another one of its loop is updated from a copy
   of that, which changes on the same level. */
static OrderStep copy_variable(Work *work, const OrderStep *step,
                               uint32_t level) {
  OrderStep update = *step;
  uint32_t copy = work->level.count, from = step->inputs[0];
  add_value(work, level);
  OrderStep copying = {TRUTH_A, copy, {from, from, from}};
  deal_step(work, &copying, level);
  update.inputs[0] = copy;
  return update;
}

/* In a loop, gates read the values of the last round; updates come last. */
static void deal_loop(Work *work, const OrderSegment *segment, uint32_t base) {
  VECTOR(OrderStep) updates = {0};
  bool *varies = find_variables(work, segment);
  for (uint32_t i = 0; i < segment->count; i++) {
    const OrderStep *step = &work->order->steps.data[segment->first + i];
    if (step->kind == KIND_UPDATE) {
      OrderStep update =
          varies[step->inputs[0]] ? copy_variable(work, step, base + 1) : *step;
      vector_push(&updates, update);
      continue;
    }
    uint32_t level = highest(work, step, base) + 1;
    work->level.data[step->result] = level;
    deal_step(work, step, level);
  }
  uint32_t last = (work->levels > base ? work->levels : base) + 1;
  for (uint32_t i = 0; i < updates.count; i++)
    deal_step(work, &updates.data[i], last);
  vector_free(&updates);
  memory_delete(varies);
  vector_push(&work->loops, ((Loop){base + 1, last}));
}

static void deal_order(Work *work) {
  const Order *order = work->order;
  bool after_loop = false;
  for (uint32_t i = 0; i < order->segments.count; i++) {
    const OrderSegment *segment = &order->segments.data[i];
    uint32_t base = segment->loop || after_loop ? work->levels : 0;
    if (segment->loop)
      deal_loop(work, segment, base);
    else
      deal_plain(work, segment, base);
    after_loop = after_loop || segment->loop;
  }
}

/* Adds a gate that copies a value to a new one. */
static uint32_t copy_value(Work *work, uint32_t value) {
  uint32_t copy = work->level.count, level = work->level.data[value] + 1;
  if (work->loops.count) level = work->levels + 1;
  add_value(work, level);
  OrderStep step = {TRUTH_A, copy, {value, value, value}};
  deal_step(work, &step, level);
  return copy;
}

/* Levels are filled in the order of the program, in which values are used soon
   after they are computed: a level gets the next gates whose inputs are there,
   as many as it has room for. */
static void fill_levels(Work *work) {
  const Roster *roster = work->roster;
  uint32_t room = roster->shape.warps * roster->gates * roster->shape.entries;
  uint32_t count = work->deals.count, first = 0, done = 0, level = 0;
  bool *placed = memory_new(count * sizeof *placed);
  for (uint32_t i = 0; i < work->level.count; i++)
    work->level.data[i] = i < work->inputs ? 0 : ROSTER_NOWHERE;
  while (done < count) {
    uint32_t taken = 0;
    trial_check();
    level++;
    while (placed[first]) first++;
    for (uint32_t i = first; i < count && taken < room; i++) {
      Deal *deal = &work->deals.data[i];
      bool ready = !placed[i];
      for (uint32_t k = 0; ready && k < 3; k++)
        ready = work->level.data[deal->inputs[k]] < level;
      if (!ready) continue;
      deal->level = level;
      placed[i] = true;
      work->level.data[deal->result] = level;
      taken++;
    }
    done += taken;
  }
  work->levels = level;
  memory_delete(placed);
}

static void note_readers(Work *work) {
  for (uint32_t i = 0; i < work->deals.count; i++) {
    const Deal *deal = &work->deals.data[i];
    uint32_t level = deal->level;
    for (uint32_t k = 0; k < work->loops.count; k++)
      if (level >= work->loops.data[k].first &&
          level <= work->loops.data[k].last)
        level = work->loops.data[k].last;
    for (uint32_t j = 0; j < 3; j++)
      if (level > work->last.data[deal->inputs[j]])
        work->last.data[deal->inputs[j]] = level;
    if (deal->kind == ROSTER_UPDATE && level > work->last.data[deal->result])
      work->last.data[deal->result] = level;
  }
}

static void finish_work(Work *work, RosterProgram program) {
  if (!work->loops.count) fill_levels(work);
  note_readers(work);
  roster_deal(work, program);
}

/* A value that is needed at the end, somewhere that nothing else has. */
static uint32_t keep(Work *work, uint32_t value) {
  work->last.data[value] = ROSTER_NOWHERE;
  return value;
}

/* ---- the three programs ---- */

/* Legal moves get their own slots. */
static void pin_moves(Work *work) {
  Roster *roster = work->roster;
  const Cones *cones = roster->cones;
  for (uint32_t i = 0; i < cones->net->moves.count; i++) {
    uint32_t value = program_value(cones->look, i);
    if (work->slot.data[value] != ROSTER_NOWHERE)
      value = copy_value(work, value);
    work->slot.data[value] = roster->first_move + roster->number[i];
  }
}

static void keep_goals(Work *work, const Program *program, uint32_t skipped,
                       uint32_t *values) {
  for (uint32_t i = 0; i < work->roster->cones->net->goals.count; i++)
    values[i] = keep(work, program_value(program, skipped + i));
}

static void find_goals(Work *work, const uint32_t *values) {
  Roster *roster = work->roster;
  for (uint32_t i = 0; i < roster->cones->net->goals.count; i++)
    roster->goals[i] = roster_place(&roster->shape, work->slot.data[values[i]]);
}

static void write_look(Roster *roster) {
  const Cones *cones = roster->cones;
  uint32_t moves = cones->net->moves.count;
  uint32_t *values = memory_new(cones->net->goals.count * sizeof *values);
  Work work;
  begin_work(&work, roster, cones->look);
  deal_order(&work);
  pin_moves(&work);
  uint32_t terminal = program_value(cones->look, moves);
  uint32_t slot = work.slot.data[terminal];
  if (slot != ROSTER_NOWHERE && slot >= roster->first_move)
    terminal = copy_value(&work, terminal);
  keep(&work, terminal);
  if (!cones->goals) keep_goals(&work, cones->look, moves + 1, values);
  finish_work(&work, ROSTER_LOOK);
  roster->terminal = roster_place(&roster->shape, work.slot.data[terminal]);
  if (!cones->goals) find_goals(&work, values);
  memory_delete(values);
  free_work(&work);
}

static void write_goals(Roster *roster) {
  const Cones *cones = roster->cones;
  uint32_t warps = roster->shape.warps;
  if (!cones->goals) {
    for (uint32_t i = 0; i < warps; i++)
      roster->streams[ROSTER_GOALS * warps + i] =
          roster->streams[ROSTER_LOOK * warps + i];
    return;
  }
  uint32_t *values = memory_new(cones->net->goals.count * sizeof *values);
  Work work;
  begin_work(&work, roster, cones->goals);
  deal_order(&work);
  keep_goals(&work, cones->goals, 0, values);
  finish_work(&work, ROSTER_GOALS);
  find_goals(&work, values);
  memory_delete(values);
  free_work(&work);
}

static void write_next(Roster *roster) {
  const Cones *cones = roster->cones;
  uint32_t fluents = cones->net->fluents.count;
  uint32_t *values = memory_new(fluents * sizeof *values);
  Work work;
  begin_work(&work, roster, cones->next);
  deal_order(&work);
  for (uint32_t i = 0; i < fluents; i++) {
    uint32_t value = program_value(cones->next, i);
    if (value < fluents && value != i) value = copy_value(&work, value);
    values[i] = keep(&work, value);
  }
  finish_work(&work, ROSTER_NEXT);
  for (uint32_t i = 0; i < fluents; i++) {
    RosterCopy copy = {
        (uint16_t)roster_place(&roster->shape, i),
        (uint16_t)roster_place(&roster->shape, work.slot.data[values[i]])};
    if (values[i] != i) vector_push(&roster->copies, copy);
  }
  memory_delete(values);
  free_work(&work);
}

/* ---- the whole ---- */

static void number_moves(Roster *roster) {
  const Net *net = roster->cones->net;
  roster->number = memory_new(net->moves.count * sizeof *roster->number);
  roster->blocks = memory_new((net->role_count + 1) * sizeof *roster->blocks);
  for (uint32_t role = 0; role < net->role_count; role++) {
    roster->blocks[role] = roster->moves / ROSTER_BLOCK;
    for (uint32_t i = 0; i < net->moves.count; i++)
      if (net->moves.data[i].role == role) roster->number[i] = roster->moves++;
    roster->moves =
        (roster->moves + ROSTER_BLOCK - 1) / ROSTER_BLOCK * ROSTER_BLOCK;
  }
  roster->blocks[net->role_count] = roster->moves / ROSTER_BLOCK;
}

bool roster_init(Roster *roster, const Cones *cones, const RosterShape *shape,
                 uint32_t limit) {
  *roster = (Roster){.shape = *shape, .cones = cones};
  const Net *net = cones->net;
  roster->gates = 32 * shape->bunch / shape->words;
  roster->first_move =
      (net->fluents.count + ROSTER_BLOCK - 1) / ROSTER_BLOCK * ROSTER_BLOCK;
  roster->goals = memory_new(net->goals.count * sizeof *roster->goals);
  roster->streams =
      memory_new(ROSTER_PROGRAMS * shape->warps * sizeof *roster->streams);
  number_moves(roster);
  roster->slots = roster->first_move + roster->moves;
  write_look(roster);
  write_goals(roster);
  write_next(roster);
  return roster->slots <= limit &&
         (roster->slots + 1) * shape->words <= UINT16_MAX;
}

void roster_free(Roster *roster) {
  memory_delete(roster->number);
  memory_delete(roster->blocks);
  memory_delete(roster->goals);
  memory_delete(roster->streams);
  vector_free(&roster->copies);
  vector_free(&roster->tables);
  vector_free(&roster->kinds);
  vector_free(&roster->operands);
}
