/* The choice of moves: each lane of a word counts and picks by a thread of its
   own. The words of 32 moves, wherever they are, are transposed into a tile;
   tiles without a legal move are left out. The tiles of a warp, the numbers of
   their blocks, and what was counted so far for each role, are in its part of
   the far memory. */
#include "gpu/squad_parts.h"

/* x0 = the word of these games at the home in s1; p is overwritten. */
static void write_load_home(Team *team, const Squad *squad) {
  LINES("\txor.b32 s2, s1, own4;\n\tadd.u32 s2, s2, base;\n");
  if (!squad->far_slots) {
    LINES("\tld.shared.u32 x0, [s2];\n");
    return;
  }
  LINES("\tsetp.lt.s32 p, s1, 0;\n\tand.b32 s3, s1, 0x7fffffff;\n"
        "\tcvt.u64.u32 d1, s3;\n\tadd.u64 d1, d1, dfar;\n"
        "\t@p ld.global.u32 x0, [d1];\n\t@!p ld.shared.u32 x0, [s2];\n");
}

/* The address of a near slot's word of these games, from its number in s0. */
static void write_slot_address(Team *team) {
  team_place(team, "s0", "s1");
  team_address(team, "s0", "s0", "own");
}

/* Notes that the lanes made move x1, for credit; where p. */
static void write_credit(Team *team, const char *lanes) {
  LINES("\tmul.wide.u32 d0, x1, 4;\n\tadd.u64 d0, d0, d_marks;\n"
        "\tmov.u32 s1, 0;\n\t@p ld.global.nc.u32 s1, [d0];\n"
        "\tmul.wide.u32 d0, s1, 4;\n\tadd.u64 d0, d0, dcredit;\n"
        "\t@p red.global.or.b32 [d0], %s;\n",
        lanes);
}

/* A role with one move has no choice; where that is not legal it is stuck. */
static void write_single(Team *team, const Squad *squad) {
  LINES("\tmul.wide.u32 d0, at, 128;\n\tadd.u64 d0, d0, d_homes;\n"
        "\tld.global.nc.u32 s1, [d0];\n");
  write_load_home(team, squad);
  LINES("\tand.b32 x0, x0, awake;\n\tshr.u32 s1, x0, lane;\n"
        "\tand.b32 s1, s1, 1;\n\tsetp.eq.u32 p, s1, 0;\n"
        "\tselp.b32 stuck, 1, stuck, p;\n\tmov.u32 s0, low;\n");
  write_slot_address(team);
  LINES("\tsetp.eq.u32 p, lane, 0;\n\t@p st.shared.u32 [s0], x0;\n"
        "\tand.pred p, p, credits;\n\tmul.lo.u32 x1, at, 32;\n");
  write_credit(team, "x0");
  LINES("\tbra ruled;\n");
}

/* Where the warp has the role's tiles and their numbers: into dl and d2. The
   slots of far memory for the tiles of a role are those of all tiles. */
static void write_tiles(Team *team, const Squad *squad) {
  LINES("\tmul.wide.u32 d1, role, %u;\n\tadd.u64 dl, dtiles, d1;\n"
        "\tmul.wide.u32 d1, role, %u;\n\tadd.u64 d2, dnumbers, d1;\n",
        squad->tiles * 128, squad->tiles * 4);
}

/* The counts of the role so far. */
static void write_counts(Team *team, bool store) {
  static const char *const names[] = {"count", "kept", "sum"};
  static const char *const types[] = {"u32", "u32", "f32"};
  LINES("\tmul.wide.u32 d0, role, 384;\n\tadd.u64 d0, d0, dcounts;\n");
  for (uint32_t i = 0; i < 3; i++)
    if (store)
      LINES("\tst.global.%s [d0+%u], %s;\n", types[i], 128 * i, names[i]);
    else
      LINES("\tld.global.%s %s, [d0+%u];\n", types[i], names[i], 128 * i);
}

