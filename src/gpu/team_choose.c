/* The choice of moves: each lane of a word counts and picks by a thread of its
   own, in blocks of 32 moves, which are transposed in their place. */
#include "gpu/team_parts.h"

/* Address of the slot of the block's move that is this lane's, into s0. */
static void write_move_address(Team *team) {
  LINES("\tmad.lo.u32 s0, block, 32, lane;\n"
        "\tadd.u32 s0, s0, n_first_move;\n");
  team_place(team, "s0", "s1");
  team_address(team, "s0", "s0", "own");
}

void team_choose_weigh(Team *team, const char *label) {
  LINES("%s:\n\tsetp.eq.u32 p, x1, 0;\n\t@p bra %sed;\n"
        "\tbrev.b32 x2, x1;\n\tclz.b32 x2, x2;\n"
        "\tmad.lo.u32 t0, block, 32, x2;\n\tmul.wide.u32 d0, t0, 4;\n"
        "\tadd.u64 d0, d0, d_weights;\n\tld.global.f32 weight, [d0];\n"
        "\tsub.u32 t1, x1, 1;\n\tand.b32 x1, x1, t1;\n",
        label, label);
}

/* Transposes each block in its place, and counts. */
static void write_count_moves(Team *team) {
  LINES("\tadd.u32 block, at, helper;\n\tmov.u32 count, 0;\n"
        "\tmov.f32 sum, 0f00000000;\n"
        "counting:\n\tsetp.ge.u32 p, block, last;\n\t@p bra counted;\n");
  write_move_address(team);
  LINES("\tld.shared.u32 x0, [s0];\n\tsetp.ne.u32 p, x0, 0;\n"
        "\tvote.sync.any.pred q, p, 0xffffffff;\n\t@!q bra counton;\n"
        "\tand.b32 x0, x0, awake;\n");
  team_transpose(team);
  LINES("\tst.shared.u32 [s0], x0;\n\tpopc.b32 x1, x0;\n"
        "\tadd.u32 count, count, x1;\n"
        "\tsetp.eq.u32 p, weighing, 0;\n\t@p bra counton;\n"
        "\tmov.u32 x1, x0;\n");
  team_choose_weigh(team, "weigh");
  LINES("\tadd.f32 sum, sum, weight;\n\tbra weigh;\nweighed:\n"
        "counton:\n\tadd.u32 block, block, %u;\n\tbra counting;\n"
        "counted:\n",
        team->helpers);
}

/* Where several warps look after a word: `total` and `prefix`, `all` and
   `before` from what each of them has. */
static void write_join_counts(Team *team) {
  if (team->helpers == 1) {
    LINES("\tmov.u32 total, count;\n\tmov.u32 prefix, 0;\n"
          "\tmov.f32 all, sum;\n\tmov.f32 before, 0f00000000;\n");
    return;
  }
  uint32_t warps = team->shape.warps;
  LINES("\tmad.lo.u32 s0, role, %u, tid;\n"
        "\tmad.lo.u32 s0, s0, 4, ends;\n\tadd.u32 s0, s0, %u;\n"
        "\tmov.b32 s1, sum;\n\tsetp.eq.u32 p, weighing, 0;\n"
        "\tselp.b32 s1, count, s1, p;\n\tst.shared.u32 [s0], s1;\n"
        "\tbar.sync 0;\n"
        "\tmad.lo.u32 s0, role, %u, lane;\n"
        "\tmad.lo.u32 s1, own, %u, s0;\n"
        "\tmad.lo.u32 s0, s1, 4, ends;\n\tadd.u32 s0, s0, %u;\n"
        "\tmov.u32 total, 0;\n\tmov.f32 all, 0f00000000;\n"
        "\tmov.u32 prefix, 0;\n\tmov.f32 before, 0f00000000;\n",
        32 * warps, 8 * team->shape.words, 32 * warps, 32 * team->helpers,
        8 * team->shape.words);
  for (uint32_t i = 0; i < team->helpers; i++)
    LINES("\tld.shared.u32 s1, [s0+%u];\n\tmov.b32 f0, s1;\n"
          "\tsetp.eq.u32 p, helper, %u;\n"
          "\t@p mov.u32 prefix, total;\n\t@p mov.f32 before, all;\n"
          "\tadd.u32 total, total, s1;\n\tadd.f32 all, all, f0;\n",
          128 * i, i);
}

