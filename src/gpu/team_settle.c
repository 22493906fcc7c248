/* Words whose playouts are over: their sums, their credit, and the next job. */
#include "gpu/team.h"
#include "gpu/team_parts.h"

/* Adds a number to a field of the lane's start; where p. */
static void write_add_field(Team *team, const char *number, const char *base,
                            uint32_t field) {
  LINES("\tcvt.u64.u32 d0, %s;\n\t@p red.global.add.u64 [%s+%u], d0;\n", number,
        base, 8 * field);
}

/* The lanes in which a register is 1, and not 0, into t0; how many of them have
   this lane's start into t1. */
static void write_count(Team *team, const char *from) {
  LINES("\tsetp.ne.u32 q, %s, 0;\n"
        "\tvote.sync.ballot.b32 t0, q, 0xffffffff;\n"
        "\tand.b32 t1, t0, group;\n\tpopc.b32 t1, t1;\n",
        from);
}

/* A sum over the lanes with the same start. */
static void write_sum(Team *team, const char *number) {
  LINES("\tredux.sync.add.u32 %s, %s, group;\n", number, number);
}

/* The number of the lane's start in a job, which may be past the last. */
static void write_start(Team *team, const char *to, const char *job) {
  LINES("\tdiv.u32 %s, %s, n_rounds;\n\tshl.b32 %s, %s, split;\n"
        "\tadd.u32 %s, %s, member;\n",
        to, job, to, to, to, to);
}

/* f0 = γ^age, in units of 2^-16 */
static void write_discount(Team *team) {
  LINES("\tcvt.rn.f32.u32 f0, age;\n\tmul.f32 f0, f0, f_gamma;\n"
        "\tex2.approx.f32 f0, f0;\n\tmul.f32 f0, f0, 0f47800000;\n");
}

/* Sums up the discounts of lanes that ended, and of lanes that were cut off or
   stuck. Where p. */
static void write_discounts(Team *team) {
  write_discount(team);
  LINES("\tcvt.rni.u32.f32 s1, f0;\n"
        "\tsetp.eq.u32 q, outcome, 1;\n\tselp.b32 s0, s1, 0, q;\n");
  write_sum(team, "s0");
  write_add_field(team, "s0", "dresult", SUMS_DISCOUNTS);
  LINES("\tsetp.gt.u32 q, outcome, 1;\n\tselp.b32 s0, s1, 0, q;\n");
  write_sum(team, "s0");
  write_add_field(team, "s0", "dresult", SUMS_OTHER_DISCOUNTS);
}

static void write_outcomes(Team *team) {
  static const uint32_t fields[] = {SUMS_ENDED, SUMS_CUT_OFF, SUMS_STUCK};
  LINES("\tand.pred p, tells, tells;\n"
        "\tselp.b32 s0, age, 0, fin;\n");
  write_sum(team, "s0");
  write_add_field(team, "s0", "dresult", SUMS_STATES);
  for (uint32_t i = 0; i < 3; i++) {
    LINES("\tsetp.eq.u32 q, outcome, %u;\n\tselp.b32 s1, 1, 0, q;\n", i + 1);
    if (i == 0) LINES("\tselp.b32 s2, age, 0, q;\n");
    if (i == 0) write_sum(team, "s2");
    write_count(team, "s1");
    if (i == 0) LINES("\tmov.u32 mask, t0;\n");
    write_add_field(team, "t1", "dresult", fields[i]);
  }
  write_add_field(team, "s2", "dresult", SUMS_STEPS);
  write_discounts(team);
}

/* Adds what the lanes `t0` have of a goal to the sums of the moves of role x0
   that they made: s2 to field s3, and one playout if the goal is that role's.
 */
static void write_credit_moves(Team *team) {
  LINES("\tmul.wide.u32 d0, x0, 4;\n\tadd.u64 d0, d0, d_blocks;\n"
        "\tld.global.nc.u32 at, [d0];\n\tld.global.nc.u32 last, [d0+4];\n"
        "creditblock:\n\tsetp.ge.u32 q, at, last;\n\t@q bra credited;\n"
        "\tmad.lo.u32 x1, at, 32, lane;\n\tmul.wide.u32 d0, x1, 4;\n"
        "\tadd.u64 d0, d0, dcredit;\n\tld.global.u32 x2, [d0];\n"
        "\tand.b32 x2, x2, t0;\n\tpopc.b32 x2, x2;\n"
        "\tsetp.ne.u32 q, x2, 0;\n\tcvt.u64.u32 d1, x2;\n"
        "\tmul.wide.u32 d0, x1, %u;\n\tadd.u64 d0, d0, d_credit;\n"
        "\tsetp.eq.and.u32 r, x0, role, q;\n"
        "\t@r red.global.add.u64 [d0+%u], d1;\n"
        "\tmul.lo.u32 x2, x2, s2;\n\tcvt.u64.u32 d1, x2;\n"
        "\tmad.lo.u32 x1, x1, %u, s3;\n\tmul.wide.u32 d0, x1, 8;\n"
        "\tadd.u64 d0, d0, d_credit;\n"
        "\t@q red.global.add.u64 [d0], d1;\n"
        "\tadd.u32 at, at, 1;\n\tbra creditblock;\ncredited:\n",
        8 * TEAM_CREDIT, 8 * TEAM_PLAYOUTS, TEAM_CREDIT);
}

