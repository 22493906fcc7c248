/* The choice of moves: each lane of a word counts and picks by a thread of its
   own, in one pass (reservoir sampling, Vitter's algorithm R with blocks of
   moves as records). The words of 32 moves, wherever they are, are transposed,
   so that a thread has the legal moves of its lane in the block as bits. With a
   probability of their share of all that was counted so far they replace the
   bits that it has. So the thread knows, of each role:

     whole  the number of legal moves so far, or the sum of their weights
     found  the block of its candidate; -1: there was no legal move
     bits   the legal moves of that block
     spot   the rank of the candidate among them; or the sum of weights in
            which it is, when they are added up from the lowest bit on

   That is in memory from one part to the next. All else is written into the
   text: there is code for each leg and part. */
#include <stdio.h>

#include "gpu/squad_parts.h"

/* One role, after one part of a leg. */
typedef struct Tally {
  uint32_t leg, part, role;
  char name[48]; /* for labels */
  const SquadGroup *group;
  SquadRound round;
} Tally;

static const SquadRound *round_of(const Squad *squad, uint32_t leg,
                                  uint32_t part, uint32_t role) {
  return &squad->leg[leg].rounds[part * squad->roles + role];
}

static bool counts(const Squad *squad, uint32_t leg, uint32_t part,
                   uint32_t role) {
  const SquadRound *round = round_of(squad, leg, part, role);
  return round->from < round->to;
}

static Tally tally_of(const Squad *squad, uint32_t leg, uint32_t part,
                      uint32_t role) {
  Tally tally = {.leg = leg,
                 .part = part,
                 .role = role,
                 .group = &squad->groups[role * squad->legs + leg],
                 .round = *round_of(squad, leg, part, role)};
  snprintf(tally.name, sizeof tally.name, "%up%ur%u", leg, part, role);
  return tally;
}

/* Whether moves of the role were counted before this part. */
static bool begun(const Squad *squad, const Tally *tally) {
  for (uint32_t part = 0; part < tally->part; part++)
    if (counts(squad, tally->leg, part, tally->role)) return true;
  return false;
}

/* ---- moves ---- */

/* Whether a move of the round has a far home. */
static bool reaches_far(const Squad *squad, const SquadRound *round) {
  for (uint32_t i = round->from * 32; i < round->to * 32; i++)
    if (squad->legal[i] & SQUAD_FAR) return true;
  return false;
}

/* ahead = the word of these games at `home`, where `more`; s2, s3, d1, p and q
   are overwritten. What follows the last block may be the moves of another leg,
   and their words may be where this one keeps candidates: other threads write
   them now, so they must not be read, even in vain. */
static void write_load_ahead(Team *team, bool far) {
  LINES("\txor.b32 s2, home, own4;\n\tadd.u32 s2, s2, base;\n");
  if (!far) {
    LINES("\t@more ld.shared.u32 ahead, [s2];\n");
    return;
  }
  LINES("\tsetp.lt.and.s32 p|q, home, 0, more;\n"
        "\tand.b32 s3, home, 0x7fffffff;\n"
        "\tcvt.u64.u32 d1, s3;\n\tadd.u64 d1, d1, dfar;\n"
        "\t@p ld.global.u32 ahead, [d1];\n\t@q ld.shared.u32 ahead, [s2];\n");
}

/* The homes of the first two blocks of the round, into `home` and `after`. */
static void write_homes(Team *team, const SquadRound *round) {
  LINES("\tmul.wide.u32 d0, lane, 4;\n\tadd.u64 dk, d0, d_homes;\n"
        "\tadd.u64 dk, dk, %u;\n\tld.global.nc.u32 home, [dk];\n"
        "\tld.global.nc.u32 after, [dk+128];\n",
        round->from * 128);
}

/* Adds x0, the bits of a block. */
static void write_add(Team *team, const Tally *tally) {
  team_random(team, "rank");
  LINES("\t@weighs bra heavy%s;\n"
        "\tpopc.b32 x1, x0;\n\tadd.u32 whole, whole, x1;\n"
        "\tmul.hi.u32 rank, rank, whole;\n\tsetp.lt.u32 p, rank, x1;\n"
        "\t@p mov.u32 found, block;\n\t@p mov.u32 bits, x0;\n"
        "\t@p mov.u32 spot, rank;\n",
        tally->name);
}

/* The same by weights; not on the way of the other. */
static void write_add_weights(Team *team, const Tally *tally) {
  char label[64];
  snprintf(label, sizeof label, "weigh%s", tally->name);
  LINES("\tbra counted%s;\n"
        "heavy%s:\n\tmov.u32 x1, x0;\n\tmov.f32 f1, 0f00000000;\n",
        tally->name, tally->name);
  team_choose_weigh(team, label);
  LINES("\tadd.f32 f1, f1, weight;\n\tbra %s;\n%sed:\n"
        "\tadd.f32 whole, whole, f1;\n",
        label, label);
  team_choose_aim(team, "whole");
  LINES("\tsetp.lt.f32 p, aim, f1;\n"
        "\t@p mov.u32 found, block;\n\t@p mov.u32 bits, x0;\n"
        "\t@p mov.b32 spot, aim;\n\tbra added%s;\ncounted%s:\n",
        tally->name, tally->name);
}

