#include "gpu/team.h"

#include "gpu/team_parts.h"

/* Shared memory: the slots; for each word its lanes that move and its job;
   then, where several warps look after a word, what each counted, by role. */
uint32_t team_shared(const RosterShape *shape, uint32_t slots, uint32_t roles) {
  uint32_t counts = shape->warps > shape->words ? 32 * shape->warps : 0;
  return 4 * (slots * shape->words + 2 * shape->words + roles * counts);
}

/* ---- declarations ---- */

void team_write_head(const RosterShape *shape, const char *more, Text *text) {
  text_add(text, ".version 7.8\n.target sm_80\n.address_size 64\n"
                 ".extern .shared .align 16 .b8 words[];\n"
                 ".visible .entry play(");
  text_add(text, more);
#define POINTER(name) text_add(text, ".param .u64 p_" #name ", ");
#define NUMBER(name) text_add(text, ".param .u32 p_" #name ", ");
#define FRACTION(name) text_add(text, ".param .f32 p_" #name);
  TEAM_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
  text_format(text, ")\n.maxntid %u, 1, 1\n{\n", 32 * shape->warps);
}

void team_registers(Team *team) {
  LINES("\t.reg .b32 tid, lane, warp, eval, column, own, helper, base;\n"
        "\t.reg .b32 phase, s0, s1, s2, s3, x0, x1, changed;\n"
        "\t.reg .b32 keep16, keep8, keep4, keep2, keep1;\n"
        "\t.reg .b32 turn16, turn8, turn4, turn2, turn1;\n"
        "\t.reg .b64 dk, dp, dl, dlane, d0, d1, d2;\n\t.reg .pred p, q;\n");
  for (uint32_t i = 0; i < TEAM_AHEAD; i++)
    LINES("\t.reg .b32 op%u, oa%u, ob%u;\n", i, i, i);
}

void team_write_registers(Team *team) {
#define POINTER(name) LINES("\t.reg .u64 d_" #name ";\n");
#define NUMBER(name) LINES("\t.reg .u32 n_" #name ";\n");
#define FRACTION(name) LINES("\t.reg .f32 f_" #name ";\n");
  TEAM_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
  team_registers(team);
  LINES(
      "\t.reg .b32 ends, x2, t0, t1, t2, t3, state, gamma;\n"
      "\t.reg .b32 age, alive, present, outcome, job, awake, moved, clock;\n"
      "\t.reg .b32 first;\n"
      "\t.reg .b32 role, block, last, count, total, prefix, rank, found, at;\n"
      "\t.reg .b32 mask, value, scored, stuck, done;\n"
      "\t.reg .b32 weighing, start, group, member, split, upcoming;\n"
      "\t.reg .f32 weight, sum, before, all, aim, f0, f1;\n"
      "\t.reg .b64 dresult, dcredit;\n"
      "\t.reg .pred r, need, fin, has, heavy, credits, lead, tells;\n");
}

void team_write_parameters(Team *team) {
#define POINTER(name) LINES("\tld.param.u64 d_" #name ", [p_" #name "];\n");
#define NUMBER(name) LINES("\tld.param.u32 n_" #name ", [p_" #name "];\n");
#define FRACTION(name) LINES("\tld.param.f32 f_" #name ", [p_" #name "];\n");
  TEAM_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
}

/* ---- what every thread knows ---- */

void team_place(Team *team, const char *to, const char *scratch) {
  const RosterShape *shape = &team->shape;
  LINES("\tmul.lo.u32 %s, %s, %u;\n\tshr.u32 %s, %s, 5;\n"
        "\tand.b32 %s, %s, %u;\n\tmad.lo.u32 %s, %s, %u, %s;\n",
        to, to, shape->words, scratch, to, scratch, scratch,
        shape->words / shape->bunch - 1, to, scratch, shape->bunch, to);
}

void team_address(Team *team, const char *to, const char *place,
                  const char *word) {
  LINES("\txor.b32 %s, %s, %s;\n\tmad.lo.u32 %s, %s, 4, base;\n", to, place,
        word, to, to);
}

