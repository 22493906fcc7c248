#include "support/agree_wide.h"

/* The record with the numbering of a net. */
typedef struct AgreeRows {
  uint32_t fact_words, move_words;
  uint64_t *facts, *legal; /* by state */
  uint32_t *joints;        /* by state and role */
} AgreeRows;

/* Returns by term: the fluent + 1, or the role's move + 1. */
static uint32_t *agree_numbers(const Net *net, const Terms *terms,
                               uint32_t section) {
  uint32_t *numbers = memory_new(terms->nodes.count * sizeof *numbers);
  uint32_t role = section - 1 - net->role_count;
  for (uint32_t i = 0; !section && i < net->fluents.count; i++)
    numbers[net->fluents.data[i].term] = i + 1;
  for (uint32_t i = 0; section && i < net->moves.count; i++)
    if (net->moves.data[i].role == role)
      numbers[net->moves.data[i].term] = i + 1;
  return numbers;
}

/* Sets the bits of a section in every state's row. The walks have shown that
   the net has all the terms. */
static void agree_fill_rows(const AgreeCheck *check, uint32_t section,
                            uint64_t *rows, uint32_t words, uint32_t *joints) {
  const AgreeRecord *record = check->record;
  uint32_t *numbers = agree_numbers(check->net, record->terms_of, section);
  for (uint32_t i = 0; i < record->states.count; i++) {
    uint32_t count;
    const Term *terms = agree_section(record, i, section, &count);
    for (uint32_t t = 0; t < count; t++) {
      uint32_t bit = numbers[terms[t]] - 1;
      rows[(size_t)i * words + bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    size_t at = (size_t)i * record->roles + section - 1 - record->roles;
    if (section && record->states.data[i].moves)
      joints[at] = numbers[record->joints.data[at]] - 1;
  }
  memory_delete(numbers);
}

static void agree_rows_init(AgreeRows *rows, const AgreeCheck *check) {
  const AgreeRecord *record = check->record;
  uint32_t states = record->states.count, roles = record->roles;
  rows->fact_words = (uint32_t)bits_words(check->net->fluents.count);
  rows->move_words = (uint32_t)bits_words(check->net->moves.count);
  rows->facts = memory_new((size_t)states * rows->fact_words * 8);
  rows->legal = memory_new((size_t)states * rows->move_words * 8);
  rows->joints = memory_new((size_t)states * roles * sizeof(uint32_t));
  agree_fill_rows(check, 0, rows->facts, rows->fact_words, NULL);
  for (uint32_t role = 0; role < roles; role++)
    agree_fill_rows(check, 1 + roles + role, rows->legal, rows->move_words,
                    rows->joints);
}

static void agree_rows_free(AgreeRows *rows) {
  memory_delete(rows->facts);
  memory_delete(rows->legal);
  memory_delete(rows->joints);
}

/* Items of a wide step, and room for its answers. */
typedef struct AgreeItems {
  ExpandTask task;
  uint32_t *sources; /* the state of each item */
  uint64_t *states;
  uint32_t *joints;
} AgreeItems;

/* Takes every state of the record that has a move (or every state, if no moves
   are made), repeatedly, until all lanes are full and some are left over. */
static void agree_items_init(AgreeItems *items, const AgreeCheck *check,
                             const AgreeRows *rows, bool make, uint32_t lanes) {
  const AgreeRecord *record = check->record;
  NumberVector states = {0};
  for (uint32_t i = 0; i < record->states.count; i++)
    if (!make || record->states.data[i].moves) vector_push(&states, i);
  uint32_t roles = record->roles;
  uint32_t count = !states.count ? 0 : states.count + lanes + 7;
  *items = (AgreeItems){0};
  items->sources = memory_new(count * sizeof(uint32_t));
  items->states = memory_new((size_t)count * rows->fact_words * 8);
  items->joints = memory_new((size_t)count * roles * sizeof(uint32_t));
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = items->sources[k] = states.data[k % states.count];
    for (uint32_t w = 0; w < rows->fact_words; w++)
      items->states[(size_t)k * rows->fact_words + w] =
          rows->facts[(size_t)i * rows->fact_words + w];
    for (uint32_t role = 0; role < roles; role++)
      items->joints[(size_t)k * roles + role] =
          rows->joints[(size_t)i * roles + role];
  }
  items->task = (ExpandTask){
      .count = count,
      .states = items->states,
      .joints = make ? items->joints : NULL,
      .successors = memory_new((size_t)count * rows->fact_words * 8),
      .legal = memory_new((size_t)count * rows->move_words * 8),
      .terminal = memory_new(count * sizeof(bool)),
      .goals = memory_new((size_t)count * roles * sizeof(int))};
  vector_free(&states);
}

static void agree_items_free(AgreeItems *items) {
  memory_delete(items->task.successors);
  memory_delete(items->task.legal);
  memory_delete(items->task.terminal);
  memory_delete(items->task.goals);
  memory_delete(items->sources);
  memory_delete(items->states);
  memory_delete(items->joints);
}

/* Compares a row of fluents, or of one role's moves, with a section. */
static bool agree_compare_row(const AgreeCheck *check, uint32_t state,
                              uint32_t section, const uint64_t *row) {
  const Net *net = check->net;
  uint32_t role = section - 1 - net->role_count;
  TermVector terms = {0};
  for (uint32_t i = 0; !section && i < net->fluents.count; i++)
    if (bits_has(row, i)) vector_push(&terms, net->fluents.data[i].term);
  for (uint32_t i = 0; section && i < net->moves.count; i++)
    if (net->moves.data[i].role == role && bits_has(row, i))
      vector_push(&terms, net->moves.data[i].term);
  if (terms.count) term_sort(check->record->terms_of, terms.data, terms.count);
  bool same = agree_compare(check, state, section, &terms);
  vector_free(&terms);
  return same;
}

/* The goal must be one of the numbers that the rules give, or negative if there
   are none. */
static bool agree_compare_goal(const AgreeCheck *check, uint32_t state,
                               uint32_t role, int goal) {
  uint32_t count;
  const Term *goals = agree_section(check->record, state, 1 + role, &count);
  bool some = false, found = false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t value = term_number(check->record->terms_of, goals[i]);
    some |= value >= 0 && value <= 100;
    found |= value == goal;
  }
  if (goal < 0 ? !some : found) return true;
  agree_write_place(check, state, 1 + role);
  text_format(check->why, " wide says %d", goal);
  return false;
}

