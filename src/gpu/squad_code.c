/* The gates of a program as code: a stream for each warp, with a barrier
   between two bands. Values that a later band reads are stored when they are
   computed. A value that was loaded or computed lately is still in a register.

   The successors of a state are written after a last barrier, when nobody reads
   the fluents any more: some of them stay in registers until then. */
#include <stdio.h>

#include "base/trial.h"
#include "gpu/squad_cut.h"
#include "program/program_order.h"
#include "program/truth.h"

/* Instructions for which a loaded value stays in a register. With 40 checkers
   has 4 % more of them, with 160 it spills. */
enum { WINDOW = 80 };

/* ---- instructions ---- */

static void write_access(Coding *coding, bool store, uint32_t home, Reg word) {
  Ptx *ptx = &coding->team->ptx;
  char at[32];
  uint32_t slot = home & ~SQUAD_FAR;
  if (home & SQUAD_FAR)
    snprintf(at, sizeof at, "[dlanes+%u]", slot * 4 * SQUAD_WARPS);
  else
    snprintf(at, sizeof at, "[way%u+%u]", slot & 7, slot * 4 * SQUAD_WARPS);
  const char *space = home & SQUAD_FAR ? "global" : "shared";
  if (store)
    ptx_line(ptx, "st.%s.u32 %s, %%r%u", space, at, word);
  else
    ptx_line(ptx, "ld.%s.u32 %%r%u, %s", space, word, at);
  coding->time++;
}

static Reg load(Coding *coding, uint32_t home) {
  Reg word = ptx_new(&coding->team->ptx);
  write_access(coding, false, home, word);
  return word;
}

static bool fresh(const Coding *coding, Reg word, uint32_t since) {
  return word && coding->time - since <= WINDOW;
}

static Reg read_line(Coding *coding, uint32_t slot) {
  uint32_t line = slot - coding->squad->lines;
  if (!fresh(coding, coding->lines[line], coding->lines_since[line]))
    coding->lines[line] = load(coding, slot);
  coding->lines_since[line] = coding->time;
  return coding->lines[line];
}

/* Lanes in which the move was chosen. */
static Reg read_move(Coding *coding, uint32_t move) {
  Squad *squad = coding->squad;
  uint32_t role = squad->cones->net->moves.data[move].role;
  const SquadGroup *group = &squad->groups[role * squad->legs + coding->number];
  uint32_t number = coding->leg->number[move];
  if (number == SQUAD_NEVER) return 0;
  number -= group->block * 32;
  if (!group->high) return read_line(coding, group->low + number);
  Reg low = read_line(coding, group->low + number % SQUAD_LOW);
  Reg high = read_line(coding, group->high + number / SQUAD_LOW);
  coding->time++;
  return ptx_and(&coding->team->ptx, low, high);
}

static Reg read_value(Coding *coding, uint32_t value, uint32_t band) {
  Reg *word = &coding->word[value];
  bool own = *word && coding->bands.band[value] == band;
  if (!own && !fresh(coding, *word, coding->since[value])) {
    *word = value >= coding->fluents && value < coding->inputs
                ? read_move(coding, value - coding->fluents)
                : load(coding, coding->home[value]);
  }
  coding->since[value] = coding->time;
  return *word;
}

static void write_step(Coding *coding, const BandStep *step, uint32_t band) {
  Ptx *ptx = &coding->team->ptx;
  trial_check();
  Reg inputs[3] = {0};
  for (uint32_t k = 0; k < 3; k++)
    if (truth_depends(step->table, k))
      inputs[k] = read_value(coding, step->inputs[k], band);
  Reg word = ptx_gate(ptx, step->table, inputs[0], inputs[1], inputs[2]);
  coding->time++;
  coding->word[step->result] = word;
  coding->since[step->result] = coding->time;
  uint32_t home = coding->home[step->result];
  if (home != SQUAD_NEVER) write_access(coding, true, home, word);
}

static void write_outputs(Coding *coding, uint32_t band, uint32_t warp) {
  for (uint32_t i = 0; i < coding->outputs.count; i++) {
    const Output *output = &coding->outputs.data[i];
    if (coding->bands.band[output->value] == band &&
        coding->bands.warp[output->value] == warp)
      write_access(coding, true, output->slot, coding->word[output->value]);
  }
}