void team_random(Team *team, const char *to) {
  LINES("\tadd.u32 state, state, gamma;\n"
        "\tshr.u32 t3, state, 16;\n\txor.b32 %s, state, t3;\n"
        "\tmul.lo.u32 %s, %s, 0x7feb352d;\n"
        "\tshr.u32 t3, %s, 15;\n\txor.b32 %s, %s, t3;\n"
        "\tmul.lo.u32 %s, %s, 0x846ca68b;\n"
        "\tshr.u32 t3, %s, 16;\n\txor.b32 %s, %s, t3;\n",
        to, to, to, to, to, to, to, to, to, to, to);
}

void team_identify(Team *team) {
  const RosterShape *shape = &team->shape;
  LINES("\tmov.u32 tid, %%tid.x;\n\tand.b32 lane, tid, 31;\n"
        "\tshr.u32 warp, tid, 5;\n\tmov.u32 base, words;\n"
        "\tand.b32 column, tid, %u;\n"
        "\tand.b32 eval, tid, %u;\n\tmul.lo.u32 eval, eval, %u;\n"
        "\tshr.u32 s0, lane, %u;\n\tmul.wide.u32 dlane, s0, %u;\n",
        shape->words - 1, shape->words / shape->bunch - 1, shape->bunch,
        (uint32_t)__builtin_ctz(shape->words / shape->bunch), 8);
  LINES("\tshr.u32 own, warp, %u;\n\tand.b32 helper, warp, %u;\n",
        (uint32_t)__builtin_ctz(team->helpers), team->helpers - 1);
  /* Masks and rotations of the transposition. */
  for (uint32_t j = 16; j; j /= 2) {
    uint32_t low = j == 16  ? 0xffff
                   : j == 8 ? 0xff00ff
                   : j == 4 ? 0xf0f0f0f
                   : j == 2 ? 0x33333333
                            : 0x55555555;
    LINES("\tand.b32 s0, lane, %u;\n\tsetp.eq.u32 p, s0, 0;\n"
          "\tselp.b32 keep%u, 0x%x, 0x%x, p;\n\tselp.b32 turn%u, %u, %u, p;\n",
          j, j, low, ~low, j, j, 32 - j);
  }
}

void team_write_begin(Team *team) {
  const RosterShape *shape = &team->shape;
  team_identify(team);
  LINES("\tmad.lo.u32 ends, n_slots, %u, base;\n", 4 * shape->words);
  /* The lanes with the same start as this one; the first of them leads. */
  LINES("\tsub.u32 split, 5, n_spread;\n\tshr.u32 member, lane, n_spread;\n"
        "\tshl.b32 s0, member, n_spread;\n\tsetp.eq.u32 lead, s0, lane;\n"
        "\tmov.u32 s1, 1;\n\tshl.b32 s2, s1, n_spread;\n"
        "\tshl.b32 s1, s1, s2;\n\tsub.u32 s1, s1, 1;\n"
        "\tshl.b32 group, s1, s0;\n\tsetp.eq.u32 p, n_spread, 5;\n"
        "\tselp.b32 group, -1, group, p;\n");
  /* The sequence of random numbers belongs to the lane: warps that look after
     the same word have the same. */
  LINES("\tmov.u32 s0, %%ctaid.x;\n\tmad.lo.u32 s0, s0, %u, own;\n"
        "\tmad.lo.u32 s0, s0, 32, lane;\n"
        "\tmad.lo.u32 state, s0, 0x9e3779b1, n_seed;\n"
        "\tmul.lo.u32 gamma, s0, 0x85ebca6b;\n"
        "\tadd.u32 gamma, gamma, 0x9e3779b9;\n",
        shape->words);
  team_random(team, "s1");
  LINES("\txor.b32 gamma, gamma, s1;\n");
  team_random(team, "s2");
  LINES("\tor.b32 gamma, s1, 1;\n\tmov.u32 state, s2;\n"
        "\tmov.u32 job, -1;\n\tmov.u32 alive, 0;\n\tmov.u32 outcome, 0;\n"
        "\tmov.u32 age, 0;\n\tmov.u32 clock, 0;\n\tmov.u32 first, 1;\n"
        "\tmov.u32 awake, 0;\n\tmov.u32 changed, 0;\n"
        "\tsetp.ne.u64 heavy, d_weights, 0;\n"
        "\tselp.b32 weighing, 1, 0, heavy;\n");
  /* Does this word sum up credit? */
  LINES("\tmov.u32 s0, %%ctaid.x;\n\tmad.lo.u32 s0, s0, %u, own;\n"
        "\tsetp.lt.u32 credits, s0, n_credited;\n"
        "\tmul.lo.u32 s0, s0, n_moves;\n\tmul.wide.u32 d0, s0, 4;\n"
        "\tadd.u64 dcredit, d_occurred, d0;\n",
        shape->words);
  /* All slots become zero. */
  LINES("\tmad.lo.u32 s0, tid, 4, base;\n"
        "\tmad.lo.u32 s1, n_slots, %u, base;\n"
        "clear:\n\tsetp.ge.u32 p, s0, s1;\n\t@p bra cleared;\n"
        "\tst.shared.u32 [s0], 0;\n\tadd.u32 s0, s0, %u;\n\tbra clear;\n"
        "cleared:\n\tbar.sync 0;\n",
        4 * shape->words, 128 * shape->warps);
}