/* The first role whose moves are counted after the part; or `roles`. */
static uint32_t first_of(const Squad *squad, uint32_t leg, uint32_t part) {
  uint32_t role = 0;
  while (role < squad->roles && !counts(squad, leg, part, role)) role++;
  return role;
}

/* Goes through the blocks of the round. While one of them is counted, the words
   of the next are on their way, and so are the homes of the one after it. */
static void write_count(Team *team, const Squad *squad, const Tally *tally) {
  const SquadRound *round = &tally->round;
  bool far = reaches_far(squad, round);
  if (tally->role != first_of(squad, tally->leg, tally->part))
    write_homes(team, round);
  LINES("\tmov.u32 block, %u;\n\tsetp.eq.u32 more, block, block;\n",
        round->from);
  write_load_ahead(team, far);
  LINES("\tmov.u32 home, after;\n"
        "count%s:\n\tand.b32 x0, ahead, awake;\n"
        "\tsetp.lt.u32 more, block, %u;\n",
        tally->name, round->to - 1);
  write_load_ahead(team, far);
  LINES("\tadd.u64 dk, dk, 128;\n\tld.global.nc.u32 home, [dk+128];\n"
        "\tsetp.ne.u32 p, x0, 0;\n"
        "\tvote.sync.any.pred q, p, 0xffffffff;\n\t@!q bra added%s;\n",
        tally->name);
  team_transpose(team);
  write_add(team, tally);
  LINES("added%s:\n\tadd.u32 block, block, 1;\n\t@more bra count%s;\n",
        tally->name, tally->name);
  write_add_weights(team, tally);
}

void squad_choose_ahead(Team *team, const Squad *squad, uint32_t leg,
                        uint32_t part) {
  uint32_t role = first_of(squad, leg, part);
  if (role < squad->roles) write_homes(team, round_of(squad, leg, part, role));
}

/* 16 bytes of each thread, for a role that has a choice. */
uint32_t squad_choose_kept(const Squad *squad, uint32_t leg, uint32_t role) {
  enum { SLOTS = 16 * 32 * SQUAD_WARPS / (4 * SQUAD_WARPS) };
  uint32_t count = 0;
  for (uint32_t i = 0; i < role; i++)
    count += squad->groups[i * squad->legs + leg].count > 1;
  return count * SLOTS;
}

static void write_keep(Team *team, const Squad *squad, const Tally *tally,
                       bool store) {
  uint32_t slot =
      squad->near + squad_choose_kept(squad, tally->leg, tally->role);
  LINES("\tmad.lo.u32 s0, tid, 16, base;\n");
  if (store)
    LINES("\tst.shared.v4.u32 [s0+%u], {whole, found, bits, spot};\n",
          slot * 4 * SQUAD_WARPS);
  else
    LINES("\tld.shared.v4.u32 {whole, found, bits, spot}, [s0+%u];\n",
          slot * 4 * SQUAD_WARPS);
}

static void write_tally(Team *team, const Squad *squad, const Tally *tally) {
  if (begun(squad, tally))
    write_keep(team, squad, tally, false);
  else
    LINES("\tmov.u32 whole, 0;\n\tmov.u32 found, -1;\n\tmov.u32 bits, 0;\n"
          "\tmov.u32 spot, 0;\n");
  if (tally->round.from < tally->round.to) write_count(team, squad, tally);
}

/* ---- the choice ---- */

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
static void write_single(Team *team, const Squad *squad, const Tally *tally) {
  uint32_t move = tally->group->block * 32;
  uint32_t home = squad_home(squad, squad->legal[move]);
  if (home & SQUAD_FAR)
    LINES("\tld.global.u32 x0, [dfar+%u];\n", home & ~SQUAD_FAR);
  else
    LINES("\txor.b32 s2, own4, %u;\n\tadd.u32 s2, s2, base;\n"
          "\tld.shared.u32 x0, [s2];\n",
          home);
  LINES("\tand.b32 x0, x0, awake;\n\tshr.u32 s1, x0, lane;\n"
        "\tand.b32 s1, s1, 1;\n\tsetp.eq.u32 p, s1, 0;\n"
        "\tselp.b32 stuck, 1, stuck, p;\n\tmov.u32 s0, %u;\n",
        tally->group->low);
  write_slot_address(team);
  LINES("\tsetp.eq.u32 p, lane, 0;\n\t@p st.shared.u32 [s0], x0;\n"
        "\tand.pred p, p, credits;\n\tmov.u32 x1, %u;\n",
        move);
  write_credit(team, "x0");
}