static void write_band(Coding *coding, uint32_t band, uint32_t warp) {
  const Bands *bands = &coding->bands;
  const uint32_t *first = &bands->first[band * bands->warps + warp];
  for (uint32_t i = first[0]; i < first[1]; i++)
    write_step(coding, &coding->steps.data[bands->list[i]], band);
  write_outputs(coding, band, warp);
}

static void begin_stream(Coding *coding, const char *name, uint32_t warp,
                         uint32_t part) {
  Team *team = coding->team;
  memset(coding->word, 0, coding->values * sizeof *coding->word);
  memset(coding->lines, 0, coding->squad->line_count * sizeof *coding->lines);
  coding->time = 0;
  LINES("%s%up%uw%u:\n", name, coding->number, part, warp);
}

static void write_bands(Coding *coding, uint32_t from, uint32_t to,
                        uint32_t warp) {
  Team *team = coding->team;
  for (uint32_t band = from; band < to; band++) {
    if (band > from) LINES("\tbar.sync 0;\n");
    write_band(coding, band, warp);
  }
}

/* ---- what can be seen ---- */

static void clear_lines(Coding *coding, uint32_t warp) {
  for (uint32_t i = warp; i < coding->squad->line_count; i += SQUAD_WARPS)
    write_access(coding, true, coding->squad->lines + i, 0);
}

/* The part after which a value is known. */
static uint32_t part_of(const Coding *coding, uint32_t value) {
  const Bands *bands = &coding->bands;
  uint32_t part = 0;
  if (value < coding->inputs) return 0;
  while (bands->part[part + 1] <= bands->band[value]) part++;
  return part;
}

/* Values of the moves of the leg, by number; inputs too. */
static uint32_t *list_legal(const Coding *coding) {
  const Net *net = coding->squad->cones->net;
  const SquadLeg *leg = coding->leg;
  uint32_t seen = 0;
  uint32_t *values = memory_new((coding->squad->moves + 1) * sizeof *values);
  for (uint32_t i = 0; i < coding->squad->moves; i++) values[i] = SQUAD_NEVER;
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (leg->number[i] != SQUAD_NEVER)
      values[leg->number[i]] = program_value(leg->look, seen++);
  return values;
}

/* Finds the rounds in which the moves of a role are counted, block after block,
   and keeps each until then; the move of a role without a choice is needed
   until the end. */
static void find_rounds(Coding *coding, uint32_t role, const uint32_t *legal) {
  Squad *squad = coding->squad;
  const Bands *bands = &coding->bands;
  uint32_t roles = squad->roles, done = 0;
  const SquadGroup *group = &squad->groups[role * squad->legs + coding->number];
  SquadRound *rounds = coding->leg->rounds + role;
  for (uint32_t part = 0; part < bands->parts; part++)
    rounds[part * roles] = (SquadRound){group->end, group->end};
  for (uint32_t block = group->block; block < group->end; block++) {
    for (uint32_t i = 0; i < 32; i++) {
      uint32_t value = legal[block * 32 + i];
      if (value == SQUAD_NEVER) continue;
      uint32_t part = part_of(coding, value);
      if (part > done) done = part;
    }
    SquadRound *round = &rounds[done * roles];
    if (group->count > 1) {
      if (round->from == group->end) round->from = block;
      round->to = block + 1;
    }
    for (uint32_t i = 0; i < 32; i++) {
      uint32_t value = legal[block * 32 + i];
      if (value == SQUAD_NEVER || value < coding->inputs) continue;
      uint32_t last = bands->part[group->count == 1 ? bands->parts : done + 1];
      squad_cut_need(coding, value, last ? last - 1 : 0);
      coding->loads[value] += SQUAD_TALLY_LOADS;
    }
  }
}

static void plan_look(Coding *coding, const uint32_t *legal) {
  Squad *squad = coding->squad;
  uint32_t parts = coding->leg->parts;
  if (parts > 1)
    coding->first += squad_choose_kept(squad, coding->number, squad->roles);
  squad_cut_into(coding, parts);
  for (uint32_t role = 0; role < squad->roles; role++)
    find_rounds(coding, role, legal);
  squad_cut_homes(coding);
}