/* found: the block with the move, x2: its place in the block. */
static void write_pick_uniform(Team *team) {
  LINES("\tmul.hi.u32 rank, rank, total;\n\tsub.u32 rank, rank, prefix;\n"
        "\tadd.u32 block, at, helper;\n\tmov.u32 x2, 0;\n"
        "picking:\n\tsetp.ge.u32 p, block, last;\n\t@p bra picked;\n");
  write_move_address(team);
  LINES("\tld.shared.u32 x0, [s0];\n\tst.shared.u32 [s0], 0;\n"
        "\tpopc.b32 x1, x0;\n"
        "\tsetp.lt.u32 p, rank, x1;\n\tsetp.eq.and.u32 p, found, -1, p;\n"
        "\t@p mov.u32 found, block;\n\t@p mov.u32 x2, x0;\n"
        "\tsetp.eq.u32 q, found, -1;\n\t@q sub.u32 rank, rank, x1;\n"
        "\tadd.u32 block, block, %u;\n\tbra picking;\n"
        "picked:\n",
        team->helpers);
  team_choose_bit(team);
}

/* Halves the word five times. */
void team_choose_bit(Team *team) {
  LINES("\tmov.u32 x0, 0;\n");
  for (uint32_t j = 16; j; j /= 2)
    LINES("\tshr.u32 s0, x2, x0;\n\tand.b32 s0, s0, 0x%x;\n"
          "\tpopc.b32 s1, s0;\n\tsetp.ge.u32 p, rank, s1;\n"
          "\t@p sub.u32 rank, rank, s1;\n\t@p add.u32 x0, x0, %u;\n",
          (1u << j) - 1, j);
  LINES("\tmov.u32 x2, x0;\n");
}

void team_choose_aim(Team *team, const char *sum) {
  LINES("\tshr.u32 s0, rank, 8;\n\tcvt.rn.f32.u32 f0, s0;\n"
        "\tmul.f32 f0, f0, 0f33800000;\n\tmul.f32 aim, f0, %s;\n"
        /* rounding may have made it as great as the sum */
        "\tsetp.ge.f32 p, aim, %s;\n\t@p mov.f32 aim, 0f00000000;\n",
        sum, sum);
}

static void write_pick_weighted(Team *team) {
  team_choose_aim(team, "all");
  /* mask: whether that is in what this warp counted */
  LINES("\tadd.f32 f1, before, sum;\n\tsetp.ge.f32 p, aim, before;\n"
        "\tsetp.lt.and.f32 p, aim, f1, p;\n\tselp.b32 mask, 1, 0, p;\n"
        "\tsub.f32 aim, aim, before;\n"
        "\tadd.u32 block, at, helper;\n\tmov.u32 x2, 0;\n"
        "\tmov.u32 t2, 0;\n"
        "weighting:\n\tsetp.ge.u32 p, block, last;\n\t@p bra weighted;\n");
  write_move_address(team);
  LINES("\tld.shared.u32 x1, [s0];\n\tst.shared.u32 [s0], 0;\n"
        "\tsetp.eq.u32 p, mask, 0;\n\t@p bra weighton;\n");
  team_choose_weigh(team, "reweigh");
  /* The last move stands if rounding leaves something. */
  LINES("\tmov.u32 found, block;\n\tmov.u32 t2, x2;\n"
        "\tsub.f32 aim, aim, weight;\n\tsetp.lt.f32 p, aim, 0f00000000;\n"
        "\t@!p bra reweigh;\n\tmov.u32 mask, 0;\n"
        "reweighed:\n"
        "weighton:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 block, block, %u;\n\tbra weighting;\n"
        "weighted:\n\tmov.u32 x2, t2;\n",
        team->helpers);
}

/* Sets the lane's bit in the slot of its move: one store where all lanes that
   have one have the same. */
static void write_chosen(Team *team) {
  LINES("\tbar.warp.sync 0xffffffff;\n"
        "\tsetp.ne.u32 has, found, -1;\n"
        "\tmad.lo.u32 x1, found, 32, x2;\n"
        "\tadd.u32 s0, x1, n_first_move;\n");
  team_place(team, "s0", "s1");
  team_address(team, "s0", "s0", "own");
  LINES("\tmov.u32 s1, 1;\n\tshl.b32 s1, s1, lane;\n"
        "\tvote.sync.ballot.b32 t0, has, 0xffffffff;\n"
        "\tsetp.eq.u32 p, t0, 0;\n\t@p bra chosen;\n"
        "\tbrev.b32 t1, t0;\n\tclz.b32 t1, t1;\n"
        "\tshfl.sync.idx.b32 t2, x1, t1, 31, 0xffffffff;\n"
        "\tsetp.eq.and.u32 p, x1, t2, has;\n"
        "\tvote.sync.ballot.b32 t2, p, 0xffffffff;\n"
        "\tsetp.eq.u32 q, lane, t1;\n"
        "\t@q st.shared.u32 [s0], t2;\n\tbar.warp.sync 0xffffffff;\n"
        "\tnot.pred p, p;\n\tand.pred p, p, has;\n"
        "\t@p red.shared.or.b32 [s0], s1;\n"
        "\tmul.wide.u32 d0, x1, 4;\n\tadd.u64 d0, d0, dcredit;\n"
        "\tand.pred p, has, credits;\n"
        "\t@p red.global.or.b32 [d0], s1;\n"
        "chosen:\n");
}

