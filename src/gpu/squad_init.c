/* Near homes are few: the fluents that gates read most get them, as far as
   there is room, and programs have what is left for values between bands. */
#include <stdlib.h>

#include "gpu/squad.h"
#include "program/program_order.h"
#include "program/truth.h"

/* Near slots that programs shall have, at least; a quarter of all is enough. */
enum { NEAR_LEAST = 512 };

static uint32_t near_least(const Squad *squad) {
  uint32_t quarter = squad->near_most / 4;
  return quarter < NEAR_LEAST ? quarter : NEAR_LEAST;
}

/* ---- programs ---- */

static void find_goal(Squad *squad) {
  const Cones *cones = squad->cones;
  const Net *net = cones->net;
  squad->goal = cones->goals ? cones->goals : cones->judge;
  if (squad->goal) return;
  Signal *outputs = memory_new((net->goals.count + 1) * sizeof *outputs);
  for (uint32_t i = 0; i < net->goals.count; i++)
    outputs[i] = net->goals.data[i].signal;
  squad->goal = squad->own_goal = program_new(net, outputs, net->goals.count);
  memory_delete(outputs);
}

static void find_legs(Squad *squad) {
  const Cones *cones = squad->cones;
  squad->legs = cones->rounds ? cones->rounds->count : 1;
  squad->leg = memory_new(squad->legs * sizeof *squad->leg);
  for (uint32_t i = 0; i < squad->legs; i++) {
    const Leg *from = cones->rounds ? &cones->rounds->list[i] : &cones->whole;
    SquadLeg *leg = &squad->leg[i];
    leg->look = from->look;
    leg->next = from->next;
    leg->changed = legs_changed(from, cones->net->fluents.count, &leg->changes);
  }
}

static bool loops(const Squad *squad) {
  for (uint32_t i = 0; i < squad->legs; i++)
    if (order_loops(program_order(squad->leg[i].look)) ||
        order_loops(program_order(squad->leg[i].next)))
      return true;
  return order_loops(program_order(squad->goal));
}

/* ---- moves ---- */

static bool may_move(const Squad *squad, uint32_t leg, uint32_t move) {
  const Legs *rounds = squad->cones->rounds;
  return !rounds || rounds->list[leg].legal[move] != LEG_NEVER;
}

/* Numbers the moves by role, then leg; each group begins a block. */
static void number_moves(Squad *squad) {
  enum { BLOCK = 32 };
  const Net *net = squad->cones->net;
  squad->groups =
      memory_new(net->role_count * squad->legs * sizeof *squad->groups);
  for (uint32_t i = 0; i < squad->legs; i++) {
    squad->leg[i].number =
        memory_new((net->moves.count + 1) * sizeof *squad->leg[i].number);
    for (uint32_t k = 0; k < net->moves.count; k++)
      squad->leg[i].number[k] = SQUAD_NEVER;
  }
  for (uint32_t k = 0; k < net->role_count * squad->legs; k++) {
    uint32_t role = k / squad->legs, leg = k % squad->legs;
    SquadGroup *group = &squad->groups[k];
    group->block = squad->moves / BLOCK;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (may_move(squad, leg, i))
        squad->leg[leg].number[i] = group->block * BLOCK + group->count++;
    group->end = group->block + (group->count + BLOCK - 1) / BLOCK;
    squad->moves = group->end * BLOCK;
  }
}

/* Lines of different legs share their slots. */
static void place_lines(Squad *squad) {
  uint32_t roles = squad->cones->net->role_count;
  squad->lines = squad->near;
  for (uint32_t leg = 0; leg < squad->legs; leg++) {
    uint32_t slot = squad->lines;
    for (uint32_t role = 0; role < roles; role++) {
      SquadGroup *group = &squad->groups[role * squad->legs + leg];
      bool split = group->count > SQUAD_DIRECT;
      group->low = slot;
      slot += split ? SQUAD_LOW : group->count;
      if (!split) continue;
      group->high = slot;
      slot += (group->count + SQUAD_LOW - 1) / SQUAD_LOW;
    }
    if (slot - squad->lines > squad->line_count)
      squad->line_count = slot - squad->lines;
  }
  squad->near += squad->line_count;
}