static void begin_look(Coding *coding, Team *team, Squad *squad,
                       uint32_t number) {
  const SquadLeg *leg = &squad->leg[number];
  uint32_t seen = 0;
  squad_cut_begin(coding, team, squad, leg->look);
  coding->leg = leg;
  coding->number = number;
  for (uint32_t i = 0; i < squad->cones->net->moves.count; i++)
    seen += leg->number[i] != SQUAD_NEVER;
  squad_cut_output(coding, program_value(leg->look, seen), squad->terminal);
}

static void code_look(Team *team, Squad *squad, uint32_t number) {
  Coding coding;
  begin_look(&coding, team, squad, number);
  uint32_t *legal = list_legal(&coding);
  plan_look(&coding, legal);
  for (uint32_t i = 0; i < squad->moves; i++)
    if (legal[i] != SQUAD_NEVER) squad->legal[i] = coding.home[legal[i]];
  squad_cut_streams(&coding);
  for (uint32_t part = 0; part < squad->leg[number].parts; part++)
    for (uint32_t warp = 0; warp < SQUAD_WARPS; warp++) {
      begin_stream(&coding, "look", warp, part);
      if (!part) clear_lines(&coding, warp);
      write_bands(&coding, coding.bands.part[part], coding.bands.part[part + 1],
                  warp);
      squad_choose_ahead(team, squad, number, part);
      LINES("\tbar.sync 0;\n\tbra tally%up%u;\n", number, part);
    }
  memory_delete(legal);
  squad_cut_end(&coding);
}

/* Tallies that other parts follow: these use the memory of the moves again,
   after a barrier. */
static uint32_t count_tallies(const Squad *squad, const SquadLeg *leg) {
  uint32_t count = 0;
  for (uint32_t part = 0; part + 1 < leg->parts; part++) {
    bool any = false;
    for (uint32_t role = 0; role < squad->roles; role++) {
      const SquadRound *round = &leg->rounds[part * squad->roles + role];
      any |= round->from < round->to;
    }
    count += any;
  }
  return count;
}

/* Returns what `look` of the leg costs in so many parts, and whether it needs
   far memory. */
static uint64_t try_parts(Squad *squad, uint32_t number, uint32_t parts,
                          bool *far) {
  SquadLeg *leg = &squad->leg[number];
  Coding coding;
  leg->parts = parts;
  memory_delete(leg->rounds);
  leg->rounds = memory_new(parts * squad->roles * sizeof *leg->rounds);
  begin_look(&coding, NULL, squad, number);
  uint32_t *legal = list_legal(&coding);
  plan_look(&coding, legal);
  uint64_t cost =
      coding.cost + (uint64_t)count_tallies(squad, leg) * SQUAD_BARRIER;
  *far = coding.far > squad->far;
  memory_delete(legal);
  squad_cut_end(&coding);
  return cost;
}

/* More parts need less far memory, but have more bands. There is one if what
   would be kept between them took more than half of the near memory. */
static void find_parts(Squad *squad, uint32_t number) {
  enum { PARTS_MOST = 32 };
  uint32_t kept = squad_choose_kept(squad, number, squad->roles);
  uint32_t most = kept <= (squad->near_most - squad->near) / 2 ? PARTS_MOST : 1;
  uint32_t best = 1;
  uint64_t least = UINT64_MAX;
  bool far = true;
  for (uint32_t parts = 1; parts <= most && far; parts *= 2) {
    uint64_t cost = try_parts(squad, number, parts, &far);
    if (cost >= least) continue;
    least = cost;
    best = parts;
  }
  try_parts(squad, number, best, &far);
}

void squad_code_look(Team *team, Squad *squad) {
  LINES("\tmad.lo.u32 s0, leg, %u, warp;\n\tbrx.idx s0, looks;\n", SQUAD_WARPS);
  for (uint32_t i = 0; i < squad->legs; i++) {
    find_parts(squad, i);
    code_look(team, squad, i);
  }
}

/* ---- successors ---- */

/* The warp that writes a successor: the one that computed it, else any. */
static uint32_t find_writer(const Coding *coding, uint32_t i) {
  uint32_t value = coding->successor[i];
  return value < coding->inputs ? i % SQUAD_WARPS : coding->bands.warp[value];
}

/* Values that are old ones of fluents, or moves, are
   copied in that band. */