/* For credit: x0 goes through the roles; s3 is the field, s2 the factor. */
static void write_goal_credit(Team *team) {
  LINES("\t@!credits bra goalcredited;\n\tmov.u32 x0, 0;\n"
        "creditrole:\n\tsetp.ge.u32 q, x0, n_roles;\n"
        "\t@q bra goalcredited;\n"
        "\tsetp.eq.u32 q, x0, role;\n"
        "\tmov.u32 s2, value;\n"
        "\tselp.b32 s3, %u, %u, q;\n",
        TEAM_CREDIT_GOALS, TEAM_RIVAL_GOALS);
  write_credit_moves(team);
  LINES("\tadd.u32 x0, x0, 1;\n\tbra creditrole;\ngoalcredited:\n");
}

/* Goes through the goals; the first that a role has counts. Lanes of `mask`
   ended. */
static void write_goals(Team *team) {
  LINES("\tmov.u32 at, 0;\n\tmov.u32 scored, 0;\n\tmov.u32 start, 0;\n"
        "goal:\n\tsetp.ge.u32 p, start, n_goal_count;\n\t@p bra goaled;\n"
        "\tmul.wide.u32 d0, start, 12;\n\tadd.u64 d0, d0, d_goals;\n"
        "\tld.global.nc.u32 role, [d0];\n"
        "\tld.global.nc.u32 value, [d0+4];\n"
        "\tld.global.nc.u32 s0, [d0+8];\n");
  team_address(team, "s0", "s0", "own");
  LINES("\tld.shared.u32 s1, [s0];\n\tand.b32 s1, s1, mask;\n"
        "\tshr.u32 s1, s1, lane;\n\tand.b32 s1, s1, 1;\n"
        "\tmov.u32 s2, 1;\n\tshl.b32 s2, s2, role;\n"
        "\tand.b32 s3, scored, s2;\n\tsetp.ne.u32 q, s3, 0;\n"
        "\tselp.b32 s1, 0, s1, q;\n"
        "\tsetp.ne.u32 q, s1, 0;\n"
        "\t@q or.b32 scored, scored, s2;\n");
  write_count(team, "s1");
  LINES("\tadd.u32 start, start, 1;\n"
        "\tsetp.eq.u32 p, t0, 0;\n\t@p bra goal;\n"
        "\tmad.lo.u32 s2, role, %u, %u;\n\tmul.wide.u32 d2, s2, 8;\n"
        "\tadd.u64 d2, d2, dresult;\n\tand.pred p, tells, tells;\n",
        SUMS_ROLE_FIELDS, SUMS_FIELDS);
  write_add_field(team, "t1", "d2", SUMS_SCORED);
  LINES("\tmul.lo.u32 s2, t1, value;\n\tmul.lo.u32 s3, s2, value;\n");
  write_add_field(team, "s2", "d2", SUMS_GOALS);
  write_add_field(team, "s3", "d2", SUMS_SQUARES);
  write_discount(team);
  LINES("\tcvt.rn.f32.u32 f1, value;\n\tmul.f32 f0, f0, f1;\n"
        "\tcvt.rni.u32.f32 s2, f0;\n\tsetp.ne.u32 q, s1, 0;\n"
        "\tselp.b32 s2, s2, 0, q;\n");
  write_sum(team, "s2");
  write_add_field(team, "s2", "d2", SUMS_RETURNS);
  write_goal_credit(team);
  LINES("\tbra goal;\ngoaled:\n");
}

/* Forgets the moves of the lanes that are done. */
static void write_forget_moves(Team *team) {
  LINES("\t@!credits bra forgotten;\n\tnot.b32 x1, done;\n"
        "\tmov.u32 at, lane;\n"
        "forget:\n\tsetp.ge.u32 q, at, n_moves;\n\t@q bra forgotten;\n"
        "\tmul.wide.u32 d0, at, 4;\n\tadd.u64 d0, d0, dcredit;\n"
        "\tld.global.u32 x2, [d0];\n\tand.b32 x2, x1, x2;\n"
        "\tst.global.u32 [d0], x2;\n"
        "\tadd.u32 at, at, 32;\n\tbra forget;\nforgotten:\n");
}

