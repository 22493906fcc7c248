/* Each lane of a word has a thread of its own, in each of the warps that look
   after the word. Rows go into lanes and out of them 64 bits at a time: a
   thread has those bits of its lane's row, and after two transpositions a bit
   of all lanes in each of two slots. The warps of a word share its rows, roles
   and slots of moves among them.

   Registers of this kernel: `group` is the number of the words that the block
   is at, `row` the thread's pair, `live` whether there is such a one, `from`
   the pair that is read: the last one instead of those that do not exist. */
#include "gpu/team_expand.h"

#include "gpu/team.h"
#include "gpu/team_parts.h"

uint32_t team_expand_shared(const Roster *roster) {
  return 4 * roster->slots * roster->shape.words;
}

/* ---- declarations ---- */

static void write_head(const RosterShape *shape, Text *text) {
  const char *comma = "";
  text_add(text, ".version 7.8\n.target sm_80\n.address_size 64\n"
                 ".extern .shared .align 16 .b8 words[];\n"
                 ".visible .entry expand(");
#define PARAMETER(type, name) \
  text_format(text, "%s.param ." type " p_" #name, comma), comma = ", ";
#define POINTER(name) PARAMETER("u64", name)
#define NUMBER(name) PARAMETER("u32", name)
  TEAM_EXPAND_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
#undef PARAMETER
  text_format(text, ")\n.maxntid %u, 1, 1\n{\n", 32 * shape->warps);
}

static void write_registers(Team *team) {
#define POINTER(name) LINES("\t.reg .u64 d_" #name ";\n");
#define NUMBER(name) LINES("\t.reg .u32 n_" #name ";\n");
  TEAM_EXPAND_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
  LINES(
      "\t.reg .b32 group, row, from, pair, low, high, at, last, role, value;\n"
      "\t.reg .pred live;\n");
  team_registers(team);
}

static void write_load_parameters(Team *team) {
#define POINTER(name) LINES("\tld.param.u64 d_" #name ", [p_" #name "];\n");
#define NUMBER(name) LINES("\tld.param.u32 n_" #name ", [p_" #name "];\n");
  TEAM_EXPAND_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
}

/* ---- rows ---- */

/* to = array + size · (item · width + offset); offset may be NULL */
static void write_element(Team *team, const char *to, const char *array,
                          const char *item, const char *width,
                          const char *offset, uint32_t size) {
  LINES("\tmul.wide.u32 %s, %s, %s;\n", to, item, width);
  if (offset)
    LINES("\tcvt.u64.u32 d1, %s;\n\tadd.u64 %s, %s, d1;\n", offset, to, to);
  LINES("\tmad.lo.u64 %s, %s, %u, %s;\n", to, to, size, array);
}

/* s2: the slot `half` · 32 + lane of the pair of blocks. */
static void write_slot(Team *team, uint32_t half) {
  LINES("\tmad.lo.u32 s2, pair, 64, lane;\n");
  if (half) LINES("\tadd.u32 s2, s2, 32;\n");
}

/* Begins a loop over the 64-bit words of a row, of which this warp has some. */
static void write_pairs(Team *team, const char *label, const char *words) {
  LINES("\tmov.u32 pair, helper;\n"
        "%s:\n\tsetp.ge.u32 p, pair, %s;\n\t@p bra %sed;\n",
        label, words, label);
}

static void write_pairs_end(Team *team, const char *label) {
  LINES("\tadd.u32 pair, pair, %u;\n\tbra %s;\n%sed:\n", team->helpers, label,
        label);
}

/* States into lanes. What is past the last fluent goes to slots that nothing
   reads, but not to those of moves. */
static void write_load(Team *team) {
  write_element(team, "d0", "d_states", "from", "n_row_words", NULL, 8);
  write_pairs(team, "load", "n_row_words");
  LINES("\tmul.wide.u32 d1, pair, 8;\n\tadd.u64 d1, d1, d0;\n"
        "\tld.global.nc.v2.u32 {low, high}, [d1];\n");
  for (uint32_t half = 0; half < 2; half++) {
    LINES("\tmov.b32 x0, %s;\n", half ? "high" : "low");
    team_transpose(team);
    write_slot(team, half);
    LINES("\tsetp.lt.u32 q, s2, n_first_move;\n");
    team_place(team, "s2", "s3");
    team_address(team, "s2", "s2", "own");
    LINES("\t@q st.shared.u32 [s2], x0;\n");
  }
  write_pairs_end(team, "load");
}

/* Lanes into rows of `to`, which has so many words. A bit is that of a fluent,
   or that of a move. */
static void write_store(Team *team, const char *label, const char *to,
                        const char *words, bool moves) {
  LINES("\tsetp.eq.u64 p, %s, 0;\n\t@p bra %sed;\n", to, label);
  write_element(team, "d0", to, "row", words, NULL, 8);
  write_pairs(team, label, words);
  for (uint32_t half = 0; half < 2; half++) {
    write_slot(team, half);
    if (moves) {
      LINES("\tmul.wide.u32 d1, s2, 4;\n\tadd.u64 d1, d1, d_places;\n"
            "\tld.global.nc.u32 s2, [d1];\n\tsetp.ne.u32 q, s2, %u;\n",
            TEAM_EXPAND_NOWHERE);
    } else {
      LINES("\tsetp.lt.u32 q, s2, n_fluents;\n");
      team_place(team, "s2", "s3");
    }
    team_address(team, "s2", "s2", "own");
    LINES("\tmov.b32 x0, 0;\n\t@q ld.shared.u32 x0, [s2];\n");
    team_transpose(team);
    LINES("\tmov.b32 %s, x0;\n", half ? "high" : "low");
  }
  LINES("\tmul.wide.u32 d1, pair, 8;\n\tadd.u64 d1, d1, d0;\n"
        "\t@live st.global.v2.u32 [d1], {low, high};\n");
  write_pairs_end(team, label);
}

/* ---- successors ---- */

/* Sets each lane's bit in the slots of its moves. */
static void write_moves(Team *team) {
  LINES("\tmad.lo.u32 at, helper, 32, lane;\n"
        "clear:\n\tsetp.ge.u32 p, at, n_moves;\n\t@p bra cleared;\n"
        "\tadd.u32 s2, at, n_first_move;\n");
  team_place(team, "s2", "s3");
  team_address(team, "s2", "s2", "own");
  LINES("\tst.shared.u32 [s2], 0;\n\tadd.u32 at, at, %u;\n\tbra clear;\n"
        "cleared:\n\tbar.sync 0;\n\tmov.u32 role, helper;\n"
        "move:\n\tsetp.ge.u32 p, role, n_roles;\n\t@p bra moved;\n",
        32 * team->helpers);
  write_element(team, "d0", "d_joints", "from", "n_roles", "role", 4);
  LINES("\tld.global.nc.u32 s2, [d0];\n\tmul.wide.u32 d0, s2, 4;\n"
        "\tadd.u64 d0, d0, d_places;\n\tld.global.nc.u32 s2, [d0];\n");
  team_address(team, "s2", "s2", "own");
  LINES("\tmov.u32 s3, 1;\n\tshl.b32 s3, s3, lane;\n"
        "\tred.shared.or.b32 [s2], s3;\n"
        "\tadd.u32 role, role, %u;\n\tbra move;\nmoved:\n\tbar.sync 0;\n",
        team->helpers);
}

/* Copies next values to the fluents. */
static void write_advance(Team *team) {
  uint32_t words = team->shape.words;
  LINES("\tmov.u32 at, tid;\n\tmul.lo.u32 last, n_copy_count, %u;\n"
        "advance:\n\tsetp.ge.u32 p, at, last;\n\t@p bra advanced;\n"
        "\tshr.u32 s2, at, %u;\n\tmul.wide.u32 d0, s2, 4;\n"
        "\tadd.u64 d0, d0, d_copies;\n\tld.global.nc.u32 s3, [d0];\n"
        "\tand.b32 s2, s3, 0xffff;\n\tshr.u32 s3, s3, 16;\n",
        words, (uint32_t)__builtin_ctz(words));
  team_address(team, "s2", "s2", "column");
  team_address(team, "s3", "s3", "column");
  LINES("\tld.shared.u32 x0, [s3];\n\tst.shared.u32 [s2], x0;\n"
        "\tadd.u32 at, at, %u;\n\tbra advance;\nadvanced:\n",
        32 * team->shape.warps);
}

/* ---- what can be seen in a state ---- */

static void write_terminal(Team *team) {
  LINES("\tsetp.eq.u64 p, d_terminal, 0;\n\t@p bra told;\n"
        "\tsetp.ne.u32 p, helper, 0;\n\t@p bra told;\n");
  team_address(team, "s2", "n_terminal_place", "own");
  LINES("\tld.shared.u32 s3, [s2];\n\tshr.u32 s3, s3, lane;\n"
        "\tand.b32 s3, s3, 1;\n\tcvt.u64.u32 d0, row;\n"
        "\tadd.u64 d0, d0, d_terminal;\n\t@live st.global.u8 [d0], s3;\n"
        "told:\n");
}

/* Of each role's goals the first that the lane has. */
static void write_goals(Team *team) {
  LINES("\tmov.u32 role, helper;\n"
        "judge:\n\tsetp.ge.u32 p, role, n_roles;\n\t@p bra judged;\n"
        "\tmul.wide.u32 d0, role, 4;\n\tadd.u64 d0, d0, d_bounds;\n"
        "\tld.global.nc.u32 at, [d0];\n\tld.global.nc.u32 last, [d0+4];\n"
        "\tmov.u32 value, -1;\n"
        "goal:\n\tsetp.ge.u32 p, at, last;\n\t@p bra scored;\n"
        "\tmul.wide.u32 d0, at, %u;\n\tadd.u64 d0, d0, d_goals;\n"
        "\tld.global.nc.u32 x0, [d0+%u];\n\tld.global.nc.u32 s2, [d0+%u];\n",
        (uint32_t)sizeof(TeamGoal), (uint32_t)offsetof(TeamGoal, value),
        (uint32_t)offsetof(TeamGoal, place));
  team_address(team, "s2", "s2", "own");
  LINES("\tld.shared.u32 s3, [s2];\n\tshr.u32 s3, s3, lane;\n"
        "\tand.b32 s3, s3, 1;\n\tsetp.ne.u32 q, s3, 0;\n"
        "\tsetp.eq.and.u32 q, value, -1, q;\n\t@q mov.u32 value, x0;\n"
        "\tadd.u32 at, at, 1;\n\tbra goal;\nscored:\n");
  write_element(team, "d0", "d_values", "row", "n_roles", "role", 4);
  LINES("\t@live st.global.u32 [d0], value;\n"
        "\tadd.u32 role, role, %u;\n\tbra judge;\njudged:\n",
        team->helpers);
}

/* ---- the whole ---- */

/* Between two barriers a slot is written, or read by warps other than the one
   that wrote it, but not both. A program ends with a barrier unless it has no
   gates. */
static void write_body(Team *team) {
  uint32_t words = team->shape.words;
  LINES("\tsetp.eq.u64 p, d_limit, 0;\n\t@p bra counted;\n"
        "\tld.global.u32 s0, [d_limit];\n\tmin.u32 n_count, n_count, s0;\n"
        "counted:\n"
        "\tmov.u32 changed, 0;\n\tmov.u32 group, %%ctaid.x;\n"
        "next:\n\tmul.lo.u32 s0, group, %u;\n"
        "\tsetp.ge.u32 p, s0, n_count;\n\t@p bra finished;\n"
        "\tmad.lo.u32 s0, own, 32, s0;\n\tadd.u32 row, s0, lane;\n"
        "\tsetp.lt.u32 live, row, n_count;\n"
        "\tsub.u32 s0, n_count, 1;\n\tmin.u32 from, row, s0;\n"
        "\tsetp.eq.u64 p, d_picked, 0;\n\t@p bra in_turn;\n"
        "\tmul.wide.u32 d0, from, 4;\n\tadd.u64 d0, d0, d_picked;\n"
        "\tld.global.u32 from, [d0];\n\tmov.u32 row, from;\n"
        "in_turn:\n",
        32 * words);
  write_load(team);
  LINES("\tsetp.eq.u64 p, d_joints, 0;\n\t@p bra stay;\n");
  write_moves(team);
  LINES("\tmov.u32 phase, %u;\n\tbra evaluate;\nafter1:\n", ROSTER_NEXT);
  write_advance(team);
  LINES("stay:\n\tbar.sync 0;\n");
  write_store(team, "keep", "d_successors", "n_row_words", false);
  LINES("\tsetp.eq.u32 p, n_looks, 0;\n\t@p bra looked;\n"
        "\tmov.u32 phase, %u;\n\tbra evaluate;\nafter0:\n\tbar.sync 0;\n",
        ROSTER_LOOK);
  write_store(team, "show", "d_legal", "n_legal_words", true);
  write_terminal(team);
  LINES("\tbar.sync 0;\nlooked:\n"
        "\tsetp.eq.u64 p, d_values, 0;\n\t@p bra judged;\n"
        "\tsetp.eq.u32 p, n_judges, 0;\n\t@p bra valued;\n"
        "\tmov.u32 phase, %u;\n\tbra evaluate;\nafter2:\n\tbar.sync 0;\n"
        "valued:\n",
        ROSTER_GOALS);
  write_goals(team);
  LINES("\tbar.sync 0;\n\tmov.u32 s0, %%nctaid.x;\n"
        "\tadd.u32 group, group, s0;\n\tbra next;\nfinished:\n\tret;\n");
}

void team_expand_write(const Roster *roster, Text *text) {
  const RosterShape *shape = &roster->shape;
  Team whole = {.roster = roster,
                .shape = *shape,
                .helpers = shape->warps / shape->words};
  Team *team = &whole;
  ptx_begin(&team->ptx);
  text_clear(&team->ptx.body);
  write_registers(team);
  team_gates_targets(team);
  write_load_parameters(team);
  team_identify(team);
  write_body(team);
  team_gates_evaluate(team);
  write_head(shape, text);
  text_format(text, "\t.reg .b32 %%r<%u>;\n", team->ptx.registers);
  text_add(text, text_string(&team->ptx.body));
  text_add(text, "}\n");
  ptx_free(&team->ptx);
}