/* Makes the tiles of the blocks from `block` on, and counts. */
static void write_count(Team *team, const Squad *squad) {
  LINES("\tmul.wide.u32 d0, kept, 128;\n\tadd.u64 dl, dl, d0;\n"
        "\tmul.wide.u32 d0, kept, 4;\n\tadd.u64 d2, d2, d0;\n"
        "\tmad.lo.u32 s0, block, 32, lane;\n\tmul.wide.u32 d0, s0, 4;\n"
        "\tadd.u64 dk, d0, d_homes;\n"
        "counting:\n\tsetp.ge.u32 p, block, last;\n\t@p bra counted;\n"
        "\tld.global.nc.u32 s1, [dk];\n\tadd.u64 dk, dk, 128;\n");
  write_load_home(team, squad);
  LINES("\tand.b32 x0, x0, awake;\n\tsetp.ne.u32 p, x0, 0;\n"
        "\tvote.sync.any.pred q, p, 0xffffffff;\n\t@!q bra counton;\n");
  team_transpose(team);
  LINES("\tst.global.u32 [dl], x0;\n\tadd.u64 dl, dl, 128;\n"
        "\tsetp.eq.u32 p, lane, 0;\n\t@p st.global.u32 [d2], block;\n"
        "\tadd.u64 d2, d2, 4;\n\tadd.u32 kept, kept, 1;\n"
        "\tpopc.b32 x1, x0;\n\tadd.u32 count, count, x1;\n"
        "\tsetp.eq.u32 p, weighing, 0;\n\t@p bra counton;\n"
        "\tmov.u32 x1, x0;\n");
  team_choose_weigh(team, "weigh");
  LINES("\tadd.f32 sum, sum, weight;\n\tbra weigh;\nweighed:\n"
        "counton:\n\tadd.u32 block, block, 1;\n\tbra counting;\n"
        "counted:\n\tbar.warp.sync 0xffffffff;\n");
}

/* `tally`, after a part: the blocks that are known now, of every role. */
static void write_round(Team *team, const Squad *squad) {
  LINES("tally:\n\tsetp.ne.u32 p, alive, 0;\n"
        "\tvote.sync.ballot.b32 awake, p, 0xffffffff;\n"
        "\tmov.u32 role, 0;\n"
        "\tmad.lo.u32 s0, leg, %u, part;\n\tmul.lo.u32 s0, s0, n_roles;\n"
        "\tmul.wide.u32 d0, s0, %u;\n\tadd.u64 dp, d0, d_rounds;\n"
        "round:\n\tld.global.nc.u32 block, [dp];\n"
        "\tld.global.nc.u32 last, [dp+4];\n\tadd.u64 dp, dp, %u;\n"
        "\tmov.u32 count, 0;\n\tmov.u32 kept, 0;\n"
        "\tmov.f32 sum, 0f00000000;\n"
        "\tsetp.eq.u32 p, part, 0;\n\t@p bra newly;\n"
        "\tsetp.ge.u32 p, block, last;\n\t@p bra rounded;\n",
        squad->parts, (uint32_t)sizeof(SquadRound),
        (uint32_t)sizeof(SquadRound));
  write_counts(team, false);
  LINES("newly:\n");
  write_tiles(team, squad);
  write_count(team, squad);
  write_counts(team, true);
  LINES("rounded:\n\tadd.u32 role, role, 1;\n"
        "\tsetp.lt.u32 p, role, n_roles;\n\t@p bra round;\n"
        "\tadd.u32 part, part, 1;\n\tsetp.ge.u32 p, part, %u;\n"
        "\t@p bra after0;\n\tbar.sync 0;\n\tbra looking;\n"
        "after0:\n\tbar.warp.sync 0xffffffff;\n",
        squad->parts);
}

/* found: the tile with the move; x2: the move's place in it. */
static void write_pick_uniform(Team *team) {
  LINES("\tmul.hi.u32 rank, rank, count;\n\tmov.u32 x2, 0;\n"
        "picking:\n\tsetp.ge.u32 p, tile, kept;\n\t@p bra picked;\n"
        "\tld.global.u32 x0, [dl];\n\tadd.u64 dl, dl, 128;\n"
        "\tpopc.b32 x1, x0;\n"
        "\tsetp.lt.u32 p, rank, x1;\n\tsetp.eq.and.u32 p, found, -1, p;\n"
        "\t@p mov.u32 found, tile;\n\t@p mov.u32 x2, x0;\n"
        "\tsetp.eq.u32 q, found, -1;\n\t@q sub.u32 rank, rank, x1;\n"
        "\tadd.u32 tile, tile, 1;\n\tbra picking;\npicked:\n");
  team_choose_bit(team);
}