/* Fluent s2 of the lanes `done` becomes x0. */
static void write_keep(Team *team) {
  team_place(team, "s2", "s3");
  team_address(team, "s2", "s2", "own");
  LINES("\tld.shared.u32 s3, [s2];\n"
        "\tlop3.b32 s3, x0, done, s3, 0xe2;\n"
        "\tst.shared.u32 [s2], s3;\n");
}

/* The same where a table says where fluents are. */
static void write_keep_far(Team *team) {
  LINES("\tsetp.lt.u32 q, s2, n_fluents;\n"
        "\tmul.wide.u32 d1, s2, 4;\n\tadd.u64 d1, d1, d_fluents;\n"
        "\tmov.u32 s2, 0;\n\t@q ld.global.nc.u32 s2, [d1];\n"
        "\tsetp.lt.s32 r, s2, 0;\n\tand.pred r, r, q;\n"
        "\tnot.pred p, r;\n\tand.pred p, p, q;\n"
        "\tand.b32 s3, s2, 0x7fffffff;\n\tcvt.u64.u32 d1, s3;\n"
        "\tadd.u64 d1, d1, dfar;\n"
        "\tmul.lo.u32 s3, own, 4;\n\txor.b32 s2, s2, s3;\n"
        "\tadd.u32 s2, s2, base;\n"
        "\t@p ld.shared.u32 s3, [s2];\n\t@r ld.global.u32 s3, [d1];\n"
        "\tlop3.b32 s3, x0, done, s3, 0xe2;\n"
        "\t@p st.shared.u32 [s2], s3;\n\t@r st.global.u32 [d1], s3;\n");
}

/* Every lane of `done` gets the state of its start: a lane reads 32 fluents of
   its own, and stores one fluent of all lanes. The job is
   `upcoming`. */
static void write_load(Team *team) {
  write_start(team, "s0", "upcoming");
  LINES("\tsub.u32 s1, n_count, 1;\n\tmin.u32 s0, s0, s1;\n"
        "\tmul.lo.u32 s0, s0, n_row_words;\n"
        "\tmul.wide.u32 d0, s0, 4;\n\tadd.u64 d0, d0, d_starts;\n"
        "\tmov.u32 block, 0;\n"
        "load:\n\tsetp.ge.u32 q, block, n_fluents;\n\t@q bra loaded;\n"
        "\tld.global.u32 x0, [d0];\n\tadd.u64 d0, d0, 4;\n");
  team_transpose(team);
  LINES("\tadd.u32 s2, block, lane;\n");
  if (team->homes)
    write_keep_far(team);
  else
    write_keep(team);
  LINES("\tadd.u32 block, block, 32;\n\tbra load;\nloaded:\n");
}

/* Where `need`: adds up the lanes that are done, then loads starts. */
static void write_settle(Team *team) {
  LINES("\tsetp.ne.u32 fin, outcome, 0;\n"
        "\tvote.sync.ballot.b32 done, fin, 0xffffffff;\n"
        "\tsetp.eq.u32 p, job, -1;\n\t@p bra take;\n");
  write_start(team, "s0", "job");
  LINES("\tsetp.lt.and.u32 tells, s0, n_count, lead;\n"
        "\tmad.lo.u32 s1, n_roles, %u, %u;\n\tmul.lo.u32 s0, s0, s1;\n"
        "\tmul.wide.u32 dresult, s0, 8;\n"
        "\tadd.u64 dresult, dresult, d_results;\n",
        SUMS_ROLE_FIELDS, SUMS_FIELDS);
  write_outcomes(team);
  write_goals(team);
  write_forget_moves(team);
  LINES("take:\n\tmov.u32 upcoming, job;\n"
        "\tsetp.ne.u32 p, n_flow, 0;\n\t@p bra flowing;\n"
        "\tsetp.eq.u32 p, lane, 0;\n"
        "\t@p atom.global.add.u32 upcoming, [d_counter], 1;\n"
        "\tshfl.sync.idx.b32 upcoming, upcoming, 0, 31, 0xffffffff;\n"
        "\tmov.u32 done, -1;\n\tbra taken;\n"
        "flowing:\n\tsetp.ne.u32 p, job, -1;\n\t@p bra taken;\n"
        "\tmov.u32 s0, %%ctaid.x;\n\tmad.lo.u32 s0, s0, %u, own;\n"
        "\trem.u32 upcoming, s0, n_jobs;\n\tmov.u32 done, -1;\n"
        "taken:\n\tsetp.ge.u32 p, upcoming, n_jobs;\n\t@p bra given;\n",
        team->shape.words);
  write_load(team);
  LINES("given:\n\tbar.warp.sync 0xffffffff;\n"
        "\tsetp.eq.u32 p, lane, 0;\n"
        "\tmad.lo.u32 s1, own, 4, ends;\n"
        "\t@p st.shared.u32 [s1+%u], upcoming;\n",
        4 * team->shape.words);
}

