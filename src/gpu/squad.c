#include "gpu/squad.h"

#include "gpu/squad_parts.h"
#include "gpu/team.h"

uint32_t squad_shared(const Squad *squad) {
  return team_shared(&squad->shape, squad->near_slots, squad->roles);
}

size_t squad_far(const Squad *squad) {
  return (size_t)squad->far_slots * 4 * SQUAD_WARPS;
}

/* What every thread knows: its addresses. A near slot of number s has its words
   at way s mod 8, and a thread that computes has the word of its lane. */
static void write_begin(Team *team, const Squad *squad) {
#define POINTER(name) \
  LINES("\tld.param.u64 d_" #name ", [p_squad_" #name "];\n");
  SQUAD_PARAMETERS(POINTER)
#undef POINTER
  for (uint32_t i = 0; i < 8; i++)
    LINES("\txor.b32 s0, lane, %u;\n\tmad.lo.u32 way%u, s0, 4, base;\n", 4 * i,
          i);
  LINES("\tmul.lo.u32 own4, own, 4;\n\tmov.u32 leg, 0;\n\tmov.u32 enters, 0;\n"
        "\tmov.u32 s0, %%ctaid.x;\n\tmul.wide.u32 d0, s0, %u;\n"
        "\tadd.u64 d0, d0, d_far;\n"
        "\tmul.wide.u32 d1, own, 4;\n\tadd.u64 dfar, d0, d1;\n"
        "\tmul.wide.u32 d2, lane, 4;\n\tadd.u64 dlanes, d0, d2;\n",
        (uint32_t)squad_far(squad));
}

static void write_registers(Team *team) {
#define POINTER(name) LINES("\t.reg .u64 d_" #name ";\n");
  SQUAD_PARAMETERS(POINTER)
#undef POINTER
  LINES("\t.reg .b32 leg, enters, own4;\n"
        "\t.reg .b32 home, after, ahead, whole, bits, spot;\n"
        "\t.reg .pred weighs, more;\n"
        "\t.reg .b64 dfar, dlanes;\n\t.reg .b32 ");
  for (uint32_t i = 0; i < 8; i++) LINES("%sway%u", i ? ", " : "", i);
  LINES(";\n");
}

static void write_advance(Team *team) {
  LINES("after1:\n\tbar.sync 0;\n\tadd.u32 clock, clock, 1;\n"
        "\tadd.u32 leg, leg, 1;\n\tsetp.ge.u32 p, leg, %u;\n"
        "\t@p mov.u32 leg, 0;\n\tbra step;\n",
        team->legs);
}

/* The code of gates is written first, since what comes before it depends on how
   much memory it needs. */
void squad_write(Squad *squad, Text *text) {
  Team look = {.shape = squad->shape, .legs = squad->legs}, next = look,
       goals = look;
  Team whole = look, *team = &whole;
  Text more = {0};
  squad->near_slots = squad->near;
  squad->far_slots = squad->far;
  ptx_begin(&look.ptx);
  text_clear(&look.ptx.body);
  squad_code_look(&look, squad);
  next.ptx.registers = look.ptx.registers;
  squad_code_next(&next, squad);
  goals.ptx.registers = next.ptx.registers;
  squad_code_goals(&goals, squad);
  squad->instructions = look.ptx.instructions + next.ptx.instructions;

  ptx_begin(&team->ptx);
  text_clear(&team->ptx.body);
  team->helpers = 1;
  team->homes = true;
  team_write_registers(team);
  write_registers(team);
  squad_code_targets(team, squad);
  team_write_parameters(team);
  LINES("\tmov.u32 %%r0, 0;\n");
  team_write_begin(team);
  write_begin(team, squad);
  team_settle_turnover(team);
  squad_choose_prepare(team);
  text_add(&team->ptx.body, text_string(&look.ptx.body));
  squad_choose(team, squad);
  text_add(&team->ptx.body, text_string(&next.ptx.body));
  write_advance(team);
  team_settle_finish(team);
  text_add(&team->ptx.body, text_string(&goals.ptx.body));
#define POINTER(name) text_add(&more, ".param .u64 p_squad_" #name ", ");
  SQUAD_PARAMETERS(POINTER)
#undef POINTER
  team_write_head(&squad->shape, text_string(&more), text);
  text_format(text, "\t.reg .b32 %%r<%u>;\n", goals.ptx.registers);
  text_add(text, text_string(&team->ptx.body));
  text_add(text, "}\n");
  text_free(&more);
  ptx_free(&look.ptx);
  ptx_free(&next.ptx);
  ptx_free(&goals.ptx);
  ptx_free(&team->ptx);
}