static void write_pick_weighted(Team *team) {
  team_choose_aim(team);
  LINES("\tmov.u32 t2, 0;\n"
        "weighting:\n\tsetp.ge.u32 p, tile, kept;\n\t@p bra weighted;\n"
        "\tld.global.u32 x1, [dl];\n\tadd.u64 dl, dl, 128;\n"
        "\tld.global.u32 block, [d2];\n\tadd.u64 d2, d2, 4;\n"
        "\tsetp.eq.u32 p, mask, 0;\n\t@p bra weighton;\n");
  team_choose_weigh(team, "reweigh");
  /* The last move stands if rounding leaves something. */
  LINES("\tmov.u32 found, tile;\n\tmov.u32 t2, x2;\n"
        "\tsub.f32 aim, aim, weight;\n\tsetp.lt.f32 p, aim, 0f00000000;\n"
        "\t@!p bra reweigh;\n\tmov.u32 mask, 0;\n"
        "reweighed:\n"
        "weighton:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 tile, tile, 1;\n\tbra weighting;\n"
        "weighted:\n\tmov.u32 x2, t2;\n");
}

/* Sets the lane's bit in the lines of its move. */
static void write_chosen(Team *team, const Squad *squad) {
  write_tiles(team, squad);
  LINES("\tbar.warp.sync 0xffffffff;\n\tsetp.ne.u32 has, found, -1;\n"
        "\tsetp.ne.and.u32 has, present, 0, has;\n"
        "\tmul.wide.u32 d0, found, 4;\n\tadd.u64 d0, d0, d2;\n"
        "\tmov.u32 block, at;\n\t@has ld.global.u32 block, [d0];\n"
        "\tmad.lo.u32 x1, block, 32, x2;\n"
        "\tsub.u32 t0, block, at;\n\tmad.lo.u32 t0, t0, 32, x2;\n"
        "\tmov.u32 t1, 1;\n\tshl.b32 t1, t1, lane;\n"
        "\tsetp.ne.u32 q, high, 0;\n\tmov.u32 s0, t0;\n"
        "\t@q and.b32 s0, t0, %u;\n\tadd.u32 s0, s0, low;\n",
        SQUAD_LOW - 1);
  write_slot_address(team);
  LINES("\t@has red.shared.or.b32 [s0], t1;\n\t@!q bra written;\n"
        "\tshr.u32 s0, t0, %u;\n\tadd.u32 s0, s0, high;\n",
        SQUAD_LOW_BITS);
  write_slot_address(team);
  LINES("\t@has red.shared.or.b32 [s0], t1;\nwritten:\n"
        "\tand.pred p, has, credits;\n");
  write_credit(team, "t1");
  LINES("ruled:\n");
}

void squad_choose_prepare(Team *team) {
  LINES("look:\n\tmov.u32 part, 0;\n");
  team_choose_blind(team);
}

void squad_choose(Team *team, const Squad *squad) {
  write_round(team, squad);
  team_choose_lanes(team);
  LINES("choose:\n\tmad.lo.u32 s0, role, %u, leg;\n"
        "\tmul.wide.u32 d0, s0, %u;\n\tadd.u64 d0, d0, d_groups;\n"
        "\tld.global.nc.u32 at, [d0+%u];\n"
        "\tld.global.nc.u32 low, [d0+%u];\n\tld.global.nc.u32 high, [d0+%u];\n"
        "\tld.global.nc.u32 s0, [d0+%u];\n"
        "\tsetp.ne.u32 p, s0, 1;\n\t@p bra several;\n",
        squad->legs, (uint32_t)sizeof(SquadGroup),
        (uint32_t)offsetof(SquadGroup, block),
        (uint32_t)offsetof(SquadGroup, low),
        (uint32_t)offsetof(SquadGroup, high),
        (uint32_t)offsetof(SquadGroup, count));
  write_single(team, squad);
  LINES("several:\n");
  write_counts(team, false);
  write_tiles(team, squad);
  LINES("\tmov.f32 all, sum;\n\tmov.f32 before, 0f00000000;\n"
        "\tmov.u32 tile, 0;\n");
  team_random(team, "rank");
  LINES("\tmov.u32 found, -1;\n"
        "\tsetp.ne.u32 p, weighing, 0;\n\t@p bra byweight;\n"
        "\tsetp.eq.u32 p, count, 0;\n\tselp.b32 stuck, 1, stuck, p;\n");
  write_pick_uniform(team);
  LINES("\tbra chooses;\nbyweight:\n"
        "\tsetp.le.f32 p, all, 0f00000000;\n\tselp.b32 stuck, 1, stuck, p;\n");
  write_pick_weighted(team);
  LINES("chooses:\n");
  write_chosen(team, squad);
  team_choose_end(team);
}