void team_transpose(Team *team) {
  for (uint32_t j = 16; j; j /= 2)
    LINES("\tshfl.sync.bfly.b32 x1, x0, %u, 31, 0xffffffff;\n"
          "\tshf.l.wrap.b32 x1, x1, x1, turn%u;\n"
          "\tlop3.b32 x0, x0, keep%u, x1, 0xe2;\n",
          j, j, j);
}

/* ---- successors ---- */

static void write_advance(Team *team) {
  uint32_t words = team->shape.words;
  LINES("after1:\n\tmov.u32 at, tid;\n"
        "\tmul.lo.u32 last, n_copy_count, %u;\n"
        "\tmad.lo.u32 s2, column, 4, ends;\n\tld.shared.u32 moved, [s2];\n"
        "advance:\n\tsetp.ge.u32 p, at, last;\n\t@p bra advanced;\n"
        "\tshr.u32 s0, at, %u;\n\tmul.wide.u32 d0, s0, 4;\n"
        "\tadd.u64 d0, d0, d_copies;\n\tld.global.nc.u32 s3, [d0];\n"
        "\tand.b32 s0, s3, 0xffff;\n\tshr.u32 s1, s3, 16;\n",
        words, (uint32_t)__builtin_ctz(words));
  team_address(team, "s0", "s0", "column");
  team_address(team, "s1", "s1", "column");
  LINES("\tld.shared.u32 x0, [s0];\n\tld.shared.u32 x1, [s1];\n"
        "\tlop3.b32 x0, x1, moved, x0, 0xe2;\n\tst.shared.u32 [s0], x0;\n"
        "\tadd.u32 at, at, %u;\n\tbra advance;\n"
        "advanced:\n\tbar.sync 0;\n\tadd.u32 clock, clock, 1;\n"
        "\tbra step;\n",
        32 * team->shape.warps);
}

void team_write(const Roster *roster, Text *text) {
  const RosterShape *shape = &roster->shape;
  Team whole = {.roster = roster,
                .shape = *shape,
                .helpers = shape->warps / shape->words,
                .legs = 1};
  Team *team = &whole;
  ptx_begin(&team->ptx);
  text_clear(&team->ptx.body);
  team_write_registers(team);
  team_gates_targets(team);
  team_write_parameters(team);
  team_write_begin(team);
  team_settle_turnover(team);
  LINES("look:\n\tmov.u32 phase, 0;\n\tbra evaluate;\n");
  team_choose(team);
  LINES("\tmov.u32 phase, 1;\n\tbra evaluate;\n");
  write_advance(team);
  team_settle_finish(team);
  team_gates_evaluate(team);
  team_write_head(shape, "", text);
  text_format(text, "\t.reg .b32 %%r<%u>;\n", team->ptx.registers);
  text_add(text, text_string(&team->ptx.body));
  text_add(text, "}\n");
  ptx_free(&team->ptx);
}