/* Where there are legs, a playout that has not begun waits for its own. */
static void write_present(Team *team) {
  LINES("\tmov.u32 present, alive;\n");
  if (team->legs == 1) return;
  LINES("\tsetp.eq.u32 p, age, 0;\n\tsetp.ne.and.u32 p, enters, leg, p;\n"
        "\t@p mov.u32 present, 0;\n");
}

/* Lanes where p are over. */
static void write_over(Team *team, uint32_t outcome) {
  LINES("\t@p mov.u32 outcome, %u;\n\t@p mov.u32 alive, 0;\n"
        "\t@p mov.u32 present, 0;\n",
        outcome);
}

void team_choose_lanes(Team *team) {
  write_present(team);
  team_address(team, "s0", "n_terminal", "own");
  LINES("\tld.shared.u32 s1, [s0];\n\tshr.u32 s1, s1, lane;\n"
        "\tand.b32 s1, s1, present;\n\tsetp.ne.u32 p, s1, 0;\n");
  write_over(team, 1);
  LINES("\tsetp.ge.u32 p, age, n_limit;\n"
        "\tsetp.ne.and.u32 p, present, 0, p;\n");
  write_over(team, 2);
  LINES("\tsetp.ne.u32 p, present, 0;\n"
        "\tvote.sync.ballot.b32 awake, p, 0xffffffff;\n"
        "\tmov.u32 stuck, 0;\n");
}

void team_choose_blind(Team *team) {
  LINES("\tselp.b32 weighing, 1, 0, heavy;\n"
        "\tmov.u32 s1, %%ctaid.x;\n\tmad.lo.u32 s0, s1, 0x85ebca6b, clock;\n"
        "\tmad.lo.u32 s0, s0, 0x9e3779b1, n_seed;\n"
        "\tshr.u32 s1, s0, 15;\n\txor.b32 s0, s0, s1;\n"
        "\tmul.lo.u32 s0, s0, 0x7feb352d;\n"
        "\tshr.u32 s1, s0, 16;\n\txor.b32 s0, s0, s1;\n"
        "\tsetp.lt.u32 p, s0, n_blind;\n\t@p mov.u32 weighing, 0;\n");
}

void team_choose_end(Team *team) {
  /* moved = awake lanes that are not stuck */
  LINES("\tsetp.ne.u32 p, stuck, 0;\n\tsetp.ne.and.u32 p, present, 0, p;\n");
  write_over(team, 3);
  LINES("\tadd.u32 age, age, present;\n\tsetp.ne.u32 p, present, 0;\n"
        "\tvote.sync.ballot.b32 moved, p, 0xffffffff;\n"
        "\tmad.lo.u32 s0, own, 4, ends;\n"
        "\tor.b32 s1, lane, helper;\n\tsetp.eq.u32 p, s1, 0;\n"
        "\t@p st.shared.u32 [s0], moved;\n\tbar.sync 0;\n");
}

void team_choose(Team *team) {
  LINES("after0:\n");
  team_choose_lanes(team);
  if (team->helpers == 1)
    LINES("\tsetp.eq.u32 p, awake, 0;\n\t@p bra chose;\n");
  team_choose_blind(team);
  LINES("\tmov.u32 role, 0;\n"
        "choose:\n\tmul.wide.u32 d0, role, 4;\n\tadd.u64 d0, d0, d_blocks;\n"
        "\tld.global.nc.u32 at, [d0];\n\tld.global.nc.u32 last, [d0+4];\n");
  write_count_moves(team);
  write_join_counts(team);
  team_random(team, "rank");
  LINES("\tmov.u32 found, -1;\n"
        "\tsetp.ne.u32 p, weighing, 0;\n\t@p bra byweight;\n"
        "\tsetp.eq.u32 p, total, 0;\n\tselp.b32 stuck, 1, stuck, p;\n");
  write_pick_uniform(team);
  LINES("\tbra chooses;\nbyweight:\n"
        "\tsetp.le.f32 p, all, 0f00000000;\n\tselp.b32 stuck, 1, stuck, p;\n");
  write_pick_weighted(team);
  LINES("chooses:\n");
  write_chosen(team);
  LINES("\tadd.u32 role, role, 1;\n\tsetp.lt.u32 p, role, n_roles;\n"
        "\t@p bra choose;\nchose:\n");
  team_choose_end(team);
}