/* ---- fluents ---- */

static void count_reads(const Program *program, uint32_t fluents,
                        uint64_t *reads) {
  const Order *order = program_order(program);
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    for (uint32_t k = 0; k < 3 && order_reads(step); k++)
      if (step->inputs[k] < fluents) reads[step->inputs[k]]++;
  }
}

static int compare_most_first(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x > y ? -1 : x < y;
}

/* A fluent's reads, and its number in the lower half, which keeps the order of
   fluents that are read equally often. */
static void place_fluents(Squad *squad) {
  uint32_t fluents = squad->cones->net->fluents.count;
  uint64_t *reads = memory_new((fluents + 1) * sizeof *reads);
  uint32_t taken = squad->near + near_least(squad);
  uint32_t room = squad->near_most > taken ? squad->near_most - taken : 0;
  for (uint32_t i = 0; i < squad->legs; i++) {
    count_reads(squad->leg[i].look, fluents, reads);
    count_reads(squad->leg[i].next, fluents, reads);
  }
  for (uint32_t i = 0; i < fluents; i++)
    reads[i] = reads[i] << 32 | (UINT32_MAX - i);
  if (fluents > room) qsort(reads, fluents, sizeof *reads, compare_most_first);
  squad->fluents = memory_new((fluents + 1) * sizeof *squad->fluents);
  for (uint32_t i = 0; i < fluents; i++)
    squad->fluents[UINT32_MAX - (uint32_t)reads[i]] =
        i < room ? squad->near++ : squad->far++ | SQUAD_FAR;
  memory_delete(reads);
}

/* ---- the whole ---- */

bool squad_init(Squad *squad, const Cones *cones, uint32_t shared,
                uint32_t most, Text *why) {
  const Net *net = cones->net;
  *squad = (Squad){.cones = cones,
                   .roles = net->role_count,
                   .shape = {SQUAD_WARPS, SQUAD_WARPS, 4, 0}};
  uint32_t ends = 2 * 4 * SQUAD_WARPS, slot = 4 * SQUAD_WARPS;
  squad->near_most = shared > ends ? (shared - ends) / slot : 0;
  if (most && most < squad->near_most) squad->near_most = most;
  find_goal(squad);
  find_legs(squad);
  if (loops(squad)) {
    text_add(why, "the net has recursive definitions");
    return false;
  }
  number_moves(squad);
  squad->goals = memory_new((net->goals.count + 1) * sizeof *squad->goals);
  squad->zero = squad->near++;
  squad->terminal = squad->near++;
  for (uint32_t i = 0; i < net->goals.count; i++)
    squad->goals[i] = squad->near++;
  place_lines(squad);
  place_fluents(squad);
  squad->legal = memory_new((squad->moves + 1) * sizeof *squad->legal);
  for (uint32_t i = 0; i < squad->moves; i++) squad->legal[i] = squad->zero;
  if (squad->near + near_least(squad) <= squad->near_most) return true;
  text_add(why, "a block has too little memory");
  return false;
}

void squad_free(Squad *squad) {
  for (uint32_t i = 0; squad->leg && i < squad->legs; i++) {
    memory_delete(squad->leg[i].number);
    memory_delete(squad->leg[i].changed);
    memory_delete(squad->leg[i].rounds);
  }
  if (squad->own_goal) program_delete(squad->own_goal);
  memory_delete(squad->leg);
  memory_delete(squad->groups);
  memory_delete(squad->fluents);
  memory_delete(squad->legal);
  memory_delete(squad->goals);
}

uint32_t squad_home(const Squad *squad, uint32_t home) {
  return home & SQUAD_FAR ? SQUAD_FAR | (home & ~SQUAD_FAR) * 4 * SQUAD_WARPS
                          : 4 * roster_place(&squad->shape, home);
}