/* Every thread of the word learns its job; lanes that were done begin. */
static void write_start_lanes(Team *team) {
  LINES("\tbar.sync 0;\n\t@!need bra started;\n"
        "\tsetp.eq.u32 q, job, -1;\n"
        "\tmad.lo.u32 s1, own, 4, ends;\n\tld.shared.u32 job, [s1+%u];\n"
        "\tsetp.ne.u32 p, outcome, 0;\n\tor.pred p, p, q;\n"
        "\tsetp.eq.u32 q, n_flow, 0;\n\tor.pred p, p, q;\n"
        "\t@!p bra started;\n"
        "\trem.u32 s2, job, n_rounds;\n\tadd.u32 s2, s2, 1;\n"
        "\tsetp.eq.u32 q, s2, n_rounds;\n"
        "\tselp.b32 s1, n_last_lanes, n_lanes, q;\n"
        "\tshr.u32 s1, s1, lane;\n\tand.b32 s1, s1, 1;\n",
        4 * team->shape.words);
  write_start(team, "s2", "job");
  LINES("\tsetp.lt.u32 q, job, n_jobs;\n"
        "\tsetp.lt.and.u32 p, s2, n_count, q;\n"
        "\tselp.b32 alive, s1, 0, p;\n\tselp.b32 job, job, -1, q;\n");
  if (team->legs > 1)
    LINES("\tmul.wide.u32 d0, s2, 4;\n\tadd.u64 d0, d0, d_phases;\n"
          "\t@p ld.global.nc.u32 enters, [d0];\n");
  LINES("\tmov.u32 age, 0;\n\tmov.u32 outcome, 0;\nstarted:\n");
}

/* At every eighth step: words that are done are settled and begin again. */
void team_settle_turnover(Team *team) {
  LINES("step:\n"
        "\tand.b32 s0, clock, 7;\n\tsetp.ne.u32 p, s0, 0;\n\t@p bra look;\n"
        "\tsetp.ne.u32 p, alive, 0;\n"
        "\tvote.sync.ballot.b32 awake, p, 0xffffffff;\n"
        /* jobs: no lane is alive, and there is a job, or it is the first step;
           flow: some lane is done */
        "\tsetp.eq.u32 p, n_flow, 0;\n\t@p bra byjob;\n"
        "\tsetp.ne.u32 need, outcome, 0;\n"
        "\tvote.sync.any.pred need, need, 0xffffffff;\n\tbra decided;\n"
        "byjob:\n\tsetp.eq.u32 need, awake, 0;\n"
        "\tsetp.ne.u32 q, job, -1;\n\tand.pred need, need, q;\n"
        "decided:\n\tsetp.ne.u32 q, first, 0;\n\tor.pred need, need, q;\n"
        "\tbar.red.or.pred q, 0, need;\n\t@!q bra fresh;\n"
        "\tsetp.ne.u32 q, first, 0;\n\tmov.u32 first, 0;\n"
        "\t@q bra after2;\n\tmov.u32 phase, 2;\n\tbra evaluate;\n"
        "after2:\n\tsetp.ne.u32 p, helper, 0;\n\t@p bra settled;\n"
        "\t@!need bra settled;\n");
  write_settle(team);
  LINES("settled:\n");
  write_start_lanes(team);
  LINES("fresh:\n\tsetp.ne.u32 p, n_flow, 0;\n\t@p bra flows;\n"
        "\tsetp.ne.u32 p, alive, 0;\n\tbar.red.or.pred q, 0, p;\n"
        "\t@!q bra finished;\n\tbra look;\n"
        "flows:\n\tsetp.ge.u32 p, clock, n_flow;\n\t@p bra finished;\n");
}

/* Moves of unfinished playouts count, too. */
void team_settle_finish(Team *team) {
  LINES("finished:\n\tsetp.ne.u32 p, helper, 0;\n\t@p bra gone;\n"
        "\tsetp.ne.u32 p, alive, 0;\n\tselp.b32 s0, age, 0, p;\n"
        "\tredux.sync.add.u32 s0, s0, 0xffffffff;\n"
        "\tsetp.eq.u32 q, s0, 0;\n\t@q bra gone;\n"
        "\tdiv.u32 s1, job, n_rounds;\n"
        "\tmad.lo.u32 s2, n_roles, %u, %u;\n\tmul.lo.u32 s1, s1, s2;\n"
        "\tmul.wide.u32 dresult, s1, 8;\n"
        "\tadd.u64 dresult, dresult, d_results;\n"
        "\tsetp.eq.u32 p, lane, 0;\n",
        SUMS_ROLE_FIELDS, SUMS_FIELDS);
  write_add_field(team, "s0", "dresult", SUMS_STATES);
  LINES("gone:\n\tret;\n");
}