/* x2: the candidate's place in its block. */
static void write_pick(Team *team, const Tally *tally) {
  char label[64];
  snprintf(label, sizeof label, "reweigh%s", tally->name);
  LINES("\tsetp.eq.u32 p, found, -1;\n\tselp.b32 stuck, 1, stuck, p;\n"
        "\t@weighs bra byweight%s;\n\tmov.u32 x2, bits;\n"
        "\tmov.u32 rank, spot;\n",
        tally->name);
  team_choose_bit(team);
  LINES("\tbra picked%s;\nbyweight%s:\n\tmov.u32 x1, bits;\n"
        "\tmov.u32 block, found;\n\tmov.u32 t2, 0;\n",
        tally->name, tally->name);
  team_choose_weigh(team, label);
  /* The last move stands if rounding leaves something. */
  LINES("\tmov.u32 t2, x2;\n\tsub.f32 spot, spot, weight;\n"
        "\tsetp.lt.f32 p, spot, 0f00000000;\n\t@!p bra %s;\n"
        "%sed:\n\tmov.u32 x2, t2;\n"
        "picked%s:\n\tbar.warp.sync 0xffffffff;\n",
        label, label, tally->name);
}

/* Sets the lane's bit in the lines of its move. */
static void write_chosen(Team *team, const Tally *tally) {
  const SquadGroup *group = tally->group;
  LINES("\tsetp.ne.u32 has, found, -1;\n"
        "\tsetp.ne.and.u32 has, present, 0, has;\n"
        "\tmad.lo.u32 x1, found, 32, x2;\n\tsub.u32 t0, x1, %u;\n"
        "\tmov.u32 t1, 1;\n\tshl.b32 t1, t1, lane;\n",
        group->block * 32);
  if (group->high)
    LINES("\tand.b32 s0, t0, %u;\n\tadd.u32 s0, s0, %u;\n", SQUAD_LOW - 1,
          group->low);
  else
    LINES("\tadd.u32 s0, t0, %u;\n", group->low);
  write_slot_address(team);
  LINES("\t@has red.shared.or.b32 [s0], t1;\n");
  if (group->high) {
    LINES("\tshr.u32 s0, t0, %u;\n\tadd.u32 s0, s0, %u;\n", SQUAD_LOW_BITS,
          group->high);
    write_slot_address(team);
    LINES("\t@has red.shared.or.b32 [s0], t1;\n");
  }
  LINES("\tand.pred p, has, credits;\n");
  write_credit(team, "t1");
}

static void write_choice(Team *team, const Squad *squad, const Tally *tally) {
  if (tally->group->count == 1) {
    write_single(team, squad, tally);
    return;
  }
  write_tally(team, squad, tally);
  write_pick(team, tally);
  write_chosen(team, tally);
}

/* ---- the legs and parts ---- */

static void write_last(Team *team, const Squad *squad, uint32_t leg) {
  team_choose_lanes(team);
  LINES("\tsetp.ne.u32 weighs, weighing, 0;\n");
  for (uint32_t role = 0; role < squad->roles; role++) {
    Tally tally = tally_of(squad, leg, squad->leg[leg].parts - 1, role);
    write_choice(team, squad, &tally);
  }
  LINES("\tbra chosen;\n");
}

/* What is counted after a part that others follow. They may use the memory of
   its moves again, if there are any. */
static void write_part(Team *team, const Squad *squad, uint32_t leg,
                       uint32_t part) {
  bool any = false;
  LINES("\tsetp.ne.u32 p, alive, 0;\n"
        "\tvote.sync.ballot.b32 awake, p, 0xffffffff;\n"
        "\tsetp.ne.u32 weighs, weighing, 0;\n");
  for (uint32_t role = 0; role < squad->roles; role++) {
    if (!counts(squad, leg, part, role)) continue;
    Tally tally = tally_of(squad, leg, part, role);
    write_tally(team, squad, &tally);
    write_keep(team, squad, &tally, true);
    any = true;
  }
  LINES("%s\tbrx.idx warp, looks%up%u;\n", any ? "\tbar.sync 0;\n" : "", leg,
        part + 1);
}

void squad_choose_prepare(Team *team) {
  LINES("look:\n");
  team_choose_blind(team);
}

void squad_choose(Team *team, const Squad *squad) {
  for (uint32_t leg = 0; leg < squad->legs; leg++)
    for (uint32_t part = 0; part < squad->leg[leg].parts; part++) {
      LINES("tally%up%u:\n", leg, part);
      if (part + 1 < squad->leg[leg].parts)
        write_part(team, squad, leg, part);
      else
        write_last(team, squad, leg);
    }
  LINES("chosen:\n");
  team_choose_end(team);
}