static void list_successors(Coding *coding, NumberVector *values) {
  const SquadLeg *leg = coding->leg;
  coding->successor =
      memory_new((leg->changes + 1) * sizeof *coding->successor);
  for (uint32_t i = 0; i < leg->changes; i++) {
    uint32_t value = program_value(leg->next, i);
    if (value < coding->inputs && value != leg->changed[i])
      value = squad_cut_copy(coding, value, true);
    coding->successor[i] = value;
    if (value >= coding->inputs) vector_push(values, value);
  }
}

static void write_successor(Coding *coding, uint32_t i) {
  Ptx *ptx = &coding->team->ptx;
  uint32_t value = coding->successor[i];
  uint32_t home = coding->squad->fluents[coding->leg->changed[i]];
  if (value < coding->inputs) return; /* it stays as it is */
  Reg word = coding->home[value] != SQUAD_NEVER &&
                     !fresh(coding, coding->word[value], coding->since[value])
                 ? load(coding, coding->home[value])
                 : coding->word[value];
  Reg old = load(coding, home), result = ptx_new(ptx);
  ptx_line(ptx, "lop3.b32 %%r%u, %%r%u, moved, %%r%u, 0xe2", result, word, old);
  write_access(coding, true, home, result);
}

static void code_next(Team *team, Squad *squad, uint32_t number) {
  const SquadLeg *leg = &squad->leg[number];
  NumberVector values = {0};
  Coding coding;
  squad_cut_begin(&coding, team, squad, leg->next);
  coding.leg = leg;
  coding.number = number;
  list_successors(&coding, &values);
  squad_cut_whole(&coding, &values);
  squad_cut_streams(&coding);
  for (uint32_t warp = 0; warp < SQUAD_WARPS; warp++) {
    begin_stream(&coding, "next", warp, 0);
    write_bands(&coding, 0, coding.bands.count, warp);
    LINES("\tbar.sync 0;\n\tmad.lo.u32 s0, lane, 4, ends;\n"
          "\tld.shared.u32 moved, [s0];\n");
    for (uint32_t i = 0; i < leg->changes; i++)
      if (find_writer(&coding, i) == warp) write_successor(&coding, i);
    LINES("\tbra after1;\n");
  }
  vector_free(&values);
  squad_cut_end(&coding);
}

void squad_code_next(Team *team, Squad *squad) {
  LINES("\tmad.lo.u32 s0, leg, %u, warp;\n\tbrx.idx s0, nexts;\n", SQUAD_WARPS);
  for (uint32_t i = 0; i < squad->legs; i++) code_next(team, squad, i);
}

/* ---- goals ---- */

void squad_code_goals(Team *team, Squad *squad) {
  Coding coding;
  LINES("evaluate:\n\tbrx.idx warp, goals;\n");
  squad_cut_begin(&coding, team, squad, squad->goal);
  for (uint32_t i = 0; i < squad->cones->net->goals.count; i++)
    squad_cut_output(&coding, program_value(squad->goal, i), squad->goals[i]);
  squad_cut_whole(&coding, &(NumberVector){0});
  squad_cut_streams(&coding);
  for (uint32_t warp = 0; warp < SQUAD_WARPS; warp++) {
    begin_stream(&coding, "goals", warp, 0);
    write_bands(&coding, 0, coding.bands.count, warp);
    LINES("\tbar.sync 0;\n\tbra after2;\n");
  }
  squad_cut_end(&coding);
}

/* ---- lists ---- */

/* A list of streams: of some legs, one part. */
static void write_targets(Team *team, const char *name, uint32_t from,
                          uint32_t to, uint32_t part) {
  LINES(": .branchtargets ");
  for (uint32_t i = from * SQUAD_WARPS; i < to * SQUAD_WARPS; i++)
    LINES("%s%s%up%uw%u", i > from * SQUAD_WARPS ? ", " : "", name,
          i / SQUAD_WARPS, part, i % SQUAD_WARPS);
  LINES(";\n");
}

void squad_code_targets(Team *team, const Squad *squad) {
  LINES("looks");
  write_targets(team, "look", 0, squad->legs, 0);
  for (uint32_t leg = 0; leg < squad->legs; leg++)
    for (uint32_t part = 1; part < squad->leg[leg].parts; part++) {
      LINES("looks%up%u", leg, part);
      write_targets(team, "look", leg, leg + 1, part);
    }
  LINES("nexts");
  write_targets(team, "next", 0, squad->legs, 0);
  LINES("goals");
  write_targets(team, "goals", 0, 1, 0);
}