static bool agree_compare_item(const AgreeCheck *check, const AgreeRows *rows,
                               const AgreeItems *items, uint32_t k) {
  const ExpandTask *task = &items->task;
  uint32_t state = items->sources[k] + (task->joints ? 1 : 0);
  uint32_t roles = check->record->roles;
  bool terminal = check->record->states.data[state].terminal;
  const uint64_t *facts = task->successors + (size_t)k * rows->fact_words;
  const uint64_t *legal = task->legal + (size_t)k * rows->move_words;
  bool same = true;
  if (memcmp(facts, rows->facts + (size_t)state * rows->fact_words,
             rows->fact_words * sizeof *facts) != 0)
    same = agree_compare_row(check, state, 0, facts);
  if (same && task->terminal[k] != terminal) {
    agree_write_place(check, state, 0);
    text_add(check->why, " terminal differs");
    same = false;
  }
  if (same && !terminal &&
      memcmp(legal, rows->legal + (size_t)state * rows->move_words,
             rows->move_words * sizeof *legal) != 0)
    for (uint32_t role = 0; same && role < roles; role++)
      same = agree_compare_row(check, state, 1 + roles + role, legal);
  for (uint32_t role = 0; same && role < roles; role++)
    same = agree_compare_goal(check, state, role,
                              task->goals[(size_t)k * roles + role]);
  if (!same) text_format(check->why, ", item %u", k);
  return same;
}

static bool agree_expand(const AgreeCheck *check, const AgreeRows *rows,
                         const Cones *cones) {
  Expand expand;
  bool same = true;
  expand_init(&expand, cones);
  for (int make = 0; same && make < 2; make++) {
    AgreeItems items;
    agree_items_init(&items, check, rows, make, 64 * cones->mode.words);
    expand_run(&expand, &items.task);
    for (uint32_t k = 0; same && k < items.task.count; k++)
      same = agree_compare_item(check, rows, &items, k);
    agree_items_free(&items);
  }
  expand_free(&expand);
  return same;
}

static const ProgramMode modes[AGREE_MODES] = {
    {ISA_PLAIN, false, 1},  {ISA_AVX512, true, 8},   {ISA_AVX2, false, 4},
    {ISA_AVX512, false, 8}, {ISA_AVX512, true, 16},  {ISA_PLAIN, false, 8},
    {ISA_AVX2, false, 16},  {ISA_AVX512, false, 16}, {ISA_PLAIN, false, 4},
    {ISA_AVX2, false, 8},   {ISA_AVX512, false, 4},  {ISA_AVX2, false, 1},
    {ISA_PLAIN, false, 16}, {ISA_AVX512, false, 1},  {ISA_PLAIN, false, 2},
};

bool agree_wide(AgreeCheck *check, const char *name, uint32_t least,
                const AgreeBudget *budget) {
  uint64_t count = budget->gates / (net_count_ands(check->net) + 1);
  bool same = true;
  AgreeRows rows;
  Text engine = {0};
  agree_rows_init(&rows, check);
  count = count < least ? least : count > AGREE_MODES ? AGREE_MODES : count;
  for (uint32_t i = 0, made = 0; same && made < count && i < AGREE_MODES; i++) {
    const ProgramMode *mode = &modes[(budget->first_mode + i) % AGREE_MODES];
    Cones *cones =
        isa_available(mode->isa) ? cones_new(check->net, mode) : NULL;
    if (!cones) continue;
    made++;
    text_clear(&engine);
    text_format(&engine, "wide on the %s, %s%s, %u lanes", name,
                isa_name(mode->isa), mode->jit ? " machine code" : "",
                64 * mode->words);
    check->engine = engine.bytes;
    same = agree_expand(check, &rows, cones);
    cones_delete(cones);
  }
  text_free(&engine);
  agree_rows_free(&rows);
  return same;
}
